internal import CustomersMigrations
internal import CustomersSQLite
internal import CustomersText

extension CustomerList {
  /// Verifies, from the tables alone, that the file is intact: SQLite finds no damage, the schema is ours,
  /// every customer has exactly one place, places and sections are numbered 1…n, each has a uid of its own, and values
  /// are UTF-8.
  ///
  /// Corruption inside a string is not detected. O(rows)
  ///
  /// - Returns: every problem; empty if there is none.
  /// - Throws: `StoreError.diskError` if the file can't be read, which does not mean that it is damaged.
  package func check() throws -> [ListViolation] {
    let structure = try checkStructure()
    do {
      return try structure + checkContent(isIntact: structure.isEmpty)
    } catch let error as SQLiteError
      where !structure.isEmpty && [.error, .corrupt].contains(error.code.primary)
    {
      // The tables with the numbers are missing or can't be read.
      return structure
    }
  }

  /// Verifies the file and its schema.
  func checkStructure() throws -> [ListViolation] {
    try SchemaDifference(of: connection).violations
      + connection.localFile.findings().map { ListViolation(message: $0) }
  }

  /// Verifies the numbers and the values in an intact file.
  ///
  /// - Parameter isIntact: whether SQLite found no damage; then flags are as their `CHECK` says.
  /// - Returns: every problem.
  /// - Throws: `StoreError`.
  func checkContent(isIntact: Bool = true) throws -> [ListViolation] {
    var areReadable = true
    let records = try scanRecords(reading: Self.areReadable(Self.textColumns)) { _, isReadable in
      areReadable = areReadable && isReadable == 1
    }
    var rules = [IntegrityRule.ofSections]
    if try rows()?.sum != records.sum { rules += IntegrityRule.ofRows }
    rules += IntegrityRule.ofCustomers
    if !isIntact { rules.append(.ofFlags) }
    return try violations(of: rules) + checkUIDs(records.uids)
      + (areReadable ? unreadableTextsOfSections() : unreadableTexts()) + unreadableTextsOfLines()
      + unreadableTextsOfEntries()
  }

  /// Verifies a copy like `check`, but no texts of customers, of which a pull reads few; see `countUnreadable`.
  ///
  /// - Returns: what was read of it; nil if there is a problem. The problems.
  /// - Throws: `StoreError`.
  func checkCopy() throws -> (reader: CopyReader?, problems: [ListViolation]) {
    let damage = try checkStructure()
    guard damage.isEmpty else { return (nil, damage) }
    guard let reader = try? CopyReader(self) else { return (nil, try checkContent()) }
    return (
      reader, try violations(of: [.ofSections] + IntegrityRule.ofCustomers) + unreadableTextsOfSections()
    )
  }

  /// Objects that other programs have added to the schema, such as `index by_name`; they are harmless.
  package func additions() throws -> [String] {
    try SchemaDifference(of: connection).additions.map { "\($0.type) \($0.name)" }
  }

  /// Whether the file may still contain values that another program has deleted or changed.
  ///
  /// Only some programs overwrite such values; `CustomerStore.eraseTraces` does. The history shows which
  /// programs made edits, as far back as it goes.
  package func mayHaveTraces() throws -> Bool {
    try connection.fetchOne(
      "SELECT 1 FROM history_step WHERE program = '' AND kind = 'edit' AND edits > 0"
    ) { _ in true } ?? false
  }

  /// Whether the file is kept with a write-ahead log, so that a copy of the file alone may be old.
  ///
  /// Opening a file turns it off, unless `Options.usesWriteAheadLog` is set, another program has the file
  /// open, or the file can't be written.
  package func usesWriteAheadLog() throws -> Bool {
    try connection.localFile.usesWriteAheadLog()
  }

  private func violations(of rules: [IntegrityRule]) throws -> [ListViolation] {
    try rules.flatMap { rule in
      try connection.fetchAll(rule.sql) { row in
        ListViolation(
          message: rule.message,
          section: row.isNull(0) ? nil : SectionID(rawValue: row.integer(0)),
          order: row.isNull(1) ? nil : row.int(1),
          customer: row.isNull(2) ? nil : CustomerID(rawValue: row.integer(2)))
      }
    }
  }

