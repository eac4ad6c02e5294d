import CustomersTestSupport
import Foundation
import Testing

/// `customers export`: the contents of the file, and its creation.
@Suite(.onThreads) struct ExportTests {
  @Test(arguments: try Transcript.sessions("Export"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private static let fields =
    "first_name,last_name,company,email,phone,address,note,is_favorite,can_edit,can_move,section"

  /// The export reads while the import writes: neither may wait for the other.
  @Test func `a list can be imported into itself through a pipe`() throws {
    let sandbox = try CLISandbox()
    let note = String(repeating: "x", count: 200)
    let rows = (1...2_000).map { "Ann \($0),\(note)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + rows) == .done())
    let both = try sandbox.shell("customers export | timeout 30 \"$CUSTOMERS\" import -")
    #expect(both == .done("Imported 2000 customers; the list has 4000 rows."))
    try sandbox.expectSound()
  }

  @Test func `an import puts each row into its section, and creates missing ones`() throws {
    let sandbox = try CLISandbox.withDemo()
    let file = try sandbox.run("export").output
    // Into an empty list: the same sections. Into another: the existing ones, the others after them.
    #expect(try sandbox.shell("customers export | customers import - -q --db new.sqlite") == .done())
    let sections = try sandbox.run("section").output
    #expect(try sandbox.run("section", "--db", "new.sqlite").output == sections)
    let letters = try CLISandbox.withLetters()
    try #require(try letters.run("section", "rename", "More", "Archive", "-q") == .done())
    #expect(try letters.run("import", "-", "-q", stdin: file) == .done())
    #expect(
      try letters.order
        == "A B C D Elizabeth Sherlock Jane Ishmael Zoë Anna | X Y Miss | Dorothea Edmond 明")
    try letters.expectSound()
    // A place that is given holds for all rows.
    let placed = try CLISandbox.withLetters()
    #expect(try placed.run("import", "-", "-q", "--at", "2", stdin: file) == .done())
    #expect(
      try placed.order == "A Elizabeth Sherlock Jane Ishmael Zoë Anna Dorothea Edmond 明 Miss B C D | X Y")
    #expect(try placed.run("undo").code == 0)
    #expect(try placed.order == "A B C D | X Y")
  }

  @Test func `sections that alternate in the file keep their rows in order`() throws {
    let sandbox = try CLISandbox()
    let rows = (0..<40).map { "N\($0),\(["A", "B", "C"][$0 % 3])\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,section\n" + rows) == .done())
    let order = (0..<3).map { rest in
      (0..<40).filter { $0 % 3 == rest }.map { "N\($0)" }.joined(separator: " ")
    }
    #expect(try sandbox.order == order.joined(separator: " | "))
    #expect(
      try sandbox.run("section", "rename", "B", " a")
        == .failed(4, "customers: there is already a section \"A\""))
  }

  @Test func `a file is its owner's alone, and is replaced only when all is written`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.shell("umask 0; customers export a.csv") == .done("Exported 6 rows to \"a.csv\"."))
    #expect(try sandbox.shell("stat -c %a a.csv; ls") == .done("600\na.csv\ncustomers.sqlite"))
    let told =
      "customers: replacing \"a.csv\" needs confirmation, but standard input is not a terminal\nhint: add --yes"
    #expect(try sandbox.run("export", "a.csv") == .failed(4, told))
    let no = try sandbox.onTerminal("export", "a.csv", typing: "n\n")
    #expect(no.screen.hasPrefix("Replace \"a.csv\"? [y/N] ") && no.code == 5)
    try sandbox.write("old", to: "a.csv")
    #expect(try sandbox.shell("ulimit -f 0; customers export a.csv --yes").code == 1)
    #expect(try sandbox.shell("cat a.csv; ls") == .done("olda.csv\ncustomers.sqlite"))
    #expect(
      try sandbox.run("export", "a.csv", "-n", "--yes") == .done("Would export 6 rows to \"a.csv\"."))
    let aside = #"{"op":"export","file":"-","count":6,"dry_run":true}"#
    #expect(try sandbox.run("export", "--json", "-n") == .done(aside))
    #expect(try sandbox.run("export", "a.csv", "--yes", "-q") == .done())
    #expect(try sandbox.shell("head -c 10 a.csv") == ProcessResult(output: "first_name", errors: "", code: 0))
    let nowhere = "customers: can't write \"no/a.csv\": No such file or directory"
    #expect(try sandbox.run("export", "no/a.csv") == .failed(1, nowhere))
    try sandbox.expectUntouched { () throws in
      for path in ["customers.sqlite", "./customers.sqlite"] {
        #expect(try sandbox.run("export", path, "--yes").code == 4)
      }
    }
    let full = "customers: can't write \"/dev/full\": No space left on device"
    #expect(try sandbox.run("export", "/dev/full") == .failed(1, full))
  }

  @Test func `formulas get an apostrophe, which an import removes`() throws {
    let sandbox = try CLISandbox()
    let notes = ["=1+1", "+49", "-1", "@x", "\ttab", "\rcr", "'=1", "''+", "'quoted'", "plain", "a=b", "'"]
    let rows = notes.map { "x,\"\($0)\",=\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,note,=cmd\n" + rows) == .done())
    let safe = try sandbox.run("export", "--spreadsheet-safe").output
    #expect(
      safe.hasPrefix("'\(ExportTests.fields),'=cmd\nx,,,,,,'=1+1,0,1,1,Customers,'=\n"))
    let cells = try sandbox.shell(
      """
      customers export --spreadsheet-safe safe.csv -q
      python3 -c 'import csv; [print(repr(c)) for r in csv.reader(open("safe.csv", newline="")) for c in r]' |
        grep "^.[-=+@]\\|^.\\\\\\\\[tr]"
      """)
    #expect(cells.output.isEmpty && cells.errors.isEmpty, "\(cells)")
    #expect(try sandbox.run("import", "safe.csv", "-q", "--db", "copy.sqlite") == .done())
    #expect(try AwkwardList.rows(sandbox.folder + "/copy.sqlite") == AwkwardList.rows(sandbox.file))
    // Another program's file is imported unchanged.
    #expect(
      try sandbox.run("import", "-", "-q", "--db", "other.sqlite", stdin: "name,note\nx,'=1\n") == .done())
    #expect(try AwkwardList.rows(sandbox.folder + "/other.sqlite").map { $0.fields[6] } == ["'=1"])
  }
}
