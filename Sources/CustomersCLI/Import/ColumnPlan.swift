internal import CustomersTerminalText

/// The targets of the columns of a file, and the names of extra columns.
final class ColumnPlan {
  let columns: [String]
  let targets: [ColumnTarget]
  /// The names of columns that are kept as extra columns.
  let keptNames: [String]
  /// Whether the columns are those of `customers list`.
  let isListed: Bool

  /// Matches columns to fields: by `--map`, otherwise by name and synonym.
  ///
  /// If two columns match the same field, one gets it and the other is kept: `--map` comes first, and a
  /// column of first or last names comes before one of full names.
  ///
  /// - Throws: a `Failure` with code `usage` if `--map` matches several columns, or gives two the same name.
  init(_ columns: [String], _ map: ColumnMap) throws {
    let known = Set(columns)
    isListed = ColumnPlan.listedColumns.allSatisfy(known.contains)
    let hasNames = known.contains("first_name") && known.contains("last_name")
    let named = try map.targets(of: columns)
    var targets: [ColumnTarget] = []
    var ranks: [Int] = []
    for (index, column) in columns.enumerated() {
      let target =
        named[index] ?? (isListed ? ColumnPlan.listed(column, hasNames) : nil)
        ?? ColumnTarget(column: column)
      targets.append(target)
      ranks.append(named[index] != nil ? 0 : target == .name ? 2 : 1)
    }
    // Only fields can conflict, and there are few.
    var taken: [ColumnTarget] = []
    let order = targets.indices.filter { targets[$0].mayBeWrittenOver }
    for index in order.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
      if taken.contains(where: targets[index].writesOver) { targets[index] = .extra }
      if targets[index] != .extra { taken.append(targets[index]) }
    }
    self.columns = columns
    self.targets = targets
    keptNames = try ColumnPlan.keptNames(columns, targets)
  }

  /// The unique names of the kept columns.
  private static func keptNames(_ columns: [String], _ targets: [ColumnTarget]) throws -> [String] {
    let asTheyAre = zip(columns, targets).filter { $1 == .extra && ExtraName.unescaped($0) == $0 }.map(\.0)
    let taken = Set(asTheyAre)
    let names = zip(columns, targets).map { column, target in
      if case .renamed(let name) = target { return name }
      let name = ExtraName.unescaped(column)
      return taken.contains(name) ? column : name
    }
    for (name, target) in zip(names, targets) {
      if case .renamed = target, taken.contains(name) {
        throw Failure.usage("--map: the file already has a column \(quoted(name))")
      }
    }
    return names
  }

  /// The columns that identify a file from `customers list`.
  static let listedColumns = ["id", "order", "position"]

  /// The columns of `customers list` that an import ignores: the places in that list.
  private static func listed(_ column: String, _ hasNames: Bool) -> ColumnTarget? {
    switch column {
    case "id": .id
    case "order", "position", "section", "section_title": .ignored
    case "name" where hasNames: .ignored
    default: nil
    }
  }
}
