import CustomersTestSupport
import Foundation
import Testing

/// Customers whom files call by what they are called in every copy of the list, or by another program.
@Suite(.onThreads) struct UIDTests {
  private static let phone = """
    BEGIN:VCARD
    VERSION:3.0
    PRODID:-//Phone//EN
    UID:0007-A
    N:Lee;Ann;;;
    FN:Ann Lee
    EMAIL:ann@x.example
    END:VCARD

    """

  private static func list(_ names: String...) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    for name in names {
      #expect(try sandbox.run("add", name, "--email", "\(name.lowercased())@x.example", "-q") == .done())
    }
    return sandbox
  }

  private static func lines(_ sandbox: CLISandbox, _ name: String, _ property: String) throws -> [String] {
    try String(contentsOfFile: sandbox.folder + "/" + name, encoding: .utf8).split(separator: "\r\n")
      .filter { $0.hasPrefix(property + ":") }.map(String.init)
  }

  @Test func `each card has one UID, in every copy of the list the same`() throws {
    let sandbox = try Self.list("Ann", "Bob")
    #expect(try sandbox.run("backup", "copy.db", "-q") == .done())
    for (list, file) in [("customers.db", "one.vcf"), ("copy.db", "two.vcf")] {
      let export = file == "one.vcf" ? ["export", file, "-q"] : ["--db", list, "export", file, "-q"]
      #expect(try sandbox.run(words: export) == .done())
    }
    let uids = try Self.lines(sandbox, "one.vcf", "UID")
    #expect(Set(uids).count == 2)
    #expect(
      uids.allSatisfy { $0.wholeMatch(of: /UID:urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil })
    #expect(try Self.lines(sandbox, "two.vcf", "UID") == uids)
    #expect(try sandbox.run("export", "old.vcf", "--style", "vcard3", "-q") == .done())
    #expect(try Self.lines(sandbox, "old.vcf", "UID") == uids)
  }

  @Test(arguments: [false, true]) func `a card comes back to its customer, whatever was changed in it`(
    byPhone: Bool
  ) throws {
    let sandbox = try Self.list("Ann", "Bob", "Cy")
    #expect(try sandbox.run("export", "all.vcf", "-q") == .done())
    let path = sandbox.folder + "/all.vcf"
    var cards = try String(contentsOfFile: path, encoding: .utf8)
    cards = cards.replacing("FN:Ann", with: "FN:Anna").replacing("N:;Ann;", with: "N:;Anna;")
      .replacing("ann@x.example", with: "anna@y.example")
    // A phone says that it has written the card.
    if byPhone { cards = cards.replacing("PRODID:-//customers//customers//EN\r\n", with: "") }
    try sandbox.write(cards, to: "all.vcf")
    let again = try sandbox.run("import", "all.vcf")
    #expect(
      again.code == 4 && again.errors.contains("\"Anna\" and 2 more are already in the list"), "\(again)")
    #expect(
      try sandbox.run("import", "all.vcf", "--on-duplicate", "update").output.hasSuffix(
        "Imported 0 customers, updated 1, skipped 2; the list has 3 rows.\n"))
    #expect(
      try sandbox.run("list", "--format", "csv", "--fields", "name,email", "--no-header").output
        == "Anna,ann@x.example\nBob,bob@x.example\nCy,cy@x.example\n")
    #expect(try sandbox.run("columns", "--json").output == "[]\n")
  }

  @Test func `a list that is built from cards has no UIDs of another list`() throws {
    let sandbox = try Self.list("Ann", "Bob")
    #expect(try sandbox.run("export", "all.vcf", "-q") == .done())
    #expect(try sandbox.run("--db", "new.db", "import", "all.vcf", "-q") == .done())
    #expect(try sandbox.run("--db", "new.db", "columns", "--json").output == "[]\n")
    #expect(try sandbox.run("--db", "new.db", "export", "new.vcf", "-q") == .done())
    let uids = try Self.lines(sandbox, "all.vcf", "UID") + Self.lines(sandbox, "new.vcf", "UID")
    #expect(Set(uids).count == 4)
  }

  @Test(arguments: ["vcf", "json"])
  func `what another list has named comes back to its customers, with an e-mail address or without`(
    _ format: String
  ) throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("--db", "zz", "demo", "-q") == .done())
    for name in ["Twin", "Twin"] { #expect(try sandbox.run("--db", "zz", "add", name, "-q") == .done()) }
    let log = format == "vcf" ? ["--with-log"] : ["--ids"]
    let export = ["--db", "zz", "export", "zz.\(format)", "-y", "-q"] + log
    #expect(try sandbox.run(words: export) == .done())
    #expect(try sandbox.run("add", "Other", "-q") == .done())
    #expect(try sandbox.run("import", "zz.\(format)", "-y", "-q") == .done())
    let again = ["import", "zz.\(format)", "-y", "--on-duplicate", "update"]
    let rows = try sandbox.run("list", "--count")
    #expect(try sandbox.run(words: again).output.contains("Imported 0 customers, skipped 12"))
    #expect(try sandbox.run("list", "--count") == rows)
    guard format == "vcf" else { return }
    // One that was changed there is the same; another person with the name is not.
    #expect(try sandbox.run("--db", "zz", "edit", "8", "--phone", "555-0100", "-q") == .done())
    #expect(try sandbox.run(words: export) == .done())
    #expect(try sandbox.run(words: again).output.contains("Imported 0 customers, updated 1, skipped 11"))
    #expect(try sandbox.run("list", "--count") == rows)
    #expect(try sandbox.run("edit", "9", "--phone", "555-0199", "-q") == .done())
    #expect(try sandbox.run(words: again).output.contains("Imported 1 customer"))
  }

  @Test func `a UID is one however its name is written`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(Self.phone.replacing("UID:", with: "Uid:"), to: "phone.vcf")
    #expect(try sandbox.run("import", "phone.vcf", "-q") == .done())
    let card = try sandbox.run("export", "--format", "vcard").output.lowercased()
    #expect(card.matches(of: /\r\nuid:/).count == 1, "\(card)")
  }

  @Test func `the UID of another program stays, and its card comes back to its customer`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(Self.phone, to: "phone.vcf")
    #expect(try sandbox.run("import", "phone.vcf", "-q") == .done())
    #expect(try sandbox.run("export", "all.vcf", "-q") == .done())
    #expect(try Self.lines(sandbox, "all.vcf", "UID") == ["UID:0007-A"])
    #expect(try Self.lines(sandbox, "all.vcf", "PRODID") == ["PRODID:-//Phone//EN"])
    let married = Self.phone.replacing("Lee", with: "Poe").replacing("ann@", with: "poe@")
    try sandbox.write(married, to: "phone.vcf")
    #expect(
      try sandbox.run("import", "phone.vcf", "--on-duplicate", "update").output.hasSuffix(
        "Imported 0 customers, updated 1; the list has 1 row.\n"))
    #expect(
      try sandbox.run("list", "--format", "csv", "--fields", "name", "--no-header").output == "Ann Poe\n")
    // If two customers have the UID, the e-mail address decides.
    #expect(try sandbox.run("add", "Eve", "--set", "uid=0007-A", "-q") == .done())
    let two = ["import", "phone.vcf", "--on-duplicate", "update"]
    #expect(try sandbox.run(words: two).output.hasSuffix("skipped 1; the list has 2 rows.\n"))
    let byUID = try sandbox.run(words: two + ["--key", "uid"])
    #expect(byUID.code == 3 && byUID.errors.contains("have the uid \"0007-A\""), "\(byUID)")
  }

  @Test func `people whom another program calls by two UIDs are two, though they have only one name`() throws
  {
    let sandbox = try CLISandbox()
    let words = ["import", "phone.vcf", "--on-duplicate", "skip"]
    for uid in ["UID:0007-A", "UID:0007-B"] {
      let card = Self.phone.replacing("UID:0007-A", with: uid).replacing("EMAIL:ann@x.example\n", with: "")
      try sandbox.write(card, to: "phone.vcf")
      #expect(try sandbox.run(words: words).output.hasPrefix("Imported 1 customer;"))
      #expect(try sandbox.run(words: words).output.hasPrefix("Imported 0 customers, skipped 1;"))
    }
    try sandbox.write(
      Self.phone.replacing("UID:0007-A\n", with: "").replacing("EMAIL:ann@x.example\n", with: ""),
      to: "phone.vcf")
    #expect(try sandbox.run(words: words).output.hasPrefix("Imported 0 customers, skipped 1;"))
  }

  @Test func `a column uid is a name only if it is the key`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("uid,name,email\nX-1,Ann,a@x.example\nX-2,Bob,b@x.example\n", to: "other.csv")
    #expect(try sandbox.run("import", "other.csv", "-q") == .done())
    try sandbox.write("uid,name,email\nX-2,Bob Poe,poe@x.example\nX-3,Cy,c@x.example\n", to: "other.csv")
    let byKey = ["import", "other.csv", "--on-duplicate", "update"]
    #expect(
      try sandbox.run(words: byKey + ["--key", "uid", "-n"]).output.hasSuffix(
        "Would import 1 customer, update 1; the list would have 3 rows.\n"))
    #expect(
      try sandbox.run(words: byKey + ["-n"]).output.hasSuffix(
        "Would import 2 customers; the list would have 4 rows.\n"))
    #expect(try sandbox.run(words: byKey + ["--key", "uid", "-q"]) == .done())
    #expect(try sandbox.run(words: byKey + ["--key", "UID", "-n"]).output.contains("skip 2"))
    #expect(
      try sandbox.run("list", "--format", "csv", "--fields", "name,uid", "--no-header").output
        == "Ann,X-1\nBob Poe,X-2\nCy,X-3\n")
  }

  @Test func `JSON with ids comes back, and its uid names the customer in a copy`() throws {
    let sandbox = try Self.list("Ann", "Bob", "Cy")
    #expect(try sandbox.run("backup", "copy.db", "-q") == .done())
    for format in ["json", "ndjson"] {
      #expect(try sandbox.run("export", "out.\(format)", "--ids", "-q") == .done())
      let path = sandbox.folder + "/out.\(format)"
      var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      let first = format == "json" ? 1 : 0
      #expect(lines[first].contains(#","uid":""#))
      lines.remove(at: first + 1)
      lines[first] = lines[first].replacing("\"first_name\":\"Ann\"", with: "\"first_name\":\"Anna\"")
      try sandbox.write(lines.joined(separator: "\n") + "\n", to: "out.\(format)")
      #expect(
        try sandbox.run("take", "out.\(format)", "-y").output.hasSuffix(
          "Imported 0 customers, updated 1, skipped 1, deleted 1; the list has 2 rows.\n"))
      #expect(try sandbox.run("undo", "-q") == .done())
    }
    // In a copy that went on by itself, the ids may be those of others.
    #expect(try sandbox.run("export", "own.json", "--ids", "--fields", "name,email", "-q") == .done())
    #expect(try sandbox.run("--db", "copy.db", "add", "Dee", "--to", "first", "-q") == .done())
    let taken = try sandbox.run(
      "--db", "copy.db", "import", "own.json", "--key", "uid", "--on-duplicate", "skip", "-n")
    #expect(
      taken.output.hasSuffix("Would import 0 customers, skip 3; the list would have 4 rows.\n"), "\(taken)")
  }

  /// Two copies of a list of format 11, in which two people were added apart, and which both forgot.
  private static func forgetfulCopies() throws -> CLISandbox {
    let sandbox = try CLISandbox.withOlder("11")
    let script = try sandbox.shell(
      """
      mv customers.sqlite a.db && cp a.db b.db
      for one in A B; do
        file=$(echo $one | tr AB ab).db
        sqlite3 $file "INSERT INTO customers (section, first_name, phone) VALUES (1, 'Only$one', '$one')"
        sqlite3 $file "INSERT INTO forget_history SELECT max(id) FROM history_step"
        customers check --upgrade -q --db $file
      done
      """)
    #expect(script.code == 0, "\(script)")
    return sandbox
  }

  @Test(arguments: ["a.vcf", "a.json", "a.csv"], ["update", "skip"])
  func `who has only the number of a row for a UID is another customer under another name`(
    _ file: String, _ choice: String
  ) throws {
    let sandbox = try Self.forgetfulCopies()
    #expect(try sandbox.run("--db", "a.db", "export", "a.vcf", "-q") == .done())
    #expect(try sandbox.run("--db", "a.db", "export", "a.json", "--ids", "-q") == .done())
    let made = try sandbox.shell(
      #"""
      echo uid,first_name,last_name,company > a.csv
      sed -nE 's/.*"uid":"([^"]*)","first_name":"([^"]*)","last_name":"([^"]*)","company":"([^"]*)".*/\1,\2,\3,\4/p' \
        a.json >> a.csv
      """#)
    #expect(made.code == 0, "\(made)")
    let words =
      ["--db", "b.db", "import", file, "--on-duplicate", choice] + (file == "a.vcf" ? [] : ["--key", "uid"])
    let result = try sandbox.run(words: words)
    #expect(result.code == 0 && result.output.contains("Imported 1 customer, skipped 97"), "\(result)")
    let names = try sandbox.run("--db", "b.db", "list", "--format", "csv", "--fields", "name,phone").output
    #expect(names.contains("\nOnlyA,") && names.contains("\nOnlyB,B\n"))
    // Without a key, one of another copy is recognized by name.
    guard file == "a.vcf" else { return }
    let again = try sandbox.run(words: words)
    #expect(again.output.contains("Imported 0 customers, skipped 98"), "\(again)")
  }

  @Test(arguments: [[], ["--style", "vcard3"]])
  func `who has only a number for a UID and no name comes back by all main values`(_ style: [String]) throws {
    let sandbox = try CLISandbox.withOlder("11")
    let script = try sandbox.shell(
      """
      mv customers.sqlite a.db
      sqlite3 a.db "INSERT INTO customers (section, phone, email, address, note) VALUES
        (1, '555 1', '', '', ''), (1, '', 'x@y.example', '', ''), (1, '', '', '1 Way' || char(10) || 'Rom', ''),
        (1, '', '', '', 'a note' || char(10) || 'of two lines ')"
      sqlite3 a.db "INSERT INTO forget_history SELECT max(id) FROM history_step"
      cp a.db b.db
      sqlite3 b.db "UPDATE customers SET phone = '555 2' WHERE phone = '555 1'"
      sqlite3 b.db "INSERT INTO forget_history SELECT max(id) FROM history_step"
      customers check --upgrade -q --db a.db; customers check --upgrade -q --db b.db
      """)
    #expect(script.code == 0, "\(script)")
    #expect(try sandbox.run(words: ["--db", "a.db", "export", "a.vcf", "-q", "-y"] + style) == .done())
    for (list, result) in [
      ("a.db", "Imported 0 customers, skipped 101"), ("b.db", "Imported 1 customer, skipped 100"),
    ] {
      let found = try sandbox.run("--db", list, "import", "a.vcf", "--on-duplicate", "update")
      #expect(found.output.contains(result), "\(found)")
    }
  }

  @Test func `a number is proof in a file of this list, and if the name is that of the row`() throws {
    let sandbox = try Self.forgetfulCopies()
    #expect(try sandbox.run("--db", "a.db", "export", "a.json", "--ids", "-q") == .done())
    let renamed = try sandbox.shell(#"sed -i 's/"OnlyA"/"Renamed"/' a.json"#)
    #expect(renamed.code == 0)
    let words = ["import", "a.json", "--key", "uid", "--on-duplicate", "update"]
    let there = try sandbox.run(words: ["--db", "b.db"] + words + ["-n"])
    #expect(there.output.contains("Would import 1 customer"), "\(there)")
    let here = try sandbox.run(words: ["--db", "a.db"] + words)
    #expect(here.output.contains("Imported 0 customers, updated 1"), "\(here)")
    #expect(try sandbox.run("--db", "a.db", "list", "--format", "csv").output.contains("Renamed"))
    // Without a version, the names have to tell.
    try sandbox.write("uid,name,phone\n", to: "more.csv")
    let made = try sandbox.shell(
      #"sed -nE 's/.*"uid":"([^"]*)".*"first_name":"Renamed".*/\1,renamed,8/p' a.json >> more.csv"#)
    #expect(made.code == 0)
    let named = try sandbox.run(
      "--db", "a.db", "import", "more.csv", "--key", "uid", "--on-duplicate", "update")
    #expect(named.output.contains("Imported 0 customers, updated 1"), "\(named)")
    let phones = try sandbox.shell(#"sed -i -E 's/,renamed//; s/,name//' more.csv"#)
    #expect(phones.code == 0)
    let nameless = try sandbox.run(
      "--db", "a.db", "import", "more.csv", "--key", "uid", "--on-duplicate", "update")
    #expect(nameless.output.contains("Imported 1 customer"), "\(nameless)")
  }

  private static func card(_ name: String, _ uid: String) -> String {
    "BEGIN:VCARD\nVERSION:3.0\nFN:\(name)\nUID:\(uid)\nEMAIL:\(name.lowercased())@x.example\nEND:VCARD\n"
  }

  @Test func `names of other programs are compared as they are, and one that two have means neither`() throws
  {
    let sandbox = try CLISandbox()
    let update = ["import", "all.vcf", "--on-duplicate", "update", "-y"]
    // Only of a UUID, case and dashes make no difference.
    try sandbox.write(
      Self.card("Ann", "c-1-12") + Self.card("Bob", "c-11-2") + Self.card("Cy", "QWxh")
        + Self.card("Dee", "qWXH")
        + Self.card("Eve", "one") + Self.card("Flo", "one"), to: "all.vcf")
    #expect(try sandbox.run(words: update).output == "Imported 6 customers; the list has 6 rows.\n")
    #expect(
      try sandbox.run(words: update).output.hasSuffix(
        "Imported 0 customers, skipped 6; the list has 6 rows.\n"))
    // The first program's name stays.
    try sandbox.write(Self.card("Ann", "other"), to: "all.vcf")
    #expect(try sandbox.run(words: update).output.hasSuffix("skipped 1; the list has 6 rows.\n"))
    #expect(try sandbox.run("export", "--format", "vcard").output.contains("UID:c-1-12\r\n"))
  }

  @Test func `a UUID of the list goes to no other customer, and ids of another list mean nothing`() throws {
    let sandbox = try Self.list("Ann")
    #expect(try sandbox.run("export", "all.vcf", "-q") == .done())
    let path = sandbox.folder + "/all.vcf"
    let cards = try String(contentsOfFile: path, encoding: .utf8)
    try sandbox.write(cards.replacing("PRODID:-//customers//customers//EN\r\n", with: ""), to: "all.vcf")
    #expect(try sandbox.run("import", "all.vcf", "--on-duplicate", "add", "-y", "-q") == .done())
    let uids = try sandbox.run("export", "--format", "vcard").output.split(separator: "\r\n")
      .filter { $0.hasPrefix("UID:") }
    #expect(uids.count == 2 && Set(uids).count == 2)

    for list in ["one.db", "two.db"] {
      #expect(try sandbox.run("--db", list, "add", "--email", "a@\(list).example", "-q") == .done())
      #expect(try sandbox.run("--db", list, "add", "Ann", "--email", "b@\(list).example", "-q") == .done())
    }
    #expect(try sandbox.run("--db", "one.db", "export", "one.json", "--ids", "-q") == .done())
    let words = ["--db", "two.db", "import", "one.json", "--on-duplicate", "update", "-n", "--key"]
    #expect(
      try sandbox.run(words: words + ["uid"]).output.hasSuffix(
        "Would import 2 customers; the list would have 4 rows.\n"))
  }
}
