import Foundation
import CustomersTestSupport
import Testing

/// Damaged files that SQLite reads without noticing: no reader keeps silent about rows that it did not get.
@Suite(.onThreads) struct IncompleteListTests {
  /// Pages of the file that take each other's place.
  enum Swap: String, CaseIterable {
    /// The table of customers seems to have one row.
    case records
    /// Customers can be found only by reading all of them.
    case leaves
    /// The customers are there, but none has a place.
    case places
    /// The list seems to have no sections.
    case sections
    /// Some records are those of the history.
    case history
    /// Some records are nowhere.
    case lost
  }

  /// A list of 348 customers in two sections with some pages swapped.
  private static func damaged(_ swap: Swap) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try sandbox.put(whole.get())
    func root(_ table: String) throws -> Int {
      let root = try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
      return try #require(Int(root.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    func leaf(_ number: Int) throws -> Int {
      // The first children of an inner page are in the first cells (https://sqlite.org/fileformat2.html#b_tree_pages).
      let (bytes, page) = ([UInt8](try #require(sandbox.bytes)), 4096 * (try root("customer_record") - 1))
      try #require(bytes[page] == 5)
      let cell = page + Int(bytes[page + 12 + 2 * number]) << 8 + Int(bytes[page + 13 + 2 * number])
      return Int(bytes[cell + 2]) << 8 + Int(bytes[cell + 3])
    }
    let (one, other) =
      switch swap {
      case .records: (try root("customer_record"), try root("identity"))
      case .leaves: (try leaf(1), try leaf(3))
      case .places: (try root("place"), try root("history_limit"))
      case .sections: (try root("section_record"), try root("identity"))
      case .history: (try leaf(0), try root("edit_record"))
      case .lost: (try leaf(0), try root("edit_record"))
      }
    var bytes = try #require(sandbox.bytes)
    let pages = [one, other].map { bytes.startIndex + 4096 * ($0 - 1)..<bytes.startIndex + 4096 * $0 }
    let first = Data(bytes[pages[0]])
    bytes.replaceSubrange(pages[0], with: Data(bytes[pages[1]]))
    bytes.replaceSubrange(pages[1], with: swap == .lost ? Data(count: 4096) : first)
    try sandbox.put(bytes)
    return sandbox
  }

  private static let whole: Result<Data, any Error> = Result {
    let sandbox = try CLISandbox()
    let rows = (1...348).map {
      "Ann \($0),\($0 % 9 == 0 ? "Old" : "New"),note \(String(repeating: "x", count: $0 % 50)),Guild \($0 % 7)\n"
    }
    #expect(
      try sandbox.run("import", "-", "-q", stdin: "name,section,note,Club\n\(rows.joined())") == .done())
    return try #require(sandbox.bytes)
  }

  @Test func `a list that can't even be opened is exported as a repair would read it`() throws {
    let sandbox = try CLISandbox()
    try sandbox.put(Self.whole.get())
    func lines(_ file: String) throws -> [String] {
      try sandbox.shell("cat \(file)").output.split(whereSeparator: \.isNewline).map(String.init)
    }
    try #require(try sandbox.run("export", "whole.csv", "-q") == .done())
    let damage =
      "LC_ALL=C sed -i 's/INSERT ON renew_history BEGIN/INSERT ON renew_history |EGIN/' customers.sqlite"
    try #require(try sandbox.shell(damage) == .done())
    let damaged = sandbox.bytes
    #expect(try sandbox.run("export", "all.csv").code == 1)
    let all = try sandbox.run("export", "--partial", "all.csv")
    #expect(all.code == 7 && all.errors.contains("all its rows were written"), "\(all)")
    #expect(try lines("all.csv") == lines("whole.csv"))
    try #require(try sandbox.shell("truncate -s -8192 customers.sqlite") == .done())
    let part = try sandbox.run("export", "--partial", "part.csv")
    let rows = try lines("part.csv").count - 1
    #expect(part.code == 7 && part.errors.contains("this can't be read:") && rows > 50, "\(rows) \(part)")
    #expect(damaged?.starts(with: sandbox.bytes ?? Data()) == true)
  }

