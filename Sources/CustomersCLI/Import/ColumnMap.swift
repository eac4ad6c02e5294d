internal import CustomerStore

/// What the command line says about the columns of a file: `--map COLUMN=FIELD,…`.
struct ColumnMap {
  private(set) var targets: [(column: String, target: ColumnTarget)] = []

  init(_ text: String?) throws {
    for pair in text?.split(separator: ",") ?? [] {
      guard let equals = pair.lastIndex(of: "=") else {
        throw Failure.usage("--map takes COLUMN=FIELD, not \(quoted(String(pair)))")
      }
      let column = String(pair[..<equals])
      let target = try ColumnTarget(named: String(pair[pair.index(after: equals)...]))
      guard self[column] == nil else { throw Failure.usage("--map: \(quoted(column)) is given twice") }
      guard !targets.contains(where: { $0.target.writesOver(target) }) else {
        throw Failure.usage("--map: two columns go to \(target)")
      }
      targets.append((column, target))
    }
  }

  subscript(column: String) -> ColumnTarget? { targets.first { $0.column == column }?.target }

  /// Expects that the file has all columns that are named.
  func prove(against columns: [String]) throws {
    for (column, _) in targets where !columns.contains(column) {
      let near = nearest(to: column, among: columns)
      throw Failure.usage(
        "--map: the file has no column \(quoted(column))", hint: near.map { "close: \(quoted($0))" })
    }
  }
}
