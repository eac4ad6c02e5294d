/// The JSON of edits in the reference, which also says what is read.
extension ListEdit {
  /// The edits, by their names: what is read, and what the reference says.
  package static let types: [JSONObjectType] = [
    .init(
      "insert", "Insert customers one after another.",
      [
        .always("customers", .list(.object(newCustomer)), "the customers"), to(isOptional: true),
        section("the section; without it, the first, or that of the row in `to`"),
      ]),
    .init("update", "Change fields of customers.", [ids] + FieldChanges.types),
    .init(
      "save",
      "Save a form: the difference between two states of a customer. What others changed since stays.",
      [
        .always("id", .number, "the customer"),
        .always("from", .object(fields), "the fields as they were seen"),
        .always("to", .object(fields), "the fields as they shall be"),
      ]),
    .init(
      "log", "Add a line to the log of customers, with the time and the author.",
      [
        ids, .always("text", .text, "what was said or done"),
        .optional(
          "next", .text,
          "the next date, such as 2026-12-24, +1w, or friday; an empty text clears it, and without it, it stays"
        ),
        .optional("today", .text, "the day from which such a date counts; without it, that of the machine"),
        to(isOptional: true), section("the section of the place; without a place, its end"),
      ]),
    .init(
      "done",
      "Log that nothing is left to do, clear the next date, and move the rows to the ends of their sections.",
      [ids, .optional("text", .text, "the line; without it, \"\(doneText)\"")]),
    .init(
      "merge", "Merge customers: the first gets what it lacks from the others, which are deleted.", [ids]),
    .init("delete", "Delete customers.", [ids, seen]),
    .init(
      "move", "Move rows to a place, as a block in their order.",
      [
        ids, to(isOptional: true), .optional("by", .number, "instead of `to`: places down, or negative up"),
        section("the section of the place; without it, that of the first row"), seen,
      ]),
    .init("swap", "Swap two rows.", [ids]),
    .init(
      "protect", "Allow or forbid editing or moving rows.",
      [
        ids, .optional("can_edit", .flag, "whether they may be edited and deleted"),
        .optional("can_move", .flag, "whether they may be moved"),
      ]),
    .init(
      "sort", "Sort the rows of a section, or of each section.",
      [
        .always("by", .list(.text), "the fields: name, a field, or extra.NAME"),
        .optional("descending", .flag, "whether the order is descending"), section("the section"),
      ]),
    .init(
      "arrange", "Put exactly the rows of a section in this order.",
      [ids, .always("section", .number, "the section")]),
    .init(
      "add_section", "Add a section.",
      [
        .always("title", .text, "its title"), .optional("footer", .text, "the line below its rows"),
        .optional("to", .number, "its place among the sections, from 1; without it, the last"),
      ]),
    .init(
      "rename_section", "Change the title or the footer of a section.",
      [
        .always("id", .number, "the section"), .optional("title", .text, "its new title"),
        .optional("footer", .text, "its new footer"),
      ]),
    .init(
      "move_section", "Move a section with its rows.",
      [.always("id", .number, "the section"), .always("to", .number, "its new place, from 1")]),
    .init(
      "delete_section", "Delete a section.",
      [
        .always("id", .number, "the section"),
        .optional("with_customers", .flag, "whether its customers are deleted with it"),
      ]),
    .init(
      "rename_column", "Rename an extra column.",
      [.always("name", .text, "its name"), .always("to", .text, "its new name")]),
    .init(
      "join_column", "Put the values of an extra column into a field, unless it has another one.",
      [
        .always("name", .text, "its name"),
        .always("into", .text, "the field, such as \"city\", or \"extra.\" and the name of an extra column"),
      ]),
    .init("drop_column", "Drop an extra column with its values.", [.always("name", .text, "its name")]),
    .init(
      "set_column_kind", "Say what the values of an extra column are.",
      [
        .always("name", .text, "its name"),
        .always("kind", .text, ColumnKind.words),
        .optional("choices", .list(.text), "the values of a choice, in their order"),
        .optional("written", .text, "how the values are written: \(listed(ColumnReading.words))"),
        .optional("keep_text", .flag, "whether values that are not of the kind stay as they are"),
      ]),
    .init(
      "batch",
      "Make updates all at once: sources are places before all of them, with `seen` those of that version; destinations after.",
      [.always("updates", .list(.oneOf(BatchUpdates.types)), "the updates")]),
  ]

