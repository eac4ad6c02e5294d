@_spi(Tools) @testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// No public call traps on a number: it answers or throws, and the list stays whole.
@Suite(.onThreads) struct NumberedCallTests {
  @Test func `calls that read the list answer any number`() throws {
    let store = try CustomerStore.inMemory(.sections)
    try store.write { list in try list.move([2], to: .last) }
    try store.read { list in
      var none: Void = ()
      for call in reads(list.connection) { for number in anyNumber { call(&none, number) } }
    }
  }

  @Test func `edits with any number leave the list whole`() throws {
    let store = try CustomerStore.inMemory(.sections)
    try store.write { list in try list.move([2], to: .last) }
    for (index, call) in edits.enumerated() {
      for number in sampled(anyNumber, oneIn: 4, salt: index) {
        let violations = try store.dryRun { list in
          call(&list, number)
          return try list.check()
        }
        #expect(violations == [], "\(call) with \(number)")
      }
    }
  }

  @Test func `values answer any number`() throws {
    let store = try CustomerStore.inMemory(.sections)
    try store.write { list in try list.move([2], to: .last) }
    let window = try store.read { list in try list.window(around: 1).window }
    for call in values {
      for number in anyNumber {
        var subject = Values(window: window)
        call(&subject, number)
      }
    }
  }

  @Test func `a file opens with any number among its options`() throws {
    let file = try TemporaryStore(.small)
    for number in anyNumber {
      for duration in durations(number) {
        var options = CustomerStore.Options()
        (options.busyTimeout, options.memoryForChanges) = (duration, number)
        let store = try CustomerStore(path: file.path, options: options)
        let count = try store.read { try $0.count() }
        try store.write { list in _ = try list.move([1], to: .last) }
        #expect(count == 6, "\(number), \(duration)")
        #expect(try store.read(busyTimeout: duration) { try $0.count() } == 6)
        try store.write(busyTimeout: duration) { list in _ = try list.move([1], to: .first) }
      }
    }
  }

  @Test func `a feed starts after any edit, at any interval`() async throws {
    let file = try TemporaryStore(.small)
    let now = try await file.store.read { try $0.version() }
    for number in anyNumber {
      let version = now.at(Int64(number))
      var feed = file.store.feed(after: version)
      _ = try feed.poll()
      for duration in durations(number) {
        let task = Task {
          for try await _ in file.store.events(after: version, every: duration) {}
        }
        // Long enough for a first poll and the pause after it.
        try await Task.sleep(for: .milliseconds(2))
        task.cancel()
        try await task.value
      }
    }
  }

  private func durations(_ number: Int) -> [Duration] {
    [.seconds(number), .nanoseconds(number), .seconds(number) * 16]
  }

  // MARK: The calls

  private typealias Read = NumberedCall<Void>
  private typealias Edit = NumberedCall<CustomerList>

