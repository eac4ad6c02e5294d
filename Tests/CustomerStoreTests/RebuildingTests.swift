@testable import CustomerStore
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import CustomerFixtures
import Foundation
import Testing

/// A list that is built from what can be read of a damaged one: nothing is lost without being named.
@Suite(.onThreads) struct RebuildingTests {
  private static let page = 4096

  /// A list with sections, extra values, deleted rows, a history, and what another program added.
  private static let sample = Result<[UInt8], any Error> {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for title in ["Leads", "Friends"] { _ = try list.addSection(title: title) }
      for section: SectionID in [1, 2, 3] {
        for number in 1...60 {
          let note = String(repeating: "n", count: number == 7 ? 9000 : number)
          var fields = CustomerFields(firstName: "Row \(section.rawValue).\(number)", note: note)
          fields.extra = #"{"Town":"Bonn"}"#
          try list.insert(fields, in: section)
        }
      }
    }
    for id in [5, 70, 130] {
      try store.write { list in try list.delete([CustomerID(rawValue: Int64(id))]) }
      try store.write { list in _ = try list.update(CustomerID(rawValue: Int64(id + 1))) { $0.company = "x" }
      }
      try store.write { list in try list.move([CustomerID(rawValue: Int64(id + 2))], to: .first) }
      try store.write { list in
        for text in ["called", "left"] { try list.addLine(text, to: CustomerID(rawValue: Int64(id + 3))) }
      }
      try store.write { list in try list.deleteLine(list.log(of: CustomerID(rawValue: Int64(id + 3)))[0].id) }
      try store.write { list in
        _ = try list.update(CustomerID(rawValue: Int64(id + 1))) { $0.next = "2026-12-24" }
      }
    }
    return try store.read { list in
      try list.connection.executeScript(
        """
        CREATE TABLE visits (day, who TEXT, bytes, CHECK (who <> 'nobody'));
        INSERT INTO visits VALUES (1.5, 'Ann', x'00ff'), (NULL, CAST(x'41ff' AS TEXT), '');
        CREATE TABLE pairs (b, a, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO pairs VALUES (2, 1), ('x', 'y');
        CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT, twice AS (2 * id), thrice AS (3 * id) STORED, n);
        INSERT INTO numbered (n) VALUES ('a'), ('b'), ('c'); DELETE FROM numbered WHERE id = 3;
        ALTER TABLE numbered ADD COLUMN color DEFAULT 'red';
        CREATE INDEX by_company ON customer_record (company);
        CREATE VIEW names AS SELECT first_name FROM customers;
        CREATE TRIGGER visited AFTER INSERT ON visits BEGIN SELECT 1; END;
        """)
      return try list.connection.localFile.image()
    }
  }

  private func rebuild(_ image: [UInt8]) throws -> Rebuilding {
    try Rebuilding.list(of: DamagedDatabase(image: image), by: StepAuthor())
  }

  /// Everything in each table but where the rows are in the tree, and the receipt of the repair.
  private func contents(_ connection: Connection) throws -> [String] {
    let tables = try connection.fetchAll(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('node', 'place', 'receipt')"
    ) { $0.text(0) }
    return try tables.flatMap { table in
      let columns = try connection.fetchAll("SELECT name FROM pragma_table_xinfo(?)", [.text(table)]) {
        $0.text(0)
      }
      .filter { $0 != "block" }.map { "quote(\($0.asSQLName))" }.joined(separator: " || ' ' || ")
      return try connection.fetchAll("SELECT \(columns) FROM \(table.asSQLName)") { "\(table) \($0.text(0))" }
    }.sorted() + connection.schema().map(\.sql).sorted()
  }

  @Test func `every table is carried, row for row, with ids, history, and what others added`() throws {
    let image = try Self.sample.get()
    let original = try Connection(image: image)
    let rebuilding = try rebuild(image)
    #expect(rebuilding.report.losses == [])
    #expect(rebuilding.report.moves == [])
    #expect(rebuilding.report.changes == [])
    #expect(try contents(rebuilding.target) == contents(original))
    #expect(try rebuilding.target.contents() == original.contents())
    let receipts = try [original, rebuilding.target].map { try $0.count("receipt") }
    #expect(receipts[1] == receipts[0] + 1)
    let rows = "SELECT rowid, * FROM visits"
    #expect(try rebuilding.target.fetchAll(rows, [], { $0.integer(0) }) == [1, 2])
  }

  @Test func `a bit that flips in the text of the schema loses nothing`() throws {
    let image = try Self.sample.get()
    let want = try contents(Connection(image: image))
    let texts = try Connection(image: image).schema().map(\.sql)
    var random = SplitMix64(seed: 1)
    for number in 0..<(isLong ? 400 : 3) {
      // Half of them in the tables, which say how rows are to be read.
      let tables = texts.filter {
        $0.hasPrefix("CREATE TABLE") && !$0.contains("visits") && !$0.contains("pairs")
      }
      let ours = tables.filter { !$0.contains("numbered") }
      let text = number.isMultiple(of: 2) ? ours[random.below(ours.count)] : texts[10 + random.below(150)]
      let start = try #require(firstRange(of: Array(text.utf8.prefix(40)), in: image))
      var damaged = image
      // Also what comes before the text in its record: the sizes, the name, and the root.
      damaged[start - 18 + random.below(min(text.utf8.count, 300))] ^= 1 << UInt8(random.below(8))
      let rebuilding = try rebuild(damaged)
      #expect(rebuilding.report.losses == [], "\(number): \(text.prefix(60))")
      let found = try contents(rebuilding.target)
      #expect(found == want, "\(number): \(text.prefix(60))")
    }
  }

  @Test func `a column that was renamed to the other case, or to another name, keeps its values`() throws {
    for name in ["PHONE", "telephone"] {
      let connection = try Connection(path: ":memory:")
      try Connection(image: Self.sample.get()).localFile.copy(to: connection) {}
      try connection.executeScript(
        """
        UPDATE customer_record SET phone = 'p' || id;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'phone ', '\(name) ') WHERE name = 'customer_record';
        """)
      let rebuilding = try rebuild(connection.localFile.image())
      #expect(rebuilding.report.losses == [])
      let phones = try rebuilding.target.fetchAll("SELECT phone FROM customers WHERE id < 4 ORDER BY id") {
        $0.text(0)
      }
      #expect(phones == ["p1", "p2", "p3"])
    }
  }

  @Test
  func `another program's column becomes an extra column, and a value that can't be gets the usual one`()
    throws
  {
    let connection = try Connection(path: ":memory:")
    try Connection(image: Self.sample.get()).localFile.copy(to: connection) {}
    try connection.executeScript(
      """
      PRAGMA ignore_check_constraints = ON;
      ALTER TABLE customer_record ADD COLUMN born; ALTER TABLE customer_record ADD COLUMN Town;
      UPDATE customer_record SET born = '19"99', Town = 7, is_favorite = 7 WHERE id = 3;
      UPDATE customer_record SET born = 1999, extra = '{}' WHERE id = 4;
      ALTER TABLE section_record ADD COLUMN color; UPDATE section_record SET color = 'red' WHERE id = 2;
      """)
    let rebuilding = try rebuild(connection.localFile.image())
    #expect(rebuilding.report.losses == ["column color of section @2"])
    #expect(rebuilding.report.changes == ["is_favorite of customer @3 was neither 0 nor 1"])
    let extras = try rebuilding.target.fetchAll(
      "SELECT extra || is_favorite || can_move FROM customers WHERE id IN (3, 4) ORDER BY id"
    ) { $0.text(0) }
    #expect(extras == [#"{"Town":"Bonn","born":"19\"99","Town 2":7}01"#, #"{"born":1999}01"#])
  }

  @Test func `a row with the id of another one gets a new one, and all others keep theirs`() throws {
    var image = try Self.sample.get()
    let rows = "SELECT id || ' ' || first_name FROM customer_record"
    let before = try Connection(image: image).fetchAll(rows) { $0.text(0) }
    // The id is the byte before the header of the record, which begins with its size and the types of id and block.
    for header in image.indices.dropFirst().dropLast(60)
    where image[header - 1] == 10 && image[header + 1] == 0 {
      let text = header + Int(image[header]) + Int(image[header + 2])
      if text + 8 < image.count, image[text..<text + 8].elementsEqual("Row 1.10".utf8) {
        image[header - 1] = 9
      }
    }
    let rebuilding = try rebuild(image)
    #expect(rebuilding.report.changes.first == "a second customer @9 is now @181")
    let after = try rebuilding.target.fetchAll(rows) { $0.text(0) }
    #expect(after.sorted() == before.map { $0 == "10 Row 1.10" ? "181 Row 1.10" : $0 }.sorted())
  }

  @Test func `a file that ends within a page keeps the rows before its end`() throws {
    let image = try Self.sample.get()
    // A record holds these texts without a gap, because the others are empty. What was deleted goes with the history.
    let text = "SELECT first_name || company || note || extra FROM customer_record WHERE deleted_by IS NULL"
    let all = try Connection(image: image).fetchAll(text) { $0.text(0) }
    let row = try #require(firstRange(of: Array("Row 2.9".utf8), in: image))
    let last = row / Self.page * Self.page
    var before = 0
    for count in [1, 9, Self.page / 4, Self.page / 2, Self.page * 3 / 4, Self.page - 1] {
      let cut = Array(image[..<(last + count)])
      let rebuilding = try rebuild(cut)
      let found = try Set(rebuilding.target.fetchAll(text) { $0.text(0) })
      let readable = Set(all.filter { firstRange(of: Array($0.utf8), in: cut) != nil })
      #expect(readable.isSubset(of: found), "\(count): \(readable.subtracting(found).sorted())")
      #expect(count <= Self.page / 2 || readable.count > before)
      #expect(!rebuilding.report.losses.isEmpty)
      before = readable.count
    }
  }

  @Test(arguments: [10, 11])
  func `a list of an older format is rebuilt in its own format`(format: Int) throws {
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Samples/format-\(format).sqlite")
    let image = try bytes(of: sample.path)
    var damaged = image
    let text = Array("CREATE TRIGGER customers_insert".utf8)
    damaged[try #require(firstRange(of: text, in: image)) + 2] ^= 4
    let rebuilding = try rebuild(damaged)
    #expect(rebuilding.format == format)
    #expect(rebuilding.report.losses == [] && rebuilding.report.moves == [])
    let schema = try Migrations.migrator.objects(ofFormat: format)
    #expect(try Set(rebuilding.target.schema()) == Set(schema))
    #expect(try rebuilding.target.contents() == Connection(image: image).contents())
  }

  @Test(arguments: 0..<(isLong ? 40 : 1))
  func `random damage: all that a reader of rows finds is carried, and what is lost is named`(seed: Int)
    throws
  {
    let image = try Self.sample.get()
    let all = try Self.ids(image, "SELECT id FROM customers")
    var random = SplitMix64(seed: 100 + seed)
    var (whole, partial, refused) = (0, 0, 0)
    for number in 0..<(isLong ? 40 : 8) {
      let damaged = Self.damage(image, &random, number)
      let rebuilding: Rebuilding
      do { rebuilding = try rebuild(damaged) } catch let error as StoreError {
        // Nothing says anymore that it is a list.
        #expect(
          error == .notACustomersFile || "\(error)".contains("newer"), "seed \(seed), \(number): \(error)")
        refused += 1
        continue
      }
      let found = try Set(rebuilding.target.fetchAll("SELECT id FROM customer_record") { $0.integer(0) })
      let readable = Self.readable(damaged).intersection(all)
      #expect(
        readable.isSubset(of: found), "seed \(seed), \(number): \(readable.subtracting(found).sorted())")
      // No customer is missing silently.
      let missing = all.subtracting(found)
      let losses = rebuilding.report.losses
      for id in missing {
        let isNamed =
          rebuilding.report.lostCustomers.contains(CustomerID(rawValue: id))
          || losses.contains { $0.contains("customers that can't be read") }
        #expect(isNamed, "seed \(seed), \(number): @\(id) \(losses)")
      }
      losses.isEmpty ? (whole += 1) : (partial += 1)
      let violations = try CustomerList(connection: rebuilding.target).check()
      #expect(violations.allSatisfy { $0.message.contains("UTF-8") }, "seed \(seed), \(number)")
    }
    print("seed \(seed): \(whole) were whole, \(partial) lost something, \(refused) were refused")
  }

  /// A list of rows that were added many at once, of which two runs were deleted, and one was brought back.
  private static func runs() throws -> [UInt8] {
    let store = try CustomerStore.inMemory()
    for run in 1...3 {
      try store.write { list in
        let note = String(repeating: "n", count: 100)
        var rows = (0..<90).map { CustomerFields(firstName: "Row \(run).\($0)", note: note) }.makeIterator()
        try list.insert { rows.next() }
      }
    }
    func ids(_ ids: ClosedRange<Int64>) -> [CustomerID] { ids.map { CustomerID(rawValue: $0) } }
    try store.write { list in try list.delete(ids(30...44)) }
    try store.write { list in try list.delete(ids(200...207)) }
    try store.write { list in _ = try list.undo() }
    try store.write { list in try list.delete(ids(220...226) + [250, 260]) }
    try store.write { list in try list.move([15], to: .first) }
    try store.write { list in _ = try list.update(1) { $0.note = "later" } }
    try store.write { list in try list.delete([2]) }
    return try store.read { list in try list.connection.localFile.image() }
  }

  @Test func `a page of rows that were added or deleted many at once takes no step along`() throws {
    let image = try Self.runs()
    let original = try Connection(image: image)
    let steps = try original.count("history_step")
    let places = try original.fetchAll(
      "SELECT id, deleted_by IS NULL FROM customer_record ORDER BY id"
    ) { (id: $0.integer(0), isThere: $0.bool(1)) }
    let root = try original.fetchOne("SELECT rootpage FROM sqlite_schema WHERE name = 'customer_record'") {
      $0.int(0)
    }
    let leaves = Self.leaves(of: try #require(root), image)
    #expect(leaves.count > 5)
    var undone = 0
    for leaf in leaves {
      var damaged = image
      let start = (leaf - 1) * Self.page
      damaged.replaceSubrange(start..<start + Self.page, with: [UInt8](repeating: 0, count: Self.page))
      let rebuilding = try rebuild(damaged)
      let target = rebuilding.target
      let found = try Set(target.fetchAll("SELECT id FROM customer_record") { $0.integer(0) })
      let lost = places.filter { !found.contains($0.id) }
      #expect((1...40).contains(lost.count) && found.count + lost.count == places.count, "page \(leaf)")
      // What is lost is named, and nothing else.
      let there = lost.filter(\.isThere).map { CustomerID(rawValue: $0.id) }
      let deleted = lost.filter { !$0.isThere }.map { CustomerID(rawValue: $0.id) }
      #expect(rebuilding.report.lostCustomers == there, "page \(leaf)")
      func lines(_ ids: [CustomerID], _ what: String) -> [String] {
        IDRanges(ids).ranges.map { "\(what)customer\($0.count == 1 ? "" : "s") \($0.asIDs)" }
      }
      #expect(
        rebuilding.report.losses == lines(there, "") + lines(deleted, "the deleted "), "page \(leaf)")
      #expect(try target.count("history_step") == steps + 1, "page \(leaf)")
      #expect(
        try target.count("customer_record WHERE deleted_by IS NOT NULL")
          == places.count { !$0.isThere && found.contains($0.id) }, "page \(leaf)")
      var list = CustomerList(connection: target)
      #expect(try list.check() == [], "page \(leaf)")
      // The next repair loses nothing more.
      let again = try rebuild(target.localFile.image())
      #expect(again.report.losses == [], "page \(leaf)")
      #expect(try again.target.count("history_step") == steps + 1, "page \(leaf)")
      for step in 1...Int64(steps) {
        try target.executeScript("SAVEPOINT attempt")
        try expectSafe(&list, "page \(leaf), step \(step)") { list in _ = try list.revert(step) }
        try target.executeScript("ROLLBACK TO attempt; RELEASE attempt")
      }
      while try list.undoable() != nil {
        guard try expectSafe(&list, "page \(leaf)", { list in _ = try list.undo() }) else { break }
        undone += 1
      }
    }
    // Most pages have no row of the latest steps.
    #expect(undone > leaves.count)
  }

  /// Verifies that a change is made as a whole or refused; returns whether it was made.
  @discardableResult
  private func expectSafe(
    _ list: inout CustomerList, _ what: Comment, _ change: (inout CustomerList) throws -> Void
  ) throws -> Bool {
    let before = try list.connection.dump()
    list.recorder.begin(by: StepAuthor(CustomerStore.Options(), action: ""))
    do {
      try change(&list)
      try list.endStep()
      #expect(try list.check() == [], what)
      return true
    } catch let error as any ExplainedError {
      #expect(error.explanation.kind == .refused, "\(what): \(error)")
      try list.endStep()
      let after = try list.connection.dump()
      #expect(after == before, what)
      return false
    }
  }

  @Test func `a run of more rows than there ever were makes the history broken`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      var rows = repeatElement(CustomerFields(), count: 9).makeIterator()
      try list.insert { rows.next() }
      try list.connection.execute("UPDATE history_step SET count = count + 1")
    }
    let image = try store.read { list in try list.connection.localFile.image() }
    let rebuilding = try rebuild(image)
    #expect(rebuilding.report.losses == ["the history (1 step)"])
    #expect(try CustomerList(connection: rebuilding.target).count() == 9)
  }

  /// Two thousand of them would be as many millions of ids, and this test would not end.
  @Test func `the rows of a run that can't be read are not counted one by one`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      var rows = repeatElement(CustomerFields(), count: 9).makeIterator()
      try list.insert { rows.next() }
      try list.connection.executeScript(
        """
        WITH RECURSIVE new (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM new WHERE n < 2000)
        INSERT INTO history_step (id, at, program, user, host, action, kind, state, last, is_open, first_edit,
          bytes_before, bytes, edits, first_kind, row, count, "order", to_section, to_order, mark)
        SELECT id + n, at, program, user, host, action, kind, state, id + n, 0, first_edit + n, 32 * n, 32, 1,
          'insert rows', 1000000 * n, 1000000, "order", to_section, to_order, mark + n
        FROM new CROSS JOIN (SELECT * FROM history_step WHERE id = 1);
        UPDATE history_step SET is_open = 0;
        UPDATE sqlite_sequence SET seq = 3000000000 WHERE name = 'customer_record'
        """)
    }
    let image = try store.read { list in try list.connection.localFile.image() }
    let rebuilding = try rebuild(image)
    #expect(rebuilding.report.losses == ["the deleted customers @1000000–@2000999999"])
    #expect(try CustomerList(connection: rebuilding.target).count() == 9)
  }

  /// The leaf pages of a table.
  private static func leaves(of root: Int, _ image: [UInt8]) -> [Int] {
    let start = (root - 1) * page
    func number(_ place: Int, _ size: Int) -> Int {
      image[start + place..<start + place + size].reduce(0) { $0 << 8 | Int($1) }
    }
    guard image[start] == 5 else { return [root] }
    let cells = (0..<number(3, 2)).map { number(number(12 + 2 * $0, 2), 4) }
    return (cells + [number(8, 4)]).flatMap { leaves(of: $0, image) }
  }

  /// Bits, pages of zeros, swapped pages, a part of a page, or a lost end.
  private static func damage(_ image: [UInt8], _ random: inout SplitMix64, _ number: Int) -> [UInt8] {
    var bytes = image
    let pages = bytes.count / page
    func start(_ random: inout SplitMix64) -> Int { random.below(pages) * page }
    switch number % 5 {
    case 0: for _ in 0...random.below(3) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
    case 1:
      let place = start(&random)
      bytes.replaceSubrange(place..<place + page, with: [UInt8](repeating: 0, count: page))
    case 2:
      let (first, second) = (start(&random), start(&random))
      for index in 0..<page { bytes.swapAt(first + index, second + index) }
    case 3:
      let place = random.below(bytes.count - 300)
      for index in place..<place + random.below(300) {
        bytes[index] = UInt8(truncatingIfNeeded: random.next())
      }
    default: bytes.removeLast(random.below(bytes.count * 3 / 4))
    }
    return bytes
  }

  /// The customers that SQLite itself still reads, from either end of the table.
  private static func readable(_ image: [UInt8]) -> Set<Int64> {
    var found: Set<Int64> = []
    for order in ["ASC", "DESC"] {
      guard let connection = try? Connection(image: image) else { return [] }
      try? connection.query(
        "SELECT id, first_name, note, extra FROM customer_record NOT INDEXED ORDER BY id \(order)"
      ) { row in
        while try row.step() { if row.isText(1) { found.insert(row.integer(0)) } }
      }
    }
    return found
  }

  private static func ids(_ image: [UInt8], _ sql: String) throws -> Set<Int64> {
    try Set(Connection(image: image).fetchAll(sql) { $0.integer(0) })
  }

  private func firstRange(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    Data(bytes).range(of: Data(part))?.lowerBound
  }
}
