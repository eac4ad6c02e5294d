import Foundation
import CustomersTestSupport
import Testing

/// Files that can't be a customers list, or can't be written: told, and left as they are.
@Suite(.onThreads) struct FaultTests {
  /// Runs every command on a file that none can use; one that waits for it would do so forever.
  private func expectRefused(
    _ sandbox: CLISandbox, _ path: String, _ code: Int32, _ message: String, except rescue: String? = nil
  ) throws {
    let examples = try ExampleSandbox(sandbox)
    let names = try sandbox.names
    let all =
      isLong
      ? Example.all.filter(\.usesFile) : sampled(Example.oneOfEachCommand, oneIn: 5, salt: message.count)
    for example in all where !example.reportsTrouble && example.command != rescue {
      for more in example.kind == .edits ? [[], ["-n"]] : [[]] {
        let result = try examples.runAsIs(example, more + ["--db", path])
        #expect(result.code == code && result.output.isEmpty, "\(example): \(result)")
        let expected =
          result.errors.hasPrefix("customers: can't ") && result.errors.contains(" \"\(path)\": \(message)")
        #expect(expected, "\(example): \(result)")
      }
    }
    #expect(try sandbox.names == names)
  }

  @Test func `a folder is refused as a customers file`() throws {
    let sandbox = try CLISandbox()
    try FileManager.default.createDirectory(atPath: sandbox.file, withIntermediateDirectories: false)
    try expectRefused(sandbox, sandbox.file, 1, "not a regular file\n")
  }

  @Test func `a pipe is refused without waiting for its other end`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.shell("mkfifo pipe; mknod device c 1 3 || ln -s pipe device").code == 0)
    try expectRefused(sandbox, "pipe", 1, "not a regular file\n")
    // Not that of the machine, which a mistake would replace.
    try expectRefused(sandbox, "device", 1, "not a regular file\n")
  }

  @Test func `a string, a foreign database, and a truncated one`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.shell(
      """
      yes 'not a database' | head -1000 > text
      sqlite3 other.sqlite 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'
      sqlite3 numbered.sqlite 'PRAGMA user_version = 4'
      """)
    for name in ["text", "other.sqlite", "numbered.sqlite"] {
      let before = FileManager.default.contents(atPath: "\(sandbox.folder)/\(name)")
      try expectRefused(
        sandbox, name, 1, "not a customers file; it was left as it is\nhint: name another file: --db PATH\n",
        except: "restore")
      #expect(FileManager.default.contents(atPath: "\(sandbox.folder)/\(name)") == before)
    }
  }

  @Test func `a file of a newer version`() throws {
    let sandbox = try CLISandbox.withDemo()
    let ours = try sandbox.sqlite("PRAGMA user_version").trimmingCharacters(in: .newlines)
    _ = try sandbox.sqlite("PRAGMA user_version = 99")
    try sandbox.expectUntouched { () throws in
      let told = "the file has format 99, newer than this program's \(ours); it was left as it is\n"
      try expectRefused(sandbox, sandbox.file, 1, told)
    }
  }

  @Test func `a file with two names`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.shell("ln customers.sqlite second.sqlite") == .done())
    try expectRefused(sandbox, sandbox.file, 1, "the file has several names (hard links); keep one\n")
  }

  @Test func `a link is followed, but no file is created through a broken one`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.shell("ln -s customers.sqlite good; ln -s gone.sqlite bad") == .done())
    #expect(try sandbox.run("add", "Ann", "--db", "good") == .done("Added \"Ann\" as row 7."))
    for words in [["add", "Ann"], ["demo"], ["section", "add", "New"]] {
      let result = try sandbox.run(words: words + ["--db", "bad"])
      #expect(result == .failed(3, "customers: can't open \"bad\": no such file"), "\(words)")
    }
    #expect(
      try sandbox.run("list", "--db", "bad") == .failed(3, "customers: can't open \"bad\": no such file"))
    #expect(try sandbox.names == ["bad", "customers.sqlite", "good"])
  }

  @Test func `an empty file is called empty, and an edit makes a list of it`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.write("", to: "empty")
    let empty = ProcessResult.failed(3, "customers: can't open \"empty\": the file is empty")
    for words in [["list"], ["export"], ["info"], ["history"], ["web"], ["delete", "1", "-y"]] {
      #expect(try sandbox.run(words: words + ["--db", "empty"]) == empty, "\(words)")
    }
    #expect(try sandbox.run("restore", "empty", "-y") == empty)
    #expect(try sandbox.run("add", "Ann", "--db", "empty") == .done("Added \"Ann\" as row 1."))
  }

  @Test func `a file in a folder that is not a folder`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("text", to: "text")
    try expectRefused(sandbox, "text/list.sqlite", 1, "Not a directory\n")
  }

  @Test func `a file whose tables can't be read`() throws {
    let sandbox = try CLISandbox.withDemo()
    var bytes = [UInt8](try #require(sandbox.bytes))
    for index in 100..<4096 { bytes[index] = 0xa5 }
    try sandbox.put(Data(bytes))
    // Of what SQLite recognizes, restore keeps a copy and goes on.
    try sandbox.expectUntouched { try expectRefused(sandbox, sandbox.file, 1, "", except: "restore") }
  }

  @Test func `a damaged file is reported, and no command crashes on it`() throws {
    let sandbox = try CLISandbox()
    let rows = "name,note\n" + (1...500).map { "Ann \($0),\(String(repeating: "x", count: 50))\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: rows) == .done())
    let whole = [UInt8](try #require(sandbox.bytes))
    var told = 0
    let pages = sampled(1..<(whole.count / 4096), oneIn: 16)
    for page in pages {
      var damaged = whole
      for index in (page * 4096)..<(page * 4096 + 200) { damaged[index] = 0xa5 }
      try sandbox.write(damaged, to: "customers.sqlite")
      told += try sandbox.run("check").code == 1 ? 1 : 0
      for words in [["list"], ["show", "400"], ["move", "400", "2"], ["check", "--repair"]] {
        let result = try sandbox.run(words: words)
        #expect([0, 1, 3, 4].contains(result.code), "page \(page), \(words): \(result.errors)")
      }
    }
    // All but the few pages that are free.
    #expect(told > pages.count * 2 / 3)
  }
}
