import Foundation
import Glibc
import Testing

/// The bar for work that takes more than a second.
@Suite struct ProgressTests {
  /// The screen of an import from a pipe into which a row comes after some time.
  private func screen(after seconds: Double, _ words: [String] = [], term: String = "xterm") throws -> String
  {
    let desk = try Desk()
    let pipe = desk.folder + "/pipe"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let writer = Thread {
      let file = FileHandle(forWritingAtPath: pipe)
      file?.write(Data("name\nAnn\n".utf8))
      Thread.sleep(forTimeInterval: seconds)
      file?.write(Data("Bob\n".utf8))
      try? file?.close()
    }
    writer.start()
    let (screen, code) = try desk.onTerminal(words: ["import", "pipe"] + words, environment: ["TERM": term])
    #expect(code == 0)
    #expect(try desk.order == "Ann Bob")
    return screen
  }

  @Test func `it is there for a person who waits, and leaves nothing`() throws {
    let bar = try screen(after: 1.1)
    #expect(bar.hasPrefix("\r[") && bar.contains("] 0 %\r\u{1b}[K"), "\(bar.debugDescription)")
    #expect(bar.hasSuffix("\r\u{1b}[KImported 2 customers; the list has 2 rows.\r\n"))
  }

  @Test func `short work, a dumb terminal and -q have none`() throws {
    let told = "Imported 2 customers; the list has 2 rows.\r\n"
    #expect(try screen(after: 0) == told)
    #expect(try screen(after: 1.1, term: "dumb") == told)
    #expect(try screen(after: 1.1, ["-q"]) == "")
  }
}
