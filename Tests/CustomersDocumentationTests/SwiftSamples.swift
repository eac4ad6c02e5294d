import CSQLite
import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomerTransfer
import CustomersTestSupport
import CustomersWeb
import Foundation
import FoundationNetworking
import Synchronization
import Testing

/// The Swift samples of the README and the articles, in their words: `SampleTests` compares them.
///
/// `customers.sqlite` is a file of its own in each test.
@Suite(.onThreads) struct SwiftSamples {
  let temporary: TemporaryList
  let path: String

  init() throws {
    temporary = try TemporaryList("Ann Lee, Bob, Cid, Dee, Eve | Leads: Fay, Gus")
    path = temporary.path
  }

  private var store: CustomerStore { temporary.store }
  private func id(_ name: String) throws -> CustomerID {
    try store.read { list in try list.search(name)[0].id }
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
      try list.apply(.section(.add(title: "Leads")))
      let leads = try list.sections()[1]
      try list.move([ann.id], to: .first, in: leads.id)
    }
    #expect(try store.difference(from: "Bob Ray, Cid van Dam | Leads: Ann Lee") == nil)

    let names = try store.read { list in
      var names: [String] = []
      try list.forEach { customer in
        names.append(customer.fields.name)
        return true  // false stops
      }
      return names
    }
    let found = try store.read { list in try list.search("lee", limit: 10) }
    let page = try store.read { list in try list.page(from: 1, limit: 50, in: list.sections()[0].id) }
    #expect(names.count == 3 && found.map(\.id) == [ann.id] && page.count == 2)

    try store.write { list in
      try list.update(ann.id) { $0[.extra("Area")] = "North" }
    }
    #expect(try store.read { list in try list.customer(ann.id).fields[.extra("Area")].text } == "North")

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

