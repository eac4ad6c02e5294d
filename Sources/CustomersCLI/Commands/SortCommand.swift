internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let sort = Command(
    name: "sort", summary: "sort the rows once",
    description: [
      "Sorts each section separately, once: the list does not stay sorted. The fields are name,",
      CustomerField.standard.map(\.column).joined(separator: ", ") + ",",
      "and the extra columns. Case only breaks ties, customers without a value come last, and equal rows",
      "keep their order. Rows that are protected against moving stay where they are, and the others go",
      "around them. The sort is a single step.",
    ],
    options: [
      .required(SortOptions.fields), .optional(SortOptions.descending), .optional(SortOptions.section),
    ],
    examples: [
      CommandExample("Sort by last name, then by first name:", "customers sort --by last_name,first_name"),
      CommandExample(
        "Sort one section, from Z to A:", "customers sort --by company --section leads --descending"),
    ],
    seeAlso: ["arrange", "move", "undo"], rewritesMuch: true,
    editing: Editing(question: { question($0.edit, $0.outcome) }) { invocation in
      let fields = invocation[SortOptions.fields].joined(separator: ",")
      let isDescending = invocation[SortOptions.descending]
      let section = invocation[SortOptions.section]
      return { resolver, list in
        .sort(
          try list.sortOrder(by: fields, isDescending: isDescending, option: SortOptions.fields),
          in: try section.map { try resolver.section(titled: $0).id })
      }
    })
}

private enum SortOptions {
  static let fields = Option.values("--by", .fields, "sort by these fields, in order of priority")
  static let descending = Option.flag("--descending", "in descending order")
  static let section = Option.onlySection()
}

/// If nothing would change, there is nothing to ask.
private func question(_ edit: ListEdit, _ outcome: EditOutcome) -> String? {
  guard case .sort(_, let id) = edit, !outcome.rows.isEmpty else { return nil }
  let section = id.flatMap(outcome.before.section)
  let what = section.map { "section \(quoted($0.title))" } ?? "the list"
  return "Sort \(what)? \(rowCount(outcome.rows.count)) will move."
}
