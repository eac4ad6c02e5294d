internal import CustomerStore
internal import CustomersText

/// The members of an object in the output of `--json`: the source of the objects, of the page that describes
/// them, and of the test that compares the two.
struct JSONShape<Value>: Sendable {
  /// A member of the object and how to get its value.
  struct Member: Sendable {
    let type: JSONObjectType.Member
    /// nil if it is omitted.
    let value: @Sendable (Value) -> JSON?
  }

  let type: JSONObjectType
  private let members: [Member]

  init(_ name: String, _ meaning: String, _ members: [Member]) {
    self.members = members
    type = JSONObjectType(name: name, meaning: meaning, members: members.map(\.type))
  }

  /// The object of a value.
  func json(_ value: Value) -> JSON { .object(pairs(value)) }

  /// Its members.
  func pairs(_ value: Value) -> [(String, JSON)] {
    members.compactMap { member in member.value(value).map { (member.type.name, $0) } }
  }
}

extension JSONShape.Member {
  /// A member that every object has.
  static func always(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: false, meaning: meaning), value: { value($0) })
  }

  /// A member that is omitted if it does not apply.
  static func optional(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON?
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: true, meaning: meaning), value: value)
  }
}

indirect enum JSONType: Sendable {
  case text, number, flag
  /// Any value, such as what an import kept.
  case any
  case list(JSONType)
  case object(JSONObjectType)

  /// Its name in the reference.
  var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .flag: "true or false"
    case .any: "any value"
    case .list(let type): "[\(type.name)]"
    case .object(let type): type.name
    }
  }
}

/// The description of an object in the reference.
struct JSONObjectType: Sendable {
  struct Member: Sendable {
    let name: String
    let type: JSONType
    let isOptional: Bool
    let meaning: String

    static func always(_ name: String, _ type: JSONType, _ meaning: String) -> Member {
      Member(name: name, type: type, isOptional: false, meaning: meaning)
    }

    static func optional(_ name: String, _ type: JSONType, _ meaning: String) -> Member {
      Member(name: name, type: type, isOptional: true, meaning: meaning)
    }
  }

  let name: String
  let meaning: String
  let members: [Member]
}

/// The objects that several commands print.
enum JSONShapes {
  static let place = JSONShape<(place: CustomerPlace, outline: ListOutline)>(
    "place", "Where a row is, before or after an edit.",
    [
      .always("section", .number, "the id of its section") { .int(Int($0.place.section.rawValue)) },
      .always("order", .number, "its number in the section, from 1") { .int($0.place.order) },
      .always("position", .number, "its number in the whole list, from 1") {
        .int($0.outline.position(of: $0.place))
      },
    ])

  static let section = JSONShape<CustomerSection>(
    "section", "A section.",
    [
      .always("id", .number, "its permanent id") { .int(Int($0.id.rawValue)) },
      .always("title", .text, "the line above the rows") { .string($0.title) },
      .always("footer", .text, "the line below the rows") { .string($0.footer) },
      .always("order", .number, "its number among the sections, from 1") { .int($0.order) },
      .always("count", .number, "how many rows it has") { .int($0.count) },
    ])

  static let column = JSONShape<ExtraColumn>(
    "column", "An extra column of the list.",
    [
      .always("name", .text, "the name") { .string($0.name) },
      .always("count", .number, "how many customers have it") { .int($0.count) },
    ])

  static let customer = JSONShape<(customer: Customer, outline: ListOutline)>(
    "customer", "A customer with all fields and its place.",
    ListColumn.all.map { column in
      .always(column.name, type(of: column), meaning(of: column)) { column.value($0.customer, $0.outline) }
    })

  static let step = JSONShape<(step: HistoryStep, outcome: EditOutcome)>(
    "step", "A step of the history: what one command, or one statement of another program, did.",
    [
      .always("step", .number, "its number") { .int(Int($0.step.id)) },
      .always("time", .text, "when, in UTC") { .string($0.step.time) },
      .always("program", .text, "the program; empty if unknown") { .string($0.step.program) },
      .always("user", .text, "the login name ($LOGNAME or $USER) of who ran it, or the user id") {
        .string($0.step.user)
      },
      .always("host", .text, "the machine on which it ran") { .string($0.step.host) },
      .always("action", .text, "the command") { .string($0.step.action) },
      .always("kind", .text, "edit, undo, or redo") { .string($0.step.kind.rawValue) },
      .always("state", .text, "done, undone, or dropped: undone and can't be redone") {
        .string($0.step.state.rawValue)
      },
      .always("edit_count", .number, "how many edits it has") { .int($0.step.editCount) },
      .always("changes", .list(.object(change.type)), "what it changed") { changes($0.outcome) },
      .optional("omitted", .number, "how many further changes are not listed") { omitted($0.outcome) },
    ])