  private func reads(_ connection: Connection) -> [Read] {
    func read(_ name: String, _ body: @escaping (borrowing CustomerList, Int) throws -> Void) -> Read {
      Read(name) { _, number in try body(CustomerList(connection: connection), number) }
    }
    func step(_ number: Int, _ count: Int) -> HistoryStep {
      HistoryStep(id: 1, time: "", firstEdit: Int64(number), editCount: count)
    }
    return [
      read("row(at:)") { _ = try $0.row(at: CustomerPlace(section: 1, order: $1)) },
      read("row(at:) of a section") {
        _ = try $0.row(at: CustomerPlace(section: SectionID(rawValue: Int64($1)), order: 1))
      },
      read("customer(at:)") { _ = try $0.customer(at: $1, in: 1) },
      read("customer(at:) of a section") {
        _ = try $0.customer(at: 1, in: SectionID(rawValue: Int64($1)))
      },
      read("page(from:)") { _ = try $0.page(from: $1, limit: 2, in: 1) },
      read("page(from:) of a section") {
        _ = try $0.page(from: 1, limit: 2, in: SectionID(rawValue: Int64($1)))
      },
      read("page(limit:)") { _ = try $0.page(from: 1, limit: $1, in: 1) },
      read("forEach(from:)") { try $0.forEach(from: $1, in: 1) { _ in true } },
      read("forEach(in:)") { try $0.forEach(in: SectionID(rawValue: Int64($1))) { _ in true } },
      read("ids(in:)") { _ = try $0.ids(in: SectionID(rawValue: Int64($1))) },
      read("section") { _ = try $0.section(SectionID(rawValue: Int64($1))) },
      read("first(in:)") { _ = try $0.first(in: SectionID(rawValue: Int64($1))) },
      read("customer") { _ = try $0.customer(CustomerID(rawValue: Int64($1))) },
      read("customers") { _ = try $0.customers([CustomerID(rawValue: Int64($1))]) },
      read("place(of:)") { _ = try $0.place(of: CustomerID(rawValue: Int64($1))) },
      read("search(limit:)") { _ = try $0.search("a", limit: $1) },
      read("customers(matching:limit:)") { _ = try $0.customers(matching: RowFilter(), limit: $1) },
      read("customers(matching:) of a section") {
        _ = try $0.customers(
          matching: RowFilter(section: SectionID(rawValue: Int64($1)), search: TextSearch("a")))
      },
      read("window(around:)") { list, number in
        let window = try list.window(around: number)
        #expect(window.customers.count == 8)
      },
      read("window(size:)") { list, number in
        let (window, customers) = try list.window(around: 4, size: number)
        let (above, below) = (max(number, 0) / 2, max(number, 0) - max(number, 0) / 2)
        #expect(window.rows.count == min(above, 3) + min(below, 5) && window.rows == customers.map(\.id))
      },
      read("changes(after:)") { _ = try $0.changes(after: $0.version(after: Int64($1))) },
      read("changes(after:limit:)") { _ = try $0.changes(after: $0.version(after: 0), limit: $1) },
      read("changes(of:)") { _ = try $0.changes(of: Int64($1)) },
      read("changes(of:limit:)") { _ = try $0.changes(of: 1, limit: $1) },
      read("events(after:)") { _ = try $0.events(after: $0.version(after: Int64($1))) },
      read("events(after:limit:)") { _ = try $0.events(after: $0.version(after: 0), limit: $1) },
      read("steps(after:)") { _ = try $0.steps(after: $0.version(after: Int64($1))) },
      read("steps(after:limit:)") { _ = try $0.steps(after: $0.version(after: 0), limit: $1) },
      read("history(limit:)") { _ = try $0.history(limit: $1) },
      read("history(after:)") { _ = try $0.history(after: Int64($1)) },
      read("step") { _ = try $0.step(Int64($1)) },
      read("outcome(limit:)") { _ = try $0.outcome(of: step(1, 2), limit: $1) },
      read("outcome(of:) from any edit") { _ = try $0.outcome(of: step($1, 2)) },
      read("outcome(of:) with any number of edits") { _ = try $0.outcome(of: step(1, $1)) },
      read("outcome(of:) with both") { _ = try $0.outcome(of: step($1, $1)) },
      read("outcomes(ofEdits:) from") {
        _ = try $0.outcomes(ofEdits: [min(Int64($1), 3)..<3, Int64.min..<max(Int64($1), .min)])
      },
      read("outcomes(ofEdits:) to") {
        _ = try $0.outcomes(ofEdits: [1..<max(Int64($1), 1)], limit: 3)
        _ = try $0.outcomes(ofEdits: [1..<max(Int64($1), 1)], limit: .max)
      },
    ]
  }

