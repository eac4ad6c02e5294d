import CustomersTestSupport
import Foundation
import Testing

/// `customers take`.
@Suite(.onThreads) struct TakeTests {
  @Test(arguments: try Transcript.sessions("Take"))
  func session(_ transcript: Transcript) throws { try transcript.replay() }

  /// Hands out the sample list and changes the lines of the file, without its header.
  private static func handedOut(
    _ rows: String = "", change: (inout [String]) -> Void
  ) throws -> CLISandbox {
    let sandbox = try CLISandbox.withDemo()
    let words = rows.split(separator: " ").map(String.init)
    #expect(try sandbox.run(words: ["export", "out.csv", "--ids", "-q"] + words) == .done())
    let text = try String(contentsOfFile: sandbox.folder + "/out.csv", encoding: .utf8)
    var lines = text.split(separator: "\n").map(String.init)
    let header = lines.removeFirst()
    change(&lines)
    try sandbox.write(([header] + lines).joined(separator: "\n") + "\n", to: "out.csv")
    return sandbox
  }

  @Test func `a column that was renamed since is neither a change of its rows nor a new one`() throws {
    let sandbox = try CLISandbox()
    for (name, value) in zip("ABCDEFGHIJKL", 1...) {
      #expect(try sandbox.run("add", "\(name)", "--set", "X=\(value)", "-q") == .done())
    }
    #expect(try sandbox.run("export", "out.csv", "--ids", "-q") == .done())
    #expect(try sandbox.run("columns", "rename", "X", "Y", "-q") == .done())
    let text = try String(contentsOfFile: sandbox.folder + "/out.csv", encoding: .utf8)
    let same = try sandbox.expectUntouched { try sandbox.run("take", "out.csv") }
    #expect(same == .done("Imported 0 customers, skipped 12; the list has 12 rows."))
    try sandbox.write(text.replacing(",2\n", with: ",20\n"), to: "out.csv")
    #expect(try sandbox.run("take", "out.csv", "-q") == .done())
    #expect(try sandbox.run("columns").output == "Y (12 customers)\n")
    #expect(try sandbox.ids("list", "--where", "Y=20") == "@2")
    #expect(try sandbox.run("undo", "-q") == .done())
    try sandbox.write(text.replacing(/.*,B,.*\n/, with: ""), to: "out.csv")
    let taken = try sandbox.run("take", "out.csv")
    #expect(taken.code == 0 && taken.output.contains("the list has 11 rows"), "\(taken)")
  }

