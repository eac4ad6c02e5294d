@testable import CustomersCommands
import CustomersTestSupport
import Foundation
import Testing

/// What was typed for 0.2.0 does what it did there.
@Suite(.onThreads) struct EarlierSpellingTests {
  /// The list and the files on which the lines were recorded.
  private static let setUp = [
    "demo -q", "move 9 --section Archive -q", "move Edmond --section Leads -q", "edit 3 --phone 555 -q",
    "edit 1 --set Club=Rome -q", "edit 4 --note loud -q", "edit 6 --company Books -q", "add 'Old One' -q",
    "delete 'Old One' -q -y", "move 5 2 -q", "undo -q", "backup copy.sqlite -q", "export out.csv --ids -q",
  ]

  private static let files = [
    "contacts.csv": "name,email,Club\nEve,eve@x.example,Bern\n",
    "bad.csv": "name,email,Club\nEve,eve@x.example,Bern\n,,\n",
    "spring-clean": "edit 1 --note x\nadd Eve --as eve\nmove $eve --first\nswap 1 2\nexpect count 11\n",
    "broken": "edit 1 --note x\nmove 99 1\n",
  ]

  private static let fields =
    "section_title,order,id,first_name,last_name,company,email,phone,address,note,other_contacts,tags,is_favorite,"
    + "can_edit,can_move"

  /// A hash (FNV-1a) of the rows and of the sections, as commands print them.
  private static func state(of sandbox: CLISandbox) throws -> String {
    let rows = try sandbox.run("list", "--format", "tsv", "--no-header", "--fields", fields)
    // The heading of the first column was one letter shorter.
    let sections = try sandbox.run("section").output.split(separator: "\n").map {
      $0.hasPrefix("Number") ? "Order\($0.dropFirst(6))\n" : "\($0.dropFirst())\n"
    }
    let text = rows.output + sections.joined()
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test func `each line has the exit code and leaves the list that it had in 0.2.0`() throws {
    let sandbox = try CLISandbox()
    for (name, text) in Self.files { try sandbox.write(text, to: name) }
    for line in Self.setUp {
      #expect(try sandbox.run(words: TypedCommand.words(of: line)) == .done(), "\(line)")
    }
    let (names, list) = (try sandbox.names, try #require(sandbox.bytes))
    let text = try String(contentsOfFile: "\(samples)/0.2.0.txt", encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count > 200 && lines.count { $0.hasPrefix("!") } < 6)
    for line in lines where !line.hasPrefix("!") {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let words = try TypedCommand.words(of: parts[2])
      let result = try sandbox.run(words: words)
      let state = try Self.state(of: sandbox)
      #expect("\(result.code)" == parts[0] && state == parts[1], "\(parts[2]): \(state) \(result)")
      try sandbox.put(list)
      for name in try sandbox.names where !names.contains(name) {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
    }
  }
}
