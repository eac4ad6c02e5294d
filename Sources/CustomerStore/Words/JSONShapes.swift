package import CustomersText

/// The members of an object in the output of `--json` and in the answers of the API: the source of the objects, of the
/// pages that describe them, and of the tests that compare the two.
package struct JSONShape<Value>: Sendable {
  /// A member of the object and how to get its value.
  package struct Member: Sendable {
    let type: JSONObjectType.Member
    /// nil if it is omitted.
    let value: @Sendable (Value) -> JSON?
  }

  package let type: JSONObjectType
  private let members: [Member]
  /// The values of the members, apart from their types: these are read for each row of a list.
  private let values: [@Sendable (Value) -> JSON?]

  package init(_ name: String, _ meaning: String, _ members: [Member]) {
    (self.members, values) = (members, members.map(\.value))
    type = JSONObjectType(name, meaning, members.map(\.type))
  }

  /// The object of a value.
  package func json(_ value: Value) -> JSON { .object(pairs(value)) }

  /// Its members, for another value from which this one can be made.
  package func members<Other>(
    _ value: @escaping @Sendable (Other) -> Value
  ) -> [JSONShape<Other>.Member] {
    members.map { member in .init(type: member.type, value: { member.value(value($0)) }) }
  }

  /// Its members, but those with some names.
  package func pairs(_ value: Value, besides others: [String] = []) -> [(String, JSON)] {
    var pairs: [(String, JSON)] = []
    pairs.reserveCapacity(values.count)
    for index in values.indices {
      let name = type.members[index].name
      guard others.isEmpty || !others.contains(name), let json = values[index](value) else { continue }
      pairs.append((name, json))
    }
    return pairs
  }
}

extension JSONShape.Member {
  /// A member that every object has.
  package static func always(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: false, meaning: meaning), value: { value($0) })
  }

  /// A member that is omitted if it does not apply.
  package static func optional(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON?
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: true, meaning: meaning), value: value)
  }
}

package indirect enum JSONType: Sendable {
  case text, number, flag
  /// Any value, such as what an import kept.
  case any
  /// An object with any members.
  case map
  case list(JSONType)
  case object(JSONObjectType)
  /// An object with one member, the name of one of these, which is the value of the member.
  case oneOf([JSONObjectType])

  package static func object(
    _ name: String, _ meaning: String, _ members: [JSONObjectType.Member]
  ) -> JSONType {
    .object(JSONObjectType(name, meaning, members))
  }

  /// Its name in the reference.
  package var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .flag: "true or false"
    case .any: "any value"
    case .map: "an object"
    case .list(let type): "[\(type.name)]"
    case .object(let type): type.name
    case .oneOf(let types): types.map(\.name).joined(separator: " or ")
    }
  }
}

/// The description of an object in the reference.
package struct JSONObjectType: Sendable {
  package struct Member: Sendable {
    package let name: String
    package let type: JSONType
    package let isOptional: Bool
    package let meaning: String

    package static func always(_ name: String, _ type: JSONType, _ meaning: String) -> Member {
      Member(name: name, type: type, isOptional: false, meaning: meaning)
    }

    package static func optional(_ name: String, _ type: JSONType, _ meaning: String) -> Member {
      Member(name: name, type: type, isOptional: true, meaning: meaning)
    }
  }

  package let name: String
  package let meaning: String
  package let members: [Member]
  /// Words that may be given in place of the object.
  package let words: [String]
  /// Whether a number may be given in place of the object.
  package let isNumber: Bool
  /// Whether it may have members that are not listed.
  package let isOpen: Bool

  package init(
    _ name: String, _ meaning: String, _ members: [Member], words: [String] = [], isNumber: Bool = false,
    isOpen: Bool = false
  ) {
    (self.name, self.meaning, self.members) = (name, meaning, members)
    (self.words, self.isNumber, self.isOpen) = (words, isNumber, isOpen)
  }
}

