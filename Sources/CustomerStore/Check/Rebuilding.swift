internal import CustomersMigrations
internal import CustomersSQLite

/// Builds a new list from what can be read of a damaged one.
///
/// The new list has the schema of its format, word for word, whatever the schema of the damaged file says. Rows are carried
/// one by one; what can't be carried is named in the report. Then places, sections, and ids are numbered as far as
/// they can be recognized, and at last what other programs have added is created again.
final class Rebuilding {
  /// The new list, in a temporary file of SQLite.
  let target: Connection
  private(set) var report = RepairReport()
  /// The format of both lists.
  let format: Int
  private let ours: [SchemaObject]
  private let found: [FoundSchema.Object]
  private let matches: [SchemaObject?]
  /// Whether objects of the damaged file can't be read.
  private let isDamaged: Bool
  /// Whether objects of other programs may be among these.
  private let mayLackOthers: Bool
  /// How many rows were put into each table.
  private var carried: [String: Int] = [:]
  /// Our tables of which some rows can't be read.
  var incomplete: Set<String> = []
  /// The ids of customers whose own uids can't be read, or that are second ones.
  var unnamed: Set<Int64> = []
  /// Whether the new list lacks something that copies of the list may have.
  private(set) var lacksContent = false
  /// Our indexes that can be read.
  private(set) var wholeIndexes: Set<String> = []

  /// Whether the history is not carried, because it is not whole by the rules of today.
  let losesHistory: Bool

  /// That a list with the history of the damaged file would still be damaged: the rules of older formats miss some of that.
  private struct BrokenHistory: Error {}

