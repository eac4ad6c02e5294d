internal import CustomerStore
internal import CustomersTerminalText

/// The column mapping of the command line: `--map COLUMN=FIELD,…`, repeatable.
struct ColumnMap {
  private(set) var targets: [(column: String, target: ColumnTarget)] = []

  var isEmpty: Bool { targets.isEmpty }

  init(_ texts: [String]) throws {
    for (column, name) in try texts.flatMap(ColumnMap.pairs) {
      let target = try ColumnTarget(named: name)
      guard !targets.contains(where: { $0.column == column }) else { throw ColumnMap.repeated(column) }
      guard !targets.contains(where: { $0.target.writesOver(target) }) else {
        throw Failure.usage("--map: two columns are imported as \(target)")
      }
      targets.append((column, target))
    }
  }

  /// Parses `A=name,B=-`; a comma that does not end a pair belongs to the name of a column.
  private static func pairs(_ text: String) throws -> [(column: String, target: String)] {
    var pairs: [(String, String)] = []
    var waiting = ""
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      waiting += waiting.isEmpty ? piece : "," + piece
      guard let equals = waiting.lastIndex(of: "=") else { continue }
      pairs.append((String(waiting[..<equals]), String(waiting[waiting.index(after: equals)...])))
      waiting = ""
    }
    guard waiting.isEmpty, !pairs.isEmpty else {
      throw Failure.usage("--map needs COLUMN=FIELD, not \(quoted(waiting))")
    }
    return pairs
  }

  /// The targets of the mapped columns, by index.
  func targets(of columns: [String]) throws -> [Int: ColumnTarget] {
    var found: [Int: ColumnTarget] = [:]
    for (column, target) in targets {
      guard let index = try columns.index(named: column, for: "--map") else { continue }
      guard found.updateValue(target, forKey: index) == nil else { throw ColumnMap.repeated(column) }
    }
    return found
  }

  private static func repeated(_ column: String) -> Failure {
    .usage("--map: \(quoted(column)) was given twice")
  }

  /// Checks that the file has all mapped columns.
  func prove(against columns: [String]) throws {
    for (column, _) in targets where try columns.index(named: column, for: "--map") == nil {
      let near = nearest(to: column, among: columns)
      throw Failure.usage(
        "--map: the file has no column \(quoted(column))", hint: near.map { "close: \(quoted($0))" })
    }
  }
}