/// The objects that several commands print and the API answers with.
package enum JSONShapes {
  package static let place = JSONShape<(place: CustomerPlace, outline: ListOutline)>(
    "place", "Where a row is, before or after an edit.",
    [
      .always("section", .number, "the id of its section") { .int(Int($0.place.section.rawValue)) },
      .always("order", .number, "its number in the section, from 1") { .int($0.place.order) },
      .always("position", .number, "its number in the whole list, from 1") {
        .int($0.outline.position(of: $0.place))
      },
    ])

  package static let section = JSONShape<CustomerSection>(
    "section", "A section.",
    [
      .always("id", .number, "its permanent id") { .int(Int($0.id.rawValue)) },
      .always("title", .text, "the line above the rows") { .string($0.title) },
      .always("footer", .text, "the line below the rows") { .string($0.footer) },
      .always("order", .number, "its number among the sections, from 1") { .int($0.order) },
      .always("count", .number, "how many rows it has") { .int($0.count) },
    ])

  package static let column = JSONShape<(name: String, count: Int, declared: DeclaredColumn?)>(
    "column", "An extra column of the list.",
    [
      .always("name", .text, "the name") { .string($0.name) },
      .always("count", .number, "how many customers have it") { .int($0.count) },
      .optional("kind", .text, "what its values are, if that was said") {
        $0.declared.map { .string($0.kind.rawValue) }
      },
      .optional("choices", .list(.text), "the values of a choice, in their order") { value in
        guard let choices = value.declared?.choices, !choices.isEmpty else { return nil }
        return .array(choices.map(JSON.string))
      },
    ])

  package static let customer = JSONShape<(customer: Customer, outline: ListOutline)>(
    "customer", "A customer with all fields and its place.",
    ListColumn.all.map { column in
      if column == .field(.otherContacts) {
        return .always("contacts", .list(.object(CustomerFields.contactType)), "all ways to be reached") {
          $0.customer.fields.contactsJSON
        }
      }
      let value = column.reading
      return .always(column.name, type(of: column), meaning(of: column)) { value($0.customer, $0.outline) }
    } + [
      .optional("next", .text, "when to be in touch again, if that is known") {
        $0.customer.fields.next.isEmpty ? nil : .string($0.customer.fields.next)
      },
      .optional("address_parts", .any, "the parts of the address, such as its city, if they are known") {
        $0.customer.fields.addressParts.isEmpty ? nil : $0.customer.fields.addressPartsJSON
      },
    ])

  package static let shown = JSONShape<(customer: Customer, outline: ListOutline, log: [LogLine])>(
    "shown_customer", "A customer as `list ROW` prints it.",
    customer.members { ($0.customer, $0.outline) } + [
      .optional("log", .list(.object(line.type)), "the lines of its log, if any, the latest one first") {
        $0.log.isEmpty ? nil : .array($0.log.map(line.json))
      }
    ])

  package static let line = JSONShape<LogLine>(
    "line", "A line of the log of a customer.",
    [
      .always("uid", .text, "its permanent id, which it has in every copy of the list") {
        .string(String($0.id.rawValue))
      },
      .always("time", .text, "when, in UTC") { .string($0.time) },
      .always("author", .text, "who wrote it; empty if unknown") { .string($0.author) },
      .always("text", .text, "what was said or done") { .string($0.text) },
    ])

  package static let step = JSONShape<(step: HistoryStep, outcome: EditOutcome)>(
    "step", "A step of the history: what one command, or one statement of another program, did.",
    [
      .always("step", .number, "its number") { .int(Int($0.step.id)) },
      .always("time", .text, "when, in UTC") { .string($0.step.time) },
      .always("program", .text, "the program; empty if unknown") { .string($0.step.program) },
      .always("user", .text, "the account that ran it: $LOGNAME or $USER, or its name or number") {
        .string($0.step.user)
      },
      .optional("person", .text, "who used the program, if a key says so") {
        $0.step.person.isEmpty ? nil : .string($0.step.person)
      },
      .always("host", .text, "the machine on which it ran") { .string($0.step.host) },
      .always("action", .text, "the command") { .string($0.step.action) },
      .always("kind", .text, "edit, undo, or redo") { .string($0.step.kind.rawValue) },
      .always("state", .text, "done, undone, or dropped: undone and can't be redone, or a repair") {
        .string($0.step.state.rawValue)
      },
      .always("edit_count", .number, "how many edits it has") { .int($0.step.editCount) },
      .always("changes", .list(.object(change.type)), "what it changed") { changes($0.outcome) },
      .optional("omitted", .number, "how many further changes are not listed") { omitted($0.outcome) },
    ])

  package static func changes(_ outcome: EditOutcome) -> JSON {
    .array(outcome.changes.map { change.json(($0, outcome)) })
  }

  package static func omitted(_ outcome: EditOutcome) -> JSON? {
    outcome.omitted > 0 ? .int(outcome.omitted) : nil
  }

  private static func type(of column: ListColumn) -> JSONType {
    switch column.name {
    case "id", "section", "order", "position": .number
    case "can_edit", "can_move": .flag
    case "extra": .any
    default:
      switch CustomerField(column: column.name)?.kind {
      case .flag: .flag
      case .lines: .list(.text)
      case .text, .multilineText, nil: .text
      }
    }
  }

  private static func meaning(of column: ListColumn) -> String {
    switch column.name {
    case "id": "the permanent id"
    case "section": "the id of the section"
    case "section_title": "its title"
    case "order": "the number in the section, from 1"
    case "position": "the number in the whole list, from 1"
    case "name": "first and last name, or the company"
    case "is_favorite": "whether the customer is a favorite"
    case "can_edit": "whether it may be edited and deleted"
    case "can_move": "whether it may be moved"
    case "extra": "the extra columns, by name"
    default:
      CustomerField.standard.first { $0.column == column.name }.map { "the field \"\($0.title)\"" }
        ?? column.name
    }
  }
}

