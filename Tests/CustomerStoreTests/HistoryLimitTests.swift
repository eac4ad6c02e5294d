@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The history forgets the oldest steps, and nothing that is still needed.
@Suite(.onThreads) struct HistoryLimitTests {
  @Test(arguments: sampled(0..<12, oneIn: 12))
  func `the history stays within its limits, and the right steps can be undone`(seed: Int) throws {
    let steps = [1, 2, 3, 7, 20, 1000][seed % 6]
    let bytes = [64_000_000, 64_000_000, 3_000, 300, 0, 700][seed / 2]
    var walk = try HistoryWalk(seed: 300 + seed)
    try walk.store.write { list in try list.limitHistory(steps: steps, bytes: bytes) }
    var lastEdit: Int64 = 0
    for number in 1...60 {
      try walk.edit()
      try expectTrimmed(walk.store, steps: steps, bytes: bytes)
      // The history may be shorter than the model's, but its steps must be right.
      if number % 10 == 0 {
        var undone = 0
        while try canUndo(walk.store) {
          #expect(try walk.undo())
          undone += 1
        }
        #expect(undone <= steps)
        for _ in 0..<max(0, undone - number % 4) { #expect(try walk.redo()) }
      }
      let edit = try walk.store.read { try $0.lastEdit() }
      #expect(edit >= lastEdit)
      lastEdit = edit
    }
    #expect(try walk.store.read { try $0.check() } == [])
  }

  @Test func `a record stays as long as its last deletion can be undone, or its customer is there`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid")
    try store.write { list in try list.limitHistory(steps: 6, bytes: 64_000_000) }
    let first = try store.read { try $0.history(limit: 1).first?.id ?? 0 }
    // Ann is deleted by the first step, and after its revert by an undo.
    try store.write { list in try list.delete([1]) }
    try store.write { list in _ = try list.revert(first + 1) }
    try store.write { list in _ = try list.undo() }
    // Bob is deleted, and there again.
    try store.write { list in try list.delete([2]) }
    try store.write { list in _ = try list.revert(first + 4) }
    let records = { try store.read { list in try list.connection.count("customer_record") } }
    for number in 1...8 {
      try store.write { list in try list.update(3) { $0.note = "\(number)" } }
      #expect(try store.read { try $0.check() } == [])
      // The undo was the third step.
      let isKept = try store.read { list in
        try list.connection.count("history_step WHERE id = \(first + 3)") == 1
      }
      #expect(try records() == (isKept ? 3 : 2))
    }
    #expect(try records() == 2)
    while try store.write({ list in try list.undo() }) != nil {}
    #expect(try store.read { list in try list.check() } == [])
    #expect(try store.read { list in try list.count() } == 2)
  }

  @Test func `the oldest step is reverted as a whole, though the revert is a step more than is kept`() throws
  {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid, Dee, Eve")
    try store.write { list in try list.limitHistory(steps: 3, bytes: 64_000_000) }
    let before = try store.read { try $0.connection.contents() }
    try store.write { list in
      for id in [1, 2] as [CustomerID] { try list.update(id) { $0.note = "x" } }
      try list.delete([3, 4])
    }
    for note in ["1", "2"] { try store.write { list in try list.update(5) { $0.note = note } } }
    let first = try #require(try store.read { try $0.history().last?.id })
    try store.write { list in
      try list.revert(first)
      #expect(try list.count() == 5)
    }
    try store.write { list in try list.update(5) { $0.note = "" } }
    #expect(try store.read { try $0.connection.contents() } == before)
    #expect(try store.read { try $0.check() } == [])
    #expect(try store.read { try $0.history().count } == 3)
  }

  private func canUndo(_ store: CustomerStore) throws -> Bool {
    try store.read { list in
      try list.connection.count("history_step WHERE kind = 'edit' AND state = 'done'") > 0
    }
  }

  /// After an edit; undo and redo keep all that they may need.
  private func expectTrimmed(_ store: CustomerStore, steps: Int, bytes: Int) throws {
    try store.read { list in
      let connection = list.connection
      let kept = try connection.fetchAll("SELECT id, bytes, first_edit FROM history_step ORDER BY id") {
        row in
        (step: row.integer(0), bytes: row.int(1), edit: row.integer(2))
      }
      let isAfterTurn = try connection.fetchOne("SELECT kind <> 'edit' FROM last_step") { $0.bool(0) } ?? true
      guard !isAfterTurn, let first = kept.first, let last = kept.last else { return }
      #expect(kept.count <= steps)
      #expect(last.step - first.step + 1 == Int64(kept.count))
      #expect(kept.dropLast().reduce(0) { $0 + $1.bytes } <= bytes)
      let edit = try connection.fetchOne("SELECT min(id) FROM history_edit") { $0.integer(0) }
      #expect(edit == first.edit)
      let left = try connection.count("history_row WHERE edit NOT IN (SELECT id FROM history_edit)")
      #expect(left == 0)
      let needed = try connection.count(
        """
        (SELECT deleted_by FROM customer_record WHERE deleted_by IS NOT NULL
          UNION ALL SELECT deleted_by FROM section_record WHERE deleted_by IS NOT NULL)
        WHERE deleted_by NOT IN (SELECT id FROM history_edit)
        """)
      #expect(needed == 0)
    }
  }