  @Test func `a partial export names the values that it could not write as they are`() throws {
    let sandbox = try CLISandbox.withDemo()
    let damage = """
      UPDATE customer_record SET last_name = CAST(x'41C7' AS TEXT) WHERE id = 4;
      UPDATE customer_record SET extra = CAST(x'7DC7' AS TEXT) WHERE id = 3
      """
    try #require(try sandbox.shell("sqlite3 customers.sqlite \"\(damage)\"") == .done())
    let part = try sandbox.run("export", "--partial", "part.csv")
    #expect(part.code == 7 && part.output.contains("Exported 10 rows"), "\(part)")
    for value in ["the last name is not valid UTF-8", "the text of the extra columns is not valid UTF-8"] {
      #expect(part.errors.contains(value), "\(part)")
    }
  }

  private static let readers = [
    ["list"], ["list", "--json"], ["list", "--format", "csv"], ["list", "--sort", "name"],
    ["list", "--where", "note~x"],
    ["list", "--section", "New", "--reverse"], ["find", "note"], ["find", "nobody has this"],
    ["export", "-"],
    ["export", "-", "--format", "vcard"], ["export", "--json"], ["duplicates"], ["check"],
    ["check", "--digest"], ["columns"], ["columns", "--json"],
    ["sort", "--by", "name"], ["history", "--forget", "-y"],
  ]

  @Test(arguments: Swap.allCases)
  func `no reader of a list that has lost rows succeeds, and nothing is changed`(swap: Swap) throws {
    let sandbox = try Self.damaged(swap)
    let damaged = sandbox.bytes
    for words in Self.readers {
      let result = try sandbox.run(words: words)
      #expect(result.code == 1 || words.first == "list" && result.code == 3, "\(words): \(result)")
      #expect(!result.errors.isEmpty, "\(words)")
      #expect(sandbox.bytes == damaged, "\(words)")
    }
    let sections = try sandbox.run("section", "list")
    #expect(sections.code == (swap == .sections ? 1 : 0), "\(sections)")
  }

  @Test func `the error says how many rows are missing and what to do`() throws {
    let sandbox = try Self.damaged(.records)
    let result = try sandbox.run("list", "--json")
    #expect(
      result.errors.hasPrefix(#"{"error":{"code":1,"message":"can't read "#)
        && result.errors.contains("348 of 348 rows can't be read")
        && result.errors.contains("customers export --partial FILE"), "\(result)")
  }