  /// Copies would take one of two with one uid for the other, and one without a uid for a new one.
  private func checkUIDs(_ uids: UIDs<CustomerID>) throws -> [ListViolation] {
    try uids.unnamed.map { ListViolation(message: "the customer has no uid", customer: $0) }
      + uids.repeated.map {
        ListViolation(message: "the customer has the uid of another one", customer: $0)
      }
      + sectionUIDs().repeated.map {
        ListViolation(message: "the section has the uid of another one", section: $0)
      }
  }

  /// Reads all records of customers.
  ///
  /// - Parameters:
  ///   - value: what to read of each customer who is there, as SQL: a number.
  ///   - body: gets the id of each of them, and the number.
  /// - Returns: the customers who are there with the blocks that their records name; what all are called in every copy, also
  ///   those that are deleted.
  /// - Throws: `SQLiteError`.
  func scanRecords(
    reading value: String = "0", _ body: (_ id: Int64, _ value: Int64) -> Void = { _, _ in }
  ) throws -> (sum: RowSum, uids: UIDs<CustomerID>) {
    var (sum, uids, last) = (RowSum(), try CustomerUIDs(self), Int64.min)
    let columns = """
      id, block, uid, deleted_by NOT NULL, CASE WHEN deleted_by IS NULL THEN \(value) END
      """
    // Part by part, so a list of any length takes little memory.
    let next = "SELECT id FROM customer_record NOT INDEXED WHERE id > ? ORDER BY id LIMIT 1"
    while let first = try connection.fetchOne(next, [.integer(last)], { $0.integer(0) }) {
      // In a damaged file, they may be in any order, and this would never end.
      guard first > last else { throw SQLiteError.idsOutOfOrder }
      let rows = try connection.fetchIntegers(
        columns, from: "customer_record NOT INDEXED WHERE id BETWEEN ?1 AND ?1 + 9999", [.integer(first)])
      last = first
      for index in stride(from: 0, to: rows.count, by: 5) {
        let id = rows[index]
        last = max(last, id)
        uids.add(id, rows[index + 2])
        guard rows[index + 3] == 0 else { continue }
        sum.add(id, at: rows[index + 1])
        body(id, rows[index + 4])
      }
    }
    return (sum, uids.all)
  }

  /// The customers of each section, in order; nil if a number of a section, node, or place is not what follows from those
  /// before it.
  ///
  /// If their sum is that of the records, no rule of `IntegrityRule.ofRows` is violated; to ask them takes five times as long.
  func rows() throws -> (rows: [SectionID: [CustomerID]], sum: RowSum)? {
    var walk = TreeWalk(places: try connection.fetchIntegers("slot, customer", from: "place NOT INDEXED"))
    var rows: [SectionID: [CustomerID]] = [:]
    let sections = try connection.fetchAll("SELECT id, count FROM section_record") {
      (id: $0.integer(0), count: $0.value(1))
    }
    for (id, count) in sections {
      walk.rows = []
      guard id > 0, try walk.visit(childrenOf: -id, levels: 3, in: self), count == .integer(walk.rows.count)
      else { return nil }
      rows[SectionID(rawValue: id)] = walk.rows
    }
    let isAll = try connection.fetchOne("SELECT count(*) FROM node") { $0.int(0) == walk.nodes }
    return isAll == true && 2 * walk.sum.count == walk.places.count ? (rows, walk.sum) : nil
  }
}

/// Customers, each in a block, without their order: two that are equal are of the same ones.
///
/// It takes no memory for them, because it is a sum of hashes. These are others in each process, so no one can make a file
/// for which two are equal by chance.
struct RowSum: Equatable {
  private(set) var count = 0
  private var sum: UInt64 = 0
  private static let keys = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

