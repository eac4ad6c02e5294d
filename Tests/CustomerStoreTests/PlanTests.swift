@testable import CustomerStore
import SQLite
import TestSupport
import Testing

/// When moves are planned, and when the plan is written or forgotten.
@Suite struct PlanTests {
  private static let section = SectionID(rawValue: 1)
  private static func customer(_ id: Int64) -> CustomerID { CustomerID(rawValue: id) }
  private static let forty = Array(Int64(1)...40)

  @Test func `few moves are not planned, many are until another edit`() throws {
    try PlanningTests.store([40], .real).write { list in
      try list.planMoves(3)
      #expect((list.isPlanning as Bool) == false)
      try list.planMoves(1_000)
      #expect((list.isPlanning as Bool) == true)
      try list.move([Self.customer(1)], to: .last)
      let written = try list.connection.ids()
      #expect(written == Self.forty)
      try list.insert(CustomerFields())
      #expect((list.isPlanning as Bool) == false)
      let ids = try list.connection.ids()
      #expect(ids == Self.forty.dropFirst() + [1, 41])
    }
  }

  @Test func `many moves become one edit, few that are left one each, and those to and fro none`() throws {
    let store = try PlanningTests.store([40], .real)
    let edits: (Int) throws -> Int = { rounds in
      try store.write { list in
        try list.planMoves(1_000)
        for _ in 0..<rounds {
          for id in [1, 2, 3] as [Int64] { try list.move([Self.customer(id)], to: .last) }
          for id in [3, 2, 1] as [Int64] { try list.move([Self.customer(id)], to: .first) }
        }
        return try list.currentStep()?.editCount ?? 0
      }
    }
    #expect(try edits(50) == 0)
    let few = try store.write { list in
      try list.planMoves(1_000)
      for id in (1...100).map({ [1, 2, 3][$0 % 3] as Int64 }) {
        try list.move([Self.customer(id)], to: .last)
      }
      return try list.currentStep()?.editCount
    }
    #expect(few == 3)
    let many = try store.write { list in
      try list.planMoves(1_000)
      for id in 1...40 as ClosedRange<Int64> where id % 13 != 0 {
        try list.move([Self.customer(id)], to: .first)
      }
      return try list.currentStep()?.editCount
    }
    #expect(many == 1)
    #expect(try store.read { try $0.check() } == [])
  }

  @Test func `a protected row is refused at once, and slides through a new order of its section`() throws {
    let store = try PlanningTests.store([40], .real)
    try store.write { list in
      try list.planMoves(1_000)
      for id in 1...40 as ClosedRange<Int64> where id % 13 != 0 {
        try list.move([Self.customer(id)], to: .last)
      }
      #expect(throws: ListError.moveForbidden(Self.customer(13))) {
        try list.move([Self.customer(1), Self.customer(13)], to: .last)
      }
    }
    let rest = Self.forty.filter { $0 % 13 != 0 }
    #expect(try store.read { try $0.connection.ids() } == [13, 26, 39] + rest)
  }

  @Test func `a transaction that fails or is rehearsed forgets its plan`() throws {
    struct Stop: Error {}
    let store = try PlanningTests.store([40], .real)
    #expect(throws: Stop.self) {
      try store.write { list in
        try list.planMoves(1_000)
        try list.move([Self.customer(1)], to: .last)
        throw Stop()
      }
    }
    let last = try store.dryRun { list in
      try list.planMoves(1_000)
      try list.move([Self.customer(1)], to: .last)
      return try list.last(in: Self.section)?.id
    }
    #expect(last == Self.customer(1))
    let first = try store.read { list in (try list.first(in: Self.section)?.id, try list.connection.ids()) }
    #expect(first.0 == Self.customer(1) && first.1 == Self.forty)
  }

  @Test func `a plan that can't be written is not lost in silence`() throws {
    let store = try PlanningTests.store([40], .real)
    #expect(throws: ListError.damaged) { try store.write(Self.fail) }
    #expect(try store.read { try $0.connection.ids() } == Self.forty)
  }

  /// Plans a move, and meets an error when the plan is written.
  private static func fail(_ list: inout CustomerList) throws {
    try list.planMoves(1_000)
    try list.move([customer(1)], to: .last)
    try list.connection.execute(#"UPDATE place SET "order" = 99 WHERE "order" = 30"#)
    #expect(throws: ListError.damaged) { try list.lastEdit() }
    #expect((list.isPlanning as Bool) == true)
  }

  @Test func `a list with broken numbers is not planned`() throws {
    try PlanningTests.store([40], .real).write { list in
      try list.connection.execute("UPDATE section_record SET count = 39")
      try list.planMoves(1_000)
      #expect((list.isPlanning as Bool) == false)
      try list.connection.execute("UPDATE section_record SET count = 40")
      try list.connection.execute("UPDATE node SET start = start + 7 WHERE id IN (SELECT block FROM located_block)")
      try list.planMoves(1_000)
      #expect((list.isPlanning as Bool) == false)
      try list.connection.execute("UPDATE node SET start = start - 7 WHERE id IN (SELECT block FROM located_block)")
    }
  }
}
