@testable import CustomerStore
import CustomerFixtures
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// A copy that was edited on its own is recognized, whatever the numbers of its edits; one that was not is the same list.
@Suite(.onThreads) struct CopiesTests {
  private static let names = ["Ann", "Bob", "Cid", "Dora"]

  /// How a file comes to be a copy.
  enum Way: CaseIterable { case backup, copy }

  private func pair(in folder: String, _ way: Way) throws -> (CustomerStore, CustomerStore) {
    let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
    let store = try CustomerStore(path: path)
    try store.write { list in for name in Self.names { try list.insert(CustomerFields(name: name)) } }
    switch way {
    case .backup: try store.backUp(to: copy)
    case .copy: try write(bytes(of: path), to: copy)
    }
    return (store, try CustomerStore(path: copy))
  }

  @Test(arguments: Way.allCases, [1, 2, 3])
  func `a copy that was edited on its own is another list`(_ way: Way, edits: Int) throws {
    try withTemporaryFolder { folder in
      let (list, copy) = try pair(in: folder, way)
      let common = try list.read { try $0.version() }
      #expect(try copy.read { try $0.version() } == common)
      try list.write { for id in [1, 2] as [CustomerID] { try $0.move(id, to: .last) } }
      try copy.write { for _ in 0..<edits { try $0.update(2) { $0.note += "there" } } }
      let theirs = try copy.read { try ($0.version(), $0.undoable(), $0.snapshot()) }
      let before = try list.read { try ($0.version(), $0.snapshot(), $0.connection.contents()) }
      #expect(
        try list.read { list in try [common, before.0, theirs.0].map { try list.has($0) } } == [
          true, true, false,
        ])
      #expect(try list.read { try $0.changes(after: common)?.changes.count } == 2)
      #expect(try list.read { try $0.changes(after: theirs.0) } == nil)
      #expect(try list.read { try $0.steps(after: theirs.0) } == nil)
      #expect(try list.read { try $0.events(after: theirs.0) } == [.reload(before.1)])
      #expect(try list.read { try $0.past(at: theirs.0, beforeEditsAfter: .max) == nil })
      for customers in [[], [2]] as [[CustomerID]] {
        #expect(throws: ListError.otherHistory) {
          try list.read { try $0.refuseChangedContent(of: customers, since: theirs.0) }
        }
        #expect(throws: ListError.otherHistory) {
          try list.read { try $0.refuseChangedOrder(of: customers, since: theirs.0) }
        }
      }
      for edit in [ListEdit.delete([2], asSeenAt: theirs.0), .move([2], to: .first, asSeenAt: theirs.0)] {
        #expect(throws: ListError.otherHistory) { try list.write { try $0.apply(edit) } }
      }
      #expect(throws: ListError.self) { try list.write { try $0.undo(expecting: theirs.1) } }
      let confirmed = try copy.dryRun { try $0.propose(.delete([2])) }
      #expect(throws: StaleConfirmation.self) { try list.write { _ = try $0.apply(confirmed) } }
      var feed = list.feed(after: theirs.0)
      #expect(try feed.poll() == [.reload(before.1)])
      #expect(try list.read { try $0.connection.contents() } == before.2)
      // Back in place of the list, the copy is another one, too.
      #expect(try copy.read { try $0.has(before.0) } == false)
    }
  }

  @Test func `a copy that was not edited is the list as it was`() throws {
    try withTemporaryFolder { folder in
      let (list, copy) = try pair(in: folder, .copy)
      let known = try copy.read { try $0.version() }
      try list.write { try $0.move(4, to: .first) }
      try list.write { _ = try $0.undo() }
      #expect(try list.read { try $0.steps(after: known) }?.count == 2)
      let version = try copy.read { try $0.version() }
      try list.write { try $0.apply(.move([3], to: .first, asSeenAt: version)) }
    }
  }

  @Test
  func
    `a state is known when the history has forgotten it, after a repair, and in a backup that is restored`()
    throws
  {
    try withTemporaryFolder { folder in
      let (list, copy) = try pair(in: folder, .backup)
      var known = [try list.read { try $0.version() }]
      func edit() throws {
        known.append(
          try list.write { [known] list in
            try list.move(CustomerID(rawValue: Int64(1 + known.count % 4)), to: .last)
            return try list.version()
          })
      }
      try list.write { try $0.limitHistory(steps: 3, bytes: 1_000_000) }
      for _ in 0..<8 { try edit() }
      #expect(try list.read { list in try known.allSatisfy { try list.has($0) } })
      #expect(throws: ListError.tooLongAgo(edit: known[1].edit)) {
        try list.write { [known] in try $0.apply(.move([3], to: .first, asSeenAt: known[1])) }
      }
      try list.write { try $0.forgetHistory() }
      #expect(try list.read { try $0.version() } == known.last)
      try edit()
      try list.write { try $0.connection.execute("UPDATE node SET start = 7") }
      try list.repair()
      #expect(try list.read { list in try known.allSatisfy { try list.has($0) } })
      #expect(try list.read { list in try list.steps(after: try #require(known.last)) } == nil)
      try list.restore(
        CustomerStore.checkBackup(at: folder + "/copy.sqlite", forListAt: folder + "/list.sqlite"),
        keepingListAt: nil)
      #expect(
        try list.read { list in try known.map { try list.has($0) } } == [true]
          + known.dropFirst().map { _ in false })
      _ = copy
    }
  }

  @Test func `a customer and a section have one uid in all copies, and others have others`() throws {
    try withTemporaryFolder { folder in
      let (list, copy) = try pair(in: folder, .backup)
      let names = ["X", "Y"]
      for store in [list, copy] {
        try store.write { list in
          _ = try list.insertSection(title: "Two")
          try list.insert(CustomerFields(name: "One by one"))
          var some = names.map { NewCustomer(CustomerFields(name: $0)) }[...]
          _ = try list.insertCustomers { some.popFirst() }
          var many = (0..<200).map { NewCustomer(CustomerFields(name: "\($0)")) }[...]
          _ = try list.insertCustomers { many.popFirst() }
        }
      }
      func uids(_ store: CustomerStore, of table: String) throws -> [Int64] {
        try store.read {
          try $0.connection.fetchAll("SELECT uid FROM \(table)_uid ORDER BY id") { $0.integer(0) }
        }
      }
      let (ours, theirs) = try (uids(list, of: "customer"), uids(copy, of: "customer"))
      #expect(ours.count == 207 && Set(ours).count == 207 && ours[..<4] == theirs[..<4])
      #expect(Set(ours[4...]).isDisjoint(with: theirs[4...]))
      let sections = try (uids(list, of: "section"), uids(copy, of: "section"))
      #expect(sections.0[0] == sections.1[0] && sections.0[1] != sections.1[1])
      try list.write { try $0.connection.execute("UPDATE node SET start = 7") }
      try list.repair()
      #expect(try uids(list, of: "customer") == ours)
    }
  }

  @Test
  func
    `two with one uid are found, and after a repair, which can't know whose it is, no copy is of the list`()
    throws
  {
    try withTemporaryFolder { folder in
      let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
      let store = try CustomerStore(path: path)
      try store.write { list in
        var rows = (0..<200).map { NewCustomer(CustomerFields(name: "\($0)")) }[...]
        _ = try list.insertCustomers { rows.popFirst() }
        _ = try list.insertSection(title: "Two")
      }
      try store.write { _ = try $0.delete(7) }
      try store.write { list in
        try list.connection.executeScript(
          """
          UPDATE customer_record SET uid = (SELECT uid FROM customer_uid WHERE id = 3) WHERE id IN (7, 150);
          UPDATE section_record SET uid = 1 WHERE id = 2;
          UPDATE customer_record SET uid = (SELECT uid FROM customer_uid WHERE id = 100) WHERE id = 5;
          """)
      }
      try write(bytes(of: path), to: copy)
      #expect(throws: PullError.isDamaged(4)) { try CustomerStore.checkedCopy(at: copy) }
      let found = try store.read { try $0.check() }
      #expect(found.compactMap(\.customer) == [7, 100, 150] && found.compactMap(\.section) == [2])
      let stores = try [store, CustomerStore(path: copy)]
      let rows = try stores.map { store in
        let report = try store.repair(acceptingLoss: true)
        #expect(report.losses == ["what other copies of the list call its customers"] && report.moves == [])
        #expect(report.changes.contains("the uid of customer @150 was that of another one"))
        #expect(report.changes.contains("the uid of section @2 was that of another one"))
        #expect(try store.read { try $0.check() } == [])
        return try store.read { list in
          (
            try list.ids(in: 1),
            try list.connection.fetchAll(
              "SELECT uid FROM customer_uid UNION ALL SELECT uid FROM section_uid"
            ) { $0.integer(0) }
          )
        }
      }
      #expect(rows[0] == rows[1] && rows[0].0.count == 199 && Set(rows[0].1.dropLast(2)).count == 200)
      #expect(throws: PullError.otherList) {
        try store.pull(CustomerStore.checkedCopy(at: copy), acceptsUnrelated: true)
      }
    }
  }
}

