internal import CustomerStore
internal import Formats

extension Command {
  static let columns = Command(
    name: "columns", summary: "list, rename or drop extra columns",
    description: [
      "An extra column is one of an imported file that is no field of every customer, or one that --set has",
      "made. In its name case, blanks, - and _ are ignored. rename and drop are one step for undo each.",
    ],
    forms: [
      .verb("list", isDefault: true),
      .verb("rename", [.one(.extraColumn), .one(.text("NAME"))]),
      .verb("drop", [.one(.extraColumn)]),
    ],
    examples: [
      CommandExample(
        "Add a customer with a column, and call it otherwise:",
        "customers add \"Ann Lee\" --set City=Bonn\ncustomers columns rename City Town")
    ], seeAlso: ["list", "edit"],
    run: { session in
      let words = session.invocation.operands
      switch words.first {
      case "rename": try session.renameColumn(words[1], to: words[2])
      case "drop":
        guard try session.mayDrop(words[1]) else { return try session.declined() }
        try session.dropColumn(words[1])
      default: try session.listColumns()
      }
      return .done
    })
}

extension Session {
  fileprivate func listColumns() throws {
    let isJSON = try format() == .json
    let columns = try read { list in try list.extraColumns() }
    guard !isJSON else {
      let values = columns.map { JSON.object([("name", .string($0.name)), ("count", .int($0.count))]) }
      return try output.write(JSON.array(values).text + "\n")
    }
    for column in columns {
      try output.write("\(printable(column.name)) (\(customerCount(column.count)))\n")
    }
    if columns.isEmpty, !isQuiet { try errors.write("There are no extra columns.\n") }
  }

  fileprivate func renameColumn(_ name: String, to newName: String) throws {
    try report(creating: false) { list in
      let column = try list.extraColumn(named: name)
      guard !newName.allSatisfy(\.isWhitespace), CustomerField(named: newName) == nil else {
        throw Failure.usage(
          newName.allSatisfy(\.isWhitespace)
            ? "a column needs a name" : "\(quoted(newName)) is a field of every customer",
          offendingArgument: newName)
      }
      let count = column == newName ? 0 : try list.renameColumn(column, to: newName)
      return Report(
        lines: ["Renamed column \(quoted(column)) → \(quoted(newName)) (\(customerCount(count)))."],
        json: columnJSON("columns rename", column, newName, count))
    }
  }

  fileprivate func dropColumn(_ name: String) throws {
    try report(creating: false) { list in
      let column = try list.extraColumn(named: name)
      let count = try list.dropColumn(column)
      return Report(
        lines: ["Dropped column \(quoted(column)) (\(customerCount(count)))."],
        json: columnJSON("columns drop", column, nil, count))
    }
  }

  /// Asks, as the values of all customers go.
  fileprivate func mayDrop(_ name: String) throws -> Bool {
    guard !isDryRun, !invocation.has("--yes") else { return true }
    let (column, count) = try read { list in
      let column = try list.extraColumn(named: name)
      return (column, try list.extraColumns().first { $0.name == column }?.count ?? 0)
    }
    return try confirm(
      "Drop column \(quoted(column)), which \(customerCount(count)) \(count == 1 ? "has" : "have")?",
      to: "columns drop")
  }

  private func columnJSON(
    _ action: String, _ name: String, _ newName: String?, _ count: Int
  ) -> [(String, JSON)] {
    [("op", .string(action)), ("column", .string(name))]
      + (newName.map { [("to", .string($0))] } ?? []) + [("count", .int(count))]
  }
}

extension CustomerList {
  /// The name of the extra column that a person means.
  fileprivate func extraColumn(named name: String) throws -> String {
    if case .extra(let column)? = try field(named: name) { return column }
    if let field = CustomerField(named: name) {
      throw Failure.usage(
        "\(field.column) is a field of every customer, not an extra column", offendingArgument: name)
    }
    let near = nearest(to: name, among: try extraColumns().map(\.name), areNames: true)
    throw Failure(
      code: .notFound, message: "there is no column \(quoted(name))",
      hint: near.map { "did you mean \(quoted($0))?" } ?? "customers columns lists them",
      offendingArgument: name)
  }
}

/// `1 customer`, `2 customers`.
func customerCount(_ count: Int) -> String { count == 1 ? "1 customer" : "\(count) customers" }