extension JSONShapes {
  package static let change = JSONShape<(change: Change, outcome: EditOutcome)>(
    "change",
    """
    One change of an edit. To repeat a step on a copy of the list, remove the rows that are deleted or moved, by \
    `from`, and the sections. Then insert the sections, by `order`, and the rows that are added or moved, by `to`, \
    in ascending order.
    """,
    [
      .always("op", .text, "the operation: \(ops.joined(separator: ", "))") { .string($0.change.op) },
      .optional("id", .number, "the id of the customer or section") { $0.change.id.map(JSON.int) },
      .optional("first_id", .number, "the first id of many rows with consecutive ids") {
        $0.change.run.map { .int(Int($0.first.rawValue)) }
      },
      .optional("count", .number, "the number of these rows") { $0.change.run.map { .int($0.count) } },
      .optional("name", .text, "the customer's name or the section's title") {
        $0.change.name.map(JSON.string)
      },
      .optional("from", .object(place.type), "the place before the whole edit; for many rows, of the first") {
        value in value.change.from.map { place.json(($0, value.outcome.before)) }
      },
      .optional("to", .object(place.type), "the place after the whole edit; for many rows, of the first") {
        value in value.change.to.map { place.json(($0, value.outcome.after)) }
      },
      .optional("fields", .list(.text), "the fields that changed") { $0.change.fields },
      .optional("customer", .object(customer.type), "the customer after the edit; if deleted, before it") {
        value in
        let outline = value.change.to == nil ? value.outcome.before : value.outcome.after
        return value.change.customer.map { customer.json(($0, outline)) }
      },
      .optional("before", .object(customer.type), "in history STEP and ROW, the customer before the edit") {
        value in
        guard case .row(let operation, let row) = value.change, operation == .edit || operation == .protect
        else {
          return nil
        }
        return row.before.map { customer.json(($0, value.outcome.before)) }
      },
      .optional("section", .object(section.type), "the section after the edit; if deleted, before it") {
        $0.change.section.flatMap { $0.after ?? $0.before }.map(section.json)
      },
      .optional("from_order", .number, "the old number of a moved section") {
        $0.change.op == "section move" ? $0.change.section?.before.map { .int($0.order) } : nil
      },
      .optional(
        "lines", .list(.object(line.type)), "the lines of the log that were added or changed, as they are now"
      ) {
        lines($0.change) { $0.after }
      },
      .optional("deleted_lines", .list(.object(line.type)), "the lines of the log that were deleted") {
        lines($0.change) { $0.after == nil ? $0.before : nil }
      },
      .optional("column", .text, "the extra column") {
        ($0.change.column ?? $0.change.renamedKind).map { .string($0.from ?? $0.to ?? "") }
      },
      .optional("new_name", .text, "its new name") { value in
        (value.change.op == "columns rename" ? value.change.column : value.change.renamedKind)?.to
          .map(JSON.string)
      },
      .optional("value", .text, "the kind of a declared column after the edit, or the value of a setting") {
        value in
        guard case .entry(_, let entry) = value.change, let new = entry.after, new.kind != .person else {
          return nil
        }
        return .string(new.value)
      },
      .optional("old_value", .text, "the same before the edit") { value in
        guard case .entry(_, let entry) = value.change, let old = entry.before, old.kind != .person else {
          return nil
        }
        return .string(old.value)
      },
    ])