  /// Builds the list, without a history if that is what can't be carried.
  ///
  /// - Parameters:
  ///   - source: the damaged file.
  ///   - author: who repairs, for the history.
  ///   - isCancelled: whether to give up.
  /// - Returns: the new list, with its report.
  /// - Throws: `StoreError` if it is not a list that can be repaired; `RepairError.isDamaged`.
  static func list(
    of source: DamagedDatabase, by author: StepAuthor,
    unless isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> Rebuilding {
    do {
      return try Rebuilding(source, losingHistory: false, by: author, unless: isCancelled)
    } catch is BrokenHistory {
      return try Rebuilding(source, losingHistory: true, by: author, unless: isCancelled)
    }
  }

  private init(
    _ source: DamagedDatabase, losingHistory: Bool, by author: StepAuthor,
    unless isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    losesHistory = losingHistory
    var source = source
    let schema = try FoundSchema(&source)
    format = try schema.format(source.identity)
    ours = try Migrations.migrator.objects(ofFormat: format)
    (found, matches, isDamaged) = (schema.objects, schema.matches(ours), schema.isDamaged)
    mayLackOthers = schema.mayLackOthers(ours, matches)
    target = try Connection(path: "")
    try target.localFile.harden()
    target.wait(Connection.usualTimeout, unless: isCancelled)
    try target.executeScript("PRAGMA page_size = \(source.pageSize); PRAGMA foreign_keys = OFF")
    try target.immediateTransaction {
      let rows = try carryRows(&source)
      for object in ours where object.type != "table" { try target.executeScript(object.sql) }
      // The greatest id may be in the log only, which is a view.
      for rows in rows { try rows.carrySeconds() }
      try verify()
      try number(by: author)
      try createOtherObjects()
      try target.executeScript(
        """
        PRAGMA application_id = \(applicationID); PRAGMA user_version = \(format);
        """)
    }
    try carryVirtualTables()
    if found.contains(where: { $0.name.hasPrefix("sqlite_stat") }) { try target.executeScript("ANALYZE") }
    try check()
  }

  private var applicationID: Int64 {
    format == Migrations.format ? Migrations.applicationID : Migrations.releasedApplicationID
  }

  /// Names something that the new list does not have.
  ///
  /// - Parameters:
  ///   - what: in one line.
  ///   - isInCopies: whether copies of the list may have it.
  func lose(_ what: String, isInCopies: Bool = true) {
    report.losses.append(what)
    lacksContent = lacksContent || isInCopies
  }
  /// Names customers that the new list does not have, in the order of their ids.
  func lose(customers: [CustomerID]) {
    report.lostCustomers += customers
    for ids in IDRanges(customers).ranges {
      lose("\(ids.count == 1 ? "customer" : "customers") \(ids.asIDs)")
    }
  }

  /// Names something that the new list has in another form.
  func note(_ what: String) { report.changes.append(what) }
  /// Names something deleted that the new list has again.
  func note(restored what: String) {
    note(what)
    report.restored.append(what)
  }
  func noteMoves(_ moves: [ListRepair]) { report.moves = moves }

  // Rows --------------------------------------------------------------------------------------------

  /// Where the rows of a table of the damaged file are, and who takes them.
  private struct Source {
    var name: String
    var root: Int?
    var shape: DamagedDatabase.Shape
    var take: (StoredRow) throws -> Void
    var isOurs: Bool
  }

  /// Any other table may be empty.
  private static let hasRows: Set = [
    "customer_record", "section_record", "node", "place", "edit_record", "history_edit", "history_step",
  ]

  /// Creates the tables and fills them.
  private func carryRows(_ source: inout DamagedDatabase) throws -> [OwnRows] {
    for table in ours where table.type == "table" { try target.executeScript(table.sql) }
    try createFoundNumbers()
    var (sources, own): ([Source], [OwnRows]) = ([], [])
    for table in ours where table.type == "table" {
      let object = zip(found, matches).first { $0.1 == table }?.0
      let rows = try OwnRows(table, foundAs: object, on: target, for: self)
      sources.append(
        Source(name: table.name, root: object?.root, shape: rows.shape, take: rows.carry, isOurs: true))
      own.append(rows)
    }
    let sequence = StoredColumns.sequence
    sources.append(
      Source(
        name: "sqlite_sequence", root: found.first { $0.name.lowercased() == "sqlite_sequence" }?.root,
        shape: sequence.shape(), take: { [self] in try carrySequence($0) }, isOurs: true))
    sources += try otherTables()
    var damaged: [(source: Source, pages: Set<Int>)] = []
    for table in sources where table.root != nil || table.isOurs {
      let unreadable = try source.readTree(table.root, table.shape, table.take).pages
      if !unreadable.isEmpty { damaged.append((table, unreadable)) }
      try target.checkCancellation()
    }
    // A tree may lead to fewer pages than it did, though each of them can be read.
    if let table = sources.first(where: { $0.name == "customer_record" }), try lacksCustomers(),
      !damaged.contains(where: { $0.source.name == table.name })
    {
      damaged.append((table, []))
    }
    // What is left is on no page of an index.
    for (object, match) in zip(found, matches) where object.type == "index" {
      guard let root = object.root else { continue }
      let isWhole = try source.readIndex(root) { try note($0, inIndex: match?.name) }
      if isWhole, let name = match?.name { wholeIndexes.insert(name) }
    }
    guard isDamaged || !damaged.isEmpty else { return own }
    var salvaged: Set<String> = []
    var (empty, hasOthers) = try source.readLostPages(damaged.map(\.source.shape)) { index, row in
      salvaged.insert(damaged[index].source.name)
      try damaged[index].source.take(row)
    }
    if isDamaged, hasOthers { lose("rows of a table that the schema no longer names", isInCopies: false) }
    // Where every page could be read, those who are missing are named one by one.
    for (table, pages) in damaged where !pages.isEmpty {
      // If the root is damaged, and the pages that it led to were found, nothing need be missing.
      if pages == [table.root ?? 0], salvaged.contains(table.name) { continue }
      // If it is not known where the table was, an empty page is likely to be it.
      let isLikelyEmpty = table.root == nil && !Self.hasRows.contains(table.name)
      if isLikelyEmpty, !salvaged.contains(table.name), empty.removeFirst(of: table.shape.isIndex) {
        continue
      }
      if table.isOurs {
        incomplete.insert(table.name)
      } else {
        lose("rows of table \(table.name) that can't be read", isInCopies: false)
      }
    }
    return own
  }

  /// Counts a row that was put into a table.
  func countRow(of table: String) { carried[table, default: 0] += 1 }

  private func carrySequence(_ row: StoredRow) throws {
    guard case .text(let name) = row.value(0), let number = row.value(1)?.number else { return }
    try target.execute("INSERT INTO found_sequence VALUES (?, ?)", stored: [.text(name), .integer(number)])
  }

  // What other programs have added --------------------------------------------------------------

  private func others(_ type: String) -> [FoundSchema.Object] {
    zip(found, matches).filter { object, match in
      match == nil && object.type == type && !object.sql.isEmpty
        && !object.name.lowercased().hasPrefix("sqlite_")
    }.map(\.0)
  }

  /// Creates the tables of other programs.
  private func otherTables() throws -> [Source] {
    let names = Set(ours.map(\.name))
    return try others("table").compactMap { object in
      guard !object.isVirtual else { return nil }
      do {
        try target.create("table", object.sql)
      } catch let error as SQLiteError {
        guard error.code.primary != .full else { throw error }
        lose("table \(object.name)", isInCopies: false)
        return nil
      }
      var name =
        try target.fetchOne(
          "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid DESC LIMIT 1"
        ) { $0.text(0) } ?? ""
      if names.contains(name.lowercased()) {
        let found = "\(name)_found"
        try target.executeScript("ALTER TABLE \(name.asSQLName) RENAME TO \(found.asSQLName)")
        note("table \(name) is now \(found)")
        name = found
      }
      let rows = try OtherRows(name, on: target, for: self)
      return Source(name: name, root: object.root, shape: rows.shape, take: rows.carry, isOurs: false)
    }
  }

  /// Creates the indexes, views, and triggers of other programs, but for triggers on what is ours.
  private func createOtherObjects() throws {
    let names = Set(ours.filter { ["table", "view"].contains($0.type) }.map(\.name))
    for (object, match) in zip(found, matches) where match == nil && object.isUnreadable {
      lose("\(object.type) \(object.name)", isInCopies: false)
    }
    if mayLackOthers {
      lose("objects of other programs, if the schema had some where it can't be read", isInCopies: false)
    }
    for type in ["index", "view", "trigger"] {
      for object in others(type) {
        if type == "trigger", names.contains(object.table.lowercased()) {
          report.removedTriggers.append(object.name)
          continue
        }
        do { try target.create(type, object.sql) } catch let error as SQLiteError {
          guard error.code.primary != .full else { throw error }
          lose("\(type) \(object.name)", isInCopies: false)
        }
      }
    }
  }

  /// Virtual tables are only named in the schema; what they hold is in ordinary tables.
  private func carryVirtualTables() throws {
    let tables = others("table").filter(\.isVirtual)
    guard !tables.isEmpty else { return }
    try target.localFile.acceptDamage()
    for table in tables {
      try target.execute(
        "INSERT INTO sqlite_schema VALUES ('table', ?, ?, 0, ?)",
        [.text(table.name), .text(table.name), .text(table.sql)])
    }
    try target.executeScript("PRAGMA writable_schema = RESET")
    try target.localFile.harden()
  }

  // The result --------------------------------------------------------------------------------------

  /// Counts the rows again.
  private func verify() throws {
    for (table, count) in carried {
      let now = try target.fetchOne("SELECT count(*) FROM \(table.asSQLName)") { $0.int(0) }
      guard now == count else { throw RepairError.isDamaged(1) }
    }
  }

  /// Checks the new list, converted to the current format, as every list is checked.
  private func check() throws {
    let connection = try Connection(path: "")
    try target.localFile.copy(to: connection) { try target.checkCancellation() }
    try connection.localFile.harden()
    try connection.migrate(by: StepAuthor())
    let list = CustomerList(connection: connection)
    let left = try list.check().filter { !$0.isUnreadableText }
    if !losesHistory, !left.isEmpty, left.allSatisfy({ $0.message == IntegrityRule.ofHistory }) {
      throw BrokenHistory()
    }
    guard left.isEmpty else { throw RepairError.isDamaged(left.count) }
  }
}

extension [Bool] {
  /// Removes the first of these; returns whether there was one.
  fileprivate mutating func removeFirst(of value: Bool) -> Bool {
    guard let index = firstIndex(of: value) else { return false }
    remove(at: index)
    return true
  }
}

extension FoundSchema.Object {
  fileprivate var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }

  /// Whether only its statement can't be read; an index that SQLite made itself has none.
  fileprivate var isUnreadable: Bool {
    sql.isEmpty && ["table", "view", "trigger"].contains(type) && !name.isEmpty
      && !name.lowercased().hasPrefix("sqlite_")
  }
}

extension StoredColumns {
  /// SQLite's own table of the greatest ids.
  fileprivate static let sequence = StoredColumns(columns: [
    Column(name: "name", isText: true, isRequired: false, hasDefault: false, isComputed: false),
    Column(name: "seq", isText: false, isRequired: true, hasDefault: false, isComputed: false),
  ])
}