  mutating func add(_ customer: Int64, at block: Int64) {
    var hash = (UInt64(bitPattern: customer) ^ Self.keys.0) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ hash >> 31 ^ UInt64(bitPattern: block)) &* Self.keys.1
    sum &+= (hash ^ hash >> 29) &* 0x94d0_49bb_1331_11eb
    count += 1
  }
}

/// A walk through the nodes and places of the list, in its order.
private struct TreeWalk {
  /// The slots of all places, in order, each with its customer.
  let places: [Int64]
  /// The customers met in a section.
  var rows: [CustomerID] = []
  private(set) var nodes = 0
  private(set) var sum = RowSum()

  init(places: [Int64]) { self.places = places }

  /// Visits the children of a node, or of a section by minus its id.
  ///
  /// - Parameters:
  ///   - parent: the node.
  ///   - levels: how many levels are below it.
  ///   - list: the list.
  /// - Returns: whether each child has rows, and starts where those before it end.
  /// - Throws: `SQLiteError`.
  mutating func visit(childrenOf parent: Int64, levels: Int, in list: borrowing CustomerList) throws -> Bool {
    let start = rows.count
    let sql = "SELECT id, start FROM node WHERE parent = ? ORDER BY start, id"
    let children = try list.connection.fetchAll(sql, [.integer(parent)]) { ($0.value(0), $0.value(1)) }
    for (number, place) in children {
      let before = rows.count
      // The parent of a node with an id of 1 or more is no section, so no node is visited twice.
      guard case .integer(let id)? = number, id > 0, place == .integer(before - start),
        try levels > 1
          ? visit(childrenOf: id, levels: levels - 1, in: list) : visit(placesOf: id),
        rows.count > before
      else { return false }
      nodes += 1
    }
    return true
  }

  private mutating func visit(placesOf block: Int64) -> Bool {
    guard block < 1 << 57 else { return false }
    var slot = 64 * block
    for number in (0..<places.count / 2)[(0..<places.count / 2).partitionIndex { places[2 * $0] >= slot }...]
    {
      if places[2 * number] > 64 * block + 63 { break }
      slot += 1
      guard places[2 * number] == slot else { return false }
      rows.append(CustomerID(rawValue: places[2 * number + 1]))
      sum.add(places[2 * number + 1], at: block)
    }
    return true
  }
}

extension CustomerList {
  /// The values of customers and sections that can't be read: they are not valid UTF-8 or longer than
  /// 16,000,000 bytes.
  ///
  /// Such a string is shown as far as possible, and stays as it is until it is edited. Values that only the history
  /// keeps are no problem. O(rows)
  package func unreadableTexts() throws -> [ListViolation] {
    try unreadable(Self.textColumns, in: "customer_record").map { id, title in
      let customer = CustomerID(rawValue: id)
      let place = try? self.place(of: customer)
      return ListViolation(
        message: "the \(title.lowercased()) \(Self.isUnreadable)", section: place?.section,
        order: place?.order, customer: customer, unreadableText: .customer)
    } + unreadableTextsOfSections()
  }

  private func unreadableTextsOfSections() throws -> [ListViolation] {
    try unreadable([("title", "title"), ("footer", "footer")], in: "section_record").map { id, title in
      ListViolation(
        message: "the \(title) \(Self.isUnreadable)", section: SectionID(rawValue: id),
        unreadableText: .section)
    }
  }

  private func unreadableTextsOfLines() throws -> [ListViolation] {
    let columns = [("at", "time"), ("author", "author"), ("text", "text")]
    return try unreadable(columns, in: "line_record", key: "uid").map { uid, title in
      let customer = try connection.fetchOne(
        "SELECT customer FROM line_record WHERE uid = ?", [.integer(uid)]
      ) { CustomerID(rawValue: $0.integer(0)) }
      return ListViolation(
        message: "the \(title) of a line of the log \(Self.isUnreadable)", customer: customer,
        unreadableText: .line(uid))
    }
  }

