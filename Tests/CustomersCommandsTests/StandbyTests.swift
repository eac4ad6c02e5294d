import CustomerFixtures
@testable import CustomersCommands
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// `backup FILE --follow`: a copy that has each step a moment after the list.
@Suite(.onThreads) struct StandbyTests {
  /// Starts the command; `body` gets its process.
  @discardableResult
  private func following(
    _ sandbox: CLISandbox, _ target: String, environment: [String: String] = [:],
    _ body: (pid_t) throws -> Void
  ) throws -> ProcessResult {
    var started = try sandbox.start([CLISandbox.program, "backup", target, "--follow"])
    started.spawn.environment.merge(environment) { $1 }
    let process = try started.spawn.start()
    do { try body(process) } catch {
      kill(process, SIGKILL)
      _ = Spawn.wait(process)
      throw error
    }
    kill(process, SIGTERM)
    return try started.outcome(code: Spawn.wait(process))
  }

  private func digest(_ sandbox: CLISandbox, _ path: String? = nil) throws -> Substring? {
    let result = try sandbox.run(words: ["check", "--digest", "--db", path ?? sandbox.file])
    return result.code == 0 ? result.output.split(separator: "\n").last : nil
  }

  private func waitUntilSame(_ sandbox: CLISandbox, _ path: String) throws {
    let wanted = try digest(sandbox)
    try waitUntil("the standby has the list") {
      FileIdentity(path) != nil ? try digest(sandbox, path) == wanted : false
    }
  }