  @Test func `a damaged copy in a folder is not taken, which the exit code says`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.shell("mkdir copies").code == 0)
    for name in ["one", "two"] { #expect(try sandbox.run("backup", "copies/\(name).db", "-q") == .done()) }
    #expect(try sandbox.run("--db", "copies/one.db", "move", "5", "2", "-q") == .done())
    let whole = try #require(FileManager.default.contents(atPath: sandbox.folder + "/copies/two.db"))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: sandbox.folder + "/copies/two.db"))
    let taken = try sandbox.run("take", "copies")
    #expect(taken.code == 7 && taken.output.contains("Took in 1 step"), "\(taken)")
    #expect(taken.errors.contains("customers: not taken, because it can't be read: \"copies/two.db\"\n"))
    // No other copy is there.
    #expect(try sandbox.shell("rm copies/one.db").code == 0)
    #expect(try sandbox.run("take", "copies").code == 1)
    let hint = "hint: to see what is wrong: customers check --db copies/two.db\n"
    #expect(try sandbox.run("take", "copies/two.db").errors.hasSuffix(hint))
  }

  @Test func `a copy in a folder whose numbers are damaged is not taken, either`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.shell("mkdir copies").code == 0)
    for name in ["one", "two"] { #expect(try sandbox.run("backup", "copies/\(name).db", "-q") == .done()) }
    #expect(try sandbox.run("--db", "copies/one.db", "move", "5", "2", "-q") == .done())
    _ = try OtherClient.run(
      "UPDATE customer_record SET uid = NULL WHERE id = 3", on: sandbox.folder + "/copies/two.db")
    let taken = try sandbox.run("take", "copies")
    #expect(taken.code == 7 && taken.errors.contains("can't be read: \"copies/two.db\"\n"), "\(taken)")
  }

  @Test func `of a folder, the copy that is not taken is named, and those after it`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.shell("mkdir copies").code == 0)
    for name in ["a", "b", "c"] { #expect(try sandbox.run("backup", "copies/\(name).db", "-q") == .done()) }
    #expect(try sandbox.run("--db", "copies/a.db", "add", "Pia", "-q") == .done())
    #expect(try sandbox.run("--db", "copies/b.db", "edit", "2", "--note", "there", "-q") == .done())
    #expect(try sandbox.run("--db", "copies/c.db", "add", "Rob", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--note", "here", "-q") == .done())
    let taken = try sandbox.run("take", "copies")
    #expect(taken.code == 7 && taken.output.contains("Added 1"), "\(taken)")
    #expect(
      taken.errors.contains("\"copies/b.db\": both changed 1 thing")
        && taken.errors.contains("not looked at: \"copies/c.db\"\n"), "\(taken)")
    let unread = try sandbox.expectUntouched { try sandbox.run("take", "copies") }
    #expect(unread.code == 4, "\(unread)")
    // Nothing was changed, whatever else can't be read.
    #expect(try sandbox.run("take", "copies", "--on-conflict", "ours", "-q") == .done())
    let whole = try #require(FileManager.default.contents(atPath: sandbox.folder + "/copies/c.db"))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: sandbox.folder + "/copies/c.db"))
    #expect(try sandbox.run("take", "copies").code == 1)
  }

  @Test func `a dry run of a folder counts once what several copies have`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.shell("mkdir copies").code == 0)
    #expect(try sandbox.run("backup", "copies/a.db", "-q") == .done())
    #expect(try sandbox.run("--db", "copies/a.db", "add", "Pia", "-q") == .done())
    #expect(try sandbox.run("--db", "copies/a.db", "backup", "copies/b.db", "-q") == .done())
    #expect(try sandbox.run("--db", "copies/b.db", "edit", "2", "--note", "there", "-q") == .done())
    #expect(try sandbox.run("--db", "copies/b.db", "backup", "copies/c.db", "-q") == .done())
    func counts(_ result: ProcessResult) -> [Substring] {
      result.output.split(separator: "\n").filter { !$0.contains("1 step") }
    }
    let rehearsed = try sandbox.expectUntouched { try sandbox.run("take", "copies", "-n") }
    #expect(
      counts(rehearsed) == [
        "Would add 1.", "Would change 1.",
        "Nothing new in \"copies/c.db\": your list is the same, or later.",
      ], "\(rehearsed)")
    let json = try sandbox.expectUntouched { try sandbox.run("take", "copies", "-n", "--json") }
    let answers = json.output.split(separator: "\n")
    #expect(answers.map { $0.contains(#""added":1,"#) } == [true, false, false], "\(json)")
    #expect(answers.allSatisfy { $0.contains(#""dry_run":true"#) }, "\(json)")
    let taken = try sandbox.run("take", "copies")
    #expect(
      counts(taken)
        == counts(rehearsed).map { line in
          line == "Would add 1." ? "Added 1." : line == "Would change 1." ? "Changed 1." : line
        }, "\(taken)")
  }

  @Test func `what both did alike is taken without a step, and redo is left`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("backup", "copy.db", "-q") == .done())
    for words in [[], ["--db", "copy.db"]] {
      #expect(try sandbox.run(words: words + ["edit", "2", "--note", "alike", "-q"]) == .done())
    }
    #expect(try sandbox.run("add", "Pia", "-q") == .done())
    #expect(try sandbox.run("undo", "-q") == .done())
    let history = try sandbox.run("history")
    let taken = try sandbox.run("take", "copy.db")
    #expect(taken.code == 0 && taken.output.contains("Your list has all of it already.\n"), "\(taken)")
    #expect(taken.errors.isEmpty, "\(taken)")
    #expect(try sandbox.run("history") == history)
    #expect(try sandbox.run("redo").output.contains("Pia"))
    // A step that can't be undone is not named.
    #expect(try sandbox.run("--db", "copy.db", "take", "customers.sqlite", "-q") == .done())
    for words in [[], ["--db", "copy.db"]] {
      #expect(try sandbox.run(words: words + ["edit", "3", "--note", "alike", "-q"]) == .done())
    }
    let json = try sandbox.run("take", "copy.db", "--json")
    #expect(json.output.contains(#""steps":1,"#) && !json.output.contains("\"undo\""), "\(json)")
  }

  @Test(arguments: ["ours", "theirs"])
  func `copies that forgot their histories differ in nothing without a conflict`(side: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("backup", "copy.db", "-q") == .done())
    for edit in ["move @1 5", "section move 3 1", "edit @2 --note ours --favorite", "move @8 last"] {
      #expect(try sandbox.run(words: edit.split(separator: " ").map(String.init) + ["-q"]) == .done())
    }
    #expect(try sandbox.run("--db", "copy.db", "edit", "@9", "--note", "theirs", "-q") == .done())
    for file in ["customers.sqlite", "copy.db"] {
      #expect(try sandbox.run("--db", file, "history", "--forget", "-y", "-q").code == 0)
    }
    let all = ["list", "--format", "csv"]
    let wanted = try sandbox.run(
      words: (side == "ours" ? [] : ["--db", "copy.db"]) + all)
    let taken = try sandbox.run("take", "copy.db", "--on-conflict", side, "-y")
    #expect(taken.code == 0 && taken.output.contains("order of"), "\(taken)")
    #expect(try sandbox.run(words: all) == wanted)
  }

  @Test func `a file that was handed out brings back its values, order, new rows, and deletions`() throws {
    let sandbox = try Self.handedOut { lines in
      lines[0] = lines[0].replacing("lizzy@longbourn.example", with: "eliza@x.example")
      lines.remove(at: 1)
      lines.swapAt(1, 2)
      lines.append(",,New,Person,,,,,,,,,Customers")
    }
    // What was done here by then stays.
    #expect(try sandbox.run("edit", "3", "--phone", "333", "-q") == .done())
    #expect(try sandbox.run("take", "out.csv", "-q") == .done())
    #expect(try sandbox.order == "Elizabeth Ishmael Jane Zoë Anna New | Dorothea Edmond 明 | Miss")
    let shown = try sandbox.run(
      "list", "--format", "csv", "--fields", "email,phone", "--no-header", "--limit", "3")
    #expect(shown.output == "eliza@x.example,\n,\njane@thornfield.example,333\n")
    let before = try sandbox.order
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.order == "Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
    #expect(try sandbox.run("redo", "-q") == .done())
    #expect(try sandbox.order == before)
  }

  @Test func `each conflict is asked about, and without a terminal nothing changes`() throws {
    let sandbox = try Self.handedOut { lines in
      lines[0] = lines[0].replacing("Elizabeth", with: "Eliza")
      lines[1] = lines[1].replacing("Sherlock", with: "Sherly")
    }
    #expect(try sandbox.run("edit", "1", "--first-name", "Lizzy", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--first-name", "Mycroft", "-q") == .done())
    let before = sandbox.bytes
    let refused = try sandbox.run("take", "out.csv")
    #expect(refused.code == 4 && refused.errors.contains("2 conflicts"))
    let declined = try sandbox.run(words: ["take", "out.csv"], answers: ["o"])
    #expect(declined.code == 5 && sandbox.bytes == before)
    let taken = try sandbox.run(words: ["take", "out.csv"], answers: ["o", "what?", "t"])
    #expect(taken.code == 0, "\(taken)")
    #expect(try sandbox.order.hasPrefix("Lizzy Sherly Jane "))
  }

  @Test(arguments: [("ours", "Lizzy"), ("theirs", "Eliza")])
  func `a side may win all conflicts`(side: String, name: String) throws {
    let sandbox = try Self.handedOut { $0[0] = $0[0].replacing("Elizabeth", with: "Eliza") }
    #expect(try sandbox.run("edit", "1", "--first-name", "Lizzy", "-q") == .done())
    #expect(try sandbox.run("take", "out.csv", "-q", "--on-conflict", side) == .done())
    #expect(try sandbox.order.hasPrefix("\(name) Sherlock "))
  }

  @Test func `an id that was not in the file, and a row without values, are refused`() throws {
    let strange = try Self.handedOut("--section Leads") { $0[1] = "3" + $0[1].drop { $0 != "," } }
    let unknown = try Self.handedOut { $0[2] = "99" + $0[2].drop { $0 != "," } }
    let emptied = try Self.handedOut { lines in
      let values = lines[2].split(separator: ",", omittingEmptySubsequences: false)
      lines[2] = (values[..<2] + values[2..<9].map { _ in "" } + values[9...]).joined(separator: ",")
    }
    for (sandbox, message) in [
      (strange, ":3: customer @3 was not in the file"),
      (unknown, ":4: customer @99 was not in the file"),
      (emptied, ":4: customer @3 would be left empty"),
    ] {
      let before = sandbox.bytes
      for words in [[], ["-y"], ["--on-conflict", "ours"], ["--on-conflict", "theirs"]] {
        let result = try sandbox.run(words: ["take", "out.csv"] + words)
        #expect(result.code == 4 && result.errors.contains(message), "\(result)")
      }
      #expect(sandbox.bytes == before)
    }
  }

  @Test func `a file that was sorted leaves the rows where they are`() throws {
    let sandbox = try Self.handedOut("--sort name") { $0[0] = $0[0].replacing("Anna", with: "Anne") }
    let report = "Imported 0 customers, updated 1, skipped 9; the list has 10 rows."
    #expect(try sandbox.run("take", "out.csv") == .done(report))
    #expect(try sandbox.order == "Elizabeth Sherlock Jane Ishmael Zoë Anne | Dorothea Edmond 明 | Miss")
  }

  @Test(arguments: [
    "--limit 3", "--limit 2-5", "--where note~a", "--section Customers --limit 4", "Anna", "1-3",
    "--section Customers --sort name",
  ])
  func `a file that never had the whole list or section leaves the rows where they are`(rows: String) throws {
    let sandbox = try Self.handedOut(rows) { lines in
      lines[0] = lines[0].replacing(",Customers", with: ",Leads")
      lines.reverse()
    }
    let order = try sandbox.order
    let taken = try sandbox.run("take", "out.csv")
    #expect(taken.code == 0 && taken.errors.isEmpty && !taken.output.contains("moved"), "\(taken)")
    let values = ["import", "out.csv", "--on-duplicate", "update", "--key", "id"]
    #expect(try sandbox.run(words: values).errors.isEmpty)
    #expect(try sandbox.order == order)
  }

  @Test(arguments: ["n@x.example", ""])
  func `a new row without a section is below the row above it, and a second time it is asked about`(
    email: String
  ) throws {
    let sandbox = try Self.handedOut { lines in
      lines[1] =
        lines[1].split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(separator: ",")
        + ","
      lines.insert(",,New,Person,,\(email),,,,,,,", at: 1)
    }
    #expect(try sandbox.run("take", "out.csv", "-q") == .done())
    let order = "Elizabeth New Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"
    #expect(try sandbox.order == order)
    // The same file once more is known by its bytes, and an amended one by the names in it.
    #expect(try sandbox.run("take", "out.csv").code == 4)
    let text = try String(contentsOfFile: sandbox.folder + "/out.csv", encoding: .utf8)
    try sandbox.write(text.replacing("no trains", with: "trains"), to: "out.csv")
    let again = try sandbox.run("take", "out.csv")
    #expect(again.code == 4 && again.errors.contains("\"New Person\" is already in the list"), "\(again)")
    #expect(try sandbox.run(words: ["take", "out.csv"], answers: ["n"]).code == 5)
    #expect(try sandbox.order == order)
  }

  @Test(arguments: ["json", "ndjson"])
  func `a new object, which has no version, is below the one above it`(format: String) throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("demo", "-q") == .done())
    #expect(try sandbox.run("export", "out.\(format)", "--ids", "-q") == .done())
    var lines = try String(contentsOfFile: sandbox.folder + "/out.\(format)", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("Elizabeth") })
    let new = #"{"first_name": "New", "section": "Customers"}"#
    lines.insert(format == "json" ? new + "," : new, at: first + 1)
    try sandbox.write(lines.joined(separator: "\n"), to: "out.\(format)")
    #expect(try sandbox.run("take", "out.\(format)", "-q") == .done())
    #expect(try sandbox.order.hasPrefix("Elizabeth New Sherlock Jane "))
  }

  @Test func `in a file with some rows nobody is missing`() throws {
    let sandbox = try Self.handedOut("1-3") { lines in
      lines[0] = lines[0].replacing("Elizabeth", with: "Eliza")
      lines.removeLast()
    }
    #expect(try sandbox.run("take", "out.csv", "-q") == .done())
    #expect(try sandbox.order == "Eliza Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
  }

  @Test func `a file that lost many rows is asked about`() throws {
    let sandbox = try CLISandbox.withDemo()
    for number in 1...12 { #expect(try sandbox.run("add", "Extra \(number)", "-q") == .done()) }
    #expect(try sandbox.run("export", "out.csv", "--ids", "-q") == .done())
    let text = try String(contentsOfFile: sandbox.folder + "/out.csv", encoding: .utf8)
    let kept = text.split(separator: "\n").filter { !$0.contains("Extra") }
    try sandbox.write(kept.joined(separator: "\n") + "\n", to: "out.csv")
    let before = sandbox.bytes
    #expect(try sandbox.run("take", "out.csv").code == 4)
    #expect(try sandbox.run(words: ["take", "out.csv"], answers: ["n"]).code == 5)
    #expect(sandbox.bytes == before)
    let asked = try sandbox.run(words: ["take", "out.csv"], answers: ["y"])
    #expect(asked.code == 0 && asked.errors.contains("delete 12 rows of 22?"), "\(asked)")
    #expect(try sandbox.run("list", "--count").output == "10\n")
  }

  @Test func `import offers to take in a file that was handed out from the list`() throws {
    let sandbox = try Self.handedOut { $0[0] = $0[0].replacing("Elizabeth", with: "Eliza") }
    let taken = try sandbox.run(words: ["import", "out.csv"], answers: ["y"])
    #expect(taken.code == 0 && taken.errors.contains("was handed out from this list"), "\(taken)")
    #expect(try sandbox.order == "Eliza Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
    // That of another list is imported without a question about it.
    let other = try CLISandbox()
    try other.write(
      [UInt8](FileManager.default.contents(atPath: sandbox.folder + "/out.csv") ?? Data()), to: "out.csv")
    let imported = try other.run(words: ["import", "out.csv"], answers: ["y"])
    #expect(imported.code == 0 && !imported.errors.contains("handed out"), "\(imported)")
  }

  @Test func `numbers that a copy has as text are read as those here were`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name;Sum\nAnn;1.200\nBob;2.300\n", to: "sums.csv")
    #expect(try sandbox.run("import", "sums.csv", "-q", "--yes").code == 0)
    #expect(try sandbox.run("backup", "copy.db", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Sum", "1.234,5", "-q") == .done())
    // A number since then, of a fraction.
    #expect(try sandbox.run("edit", "1", "--set", "Sum=1.25", "-q") == .done())
    #expect(try sandbox.run("--db", "copy.db", "edit", "2", "--set", "Sum=7.700", "-q") == .done())
    #expect(try sandbox.run("--db", "copy.db", "add", "Cid", "--set", "Sum=9.900", "-q") == .done())
    let taken = try sandbox.run("take", "copy.db", "--yes")
    #expect(taken.code == 0 && !taken.output.contains("note:"), "\(taken)")
    #expect(try sandbox.run("list", "--template", "{Sum};").output == "1.25;7700;9900;")
  }

  @Test func `a number that a copy has as text, and that may be two, gets a note`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name,Sum\nAnn,5\nBob,6\n", to: "sums.csv")
    #expect(try sandbox.run("import", "sums.csv", "--kind", "Sum=text", "-q", "--yes").code == 0)
    #expect(try sandbox.run("backup", "copy.db", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Sum", "number", "-q") == .done())
    #expect(try sandbox.run("--db", "copy.db", "edit", "2", "--set", "Sum=7.700", "-q") == .done())
    let taken = try sandbox.run("take", "copy.db", "--yes")
    #expect(
      taken.output.contains("note: Sum of \"Bob\" may be 7.7 or 7700, and is 7.7 now\n"), "\(taken)")
  }

  @Test(arguments: ["csv", "tsv", "xlsx", "json", "ndjson"])
  func `text that a column has kept comes back as it was`(format: String) throws {
    let sandbox = try CLISandbox()
    let columns = [
      ("D", "date", ["soon", "11/12/2026", "2026-12-24T23:30Z", "2026-05-05"]),
      ("T", "time", ["soon", "11/12/2026", "5:30", "2026-05-05T10:00"]),
      ("N", "number", ["ca. 5", "5 km", "01x", "3.5"]), ("Y", "yes/no", ["maybe", "ja?", "5", "yes"]),
      ("L", "link", ["none", "a b", "see Ann", "https://example.com"]),
    ]
    for index in 0..<4 {
      let values = columns.flatMap { ["--set", "\($0.0)=\($0.2[index])"] }
      #expect(try sandbox.run(words: ["add", "Ann \(index)", "-q", "-y"] + values) == .done())
    }
    for (name, kind, _) in columns {
      #expect(try sandbox.run("columns", "kind", name, kind, "--keep-text", "-q") == .done())
    }
    let words = ["list", "--format", "json"]
    let before = try sandbox.run(words: words).output
    #expect(try sandbox.run("export", "out.\(format)", "--ids", "-q") == .done())
    let taken = try sandbox.expectUntouched { try sandbox.run("take", "out.\(format)") }
    #expect(taken.code == 0, "\(taken)")
    let import_ = ["import", "out.\(format)", "--on-duplicate", "update", "--key", "id", "-q"]
    #expect(try sandbox.expectUntouched { try sandbox.run(words: import_) }.code == 0)
    #expect(try sandbox.run(words: words).output == before)
    guard format.hasSuffix("json") else { return }
    #expect(try sandbox.run("export", "all.\(format)", "-q") == .done())
    let other = try CLISandbox()
    let file = try String(contentsOfFile: sandbox.folder + "/all.\(format)", encoding: .utf8)
    let result = try other.run("import", "-", "--format", format, stdin: file)
    #expect(result.code == 0 && result.errors.contains("\"soon\""), "\(result)")
    for (name, _, values) in columns {
      let shown = try other.run("list", "--template", "{\(name)};").output
      #expect(shown == values.map { $0 + ";" }.joined())
    }
    #expect(try other.run("columns").output == sandbox.run("columns").output)
  }
}
