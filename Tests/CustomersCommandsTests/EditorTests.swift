import CustomersTestSupport
import Foundation
import Testing

/// `customers edit --editor`, with scripts as editors.
@Suite(.onThreads) struct EditorTests {
  @Test func `the text has every field, its rules, and nothing else`() throws {
    let sandbox = try CLISandbox()
    let file = "name,note,Floor,address\nZoë Müller,\" a\\b\t\",55,\"Am Markt 1\n\nBerlin\n\"\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    let environment = try sandbox.editor("cp \"$1\" seen; ls -l \"$1\" | cut -c 1-10 > mode")
    let result = try sandbox.expectUntouched {
      try sandbox.run("edit", "1", "--editor", environment: environment)
    }
    #expect(result == .done(errors: "Nothing was changed."))
    let seen = try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
    #expect(
      seen == """
        # "Zoë Müller", row 1, @1
        #
        # One field per line; continue a value on a line that starts with "|".
        # Leave a value empty to clear the field. Fields you remove are left unchanged.
        # To cancel, quit without changes. A backslash is written \\\\; \\t is a tab,
        # \\u{A0} the character with that code.

        First name: Zoë
        Last name: Müller
        Company:
        E-mail:
        Phone:
        Address: Am Markt 1
          |
          | Berlin
          |
        Note: \\u{20}a\\\\b\\t
        Other contacts:
        Tags:
        Favorite: no
        Next date:

        # Extra columns:
        Floor: 55

        """)
    #expect(try String(contentsOfFile: sandbox.folder + "/mode", encoding: .utf8) == "-rw-------\n")
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `the typed text is stored unchanged`() throws {
    let sandbox = try CLISandbox.withDemo()
    let typed = """
      \u{feff}first NAME:   Zoe\t\r
        # a comment
      Note: one\r
      | two: # no comment\r
        |   \\u{20}three \\\\ \\t\\n\r
      FAVORITE: Yes\r
      Phone:\u{301}1
      """
    let environment = try sandbox.editor("cat > \"$1\" <<'END'\n\(typed)\nEND")
    let edited = try sandbox.run("edit", "5", "--editor", environment: environment)
    #expect(edited == .done("Edited \"Zoe Müller\", row 5: first name, phone, note, favorite."))
    let record = try jsonObject(sandbox.run("show", "5", "--json").output)
    #expect(record["note"] as? String == "one\ntwo: # no comment\n three \\ \t\n")
    #expect(Array((record["phone"] as? String ?? "").unicodeScalars) == ["\u{301}", "1"])
    #expect(record["is_favorite"] as? Bool == true && record["email"] as? String == "zoe@mueller.example")
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `tags are typed as in the options, and one with a comma is in quotes`() throws {
    let sandbox = try CLISandbox.withLetters()
    func edited(_ lines: String...) throws -> [String] {
      #expect(
        try sandbox.run("edit", "1", "--editor", "-q", environment: sandbox.editor(saving: lines)) == .done())
      return try sandbox.sqlite("SELECT tags FROM customers WHERE id = 1").split(separator: "\n").map(
        String.init)
    }
    #expect(try edited("Tags: vip, top") == ["vip", "top"])
    #expect(try edited("Tags: vip", "  | \"a, b\", new") == ["vip", "a, b", "new"])
    let seen = try sandbox.editor("cp \"$1\" seen; sed -i 's/ new/ old/' \"$1\"")
    #expect(try sandbox.run("edit", "1", "--editor", "-q", environment: seen) == .done())
    #expect(
      try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
        .contains("Tags: vip\n  | \"a, b\"\n  | new\n"))
    #expect(try sandbox.ids("list", "--where", "tag=old", "--where", "tag=\"a, b\"") == "@1")
    // What no one can type stays as it is.
    #expect(try sandbox.sqlite("UPDATE customers SET tags = 'x\"y, z' WHERE id = 1") == "")
    #expect(try edited("Tags: x\"y, z", "  | vip") == ["x\"y, z", "vip"])
  }

  @Test func `a main value is shown after its label, and typed so`() throws {
    let sandbox = try CLISandbox()
    let add = [
      "--first-name", "Ann", "--phone", "home:1", "--email", "work:a@x.example", "--address", "Main: 5",
    ]
    #expect(try sandbox.run(words: ["add"] + add + ["-q"]) == .done())
    #expect(try sandbox.run("edit", "1", "--add", "phone=fax:9", "-q") == .done())
    func edited(_ script: String) throws -> [String] {
      let environment = try sandbox.editor("cp \"$1\" shown; sed -i \"\(script)\" \"$1\"")
      let result = try sandbox.run("edit", "1", "--editor", "-q", environment: environment)
      #expect(result == .done())
      let lines = try String(contentsOfFile: sandbox.folder + "/shown", encoding: .utf8).split(
        separator: "\n")
      return lines.filter {
        $0.hasPrefix("Phone") || $0.hasPrefix("E-mail") || $0.hasPrefix("Other contacts")
      }
      .map(String.init)
    }
    let shown = ["E-mail: work:a@x.example", "Phone: home:1", "Other contacts: fax: 9"]
    #expect(try edited("s/^Note:/Note: x/") == shown)
    func show() throws -> String { try sandbox.run("show", "1").output }
    #expect(try show().contains("Phone (home):  1\n") && show().contains("E-mail (work): a@x.example\n"))
    #expect(try edited("s/home:1/mobile:7/") == shown)
    #expect(try show().contains("Phone (mobile): 7\n") && show().contains("E-mail (work):  a@x.example\n"))
    #expect(try edited("s/mobile:7/8/; s/work:a/work:b/; s/fax: 9/fax: 10/")[1] == "Phone: mobile:7")
    #expect(try show().contains("Phone:         8\n") && show().contains("E-mail (work): b@x.example\n"))
    #expect(try show().contains("Fax:           10\n"))
    #expect(
      try edited("s/^Other contacts.*//") == [
        "E-mail: work:b@x.example", "Phone: 8", "Other contacts: fax: 10",
      ])
    #expect(try show().contains("Fax:           10\n"))
    let empty = try sandbox.editor("sed -i 's/Phone: 8/Phone: home:/' \"$1\"")
    #expect(
      try sandbox.run("edit", "1", "--editor", environment: empty).errors.contains(
        "Phone needs a value after the label \"home\""))
  }

  private static let mistakes = """
    customers: 6 errors in the edited text; nothing was changed
         line 1: a line that starts with | must follow a field
         line 3: there is no field "Phome"; did you mean "Phone"?
         line 5: Note is already on line 2
         line 6: not a field; a line looks like this: Phone: 555-0100
         line 7: write a backslash twice
         line 8: Favorite must be yes or no, not "maybe"
    """

  @Test func `every mistake is reported with its line, and nothing is done`() throws {
    let sandbox = try CLISandbox.withDemo()
    let typed = "| a\nNote: b\nPhome: 1\n| 2\nnote: c\nPhone 5\nCompany: C:\\dir\nFavorite: maybe"
    let environment = try sandbox.editor("cat > \"$1\" <<'END'\n\(typed)\nEND")
    try sandbox.expectUntouched { () throws in
      #expect(
        try sandbox.run("edit", "5", "--editor", environment: environment) == .failed(2, EditorTests.mistakes)
      )
      let invalid = try sandbox.editor("printf 'Note: a\\377' > \"$1\"")
      #expect(
        try sandbox.run("edit", "5", "--editor", environment: invalid)
          == .failed(2, "customers: the edited text is not UTF-8"))
    }
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test(arguments: [": > \"$1\"", "rm \"$1\"", "true", "printf '\\n# nothing\\n' > \"$1\""])
  func `an empty file, or none, changes nothing`(script: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor(script)
    let result = try sandbox.expectUntouched {
      try sandbox.run("edit", "5", "--editor", environment: environment)
    }
    #expect(result == .done(errors: "Nothing was changed."))
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `a failing or missing editor changes nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    let failing = try sandbox.editor("echo 'Note: x' > \"$1\"; exit 3")
    try sandbox.expectUntouched { () throws in
      let failed = try sandbox.run("edit", "5", "--editor", environment: failing)
      #expect(failed.code == 1 && failed.errors.hasSuffix("exited with status 3; nothing was changed\n"))
      let missing = try sandbox.run(
        "edit", "5", "--editor", environment: ["VISUAL": "/nowhere/ed", "EDITOR": "true"])
      #expect(missing.code == 1 && missing.output.isEmpty)
      #expect(
        missing.errors.hasSuffix(
          "can't run the editor \"/nowhere/ed\"\nNothing was changed.\nhint: set $EDITOR\n"))
      let nowhere = try sandbox.run(
        "edit", "5", "--editor", environment: ["EDITOR": "true", "TMPDIR": "/nowhere"])
      #expect(
        nowhere == .failed(1, "customers: can't create a file in \"/nowhere\": No such file or directory"))
    }
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `the editor's output is not part of the result, and it is not opened for a missing row`() throws
  {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor("echo hello; echo 'Note: x' > \"$1\"; touch opened")
    let edited = try sandbox.run("edit", "5", "--editor", "--json", environment: environment)
    #expect(edited.errors == "hello\n" && edited.output.hasPrefix("{\"op\":\"edit\",\"changes\":[{"))
    _ = try sandbox.shell("rm opened")
    #expect(try sandbox.run("edit", "55", "--editor", environment: environment).code == 3)
    #expect(try !sandbox.names.contains("opened"))
    #expect(
      try sandbox.run("edit", "5", "--editor", "-n", environment: environment).errors
        == "hello\nNothing was changed.\n")
  }
}