  @Test(arguments: [
    ["list", "@5"], ["show", "@5"], ["edit", "@5", "--note", "x"], ["delete", "@5", "-y"],
    ["move", "@5", "--to", "1"],
  ]) func `a row that can't be read is not said to be nowhere`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.changePage(of: "customer_record") { page, file in
      file.replaceSubrange(page + 3..<page + 5, with: [0, 2])
    }
    let lost = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(lost.code == 1 && lost.errors.contains("8 of 10 rows can't be read"), "\(lost)")
    let unknown = try sandbox.expectUntouched {
      try sandbox.run(words: words.map { $0 == "@5" ? "@99" : $0 })
    }
    #expect(unknown.code == 3 && unknown.errors.contains("there is no customer @99"), "\(unknown)")
  }

  @Test func `an export of a list that has lost rows writes no file`() throws {
    let sandbox = try Self.damaged(.places)
    try sandbox.write("old", to: "old.csv")
    #expect(try sandbox.run("export", "old.csv", "-y").code == 1)
    #expect(try sandbox.run("export", "new.csv").code == 1)
    #expect(try String(contentsOfFile: "\(sandbox.folder)/old.csv", encoding: .utf8) == "old")
    #expect(try sandbox.names == ["customers.sqlite", "old.csv"])
  }

  @Test(arguments: Swap.allCases)
  func `a partial export writes every row that can be read, and names the others`(swap: Swap) throws {
    let sandbox = try Self.damaged(swap)
    let result = try sandbox.run("export", "--partial", "saved.csv", "--json")
    #expect(result.code == 7, "\(result)")
    let report = try jsonObject(result.output)
    let count = try #require(report["count"] as? Int)
    let missing = try #require(report["missing"] as? [Int])
    let missingCount = try #require(report["missing_count"] as? Int)
    let lines = try String(contentsOfFile: "\(sandbox.folder)/saved.csv", encoding: .utf8).split(
      separator: "\n")
    #expect(lines.count == count + 1)
    let names = lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[0...1].joined(separator: " ")
    }
    #expect(Set(names).count == count && names.allSatisfy { $0.hasPrefix("Ann ") }, "\(names.prefix(3))")
    switch swap {
    case .leaves, .places, .records, .sections, .history:
      #expect(count == 348 && missing == [] && missingCount == 0)
    case .lost:
      let ids = missing.sorted()
      try #require(!ids.isEmpty)
      #expect(count + ids.count == 348 && missingCount == ids.count && ids == Array(1...ids.count))
      let text = try sandbox.run("export", "--partial", "-")
      let names =
        "\(ids.count) of 348 rows can't be read: @1–@\(ids.count)"
      #expect(text.code == 7 && text.errors.contains(names), "\(text.errors)")
    }
  }

  @Test func `a partial export needs no room for a repair`() throws {
    let sandbox = try Self.damaged(.lost)
    let whole = try sandbox.run("export", "--partial", "-")
    let short = try sandbox.shell("TMPDIR=/proc SQLITE_TMPDIR=/proc customers export --partial -")
    #expect(short.code == 7 && short.output == whole.output && short.errors == whole.errors, "\(short)")
  }

  @Test func `a partial export takes no page of another table for customers`() throws {
    let sandbox = try CLISandbox.withDemo()
    let roots = try sandbox.sqlite(
      "SELECT rootpage FROM sqlite_schema WHERE name IN ('customer_record', 'sqlite_sequence') ORDER BY name")
    let pages = roots.split(whereSeparator: \.isNewline).compactMap { Int($0) }
    try #require(pages.count == 2)
    _ = try sandbox.shell(
      "dd if=customers.sqlite of=customers.sqlite bs=4096 skip=\(pages[1] - 1) seek=\(pages[0] - 1) count=1 conv=notrunc status=none"
    )
    let result = try sandbox.run("export", "--partial", "saved.csv")
    #expect(result.code == 7, "\(result)")
    #expect(try sandbox.shell("grep -c '^,,,' saved.csv").output == "0\n")
  }

  @Test func `a partial export has rows with values that no customer has, and says that the list is damaged`()
    throws
  {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(
      """
      PRAGMA ignore_check_constraints = 1; UPDATE customer_record SET is_favorite = 7 WHERE id = 3;
      PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'TEXT    NOT NULL', 'TEXT')
        WHERE name = 'customer_record'
      """)
    _ = try sandbox.sqlite("UPDATE customer_record SET phone = NULL, block = 0.5 WHERE id = 4")
    let result = try sandbox.run("export", "--partial", "saved.csv", "--json")
    #expect(
      result.code == 7 && result.output.contains(#""count":10,"missing_count":0,"missing":[]"#), "\(result)")
  }

  @Test func `no reader of a log that has lost lines succeeds, and a partial export names them`() throws {
    let sandbox = try CLISandbox.withPeople()
    for text in ["called", "wrote"] { try #require(try sandbox.run("log", "1", text, "-q") == .done()) }
    _ = try sandbox.sqlite("UPDATE line_record SET deleted_by = 1 WHERE text = 'called'")
    for words in [
      ["show", "1"], ["show", "1", "--json"], ["export", "-", "--ids"], ["export", "-", "--format", "json"],
      ["export", "-", "--style", "log", "--format", "vcard"], ["check"],
    ] {
      let result = try sandbox.run(words: words)
      #expect(result.code == 1 && !result.errors.isEmpty, "\(words): \(result)")
    }
    let part = try sandbox.run("export", "--partial", "-", "--format", "json")
    #expect(part.code == 7 && part.output.contains("called") && part.output.contains("wrote"), "\(part)")
    #expect(part.errors.contains("all its rows were written"), "\(part)")
    _ = try sandbox.sqlite("UPDATE line_record SET customer = 0 WHERE text = 'wrote'")
    let less = try sandbox.run("export", "--partial", "-", "--format", "json")
    #expect(less.code == 7 && less.output.contains("called"), "\(less)")
    #expect(less.errors.contains("this can't be read:\n     1 line of the log"), "\(less)")
  }

  /// Makes the page of a table or an index have fewer rows than are in it, as one wrong byte does.
  private static func cut(_ name: String, to count: UInt8, in sandbox: CLISandbox) throws {
    let root = try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
    let page = try #require(Int(root.prefix { !$0.isWhitespace }))
    var bytes = try bytes(of: sandbox.file)
    let place = (page - 1) * 4096 + 4
    try #require(bytes[place] > count && bytes[place - 1] == 0)
    bytes[place] = count
    try write(bytes, to: sandbox.file)
  }

  @Test(arguments: [
    ("line_by_customer", "log", ["list --due", "list --due --count", "next", "export - --format json"]),
    ("edit_record", "edit", ["history", "history 4", "history @1", "undo --yes", "undo 4"]),
    ("history_step", "edit", ["history", "history --json", "history 4", "undo --yes"]),
  ])
  func `who needs rows that a page does not count any more gets an error, and changes nothing`(
    _ name: String, _ edit: String, _ lines: [String]
  ) throws {
    let sandbox = try CLISandbox.withPeople()
    let commands = lines.map { $0.split(separator: " ").map(String.init) }
    for number in 1...4 {
      let words =
        switch edit {
        case "log": ["log", "@\(number)", "called"]
        default: ["edit", "@1", "--note", "\(number)"]
        }
      try #require(try sandbox.run(words: words + ["-q"]).code == 0)
    }
    for words in commands where words.first != "undo" {
      #expect(try sandbox.run(words: words).code == 0, "\(words)")
    }
    try Self.cut(name, to: 1, in: sandbox)
    for words in commands {
      let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
      #expect(result.code == 1 && result.errors.contains("damaged"), "\(words): \(result)")
    }
    #expect(try sandbox.run("check").code == 1)
  }

  @Test func `a partial export of a whole list is an export`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.run("export", "--partial", "some.csv") == .done("Exported 4 rows to \"some.csv\"."))
    #expect(try sandbox.run("export", "all.csv", "-q") == .done())
    let files = try ["some.csv", "all.csv"].map {
      try Data(contentsOf: URL(filePath: "\(sandbox.folder)/\($0)"))
    }
    #expect(files[0] == files[1])
    #expect(try sandbox.run("export", "--partial", "x.csv", "--where", "Club=Berlin").code == 2)
    #expect(try sandbox.run("export", "--partial", "x.csv", "1").code == 2)
  }

  @Test func `the history of a damaged file is not erased`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("delete", "2", "-y", "-q") == .done())
    let root = try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'section_by_title'")
    let page = 4096 * (try #require(Int(root.trimmingCharacters(in: .whitespacesAndNewlines))) - 1)
    var bytes = try #require(sandbox.bytes)
    // An index that no reader needs.
    bytes.replaceSubrange(bytes.startIndex + page..<bytes.startIndex + page + 4096, with: Data(count: 4096))
    try sandbox.put(bytes)
    let result = try sandbox.run("history", "--forget", "-y")
    #expect(result.code == 1 && result.errors.contains("the file is damaged"), "\(result)")
    #expect(sandbox.bytes == bytes)
    #expect(try sandbox.run("undo", "-q") == .done())
  }
}