  static func changes(_ outcome: EditOutcome) -> JSON {
    .array(outcome.changes.map { change.json(($0, outcome)) })
  }

  static func omitted(_ outcome: EditOutcome) -> JSON? {
    outcome.omitted > 0 ? .int(outcome.omitted) : nil
  }

  private static func type(of column: ListColumn) -> JSONType {
    switch column.name {
    case "id", "section", "order", "position": .number
    case "can_edit", "can_move": .flag
    case "extra": .any
    default: CustomerField(column: column.name)?.kind == .flag ? .flag : .text
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
  static let change = JSONShape<(change: Change, outcome: EditOutcome)>(
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
      .optional("column", .text, "the extra column") {
        $0.change.column.map { .string($0.from ?? $0.to ?? "") }
      },
      .optional("new_name", .text, "its new name") { value in
        value.change.op == "columns rename" ? value.change.column?.to.map(JSON.string) : nil
      },
    ])

  private static let ops = [
    "add", "delete", "move", "edit", "protect", "section add", "section delete", "section move",
    "section rename", "columns rename", "columns drop", "columns restore",
  ]
}

extension Change {
  fileprivate var id: Int? {
    switch self {
    case .row(_, let row): Int(row.id.rawValue)
    case .section(_, let section): Int(section.id.rawValue)
    case .rows, .column: nil
    }
  }

  fileprivate var name: String? {
    switch self {
    case .row(_, let row): row.customer.name
    case .section(_, let section): (section.after ?? section.before)?.title
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

  fileprivate var from: CustomerPlace? {
    switch self {
    case .row(_, let row): row.from
    case .rows(_, let run): run.from
    case .section, .column: nil
    }
  }

  fileprivate var to: CustomerPlace? {
    switch self {
    case .row(_, let row): row.to
    case .rows(_, let run): run.to
    case .section, .column: nil
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
    case .row, .rows, .section, .column: nil
    }
  }
}

/// What `customers help --json` says of the commands, for programs that make pages or menus of them.
extension JSONShapes {
  static let command = JSONShape<Command>(
    "command", "A command, as help describes it.",
    [
      .always("name", .text, "the name") { .string($0.name) },
      .always("aliases", .list(.text), "other names") { .array($0.aliases.map(JSON.string)) },
      .always("summary", .text, "what it does, in one line") { .string($0.summary) },
      .always("description", .list(.text), "more, in paragraphs") {
        .array($0.paragraphs().map(JSON.string))
      },
      .always("usage", .list(.text), "its forms, without `customers`") { command in
        .array(command.forms.map { .string($0.usage.isEmpty ? command.name : "\(command.name) \($0.usage)") })
      },
      .always("options", .list(.object(helpOption.type)), "its options, besides those of every command") {
        .array($0.options.map(helpOption.json))
      },
      .always("common_options", .list(.text), "those of every command that make a difference to it") {
        .array($0.common.map { .string($0.name) })
      },
      .always("examples", .list(.object(helpExample.type)), "command lines that work") {
        .array($0.examples().map(helpExample.json))
      },
      .always("see_also", .list(.text), "related commands and topics") {
        .array($0.seeAlso().map(JSON.string))
      },
      .always("parts", .list(.object(page.type)), "its further pages") {
        .array($0.topics().map(page.json))
      },
    ])

  static let page = JSONShape<Page>(
    "page", "A page of help.",
    [
      .always("name", .text, "the words after `customers help`") { .string($0.name) },
      .always("summary", .text, "what it is about, in one line") { .string($0.summary) },
      .always("text", .text, "the page, in lines of up to 80 columns") { .string($0.text()) },
    ])

  static let helpOption = JSONShape<any DeclaredOption>(
    "option", "An option of a command.",
    [
      .always("name", .text, "the name, such as --to") { .string($0.name) },
      .optional("short", .text, "the one-letter form") { $0.short.map(JSON.string) },
      .optional("value", .text, "what its value is called in help") { $0.value.map { .string($0.label) } },
      .always("summary", .text, "what it does, in one line") { .string($0.summary) },
    ])

  static let helpExample = JSONShape<CommandExample>(
    "example", "A command line and its purpose.",
    [
      .always("purpose", .text, "what it is for") { .string($0.purpose) },
      .always("line", .text, "the line for a shell or several lines") { .string($0.line) },
    ])
}
