import CSQLite
import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomerTransfer
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// The Swift samples of the README and the articles, in their words: `SampleTests` compares them.
///
/// `customers.sqlite` is a file of its own in each test.
@Suite(.onThreads) struct SwiftSamples {
  let temporary: TemporaryStore
  let path: String

  init() throws {
    temporary = try TemporaryStore("Ann Lee, Bob, Cid, Dee, Eve | Leads: Fay, Gus")
    path = temporary.path
  }

  private var store: CustomerStore { temporary.store }
  private func id(_ name: String) throws -> CustomerID {
    try store.read { list in try list.customer(named: name).id }
  }

  @Test func `the overview of CustomerStore`() throws {
    let store = try CustomerStore(path: path)
    try store.write { list in
      let ann = try list.insert(CustomerFields(firstName: "Ann", lastName: "Lee"), at: .place(1))
      try list.move([ann.id], to: .last)
    }
    #expect(try store.difference(from: "Ann Lee, Bob, Cid, Dee, Eve, Ann Lee | Leads: Fay, Gus") == nil)
  }

  @Test func `your first list`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new.sqlite"
    let store = try CustomerStore(path: path)

    let ann = try store.write { list in
      try list.insert(CustomerFields(firstName: "Ann", lastName: "Lee", email: "ann@lee.example"))
    }
    try store.write { list in
      try list.insert(CustomerFields(name: "Bob Ray"), at: .first)
      try list.insert(CustomerFields(name: "Cid van Dam"), at: .after(ann.id))
    }
    #expect(try store.difference(from: "Bob Ray, Ann Lee, Cid van Dam") == nil)

    try store.write { list in
      try list.move([ann.id], to: .place(1))
      let leads = try list.addSection(title: "Leads")
      try list.move([ann.id], to: .first, in: leads.id)
    }
    #expect(try store.difference(from: "Bob Ray, Cid van Dam | Leads: Ann Lee") == nil)

    let names = try store.read { list in
      var names: [String] = []
      try list.forEach { customer in
        names.append(customer.name)
        return true  // false stops
      }
      return names
    }
    let found = try store.read { list in try list.search("lee", limit: 10) }
    let page = try store.read { list in try list.page(from: 1, limit: 50, in: list.sections()[0].id) }
    #expect(names.count == 3 && found.map(\.id) == [ann.id] && page.count == 2)

    try store.write { list in
      _ = try list.apply(
        .update(
          [ann.id],
          FieldChanges(adding: [.otherContacts: ["email work: lee@office.example"], .tags: ["vip"]])))
    }
    let reachable = try store.read { list in try list.search("office", in: [.email]) }
    #expect(reachable.map(\.id) == [ann.id] && reachable[0].fields.tags == "vip")

    try store.write { list in try list.undo() }
    try store.write { list in try list.redo() }

