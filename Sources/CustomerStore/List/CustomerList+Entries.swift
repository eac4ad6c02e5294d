internal import CustomersSQLite

extension CustomerList {
  /// The declared columns: the fields that every customer has, and those extra columns that are of a kind.
  ///
  /// - Returns: the columns in the order in which they are shown.
  /// - Throws: `StoreError`.
  /// - Complexity: O(declared columns).
  package func declaredColumns() throws -> [DeclaredColumn] { try entries(.column).map(DeclaredColumn.init) }

  /// The extra columns that are declared, in the order in which they are shown.
  package func declaredExtraColumns() throws -> [DeclaredColumn] {
    try declaredColumns().filter { !$0.isField }
  }

  /// Declares an extra column, without changing any value.
  ///
  /// - Parameters:
  ///   - name: the name; no customer needs to have the column.
  ///   - kind: what its values are.
  ///   - choices: the values that a choice may have, in their order; none has a line break.
  ///   - place: where it is shown: after the columns with smaller numbers; the last one if it is nil.
  /// - Returns: the column.
  /// - Throws: `ListError.nameInUse` if it is declared, `unnamed`.
  @discardableResult
  package mutating func declareColumn(
    _ name: String, kind: ColumnKind = .text, choices: [String] = [], place: Int? = nil
  ) throws -> DeclaredColumn {
    try edit(
      "INSERT INTO columns (name, kind, place, choices) VALUES (?, ?, ?, ?)",
      [.text(name), .text(kind.rawValue), place.map(SQLiteValue.integer) ?? .null, .lines(choices)]
    ) { $0.reason(ofName: name) }
    return DeclaredColumn(try lastEntry())
  }

  /// Gives a declared column another name, kind, place, and other choices, without changing any value of a customer.
  ///
  /// - Throws: `ListError.noSuchColumn`; `nameInUse`, `unnamed`; `fieldFixed` if a field would get another name or kind.
  package mutating func changeColumn(_ column: DeclaredColumn) throws {
    guard try entry(column.id.rawValue, .column) != nil else { throw ListError.noSuchColumn(column.name) }
    try edit(
      "UPDATE columns SET name = ?, kind = ?, place = ?, choices = ? WHERE uid = ?",
      [
        .text(column.name), .text(column.kind.rawValue), .integer(column.place), .lines(column.choices),
        .integer(column.id.rawValue),
      ]
    ) { $0.reason(ofName: column.name) }
  }

  /// Makes a declared column one of text, without changing any value.
  ///
  /// - Throws: `ListError.noSuchColumn`; `fieldFixed` for a field.
  package mutating func undeclareColumn(_ id: DeclaredColumnID) throws {
    guard let column = try entry(id.rawValue, .column) else {
      throw ListError.noSuchColumn("@\(id.rawValue)")
    }
    try edit("DELETE FROM columns WHERE uid = ?", [.integer(id.rawValue)]) { $0.reason(ofName: column.name) }
  }

