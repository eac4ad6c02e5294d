internal import CustomerStore
internal import Formats

/// A customer of a file, its values sorted by where they go.
struct ImportedCustomer {
  var fields = CustomerFields()
  var canEdit = true
  var canMove = true
  /// The title of the section; nil if the file does not say.
  private(set) var section: String?
  /// The id in the list that the file is of.
  private(set) var id: Int64?
  private var extra = ExtraColumns()

  /// Sorts the values of a customer.
  ///
  /// - Parameters:
  ///   - record: the customer as it stands in the file.
  ///   - plan: where its columns go.
  ///   - null: the text that stands for no value.
  ///   - customer: what is not in the file, if the customer is in the list.
  /// - Throws: `ParseError` for what its field can't take.
  init(_ record: FileRecord, _ plan: ColumnPlan, null: String?, onto customer: Customer? = nil) throws {
    if let customer {
      fields = customer.fields
      canEdit = customer.canEdit
      canMove = customer.canMove
      extra = fields.extraColumns
    }
    for (index, target) in plan.targets.enumerated() {
      let value = record.values[index]
      if let null, value.plain == null { continue }
      switch target {
      case .field(let field): fields[field] = .text(value.plain)
      case .name: fields.setName(value.plain)
      case .favorite: fields.isFavorite = try value.flag(target, record, index) ?? false
      case .canEdit: canEdit = try value.flag(target, record, index) ?? true
      case .canMove: canMove = try value.flag(target, record, index) ?? true
      case .section: section = value.plain
      case .id: id = Int64(value.plain)
      case .extra: extra[plan.keptNames[index]] = FieldValue(value)
      case .extras:
        let members = value.members(mayBeText: plan.isListed) ?? [(plan.keptNames[index], value)]
        for (name, value) in members { extra[name] = FieldValue(value) }
      case .ignored: break
      }
    }
    fields.extra = extra.json
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
        message: "column \(index + 1) goes to \(target), which takes yes, no, true, false, 1 or 0")
    }
  }

  /// The members of a JSON object.
  fileprivate func members(mayBeText: Bool) -> [(name: String, value: FileRecord.Value)]? {
    if case .text = self, !mayBeText { return nil }
    return try? JSON.columns(ofObject: plain)
  }
}