  private var edits: [Edit] {
    func id(_ number: Int) -> CustomerID { CustomerID(rawValue: Int64(number)) }
    func section(_ number: Int) -> SectionID { SectionID(rawValue: Int64(number)) }
    let fields = CustomerFields(firstName: "Eve")
    return [
      Edit("insert(at:)") { _ = try $0.insert(fields, at: .place($1)) },
      Edit("insert(in:)") { _ = try $0.insert(fields, in: section($1)) },
      Edit("insert(before:)") { _ = try $0.insert(fields, at: .before(id($1))) },
      Edit("insert(after:)") { _ = try $0.insert(fields, at: .after(id($1))) },
      Edit("insert(contentsOf:)") { _ = try $0.insert(contentsOf: [fields, fields], at: .place($1)) },
      Edit("insert(contentsOf:in:)") { _ = try $0.insert(contentsOf: [fields], in: section($1)) },
      Edit("move(to:)") { _ = try $0.move([1, 3], to: .place($1)) },
      Edit("move one") { _ = try $0.move(1, to: .place($1)) },
      Edit("move(in:)") { _ = try $0.move([1, 3], to: .last, in: section($1)) },
      Edit("move to a place of another section") { _ = try $0.move([1, 3], to: .place($1), in: 2) },
      Edit("move(before:)") { _ = try $0.move([1, 3], to: .before(id($1))) },
      Edit("move(after:)") { _ = try $0.move([1, 3], to: .after(id($1))) },
      Edit("move a customer") { _ = try $0.move([id($1)], to: .first) },
      Edit("move(by:)") { try $0.move([1, 3], by: $1) },
      Edit("move(asSeenAt:)") { _ = try $0.move([1], to: .last, asSeenAt: $0.version().at(Int64($1))) },
      Edit("move(expecting:)") {
        _ = try $0.move([1], to: .last, expecting: [1: CustomerPlace(section: 1, order: $1)])
      },
      Edit("swap") { _ = try $0.swap(1, id($1)) },
      Edit("arrange") { _ = try $0.arrange([id($1)], in: 1) },
      Edit("arrange(in:)") { _ = try $0.arrange([1], in: section($1)) },
      Edit("delete") { try $0.delete([id($1)]) },
      Edit("delete(asSeenAt:)") { try $0.delete([1], asSeenAt: $0.version().at(Int64($1))) },
      Edit("update") { _ = try $0.update(id($1)) { $0.note = "x" } },
      Edit("protect") { try $0.protect(id($1), canEdit: false) },
      Edit("merge") { _ = try $0.merge([1, id($1)]) },
      Edit("addSection(at:)") { _ = try $0.addSection(title: "New", at: $1) },
      Edit("moveSection(to:)") { try $0.moveSection(1, to: $1) },
      Edit("moveSection") { try $0.moveSection(section($1), to: 1) },
      Edit("renameSection") { try $0.renameSection(section($1), title: "New") },
      Edit("deleteSection") { try $0.deleteSection(section($1), withCustomers: true) },
      Edit("sort(in:)") { list, number in
        try list.sort(by: SortOrder(by: [.name]), in: section(number))
      },
      Edit("undo(expecting:)") { _ = try $0.undo(expecting: HistoryStep(id: Int64($1), time: "")) },
      Edit("redo(expecting:)") { _ = try $0.redo(expecting: HistoryStep(id: Int64($1), time: "")) },
      Edit("limitHistory(steps:)") { try $0.limitHistory(steps: $1, bytes: 1_000) },
      Edit("limitHistory(bytes:)") { try $0.limitHistory(steps: 10, bytes: $1) },
      Edit("planned moves") { list, number in
        guard var plan = try MovePlan(list, moves: number) else { return }
        for edit in [
          ListEdit.move([1, 3], to: .place(number)), .moveBy([1], number), .swap(1, id(number)),
          .move([4], to: .place(number), in: 3), .move([1], to: .first, in: section(number)),
        ] { _ = try? plan.apply(edit, of: list) }
        _ = try? plan.forEach(from: number, in: 2, of: list) { _ in true }
        _ = try? plan.forEach(from: 1, in: section(number), of: list) { _ in true }
        try list.write(plan)
      },
      Edit("apply(.insert)") {
        _ = try $0.apply(.insert([NewCustomer(fields), NewCustomer(fields)], at: .place($1)))
      },
      Edit("apply(.move)") {
        _ = try $0.apply(.move([1, 3], to: .place($1), asSeenAt: $0.version().at(Int64($1))))
      },
      Edit("apply(.moveBy)") { _ = try $0.apply(.moveBy([1, 3], $1)) },
      Edit("apply(.delete)") { _ = try $0.apply(.delete([id($1)], asSeenAt: $0.version().at(Int64($1)))) },
      Edit("apply(.section(.add))") { _ = try $0.apply(.section(.add(title: "New", at: $1))) },
      Edit("apply(.section(.move))") { _ = try $0.apply(.section(.move(1, to: $1))) },
      Edit("apply(.arrange)") { _ = try $0.apply(.arrange([id($1)], in: section($1))) },
      Edit("a batch of places") { list, number in
        _ = try list.performBatchUpdates { batch in
          batch.insert(fields, at: .place(number, in: 1))
          batch.delete(.place(1, in: 1))
        }
      },
      Edit("a batch of sources") { list, number in
        _ = try list.performBatchUpdates { batch in
          batch.delete(.place(number, in: 1))
          batch.move(.customer(id(number)), to: .first(in: 1))
        }
      },
      Edit("a batch of moves") { list, number in
        _ = try list.performBatchUpdates { $0.move(.place(1, in: 1), to: .place(number, in: 2)) }
      },
      Edit("a batch in a section") { list, number in
        _ = try list.performBatchUpdates { $0.insert(fields, at: .last(in: section(number))) }
      },
    ]
  }

