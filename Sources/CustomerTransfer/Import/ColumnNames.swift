internal import CustomerStore

/// Gives the extra columns of a file the names that they have in the list: the same name, otherwise the one that
/// is the same but for case, accents, spaces, `-`, and `_`.
final class ColumnNames {
  /// The names in the list before the import, by what does not count as a difference.
  private var listed: [String: [String]] = [:]
  /// The names in the list and in the file so far.
  private var all: [String: [String]] = [:]
  /// The same names, byte by byte.
  private var known: Set<[UInt8]> = []
  /// The names that came with the file beside others that are the same but for what is ignored.
  private var keysOfSimilar: [String] = []
  private var similarKeys: Set<String> = []

  /// Takes the names in the list.
  init(_ names: [String] = []) {
    for name in names { add(name, Name(name).key) }
    (listed, keysOfSimilar, similarKeys) = (all, [], [])
  }

  /// Whether a name is one of the list or was that of a column before.
  func contains(_ name: String) -> Bool { known.contains(Array(name.utf8)) }

  /// The columns that are the same but for what is ignored, one of which is new.
  var similar: [[String]] { keysOfSimilar.compactMap { all[$0] } }

  /// The names in the list of columns that one customer may have; all are different.
  ///
  /// A column keeps its name if another one of the file has the name that it would get.
  ///
  /// - Throws: `ListError.ambiguousColumn` if the list has several that it may be.
  func names(for columns: [String]) throws -> [String] {
    guard !columns.allSatisfy({ known.contains(Array($0.utf8)) }) else { return columns }
    var taken = Set(columns.map { Array($0.utf8) })
    return try columns.map { column in
      guard !known.contains(Array(column.utf8)) else { return column }
      let key = Name(column).key
      let found = key.isEmpty ? [] : listed[key] ?? []
      guard found.count < 2 else { throw ListError.ambiguousColumn(column, among: found) }
      if let name = found.first, taken.insert(Array(name.utf8)).inserted { return name }
      add(column, key)
      return column
    }
  }

  private func add(_ name: String, _ key: String) {
    known.insert(Array(name.utf8))
    guard !key.isEmpty else { return }
    if all[key] != nil, similarKeys.insert(key).inserted { keysOfSimilar.append(key) }
    all[key, default: []].append(name)
  }
}
