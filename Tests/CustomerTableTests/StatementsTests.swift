import CustomersTestSupport
import Foundation
import Testing

/// `Tests/Statements.md` and the names of the tests say the same.
@Suite(.onThreads) struct StatementsTests {
  @Test func `each of the 172 statements has a test or a reason`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let lines = try String(contentsOf: tests.appending(path: "Statements.md"), encoding: .utf8)
      .split(separator: "\n").filter { $0.contains(/^\| S[0-9]/) }
    let rows = lines.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows.map { $0[0] } == Self.all, "every statement has one line, in order")
    #expect(Self.all.count == 172)

    let library = try Self.named(in: tests.appending(path: "CustomerTableTests"))
    let named = library.union(try Self.named(in: tests.appending(path: "CustomersTerminalTests")))
    let tested = Set(
      rows.filter { $0[2] == "tested" || $0[2].hasPrefix("tested, but differs: ") }.map { $0[0] })
    #expect(named.subtracting(tested).sorted() == [], "tests that the page does not know")
    #expect(tested.subtracting(named).sorted() == [], "statements without their test")
    for row in rows where !tested.contains(row[0]) {
      #expect(
        row[2].hasPrefix("does not apply: ") && row[2].count > 20, "\(row[0]) has neither a test nor a reason"
      )
    }
    for row in rows {
      let whose = library.contains(row[0]) ? "library" : tested.contains(row[0]) ? "terminal" : "—"
      #expect(row[3] == whose, "\(row[0])")
    }

    let pages = Set(
      try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: "CustomersPageTests").path))
    for row in rows where !row[4].hasPrefix("does not apply: ") {
      let suite = row[4].prefix { $0 != ";" }
      #expect(pages.contains("\(suite).swift"), "\(row[0]) names no suite of the page's")
    }
  }

  /// The statements that the tests of a folder name.
  private static func named(in folder: URL) throws -> Set<String> {
    var named: Set<String> = []
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files where file.pathExtension == "swift" {
      // The name of a test is the only text in backticks on its line.
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where line.contains("`") {
        named.formUnion(line.matches(of: /S[1-5]\.[0-9]+/).map { String($0.output) })
      }
    }
    return named
  }

  /// S5 has no statement 8.
  private static let all = [(1, 36), (2, 22), (3, 30), (4, 35), (5, 50)].flatMap { document, count in
    (1...count).map { "S\(document).\($0)" }
  }.filter { $0 != "S5.8" }
}
