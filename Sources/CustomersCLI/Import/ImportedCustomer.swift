internal import CustomerStore
internal import CustomersFormats

/// A customer of a file, with its values sorted by target.
struct ImportedCustomer {
  var fields = CustomerFields()
  var canEdit = true
  var canMove = true
  /// The title of the section; nil if the file has none.
  private(set) var section: String?
  /// The id in the list that the file was written from.
  private(set) var id: Int64?

  /// Whether the customer is empty.
  var isEmpty: Bool {
    if let first = fields.firstName.utf8.first, first > 0x20, first < 0x80 { return false }
    return fields.isBlank
  }

  /// Sorts the values of a customer.
  ///
  /// - Parameters:
  ///   - record: the customer as it is in the file.
  ///   - plan: the targets of its columns.
  ///   - null: the text that means "no value".
  ///   - customer: the values for columns not in the file, if the customer is in the list.
  /// - Throws: `ParseError` for an invalid value of a field.
  init(_ record: FileRecord, _ plan: ColumnPlan, null: String?, onto customer: Customer? = nil) throws {
    if let customer {
      fields = customer.fields
      canEdit = customer.canEdit
      canMove = customer.canMove
    }
    var extra: [(name: String, value: FieldValue)] = []
    for index in plan.targets.indices {
      let (target, value) = (plan.targets[index], record.values[index])
      if let null, value.plain == null { continue }
      switch target {
      case .field(let field): fields.setText(value.plain, of: field)
      case .name: fields.setName(value.plain)
      case .favorite: fields.isFavorite = try value.flag(target, record, index) ?? false
      case .canEdit: canEdit = try value.flag(target, record, index) ?? true
      case .canMove: canMove = try value.flag(target, record, index) ?? true
      case .section: section = value.plain
      case .id: id = Int64(value.plain)
      case .extra, .renamed: extra.append((plan.keptNames[index], FieldValue(value)))
      case .extras:
        let members = value.members(mayBeText: plan.isListed) ?? [(plan.keptNames[index], value)]
        extra += members.map { ($0.name, FieldValue($0.value)) }
      case .ignored: break
      }
    }
    if !extra.isEmpty { fields.extraColumns.set(extra) }
  }
}

extension FileRecord.Value {
  /// The text, or the JSON as it is written.
  var plain: String {
    switch self {
    case .text(let text), .json(let text): text
    }
  }

  /// Yes or no, or nil for neither.
  fileprivate func flag(_ target: ColumnTarget, _ record: FileRecord, _ index: Int) throws -> Bool? {
    switch plain.lowercased() {
    case "1", "true", "yes": return true
    case "0", "false", "no": return false
    case "": return nil
    default:
      throw ParseError(
        line: record.line,
        message: "column \(index + 1) is imported as \(target), which must be yes, no, true, false, 1 or 0")
    }
  }

  /// The members of a JSON object.
  fileprivate func members(mayBeText: Bool) -> [(name: String, value: FileRecord.Value)]? {
    if case .text = self, !mayBeText { return nil }
    return try? JSON.columns(ofObject: plain)
  }
}
