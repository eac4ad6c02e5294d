@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Planned moves have the same results as single ones.
@Suite struct PlanningTests {
  static let section = SectionID(rawValue: 1)

  @Test(arguments: sampled(0..<36, oneIn: 9))
  func `planned moves do, return, show and refuse the same as single ones`(seed: Int) throws {
    var random = SplitMix64(seed: 900 + seed)
    let capacity = Capacity.allCases[seed % 3]
    let counts = [random.below(seed % 2 == 0 ? 20 : 150), random.below(60), random.below(3)]
    let pair = try (0..<2).map { _ in try Self.store(counts, capacity) }
    for turn in 0..<(isLong ? 100 : 4) {
      let edits = (0..<(random.oneIn(2) ? 12 : 90)).map { _ in RandomMove(&random) }
      let copy = try pair[1].read { list in (try ListCopy(list), try list.lastEdit()) }
      let single = try pair[0].write { list in try edits.map { try $0.outcome(&list) } }
      let planned = try pair[1].write { list in
        var outcomes: [String] = []
        // Each edit other than a move ends a plan.
        while outcomes.count < edits.count {
          try list.planningMoves(1_000_000) { list in
            #expect((list.planner.isPlanning as Bool) == true)
            while list.planner.isPlanning, outcomes.count < edits.count {
              outcomes.append(try edits[outcomes.count].outcome(&list))
            }
          }
        }
        return outcomes
      }
      #expect(planned == single, "seed \(seed), turn \(turn)")
      let states = try pair.map { store in try store.read { try $0.connection.contents() } }
      #expect(states[0] == states[1], "seed \(seed), turn \(turn)")
      try pair[1].read { list in
        var followed = copy.0
        for change in try list.changes(after: copy.1)?.changes ?? [] { try followed.apply(change) }
        let (present, broken) = try (ListCopy(list), list.connection.brokenInvariants())
        #expect(followed == present && broken == [], "seed \(seed), turn \(turn)")
      }
    }
  }

  @Test(arguments: 0..<6)
  func `undo leads back through planned transactions, and redo forward`(seed: Int) throws {
    var random = SplitMix64(seed: 700 + seed)
    let store = try Self.store([random.below(100), 20], Capacity.allCases[seed % 3])
    var states = [try store.read { try $0.connection.contents() }]
    for _ in 0..<6 {
      try store.write { list in
        try list.planningMoves(1_000_000) { list in
          for _ in 0..<1 + random.below(60) { _ = try RandomMove(&random).outcome(&list) }
        }
      }
      let state = try store.read { try $0.connection.contents() }
      // Moves back and forth add no step.
      if state != states.last { states.append(state) }
    }
    for state in states.dropLast().reversed() {
      try store.write { list in _ = try list.undo() }
      #expect(try store.read { try $0.connection.contents() } == state, "seed \(seed)")
    }
    for state in states.dropFirst() {
      try store.write { list in _ = try list.redo() }
      #expect(try store.read { try $0.connection.contents() } == state, "seed \(seed)")
    }
    #expect(try store.read { try $0.check() } == [])
  }

  static func store(_ counts: [Int], _ capacity: Capacity) throws -> CustomerStore {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      try list.connection.setCapacity(capacity)
      for (index, count) in counts.enumerated() {
        if index > 0 { _ = try list.addSection(title: "\(index)") }
        try list.connection.append(count, to: Int64(index + 1))
      }
      for id in 1..<Int64(counts.reduce(0, +) + 1) where id % 13 == 0 {
        try list.protect(CustomerID(rawValue: id), canMove: false)
      }
    }
    try store.write { list in try list.forgetHistory() }
    return store
  }
}

/// An edit, mostly a move, that names rows by numbers which fit any list.
private struct RandomMove {
  private let numbers: [Int]
  private let kind: Int

  init(_ random: inout SplitMix64) {
    kind = random.below(60)
    numbers = (0..<6).map { _ in random.below(1_000_000) }
  }

  /// Returns the result or the error of the edit, and the list after it.
  func outcome(_ list: inout CustomerList) throws -> String {
    let outline = try list.outline()
    guard outline.count > 0 else { return "" }
    let ids = try numbers.map { number in try row(number, outline, in: list).id }
    var result: String
    do {
      result = "\(try edit(&list, ids, outline))"
    } catch let error as ListError {
      result = "\(error)"
    }
    for id in ids.prefix(2) {
      guard let place = try? list.place(of: id) else { continue }
      let around = try list.neighbors(of: id)
      let page = try list.page(from: place.order, limit: 3, in: place.section).map(\.id)
      result += try "\(list.customer(id)) \(around) \(page) \(list.first(in: place.section)?.id as Any)"
    }
    return try result + "\(list.sections()) \(list.count())"
  }

  private func row(_ number: Int, _ outline: ListOutline, in list: borrowing CustomerList) throws -> Customer
  {
    let place = try #require(outline.place(at: number % outline.count + 1))
    return try list.customer(at: place.order, in: place.section)
  }

  private func edit(_ list: inout CustomerList, _ ids: [CustomerID], _ outline: ListOutline) throws -> String
  {
    let section = outline.sections[numbers[1] % outline.sections.count]
    let block = Array(ids.prefix(1 + numbers[5] % 3))
    switch kind {
    case 0: return "\(try list.insert(CustomerFields(note: "new"), at: .before(ids[0])))"
    case 1: try list.delete([ids[0]])
    case 2: return "\(try list.update(ids[0]) { $0.note += "!" })"
    case 3:
      try list.arrange(list.page(from: 1, limit: .max, in: section.id).map(\.id).reversed(), in: section.id)
    case 4..<12: return "\(try list.swap(ids[0], ids[1]))"
    case 12..<18: return "\(try list.move(block, by: numbers[2] % 9 - 4))"
    case 18..<26: return "\(try list.move(block, to: .before(ids[4]), in: section.id))"
    case 26..<34: return "\(try list.move(block, to: .after(ids[4])))"
    case 34:
      return
        "\(try list.move(block, to: .last, expecting: [ids[0]: CustomerPlace(section: section.id, order: 1)]))"
    case 35: return "\(try list.move(block, to: .last, in: SectionID(rawValue: 99)))"
    case 36: return "\(try batch(&list, ids, section.id))"
    case 37..<40: return "\(try list.move(block, to: kind % 2 == 0 ? .first : .last, in: section.id))"
    default: return "\(try list.move(block, to: .place(numbers[3] % (section.count + 2)), in: section.id))"
    }
    return ""
  }

  private func batch(
    _ list: inout CustomerList, _ ids: [CustomerID], _ section: SectionID
  ) throws -> BatchResult {
    do {
      return try list.performBatchUpdates { batch in
        batch.move(.customer(ids[0]), to: .first(in: section))
        batch.insert(CustomerFields(note: "new"), at: .last(in: section))
      }
    } catch BatchError.refused(_, let error) {
      throw error
    }
  }
}