  /// Lets the declaration of an extra column follow its new name, or go with it.
  ///
  /// If the new name is declared already, its declaration counts.
  ///
  /// - Returns: whether the column is declared.
  mutating func followColumn(_ name: String, to newName: String?) throws -> Bool {
    let declared = try declaredExtraColumns()
    guard var column = declared.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return false }
    if let newName, !declared.contains(where: { $0.name.utf8.elementsEqual(newName.utf8) }) {
      column.name = newName
      try changeColumn(column)
    } else {
      try undeclareColumn(column.id)
    }
    return true
  }

  /// The settings of the list, which are in each of its copies, by name.
  ///
  /// - Throws: `StoreError`.
  package func settings() throws -> [String: String] {
    Dictionary(try entries(.setting).map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// Changes a setting of the list.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the value; nil removes the setting.
  /// - Throws: `ListError.unnamed`.
  package mutating func set(_ name: String, to value: String?) throws {
    guard let value else {
      return try edit("DELETE FROM settings WHERE name = ?", [.text(name)]) { $0.reason(ofName: name) }
    }
    let isKnown = try entries(.setting).contains { $0.name == name }
    try edit(
      isKnown ? "UPDATE settings SET value = ?2 WHERE name = ?1" : "INSERT INTO settings VALUES (?1, ?2)",
      [.text(name), .text(value)]
    ) { $0.reason(ofName: name) }
  }

  /// The persons who use the list, by name.
  ///
  /// - Throws: `StoreError`.
  package func persons() throws -> [Person] {
    try entries(.person).map { Person(id: PersonID(rawValue: $0.id), name: $0.name) }.sorted {
      $0.name < $1.name
    }
  }

  /// Adds a person.
  ///
  /// - Throws: `ListError.nameInUse`, `unnamed`.
  @discardableResult
  package mutating func addPerson(named name: String) throws -> Person {
    try edit("INSERT INTO persons (name) VALUES (?)", [.text(name)]) { $0.reason(ofName: name) }
    return Person(id: PersonID(rawValue: try lastEntry().id), name: name)
  }

  /// Removes a person; what this person did keeps the name.
  ///
  /// - Throws: `ListError.noSuchPerson`.
  package mutating func removePerson(_ id: PersonID) throws {
    guard try entry(id.rawValue, .person) != nil else { throw ListError.noSuchPerson }
    try edit("DELETE FROM persons WHERE uid = ?", [.integer(id.rawValue)]) { _ in nil }
  }
}

extension CustomerList {
  /// The entries of a kind, in the order of their places.
  private func entries(_ kind: ListEntry.Kind) throws -> [ListEntry] {
    try connection.fetchAll(
      "SELECT \(ListEntry.columns) FROM present_entry WHERE type = ? ORDER BY place, uid DESC",
      [.text(kind.rawValue)]
    ) { ListEntry($0) }.compactMap(\.self)
  }

  private func entry(_ id: Int64, _ kind: ListEntry.Kind) throws -> ListEntry? {
    let sql = "SELECT \(ListEntry.columns) FROM present_entry WHERE uid = ? AND type = ?"
    return try connection.fetchOne(sql, [.integer(id), .text(kind.rawValue)]) { ListEntry($0) } ?? nil
  }

  /// The entry that this transaction added last.
  private func lastEntry() throws -> ListEntry {
    let sql = """
      SELECT \(ListEntry.columns) FROM entry_record WHERE uid = (SELECT row FROM edit_record ORDER BY id DESC LIMIT 1)
      """
    guard let found = try connection.fetchOne(sql, [], { ListEntry($0) }), let entry = found else {
      throw ListError.damaged
    }
    return entry
  }

  /// All entries that the list has. O(entries)
  func presentEntries() throws -> [ListEntry] {
    try connection.fetchAll("SELECT \(ListEntry.columns) FROM present_entry") { ListEntry($0) }.compactMap(
      \.self)
  }

  /// Entries as they are, or as they were when they were deleted.
  func entries(_ ids: [Int64]) throws -> [Int64: (entry: ListEntry, isThere: Bool)] {
    let sql = "SELECT \(ListEntry.columns), deleted_by IS NULL FROM entry_record WHERE uid = ?"
    return try ids.reduce(into: [:]) { entries, id in
      let found = try connection.fetchOne(sql, [.integer(id)]) { row in
        ListEntry(row).map { ($0, row.bool(6)) }
      }
      entries[id] = found ?? nil
    }
  }
}

extension ListEntry {
  static let columns = "uid, type, name, value, place, choices"

  /// Decodes `columns`; nil for an entry of a kind that this version does not know.
  fileprivate init?(_ row: borrowing Statement) {
    guard let kind = Kind(rawValue: row.text(1)) else { return nil }
    self.init(
      id: row.integer(0), kind: kind, name: row.text(2), value: row.text(3), place: row.int(4),
      choices: row.text(5))
  }
}

extension SQLiteValue {
  fileprivate static func lines(_ lines: [String]) -> SQLiteValue { .text(lines.joined(separator: "\n")) }
}

extension Refusal {
  /// The error for an entry of this name.
  fileprivate func reason(ofName name: String) -> ListError? {
    switch self {
    case .name: name.isEmpty ? .unnamed : .nameInUse(name)
    case .field: .fieldFixed(name)
    default: nil
    }
  }
}
