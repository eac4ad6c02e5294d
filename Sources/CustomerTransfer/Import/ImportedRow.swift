internal import CustomerStore
internal import CustomersFormats

/// A customer of a file, with its values sorted by target; a class, so that passing it on copies nothing.
final class ImportedRow {
  let record: Record
  let plan: ColumnPlan
  /// The number of the customer in the file, from 1.
  let number: Int
  let customer: NewCustomer
  /// The title of the section; nil if the file has none.
  let section: String?
  /// The id in the list that the file was written from.
  let id: Int64?
  /// The sections that the file describes between the row before and this one.
  var headings: [SectionHeading] = []

  /// Copying them takes a third of the time of making them.
  private static let noFields = CustomerFields()

  /// Sorts the values of a customer.
  ///
  /// - Parameters:
  ///   - record: the customer as it is in the file.
  ///   - plan: the targets of its columns.
  ///   - number: its number in the file, from 1.
  ///   - null: the text that means "no value".
  ///   - known: the values for columns not in the file, if the customer is in the list.
  /// - Throws: `ParseError` for an invalid value of a field, or if no field of a new customer has a value.
  init(_ record: Record, _ plan: ColumnPlan, number: Int, null: String?, onto known: Customer? = nil) throws {
    var fields = known?.fields ?? ImportedRow.noFields
    var (canEdit, canMove) = (known?.canEdit ?? true, known?.canMove ?? true)
    var section: String?
    var id: Int64?
    var extra: [(name: String, value: FieldValue)] = []
    // All extra columns, as the file writes them.
    var written: String?
    var isExported = false
    for index in plan.targets.indices {
      let (target, value) = (plan.targets[index], record.values[index])
      if let null, value.plain == null { continue }
      switch target {
      case .field(.isFavorite): fields.isFavorite = try value.flag(target, record, index) ?? false
      case .extra, .field(.extra): extra.append((plan.keptNames[index], FieldValue(value)))
      case .field(let field): fields.setText(value.plain, of: field)
      case .name: fields.setName(value.plain)
      case .canEdit:
        canEdit = try value.flag(target, record, index) ?? true
        isExported = plan.isExported && !value.plain.isEmpty
      case .canMove: canMove = try value.flag(target, record, index) ?? true
      case .section: section = value.plain
      case .id: id = Int64(value.plain)
      case .members:
        let members = value.members(mayBeText: plan.isListed) ?? [(plan.keptNames[index], value)]
        let names = try plan.names.names(for: members.map(\.name))
        if extra.isEmpty, case .json(let text) = value, names == members.map(\.name) { written = text }
        extra += zip(names, members).map { ($0, FieldValue($1.value)) }
      case .ignored: break
      }
    }
    if known == nil, let written, written.hasPrefix("{"), plan.hasOnlyMembers {
      fields.extra = written
    } else if !extra.isEmpty {
      fields.extraColumns.set(extra)
    }
    // A list may have a blank customer, and its export is complete.
    guard known != nil || isExported || !fields.isEmptyRow else {
      throw ParseError(line: record.line, message: "an empty customer: no field has a value")
    }
    (self.record, self.plan, self.number) = (record, plan, number)
    customer = NewCustomer(fields, canEdit: canEdit, canMove: canMove)
    (self.section, self.id) = (section, id)
  }
}

extension CustomerFields {
  /// Whether no field has a value; fast for a row with a first name.
  fileprivate var isEmptyRow: Bool {
    if let first = firstName.utf8.first, first > 0x20, first < 0x80 { return false }
    return isBlank
  }
}

extension Record.Value {
  /// The text, or the JSON as it is written.
  var plain: String {
    switch self {
    case .text(let text), .json(let text): text
    }
  }

  /// Yes or no, or nil for neither.
  fileprivate func flag(_ target: ColumnTarget, _ record: Record, _ index: Int) throws -> Bool? {
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
  fileprivate func members(mayBeText: Bool) -> [(name: String, value: Record.Value)]? {
    if case .text = self, !mayBeText { return nil }
    return try? JSON.columns(ofObject: plain)
  }
}