  @Test func `a copy that was edited elsewhere`() throws {
    let (bob, folder) = (try id("Bob"), try TemporaryFolder())
    try FileManager.default.copyItem(
      atPath: path, toPath: "\(folder.path)/customers (conflict).sqlite")
    try store.write { list in
      try list.update(bob) { $0.phone = "1" }
      try list.move([try list.search("Eve")[0].id], to: .first)
    }
    let copy = try CustomerStore(path: "\(folder.path)/customers (conflict).sqlite")
    try copy.write { list in
      try list.update(bob) { $0.phone = "2" }
      try list.insert(CustomerFields(name: "Hal"), at: .after(bob))
      try list.delete([try list.search("Cid")[0].id])
    }
    var printed: [String] = []
    do {
      let folder = folder.path
      func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
      let planned = try store.pull(folder + "/customers (conflict).sqlite", isDryRun: true)
      #expect(planned == (1, 1, 0, 1, 0))
      #expect(try store.difference(from: "Eve, Ann Lee, Bob, Cid, Dee | Leads: Fay, Gus") == nil)

      let there = "\(folder)/customers (conflict).sqlite"
      let done = try store.pull(there) { conflict in
        print(conflict.text)
        return conflict.keepsOurs
      }
      print(done.added, done.changed, done.moved, done.deleted)

      #expect(try store.pull(there) == (0, 0, 0, 0, 0))
    }
    #expect(printed.count == 2 && printed[0].contains("Bob") && printed.last == "1 1 0 1", "\(printed)")
    #expect(try store.difference(from: "Eve, Ann Lee, Bob, Hal, Dee | Leads: Fay, Gus") == nil)
    #expect(try store.read { try $0.customer(bob).fields.phone } == "2")
    try store.write { list in try list.undo() }
    #expect(try store.difference(from: "Eve, Ann Lee, Bob, Cid, Dee | Leads: Fay, Gus") == nil)

    // The other side counts if the app says so, and each conflict is asked about.
    var asked: [String?] = []
    let kept = try store.pull("\(folder.path)/customers (conflict).sqlite") { conflict in
      asked += [conflict.ours, conflict.theirs]
      #expect(conflict.customer == bob && !conflict.keepsOurs)
      return true
    }
    #expect(asked == ["1", "2"] && kept == (1, 0, 0, 1, 0), "\(asked) \(kept)")
    #expect(try store.read { try $0.customer(bob).fields.phone } == "1")
    // In the other direction there is nothing to decide, and both are the same.
    #expect(try copy.pull(path) { _ in throw CancellationError() } == (0, 1, 1, 0, 0))
    #expect(try copy.difference(from: "Eve, Ann Lee, Bob, Hal, Dee | Leads: Fay, Gus") == nil)

    // Another list is none of its copies, and what an app throws is passed on.
    let other = try TemporaryList("Ann Lee")
    let before = try store.read { try $0.history().count }
    #expect { try store.pull(other.path) } throws: { error in
      error.localizedDescription == "it is not a copy of this list"
    }
    try copy.write { list in try list.update(bob) { $0.phone = "3" } }
    try store.write { list in try list.update(bob) { $0.phone = "4" } }
    #expect(throws: CancellationError.self) {
      try store.pull("\(folder.path)/customers (conflict).sqlite") { _ in throw CancellationError() }
    }
    #expect(throws: StoreError.missing) { try store.pull(folder.path + "/none.sqlite") }
    #expect(try store.read { try $0.history().count } == before + 1)
  }

  @Test func `edits together`() throws {
    let bob = try id("Bob")
    try store.write(action: "welcome") { list in
      let zoe = try list.insert(CustomerFields(name: "Zoë Müller"), at: .first)
      try list.update(zoe.id) { $0.note = "Met at the fair" }
      try list.apply(.protect([zoe.id], canMove: false))
    }

    let edit = ListEdit.move([bob], to: .first)
    let preview = try store.dryRun { list in try list.apply(edit) }
    let outcome = try store.write { list in try list.apply(edit) }
    for row in outcome.rows { print(row.customer.fields.name, row.from?.order ?? 0, row.to?.order ?? 0) }
    #expect(preview == outcome && outcome.rows.map { $0.to?.order } == [1])

    let reverted = try store.write { list in try list.undo() }
    print(reverted?.action ?? "nothing to undo")
    try store.write { list in try list.redo() }

    try store.read { list in
      for step in try list.history(limit: 20) {
        print(step.id, step.time, step.user, step.action)
      }
    }
    #expect(try store.difference(from: "Bob, Zoë Müller, Ann Lee, Cid, Dee, Eve | Leads: Fay, Gus") == nil)
  }

  @Test func `two people, one customer`() throws {
    let bob = try id("Bob")
    let seen = try store.read { list in try list.customer(bob).fields }
    var mine = seen
    mine.note = "mine"
    try store.write { list in try list.update(bob) { $0.note = "theirs" } }
    var printed = ""
    func print(_ text: String) { printed = text }
    do {
      try store.write { list in try list.apply(.save(bob, from: seen, to: mine)) }
    } catch {
      print(error.localizedDescription)  // which fields; read the customer again and ask the user
    }
    #expect(printed == "customer @2 has been changed since: note")
    #expect(try store.read { list in try list.customer(bob).fields.note } == "theirs")
  }

  @Test func `following changes`() async throws {
    let (store, bob) = (store, try id("Bob"))
    let section = try await store.read { list in try list.sections()[0].id }
    let view = PlainView(stopsAfter: 2)
    let follower = Task {
      for try await _ in store.changes() {
        view.show(try await store.read { list in try list.page(from: 1, limit: 50, in: section) })
      }
    }
    let writer = Task {
      while !Task.isCancelled {
        try await store.write { list in _ = try list.apply(.moveBy([bob], 1)) }
        try await store.write { list in _ = try list.apply(.moveBy([bob], -1)) }
      }
    }
    _ = await follower.result
    writer.cancel()
    try? await writer.value
    #expect(view.count <= 0)

    let rows = try await store.write(action: "drag") { list in
      try list.move([bob], to: .first)
      return try list.page(from: 1, limit: 50, in: section)
    }
    view.show(rows)
    #expect(view.rows.first?.id == bob)
  }

  @Test func `errors and waiting`() throws {
    let store = try CustomerStore(path: path, busyTimeout: .seconds(2))
    let (bob, spinner) = (try id("Bob"), Spinner())
    func move() throws {
      try store.write(
        busyTimeout: .seconds(30),
        whileWaiting: { _ in
          spinner.show()
          return !spinner.isCanceled
        },
        { list in try list.move([bob], to: .first) })
    }
    try move()
    #expect(spinner.count == 0)
    try self.store.write { list in
      try list.move([bob], to: .last)
      #expect(throws: StoreError.locked) { try move() }
    }
    #expect(spinner.count == 2)

    let traced = try CustomerStore(path: path) { sql, duration in
      if duration > .milliseconds(100) { print(duration, sql) }
    }
    #expect(try traced.read { try $0.search("").count } == 7)
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
    for field in form?.fields ?? [] { print(field.label, form?[field.id].text ?? "") }
    form?[.field(.email)] = .text("bob@ray.example")
    if let edited = form { form = await list.save(edited) }
    #expect(form == nil && list[id]?.fields.email == "bob@ray.example")
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

  @Test func `files into a list and back`() async throws {
    let folder = try TemporaryFolder()
    let (path, damaged) = (folder.path + "/people.csv", folder.path + "/damaged.csv")
    try "name,email,Town,Internal\nZoë,zoe@x.example,Bonn,1\nYul,,Kiel,2\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    try "name,note\nEve,x\nBob\n".write(toFile: damaged, atomically: true, encoding: .utf8)
    let store = try CustomerStore.inMemory("Ann")
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
    @Sendable func show(_ done: Int, of total: Int) { precondition(done <= total) }

    let imported = try await store.importCustomers(
      path: path, columns: ["Town": .address, "Internal": nil],
      duplicates: .update  // customers with the same e-mail address
    ) { done, total in
      show(done, of: total)  // bytes, on a thread of its own
    }
    print(imported.added, "new,", imported.updated, "changed,", imported.skipped, "as they were")
    #expect(printed.last == "2 new, 0 changed, 0 as they were")
    #expect(try await store.read { try $0.search("Yul")[0].fields.address } == "Kiel")
    #expect(try await store.read { try $0.search("Yul")[0].fields[.extra("Internal")] } == "")

    do {
      try await store.importCustomers(path: damaged)
    } catch {
      print(error)  // 1 row of the file can't be imported; line 3: …
      let rest = try await store.importCustomers(path: damaged, skipsRejectedRows: true)
      print(rest.rejected, "left out")
    }
    let reason = "line 3: expected 2 fields, found 1"
    #expect(printed.suffix(2) == ["1 row of the file can't be imported; \(reason)", "1 left out"])
    #expect(try store.difference(from: "Ann, Zoë, Yul, Eve") == nil)

    let count = try await store.exportCustomers(
      to: path, fields: [.firstName, .lastName, .email, .phone], includesIDs: true)
    #expect(count == 4)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("Ann,,,", with: "Ann,Lee,ann@lee.example,").write(
      toFile: path, atomically: true, encoding: .utf8)
    let returned = try await store.importCustomers(path: path, duplicates: .update, keys: ["id"])
    #expect(returned.updated == 1 && returned.added == 0)
    #expect(try store.difference(from: "Ann Lee, Zoë, Yul, Eve") == nil)
  }

  @Test func `the overview of CustomerTransfer`() async throws {
    let folder = try TemporaryFolder()
    let (contacts, customers) = (folder.path + "/contacts.csv", folder.path + "/customers.csv")
    try "name\nZoë\n".write(toFile: contacts, atomically: true, encoding: .utf8)
    let store = store
    try await store.importCustomers(path: contacts)
    let count = try await store.exportCustomers(to: customers)
    #expect(count == 8)
    #expect(try String(contentsOfFile: customers, encoding: .utf8).contains("\nZoë,"))
  }

  @Test func `serving the page from a program`() async throws {
    let (address, told) = AsyncStream.makeStream(of: String.self)
    @Sendable func print(_ text: String, _ url: String) { told.yield(url) }
    let store = store

    let api = ListAPI(store, named: "Customers")
    let page = Task {
      try await api.serve { address in
        print("The list is at", address)
      }
    }
    let url = try #require(await address.first { _ in true })
    let parts = url.split(separator: "#")
    var request = URLRequest(url: try #require(URL(string: parts[0] + "v1/rows?limit=1")))
    #expect(try await Self.status(of: request) == 401)
    request.setValue("Bearer \(parts[1])", forHTTPHeaderField: "Authorization")
    #expect(try await Self.status(of: request) == 200)
    page.cancel()
    _ = try await page.value

    let (status, type, body) = await api.answer(
      "POST", "/v1/edits",
      body: Array(#"{"edits": [{"move": {"ids": [2], "to": "first"}}]}"#.utf8))
    #expect(status == 200 && type == "application/json" && !body.isEmpty)
    #expect(try store.difference(from: "Bob, Ann Lee, Cid, Dee, Eve | Leads: Fay, Gus") == nil)
    let rows = await api.answer("GET", "/v1/rows?limit=1&fields=name")
    #expect(String(decoding: rows.body, as: UTF8.self).contains("\"Bob\""))
    #expect(await api.answer("GET", "/v1/rows?limit=%").status == 400)
    #expect(
      await ListAPI(store, isReadOnly: true).answer("POST", "/v1/undo", body: Array("{}".utf8)).status == 403)
  }

  private static func status(of request: URLRequest) async throws -> Int? {
    (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  @Test func `testing with fixtures`() throws {
    let store = try CustomerStore.inMemory("Ann Lee, Bob | Leads: Cid")
    try store.write { list in
      let bob = try list.search("Bob")[0]
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

/// A view of rows.
final class PlainView: Sendable {
  private let shown = Mutex([Customer]())
  private let rest: Mutex<Int>
  /// The number of times to show rows before it cancels its task.
  var count: Int { rest.withLock(\.self) }
  var rows: [Customer] { shown.withLock(\.self) }

  /// Creates a view that cancels its task after showing rows some times.
  init(stopsAfter count: Int) { rest = Mutex(count) }

  func show(_ rows: [Customer]) {
    shown.withLock { $0 = rows }
    rest.withLock { $0 -= 1 }
    if count == 0 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
  }
}

/// A list in a file, with the names of a sample, and its folder, which is deleted with this object.
final class TemporaryList: Sendable {
  let store: CustomerStore
  let path: String
  private let folder = try? TemporaryFolder()

  init(_ sample: String) throws {
    path = try #require(folder).path + "/customers.sqlite"
    store = try CustomerStore(path: path)
    try store.write { list in
      for (index, section) in sample.components(separatedBy: " | ").enumerated() {
        let parts = section.components(separatedBy: ": ")
        if index > 0 { try list.apply(.section(.add(title: parts[0]))) }
        let names = (parts.last ?? "").components(separatedBy: ", ")
        try list.apply(
          .insert(names.map { NewCustomer(CustomerFields(name: $0)) }, in: list.sections()[index].id))
      }
    }
  }
}

/// An empty folder, which is deleted with this object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