  @Test(arguments: ["here", "there"])
  func `each step arrives, and the old list's later steps are pulled`(place: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let file = "\(sandbox.folder)/standby.sqlite"
    let (start, ssh) = try sandbox.copies(place, in: sandbox.folder)
    let target = start + "standby.sqlite"
    let result = try following(sandbox, target, environment: ssh) { _ in
      try waitUntilSame(sandbox, file)
      for name in ["E", "F", "G"] {
        #expect(try sandbox.run("add", name, "-q") == .done())
        try waitUntilSame(sandbox, file)
      }
      #expect(try sandbox.run("move", "1", "3", "-q") == .done())
      #expect(try sandbox.run("undo", "-q") == .done())
      try waitUntilSame(sandbox, file)
    }
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.split(separator: "\n").count >= 4, "\(result)")
    // The machine is lost with a step that was not sent, and comes back later.
    #expect(try sandbox.run("add", "Not sent", "-q") == .done())
    #expect(try sandbox.run("restore", "standby.sqlite", "--db", "new.sqlite", "-y", "-q") == .done())
    #expect(try sandbox.run("add", "After", "-q", "--db", "new.sqlite") == .done())
    #expect(try sandbox.run("pull", sandbox.file, "-q", "--db", "new.sqlite") == .done())
    let names = try sandbox.run(
      "list", "--fields", "name", "--no-header", "--format", "csv", "--db", "new.sqlite"
    ).output
    #expect(names.contains("Not sent") && names.contains("After") && names.contains("G"), "\(names)")
    #expect(try sandbox.run("check", "-q", "--db", "new.sqlite") == .done())
  }

  @Test func `only the pages that changed are sent`() throws {
    let sandbox = try CLISandbox.withLetters()
    let names = (1...20_000).map { "Customer \($0)" }.joined(separator: "\n")
    #expect(
      try sandbox.run("import", "-", "--format", "csv", "-q", "-y", stdin: "name\n\(names)\n").code == 0)
    let (old, new) = ("\(sandbox.folder)/old", "\(sandbox.folder)/new")
    #expect(try sandbox.run("backup", old, "-q") == .done())
    #expect(try sandbox.run("move", "19000", "2", "-q") == .done())
    #expect(try sandbox.run("backup", new, "-q") == .done())
    let (before, after) = (try PageImage(old), try PageImage(new))
    let changes = try EditableFile([], suffix: ".pages")
    defer { changes.remove() }
    try PageChanges.write(from: before, digest: before.digest, to: after, ofFileAt: new, changes)
    let size = try InputFile(changes.path).size
    #expect(size < 40 * after.pageSize && size > after.pageSize, "\(size) bytes")
    // They make the new file of the old one, byte for byte, and of no other.
    func made(of path: String?) throws -> Data? {
      let input = BufferedInput(try InputFile(changes.path))
      let header = try PageChanges(try input.line())
      var result = Data()
      let isBase = try header.apply(to: try path.map { try InputFile($0) }, input) {
        result.append(contentsOf: $0)
      }
      return isBase ? result : nil
    }
    let wanted = try Data(contentsOf: URL(filePath: new))
    #expect(try made(of: old) == wanted)
    #expect(try made(of: new) == nil)
    #expect(try made(of: sandbox.file) == nil)
    #expect(throws: PageImage.Malformed.self) { try made(of: nil) }
  }

  @Test func `changes that were cut or altered anywhere make nothing`() throws {
    let sandbox = try CLISandbox.withLetters()
    let (old, new, cut) = ("\(sandbox.folder)/old", "\(sandbox.folder)/new", "\(sandbox.folder)/cut")
    #expect(try sandbox.run("backup", old, "-q") == .done())
    #expect(try sandbox.run("add", "E", "-q") == .done())
    #expect(try sandbox.run("backup", new, "-q") == .done())
    let before = try PageImage(old)
    let changes = try EditableFile([], suffix: ".pages")
    defer { changes.remove() }
    try PageChanges.write(from: before, digest: before.digest, to: PageImage(new), ofFileAt: new, changes)
    let bytes = try changes.read()
    func apply(_ bytes: [UInt8]) throws -> Bool {
      try CustomersTestSupport.write(bytes, to: cut)
      let input = BufferedInput(try InputFile(cut))
      return try PageChanges(try input.line()).apply(to: try InputFile(old), input) { _ in }
    }
    #expect(try apply(bytes))
    var random = SplitMix64(seed: 12)
    for _ in 0..<60 {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      #expect((try? apply(Array(bytes[..<place]))) != true, "cut at \(place)")
      var altered = bytes
      altered[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      #expect((try? apply(altered)) != true, "altered at \(place)")
    }
    #expect((try? apply(bytes + [0])) != true)
    #expect((try? apply(bytes + bytes.suffix(before.pageSize + 4))) != true)
  }

  @Test func `what was edited in the standby, and any other file, is not replaced`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "standby.sqlite", "-q") == .done())
    #expect(try sandbox.run("add", "There", "-q", "--db", "standby.sqlite") == .done())
    #expect(try sandbox.run("add", "Here", "-q") == .done())
    #expect(try sandbox.run("add", "Other", "-q", "--db", "other.sqlite") == .done())
    try sandbox.write("precious", to: "text")
    for (name, reason, code) in [
      ("standby.sqlite", "was edited on its own", 4), ("other.sqlite", "a copy of another list", 4),
      ("text", "\"text\": not a customers file", 1), ("customers.sqlite", "this is the list itself", 4),
    ] as [(String, String, Int32)] {
      let before = try Data(contentsOf: URL(filePath: "\(sandbox.folder)/\(name)"))
      let result = try sandbox.run("backup", name, "--follow")
      #expect(result.code == code && result.errors.contains(reason), "\(name): \(result)")
      let after = try Data(contentsOf: URL(filePath: "\(sandbox.folder)/\(name)"))
      #expect(after == before)
    }
    try sandbox.write("", to: "empty")
    let empty = try sandbox.run("backup", "empty", "--follow")
    #expect(empty.code != 0 && empty.errors.contains("\"empty\""), "\(empty)")
    // An older state of the list may be.
    #expect(try sandbox.run("backup", "older.sqlite", "-q") == .done())
    #expect(try sandbox.run("add", "More", "-q") == .done())
    try following(sandbox, "older.sqlite") { _ in try waitUntilSame(sandbox, "\(sandbox.folder)/older.sqlite")
    }
  }

  @Test func `what is forgotten in an idle list is forgotten in the standby`() throws {
    let sandbox = try CLISandbox.withLetters()
    let file = "\(sandbox.folder)/standby.sqlite"
    func says(_ path: String) throws -> Bool {
      try Data(contentsOf: URL(filePath: path)).range(of: Data("Mistyped".utf8)) != nil
    }
    #expect(try sandbox.run("add", "Mistyped", "-q") == .done())
    let result = try following(sandbox, "standby.sqlite") { _ in
      #expect(try sandbox.run("delete", "Mistyped", "-y", "-q") == .done())
      try waitUntilSame(sandbox, file)
      #expect(try says(file))
      #expect(try sandbox.run("history", "--forget", "-y", "-q") == .done())
      try waitUntil("the standby has forgotten it, too") { try !says(file) }
    }
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    #expect(try sandbox.run("check", "-q", "--db", file) == .done())
  }

  @Test func `a standby that is removed is made again`() throws {
    let sandbox = try CLISandbox.withLetters()
    let file = "\(sandbox.folder)/standby.sqlite"
    let result = try following(sandbox, "standby.sqlite") { _ in
      try waitUntilSame(sandbox, file)
      try FileManager.default.removeItem(atPath: file)
      #expect(try sandbox.run("add", "E", "-q") == .done())
      try waitUntilSame(sandbox, file)
    }
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
  }

  @Test(arguments: ["here", "there"])
  func `status says what a standby lacks, and since when`(place: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let (start, ssh) = try sandbox.copies(place, in: sandbox.folder)
    let target = start + "standby.sqlite"
    func status(_ words: String...) throws -> (code: Int32, standby: [String: Any]) {
      let result = try sandbox.run(
        words: ["status", "--json", "--copies", target] + words, environment: ssh)
      return (result.code, try jsonObject(result.output)["standby"] as? [String: Any] ?? [:])
    }
    #expect(try status().code == 11)
    try following(sandbox, target, environment: ssh) { _ in
      try waitUntilSame(sandbox, "\(sandbox.folder)/standby.sqlite")
    }
    let well = try status("--max-age", "1s")
    #expect(well.code == 0 && well.standby["missing"] as? Int == 0, "\(well)")
    for name in ["E", "F"] { #expect(try sandbox.run("add", name, "-q") == .done()) }
    // A step takes a moment to arrive.
    let late = try status()
    #expect(late.code == 0 && late.standby["missing"] as? Int == 2, "\(late)")
    let steps = try JSONSerialization.jsonObject(
      with: Data(try sandbox.run("history", "--json", "--limit", "2").output.utf8))
    let first = try #require((steps as? [[String: Any]])?.last?["time"] as? String)
    #expect(late.standby["since"] as? String == first)
    let text = try sandbox.run(words: ["status", "--copies", target], environment: ssh).output
    #expect(text.contains("\nStandby:     lacks 2 steps, the first of 2"), "\(text)")
    // Times are whole seconds.
    try waitUntil("the standby is late") { try status("--max-age", "1s").code == 11 }
    // Another list, one that was edited on its own, and one that is damaged.
    #expect(try sandbox.run("add", "There", "-q", "--db", "standby.sqlite") == .done())
    #expect(try status().code == 11)
    let file = try FileHandle(forUpdating: URL(filePath: "\(sandbox.folder)/standby.sqlite"))
    try file.seek(toOffset: 4096 * 5)
    try file.write(contentsOf: Data(repeating: 0, count: 40_960))
    try file.close()
    #expect(try status().code == 8)
    #expect(try sandbox.run("status", "--max-age", "1d").code == 2)
  }

  /// What stays ends the command with its reason, and what may pass is said once.
  @Test func `a standby that can't be had ends, and ssh's reason is said once`() throws {
    let sandbox = try CLISandbox.withLetters()
    func ends(_ serving: String, _ target: String) throws -> ProcessResult {
      let far = try sandbox.otherMachine(serving: serving)
      return try sandbox.run(
        words: ["backup", target, "--follow"],
        environment: ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])])
    }
    let there = "ssh://elsewhere\(sandbox.folder)/standby.sqlite"
    for reason in ["ann@elsewhere: Permission denied (publickey).", "Host key verification failed."] {
      let refused = try ends("echo '\(reason)' >&2; exit 255", there)
      #expect(refused.code == 1 && refused.errors.contains("     \(reason)\n"), "\(refused)")
    }
    let serving = "run customers serve --folder '\(sandbox.folder)'"
    let missing = "/nowhere/standby.sqlite"
    for folder in ["\(sandbox.folder)\(missing)", "ssh://elsewhere\(sandbox.folder)\(missing)"] {
      let result = try ends(serving, folder)
      #expect(result.code == 3 && result.errors.contains("No such file or directory"), "\(result)")
    }
    #expect(try ends("exit 87", there).errors.contains("not installed"))
    // The machine may be back later.
    let lost = "echo 'ssh: connect to host elsewhere port 22: Connection refused' >&2; exit 255"
    let far = try sandbox.otherMachine(
      serving:
        "echo x >> '\(sandbox.folder)/tries'; [ $(wc -l < '\(sandbox.folder)/tries') -gt 3 ] || { \(lost); }; \(serving)"
    )
    let result = try following(
      sandbox, there, environment: ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    ) { _ in try waitUntilSame(sandbox, "\(sandbox.folder)/standby.sqlite") }
    #expect(
      result.code == 0
        && result.errors == """
          note: can't reach "elsewhere": ssh exited with status 255; trying again
               ssh: connect to host elsewhere port 22: Connection refused

          """,
      "\(result)")
  }

  @Test func `a key for one list, or for reading, can't keep a standby`() throws {
    let sandbox = try CLISandbox.withLetters()
    let file = "\(sandbox.folder)/standby.sqlite"
    for options in ["--list '\(file)'", "--folder '\(sandbox.folder)' --read-only"] {
      let far = try sandbox.otherMachine(serving: "run customers serve \(options)")
      let ssh = ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
      let result = try sandbox.run(words: ["backup", "ssh://elsewhere\(file)", "--follow"], environment: ssh)
      #expect(result.code == 4 && result.errors.contains("not offered"), "\(result)")
      #expect(FileIdentity(file) == nil)
    }
  }

  /// Whoever is killed, the standby is the list as of a step, and has all that was reported.
  @Test func `kills of either side lose no step that was reported`() throws {
    let sandbox = try CLISandbox.withLetters()
    let file = "\(sandbox.folder)/standby.sqlite"
    // Each call leaves its process id.
    let far = try sandbox.otherMachine(
      serving: "run sh -c 'echo $$ > \"$FAR/pid\"; exec customers serve --folder '\"'\(sandbox.folder)'\"")
    let ssh = ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    let pid = URL(filePath: sandbox.folder).deletingLastPathComponent().appending(path: "far/pid")
    var random = SplitMix64(seed: 50)
    var (added, told) = (0, 6)
    for round in 0..<(isLong ? 50 : 4) {
      let result = try following(sandbox, "ssh://elsewhere\(file)", environment: ssh) { process throws in
        for _ in 0..<(isLong ? 20 : 4) {
          #expect(try sandbox.run("add", "Row \(added)", "-q") == .done())
          added += 1
          usleep(UInt32.random(in: 0...200_000, using: &random))
          let other = (try? String(contentsOf: pid, encoding: .utf8)).flatMap {
            pid_t($0.trimmingCharacters(in: .newlines))
          }
          if Int.random(in: 0..<4, using: &random) == 0, round % 2 == 0, let other { kill(other, SIGKILL) }
        }
        if round % 2 == 1 { kill(process, SIGKILL) }
      }
      // What was reported is there, and nothing is half there.
      for line in result.output.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count > 3, let count = Int(words[2]) { told = max(told, count) }
      }
      guard FileIdentity(file) != nil else { continue }
      let names = try sandbox.run(
        "list", "--fields", "name", "--no-header", "--format", "csv", "--db", "standby.sqlite")
      let rows = names.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let sent = rows.count { $0.hasPrefix("Row ") }
      #expect(names.code == 0 && 6 + sent >= told && sent <= added, "\(sent) \(told) \(names)")
      #expect((0..<sent).allSatisfy { rows.contains("Row \($0)") }, "\(rows)")
      #expect(try sandbox.run("check", "-q", "--db", "standby.sqlite") == .done())
    }
    try following(sandbox, "ssh://elsewhere\(file)", environment: ssh) { _ in try waitUntilSame(sandbox, file)
    }
    // The other side of the last one that was killed may still be ending; what it leaves goes with the next copy.
    try waitUntil("no unfinished copy is left") {
      #expect(try sandbox.run("backup", "last.sqlite", "-q", "-y") == .done())
      return try sandbox.names.allSatisfy { $0.hasSuffix(".sqlite") }
    }
  }
}
