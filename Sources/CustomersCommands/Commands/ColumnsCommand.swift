internal import CustomerStore
internal import CustomersText

extension Command {
  static let columns = Command(
    name: "columns", summary: "list, rename, or drop extra columns",
    description: [
      "An extra column comes from an imported file or from --set. It is not one of the fields that every",
      "customer has. A column with exactly the given name comes first. Otherwise, case, accents, spaces, -,",
      "and _ make no difference.",
      "",
      "To join two columns, rename one to the exact name of the other. That fails if a customer has both.",
      "drop deletes the values of all customers, after you confirm. Each rename or drop is a single step.",
    ],
    forms: [
      .verb("list", isDefault: true),
      .verb("rename", [.one(.extraColumn), .one(.text("NAME"))]),
      .verb("drop", [.one(.extraColumn)]),
    ],
    examples: [
      CommandExample("List the columns and how many customers have each:", "customers columns"),
      CommandExample(
        "Rename a column:",
        "customers edit 1 --set City=Bonn\ncustomers columns rename City Town"),
      CommandExample(
        "Drop a column for all customers:", "customers edit 1 --set City=Bonn\ncustomers columns drop City"),
    ], seeAlso: ["list", "edit"], rewritesMuch: true,
    editing: ColumnEditing.editing,
    run: { session in
      let words = session.invocation.operands
      guard words.isEmpty || words == ["list"] else { return try ColumnEditing.editing.run(session) }
      try session.listColumns()
      return .done
    })
}

extension Session {
  fileprivate func listColumns() throws {
    let isJSON = try format() == .json
    let columns = try readAtLength { list in try list.extraColumns() }
    guard !isJSON else {
      return try output.write(JSON.array(columns.map(JSONShapes.column.json)).text + "\n")
    }
    for column in columns {
      try output.write("\(printable(column.name)) (\(customerCount(column.count)))\n")
    }
    if columns.isEmpty, !isQuiet { try errors.write("There are no extra columns.\n") }
  }
}

/// The edits of extra columns.
private enum ColumnEditing {
  static let editing = Editing(question: question) { invocation in
    let words = invocation.operands
    switch words.first {
    case "rename":
      let newName = words[2]
      try checkName(newName)
      return edit(words[1]) { column, list in
        // The exact name joins the two columns.
        if let like = try list.extraColumns(like: newName), like.fit != .exact,
          let taken = like.elements.first(where: { $0 != column })
        {
          throw Failure(
            code: .refused, message: "there is already a column \(quoted(taken))",
            hint: "to join the two, write its name exactly", offendingArgument: newName)
        }
        try refuseOverlap(column, newName, in: list)
        return .rename(column, to: newName)
      }
    case "drop": return edit(words[1]) { column, _ in .drop(column) }
    default: throw Failure.usage("columns list is not allowed in a script", offendingArgument: "list")
    }
  }

  /// Refuses to join columns that a customer has both of, and names the customers.
  private static func refuseOverlap(
    _ column: String, _ other: String, in list: borrowing CustomerList
  ) throws {
    let both = column == other ? [] : try list.customers(withColumns: column, other)
    guard !both.isEmpty else { return }
    let outline = try list.outline()
    let details = both.map { customer in
      "     \(outline.position(of: customer.place))  @\(customer.id.rawValue)  \(printable(customer.name))"
    }
    throw Failure(
      code: .refused,
      message: ListError.columnsOverlap(column, other, in: both.map(\.id)).description,
      details: Failure.shown(details),
      hint: "to clear a value: customers edit ROW --set \(quoted(column + "="))")
  }

  @Sendable private static func question(_ preview: Preview) -> String? {
    guard case .column(.drop(let name)) = preview.edit else { return nil }
    return "Drop column \(quoted(name)) and all its values?"
  }

  private static func checkName(_ name: String) throws {
    guard !name.allSatisfy(\.isWhitespace) else {
      throw Failure.usage("a column needs a name", offendingArgument: name)
    }
    guard CustomerField(named: name) == nil else {
      throw Failure.usage("\(quoted(name)) is a field of every customer", offendingArgument: name)
    }
    guard !ListColumn.isNamed(name) else {
      throw Failure.usage(
        "no extra column can be called \(quoted(name)), which every customer has", offendingArgument: name)
    }
  }

  private static func edit(
    _ name: String, _ edit: @escaping @Sendable (String, borrowing CustomerList) throws -> ColumnEdit
  ) -> EditRequest {
    { _, list in .column(try edit(list.extraColumn(named: name), list)) }
  }
}

extension CustomerList {
  /// The exact name of the extra column.
  fileprivate func extraColumn(named name: String) throws -> String {
    // A field has this name perhaps, too, but only the column can be meant.
    if let found = try extraColumns(like: name), found.fit == .exact { return found.elements[0] }
    if case .extra(let column)? = try field(named: name) { return column }
    if let field = CustomerField(named: name) {
      throw Failure.usage(
        "\(field.column) is a field of every customer, not an extra column", offendingArgument: name)
    }
    let near = nearest(to: name, among: try extraColumns().map(\.name), areNames: true)
    throw Failure(
      code: .notFound, message: "there is no column \(quoted(name))",
      hint: near.map(didYouMean) ?? "to list the columns: customers columns",
      offendingArgument: name)
  }
}
