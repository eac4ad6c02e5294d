import Foundation
import Testing

/// Files that can't be a customers list, or can't be written: told, and left as they are.
@Suite struct FaultTests {
  /// Runs every command, with a deadline, on a file that none can use.
  private func expectRefused(_ desk: Desk, _ path: String, _ code: Int32, _ message: String) throws {
    let examples = try ExampleDesk(desk)
    let names = try desk.names
    for example in Example.all where example.usesFile {
      for more in example.kind == .edits ? [[], ["-n"]] : [[]] {
        let started = try examples.start(example, by: ["timeout", "20"], more: more + ["--db", path])
        let result = try started.outcome()
        #expect(result.code == code && result.output.isEmpty, "\(example): \(result)")
        #expect(result.errors.hasPrefix("customers: \(path): \(message)"), "\(example): \(result)")
      }
    }
    #expect(try desk.names == names)
  }

  @Test func `a folder`() throws {
    let desk = try Desk()
    try FileManager.default.createDirectory(atPath: desk.file, withIntermediateDirectories: false)
    try expectRefused(desk, desk.file, 1, "not a regular file\n")
  }

  @Test func `a pipe, without waiting for its other end`() throws {
    let desk = try Desk()
    #expect(try desk.shell("mkfifo pipe") == .done())
    try expectRefused(desk, "pipe", 1, "not a regular file\n")
    try expectRefused(desk, "/dev/null", 1, "not a regular file\n")
  }

  @Test func `a text, a database of somebody else's, and one that was cut short`() throws {
    let desk = try Desk.withDemo()
    _ = try desk.shell(
      """
      yes 'not a database' | head -1000 > text
      sqlite3 other.sqlite 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'
      sqlite3 numbered.sqlite 'PRAGMA user_version = 4'
      """)
    for name in ["text", "other.sqlite", "numbered.sqlite"] {
      let before = FileManager.default.contents(atPath: "\(desk.folder)/\(name)")
      try expectRefused(
        desk, name, 1, "not a customers file; it was left as it is\nhint: name another file: --db PATH\n")
      #expect(FileManager.default.contents(atPath: "\(desk.folder)/\(name)") == before)
    }
  }

  @Test func `a file of a newer version`() throws {
    let desk = try Desk.withDemo()
    let ours = try desk.sqlite("PRAGMA user_version").trimmingCharacters(in: .newlines)
    _ = try desk.sqlite("PRAGMA user_version = 99")
    try desk.expectUntouched { () throws in
      let told = "the file has format 99, newer than this program's \(ours); it was left as it is\n"
      try expectRefused(desk, desk.file, 1, told)
    }
  }

  @Test func `a file with two names`() throws {
    let desk = try Desk.withDemo()
    #expect(try desk.shell("ln customers.sqlite second.sqlite") == .done())
    try expectRefused(desk, desk.file, 1, "the file has several names (hard links); keep one\n")
  }

  @Test func `a link is followed, but no file is made through one that leads nowhere`() throws {
    let desk = try Desk.withDemo()
    #expect(try desk.shell("ln -s customers.sqlite good; ln -s gone.sqlite bad") == .done())
    #expect(try desk.run("add", "Ann", "--db", "good") == .done("Added \"Ann\" → 7."))
    for words in [["add", "Ann"], ["demo"], ["section", "add", "New"]] {
      let result = try desk.run(words: words + ["--db", "bad"])
      #expect(result == .failed(3, "customers: bad: there is no such file"), "\(words)")
    }
    #expect(try desk.run("list", "--db", "bad") == .done())
    #expect(try desk.names == ["bad", "customers.sqlite", "good"])
  }

  @Test func `a file in a folder that is none`() throws {
    let desk = try Desk()
    try desk.write("text", to: "text")
    try expectRefused(desk, "text/list.sqlite", 1, "Not a directory\n")
  }

  @Test func `a file whose tables can't be read`() throws {
    let desk = try Desk.withDemo()
    var bytes = [UInt8](try #require(desk.bytes))
    for index in 100..<4096 { bytes[index] = 0xa5 }
    try desk.put(Data(bytes))
    try desk.expectUntouched { try expectRefused(desk, desk.file, 1, "") }
  }

  @Test func `a damaged file is told to be damaged, and no command crashes on it`() throws {
    let desk = try Desk()
    let rows = "name,note\n" + (1...500).map { "Ann \($0),\(String(repeating: "x", count: 50))\n" }.joined()
    #expect(try desk.run("import", "-", "-q", stdin: rows) == .done())
    let whole = [UInt8](try #require(desk.bytes))
    var told = 0
    for page in 1..<(whole.count / 4096) {
      var damaged = whole
      for index in (page * 4096)..<(page * 4096 + 200) { damaged[index] = 0xa5 }
      try desk.write(damaged, to: "customers.sqlite")
      told += try desk.run("check").code == 1 ? 1 : 0
      for words in [["list"], ["show", "400"], ["move", "400", "2"], ["check", "--repair"]] {
        let result = try desk.run(words: words)
        #expect([0, 1, 3].contains(result.code), "page \(page), \(words): \(result.errors)")
      }
    }
    // All but the few pages that are free.
    #expect(told > whole.count / 4096 * 3 / 4)
  }
}
