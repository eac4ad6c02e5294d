internal import CustomersSQLite
internal import CustomersText

/// An extra column and how many customers have a value in it.
package struct ExtraColumn: Hashable, Sendable {
  /// The name, as in the file.
  package var name: String
  /// The number of customers that have it.
  package var count: Int
}

extension CustomerList {
  /// The extra columns of the list, in the order in which they first appeared.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if rows are missing.
  /// - Complexity: O(customers).
  package func extraColumns() throws -> [ExtraColumn] {
    try requireRows()
    return try extraColumns(in: nil, withNulls: false)
  }

  /// The extra columns that customers have, and those that are declared, with what is said of them.
  package func columnsWithKinds() throws -> [(name: String, count: Int, declared: DeclaredColumn?)] {
    var declared = try declaredExtraColumns()
    let used = try extraColumns().map { column -> (String, Int, DeclaredColumn?) in
      let index = declared.firstIndex { $0.name.utf8.elementsEqual(column.name.utf8) }
      return (column.name, column.count, index.map { declared.remove(at: $0) })
    }
    return used + declared.map { ($0.name, 0, $0) }
  }

  /// The extra columns of a section or of the whole list; `withNulls` includes columns without a value, which
  /// an export must keep.
  ///
  /// - Complexity: O(customers); memory only for the columns.
  package func extraColumns(in section: SectionID?, withNulls: Bool) throws -> [ExtraColumn] {
    var columns: [ExtraColumn] = []
    var known: [[UInt8]: Int] = [:]
    try forEachExtraName(in: section, withNulls: withNulls) { name in
      // Byte by byte: in JSON, two encodings of the same letter are two names.
      let index = known[Array(name.utf8), default: columns.count]
      if index == columns.count {
        known[Array(name.utf8)] = index
        columns.append(ExtraColumn(name: name, count: 0))
      }
      columns[index].count += 1
      return true
    }
    return columns
  }

  /// The field with this name: one that every customer has, or an extra column of the list; nil if there is
  /// none.
  ///
  /// The exact name comes first; otherwise case, accents, spaces, `-`, and `_` are ignored. Names that other programs and
  /// languages have for it come last, and so do the parts of the address, such as `City`.
  ///
  /// - Throws: `ListError.ambiguousColumn` if no name is exactly so and several are the same but for what is
  ///   ignored.
  /// - Complexity: O(1) for the exact name of a standard field; otherwise O(customers).
  package func field(named name: String) throws -> CustomerField? { try column(named: name) { $0 } }

  /// What a name means: a word of `own`, a field that every customer has, or an extra column; nil for nothing.
  ///
  /// - Throws: `ListError.ambiguousColumn`.
  package func column<Column>(
    named text: String, or own: [(name: String, column: Column)] = [], _ column: (CustomerField) -> Column
  ) throws -> Column? {
    let known =
      own.map { (names: [$0.name], column: $0.column) }
      + CustomerField.standard.map { (names: [$0.column, $0.title], column: column($0)) }
    let best = Name(text).best(of: known) { $0.names }
    if let best, best.fit == .exact { return best.elements[0].column }
    let isNext = Name(text).key == Name(CustomerField.next.column).key
    if isNext, try !hasExtraColumn(about: CustomerField.next.column) { return column(.next) }
    let extra = try extraColumns(like: text)
    if let extra, extra.fit == .exact { return column(.extra(extra.elements[0])) }
    let found =
      (best?.elements.map { (name: $0.names[0], column: $0.column) } ?? [])
      + (extra?.elements.map { (name: $0, column: column(.extra($0))) } ?? [])
    guard found.count < 2 else { throw ListError.ambiguousColumn(text, among: found.map(\.name)) }
    if let first = found.first { return first.column }
    // An older list may have an extra column of this name.
    if Name(text).best(of: [CustomerField.next], by: { [$0.column, $0.title] }) != nil {
      return column(.next)
    }
    // What other programs and languages call a field; a column of its own must be there already.
    guard let field = KnownNames.field(text) else { return nil }
    guard case .extra(let name) = field else { return column(field) }
    let own = try extraColumns(like: name)?.elements.first ?? namesOfKnownColumns()[name]
    return own.map { column(.extra($0)) }
  }

  /// Refuses new extra columns with names that mean what every customer has; an older list may have them.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - isTaken: whether a name is refused.
  /// - Throws: `ListError.nameInUse`.
  func refuseTaken(
    _ names: [String], where isTaken: (String) -> Bool = CustomerField.isTaken
  ) throws {
    for name in Set(names) where isTaken(name) {
      guard try extraColumns(like: name)?.fit == .exact else { throw ListError.nameInUse(name) }
    }
  }

