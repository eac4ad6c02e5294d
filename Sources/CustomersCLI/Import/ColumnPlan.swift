/// Where the columns of a customer go, and what those that are kept are called.
struct ColumnPlan {
  let columns: [String]
  let targets: [ColumnTarget]
  /// What a column is called when it is kept beside the fields.
  let keptNames: [String]
  /// Whether the columns are those that `customers list` writes.
  let isListed: Bool

  /// Matches columns to fields: by what `--map` says, else by name and synonym.
  ///
  /// Of two columns that would write over each other one has the field, and the other is kept as it
  /// is: what `--map` says comes first, and a column of first or last names before one of whole names.
  init(_ columns: [String], _ map: ColumnMap) {
    isListed = ColumnPlan.listedColumns.allSatisfy(columns.contains)
    let hasNames = columns.contains("first_name") && columns.contains("last_name")
    var targets: [ColumnTarget] = []
    var ranks: [Int] = []
    for column in columns {
      let named = map[column]
      let target =
        named ?? (isListed ? ColumnPlan.listed(column, hasNames) : nil)
        ?? ColumnTarget(column: column)
      targets.append(target)
      ranks.append(named != nil ? 0 : target == .name ? 2 : 1)
    }
    var taken: [ColumnTarget] = []
    for index in targets.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
      if taken.contains(where: targets[index].writesOver) { targets[index] = .extra }
      taken.append(targets[index])
    }
    self.columns = columns
    self.targets = targets
    keptNames = ColumnPlan.keptNames(columns, targets)
  }

  /// What the columns are called when they are kept, each otherwise.
  private static func keptNames(_ columns: [String], _ targets: [ColumnTarget]) -> [String] {
    let asTheyAre = zip(columns, targets).filter { $1 == .extra && ExtraName.unescaped($0) == $0 }.map(\.0)
    let taken = Set(asTheyAre)
    return columns.map { column in
      let name = ExtraName.unescaped(column)
      return taken.contains(name) ? column : name
    }
  }

  /// The columns that together are known to be those of `customers list`.
  static let listedColumns = ["id", "order", "position"]

  /// The columns of `customers list` that an import does not keep: where the customer stood there.
  private static func listed(_ column: String, _ hasNames: Bool) -> ColumnTarget? {
    switch column {
    case "id": .id
    case "order", "position", "section", "section_title": .ignored
    case "name" where hasNames: .ignored
    default: nil
    }
  }

  /// The columns that are kept beside the fields.
  var kept: [String] { zip(columns, targets).filter { $1 == .extra || $1 == .extras }.map(\.0) }
}
