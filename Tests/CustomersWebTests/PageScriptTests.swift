import CCustomersFiles
import Testing

/// The scripts of the page become one, in the order of their files.
@Suite struct PageScriptTests {
  @Test func `each script imports only from those above it`() throws {
    var above: Set<Substring> = []
    for index in 0..<customers_page_file_count() {
      guard let file = unsafe customers_page_file_at(index)?.pointee else { continue }
      let name = unsafe String(cString: file.name)
      guard name.hasSuffix(".js"), name != "worker.js" else { continue }
      let source = unsafe String(
        decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
      for line in source.split(separator: "\n") where line.hasPrefix("import ") {
        let script = try #require(line.split(separator: "'").last).dropFirst(2)
        #expect(above.contains(script), "\(name) imports \(script)")
      }
      above.insert(name[...])
    }
    #expect(above.contains("page.js"))
  }
}
