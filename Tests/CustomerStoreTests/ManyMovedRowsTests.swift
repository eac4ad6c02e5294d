@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Which rows of a large step were moved is found in time that grows with the step, not with its square: with a
/// square, these tests would run for an hour.
@Suite(.onThreads) struct ManyMovedRowsTests {
  @Test func `rows that are back where they were are compared once`() {
    let count = 40_000
    let changes = (1...count).map { number in
      let place = CustomerPlace(section: 1, order: number)
      let change = ListChange.move(CustomerID(rawValue: Int64(number)), from: place, to: place)
      return (edit: Int64(number), change: change)
    }
    let sketch = StepSketch(changes, limit: .max)
    #expect(sketch.rows.count == count)
    #expect(!(1...count).contains { sketch.isMoved(CustomerID(rawValue: Int64($0))) })
  }

  @Test func `a block that is moved to where it is has moved no row`() throws {
    let store = try CustomerStore.inMemory(.generated(6_000))
    try store.write { list in
      let ids = (1...6_000).map { CustomerID(rawValue: $0) }
      let outcome = try list.apply(.move(ids, to: .first))
      #expect(outcome.rows.count == 6_000 && outcome.isEmpty)
    }
  }
}
