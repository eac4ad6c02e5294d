@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Planned moves have the same results as single ones.
@Suite(.onThreads) struct PlanningTests {
  static let section = SectionID(rawValue: 1)

  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `planned moves do, return, show, and refuse the same as single ones`(seed: Int) throws {
    var random = SplitMix64(seed: 900 + seed)
    let capacity = Capacity.allCases[seed % 3]
    let counts = [random.below(seed % 2 == 0 ? 20 : 150), random.below(60), random.below(3)]
    let pair = try (0..<2).map { _ in try Self.store(counts, capacity) }
    for turn in 0..<(isLong ? 100 : 4) {
      let edits = (0..<(random.oneIn(2) ? 12 : 90)).map { _ in RandomMove(&random) }
      let copy = try pair[1].read { list in (try ListCopy(list), try list.version()) }
      let single = try pair[0].write { list in
        var outcomes: [String] = []
        for edit in edits {
          let found = try edit.found(in: list)
          outcomes.append(try found.outcome { edit in try list.moves(of: edit) })
        }
        return outcomes
      }
      let planned = try pair[1].write { list in
        var plan = try #require(try MovePlan(list, moves: 1_000_000))
        var outcomes: [String] = []
        for edit in edits {
          let found = try edit.found(in: list, plan)
          outcomes.append(try found.outcome { edit in try plan.apply(edit, of: list) })
        }
        try list.write(plan)
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

  @Test(arguments: sampled(0..<6, oneIn: 6))
  func `undo leads back through planned transactions, and redo forward`(seed: Int) throws {
    var random = SplitMix64(seed: 700 + seed)
    let store = try Self.store([random.below(100), 20], Capacity.allCases[seed % 3])
    var states = [try store.read { try $0.connection.contents() }]
    for _ in 0..<6 {
      try store.write { list in
        try list.planned { list, plan in
          for _ in 0..<1 + random.below(60) {
            let found = try RandomMove(&random).found(in: list, plan)
            _ = try found.outcome { edit in try plan.apply(edit, of: list) }
          }
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

/// A move that names rows by numbers which fit any list.
private struct RandomMove {
  private let numbers: [Int]
  private let kind: Int

  init(_ random: inout SplitMix64) {
    kind = random.below(60)
    numbers = (0..<6).map { _ in random.below(1_000_000) }
  }

  /// A move of rows that were found in a list.
  struct Found {
    var edit: ListEdit?
    var rows: [Customer] = []

    /// Returns the rows, and the result or the error of moving them.
    func outcome(_ move: (ListEdit) throws -> [CustomerMove]) throws -> String {
      guard let edit else { return "" }
      do {
        return "\(rows) \(try move(edit))"
      } catch let error as ListError {
        return "\(rows) \(error)"
      }
    }
  }

  /// Finds the rows in a list, or in the list as a plan leaves it.
  func found(in list: borrowing CustomerList, _ plan: MovePlan? = nil) throws -> Found {
    let resolver = try RowResolver(list, plan: plan)
    let outline = try resolver.outline
    guard outline.count > 0 else { return Found() }
    var rows: [Customer] = []
    for number in numbers {
      rows.append(try resolver.row(RowSelectors(["\(number % outline.count + 1)"]), in: list))
    }
    let ids = rows.map(\.id)
    let section = outline.sections[numbers[1] % outline.sections.count]
    let block = Array(ids.prefix(1 + numbers[5] % 3))
    let edit: ListEdit =
      switch kind {
      case 0..<12: .swap(ids[0], ids[1])
      case 12..<18: .moveBy(block, numbers[2] % 9 - 4)
      case 18..<26: .move(block, to: .before(ids[4]), in: section.id)
      case 26..<34: .move(block, to: .after(ids[4]))
      case 34: .move(block, to: .last, in: SectionID(rawValue: 99))
      case 35: .move([ids[0], CustomerID(rawValue: 9_999)], to: .last)
      case 36..<40: .move(block, to: kind % 2 == 0 ? .first : .last, in: section.id)
      default: .move(block, to: .place(numbers[3] % (section.count + 2)), in: section.id)
      }
    return Found(edit: edit, rows: rows)
  }
}

extension CustomerList {
  /// Makes a move and returns where its rows were and are.
  fileprivate mutating func moves(of edit: ListEdit) throws -> [CustomerMove] {
    switch edit {
    case .move(let ids, let destination, let section, _): try move(ids, to: destination, in: section)
    case .moveBy(let ids, let distance): try move(ids.map { try row($0) }, by: distance)
    case .swap(let one, let other): try swap(one, other)
    default: []
    }
  }
}
