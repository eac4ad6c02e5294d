import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// `backup --list`, `--latest` and `restore --latest`: a folder of copies knows itself.
@Suite(.onThreads) struct CopySeriesTests {
  /// A list of four states, each with a copy; the names of the copies, oldest first.
  private func copies(_ sandbox: CLISandbox, in folder: String = "copies") throws -> [String] {
    try FileManager.default.createDirectory(
      atPath: "\(sandbox.folder)/\(folder)", withIntermediateDirectories: true)
    return try (1...4).map { day throws in
      #expect(try sandbox.run("add", "Day \(day)", "-q") == .done())
      let name = "\(folder)/list-2021110\(day)T120000Z.sqlite"
      #expect(try sandbox.run("backup", name, "-q") == .done())
      return name
    }
  }

  /// A copy is replaced; the list itself is not, by whatever name, nor is one with edits that the copy lacks.
  @Test func `a backup on another machine does not take the place of the list that it is of`() throws {
    let sandbox = try CLISandbox.withDemo()
    let far = try sandbox.otherMachine(serving: "run customers serve --any")
    let own = try sandbox.expectUntouched {
      try sandbox.run(words: ["backup", "ssh://elsewhere\(sandbox.file)", "--yes"], environment: far)
    }
    #expect(own.code == 4 && own.errors.contains("this is the list itself"), "\(own)")
    let restored = try sandbox.expectUntouched {
      try sandbox.run(words: ["restore", "ssh://elsewhere\(sandbox.file)", "--yes"], environment: far)
    }
    #expect(restored.code == 4 && restored.errors.contains("this is the list itself"), "\(restored)")
    let folder = try sandbox.run(words: ["take", sandbox.folder, "--yes"], environment: far)
    #expect(folder.code == 2 && folder.errors.contains("name a copy in it"), "\(folder)")
    let copy = "ssh://elsewhere\(sandbox.folder)/copy.sqlite"
    for _ in 0..<2 {
      #expect(try sandbox.run(words: ["backup", copy, "--yes", "-q"], environment: far).code == 0)
      #expect(try sandbox.run("add", "Eve", "-q").code == 0)
    }
    #expect(try sandbox.run(words: ["backup", copy, "--yes", "-q"], environment: far).code == 0)
    #expect(try sandbox.run("add", "Zoe", "-q", "--db", "copy.sqlite").code == 0)
    let ahead = try sandbox.run(words: ["backup", copy, "--yes"], environment: far)
    #expect(ahead.code == 4 && ahead.errors.contains("has edits that the copy lacks"), "\(ahead)")
    #expect(
      try sandbox.run("list", "zoe", "--limit", "1", "--format", "ids", "--db", "copy.sqlite").code == 0)
  }

  @Test func `a backup does not take the place of a copy that was edited on its own`() throws {
    let sandbox = try CLISandbox.withDemo()
    let far = try sandbox.otherMachine(serving: "run customers serve --any")
    let backups = [
      ["backup", "copy.sqlite", "--yes", "--db", sandbox.file],
      ["backup", "copy.sqlite", "--yes", "--db", "ssh://elsewhere\(sandbox.file)"],
      ["backup", "ssh://elsewhere\(sandbox.folder)/copy.sqlite", "--yes"],
    ]
    // As long as the list has had its state, it is replaced.
    for words in backups {
      #expect(try sandbox.run(words: words, environment: far).code == 0, "\(words)")
      #expect(try sandbox.run("add", "Eve", "-q").code == 0)
    }
    #expect(try sandbox.run("add", "Only There", "-q", "--db", "copy.sqlite").code == 0)
    let path = sandbox.folder + "/copy.sqlite"
    let before = try bytes(of: path)
    for words in backups + [backups[0] + ["--dry-run"]] {
      let refused = try sandbox.run(words: words, environment: far)
      #expect(refused.code == 4 && refused.errors.contains("has edits that the"), "\(words): \(refused)")
      #expect(try bytes(of: path) == before)
    }
    // What was taken in is not lost.
    #expect(try sandbox.run("take", "copy.sqlite", "--yes", "-q").code == 0)
    for words in backups { #expect(try sandbox.run(words: words, environment: far).code == 0, "\(words)") }
    #expect(try sandbox.run("list", "only there", "--db", "copy.sqlite").output.contains("Only There"))
    // Another list is another matter.
    #expect(try sandbox.run("add", "Other", "-q", "--db", "other.sqlite").code == 0)
    #expect(try sandbox.run("backup", "other.sqlite", "--yes", "-q").code == 0)
  }

  @Test(arguments: sampled(["copies/list.sqlite", "copies", "copies/"], oneIn: 3))
  func `the copies of a series or a folder are listed with what they have`(target: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let names = try copies(sandbox)
    try sandbox.write("no list", to: "copies/list-20211105T120000Z.sqlite")
    try sandbox.write("no copy", to: "copies/list-20211105.sqlite")
    let listed = try sandbox.run("backup", target, "--list", "--json")
    let found = try #require(JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
    #expect(found.map { $0["file"] as? String } == names + ["copies/list-20211105T120000Z.sqlite"])
    #expect(found.map { $0["count"] as? Int } == [7, 8, 9, 10, nil])
    #expect(found.map { $0["problem"] != nil } == [false, false, false, false, true])
    #expect(found[0]["time"] as? String == "2021-11-01T12:00:00.000Z")
    let text = try sandbox.run("backup", target, "--list")
    #expect(
      text.code == 0 && text.output.contains("2021-11-04 12:00:00") && text.errors.contains("not a customers")
    )
  }

  @Test func `the newest copy is found, and restored`() throws {
    let sandbox = try CLISandbox.withLetters()
    let names = try copies(sandbox)
    let before = try sandbox.order
    #expect(try sandbox.run("backup", "copies/list.sqlite", "--latest") == .done(names[3]))
    #expect(try sandbox.run("delete", "1-5", "-y", "-q") == .done())
    let restored = try sandbox.run("restore", "--latest", "copies", "-y")
    #expect(restored.output == "Restored 10 rows from \"\(names[3])\".\n", "\(restored)")
    #expect(try sandbox.order == before)
    try sandbox.expectSound()
  }

  @Test func `a copy that is too old differs from one that has all`() throws {
    let sandbox = try CLISandbox.withLetters()
    let newest = try #require(copies(sandbox).last)
    let words = ["backup", "copies", "--latest", "--max-age", "1s"]
    // Its name is of a day that may be in the past, but the list has not changed since.
    #expect(try sandbox.run(words: words) == .done(newest))
    #expect(try sandbox.run("add", "Later", "-q") == .done())
    let old = try sandbox.run(words: words)
    #expect(old.code == 11 && old.output.isEmpty && old.errors.contains("more than 1s ago"), "\(old)")
    #expect(try sandbox.run("backup", "copies", "--latest", "--max-age", "99999d").code == 0)
    // Where the list is not, the age alone counts.
    #expect(try sandbox.run(words: words + ["--db", "nowhere"]).code == 11)
    let status = try sandbox.run("status", "--copies", "copies", "--max-age", "1s", "--json")
    let code = try jsonObject(status.output)["code"] as? Int
    #expect(status.code == 11 && code == 11, "\(status)")
  }

  @Test func `a damaged newest copy is named, and not restored`() throws {
    let sandbox = try CLISandbox.withLetters()
    let newest = try #require(copies(sandbox).last)
    let file = try FileHandle(forUpdating: URL(filePath: "\(sandbox.folder)/\(newest)"))
    try file.seek(toOffset: 4096 * 5)
    try file.write(contentsOf: Data(repeating: 0, count: 40_960))
    try file.close()
    let before = try sandbox.order
    for words in [["backup", "copies", "--latest"], ["restore", "--latest", "copies", "-y"]] {
      let result = try sandbox.run(words: words)
      #expect(result.code == 8 && result.errors.contains(newest), "\(result)")
    }
    #expect(try sandbox.order == before)
    let status = try sandbox.run("status", "--copies", "copies").code
    #expect(status == 8)
  }

  @Test func `copies of another list under the same name do not count`() throws {
    let sandbox = try CLISandbox.withLetters()
    let names = try copies(sandbox)
    #expect(try sandbox.run("add", "Other", "-q", "--db", "other.sqlite") == .done())
    let foreign = "copies/list-20211231T120000Z.sqlite"
    #expect(try sandbox.run("backup", foreign, "-q", "--db", "other.sqlite") == .done())
    #expect(try sandbox.run("backup", "copies", "--latest") == .done(names[3]))
    #expect(try sandbox.run("backup", "copies", "--latest", "--db", "other.sqlite") == .done(foreign))
    let listed = try sandbox.run("backup", "copies", "--list")
    #expect(listed.errors == "note: 1 of these is a copy of another list\n", "\(listed)")
    #expect(try sandbox.run("delete", "1", "-y", "-q") == .done())
    #expect(try sandbox.run("restore", "--latest", "copies", "-y", "-q") == .done())
    #expect(try sandbox.order.hasPrefix("A B C D"))
    // Where the list is not, no one knows which is meant.
    let unknown = try sandbox.run("restore", "--latest", "copies", "-y", "--db", "new.sqlite")
    #expect(unknown.code == 4 && unknown.errors.contains("copies of 2 lists"), "\(unknown)")
    for name in names { try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)") }
    for words in [["backup", "copies", "--latest"], ["restore", "--latest", "copies", "-y"]] {
      #expect(try sandbox.run(words: words).code == 11)
    }
    #expect(try sandbox.run("status", "--copies", "copies").code == 11)
    // A newer one that can't be read may be of this list.
    #expect(try sandbox.run("backup", "copies/list-20220101T000000Z.sqlite", "-q") == .done())
    try sandbox.write("", to: "copies/list-20220102T000000Z.sqlite")
    #expect(try sandbox.run("backup", "copies", "--latest").code == 8)
    #expect(try sandbox.run("status", "--copies", "copies").code == 8)
  }

  @Test func `a copy is newer than one whose state it has had, whatever the clock said`() throws {
    let sandbox = try CLISandbox.withLetters()
    let names = try copies(sandbox)
    #expect(try sandbox.run("add", "Day 5", "-q") == .done())
    // A clock that had run ahead was set.
    let newest = "copies/list-20211030T120000Z.sqlite"
    #expect(try sandbox.run("backup", newest, "-q") == .done())
    #expect(try sandbox.run("backup", "copies", "--latest") == .done(newest))
    let listed = try sandbox.run("backup", "copies", "--list", "--json")
    let found = try #require(JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
    #expect(found.map { $0["file"] as? String } == names + [newest])
    // A list that was restored, and edited on its own since: the time is all that is known.
    #expect(try sandbox.run("restore", names[0], "-y", "-q") == .done())
    #expect(try sandbox.run("add", "Other", "-q") == .done())
    let other = "copies/list-20211106T120000Z.sqlite"
    #expect(try sandbox.run("backup", other, "-q") == .done())
    #expect(try sandbox.run("backup", "copies", "--latest") == .done(other))
  }

  @Test(arguments: ["here", "there"])
  func `copies that were edited apart count each for its own list`(place: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let (start, ssh) = try sandbox.copies(place, in: sandbox.folder + "/copies")
    func run(_ words: String...) throws -> ProcessResult { try sandbox.run(words: words, environment: ssh) }
    let names = try copies(sandbox)
    // Another machine has taken over, and then the first one was used again.
    #expect(try run("backup", "new.sqlite", "-q") == .done())
    #expect(try run("add", "On New", "-q", "--db", "new.sqlite") == .done())
    #expect(try run("add", "On Old", "-q") == .done())
    let (old, new) = ("copies/list-20211105T120000Z.sqlite", "copies/list-20211106T120000Z.sqlite")
    #expect(try run("backup", old, "-q") == .done())
    #expect(try run("backup", start + "copies", "--latest") == .done(start + old))
    #expect(try run("backup", start + "copies", "--latest", "--db", "new.sqlite") == .done(start + names[3]))
    #expect(try run("backup", start + "copies", "--list").errors == "")
    #expect(try run("backup", new, "-q", "--db", "new.sqlite") == .done())
    #expect(try run("backup", start + "copies", "--latest") == .done(start + old))
    #expect(try run("backup", start + "copies", "--latest", "--db", "new.sqlite") == .done(start + new))
    for words in [
      ["backup", start + "copies", "--latest"], ["restore", "--latest", start + "copies", "-y"],
    ] {
      let result = try sandbox.run(words: words + ["--db", "nowhere"], environment: ssh)
      #expect(result.code == 4 && result.errors.contains("edited apart"), "\(result)")
      #expect(result.errors.contains(start + old) && result.errors.contains(start + new), "\(result)")
      #expect(!result.errors.contains(names[3]), "\(result)")
    }
    let listed = try run("backup", start + "copies", "--list").errors
    #expect(listed.contains("edited apart") && listed.contains(start + old), "\(listed)")
    #expect(try run("delete", "1-5", "-y", "-q") == .done())
    #expect(try run("restore", "--latest", start + "copies", "-y", "-q") == .done())
    #expect(try run("show", "On Old", "-q").code == 0)
    // Those of the other one are no copies of this one, however new they are.
    for name in names + [old] { try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)") }
    for words in [["backup", start + "copies", "--latest"], ["status", "--copies", start + "copies"]] {
      let result = try sandbox.run(words: words + ["--max-age", "99999d"], environment: ssh)
      #expect(
        result.code == 11 && (result.output + result.errors).contains("edited apart from this list"),
        "\(result)")
    }
  }

  @Test func `a list with the name of a copy is none of its copies`() throws {
    let sandbox = try CLISandbox.withLetters()
    let own = "list-20211101T120000Z.sqlite"
    #expect(try sandbox.run("add", "A", "-q", "--db", own) == .done())
    #expect(try sandbox.run("backup", "list.sqlite", "--list", "--json", "--db", own) == .done("[]"))
    #expect(try sandbox.run("status", "--copies", "list.sqlite", "--db", own).code == 11)
    #expect(try sandbox.run("backup", "list.sqlite", "--latest", "--db", "customers.sqlite").code == 11)
  }

  @Test(arguments: ["here", "there"])
  func `a copy from the future is named, and nothing goes by it`(place: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let (start, ssh) = try sandbox.copies(place, in: sandbox.folder + "/copies")
    let target = start + "copies"
    _ = try copies(sandbox)
    let future = "list-20991231T120000Z.sqlite"
    #expect(try sandbox.run("backup", "copies/\(future)", "-q") == .done())
    let before = try sandbox.order
    for words in [
      ["backup", target, "--list"], ["backup", target, "--list", "--json"], ["backup", target, "--latest"],
      ["backup", target, "--latest", "--max-age", "9d"], ["restore", "--latest", target, "-y"],
      ["status", "--copies", target],
    ] {
      let result = try sandbox.run(words: words, environment: ssh)
      #expect(result.code == 11, "\(words): \(result)")
      let text = words[0] == "status" ? result.output : result.errors
      #expect(text.contains(future) && text.contains("is in the future"), "\(words): \(result)")
      #expect(words[0] == "status" || text.contains("move it away"), "\(words): \(result)")
      // The list of the copies is there nevertheless.
      if words.contains("--list") { #expect(result.output.contains("list-20211101T120000Z.sqlite")) }
    }
    #expect(try sandbox.order == before)
    // One of another list does not matter.
    try FileManager.default.removeItem(atPath: "\(sandbox.folder)/copies/\(future)")
    #expect(try sandbox.run("add", "Other", "-q", "--db", "other.sqlite") == .done())
    #expect(try sandbox.run("backup", "copies/\(future)", "-q", "--db", "other.sqlite") == .done())
    #expect(try sandbox.run(words: ["backup", target, "--latest"], environment: ssh).code == 0)
    #expect(try sandbox.run(words: ["backup", target, "--list"], environment: ssh).code == 0)
  }

  @Test func `where there are none, that is said`() throws {
    let sandbox = try CLISandbox.withLetters()
    try FileManager.default.createDirectory(
      atPath: "\(sandbox.folder)/copies", withIntermediateDirectories: true)
    #expect(try sandbox.run("backup", "copies", "--list", "--json") == .done("[]"))
    for words in [["backup", "copies", "--latest"], ["restore", "--latest", "copies", "-y"]] {
      let result = try sandbox.run(words: words)
      #expect(
        result.code == 11 && result.errors.contains("there is no copy of this list at \"copies\""),
        "\(result)"
      )
    }
    // What has one meaning has one code.
    for folder in ["copies", "copies/list.sqlite", "nowhere/list.sqlite"] {
      for words in [["status", "--copies", folder], ["backup", folder, "--latest"]] {
        #expect(try sandbox.run(words: words).code == 11, "\(words)")
      }
    }
  }

  @Test(arguments: ["--folder FOLDER", "--folder FOLDER --read-only", "--any", "--list LIST"])
  func `a key for a folder finds the newest copy, and one for a list does not`(options: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let names = try copies(sandbox)
    let serve = options.replacing("FOLDER", with: "'\(sandbox.folder)/copies'").replacing(
      "LIST", with: "'\(sandbox.file)'")
    let far = try sandbox.otherMachine(serving: "run customers serve \(serve)")
    let ssh = ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    for target in sampled(["copies/list.sqlite", "copies", "copies/"], oneIn: 3, salt: options.count) {
      let address = "ssh://ann@elsewhere\(sandbox.folder)/\(target)"
      let newest = "ssh://ann@elsewhere\(sandbox.folder)/\(names[3])"
      let listed = try sandbox.run(words: ["backup", address, "--list"], environment: ssh)
      let latest = try sandbox.run(words: ["backup", address, "--latest"], environment: ssh)
      guard !options.hasPrefix("--list") else {
        #expect(
          listed.code == 4 && latest.code == 4 && latest.errors.contains("not offered"), "\(listed) \(latest)"
        )
        continue
      }
      #expect(listed.code == 0 && listed.output.split(separator: "\n").count == 5, "\(listed)")
      #expect(latest == .done(newest))
      #expect(try sandbox.run("delete", "1", "-y", "-q") == .done())
      let restored = try sandbox.run(words: ["restore", "--latest", address, "-y"], environment: ssh)
      #expect(restored.output == "Restored 10 rows from \"\(newest)\".\n", "\(restored)")
    }
  }

  @Test func `a folder that is not offered, and what is in it, stay unknown`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try copies(sandbox)
    _ = try copies(sandbox, in: "secret")
    let far = try sandbox.otherMachine(serving: "run customers serve --folder '\(sandbox.folder)/copies'")
    let ssh = ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    let paths = ["secret/list.sqlite", "secret", "nowhere", "copies/../secret", ".", "copies/.."]
    for path in sampled(paths, oneIn: 3) {
      let address = "ssh://elsewhere\(sandbox.folder)/\(path)"
      for option in ["--list", "--latest"] {
        let result = try sandbox.run(words: ["backup", address, option], environment: ssh)
        #expect(
          result.code == 4 && result.output.isEmpty && result.errors.contains("is not offered"), "\(result)")
      }
    }
  }
}
