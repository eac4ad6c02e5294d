internal import CustomerStore
internal import TerminalText

/// What the command line says about the columns of a file: `--map COLUMN=FIELD,…`, once or more.
struct ColumnMap {
  private(set) var targets: [(column: String, target: ColumnTarget)] = []

  var isEmpty: Bool { targets.isEmpty }

  init(_ texts: [String]) throws {
    for (column, name) in try texts.flatMap(ColumnMap.pairs) {
      let target = try ColumnTarget(named: name)
      guard !targets.contains(where: { ColumnName($0.column) == ColumnName(column) }) else {
        throw Failure.usage("--map: \(quoted(column)) is given twice")
      }
      guard !targets.contains(where: { $0.target.writesOver(target) }) else {
        throw Failure.usage("--map: two columns go to \(target)")
      }
      targets.append((column, target))
    }
  }

  /// Takes `A=name,B=-` apart; a comma before which no pair is complete belongs to the name of a column.
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
      throw Failure.usage("--map takes COLUMN=FIELD, not \(quoted(waiting))")
    }
    return pairs
  }

  /// The targets of those of the columns that are named, by their place.
  func targets(of columns: [String]) throws -> [Int: ColumnTarget] {
    var found: [Int: ColumnTarget] = [:]
    for (column, target) in targets {
      if let index = try ColumnName.index(of: column, in: columns, for: "--map") { found[index] = target }
    }
    return found
  }

  /// Expects that the file has all columns that are named.
  func prove(against columns: [String]) throws {
    for (column, _) in targets where try ColumnName.index(of: column, in: columns, for: "--map") == nil {
      let near = nearest(to: column, among: columns)
      throw Failure.usage(
        "--map: the file has no column \(quoted(column))", hint: near.map { "close: \(quoted($0))" })
    }
  }
}
