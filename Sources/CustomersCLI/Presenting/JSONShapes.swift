internal import CustomerStore
internal import CustomersFormats
internal import CustomersWording

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