  /// The member that names rows, in place of which the API takes others, too.
  package static let ids = JSONObjectType.Member.always("ids", .list(.number), "the ids of the customers")
  private static let seen = JSONObjectType.Member.optional(
    "seen", .text, "the version in which they were seen; if they were changed since, nothing is done")

  private static func section(_ meaning: String) -> JSONObjectType.Member {
    .optional("section", .number, meaning)
  }

  private static func to(isOptional: Bool) -> JSONObjectType.Member {
    .optional("to", .object(place), "the place after the edit")
  }

  /// A place; what is not an object is named by its meaning.
  package static let place = JSONObjectType(
    "destination",
    "Where rows go: \"first\", \"last\", a number in the section from 1, or an object with one of these.",
    [
      .optional("before", .number, "the id of the customer below"),
      .optional("after", .number, "the id of the customer above"),
    ], words: ["first", "last"], isNumber: true)

  private static let fieldMembers =
    CustomerField.standard.map { field in
      JSONObjectType.Member.optional(
        field.column, field.kind == .flag ? .flag : field.kind == .lines ? .list(.text) : .text,
        "the field \"\(field.title)\"")
    }
    + AddressPart.allCases.map { part in
      .optional(part.rawValue, .text, "the part of the address \"\(CustomerField.part(part).title)\"")
    } + [
      .optional("contacts", .list(.object(CustomerFields.contactType)), "all ways to be reached"),
      .optional("name", .text, "first and last name in one"),
      .optional("next", .text, "the next date, such as 2026-12-24, +1w, or friday; an empty text clears it"),
      .optional("extra", .map, "the extra columns, by name; null or an empty text removes one"),
    ]

  /// Fields of a customer.
  package static let fields = JSONObjectType(
    "fields", "Fields of a customer.", fieldMembers)
  /// A new customer.
  package static let newCustomer = JSONObjectType(
    "new_customer", "A new customer.",
    fieldMembers + [
      .optional("can_edit", .flag, "whether it may be edited and deleted"),
      .optional("can_move", .flag, "whether it may be moved"),
    ])
}

extension FieldChanges {
  fileprivate static let types: [JSONObjectType.Member] = [
    .optional("set", .object(ListEdit.fields), "the values of fields, as they will be"),
    .optional("add", .object(lines), "lines to add"), .optional("remove", .object(lines), "lines to remove"),
  ]

  private static let lines = JSONObjectType(
    "lines", "Lines of fields that have one value in each line.",
    CustomerField.lists.map { .optional($0.column, .list(.text), "the field \"\($0.title)\"") })
}

extension BatchUpdates {
  /// The updates of a batch, by their names.
  static let types = [
    JSONObjectType("delete", "Delete a row.", [row]),
    JSONObjectType(
      "insert", "Insert a customer.",
      [.always("customer", .object(ListEdit.fields), "the customer"), target]),
    JSONObjectType("move", "Move a row.", [row, target]),
    JSONObjectType("update", "Change fields of a row.", [row] + FieldChanges.types),
  ]

  private static let row = JSONObjectType.Member.always(
    "row",
    .object(
      "batch_row", "A row before the batch: an id, or a section and a number in it.",
      [
        .optional("id", .number, "the id"), .optional("section", .number, "the section"),
        .optional("order", .number, "the number in the section, from 1"),
      ]), "the row")
  private static let target = JSONObjectType.Member.always(
    "to",
    .object(
      "batch_place", "A place after the batch.",
      [
        .always("section", .number, "the section"),
        .always("order", .any, "the number in the section from 1, \"first\", or \"last\""),
      ]), "its place")
}