  private func unreadableTextsOfEntries() throws -> [ListViolation] {
    let columns = [("name", "name"), ("value", "value"), ("choices", "choices")]
    return try unreadable(columns, in: "entry_record", key: "uid").map { uid, title in
      let name = try connection.fetchOne(
        "SELECT type, name FROM entry_record WHERE uid = ?", [.integer(uid)]
      ) { "\($0.text(0)) \(quoted($0.text(1)))" }
      return ListViolation(
        message: "the \(title) of the \(name ?? "") \(Self.isUnreadable)", unreadableText: .entry)
    }
  }

  private static let isUnreadable = "is not valid UTF-8 or is too long"

  private static let textColumns =
    CustomerField.texts.map { (column: $0.column, title: $0.title) }
    + [("address_parts", "text of the parts of the address"), ("extra", "text of the extra columns")]

  /// Whether texts can be read, as SQL.
  private static func areReadable(_ columns: [(column: String, title: String)]) -> String {
    "are_readable(\(Statement.longestText), \(columns.map(\.column).joined(separator: ", ")))"
  }

  /// How many of some customers have values that can't be read.
  func countUnreadable(_ ids: some Sequence<CustomerID>) throws -> Int {
    let sql =
      "SELECT 1 FROM customer_record WHERE id = ? AND deleted_by IS NULL AND NOT \(Self.areReadable(Self.textColumns))"
    return try ids.count { try connection.fetchOne(sql, [.id($0)]) { _ in true } ?? false }
  }

  private func unreadable(
    _ columns: [(column: String, title: String)], in table: String, key: String = "id"
  ) throws -> [(id: Int64, title: String)] {
    var found: [(Int64, String)] = []
    let names = columns.map(\.column).joined(separator: ", ")
    let sql = """
      SELECT \(key), \(names) FROM \(table)
      WHERE deleted_by IS NULL AND NOT \(Self.areReadable(columns)) ORDER BY \(key)
      """
    try connection.query(sql) { row in
      while try row.step() {
        for (index, column) in columns.enumerated() where !row.isText(Int32(index + 1)) {
          found.append((row.integer(0), column.title))
        }
      }
    }
    return found
  }
}

/// How the schema of a file differs from the one that the migrations make.
struct SchemaDifference {
  /// The objects that the migrations create, in their order.
  let ours: [SchemaObject]
  /// Our objects that are missing or different.
  private(set) var wrong: [(object: SchemaObject, isMissing: Bool)] = []
  /// Foreign triggers on our tables and views.
  private(set) var foreignTriggers: [SchemaObject] = []
  /// Other objects added by other programs.
  private(set) var additions: [SchemaObject] = []

  init(of connection: Connection) throws {
    ours = Migrations.schema
    let found = try connection.schema()
    let names = Set(ours.map(SchemaName.init))
    let tables = Set(ours.filter { ["table", "view"].contains($0.type) }.map(\.name))
    var known: [SchemaName: SchemaObject] = [:]
    for object in found {
      if names.contains(SchemaName(object)) {
        known[SchemaName(object)] = object
      } else if object.type == "trigger", tables.contains(object.table.lowercased()) {
        foreignTriggers.append(object)
      } else {
        additions.append(object)
      }
    }
    for object in ours {
      guard let other = known[SchemaName(object)] else {
        wrong.append((object, true))
        continue
      }
      if !object.isSame(as: other) { wrong.append((object, false)) }
    }
  }

  var violations: [ListViolation] {
    wrong.map { object, isMissing in
      ListViolation(
        message: "the \(object.type) \(object.name) is \(isMissing ? "missing" : "different from ours")")
    }
      + foreignTriggers.map {
        ListViolation(message: "foreign trigger \($0.name) on \($0.table)")
      }
  }
}

/// The key of an object in a schema.
private struct SchemaName: Hashable {
  let type: String
  let name: String

  init(_ object: SchemaObject) { (type, name) = (object.type, object.name.lowercased()) }
}

extension SchemaObject {
  /// Whether it is the same, except for the sizes in the view `capacity`, which may differ.
  fileprivate func isSame(as other: SchemaObject) -> Bool {
    guard name == "capacity" else { return sql == other.sql && table == other.table }
    return sql.filter { !$0.isNumber } == other.sql.filter { !$0.isNumber }
  }
}
