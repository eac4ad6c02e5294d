internal import CustomerStore

extension Command {
  static let sort = Command(
    name: "sort", summary: "put the rows in alphabetical order, once",
    description: [
      "Each section is sorted for itself. The fields are name,",
      CustomerField.texts.map(\.column).joined(separator: ", ") + ".",
      "Capital letters are no matter, unless nothing else differs; rows without a value come last; rows",
      "that are alike stay in their order. It is one step for undo, and the list does not stay sorted.",
    ],
    options: [
      .required("--by", .fields, isRepeatable: true, "by this field, and by the next where it is alike"),
      .flag("--descending", "the other way round"),
      .value("--section", .section, "only this section, by title or @id"),
    ],
    examples: [
      CommandExample("Sort by last name, then by first name:", "customers sort --by last_name,first_name"),
      CommandExample(
        "Sort one section, from Z to A:", "customers sort --by company --section leads --descending"),
    ],
    seeAlso: ["arrange", "move", "undo"],
    editing: Editing(question: { question($1.rows) }) { invocation in
      let fields = invocation.values("--by").joined(separator: ",")
      let order = try SortOrder(by: fields, isDescending: invocation.has("--descending"))
      let section = invocation.value("--section")
      return { list in .sort(order, in: try section.map { try list.outline().section(titled: $0).id }) }
    })
}

/// Where nothing would change there is nothing to ask.
private func question(_ rows: [EditOutcome.Row]) -> String? {
  rows.isEmpty ? nil : "Sort, so that \(rowCount(rows.count)) get another place?"
}

extension SortOrder {
  /// Understands names of fields, separated by commas.
  fileprivate init(by names: String, isDescending: Bool) throws {
    var keys: [Key] = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      let key = ColumnName(name)
      let field = CustomerField.texts.first { ColumnName($0.column) == key }
      guard let key = key == ColumnName("name") ? .name : field.map(Key.field) else {
        let known = ["name"] + CustomerField.texts.map(\.column)
        let near = nearest(to: name, among: known).map { "did you mean '\($0)'?" }
        throw Failure.usage(
          "--by: there is no field \(quoted(name))",
          hint: near ?? "the fields are \(known.joined(separator: ", "))")
      }
      guard !keys.contains(key) else { throw Failure.usage("--by: \(quoted(name)) is given twice") }
      keys.append(key)
    }
    self.init(by: keys, isDescending: isDescending)
  }
}
