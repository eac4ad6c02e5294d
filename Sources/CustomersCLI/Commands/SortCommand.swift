internal import CustomerStore

extension Command {
  static let sort = Command(
    name: "sort", summary: "put the rows in alphabetical order, once",
    description: [
      "Sections are sorted separately. The fields are name,",
      CustomerField.texts.map(\.column).joined(separator: ", ") + ",",
      "and the extra columns. Case is ignored, unless nothing else differs; rows without a value come last;",
      "equal rows keep their order. It is one step for undo, and the list does not stay sorted.",
    ],
    options: [
      .required("--by", .fields, isRepeatable: true, "by this field, and by the next where it is alike"),
      .flag("--descending", "the other way round"),
      .value("--section", short: "-s", .section, "only this section, by title or @id"),
    ],
    examples: [
      CommandExample("Sort by last name, then by first name:", "customers sort --by last_name,first_name"),
      CommandExample(
        "Sort one section, from Z to A:", "customers sort --by company --section leads --descending"),
    ],
    seeAlso: ["arrange", "move", "undo"],
    editing: Editing(question: { question($1.rows) }) { invocation in
      let fields = invocation.values("--by").joined(separator: ",")
      let isDescending = invocation.has("--descending")
      let section = invocation.value("--section")
      return { resolver, list in
        .sort(
          try list.sortOrder(by: fields, isDescending: isDescending, option: "--by"),
          in: try section.map { try resolver.outline.section(titled: $0).id })
      }
    })
}

/// Where nothing would change there is nothing to ask.
private func question(_ rows: [EditOutcome.Row]) -> String? {
  rows.isEmpty ? nil : "Sort, so that \(rowCount(rows.count)) get another place?"
}
