import CustomersTestSupport
import Foundation
import Testing

/// What is said about lines with a mistake.
@Suite(.onThreads) struct MistakenLineTests {
  private static func lines() throws -> [String] {
    try String(contentsOfFile: "\(samples)/mistakes.txt", encoding: .utf8).split(separator: "\n").map(
      String.init)
  }

  /// The command lines in a hint that name no placeholder.
  private static func commands(in errors: String) -> [String] {
    errors.split(separator: "\n").filter { $0.contains("hint: ") }
      .flatMap { String($0.dropFirst("hint: ".count)).components(separatedBy: "; ") }
      .compactMap { piece in piece.range(of: "customers ").map { String(piece[$0.lowerBound...]) } }
      .filter {
        $0.wholeMatch(
          of:
            /.*(\[|\||\b(FILE|NAME|TEXT|ROW|STEP|FIELD|COLUMN|SECTION|TITLE|PLACE|KIND|CHOICE|TAG|SHELL|ID)\b).*/
        ) == nil
      }
  }

  @Test func `no mistake edits, each is explained, and a command in a hint can be typed as it stands`() throws
  {
    let sandbox = try CLISandbox.withDemo()
    let list = try #require(sandbox.bytes)
    let other = sandbox.folder + "/a list.sqlite"
    try list.write(to: URL(filePath: other))
    try FileManager.default.removeItem(atPath: sandbox.file)
    let names = try sandbox.names
    var tried = 0
    for line in try Self.lines() {
      let result = try sandbox.shell("customers --db 'a list.sqlite' \(line) < /dev/null")
      #expect(result.code != 0 && result.output.isEmpty, "\(line): \(result)")
      #expect(result.errors.hasPrefix("customers: "), "\(line): \(result)")
      #expect(try Data(contentsOf: URL(filePath: other)) == list, "\(line)")
      #expect(try sandbox.names == names, "\(line)")
      for command in Self.commands(in: result.errors) {
        let typed = try sandbox.shell("\(command) < /dev/null")
        #expect(typed.code != 2 && typed.code != 127, "\(line): \(command): \(typed)")
        #expect(
          try sandbox.names.allSatisfy { names.contains($0) || $0 == "customers.csv" }, "\(line): \(command)")
        tried += 1
        try list.write(to: URL(filePath: other))
        for name in try sandbox.names where !names.contains(name) {
          try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
        }
      }
    }
    #expect(tried > 20)
  }
}