  @Test func `deleted data leaves the file when the history forgets it`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      let store = try CustomerStore(path: path)
      let secrets = ["first secret", "second secret", "third secret", "fourth secret", "old secret"]
      try store.write { list in
        for secret in secrets.prefix(2) { try list.insert(CustomerFields(note: secret)) }
        var rest = secrets[2..<3]
        try list.insert { rest.popFirst().map { CustomerFields(note: $0) } }
        let section = try list.addSection(title: secrets[3])
        try list.moveSection(section.id, to: 1)
        try list.insert(CustomerFields(note: secrets[4]))
      }
      try store.write { list in try list.update(CustomerID(rawValue: 4)) { $0.note = "" } }
      try store.write { list in
        try list.delete([1, 2, 3, 4].map(CustomerID.init))
        try list.deleteSection(SectionID(rawValue: 2))
      }
      let kept = String(decoding: try bytes(of: path), as: UTF8.self)
      for secret in secrets { #expect(kept.contains(secret)) }

      try store.write { list in
        try list.limitHistory(steps: 1, bytes: 64_000_000)
        try list.insert(CustomerFields(firstName: "Later"))
      }
      let forgotten = String(decoding: try bytes(of: path), as: UTF8.self)
      for secret in secrets { #expect(!forgotten.contains(secret)) }
      #expect(forgotten.contains("Later"))
      let (records, violations, ids) = try store.read { list in
        (
          try list.connection.count("customer_record") + list.connection.count("section_record"),
          try list.check(), try list.connection.ids()
        )
      }
      #expect(records == 2)
      #expect(violations == [])
      #expect(ids == [5])
    }
  }

  @Test(arguments: [1, 100])
  func `what the history keeps of deleted customers counts for its limit`(count: Int) throws {
    let store = try CustomerStore.inMemory()
    var fields = CustomerFields()
    fields.note = String(repeating: "x", count: 1_000)
    try store.write { list in for _ in 0..<count { try list.insert(fields) } }
    try store.write { list in try list.delete((1...count).map { CustomerID(rawValue: Int64($0)) }) }
    let bytes = try store.read { try $0.connection.fetchOne("SELECT bytes FROM last_step") { $0.int(0) } }
    #expect(bytes ?? 0 >= 1_000 * count)
  }

  @Test func `the id of a forgotten customer is not reused`() throws {
    let store = try CustomerStore.inMemory()
    let insert = "INSERT INTO customers (id, note) VALUES (1, 'x')"
    try store.write { list in
      try list.connection.execute(insert)
      try list.limitHistory(steps: 2, bytes: 64_000_000)
    }
    try store.write { list in try list.delete([CustomerID(rawValue: 1)]) }
    _ = try store.write { list in try list.undo() }
    try store.write { list in try list.delete([CustomerID(rawValue: 1)]) }
    for number in 0..<4 {
      #expect(throws: StoreError.self) { try store.write { list in try list.connection.execute(insert) } }
      try store.write { list in _ = try list.addSection(title: "\(number)") }
    }
    #expect(try store.read { try $0.connection.count("customer_record") } == 0)
    #expect(try store.write { list in try list.insert(CustomerFields()).id.rawValue } == 2)
  }

  @Test func `a follower gets the whole list if steps it has not seen were forgotten`() throws {
    let store = try CustomerStore.inMemory()
    let start = try store.write { list in
      try list.insert(CustomerFields())
      return try list.version()
    }
    try store.write { list in try list.limitHistory(steps: 2, bytes: 64_000_000) }
    var feed = store.feed(after: start)
    var versions = [start]
    for _ in 0..<4 {
      versions.append(
        try store.write { list in
          try list.insert(CustomerFields())
          return try list.version()
        })
    }
    let counts = try store.read { list in try versions.map { try list.changes(after: $0)?.changes.count } }
    #expect(counts == [nil, nil, 2, 1, 0])
    #expect(try store.read { try $0.changes(after: start.at(start.edit + 99)) } == nil)
    let snapshot = try store.read { try $0.snapshot() }
    #expect(snapshot.version.edit == start.edit + 4)
    #expect(try feed.poll() == [.reload(snapshot)])
    try store.write { list in _ = try list.undo() }
    let place = CustomerPlace(section: SectionID(rawValue: 1), order: 5)
    guard case .step(let step)? = try feed.poll().first else {
      Issue.record("no step")
      return
    }
    #expect(step.changes == [.delete(CustomerID(rawValue: 5), from: place)])
    #expect(step.kind == .undo)
  }
}
