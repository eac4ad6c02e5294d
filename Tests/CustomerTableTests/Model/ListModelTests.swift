import CustomerFixtures
import CustomerStore
@testable import CustomerTable
import CustomersSQLite
import CustomersTestSupport
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
    try await until { long.sections.map(\.rows.count) == [10_001] }
    #expect(long.sections[0].rows[9_999].name == "10000")
  }

  @Test func `a moved row is there at once, and no view hears of it twice`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let heard = Heard(model)
    model.move(model.ids[2], to: 0, in: model.sections[0])
    #expect(model.names == [["Cid", "Ann", "Bob"]])
    try await model.shown()
    #expect(model.undoable?.action == "move" && model.problem == nil)
    #expect(try file.names == ["Cid", "Ann", "Bob"])
    model.move([0, 1], to: 3, in: model.sections[0])
    #expect(model.names == [["Bob", "Cid", "Ann"]])
    try await model.shown()
    #expect(try file.names == ["Bob", "Cid", "Ann"])
    // Each move and, as the first, what there was.
    try await until { heard.all.count >= 3 }
    try await Task.sleep(for: .milliseconds(20))
    #expect(heard.all.map(\.isReload) == [true, false, false] && model.problem == nil)
  }

  @Test func `a row can be moved again before the first move is in the list`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid, Dan")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    for _ in 0..<5 { model.move(model.ids[0], to: 3, in: model.sections[0]) }
    #expect(model.names == [["Bob", "Cid", "Dan", "Ann"]])
    model.move(model.ids[3], to: 1, in: model.sections[0])
    model.move([1], to: 4, in: model.sections[0])
    #expect(model.names == [["Bob", "Cid", "Dan", "Ann"]])
    model.apply(.move([model.ids[3]], to: .first))
    try await model.shown()
    #expect(try file.names == ["Ann", "Bob", "Cid", "Dan"] && model.problem == nil)
  }

  /// `onMove` counts the destination before the rows are removed, as `move(fromOffsets:toOffset:)` does
  /// (https://developer.apple.com/documentation/swiftui/dynamicviewcontent/onmove(perform:)).
  @Test(arguments: 1...7)
  func `every set of rows goes to every offset, as in an array`(count: Int) async throws {
    let store = try CustomerStore.inMemory("Ann")
    try await store.write { list in
      for number in 1..<count { try list.insert(CustomerFields(firstName: "\(number)")) }
    }
    let model = CustomerListModel(store, every: .seconds(86_400))
    for bits in 0..<(1 << count) {
      let offsets = (0..<count).filter { bits & (1 << $0) != 0 }
      for offset in 0...count {
        let ids = model.ids
        let moved = offsets.map { ids[$0] }
        let expected =
          ids[..<offset].filter { !moved.contains($0) } + moved
          + ids[offset...].filter { !moved.contains($0) }
        model.move(offsets, to: offset, in: model.sections[0])
        #expect(model.ids == expected, "\(offsets) to \(offset)")
        await model.lastEdit?.value
        let found = try await store.read { try $0.ids(in: 1) }
        #expect(found == expected && model.ids == expected, "\(offsets) to \(offset)")
      }
    }
    #expect(model.problem == nil)
  }

  @Test func `what the list refuses goes back, with the reason in a sentence`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let (ann, cid) = (CustomerID(rawValue: 1), CustomerID(rawValue: 3))
    try await file.store.write { list in
      _ = try list.apply(.protect([cid], canEdit: false, canMove: false))
    }
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let edits: [(edit: (CustomerListModel) -> Void, shown: [String], message: String)] = [
      (
        { $0.move(cid, to: 0, in: $0.sections[0]) }, ["Cid", "Ann", "Bob"],
        "“Cid” is protected against moving."
      ),
      (
        { $0.delete([0, 2], in: $0.sections[0]) }, ["Bob"],
        "“Cid” is protected against editing and deleting."
      ),
      (
        { $0.update(cid) { $0.firstName = "Cyd" } }, ["Ann", "Bob", "Cyd"],
        "“Cid” is protected against editing and deleting."
      ),
    ]
    for (edit, shown, message) in edits {
      #expect(model.names == [["Ann", "Bob", "Cid"]])
      edit(model)
      #expect(model.names == [shown])
      try await model.shown()
      #expect(model.problem == message)
      #expect(model.names == [["Ann", "Bob", "Cid"]])
      model.problem = nil
    }
    model.update(ann) { $0.firstName = "Anna" }
    model.apply(.update([ann], [.note: .text("tea")]))
    #expect(model.names == [["Anna", "Bob", "Cid"]] && model[ann]?.fields.note == "tea")
    model.delete([1], in: model.sections[0])
    #expect(model.names == [["Anna", "Cid"]])
    try await model.shown()
    #expect(try file.names == ["Anna", "Cid"] && model.problem == nil)
  }

  @Test func `numbers out of range do nothing`() throws {
    let model = CustomerListModel(try CustomerStore.inMemory("Ann, Bob"))
    let numbers = [Int.min, -1, 2, Int.max]
    for number in numbers {
      model.move([number], to: number, in: model.sections[0])
      model.delete([number], in: model.sections[0])
      let nobody = CustomerID(rawValue: Int64(number))
      if nobody.rawValue != 2 {
        #expect(model[nobody] == nil)
        model.move(nobody, to: 0, in: model.sections[0])
      }
    }
    #expect(model.names == [["Ann", "Bob"]])
    // A row below the last goes to the end.
    model.move(1, to: .max, in: model.sections[0])
    #expect(model.names == [["Bob", "Ann"]])
  }

  @Test func `rows of a locked file are empty until it can be read, and only the last of a fling are read`()
    async throws
  {
    let file = try TemporaryStore()
    try await file.store.write { list in
      var numbers = (1...1_000).makeIterator()
      try list.insert(contentsOf: AnyIterator { numbers.next().map { CustomerFields(firstName: "\($0)") } })
    }
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let heard = Heard(model)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    let ids = Array(model.ids[..<400])
    for (number, id) in ids.enumerated() {
      #expect(model[id] == nil)
      if number % 100 == 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(heard.all.count == 1)
    try other.execute("COMMIT")
    try await until { heard.all.last?.changed.contains(ids[399]) == true }
    #expect(heard.all.reduce(0) { $0 + $1.changed.count } == 100)
    #expect(model[ids[399]]?.name == "400")
    // The others are read when they are shown again.
    #expect(model[ids[0]]?.name == "1")
  }

  @Test func `a change of a row is no change of another`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let rows = model.sections[0].rows
    let counts = Mutex([0, 0, 0])
    let list = Mutex(0)
    for (index, row) in rows.enumerated() where index < 3 {
      withObservationTracking {
        _ = row.name
      } onChange: {
        counts.withLock { $0[index] += 1 }
      }
    }
    withObservationTracking {
      _ = model.sections
    } onChange: {
      list.withLock { $0 += 1 }
    }
    try await CustomerStore(path: file.path).write { list in
      _ = try list.apply(.update([CustomerID(rawValue: 1)], [.firstName: .text("Anna")]))
    }
    try await until { rows[0].name == "Anna" }
    #expect(counts.withLock(\.self) == [1, 0, 0] && list.withLock(\.self) == 0)
  }

  @Test func `each listener gets the first content and all updates`() async throws {
    let file = try TemporaryStore("Ann")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let heard = [Heard(model), Heard(model)]
    try await until { heard.allSatisfy { $0.all.map(\.isReload) == [true] } }
    try await model.perform("add") { list in _ = try list.insert(CustomerFields(firstName: "Bob")) }
    try await until { heard.allSatisfy { $0.all.map(\.isReload) == [true, false] } }
    // Where many rows have other places, a view shows all again.
    try await model.perform("add") { list in
      var numbers = (1...2_000).makeIterator()
      try list.insert(contentsOf: AnyIterator { numbers.next().map { CustomerFields(firstName: "\($0)") } })
    }
    try await until { heard.allSatisfy { $0.all.map(\.isReload) == [true, false, true] } }
    let last = try #require(model.ids.last)
    model.apply(.move([last], to: .first))
    try await model.shown()
    try await until { heard.allSatisfy { $0.all.map(\.isReload) == [true, false, true, false] } }
  }

  @Test func `a reading that ends after an own edit changes nothing and shows nothing again`() async throws {
    let file = try TemporaryStore("Ann")
    let model = CustomerListModel(file.store, every: .seconds(3_600))
    let heard = Heard(model)
    try await until { heard.all.map(\.isReload) == [true] }
    let (start, view) = (model.base, ListView(condition: nil))
    try await model.perform("add") { list in
      var numbers = (1...2_000).makeIterator()
      try list.insert(contentsOf: AnyIterator { numbers.next().map { CustomerFields(firstName: "\($0)") } })
    }
    try await until { heard.all.map(\.isReload) == [true, true] }
    // As if the feed had read what the edit made, but is heard after it, or after the next one.
    let readings = [
      try await file.store.read { try view.reading(of: $0, after: start) },
      ListView.Reading(snapshot: start, isFar: true),
    ]
    #expect(readings[0].isFar)
    for reading in readings { await model.take([], reading) }
    #expect(model.ids.count == 2_001)
    try await model.perform("add") { list in _ = try list.insert(CustomerFields(firstName: "Bob")) }
    try await until { heard.all.map(\.isReload) == [true, true, false] }
  }

  @Test func `a model of some rows follows them`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid, Dan | Leads: Eva")
    let vips = [1, 3, 5].map { CustomerID(rawValue: $0) }
    try await file.store.write { list in _ = try list.apply(.update(vips, [.tags: .text("vip")])) }
    let model = CustomerListModel(file.store, where: "tag=vip", every: .milliseconds(1))
    #expect(model.names == [["Ann", "Cid"], ["Eva"]])
    model.move([0], to: 2, in: model.sections[0])
    #expect(model.names == [["Cid", "Ann"], ["Eva"]])
    try await model.shown()
    // To the end of what is shown, not to the end of the section.
    #expect(try file.names == ["Bob", "Cid", "Ann", "Dan", "Eva"])
    try await CustomerStore(path: file.path).write { list in
      _ = try list.apply(.update([CustomerID(rawValue: 2)], [.tags: .text("vip")]))
    }
    try await until { model.names == [["Bob", "Cid", "Ann"], ["Eva"]] }
    model.searchText = "a"
    try await until { !model.isSearching }
    #expect(model.results.map(\.name) == ["Ann", "Eva"])
    let wrong = CustomerListModel(file.store, where: "tag=", every: .milliseconds(1))
    let without = CustomerListModel(file.store, where: "tag", every: .milliseconds(1))
    try await until { if case .failed = without.status { true } else { false } }
    #expect(wrong.names == [["Dan"], []])
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
    #expect(model.problem == "Someone else has changed the list since.")
    #expect(try file.names == ["Ann", "Bob", "Cid"])
    try await until { model.undoable?.action == "other" }
    model.undo()
    try await until { model.redoable?.action == "other" }
    #expect(try file.names == ["Ann", "Bob"])
    model.redo()
    try await until { model.names == [["Ann", "Bob", "Cid"]] }
  }

  /// As with Cmd-Z held down, before or after each one is in the file.
  @Test(arguments: [false, true])
  func `twenty moves are undone one by one beside a colleague`(isFast: Bool) async throws {
    let names = (0..<10).map { "\($0)" }
    let file = try TemporaryStore(
      SampleList(sections: [.init(title: nil, customers: names.map { .init(firstName: $0) })]))
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    let colleague = try CustomerStore(path: file.path)
    func addOne(_ name: String) throws {
      try colleague.write(action: "other") { list in _ = try list.insert(CustomerFields(firstName: name)) }
    }
    for number in 0..<20 {
      // The same rows again and again.
      let row = CustomerID(rawValue: Int64(1 + number % 3))
      model.move(row, to: number * 7 % 10, in: model.sections[0])
      if number % 5 == 0 { try addOne("during \(number)") }
    }
    for number in 0..<20 {
      if number % 5 == 0 { try addOne("after \(number)") }
      model.undo(.mine)
      if !isFast { try await model.shown() }
    }
    try await model.shown()
    #expect(model.problem == nil)
    #expect(try Array(file.names.prefix(10)) == names)
    #expect(try file.names.count == 18)
    model.undo(.mine)
    try await model.shown()
    #expect(try file.names.count == 18 && model.problem == nil)
  }

  @Test func `an own step stays the next one to undo while the file is locked`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let store = try CustomerStore(path: file.path, busyTimeout: .zero)
    let model = CustomerListModel(store, every: .milliseconds(1))
    // Without a timeout, the model's own reading may be in the way, too.
    func whenFree(_ edit: () -> Void) async throws {
      repeat {
        model.problem = nil
        edit()
        try await model.shown()
      } while model.problem != nil
    }
    try await whenFree { model.move(3, to: 0, in: model.sections[0]) }
    try await whenFree { model.apply(.delete([1])) }
    let names = try file.names
    let other = try Connection(path: file.path)
    func whileLocked(_ edit: () -> Void) async throws {
      model.problem = nil
      try other.executeScript("BEGIN IMMEDIATE")
      edit()
      while model.problem == nil { try await Task.sleep(for: .milliseconds(1)) }
      #expect(model.problem?.contains("locked the list") == true)
      try other.executeScript("ROLLBACK")
    }
    try await whileLocked { model.undo(.mine) }
    try await whenFree { model.undo(.mine) }
    #expect(try file.names == ["Cid", "Ann", "Bob"])
    try await whileLocked { model.redo(.mine) }
    try await whenFree { model.redo(.mine) }
    #expect(try file.names == names)
  }

  @Test(arguments: ["", "Age<", "(", "tag=vip or"])
  func `a model whose condition is wrong says so to whoever waits for it`(condition: String) async throws {
    let store = try CustomerStore.inMemory("Ann")
    let model = CustomerListModel(store, where: condition)
    let error = await #expect(throws: FilterError.self) { try await model.shown() }
    #expect(error.map { "\($0.localizedDescription)" == "\($0)" } == true)
  }

  @Test(arguments: [false, true])
  func `what was undone as one's own can be redone as one's own`(hasColleague: Bool) async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    for _ in 0..<3 {
      for _ in 0..<4 { model.move(1, to: model.ids.firstIndex(of: 1) == 0 ? 2 : 0, in: model.sections[0]) }
      model.move(1, to: 2, in: model.sections[0])
      try await model.shown()
      if hasColleague { try file.addCid() }
      let names = try file.names
      for _ in 0..<2 {
        for _ in 0..<5 { model.undo(.mine) }
        try await model.shown()
        #expect(try file.names.first == "Ann" && model.problem == nil)
        for _ in 0..<5 { model.redo(.mine) }
        try await model.shown()
        #expect(try file.names == names && model.problem == nil)
      }
      for _ in 0..<5 { model.undo(.mine) }
      try await model.shown()
    }
  }

  @Test func `an undo waits for the edits before it`() async throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    for _ in 0..<20 { model.move([0], to: 3, in: model.sections[0]) }
    for _ in 0..<20 { model.undo() }
    try await model.shown()
    #expect(try file.names == ["Ann", "Bob", "Cid"] && model.problem == nil)
    #expect(model.names == [["Ann", "Bob", "Cid"]])
  }

  @Test func `a search follows the text and the list`() async throws {
    let file = try TemporaryStore("Ann Mill, Bob Miller, Cid")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    func found() -> [String] {
      model.results.map(\.name)
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
    try await until { !model.isSearching && model.results.isEmpty }
    for (text, problem) in [
      ("Age<=", "\"Age<=\": a value is missing."), ("Age=1", "There is no field or column \"Age\"."),
      ("email=", nil), ("mil", nil),
    ] {
      model.searchText = text
      try await until { !model.isSearching }
      #expect(model.searchProblem == problem, "\(text)")
    }
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
    try await until { screen.model[1] != nil }
    screen.tapped(1)
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

  @Test func `a form by hand is saved once, however often that is asked for`() async throws {
    let file = try TemporaryStore("Ann, Bob")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    var form = try await model.form()
    form[.field(.firstName)] = "Eva"
    form[.field(.isFavorite)] = true
    form[.field(.tags)] = "vip"
    form[.value(.tags, 2)] = "new"
    form[.value(.tags, 9)] = "no line"
    #expect(form[.field(.firstName)] == "Eva" && form[.field(.isFavorite)] == true)
    #expect(form[.value(.tags, 2)] == "new" && form[.value(.tags, 9)] == "")
    let filled = form
    async let first = model.save(filled)
    async let second = model.save(filled)
    let refused = await [first, second]
    #expect(refused.allSatisfy { $0 == nil })
    #expect(try file.names == ["Ann", "Bob", "Eva"])
    let fields = try await file.store.read { list in try list.customer(3).fields }
    #expect(fields.isFavorite && fields.tags == "vip\nnew")
  }

  @Test func `a form shows what others have written to the same field, and then overwrites it`() async throws
  {
    let file = try TemporaryStore("Ann, Bob")
    let model = CustomerListModel(file.store, every: .milliseconds(1))
    var form = try await model.form(of: 1)
    form[.field(.firstName)] = "Anna"
    try await file.store.write { list in _ = try list.update(1) { $0.firstName = "Anne" } }
    let conflict = try #require(await model.save(form))
    #expect(
      conflict.message != nil && conflict.fields[0].theirs == "Anne"
        && conflict.fields[0].id == .field(.firstName))
    #expect(try file.names == ["Anne", "Bob"])
    #expect(await model.save(conflict) == nil)
    #expect(try file.names == ["Anna", "Bob"])
    try await file.store.write { list in try list.delete([1]) }
    let gone = try #require(await model.save(form))
    #expect(gone.message == "Not saved: “Ann” is no longer in the list.")
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
      used.move([1], to: 0, in: used.sections[0])
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

/// The updates that a view gets.
@MainActor private final class Heard {
  var all: [CustomerListModel.Update] = []

  init(_ model: CustomerListModel) {
    Task { [weak self, updates = model.updates] in
      for await update in updates { self?.all.append(update) }
    }
  }
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
  /// The names in the view; `…` for those that are not read yet.
  fileprivate var names: [[String]] {
    sections.map { section in section.rows.map { $0.customer?.name ?? "…" } }
  }

  /// The rows of the first section.
  fileprivate var ids: [CustomerID] { sections[0].ids }
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