    var printed = ""
    func print(_ error: ListError) { printed = "\(error)" }
    do {
      try store.write { list in try list.move([ann.id], to: .place(99)) }
    } catch let error as ListError {
      print(error)  // number 99 is out of range (1–1)
    }
    #expect(printed == "number 99 is out of range (1–1)")
  }

  @Test func `edits together`() throws {
    let bob = try id("Bob")
    try store.write(action: "welcome") { list in
      let zoe = try list.insert(CustomerFields(name: "Zoë Müller"), at: .first)
      try list.update(zoe.id) { $0.note = "Met at the fair" }
      try list.protect(zoe.id, canMove: false)
    }

    let edit = ListEdit.move([bob], to: .first)
    let preview = try store.dryRun { list in try list.apply(edit) }
    let outcome = try store.write { list in try list.apply(edit) }
    for row in outcome.rows { print(row.customer.name, row.from?.order ?? 0, row.to?.order ?? 0) }
    #expect(preview == outcome && outcome.rows.map { $0.to?.order } == [1])

    let reverted = try store.write { list in try list.undo() }
    print(reverted?.step.action ?? "nothing to undo")
    try store.write { list in try list.redo() }

    try store.read { list in
      for step in try list.history(limit: 20) {
        let outcome = try list.outcome(of: step)
        print(step.id, step.time, step.program, step.action, outcome.rows.map(\.customer.name))
      }
    }

    guard let offered = try store.read({ list in try list.undoable() }) else { return }
    try store.write { list in try list.undo(expecting: offered) }
    #expect(try store.difference(from: "Zoë Müller, Ann Lee, Bob, Cid, Dee, Eve | Leads: Fay, Gus") == nil)
  }

  @Test func `two people, one customer`() throws {
    let bob = try id("Bob")
    let seen = try store.read { list in try list.customer(bob).fields }
    var mine = seen
    mine.note = "mine"
    try store.write { list in try list.update(bob) { $0.note = "theirs" } }
    do {
      try store.write { list in try list.update(bob, from: seen, to: mine) }
    } catch let conflict as FieldConflict {
      print(conflict.fields.map(\.title))  // ask the user, then save from `theirs`
      try store.write { list in try list.update(bob, from: conflict.theirs, to: mine) }
    }
    #expect(try store.read { list in try list.customer(bob).fields.note } == "mine")
  }

  @Test func `following changes`() async throws {
    let (store, bob) = (store, try id("Bob"))
    let view = PlainView(stopsAfter: 2)
    let version = try await store.read { list in try list.version() }
    let follower = Task {
      for try await event in store.events(after: version) {
        switch event {
        case .step: view.show(try await store.read { try $0.snapshot() })
        case .reload(let snapshot): view.show(snapshot)
        case .waiting: break  // another program has locked the file
        }
      }
    }
    let writer = Task {
      while !Task.isCancelled {
        try await store.write { list in try list.move([bob], by: 1) }
        try await store.write { list in try list.move([bob], by: -1) }
      }
    }
    _ = await follower.result
    writer.cancel()
    try? await writer.value
    #expect(view.count <= 0)

    let written = try await store.write(
      action: "drag", since: version
    ) { list in
      try list.move([bob], to: .first)
      return try list.snapshot()
    }
    view.show(written.result)
    #expect(view.sections[0].rows.first == bob && !written.own.isEmpty)
  }

  @Test func `errors and waiting`() throws {
    var options = CustomerStore.Options()
    options.busyTimeout = .seconds(2)
    let store = try CustomerStore(path: path, options: options)
    let (bob, spinner) = (try id("Bob"), Spinner())
    func move() throws {
      try store.write(
        busyTimeout: .seconds(30),
        whileWaiting: { _ in
          spinner.show()
          return !spinner.isCanceled
        },
        { list in try list.move(bob, to: .first) })
    }
    try move()
    #expect(spinner.count == 0)
    try self.store.write { list in
      try list.move(bob, to: .last)
      #expect(throws: StoreError.locked) { try move() }
    }
    #expect(spinner.count == 2)

    options.trace = { sql, duration in
      if duration > .milliseconds(100) { print(duration, sql) }
    }
    #expect(try CustomerStore(path: path, options: options).read { try $0.count() } == 7)
  }

  @MainActor @Test func `a list screen`() async throws {
    let id = try id("Bob")
    let list = CustomerListModel(store)
    let vips = CustomerListModel(store, where: "tag=vip")
    try await list.shown()
    #expect(list.sections[0].rows.map(\.name) == ["Ann Lee", "Bob", "Cid", "Dee", "Eve"])

    list.update(id) { $0.tags = "vip" }
    func called() {
      list.perform("call") { list in try list.move([id], to: .last) }
    }
    try await list.perform("favorite") { list in
      _ = try list.apply(.update([id], [.isFavorite: .flag(true)]))
    }
    called()
    try await list.shown()
    #expect(list[id]?.fields.isFavorite == true && list.sections[0].rows.last?.name == "Bob")
    try await vips.shown()
    #expect(vips.sections[0].rows.map(\.name) == ["Bob"])
    list.undo(.mine)
    list.undo(.mine)
    list.redo(.mine)
    list.undo(.mine)
    list.undo(.mine)
    list.redo(.mine)
    try await list.shown()
    #expect(list[id]?.fields.tags == "vip" && list[id]?.fields.isFavorite == false && list.problem == nil)

    var form: FormState? = try await list.form(of: id)
    func did(_ event: FormEvent) async {
      guard let outcome = form?.update(event), let ended = form else {
        return
      }
      form = await list.perform(outcome, of: ended)
    }
    await did(.text(.insert("!")))
    await did(.save)
    #expect(form == nil && list[id]?.name == "Bob!")
  }

  /// The SQL of the article, word for word, by another client.
  @MainActor @Test func `your own tables beside the list`() async throws {
    let article = try String(
      contentsOf: URL(filePath: #filePath).appending(
        path: "../../../Sources/CustomerStore/Documentation.docc/YourOwnTables.md"
      ).standardizedFileURL, encoding: .utf8)
    let sql = article.components(separatedBy: "```sql\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let list = CustomerListModel(store, every: .milliseconds(1))
    let client = try SQLiteClient(path)
    // As GRDB does.
    try client.run("PRAGMA foreign_keys = ON")
    #expect(try client.run(sql[0]) == [])
    try await list.shown()
    #expect(list.sections[0].rows.prefix(2).map(\.name) == ["Bob", "Ann Lee"])
    #expect(try client.run(sql[1]) == ["2026-11-26 10:15 Bob wants a quote"])
    // Neither, if one of the two is refused.
    #expect(throws: SQLiteClient.Failure.self) {
      try client.run(
        """
        BEGIN IMMEDIATE; INSERT INTO calls VALUES (1, 'now', 'twice');
        UPDATE customers SET "order" = 99 WHERE id = 1; COMMIT
        """)
    }
    try client.run("ROLLBACK")
    list.undo()
    list.apply(.delete([2]))
    try await list.shown()
    #expect(list.problem == nil)
    #expect(try client.run(sql[1]) == [] && client.run("SELECT summary FROM calls") == ["wants a quote"])
    list.undo()
    try await list.shown()
    #expect(try client.run(sql[1]).count == 1)
    list.apply(.delete([2]))
    try await list.shown()
    try client.run(sql[2])
    #expect(try client.run("SELECT * FROM calls") == [])
    #expect(try store.difference(from: "Ann Lee, Cid, Dee, Eve | Leads: Fay, Gus") == nil)
  }

  @Test func `importing a file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.csv"
    try "name,email,Town,Internal\nZoë,zoe@x.example,Bonn,1\nYul,,Kiel,2\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let store = try CustomerStore.inMemory("Ann")
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    do {
      let importer = try CustomerImporter(path: path)
      let preview = try importer.preview()
      for column in preview.columns { print(column.name, "→", column.target) }
      print(preview.added, "customers, first", preview.first?.fields.name ?? "")
    }
    #expect(printed.suffix(2) == ["Internal → extra column", "2 customers, first Zoë"])

    var options = ImportOptions(format: .csv)
    try options.map("Town", to: .field(.address))
    try options.map("Internal", to: .ignored)
    options.duplicates = .update  // customers with the same e-mail address

    let trial = try store.dryRun { list in
      try list.importCustomers(from: CustomerImporter(path: path, options: options))
    }
    print(trial.added, "new,", trial.updated, "changed,", trial.skipped, "as they were")
    #expect(printed.last == "2 new, 0 changed, 0 as they were")

    let damaged = folder.path + "/damaged.csv"
    try "name,note\nEve,x\nBob\n".write(toFile: damaged, atomically: true, encoding: .utf8)
    do {
      try store.write { list in
        try list.importCustomers(from: CustomerImporter(path: damaged))
      }
    } catch let error as TransferError {
      print(error)  // 1 row of the file can't be imported
    }
    #expect(printed.last == "1 row of the file can't be imported")

    var valid = ImportOptions()
    valid.skipsRejectedRows = true
    let importer = try CustomerImporter(path: damaged, options: valid)
    importer.onRejectedRow = { row in print(row.place, row.reason) }  // line 3 expected 2 fields, found 1
    try store.write { list in try list.importCustomers(from: importer) }
    #expect(printed.last == "line 3 expected 2 fields, found 1")
    #expect(try store.difference(from: "Ann, Eve") == nil)
  }

  @Test func `importing a file in the background`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/people.csv"
    try "name,email,Town\nZoë,zoe@x.example,Bonn\nYul,,Kiel\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let store = try CustomerStore.inMemory("Ann")
    var options = ImportOptions()
    try options.map("Town", to: .field(.address))
    @Sendable func show(_ done: Int, of total: Int) { precondition(done <= total) }

    let summary = try await store.importCustomers(path: path, options: options) { done, total in
      show(done, of: total)  // bytes, on a thread of its own
    }
    #expect(summary.added == 2)
    #expect(try await store.read { try $0.customer(named: "Yul").fields.address } == "Kiel")
    try Self.importPrepared(path, options, into: store)
    #expect(try await store.read { try $0.count() } == 5)
  }

  private static func importPrepared(
    _ path: String, _ options: ImportOptions, into store: CustomerStore
  ) throws {
    let prepared = try CustomerImporter(path: path, options: options)
    try prepared.prepare(for: store)
    try store.write { list in try list.importCustomers(from: prepared) }
  }

  @Test func `handing out a list`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/list.csv"
    let store = try CustomerStore.inMemory("Ann, Bob")
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    var export = ExportOptions(format: .csv)
    export.includesIDs = true
    export.columns = [.section, .name, .field(.email), .field(.phone)]  // nil for all
    let count = try store.readAtLength { list in try list.exportCustomers(to: path, options: export) }
    #expect(count == 2)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("Bob,", with: "Rob,rob@x.example").write(
      toFile: path, atomically: true, encoding: .utf8)

    do {
      var options = ImportOptions(format: .csv)
      options.duplicates = .update
      options.keys = ["id"]
      let importer = try CustomerImporter(path: path, options: options)
      let summary = try store.write(action: "import") { list in try list.importCustomers(from: importer) }
      #expect(summary.updated == 1 && summary.added == 0)
    }
    #expect(try store.read { try $0.customer(2).fields.email } == "rob@x.example")

    try store.write { list in
      try list.undo()
      try list.update(2) { $0.email = "b@x.example" }
    }
    var options = ImportOptions(format: .csv)
    (options.duplicates, options.keys) = (.update, ["id"])
    let importer = try CustomerImporter(path: path, options: options)
    do {
      try store.write(action: "import") { list in try list.importCustomers(from: importer) }
    } catch TransferError.conflicts {
      for conflict in importer.conflicts { print(conflict.name, conflict.kind) }
    }
    #expect(printed.count == 1)
  }

  @Test func `the overview of CustomerTransfer`() throws {
    let folder = try TemporaryFolder()
    let (contacts, customers) = (folder.path + "/contacts.csv", folder.path + "/customers.csv")
    try "name\nZoë\n".write(toFile: contacts, atomically: true, encoding: .utf8)
    let importer = try CustomerImporter(path: contacts)
    try store.write(action: "import") { list in try list.importCustomers(from: importer) }
    let count = try store.readAtLength { list in try list.exportCustomers(to: customers) }
    #expect(count == 8)
    #expect(try String(contentsOfFile: customers, encoding: .utf8).contains("\nZoë,"))
  }

  @Test func `testing with fixtures`() throws {
    try Self.aListInOneLine()
    let temporary = try TemporaryStore("Ann, Bob")
    let second = try CustomerStore(path: temporary.path)
    try second.write { list in try list.delete(list.customer(named: "Ann").id) }
    #expect(try temporary.store.difference(from: "Bob") == nil)

    let long = try CustomerStore.inMemory(.generated(1_000, sections: 3, seed: 7))
    #expect(try long.read { list in try list.count() } == 1_000)
    let awkward = try CustomerStore.inMemory(.awkward)
    #expect(try awkward.difference(from: .awkward, comparing: .fields) == nil)
  }

  private static func aListInOneLine() throws {
    let store = try CustomerStore.inMemory("Ann Lee, Bob | Leads: Cid")
    try store.write { list in
      let bob = try list.customer(named: "Bob")
      try list.move([bob.id], to: .first)
    }
    #expect(try store.difference(from: "Bob, Ann Lee | Leads: Cid") == nil)
  }

  @Test func `a failed comparison shows the difference`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob | Leads: Cid")
    #expect(try store.difference(from: "Ann, Bob | Leads: Cid") == nil)
    let difference = try #require(try CustomerStore.inMemory("Bob, Ann").difference(from: "Ann, Bob"))
    #expect(
      "\(difference)" == """
        expected   found
        []       = [Customers]
        "Ann"    ≠ "Bob"
        "Bob"    ≠ "Ann"

        """)
  }
}

/// Another client of the file.
@safe final class SQLiteClient {
  struct Failure: Error {}
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    guard unsafe sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure() }
    unsafe sqlite3_busy_timeout(handle, 10_000)
  }

  deinit { unsafe sqlite3_close(handle) }

  /// Runs statements.
  ///
  /// - Returns: the rows, each with spaces between its values.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
    var rows: [String] = []
    let code = unsafe withUnsafeMutablePointer(to: &rows) { rows in
      unsafe sqlite3_exec(
        handle, sql,
        { rows, count, values, _ in
          let values = (0..<Int(count)).map { unsafe values?[$0].map { unsafe String(cString: $0) } ?? "" }
          unsafe rows?.assumingMemoryBound(to: [String].self).pointee.append(values.joined(separator: " "))
          return 0
        }, rows, nil)
    }
    guard code == SQLITE_OK else { throw Failure() }
    return rows
  }
}

/// Counts how often it is shown; at the second time, the user cancels.
final class Spinner: Sendable {
  private let shown = Mutex(0)
  var count: Int { shown.withLock { $0 } }
  var isCanceled: Bool { count == 2 }

  func show() { shown.withLock { $0 += 1 } }
}

/// A view of the order of a list.
final class PlainView: Sendable {
  private let shown = Mutex(ListSnapshot())
  private let rest: Mutex<Int>
  /// The number of snapshots to show before it cancels its task.
  var count: Int { rest.withLock(\.self) }
  var sections: [ListSnapshot.Section] { shown.withLock(\.sections) }

  /// Creates a view that cancels its task after showing a number of snapshots.
  init(stopsAfter count: Int) { rest = Mutex(count) }

  func show(_ snapshot: ListSnapshot) {
    shown.withLock { $0 = snapshot }
    rest.withLock { $0 -= 1 }
    if count == 0 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
  }
}