/// Copies that were made in format 11, and are converted apart.
@Suite(.onThreads) struct ConvertedCopiesTests {
  private static let uids = "SELECT id, uid FROM customer_uid"

  private func old(_ path: String) throws -> Connection {
    try write([], to: path)
    let connection = try Connection(path: path)
    try connection.makeList(ofFormat: 11)
    return connection
  }

  /// Runs statements, each as another client and as a step of its own.
  private func run(_ path: String, _ statements: String...) throws {
    for statement in statements {
      try Connection(path: path).execute(statement)
      usleep(1100)
    }
  }

  /// Makes some random edits, as any client.
  private func edit(_ connection: Connection, _ random: inout SplitMix64, _ times: Int) throws {
    for _ in 0..<times {
      let rows = try connection.ids()
      let row = rows.randomElement(using: &random).map(SQLiteValue.integer)
      switch (random.below(8), row) {
      case (0, let row?): try connection.execute("DELETE FROM customers WHERE id = ?", [row])
      case (1, let row?): try connection.execute(#"UPDATE customers SET "order" = 1 WHERE id = ?"#, [row])
      case (2, _): try connection.execute("INSERT INTO sections (title) VALUES (hex(randomblob(8)))")
      case (3, _):
        try connection.execute(
          """
          INSERT INTO revert_step
          SELECT id, 'undo' FROM history_step WHERE kind = 'edit' AND state = 'done' ORDER BY id DESC LIMIT 1
          """)
      case (4, _) where random.oneIn(8): try connection.execute("UPDATE history_limit SET steps = 4")
      case (6, let row?):
        try connection.execute("UPDATE customers SET phone = phone || 1 WHERE id = ?", [row])
      case (5, _) where random.oneIn(8):
        try connection.execute("INSERT INTO forget_history SELECT max(id) FROM history_step")
      default:
        try connection.execute(
          "INSERT INTO customers (last_name) SELECT hex(randomblob(8)) FROM (VALUES (1), (2), (3)) LIMIT ?",
          [.integer(1 + random.below(3))])
      }
      // A step of another client is what it does in a millisecond.
      usleep(1100)
    }
  }

  @Test(arguments: sampled(0..<500, oneIn: 125))
  func `rows of both have equal uids or their ids, and no two rows one uid`(seed: Int) throws {
    try withTemporaryFolder { folder in
      var random = SplitMix64(seed: seed)
      let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
      var first = Optional(try old(path))
      try edit(try #require(first), &random, 12)
      let common = try #require(first).fetchAll("SELECT id FROM customer_record", []) { $0.integer(0) }
      let steps = try #require(first).fetchAll("SELECT id FROM history_step", []) { $0.integer(0) }
      first = nil
      try write(bytes(of: path), to: copy)
      for file in [path, copy] { try edit(Connection(path: file), &random, 8) }
      let twice = folder + "/twice.sqlite"
      try write(bytes(of: path), to: twice)
      let found = try [path, copy, twice].map { file in
        let connection = try Connection(path: file)
        try Migrations.migrator.migrate(connection)
        #expect(try connection.brokenInvariants() == [])
        let rows = try connection.fetchAll(Self.uids, []) { ($0.integer(0), $0.integer(1)) }
        let marks = try connection.fetchAll("SELECT id, mark FROM history_step", []) {
          ($0.integer(0), $0.integer(1))
        }
        return (rows: Dictionary(uniqueKeysWithValues: rows), marks: Dictionary(uniqueKeysWithValues: marks))
      }
      let (ours, theirs) = (found[0], found[1])
      #expect(found[2].rows == ours.rows && found[2].marks == ours.marks)
      #expect(
        Set(ours.rows.values).count == ours.rows.count && Set(ours.marks.values).count == ours.marks.count)
      for (id, uid) in ours.rows {
        guard let other = theirs.rows[id] else { continue }
        if common.contains(id) {
          #expect(uid == other || uid == id || other == id, "@\(id)")
        } else {
          #expect(uid != other || uid == id, "@\(id)")
        }
      }
      for (id, mark) in ours.marks where theirs.marks[id] != nil {
        #expect((theirs.marks[id] == mark) == steps.contains(id), "step \(id)")
      }
      // When they come together, no one is there twice.
      let stores = try [path, copy].map { try CustomerStore(path: $0) }
      let people = try stores.map { store in
        try Set(
          store.read { list in try list.sections().flatMap { try list.ids(in: $0.id) }.map(\.rawValue) })
      }
      let old = Set(common)
      let all =
        people[0].union(people[1]).intersection(old).count
        + people.map { $0.subtracting(old).count }.reduce(0, +)
      try PullWorld.pull(stores[0], stores[1])
      #expect(try stores[0].read { try $0.count() } <= all)
      let names = try stores[0].read { list in
        try list.connection.fetchAll("SELECT last_name FROM customers") { $0.text(0) }
      }
      #expect(Set(names).count == names.count, "someone is there twice")
      try PullWorld.pull(stores[1], stores[0])
      #expect(try PullWorld.state(stores[0]) == PullWorld.state(stores[1]))
      #expect(try PullWorld.pull(stores[0], stores[1]).relation == .same)
      for store in stores { #expect(try store.read { try $0.check() } == []) }
    }
  }
}

extension ConvertedCopiesTests {
  /// What the log of a copy still knows when it is converted.
  enum Memory: CaseIterable { case trimmed, forgotten }

  @Test(arguments: Memory.allCases, [false, true])
  func `a row whose insertion the log of one copy forgot is the same in both`(
    _ memory: Memory, pullsThere: Bool
  )
    throws
  {
    try withTemporaryFolder { folder in
      let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
      _ = try old(path)
      try run(
        path, "INSERT INTO sections (title) VALUES ('Two')",
        "INSERT INTO customers (note) VALUES ('a'), ('b'), ('c')",
        "UPDATE customers SET phone = 1", "UPDATE customers SET phone = 2", "UPDATE customers SET phone = 3")
      try write(bytes(of: path), to: copy)
      switch memory {
      case .trimmed: try run(path, "UPDATE history_limit SET steps = 3")
      case .forgotten: try run(path, "INSERT INTO forget_history SELECT max(id) FROM history_step")
      }
      try run(
        path, "UPDATE customers SET phone = 4 WHERE note = 'a'", "INSERT INTO customers (note) VALUES ('d')")
      try run(
        copy, "UPDATE customers SET company = 'x' WHERE note = 'a'", "DELETE FROM customers WHERE note = 'c'",
        "INSERT INTO customers (note) VALUES ('e')")
      var stores: [CustomerStore] = []
      for file in [path, copy] {
        try Migrations.migrator.migrate(Connection(path: file))
        stores.append(try CustomerStore(path: file))
      }
      let before = try stores.map { store in try store.read { try $0.uuid(of: 1) } }
      try #require(before[0] != before[1])
      if pullsThere { stores.reverse() }
      let summary = try PullWorld.pull(stores[0], stores[1])
      #expect(summary.relation == .apart && summary.added == 1 && summary.conflicts.isEmpty)
      let people = try stores[0].read { list in
        try list.connection.fetchAll("SELECT note || phone || company FROM customers ORDER BY note") {
          $0.text(0)
        }
      }
      #expect(people == ["a4x", "b3", "d", "e"])
      #expect(try stores[0].read { try $0.sections().map(\.title) } == ["Customers", "Two"])
      #expect(try stores[0].read { try $0.uuid(of: 1) } == before[1])
      try PullWorld.pull(stores[1], stores[0])
      #expect(try PullWorld.state(stores[0]) == PullWorld.state(stores[1]))
      for store in stores { #expect(try store.read { try $0.check() } == []) }
      #expect(try PullWorld.pull(stores[0], stores[1]).relation == .same)
      try stores[0].write { _ = try $0.undo() }
      #expect(try stores[0].read { try $0.check() } == [])
    }
  }
}

extension ConvertedCopiesTests {
  /// Where a row gets another name between a pull and the one back.
  enum Renaming: CaseIterable { case none, here, there }

  @Test(arguments: [false, true], Renaming.allCases)
  func `a row that has one name in both is one, even if no common state is known`(
    pullsThere: Bool, _ renaming: Renaming
  ) throws {
    try withTemporaryFolder { folder in
      let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
      _ = try old(path)
      try run(
        path, "INSERT INTO sections (title) VALUES ('Two')",
        "INSERT INTO customers (section, first_name) VALUES (1, 'Ann'), (2, 'Bob'), (2, 'Cid')",
        "INSERT INTO customers (company) VALUES ('Acme')",
        "INSERT INTO customers (email) VALUES ('e@x.example'), ('f@x.example')")
      try write(bytes(of: path), to: copy)
      try run(
        path, "UPDATE customers SET phone = '1' WHERE first_name = 'Ann'",
        "INSERT INTO customers (first_name) VALUES ('OnlyA')")
      try run(
        copy, "UPDATE customers SET note = 'b' WHERE first_name = 'Ann'",
        "UPDATE customers SET first_name = 'Cy' WHERE first_name = 'Cid'",
        "UPDATE customers SET note = 'b' WHERE email = 'f@x.example'",
        "INSERT INTO customers (first_name) VALUES ('OnlyB')",
        "INSERT INTO forget_history SELECT max(id) FROM history_step")
      var stores: [CustomerStore] = []
      for file in [path, copy] {
        try Migrations.migrator.migrate(Connection(path: file))
        stores.append(try CustomerStore(path: file))
      }
      if pullsThere { stores.reverse() }
      func rows(_ store: CustomerStore) throws -> [String] {
        try store.read { list in
          try list.connection.fetchAll(
            """
            SELECT section || ' ' || first_name || company || email || ' ' || phone || note FROM customers
            ORDER BY first_name, company, email, note
            """
          ) { $0.text(0) }
        }
      }
      let before = try rows(stores[0])
      let summary = try PullWorld.pull(stores[0], stores[1])
      // Who was renamed is there twice, and so is who has no name and was changed.
      let all = [
        "1 e@x.example ", "1 f@x.example ", "1 f@x.example b", "1 Acme ", "1 Ann 1b", "2 Bob ", "2 Cid ",
        "2 Cy ", "1 OnlyA ", "1 OnlyB ",
      ]
      #expect(summary.relation == .unrelated && summary.added == 3 && summary.moved == 0)
      #expect(try rows(stores[0]) == all)
      #expect(try stores[0].read { try $0.sections().map(\.title) } == ["Customers", "Two"])
      try stores[0].write { _ = try $0.undo() }
      #expect(try rows(stores[0]) == before)
      try PullWorld.pull(stores[0], stores[1])
      #expect(try rows(stores[0]) == all)
      if renaming != .none {
        try stores[renaming == .here ? 0 : 1].write {
          try $0.update(1) { $0.firstName = "Di" }
        }
      }
      try PullWorld.pull(stores[1], stores[0])
      try PullWorld.pull(stores[0], stores[1])
      #expect(try PullWorld.state(stores[0]) == PullWorld.state(stores[1]))
      let last = try rows(stores[0])
      #expect(last.count == all.count && last.contains(renaming == .none ? "1 Ann 1b" : "1 Di 1b"))
      #expect(try PullWorld.pull(stores[1], stores[0]).relation == .same)
      for store in stores { #expect(try store.read { try $0.check() } == []) }
    }
  }

  @Test func `a list that never had format 11 has no row by its number`() throws {
    let first = try CustomerStore.inMemory()
    try first.write { list in for name in ["Ann", "Bob"] { try list.insert(CustomerFields(name: name)) } }
    let stores = [first, try first.copyInMemory()]
    try stores[1].write { try $0.connection.execute("UPDATE customer_record SET uid = id") }
    for store in stores {
      try store.write { try $0.update(1) { $0.phone += "1" } }
      try store.write { try $0.forgetHistory() }
      try store.write { try $0.update(1) { $0.phone += "1" } }
      try store.write { try $0.forgetHistory() }
    }
    #expect(try PullWorld.pull(stores[0], stores[1]).relation == .unrelated)
    #expect(try stores[0].read { try $0.count() } == 4)
  }
}

/// Who made a step: the account, and whoever a key names.
@Suite struct PersonTests {
  @Test func `all steps of a transaction name who made them, and no other step`() throws {
    let file = try TemporaryStore("Ann, Bob")
    var options = CustomerStore.Options()
    (options.user, options.host, options.person) = ("office", "desk", "Cid")
    let store = try CustomerStore(path: file.path, options: options)
    try store.write { try $0.move(1, to: .last) }
    try store.write { list in
      try list.insert(CustomerFields(note: "1"))
      _ = try list.undo()
    }
    try file.store.write { _ = try $0.insert(CustomerFields(note: "2")) }
    let steps = try store.read { try $0.history() }
    #expect(steps.map(\.person) == ["", "Cid", "Cid", "Cid", ""] && steps[1].user == "office")
    #expect(steps[1].author == "Cid" && steps[1].isOfAnotherPerson)
  }
}
