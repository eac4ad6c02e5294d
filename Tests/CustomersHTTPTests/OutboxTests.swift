import CustomersTestSupport
import Testing

@testable import CustomersHTTP

@Suite(.onThreads) struct OutboxTests {
  /// The bytes that it keeps, sent or not.
  private func kept(_ box: Outbox) throws -> Int {
    try #require(Mirror(reflecting: box).descendant("bytes") as? [UInt8]).count
  }

  @Test func `what was sent is not kept, even if something always waits`() throws {
    var box = Outbox()
    box.add([0, 1, 2])
    var (next, sent) = (UInt8(3), UInt8(0))
    for round in 0..<10_000 {
      box.add((0..<9).map { next &+ $0 })
      next &+= 9
      let count = round % 2 == 0 ? 8 : 10
      let bytes = unsafe box.withUnsent { unsafe Array($0.prefix(count)) }
      #expect(bytes == (0..<UInt8(count)).map { sent &+ $0 })
      box.drop(count)
      sent &+= UInt8(count)
      let size = try kept(box)
      try #require(!box.isEmpty && size <= 2 * box.count)
    }
    box.drop(box.count)
    #expect(try box.isEmpty && kept(box) == 0)
  }
}
