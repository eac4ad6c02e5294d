import CustomersTestSupport
import Foundation
import Testing

/// `export --ids`, and `import --on-duplicate update --key id` of what comes back.
@Suite(.onThreads) struct ReturnedFileTests {
  @Test(arguments: try Transcript.sessions("ReturnedFile"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: ["section,name,email,phone", "phone,note", "phone", "first_name,phone"], ["csv", "tsv"])
  func `an apostrophe against formulas is no change, whichever columns were handed out`(
    fields: String, format: String
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    for (row, phone) in [("1", "+49 30 555010"), ("2", "=1+1"), ("3", "'+1")] {
      try #require(try sandbox.run("edit", row, "--phone", phone).code == 0)
    }
    let list = try sandbox.run("check", "digest").output
    let file = "out.\(format)"
    let words = ["export", file, "--ids", "--fields", fields, "--style", "no-formulas"]
    try #require(try sandbox.run(words: words).code == 0)
    #expect(try sandbox.shell("cat \(file)").output.contains("'+49 30 555010"))
    #expect(try sandbox.run("take", file).code == 0)
    #expect(try sandbox.run("check", "digest").output == list)
  }

  @Test func `moved and missing rows are reported, and changed if that is wanted`() throws {
    let sandbox = try sandbox { text in
      let lines = text.split(separator: "\n").map { $0 + "\n" }
      return ([lines[0], lines[4], lines[1], lines[2]]).joined()
    }
    let plain = try sandbox.run(words: Self.importing)
    #expect(
      plain
        == ProcessResult(
          output: "Imported 0 customers, skipped 3; the list has 4 rows.\n",
          errors: """
            note: "Dora" has another place in the file; to move it: customers take FILE
            note: "Cid" is missing in the file; to delete it: customers take FILE

            """, code: 0))
    let words = Self.importing + ["--order", "--delete-missing"]
    let dry = try sandbox.run(words: words + ["-n"])
    #expect(dry.output.contains("Would move \"Dora\".\nWould delete \"Cid\".\n"))
    #expect(
      try sandbox.run(words: words)
        == .done("Imported 0 customers, skipped 3, moved 1, deleted 1; the list has 3 rows."))
    #expect(try sandbox.order == "Dora Ann Bob")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.order == "Ann Bob Cid Dora")
    let json = try jsonObject(try sandbox.run(words: words + ["--json"]).output)
    #expect(json["moved"] as? Int == 1 && json["deleted"] as? Int == 1)
  }

  @Test(arguments: [("MM/DD/YYYY", "2026-11-10"), ("DD/MM/YYYY", "2026-10-11"), ("DD.MM.YYYY", "2026-10-11")])
  func `days that were handed out say in which order a spreadsheet writes them`(form: String, changed: String)
    throws
  {
    let sandbox = try CLISandbox()
    try sandbox.write(
      "name,Due,Paid\nAnn,2026-12-04,\nBob,2026-11-05,2026-01-02\nCid,2026-10-06,\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "--yes") == .done())
    #expect(try sandbox.run("columns", "kind", "Paid", "date", "-q").code == 0)
    let text = try sandbox.run("export", "-", "--format", "csv", "--ids").output
    let written = text.replacing(/(\d{4})-(\d\d)-(\d\d)/) { date in
      form.replacing("YYYY", with: date.1).replacing("MM", with: date.2).replacing("DD", with: date.3)
    }
    try sandbox.write(written, to: "same.csv")
    #expect(
      try sandbox.run("take", "same.csv").output
        == "Imported 0 customers, skipped 3; the list has 3 rows.\n")
    let sign = form.contains(".") ? "." : "/"
    let old = form.hasPrefix("M") ? "10/06/2026" : ["06", "10", "2026"].joined(separator: sign)
    try sandbox.write(
      written.replacing(old, with: ["11", "10", "2026"].joined(separator: sign)), to: "changed.csv")
    #expect(
      try sandbox.run("take", "changed.csv")
        == .done("Imported 0 customers, updated 1, skipped 2; the list has 3 rows."))
    let cells = try sandbox.run("list", "--format", "csv", "--no-header", "--fields", "Due,Paid").output
    #expect(cells == "2026-12-04,\n2026-11-05,2026-01-02\n\(changed),\n")
  }

  @Test(arguments: [
    ("12.345 1.5", "12,345 1,5", "12.345 1.5"), ("1200 3", "1.200 3", "1200 3"),
    ("1200 1200.5 -4.25", "1.200 1200,5 -4,25", "1200 1200.5 -4.25"), ("1200 3", "1.200 7,25", "1200 7.25"),
    ("1200 3", "1,200 4", "1200 4"), ("1200 1200.5", "1,200 1,200.5", "1200 1200.5"),
    ("1200.5 3000", "1.200,5 3.000", "1200.5 3000"), ("1200.50 3", "1.200,5 4", "1200.50 4"),
    ("12.345 3", "12.345 9.876", "12.345 9.876"), ("1200 3", "1.200 3 2.500", "1200 3 2500"),
    // A person has typed into the text of the file.
    ("12.345 3", "12.345 7,25", "12.345 7.25"),
    ("12.345 3", "12.346 3", nil), ("1200 3", "1200 3 1,200", nil), ("1200 1.2", "1.200 1.200", nil),
  ])
  func `numbers are read by all of their column, or by those that were handed out`(
    old: String, new: String, read: String?
  ) throws {
    let sandbox = try CLISandbox.withHours(old)
    let out = try sandbox.run("export", "-", "--format", "csv", "--ids", "--fields", "name,Hours").output
    let rows = out.split(separator: "\n").map { $0.replacing(",", with: ";") }
    let values = new.split(separator: " ")
    let written = values.indices.map { index in
      let row = index + 1 < rows.count ? rows[index + 1] : ";;New;"
      return row.prefix(through: row.lastIndex(of: ";") ?? row.startIndex) + values[index]
    }
    try sandbox.write(([rows[0]] + written).joined(separator: "\n") + "\n", to: "out.csv")
    let taken = try sandbox.run("take", "out.csv", "-q")
    if let read {
      #expect(taken == .done())
      #expect(try sandbox.hours == read)
    } else {
      #expect(taken.code == 2 && taken.errors.contains("can be read in 2 ways"), "\(taken)")
      #expect(
        taken.errors.contains(#"--key id --kind "Hours=1,234.5" or --kind "Hours=1.234,5""#), "\(taken)")
      #expect(try sandbox.hours == old)
    }
  }

  @Test func `numbers of a file whose ids do not count are plain, or those of a spreadsheet`() throws {
    let sandbox = try CLISandbox.withHours("12.345 3")
    let out = try sandbox.run("export", "-", "--format", "csv", "--ids", "--fields", "name,Hours").output
    let words = ["import", "-", "-q", "--on-duplicate", "update", "--key", "name"]
    #expect(try sandbox.run(words: words, stdin: out.replacing("12.345", with: "12.346")) == .done())
    #expect(try sandbox.hours == "12.346 3")
    let comma = try sandbox.run(words: words, stdin: out.replacing("12.345", with: "\"12,347\""))
    #expect(comma.code == 2 && comma.errors.contains("can be read in 2 ways"), "\(comma)")
    let certain = out.replacing("12.345", with: "\"12,346\"").replacing(",3\n", with: ",\"3,5\"\n")
    #expect(try sandbox.run(words: words, stdin: certain) == .done())
    #expect(try sandbox.hours == "12.346 3.5")
  }

  @Test func `seconds that a spreadsheet does not show stay`() throws {
    let sandbox = try CLISandbox()
    let file = "name,Call\nAnn,2026-11-25T10:30:45\nBob,2026-11-26T10:30:45\nCid,2026-11-04T09:05:07\n"
    try sandbox.write(file, to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "--yes") == .done())
    var text = try sandbox.run("export", "-", "--format", "csv", "--ids").output
    for (old, new) in [
      ("2026-11-25T10:30:45", "25.11.2026 10:30"), ("2026-11-26T10:30:45", "26.11.2026 10:31"),
      ("2026-11-04T09:05:07", "04.11.2026 09:05"),
    ] { text = text.replacing(old, with: new) }
    try sandbox.write(text, to: "back.csv")
    #expect(try sandbox.run("take", "back.csv", "-q") == .done())
    let cells = try sandbox.run("list", "--format", "csv", "--no-header", "--fields", "Call").output
    #expect(cells == "2026-11-25T10:30:45\n2026-11-26T10:31\n2026-11-04T09:05:07\n")
  }

  @Test func `what a spreadsheet has only written in another form is no change`() throws {
    let sandbox = try CLISandbox()
    let rows = """
      first_name,phone,note,Due,Call,Amount,Paid,Club
      Ann,0301234,007,2026-02-01,2026-02-01 17:30,436.90,yes,=1+1
      Bob,+4930,1e5,2026-03-14,2026-03-14 09:05,1200.00,no,01.02.2026

      """
    try sandbox.write(rows, to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "--yes").code == 0)
    #expect(try sandbox.run("edit", "1", "--set", "next=2026-12-02", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--set", "next=2026-12-24", "-q") == .done())
    var text = try sandbox.run("export", "-", "--format", "csv", "--ids").output
    for (old, new) in [
      // The version before them may have any digits.
      (",0301234,", ",301234,"), (",+4930,", ",4930,"), (",007,", ",7,"), (",1e5,", ",\"1,00E+05\","),
      ("=1+1", "2"),
      ("01.02.2026", "2026-02-01"), ("2026-02-01T17:30", "01/02/2026 17:30:00"), ("436.90", "436.9"),
      ("2026-03-14T09:05", "14/03/2026 09:05:00"), ("2026-02-01,0", "01/02/2026,0"),
      ("2026-03-14,1", "14/03/2026,1"),
      ("2026-12-02", "02/12/2026"), ("2026-12-24", "24/12/2026"), (",0,1,1,", ",FALSCH,WAHR,WAHR,"),
    ] { text = text.replacing(old, with: new) }
    text = text.replacing("yes", with: "WAHR").replacing(",no,", with: ",FALSCH,")
    try sandbox.write(text, to: "back.csv")
    let before = try sandbox.run("export", "-", "--format", "json").output
    let taken = try sandbox.run("take", "back.csv")
    #expect(taken.output == "Imported 0 customers, skipped 2; the list has 2 rows.\n", "\(taken)\n\(text)")
    #expect(
      taken.errors.contains(
        "note: 6 values differ only in how a spreadsheet writes them: phone stays \"0301234\", though the file has"
      ))
    #expect(try sandbox.run("export", "-", "--format", "json").output == before)
    #expect(try sandbox.run("take", "back.csv", "--on-conflict", "theirs", "-q").code == 0)
    #expect(try sandbox.sqlite("SELECT phone, note FROM customers WHERE id = 1") == "301234|7\n")
  }

  @Test func `conflicts are listed, and a side wins if that is chosen`() throws {
    let sandbox = try sandbox { $0.replacing("Bob,2", with: "Bob,22").replacing("Cid,3", with: "Cid,33") }
    try #require(try sandbox.run("edit", "Bob", "--phone", "", "-q") == .done())
    try #require(try sandbox.run("delete", "Cid", "-q", "-y") == .done())
    let refused = """
      customers: out.csv: 2 conflicts between the list and the file
           line 3: "Bob" (@2): phone is empty here, "22" in the file
           line 4: "Cid" (@3) was deleted here and changed in the file
      Nothing was imported.
      hint: to keep the list: --on-conflict ours; to take the file: --on-conflict theirs
      """
    #expect(try sandbox.run(words: Self.importing) == .failed(4, refused))
    #expect(try sandbox.run(words: Self.importing + ["-n"]) == .failed(4, refused))
    #expect(try sandbox.run(words: Self.importing + ["--on-conflict", "ours", "-q"]) == .done())
    #expect(try sandbox.order == "Ann Bob Dora")
    #expect(try sandbox.run(words: Self.importing + ["--on-conflict", "theirs", "-q"]) == .done())
    #expect(try sandbox.order == "Ann Bob Dora Cid")
    #expect(try sandbox.sqlite("SELECT phone FROM customers WHERE id = 2") == "22\n")
    try sandbox.expectSound()
  }

  /// The same ids and numbers of edits mean other customers and other changes there.
  @Test(arguments: ["backup", "cp"]) func `a file of a copy that was edited on its own is refused`(
    way: String
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    let copy = sandbox.folder + "/copy.sqlite"
    if way == "backup" {
      try #require(try sandbox.run("backup", copy, "-q") == .done())
    } else {
      try write(bytes(of: sandbox.file), to: copy)
    }
    // Not edited, it is the list as it was.
    try #require(try sandbox.run("edit", "@5", "--note", "here", "-q") == .done())
    let unchanged = try sandbox.run("export", sandbox.folder + "/same.csv", "--ids", "-q", "--db", copy)
    try #require(unchanged == .done())
    #expect(
      try sandbox.run("import", "same.csv", "-q", "-y", "--on-duplicate", "update", "--key", "id") == .done())
    for words in [["add", "Only Here"], ["edit", "@1", "--phone", "111"], ["move", "@1", "--last"]] {
      try #require(try sandbox.run(words: words + ["-q"]) == .done())
    }
    for words in [["add", "Only There"], ["edit", "@2", "--note", "there"]] {
      try #require(try sandbox.run(words: words + ["-q", "--db", copy]) == .done())
    }
    try #require(
      try sandbox.run("export", sandbox.folder + "/copy.csv", "--ids", "-q", "--db", copy) == .done())
    for options in [["--key", "id"], [], ["--dry-run"]] {
      let refused = try sandbox.expectUntouched {
        try sandbox.run(words: ["import", "copy.csv", "-y", "--on-duplicate", "update"] + options)
      }
      #expect(
        refused
          == .failed(
            4,
            """
            customers: copy.csv was written by a copy of this list that was edited on its own
            There, a number may be another customer.
            Nothing was imported.
            hint: to import what it has: export it there again, without --ids
            """), "\(options)")
    }
    #expect(try sandbox.sqlite("SELECT note FROM customers WHERE id = 5") == "here\n")
    try sandbox.expectSound()
  }

  @Test func `a dry run names each change, and an import makes all of them in one step`() throws {
    let sandbox = try sandbox { $0.replacing("Bob,2", with: "Robert,22") }
    try #require(try sandbox.run("edit", "Bob", "--note", "here", "-q") == .done())
    let dry = try sandbox.run(words: Self.importing + ["-n"])
    #expect(
      dry
        == .done(
          """
          name → first_name and last_name
          The first customer:
            First name: Ann
            Phone:      1
          Would change "Bob": first name "Bob" → "Robert", phone "2" → "22".
          Would skip "Ann", "Cid", and "Dora".
          Would import 0 customers, update 1, skip 3; the list would have 4 rows.
          """))
    let made = try sandbox.run(words: Self.importing)
    #expect(made == .done("Imported 0 customers, updated 1, skipped 3; the list has 4 rows."))
    #expect(
      try sandbox.sqlite("SELECT first_name, phone, note FROM customers WHERE id = 2") == "Robert|22|here\n")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.order == "Ann Bob Cid Dora")
  }

  private static let importing = ["import", "out.csv", "--on-duplicate", "update", "--key", "id"]

  /// A list of which a colleague has changed the file.
  private func sandbox(_ change: (String) -> String) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let file = "name,phone\nAnn,1\nBob,2\nCid,3\nDora,4\n"
    try #require(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    try #require(try sandbox.run("export", "out.csv", "--ids", "--fields", "name,phone", "-q") == .done())
    try sandbox.write(change(sandbox.text("out.csv")), to: "out.csv")
    return sandbox
  }

  @Test func `a copied id, a file without versions, and options without update are refused`() throws {
    let sandbox = try sandbox { $0 + $0.split(separator: "\n")[1] + "\n" }
    let twice = try sandbox.run(words: Self.importing)
    #expect(
      twice.code == 1 && twice.errors.hasPrefix("customers: out.csv:6: customer @1 is in the file twice\n"))
    let plain = ["import", "-", "--on-duplicate", "update", "--key", "name", "--order"]
    let without = try sandbox.run(words: plain, stdin: "name,phone\nAnn,9\n")
    #expect(
      without.code == 4
        && without.errors.hasPrefix("customers: standard input: the file doesn't say which version"))
    for option in ["--order", "--delete-missing"] {
      let result = try sandbox.run("import", "out.csv", option)
      #expect(result == .failed(2, "customers: \(option) needs --on-duplicate update"))
    }
    #expect(try sandbox.order == "Ann Bob Cid Dora")
  }

  @Test func `a returned file with new customers is not imported twice unasked`() throws {
    let sandbox = try sandbox { $0 + ",,Eve,5\n" }
    try #require(try sandbox.run(words: Self.importing + ["-q"]) == .done())
    #expect(try sandbox.order == "Ann Bob Cid Dora Eve")
    let again = try sandbox.run(words: Self.importing)
    #expect(again.code == 4 && again.errors.contains("\"out.csv\" was already imported"))
    #expect(try sandbox.order == "Ann Bob Cid Dora Eve")
  }

  @Test func `a part of the list does not say what is missing`() throws {
    let sandbox = try sandbox { $0 }
    try #require(try sandbox.run("export", "out.csv", "1,2", "--ids", "-q", "-y") == .done())
    #expect(try sandbox.run(words: Self.importing).errors.isEmpty)
    let refused = try sandbox.run(words: Self.importing + ["--delete-missing"])
    #expect(refused.code == 4 && refused.errors.contains("some rows in the list"))
  }

  @Test func `several columns recognize a customer together`() throws {
    let sandbox = try sandbox { $0 }
    let file = "name,phone,note\nann,1,x\nAnn,2,y\nBOB,2,z\n"
    let words = ["import", "-", "--on-duplicate", "update", "--key", "name,phone"]
    let result = try sandbox.run(words: words, stdin: file)
    #expect(result.output == "Imported 1 customer, updated 2; the list has 5 rows.\n")
    #expect(try sandbox.sqlite("SELECT group_concat(note, '') FROM customers") == "xzy\n")
  }

  @Test func `known people are noticed wherever they are in the file`() throws {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("add", "Eve", "--email", "eve@x.example", "-q") == .done())
    let file = "name,email\n" + (1...500).map { "P\($0),p\($0)@x.example\n" }.joined() + "eve,EVE@x.example\n"
    let refused = try sandbox.run("import", "-", stdin: file)
    #expect(
      refused.code == 4
        && refused.errors.hasPrefix("customers: standard input: \"eve\" is already in the list\n"))
    #expect(try sandbox.run("list", "--count").output == "1\n")
    let dry = try sandbox.run("import", "-", "-n", stdin: file)
    #expect(dry.code == 0 && dry.errors.contains("note: \"eve\" is already in the list\n"))
    try sandbox.write(file, to: "file.csv")
    #expect(try sandbox.run(words: ["import", "file.csv"], answers: ["n"]).code == 5)
    #expect(try sandbox.run(words: ["import", "file.csv", "-q"], answers: ["y"]).code == 0)
    #expect(try sandbox.run("list", "--count").output == "502\n")
  }
}

extension CLISandbox {
  /// A list with a column of numbers.
  fileprivate static func withHours(_ values: String) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let rows = values.split(separator: " ").enumerated().map { "P\($0),\($1)\n" }.joined()
    let words = ["import", "-", "-q", "--kind", "Hours=1,234.5"]
    try #require(try sandbox.run(words: words, stdin: "name,Hours\n" + rows) == .done())
    return sandbox
  }

  fileprivate var hours: String {
    get throws {
      try run("list", "--format", "csv", "--no-header", "--fields", "Hours").output.split(separator: "\n")
        .joined(separator: " ")
    }
  }

  fileprivate func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }
}
