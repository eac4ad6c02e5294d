/// The JSON of edits in the reference, which also says what is read.
extension ListEdit {
  /// The edits, by their names: what is read, and what the reference says.
  package static let types = [
    edit(
      "insert", "Insert customers one after another.",
      [
        .always("customers", .list(.object(newCustomer)), "the customers"), to(isOptional: true),
        section("the section; without it, the last"),
      ]),
    edit("update", "Change fields of customers.", [ids] + FieldChanges.types),
    edit(
      "save",
      "Save a form: the difference between two states of a customer. What others changed since stays.",
      [
        .always("id", .number, "the customer"),
        .always("from", .object(fields), "the fields as they were seen"),
        .always("to", .object(fields), "the fields as they shall be"),
      ]),
    edit(
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
    edit(
      "done",
      "Log that nothing is left to do, clear the next date, and move the rows to the ends of their sections.",
      [ids, .optional("text", .text, "the line; without it, \"\(doneText)\"")]),
    edit("merge", "Merge customers: the first gets what it lacks from the others, which are deleted.", [ids]),
    edit("delete", "Delete customers.", [ids, seen]),
    edit(
      "move", "Move rows to a place, as a block in their order.",
      [
        ids, to(isOptional: true), .optional("by", .number, "instead of `to`: places down, or negative up"),
        section("the section of the place; without it, that of the first row"), seen,
      ]),
    edit("swap", "Swap two rows.", [ids]),
    edit(
      "protect", "Allow or forbid editing or moving rows.",
      [
        ids, .optional("can_edit", .flag, "whether they may be edited and deleted"),
        .optional("can_move", .flag, "whether they may be moved"),
      ]),
    edit(
      "sort", "Sort the rows of a section, or of each section.",
      [
        .always("by", .list(.text), "the fields: name, a field, or extra.NAME"),
        .optional("descending", .flag, "whether the order is descending"), section("the section"),
      ]),
    edit(
      "arrange", "Put exactly the rows of a section in this order.",
      [ids, .always("section", .number, "the section")]),
    edit(
      "add_section", "Add a section.",
      [
        .always("title", .text, "its title"), .optional("footer", .text, "the line below its rows"),
        .optional("to", .number, "its place among the sections, from 1; without it, the last"),
      ]),
    edit(
      "rename_section", "Change the title or the footer of a section.",
      [
        .always("id", .number, "the section"), .optional("title", .text, "its new title"),
        .optional("footer", .text, "its new footer"),
      ]),
    edit(
      "move_section", "Move a section with its rows.",
      [.always("id", .number, "the section"), .always("to", .number, "its new place, from 1")]),
    edit(
      "delete_section", "Delete a section.",
      [
        .always("id", .number, "the section"),
        .optional("with_customers", .flag, "whether its customers are deleted with it"),
      ]),
    edit(
      "rename_column", "Rename an extra column.",
      [.always("name", .text, "its name"), .always("to", .text, "its new name")]),
    edit(
      "join_column", "Put the values of an extra column into a field, unless it has another one.",
      [
        .always("name", .text, "its name"),
        .always("into", .text, "the field, such as \"city\", or \"extra.\" and the name of an extra column"),
      ]),
    edit("drop_column", "Drop an extra column with its values.", [.always("name", .text, "its name")]),
    edit(
      "set_column_kind", "Say what the values of an extra column are.",
      [
        .always("name", .text, "its name"),
        .always("kind", .text, ColumnKind.words),
        .optional("choices", .list(.text), "the values of a choice, in their order"),
        .optional("written", .text, "how the values are written: \(listed(ColumnReading.words))"),
        .optional("keep_text", .flag, "whether values that are not of the kind stay as they are"),
      ]),
    edit(
      "batch", "Make updates all at once: sources are places before all of them, destinations after.",
      [.always("updates", .list(.oneOf(BatchUpdates.types)), "the updates")]),
  ]

  private static func edit(
    _ name: String, _ meaning: String, _ members: [JSONObjectType.Member]
  ) -> JSONObjectType {
    JSONObjectType(name: name, meaning: meaning, members: members)
  }

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
    name: "destination",
    meaning:
      "Where rows go: \"first\", \"last\", a number in the section from 1, or an object with one of these.",
    members: [
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
    name: "fields", meaning: "Fields of a customer.", members: fieldMembers)
  /// A new customer.
  package static let newCustomer = JSONObjectType(
    name: "new_customer", meaning: "A new customer.",
    members: fieldMembers + [
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
    name: "lines", meaning: "Lines of fields that have one value in each line.",
    members: CustomerField.lists.map { .optional($0.column, .list(.text), "the field \"\($0.title)\"") })
}

extension BatchUpdates {
  /// The updates of a batch, by their names.
  static let types = [
    JSONObjectType(name: "delete", meaning: "Delete a row.", members: [row]),
    JSONObjectType(
      name: "insert", meaning: "Insert a customer.",
      members: [.always("customer", .object(ListEdit.fields), "the customer"), target]),
    JSONObjectType(name: "move", meaning: "Move a row.", members: [row, target]),
    JSONObjectType(name: "update", meaning: "Change fields of a row.", members: [row] + FieldChanges.types),
  ]

  private static let row = JSONObjectType.Member.always(
    "row",
    .object(
      JSONObjectType(
        name: "batch_row", meaning: "A row before the batch: an id, or a section and a number in it.",
        members: [
          .optional("id", .number, "the id"), .optional("section", .number, "the section"),
          .optional("order", .number, "the number in the section, from 1"),
        ])), "the row")
  private static let target = JSONObjectType.Member.always(
    "to",
    .object(
      JSONObjectType(
        name: "batch_place", meaning: "A place after the batch.",
        members: [
          .always("section", .number, "the section"),
          .always("order", .any, "the number in the section from 1, \"first\", or \"last\""),
        ])), "its place")
}
