import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// When moves are planned, and what is written of them.
@Suite(.onThreads) struct PlanTests {
  private static let section = SectionID(rawValue: 1)
  private static func customer(_ id: Int64) -> CustomerID { CustomerID(rawValue: id) }
  private static let forty = Array(Int64(1)...40)

  @Test func `few moves are not planned, and the list has none of many until they are written`() throws {
    try PlanningTests.store([40], .real).write { list in
      let few = try MovePlan(list, moves: 3)
      #expect(few == nil)
      var plan = try #require(try MovePlan(list, moves: 1_000))
      try plan.apply(.move([1], to: .last), of: list)
      let (written, place) = (try list.connection.ids(), try list.place(of: 1))
      #expect(written == Self.forty && place.order == 1 && plan.place(of: 1)?.order == 40)
      try list.write(plan)
      let ids = try list.connection.ids()
      #expect(ids == Self.forty.dropFirst() + [1])
    }
  }

  @Test func `planned moves become one edit, and moves back and forth none`() throws {
    let store = try PlanningTests.store([40], .real)
    let edits: (_ moves: [(Int64, Destination)]) throws -> Int = { moves in
      try store.write { list in
        try list.planned { list, plan in
          for (id, destination) in moves {
            try plan.apply(.move([Self.customer(id)], to: destination), of: list)
          }
        }
        return try list.currentStep()?.editCount ?? 0
      }
    }
    let there: [(Int64, Destination)] = [1, 2, 3].map { ($0, .last) }
    let back: [(Int64, Destination)] = [3, 2, 1].map { ($0, .first) }
    #expect(try edits((0..<50).flatMap { _ in there + back }) == 0)
    #expect(try edits((1...100).map { (Int64([1, 2, 3][$0 % 3]), .last) }) == 1)
    #expect(try edits((1...40).filter { $0 % 13 != 0 }.map { ($0, .first) }) == 1)
    #expect(try store.read { try $0.check() } == [])
  }

  @Test func `a protected row is refused at once, and shifts with a new order of its section`() throws {
    let store = try PlanningTests.store([40], .real)
    try store.write { list in
      try list.planned { list, plan in
        for id in 1...40 as ClosedRange<Int64> where id % 13 != 0 {
          try plan.apply(.move([Self.customer(id)], to: .last), of: list)
        }
        #expect(throws: ListError.moveForbidden(13)) { try plan.apply(.move([1, 13], to: .last), of: list) }
      }
    }
    let rest = Self.forty.filter { $0 % 13 != 0 }
    #expect(try store.read { try $0.connection.ids() } == [13, 26, 39] + rest)
  }

  @Test func `a row is found at its planned place`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid | More: Dan")
    try store.write { list in
      var plan = try #require(try MovePlan(list, moves: 1_000))
      try plan.apply(.move([1], to: .last, in: 2), of: list)
      func found(_ words: String...) throws -> [CustomerID] {
        try RowResolver(list, plan: plan).rows(RowSelectors(words), in: list).map(\.id)
      }
      #expect(try found("1-4") == [2, 3, 4, 1])
      #expect(try found("More/2") == [1] && found("last") == [1])
    }
  }

  @Test func `a plan that can't be written is reported`() throws {
    let store = try PlanningTests.store([40], .real)
    #expect(throws: ListError.damaged) {
      try store.write { list in
        try list.planned { list, plan in
          try plan.apply(.move([1], to: .last), of: list)
          try list.connection.execute(#"UPDATE place SET slot = slot + 30 WHERE "order" = 30"#)
        }
      }
    }
    #expect(try store.read { try $0.connection.ids() } == Self.forty)
  }

  @Test func `a list with damaged numbers is not planned`() throws {
    try PlanningTests.store([40], .real).write { list in
      try list.connection.execute("UPDATE section_record SET count = 39")
      let withWrongCount = try MovePlan(list, moves: 1_000)
      try list.connection.execute("UPDATE section_record SET count = 40")
      try list.connection.execute(
        "UPDATE node SET start = start + 7 WHERE id IN (SELECT block FROM located_block)")
      let withWrongStart = try MovePlan(list, moves: 1_000)
      try list.connection.execute(
        "UPDATE node SET start = start - 7 WHERE id IN (SELECT block FROM located_block)")
      #expect(withWrongCount == nil && withWrongStart == nil)
    }
  }
}

extension CustomerList {
  /// Plans moves and writes them.
  mutating func planned(_ body: (borrowing CustomerList, inout MovePlan) throws -> Void) throws {
    var plan = try #require(try MovePlan(self, moves: 1_000_000))
    try body(self, &plan)
    try write(plan)
  }
}