  private static func lines(_ change: Change, _ line: (EditOutcome.Line) -> LogLine?) -> JSON? {
    guard case .row(.log, let row) = change, case let lines = row.lines.compactMap(line), !lines.isEmpty
    else {
      return nil
    }
    return .array(lines.map(self.line.json))
  }

  private static let ops = [
    "add", "delete", "move", "edit", "protect", "log", "section add", "section delete", "section move",
    "section rename", "columns rename", "columns drop", "columns restore", "column add", "column edit",
    "column delete",
    "setting add", "setting edit", "setting delete", "person add", "person edit", "person delete",
  ]
}

extension Change {
  fileprivate var id: Int? {
    switch self {
    case .row(_, let row): Int(row.id.rawValue)
    case .section(_, let section): Int(section.id.rawValue)
    case .rows, .column, .entry: nil
    }
  }

  fileprivate var name: String? {
    switch self {
    case .row(_, let row): row.customer.name
    case .section(_, let section): (section.after ?? section.before)?.title
    case .entry(_, let entry): entry.either?.name
    case .rows, .column: nil
    }
  }

  fileprivate var run: EditOutcome.Run? { if case .rows(_, let run) = self { run } else { nil } }

  fileprivate var section: EditOutcome.Section? {
    if case .section(_, let section) = self { section } else { nil }
  }

  fileprivate var column: EditOutcome.Column? {
    if case .column(let column) = self { column } else { nil }
  }

  /// A declared column that has got another name.
  fileprivate var renamedKind: EditOutcome.Column? {
    guard case .entry(_, let entry) = self, let old = entry.before, let new = entry.after,
      new.kind == .column, old.name != new.name
    else { return nil }
    return EditOutcome.Column(from: old.name, to: new.name)
  }

  fileprivate var from: CustomerPlace? {
    switch self {
    case .row(_, let row): row.from
    case .rows(_, let run): run.from
    case .section, .column, .entry: nil
    }
  }

  fileprivate var to: CustomerPlace? {
    switch self {
    case .row(_, let row): row.to
    case .rows(_, let run): run.to
    case .section, .column, .entry: nil
    }
  }

  /// The customer, if more than its place has changed.
  fileprivate var customer: Customer? {
    guard case .row(let operation, let row) = self, operation != .move else { return nil }
    return row.customer
  }

  fileprivate var fields: JSON? {
    switch self {
    case .row(.edit, let row): .array(row.fields.map { .string($0.column) })
    case .section(.edit, let section):
      .array(
        [("title", \CustomerSection.title), ("footer", \.footer)]
          .filter { section.before?[keyPath: $0.1] != section.after?[keyPath: $0.1] }.map { .string($0.0) })
    case .row, .rows, .section, .column, .entry: nil
    }
  }
}
