@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// When moves are planned, and when the plan is written or forgotten.
@Suite struct PlanTests {
  private static let section = SectionID(rawValue: 1)
  private static func customer(_ id: Int64) -> CustomerID { CustomerID(rawValue: id) }
  private static let forty = Array(Int64(1)...40)

  @Test func `few moves are not planned, many are until another edit`() throws {
    try PlanningTests.store([40], .real).write { list in
      try list.planningMoves(3) { list in #expect((list.planner.isPlanning as Bool) == false) }
      try list.planningMoves(1_000) { list in
        #expect((list.planner.isPlanning as Bool) == true)
        try list.move([Self.customer(1)], to: .last)
        let written = try list.connection.ids()
        #expect(written == Self.forty)
        try list.insert(CustomerFields())
        #expect((list.planner.isPlanning as Bool) == false)
        let ids = try list.connection.ids()
        #expect(ids == Self.forty.dropFirst() + [1, 41])
      }
    }
  }

  @Test func `many moves become one edit, a few one edit each, and moves back and forth none`() throws {
    let store = try PlanningTests.store([40], .real)
    let edits: (_ moves: [(Int64, Destination)]) throws -> Int = { moves in
      try store.write { list in
        try list.planningMoves(1_000) { list in
          for (id, destination) in moves { try list.move([Self.customer(id)], to: destination) }
        }
        return try list.currentStep()?.editCount ?? 0
      }
    }
    let there: [(Int64, Destination)] = [1, 2, 3].map { ($0, .last) }
    let back: [(Int64, Destination)] = [3, 2, 1].map { ($0, .first) }
    #expect(try edits((0..<50).flatMap { _ in there + back }) == 0)
    #expect(try edits((1...100).map { (Int64([1, 2, 3][$0 % 3]), .last) }) == 3)
    #expect(try edits((1...40).filter { $0 % 13 != 0 }.map { ($0, .first) }) == 1)
    #expect(try store.read { try $0.check() } == [])
  }

  @Test func `a protected row is refused at once, and shifts with a new order of its section`() throws {
    let store = try PlanningTests.store([40], .real)
    try store.write { list in
      try list.planningMoves(1_000) { list in
        for id in 1...40 as ClosedRange<Int64> where id % 13 != 0 {
          try list.move([Self.customer(id)], to: .last)
        }
        #expect(throws: ListError.moveForbidden(Self.customer(13))) {
          try list.move([Self.customer(1), Self.customer(13)], to: .last)
        }
      }
    }
    let rest = Self.forty.filter { $0 % 13 != 0 }
    #expect(try store.read { try $0.connection.ids() } == [13, 26, 39] + rest)
  }

  @Test func `a scope that throws moves nothing, and the transaction can go on`() throws {
    struct Stop: Error {}
    let store = try PlanningTests.store([40], .real)
    try store.write { list in
      #expect(throws: Stop.self) {
        try list.planningMoves(1_000) { list in
          try list.move([Self.customer(1)], to: .last)
          try list.insert(CustomerFields())
          throw Stop()
        }
      }
      try list.move([Self.customer(2)], to: .first)
    }
    #expect(try store.read { try $0.connection.ids() } == [2, 1] + Self.forty.dropFirst(2))
    let last = try store.dryRun { list in
      try list.planningMoves(1_000) { list in
        try list.move([Self.customer(1)], to: .last)
        return try list.last(in: Self.section)?.id
      }
    }
    #expect(last == Self.customer(1))
    #expect(try store.read { try $0.first(in: Self.section)?.id } == Self.customer(2))
  }

  @Test func `a plan that can't be written is reported`() throws {
    let store = try PlanningTests.store([40], .real)
    #expect(throws: ListError.damaged) {
      try store.write { list in
        try list.planningMoves(1_000) { list in
          try list.move([Self.customer(1)], to: .last)
          try list.connection.execute(#"UPDATE place SET slot = slot + 30 WHERE "order" = 30"#)
        }
      }
    }
    #expect(try store.read { try $0.connection.ids() } == Self.forty)
  }

  @Test func `a list with damaged numbers is not planned`() throws {
    try PlanningTests.store([40], .real).write { list in
      try list.connection.execute("UPDATE section_record SET count = 39")
      try list.planningMoves(1_000) { list in #expect((list.planner.isPlanning as Bool) == false) }
      try list.connection.execute("UPDATE section_record SET count = 40")
      try list.connection.execute(
        "UPDATE node SET start = start + 7 WHERE id IN (SELECT block FROM located_block)")
      try list.planningMoves(1_000) { list in #expect((list.planner.isPlanning as Bool) == false) }
      try list.connection.execute(
        "UPDATE node SET start = start - 7 WHERE id IN (SELECT block FROM located_block)")
    }
  }
}
