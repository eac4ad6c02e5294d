import CustomersSystem
import Testing

@Suite struct GzipTests {
  @Test func `what would not get shorter is left as it is`() throws {
    #expect(gzipped([]) == nil && gzipped(Array("short".utf8)) == nil)
    var generator = SystemRandomNumberGenerator()
    #expect(gzipped((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &generator) }) == nil)
    let many = try #require(gzipped([UInt8](repeating: 7, count: 100_000)))
    #expect(many.count < 1_000 && many.starts(with: [0x1f, 0x8b]))
  }
}