  /// Values that a caller keeps.
  private struct Values {
    var window: ListWindow
  }

  private var values: [NumberedCall<Values>] {
    typealias Call = NumberedCall<Values>
    func id(_ number: Int) -> CustomerID { CustomerID(rawValue: Int64(number)) }
    func place(_ number: Int) -> CustomerPlace { CustomerPlace(section: 1, order: number) }
    return [
      Call("the window's subscript") { _ = $0.window[$1] },
      Call("an outline of any counts") { _, number in
        let sections = [number, number, 1].enumerated().map {
          CustomerSection(id: SectionID(rawValue: Int64($0)), title: "", order: $1, count: $1)
        }
        let outline = ListOutline(sections)
        for other in anyNumber {
          _ = outline.place(at: other)
          _ = outline.section(SectionID(rawValue: Int64(other)))
          for section in sections {
            _ = outline.position(of: CustomerPlace(section: section.id, order: other))
          }
        }
        _ = outline.count
      },
      Call("ids and places") {
        _ = (id($1) < id(1), "\(place($1))", "\(id($1))")
      },
      Call("a step's edits") { _, number in
        for other in anyNumber {
          _ = HistoryStep(id: 1, time: "", firstEdit: Int64(number), editCount: other).edits
        }
      },
      Call("errors") { _, number in
        for range in [number..<number, min(number, 1)..<1, 1..<max(number, 1)] {
          _ = "\(ListError.placeOutOfRange(asked: number, allowed: range))"
          _ = "\(BatchError.noSuchRow(operation: number, asked: place(number), allowed: range))"
          _ = "\(BatchError.noSuchPlace(operation: number, asked: place(number), allowed: range))"
        }
        _ = "\(BatchError.samePlace(place(number), first: number, second: number))"
        _ = "\(BatchError.sameRow(id(number), first: number, second: number))"
        _ = "\(BatchError.refused(operation: number, .noSections))"
        for other in anyNumber {
          _ = "\(BatchError.countDiffers(1, before: number, after: 1, inserted: other, deleted: number))"
          _ = "\(BatchError.countDiffers(1, before: number, after: 1, inserted: 1, deleted: other))"
        }
        _ = "\(ListError.sectionNotEmpty(1, count: number))"
        _ = "\(StoreError.newerFormat(found: number, known: number))"
        _ = "\(BackupError.differs(number)) \(RestoreError.isDamaged(number)) \(LoadError.isDamaged(number))"
      },
      Call("a batch's check") { subject, number in
        for row in [.place(number, in: 1), .customer(id(number))] as [BatchUpdates.Source] {
          var batch = BatchUpdates()
          batch.delete(row)
          try? batch.check(before: [1: [1, 2]], after: [1: [1]])
          batch = BatchUpdates()
          batch.move(row, to: .place(number, in: 1))
          try? batch.check(before: [1: [1, 2]], after: [1: [1, 2]])
        }
      },
    ]
  }
}
