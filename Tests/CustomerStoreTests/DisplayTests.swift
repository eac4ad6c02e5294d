@_spi(Tools) import CustomerStore
import CustomersTestSupport
import Testing

/// What a table displayed, the updates it gets and the list afterward fit together, or an error
/// reports the difference.
@Suite(.onThreads) struct DisplayTests {
  private static let section = SectionID(rawValue: 1)
  private static let other = SectionID(rawValue: 2)

  private func check(_ before: [Int64], _ after: [Int64], _ build: (inout BatchUpdates) -> Void) throws {
    var updates = BatchUpdates()
    build(&updates)
    try updates.check(
      before: [Self.section: before.map(CustomerID.init), Self.other: []],
      after: [Self.section: after.map(CustomerID.init), Self.other: []])
  }

  @Test func `a display that got all updates is correct`() throws {
    try check([1, 2, 3, 4], [9, 4, 1, 3]) { updates in
      updates.insert(CustomerFields(), at: .place(1, in: Self.section))
      updates.move(.place(4, in: Self.section), to: .place(2, in: Self.section))
      updates.delete(.customer(CustomerID(rawValue: 2)))
    }
  }

  @Test func `the rows after a batch must be the rows before, plus inserted and minus deleted ones`() {
    let error = BatchError.countDiffers(Self.section, before: 3, after: 3, inserted: 1, deleted: 0)
    #expect(throws: error) {
      try check([1, 2, 3], [1, 2, 3]) { $0.insert(CustomerFields(), at: .last(in: Self.section)) }
    }
    #expect(throws: BatchError.countDiffers(Self.section, before: 3, after: 2, inserted: 0, deleted: 0)) {
      try check([1, 2, 3], [1, 2]) { _ in }
    }
    #expect(throws: BatchError.countDiffers(Self.section, before: 2, after: 2, inserted: 0, deleted: 1)) {
      try check([1, 2], [1, 2]) { updates in
        updates.move(.place(1, in: Self.section), to: .first(in: Self.other))
      }
    }
  }

  @Test func `correct counts do not hide a wrong row`() {
    let place = { CustomerPlace(section: Self.section, order: $0) }
    #expect(
      throws: BatchError.rowDiffers(
        place(2), expected: CustomerID(rawValue: 3), found: CustomerID(rawValue: 2))
    ) { try check([1, 2, 3], [1, 2]) { $0.delete(.place(2, in: Self.section)) } }
    #expect(throws: BatchError.rowDiffers(place(1), expected: nil, found: CustomerID(rawValue: 1))) {
      try check([1, 2], [1, 2, 9]) { $0.insert(CustomerFields(), at: .first(in: Self.section)) }
    }
  }

  @Test func `a section that was not displayed has no rows to check`() {
    let unknown = SectionID(rawValue: 3)
    #expect(throws: BatchError.refused(operation: 0, .noSuchSection(unknown))) {
      try check([1], [1]) { $0.insert(CustomerFields(), at: .first(in: unknown)) }
    }
  }
}
