internal import CustomerStore

/// Where a column of an imported file goes.
enum ColumnTarget: CustomStringConvertible, Equatable {
  case field(Field)
  /// First and last name in one column.
  case name
  case favorite
  /// Kept beside the fields.
  case extra
  case ignored

  static func == (left: ColumnTarget, right: ColumnTarget) -> Bool { left.description == right.description }

  var description: String {
    switch self {
    case .field(let field): field.column
    case .name: "first_name and last_name"
    case .favorite: "is_favorite"
    case .extra: "kept"
    case .ignored: "left out"
    }
  }

  /// Matches the columns of a header to fields: by what `--map` says, else by name and synonym.
  ///
  /// Of two columns that would write over each other one has the field, and the other is kept as it
  /// is: what `--map` says comes first, and a column of first or last names before one of whole names.
  static func match(_ header: [String], map: String?) throws -> [ColumnTarget] {
    let mapped = try parse(map, header)
    var targets = header.map { mapped[$0] ?? named($0) }
    let ranks = zip(header, targets).map { column, target in
      mapped[column] != nil ? 0 : target == .name ? 2 : 1
    }
    var taken: [ColumnTarget] = []
    for index in targets.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
      if taken.contains(where: targets[index].writesOver) { targets[index] = .extra }
      taken.append(targets[index])
    }
    return targets
  }

  /// Whether the values of two columns would go to the same field.
  private func writesOver(_ other: ColumnTarget) -> Bool {
    switch (self, other) {
    case (.extra, _), (.ignored, _): false
    case (.name, .field(let field)), (.field(let field), .name):
      ["first_name", "last_name"].contains(field.column)
    default: self == other
    }
  }

  private static func named(_ column: String) -> ColumnTarget {
    let key = plain(column)
    if let field = Field.all.first(where: { plain($0.column) == key || $0.synonyms.contains(key) }) {
      return .field(field)
    }
    if ["name", "fullname", "contactname", "displayname", "contact"].contains(key) { return .name }
    return ["isfavorite", "favorite", "favourite"].contains(key) ? .favorite : .extra
  }

  /// Small letters and digits only.
  private static func plain(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static func parse(_ map: String?, _ header: [String]) throws -> [String: ColumnTarget] {
    var mapped: [String: ColumnTarget] = [:]
    for pair in map?.split(separator: ",") ?? [] {
      guard let equals = pair.lastIndex(of: "=") else {
        throw Failure.usage("--map takes COLUMN=FIELD, not \(quoted(String(pair)))")
      }
      let column = String(pair[..<equals])
      guard header.contains(column) else {
        let near = nearest(to: column, among: header)
        throw Failure.usage(
          "--map: the file has no column \(quoted(column))", hint: near.map { "close: \(quoted($0))" })
      }
      let target = try target(String(pair[pair.index(after: equals)...]))
      guard mapped[column] == nil else { throw Failure.usage("--map: \(quoted(column)) is given twice") }
      guard !mapped.values.contains(where: target.writesOver) else {
        throw Failure.usage("--map: two columns go to \(target)")
      }
      mapped[column] = target
    }
    return mapped
  }

  private static func target(_ name: String) throws -> ColumnTarget {
    if let field = Field.all.first(where: { $0.column == name }) { return .field(field) }
    switch name {
    case "name": return .name
    case "is_favorite": return .favorite
    case "-": return .ignored
    default:
      let fields = ["name"] + Field.all.map(\.column) + ["is_favorite"]
      let near = nearest(to: name, among: fields).map { "did you mean '\($0)'?" }
      throw Failure.usage(
        "--map: there is no field \(quoted(name))",
        hint: near ?? "the fields are \(fields.joined(separator: ", "))")
    }
  }
}