  /// Whether an extra column may have a word in its name; faster than to look at the names.
  private func hasExtraColumn(about word: String) throws -> Bool {
    if try declaredExtraColumns().contains(where: { searchFolded($0.name).contains(word) }) { return true }
    let may = RowCondition.mayHave(word, in: ["extra"])
    let sql =
      "SELECT 1 FROM customer_record WHERE deleted_by IS NULL AND extra <> '{}' AND \(may.sql) LIMIT 1"
    return try connection.fetchOne(sql, may.values) { $0.int(0) } != nil
  }

  /// The extra columns that a name means and how well it fits, of which some may have no value yet; nil if there is none.
  package func extraColumns(like text: String) throws -> (fit: Name.Fit, elements: [String])? {
    let declared = try declaredExtraColumns().map(\.name)
    if let exact = declared.first(where: { $0.utf8.elementsEqual(text.utf8) }) { return (.exact, [exact]) }
    var names: [String] = []
    var known: Set<[UInt8]> = []
    try forEachExtraName { name in
      if known.insert(Array(name.utf8)).inserted { names.append(name) }
      // No other name fits better than the exact one.
      return !name.utf8.elementsEqual(text.utf8)
    }
    return Name(text).best(of: names) { [$0] } ?? Name(text).best(of: declared) { [$0] }
  }

  /// The field or extra column with the most similar name, or one of other names; nil if none is similar.
  package func fieldName(near name: String, or others: [String] = []) throws -> String? {
    let names =
      ["name", CustomerField.next.column] + CustomerField.standard.map(\.column)
      + (try extraColumns().map(\.name)) + others
    let keys = names.map { Name($0).key }
    return nearest(to: Name(name).key, among: keys, areNames: true).flatMap(keys.firstIndex).map { names[$0] }
  }

  /// Passes the names in `extra` to `body`, customer by customer, until it returns false.
  private func forEachExtraName(
    in section: SectionID? = nil, withNulls: Bool = false, _ body: (String) throws -> Bool
  ) throws {
    // Places are only looked up to find the rows of a section.
    let from =
      section == nil ? "customer_record WHERE deleted_by IS NULL" : "customers WHERE section = ?"
    let sql = """
      SELECT key FROM (SELECT \(CustomerColumns.extra) AS extra FROM \(from) AND extra <> '{}') AS c
      JOIN json_each(c.extra) AS member \(withNulls ? "" : "WHERE member.type <> 'null'")
      """
    try connection.query(sql, section.map { [.id($0)] } ?? []) { row in
      while try row.step() { guard try body(row.text(0)) else { return } }
    }
  }

  /// Renames an extra column of all customers.
  ///
  /// It is one edit in the history, however many customers have the column; none if the name is the same. If
  /// there is a column of the new name, the two are joined, unless a customer has both.
  ///
  /// - Returns: the number of customers that had the column.
  /// - Throws: `ListError.noSuchColumn`; `columnsOverlap` if a customer has both.
  /// - Complexity: O(customers).
  @discardableResult
  package mutating func renameColumn(_ name: String, to newName: String) throws -> Int {
    let count = try count(ofColumn: newName)
    guard !name.utf8.elementsEqual(newName.utf8) else {
      guard try count > 0 || declaredExtraColumns().contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
      else { throw ListError.noSuchColumn(name) }
      return count
    }
    let both = count == 0 ? [] : try customers(withColumns: name, newName).map(\.id)
    guard both.isEmpty else { throw ListError.columnsOverlap(name, newName, in: both) }
    return try rewriteColumn(name, to: newName)
  }

  /// The customers that have both of two extra columns, in list order.
  package func customers(withColumns name: String, _ other: String) throws -> [Customer] {
    var found: [Customer] = []
    try forEach { customer in
      let names = JSONObject(customer.fields.extra)?.contents.compactMap(\.name) ?? []
      func has(_ name: String) -> Bool { names.contains { $0.utf8.elementsEqual(name.utf8) } }
      if has(name), has(other) { found.append(customer) }
      return true
    }
    return found
  }

  /// Drops an extra column, with all its values.
  ///
  /// It is one edit in the history; undo restores the values.
  ///
  /// - Returns: the number of customers that had it.
  /// - Throws: `ListError.noSuchColumn`.
  /// - Complexity: O(customers).
  @discardableResult
  package mutating func dropColumn(_ name: String) throws -> Int { try rewriteColumn(name, to: nil) }

