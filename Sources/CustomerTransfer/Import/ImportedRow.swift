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
    var otherNames: [Int] = []
    for index in plan.targets.indices {
      let (target, value) = (plan.targets[index], record.values[index])
      if let null, value.plain == null { continue }
      switch target {
      case .field(.isFavorite): fields.isFavorite = try value.flag(target, record, index) ?? false
      case .extra, .field(.extra): extra.append((plan.keptNames[index], FieldValue(value)))
      case .field(let field): fields.setText(value.plain, of: field)
      case .name:
        // The list may split the same name in another place.
        if let known, known.name == value.plain { break }
        fields.setName(value.plain)
      case .lastName: fields.lastName = value.plain
      case .otherName: otherNames.append(index)
      case .tags: fields.tags = value.plain.tags
      case .contact(let contact):
        if contact.role == .part { extra.append((plan.keptNames[index], FieldValue(value))) }
      case .canEdit:
        canEdit = try value.flag(target, record, index) ?? true
        isExported = plan.isExported && !value.plain.isEmpty
      case .canMove: canMove = try value.flag(target, record, index) ?? true
      case .section: section = value.plain
      case .id: id = Int64(value.plain.trimmingBlanks)
      case .members:
        let members = value.members(mayBeText: plan.isListed) ?? [(plan.keptNames[index], value)]
        let names = try plan.names.names(for: members.map(\.name))
        if extra.isEmpty, case .json(let text) = value, names == members.map(\.name) { written = text }
        extra += zip(names, members).map { ($0, FieldValue($1.value)) }
      case .version, .ignored: break
      }
    }
    if plan.isUnderstood {
      for index in otherNames {
        let name = record.values[index].plain
        if known == nil, fields.firstName.isEmpty, fields.lastName.isEmpty, fields.name != name {
          fields.setName(name)
        } else if fields.name != name {
          extra.append((plan.keptNames[index], .text(name)))
        }
      }
      if plan.mayRepeatFirstName { fields.dropFirstNameFromLast() }
      plan.contacts?.contacts(record, null: null).fill(&fields, plan)
    }
    if known == nil, let written, written.hasPrefix("{"), plan.hasOnlyMembers {
      fields.extra = written
    } else if !extra.isEmpty {
      fields.extraColumns.set(extra)
    }
    // A list may have a blank customer, and its export is complete.
    guard known != nil || isExported || id != nil || !fields.isEmptyRow else {
      throw ParseError(line: record.line, message: "an empty customer: no field has a value")
    }
    (self.record, self.plan, self.number) = (record, plan, number)
    customer = NewCustomer(fields, canEdit: canEdit, canMove: canMove)
    (self.section, self.id) = (section, id)
  }
}

extension ImportedRow {
  /// What the row was written from; nil if the file doesn't say.
  var handOut: HandOut? {
    plan.targets.firstIndex(of: .version).flatMap { HandOut(record.values[$0].plain) }
  }

  /// The customer that these values make of one of the list; values for columns that the file does not have stay.
  ///
  /// - Throws: `ParseError` for an invalid value of a field.
  func onto(_ known: Customer, null: String?) throws -> NewCustomer {
    try ImportedRow(record, plan, number: number, null: null, onto: known).customer
  }
}

extension Contacts {
  /// Sets the fields of the kinds that the file has.
  ///
  /// The lines of other contacts of these kinds are replaced, others are left as they are.
  fileprivate func fill(_ fields: inout CustomerFields, _ plan: ColumnPlan) {
    let kinds = plan.contacts?.kinds ?? []
    var all = self
    for kind in kinds {
      guard let field = kind.field else { continue }
      if plan.targets.contains(.field(field)) {
        all.add(ContactLine(kind, fields[field].text), .chosen)
      } else {
        fields.setText(main(kind) ?? "", of: field)
      }
    }
    let kept = fields.otherContacts.split(separator: "\n").map(String.init).filter { line in
      ContactLine(line).map { !kinds.contains($0.kind) } ?? true
    }
    fields.otherContacts = (kept + all.others.map(\.text)).joined(separator: "\n")
  }
}

extension CustomerFields {
  /// Removes the first name from the start of the last name, where some files have both.
  fileprivate mutating func dropFirstNameFromLast() {
    let start = firstName + " "
    if !firstName.isEmpty, lastName.hasPrefix(start) { lastName.removeFirst(start.count) }
  }

  /// Whether no field has a value; fast for a row with a first name.
  fileprivate var isEmptyRow: Bool {
    if let first = firstName.utf8.first, first > 0x20, first < 0x80 { return false }
    return isBlank
  }
}

extension String {
  /// The tags in a column of another program, one per line.
  fileprivate var tags: String {
    let pieces: [String]
    if contains(":::") {
      pieces = split(separator: ":::").map(String.init)
    } else if let separator = ["\n", ";", ","].first(where: contains) {
      pieces = split(separator: separator).map(String.init)
    } else {
      pieces = [self]
    }
    return pieces.map { piece in
      // Mailchimp quotes each, Google marks its own groups with an asterisk.
      String(piece.trimmingBlanks).trimming("\"").trimming("* ")
    }.filter { !$0.isEmpty && $0 != "myContacts" }.map(ContactLine.escaped).joined(separator: "\n")
  }

  /// The text without a mark at its start and its end.
  private func trimming(_ mark: String) -> String {
    let start = hasPrefix(mark) ? String(dropFirst(mark.count)) : self
    return start.hasSuffix(mark) ? String(start.dropLast(mark.count)) : start
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
