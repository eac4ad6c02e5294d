import CustomersTestSupport
import Foundation
import Testing

/// `customers import` of files that people have.
@Suite(.onThreads) struct ImportTests {
  @Test(arguments: try Transcript.sessions("Import"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a preview of an exported list names no column that the list does not get`() throws {
    let sandbox = try CLISandbox()
    func preview(_ file: String, _ format: String) throws -> String {
      try sandbox.run("import", sandbox.keep(file), "--format", format, "-n").output
    }
    let members = try preview(#"[{"first_name":"Ada","extra":{"City":"Bonn"}}]"#, "json")
    #expect(members.hasPrefix("The first customer:\n  First name: Ada\n  City:       Bonn\n"), "\(members)")
    #expect(try preview("first_name,extra\nAda,Bonn\n", "csv").hasPrefix("Extra columns: extra\n"))
  }

  @Test func `an awkward list is imported completely`() throws {
    let sandbox = try CLISandbox()
    let rehearsal = """
      Full Name → first_name and last_name
      Firm → company
      Mail → email
      Tel. → phone
      Remarks → note
      VIP → is_favorite
      Street, City → address
      Extra columns: Nr
      The first customer:
        First name: Ada
        Last name:  Quill
        Company:    Quill & Ink
        E-mail:     ada@quill.example
        Phone:      +1 555 0101
        Address:    1 Feather Lane
                    Inkwell
        Favorite:   yes
        Nr:         K-001
      Would add "Ada Quill",
      """
    let words = ["import", samples + "/customers.csv", "--map", "VIP=is_favorite"]
    let result = try sandbox.run(words: words + ["-n"])
    #expect(result.code == 0 && result.output.hasPrefix(rehearsal))
    #expect(result.output.hasSuffix("\nWould import 19 customers; the list would have 19 rows.\n"))
    #expect(try sandbox.names.isEmpty)
    let counts = #"{"op":"import","imported":19,"updated":0,"skipped":0,"rejected":0,"count":19,"columns":["#
    let json = try sandbox.run(words: words + ["--json"])
    #expect(json.output.hasPrefix(counts + #"{"name":"Nr","goes_to":"extra"},{"name":"Full Name","#))
    #expect(json.output.contains(#"],"kept_columns":["Nr"],"undo":"#))
    try sandbox.expectSound()

    let rows = try jsonArray(sandbox.run("list", "--json").output)
    func all(_ key: String) -> [String] { rows.map { $0[key] as? String ?? "" } }
    let names = [
      "Ada Quill", "Bo", "Cora \"Cee\" Lindqvist", "Dmitri van der Meer", "Émile Ångström", "山田 花子",
      "Nameless Ltd.", "=SUM(A1:A9)", "Fay Glass", "O'Brien", "Gus Null", "Hedda Gruber", "Ivo Tab",
      "Jo 😀 Smiley", "أمل حداد", "Kim", "Kim", "Lou Zero", "Mo Last",
    ]
    #expect(all("name") == names)
    #expect(all("last_name")[3...5] == ["Meer", "Ångström", "花子"])
    #expect(all("company")[2] == "Lindqvist, Sons \"and\" Daughters")
    #expect(all("address")[3] == "Kade 12\nachterdeur\nUtrecht" && all("note")[3] == "rings\ntwice")
    #expect(all("phone")[17] == "0049" && all("address")[17] == "00123")
    #expect(all("note")[9] == "'; DROP TABLE customers; --" && all("note")[12] == "a\ttab")
    let extra = rows.compactMap { $0["extra"] as? [String: String] }
    #expect(extra[5] == ["Nr": "K-006"] && extra[18] == ["Nr": "K-019"])
    #expect(
      rows.compactMap { $0["is_favorite"] as? Bool }.enumerated().filter(\.element).map(\.offset) == [0, 18])
  }

  /// The destination of the rows, the position of the first, and the first names afterward.
  @Test(arguments: [
    ([], "A B C D I J | X Y"),
    (["--at", "1"], "I J A B C D | X Y"),
    (["--at", "3"], "A B I J C D | X Y"),
    (["--at", "7"], "A B C D | X Y I J"),
    (["--first"], "I J A B C D | X Y"),
    (["--last"], "A B C D I J | X Y"),
    (["--before", "C"], "A B I J C D | X Y"),
    (["--after", "X"], "A B C D | X I J Y"),
    (["--section", "more"], "A B C D | X Y I J"),
    (["--section", "more", "--at", "2"], "A B C D | X I J Y"),
    (["--section", "@2", "--first"], "A B C D | I J X Y"),
  ])
  func `the rows go where they are put, in their order`(place: [String], order: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let words = ["import", "-"] + place
    let rehearsal = try sandbox.expectUntouched {
      try sandbox.run(words: words + ["-n"], stdin: "name\nI\nJ\n")
    }
    #expect(
      rehearsal
        == .done(
          """
          name → first_name and last_name
          The first customer:
            First name: I
          Would add "I" and "J".
          Would import 2 customers; the list would have 8 rows.
          """))
    let result = try sandbox.run(words: words, stdin: "name\nI\nJ\n")
    #expect(result == .done("Imported 2 customers; the list has 8 rows."))
    #expect(try sandbox.order == order)
    try sandbox.expectSound()
  }

  @Test func `an impossible place prevents the import`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      for place in [
        ["--at", "8"], ["--at", "0"], ["--section", "more", "--at", "4"], ["--before", "Z"],
        ["--section", "no"],
      ] {
        #expect(try sandbox.run(words: ["import", "-"] + place, stdin: "name\nI\nJ\n").code == 3)
      }
      #expect(try sandbox.run("import", "-", "--at", "1", "--first", stdin: "name\nI\n").code == 2)
    }
  }
}