  /// The number of customers that have an extra column.
  func count(ofColumn name: String) throws -> Int {
    let sql = "SELECT count(*) FROM customer_record AS c WHERE deleted_by IS NULL AND \(Self.hasColumn)"
    return try connection.fetchOne(sql, [.text(name)]) { $0.int(0) } ?? 0
  }

  /// Who has an extra column and which value.
  func content(ofColumn name: String) throws -> ColumnContent {
    let sql = """
      SELECT c.id, (SELECT group_concat(type || ifnull(value, ''), char(10)) FROM json_each(c.extra) WHERE key = ?1)
      FROM customer_record AS c
      WHERE deleted_by IS NULL AND \(Self.hasColumn) ORDER BY c.id
      """
    var hasher = Hasher()
    let count = try connection.fetchAll(sql, [.text(name)]) { row in
      hasher.combine(row.integer(0))
      hasher.combine(row.text(1))
    }.count
    return ColumnContent(count: count, hash: hasher.finalize())
  }

  /// Renames an extra column of some customers, none of whom has one of the new name; as one edit, without its declaration.
  ///
  /// - Complexity: O(customers).
  func renameColumn(_ name: String, to newName: String, of customers: [CustomerID]) throws {
    let sql = "SELECT extra FROM customer_record WHERE id = ? AND json_valid(extra)"
    var rest = customers.makeIterator()
    let count = try stage {
      while let id = rest.next() {
        let extra = try connection.fetchOne(sql, [.id(id)]) {
          JSONObject($0.text(0))?.replacing(name, with: newName)
        }
        if let extra = extra ?? nil { return (id.rawValue, extra) }
      }
      return nil
    }
    guard count > 0 else { return }
    try connection.execute("INSERT INTO logged_column VALUES (?, ?)", [.text(name), .text(newName)])
  }

  /// Stages the extra columns of customers, until there are no more; returns how many.
  private func stage(_ next: () throws -> (id: Int64, extra: String)?) throws -> Int {
    try connection.executeMany("INSERT INTO staged_extra VALUES (?, ?)") { statement in
      guard let (id, extra) = try next() else { return false }
      try statement.bind(id, at: 1)
      try statement.bind(extra, at: 2)
      return true
    }
  }

  private mutating func rewriteColumn(_ name: String, to newName: String?) throws -> Int {
    try atomically { list in
      var count = 0
      var last: Int64 = 0
      while let page = try list.rowsWithColumns(after: last) {
        last = page.last
        var rewritten = page.rows.lazy.compactMap { id, extra in
          JSONObject(extra)?.replacing(name, with: newName).map { (id, $0) }
        }.makeIterator()
        count += try list.stage { rewritten.next() }
      }
      if count > 0 {
        try list.edit(
          "INSERT INTO logged_column VALUES (?, ?)", [.text(name), newName.map(SQLiteValue.text) ?? .null]
        ) { _ in nil }
      }
      guard try list.followColumn(name, to: newName) || count > 0 else { throw ListError.noSuchColumn(name) }
      return count
    }
  }

  /// The next rows with extra columns, up to about a megabyte; nil if there are none.
  ///
  /// A string that can't be read is left out: it stays as it is until the customer is edited.
  private func rowsWithColumns(after last: Int64) throws -> (rows: [(id: Int64, extra: String)], last: Int64)?
  {
    var page: (rows: [(id: Int64, extra: String)], last: Int64) = ([], last)
    var size = 0
    try connection.query(
      """
      SELECT id, extra FROM customer_record
      WHERE id > ? AND deleted_by IS NULL AND extra <> '{}' AND json_valid(extra)
      ORDER BY id LIMIT 1000
      """, [.integer(last)]
    ) { row in
      while size < 1_000_000, try row.step() {
        page.last = row.integer(0)
        guard row.isText(1) else { continue }
        page.rows.append((page.last, row.text(1)))
        size += row.text(1).utf8.count
      }
    }
    guard page.last >= last else { throw SQLiteError.idsOutOfOrder }
    return page.last == last ? nil : page
  }

  /// Whether customer `c` has the extra column `?1`.
  private static let hasColumn = """
    c.extra <> '{}' AND json_valid(c.extra) AND json_type(c.extra) = 'object'
    AND EXISTS (SELECT 1 FROM json_each(c.extra) WHERE key = ?1)
    """
}

/// What is in an extra column, to be compared with what is there later in the same process.
struct ColumnContent: Equatable {
  /// The number of customers that have the column.
  let count: Int
  /// A hash of their ids and values.
  let hash: Int
}
