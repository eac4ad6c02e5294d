import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersSQLite
import Foundation
import Observation
import Synchronization
import Testing

/// The list for a table that scrolls by itself.
@MainActor @Suite struct ListModelTests {
  @Test func `a short list is there at once, a long one soon`() async throws {
    let short = CustomerListModel(try CustomerStore.inMemory("Ann, Bob | Leads: Cid"))
    #expect(short.names == [["Ann", "Bob"], ["Cid"]])
    #expect(short.sections.map(\.title) == ["Customers", "Leads"])
    let file = try TemporaryStore()
    try await file.store.write { list in
      var names = (1...10_001).makeIterator()
      try list.insert(contentsOf: AnyIterator { names.next().map { CustomerFields(firstName: "\($0)") } })
    }
    let long = CustomerListModel(file.store)
    #expect(long.sections.isEmpty)
    try await until { long.sections.map(\.count) == [10_001] }
    #expect(long[RowPath(section: 0, row: 9_999)]?.name == "10000")
  }

  @Test func `a dropped row is there at once, and no table gets it twice`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let updates = Recorded(model)
    model.drop(RowPath(section: 0, row: 2), to: RowPath(section: 0, row: 0))
    #expect(model.names == [["Cid", "Ann", "Bob"]])
    try await until { !model.isSaving && model.undoable?.action == "move" }
    #expect(try file.names == ["Cid", "Ann", "Bob"])
    #expect(updates.all == [] && model.problem == nil)
    model.move(fromOffsets: [0, 1], toOffset: 3, in: model.sections[0].id)
    #expect(model.names == [["Bob", "Cid", "Ann"]])
    try await until { !model.isSaving }
    #expect(try file.names == ["Bob", "Cid", "Ann"])
    #expect(updates.all == [] && model.problem == nil)
  }

  @Test func `a row can be dropped again before the first drop is in the list`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let top = RowPath(section: 0, row: 0)
    for _ in 0..<4 { model.drop(top, to: RowPath(section: 0, row: 2)) }
    model.drop(RowPath(section: 0, row: 2), to: top)
    #expect(model.names == [["Ann", "Bob", "Cid"]])
    try await until { !model.isSaving }
    #expect(try file.names == ["Ann", "Bob", "Cid"] && model.problem == nil)
  }

  @Test func `a row can be dropped again past rows that stay`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid, Dan")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let rows = (0..<4).map { RowPath(section: 0, row: $0) }
    model.drop(rows[0], to: rows[2])
    model.drop(rows[2], to: rows[1])
    #expect(model.names == [["Bob", "Ann", "Cid", "Dan"]])
    try await until { !model.isSaving }
    #expect(try file.names == ["Bob", "Ann", "Cid", "Dan"] && model.problem == nil)
  }

  @Test func `a row that the list refuses to move goes back`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    try await file.store.write { list in
      _ = try list.apply(.protect([CustomerID(rawValue: 3)], canMove: false))
    }
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let updates = Recorded(model)
    model.drop(RowPath(section: 0, row: 2), to: RowPath(section: 0, row: 0))
    #expect(model.names == [["Cid", "Ann", "Bob"]])
    try await until { model.problem != nil }
    #expect(model.problem as? ListError == .moveForbidden(CustomerID(rawValue: 3)))
    try await until { !model.isSaving }
    #expect(model.names == [["Ann", "Bob", "Cid"]])
    #expect(updates.all == [.move(RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 2))])
  }

  @Test func `numbers out of range drop nothing`() throws {
    let model = CustomerListModel(try CustomerStore.inMemory("Ann, Bob"))
    let numbers = [Int.min, -1, 2, Int.max]
    for number in numbers {
      let path = RowPath(section: 0, row: number)
      #expect(model[path] == nil && model.id(at: path) == nil)
      model.drop(path, to: RowPath(section: 0, row: 0))
      model.drop(RowPath(section: 0, row: 0), to: RowPath(section: number, row: 0))
      model.move(fromOffsets: [number], toOffset: number, in: model.sections[0].id)
      model.delete(at: path)
      #expect(model.result(number) == nil)
    }
    #expect(model.names == [["Ann", "Bob"]])
    // A row below the last goes to the end.
    model.drop(RowPath(section: 0, row: 0), to: RowPath(section: 0, row: .max))
    #expect(model.names == [["Bob", "Ann"]])
  }

  @Test func `rows of a locked file are empty until it can be read`() async throws {
    let file = try TemporaryStore()
    try await file.store.write { list in
      var numbers = (1...100).makeIterator()
      try list.insert(contentsOf: AnyIterator { numbers.next().map { CustomerFields(firstName: "\($0)") } })
    }
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let updates = Recorded(model)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    // The second is asked for when the first is already waited for.
    let paths = [0, 99].map { RowPath(section: 0, row: $0) }
    for path in paths {
      #expect(model[path] == nil)
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(updates.all == [])
    try other.execute("COMMIT")
    try await until { paths.allSatisfy { updates.all.contains(.reload($0)) } }
    #expect(paths.map { model[$0]?.name } == ["1", "100"])
  }

  @Test(arguments: [false, true])
  func `another file in its place is the list from then on`(isMissed: Bool) async throws {
    let (file, other) = (try TemporaryStore("Ann, Bob"), try TemporaryStore("Eva"))
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    #expect(model.names == [["Ann", "Bob"]])
    try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".old")
    if isMissed { try await until { if case .failed = model.status { true } else { false } } }
    try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
    try await until { model.names == [["Eva"]] }
    // The store is another one as well.
    let old = file.store
    try await until { model.store !== old }
    try await model.perform("add") { list in _ = try list.insert(CustomerFields(firstName: "Fay")) }
    // A row that was not read yet is read again.
    try await until { model.names == [["Eva", "Fay"]] }
    let count = try await CustomerStore(path: file.path).read { try $0.count() }
    #expect(count == 2)
  }

  @Test func `what can be undone is that of all programs, and another step is not undone in its place`()
    async throws
  {
    let file = try TemporaryStore("Ann, Bob")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    try await model.perform("favorite") { list in
      _ = try list.apply(.update([CustomerID(rawValue: 1)], [.isFavorite: .flag(true)]))
    }
    try await until { model.undoable?.action == "favorite" }
    try file.addCid()
    // The model does not know of it yet.
    model.undo()
    try await until { !model.isSaving }
    #expect(model.problem is ListError)
    #expect(try file.names == ["Ann", "Bob", "Cid"])
    try await until { model.undoable?.action == "other" }
    model.undo()
    try await until { model.redoable?.action == "other" }
    #expect(try file.names == ["Ann", "Bob"])
    model.redo()
    try await until { model.names == [["Ann", "Bob", "Cid"]] }
  }

  @Test func `a search follows the text and the list`() async throws {
    let file = try TemporaryStore("Ann Mill, Bob Miller, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    func found() -> [String] {
      (0..<model.resultCount).compactMap { model.result($0) }.compactMap { model[$0]?.name }
    }
    model.searchText = "mil"
    try await until { !model.isSearching }
    #expect(found() == ["Ann Mill", "Bob Miller"])
    model.searchText = "mille"
    try await until { !model.isSearching }
    #expect(found() == ["Bob Miller"])
    try await CustomerStore(path: file.path).write { list in
      _ = try list.insert(CustomerFields(firstName: "Zoe", lastName: "Millet"), at: .first)
    }
    try await until { found() == ["Zoe Millet", "Bob Miller"] }
    model.searchText = ""
    try await until { !model.isSearching && model.resultCount == 0 }
  }

  /// Whether the model has heard of the restore before the form is saved.
  @Test(arguments: [false, true])
  func `a form saves nothing to who has the id after a restore`(isHeard: Bool) async throws {
    let file = try TemporaryStore("Ann")
    let backup = file.path + ".backup"
    try file.store.backUp(to: backup)
    let bob = try await file.store.write { list in try list.insert(CustomerFields(firstName: "Bob")).id }
    let model = CustomerListModel(file.store, every: isHeard ? .milliseconds(1) : .seconds(86_400))
    try await until { model[bob] != nil }
    var form = FormState(.edit(bob), try #require(model[bob]).fields)
    let note = try #require(form.fields.firstIndex { $0.id == .field(.note) })
    _ = form.update(.focus(.field(note)))
    _ = form.update(.text(.insert("Met Bob")))
    let other = try CustomerStore(path: file.path)
    try other.restore(CustomerStore.checkBackup(at: backup, forListAt: file.path), keepingListAt: nil)
    let cid = try await other.write { list in try list.insert(CustomerFields(firstName: "Cid")).id }
    #expect(cid == bob)
    if isHeard {
      try await until { model[cid]?.name == "Cid" }
      form.follow(model)
      #expect(form.isGone)
    }
    let saved = form.update(.save)
    let outcome = try #require(saved)
    let refused = await model.perform(outcome, of: form)
    #expect((refused == nil) == isHeard)
    #expect(
      isHeard || refused?.message == "The list was restored or replaced; saving adds this customer to it.")
    let notes = try await other.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.fields.note) }
    #expect(notes == (isHeard ? ["", "", "Met Bob"] : ["", ""]))
  }

  @Test func `a form saves once, and shows why it did not`() async throws {
    let file = try TemporaryStore("Ann, Bob")
    let screen = ListScreen(file.store)
    screen.add()
    await screen.did(.text(.insert("Eva")))
    async let first: Void = screen.did(.save)
    async let second: Void = screen.did(.save)
    _ = await (first, second)
    #expect(try file.names == ["Ann", "Bob", "Eva"] && screen.form == nil)
    screen.tapped(RowPath(section: 0, row: 0))
    await screen.did(.text(.insert("a")))
    try await CustomerStore(path: file.path).write { list in
      _ = try list.apply(.update([CustomerID(rawValue: 1)], [.firstName: .text("Anne")]))
    }
    await screen.did(.save)
    #expect(screen.form?.message?.hasPrefix("Not saved: another program") == true)
    try await file.store.write { list in _ = try list.delete(CustomerID(rawValue: 1)) }
    try await until { screen.form?.isGone == true }
    await screen.did(.save)
    #expect(screen.form == nil)
    #expect(try file.names == ["Bob", "Eva", "Anna"])
  }

  @Test func `a view hears of changes, and of nothing else`() async throws {
    let file = try TemporaryStore("Ann, Bob")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    try await model.perform("add") { list in _ = try list.insert(CustomerFields(firstName: "Cid")) }
    try await until { model.undoable != nil }
    let count = Mutex(0)
    @MainActor func look() {
      withObservationTracking {
        _ = model.names
      } onChange: {
        count.withLock { $0 += 1 }
      }
    }
    look()
    for _ in 0..<50 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(count.withLock { $0 } == 0)
    try await file.store.write { list in _ = try list.delete(CustomerID(rawValue: 1)) }
    try await until { count.withLock { $0 } == 1 }
    #expect(model.names == [["Bob", "Cid"]])
  }

  @Test func `it lives as long as someone uses it`() async throws {
    let file = try TemporaryStore("Ann")
    weak var model: CustomerListModel?
    do {
      let used = CustomerListModel(file.store, every: .milliseconds(1))
      model = used
      try await used.perform("add") { list in _ = try list.insert(CustomerFields(firstName: "Bob")) }
      used.drop(RowPath(section: 0, row: 1), to: RowPath(section: 0, row: 0))
      try await until { !used.isSaving }
    }
    try await until { model == nil }
  }
}

extension TemporaryStore {
  /// What another program does, without giving way to the model.
  fileprivate func addCid() throws {
    try CustomerStore(path: path).write(action: "other") { list in
      _ = try list.insert(CustomerFields(firstName: "Cid"))
    }
  }
}

/// The updates that a table gets.
@MainActor private final class Recorded {
  var all: [TableUpdate] = []

  init(_ model: CustomerListModel) { model.onUpdates = { [weak self] in self?.all += $0 } }
}

/// Waits for what happens in the background.
@MainActor func until(
  _ condition: () throws -> Bool, location: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<30_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(1))
  }
  Issue.record("it did not happen", sourceLocation: location)
}

extension CustomerListModel {
  /// The names in the table; `…` for those that are not read yet.
  fileprivate var names: [[String]] {
    sections.enumerated().map { section, found in
      (0..<found.count).map { self[RowPath(section: section, row: $0)]?.name ?? "…" }
    }
  }
}

extension TemporaryStore {
  /// The names in the file.
  fileprivate var names: [String] {
    get throws {
      try store.read { list in
        try list.sections().flatMap { try list.page(from: 1, limit: 100, in: $0.id) }.map(\.name)
      }
    }
  }
}
