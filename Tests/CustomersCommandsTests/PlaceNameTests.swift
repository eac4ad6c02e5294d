@testable import CustomersCommands
import CustomersTestSupport
import Testing

/// A place as `3`, `first`, `leads/1` or `leads/last`, wherever a place is asked for.
@Suite(.onThreads) struct PlaceNameTests {
  @Test(arguments: [
    (["move", "1", "leads/1"], "Sherlock Jane Ishmael Zoë Anna | Elizabeth Dorothea Edmond 明 | Miss"),
    (
      ["move", "1", "--to", "LEADS/2"], "Sherlock Jane Ishmael Zoë Anna | Dorothea Elizabeth Edmond 明 | Miss"
    ),
    (["move", "1", "leads/last"], "Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 Elizabeth | Miss"),
    (
      ["move", "1", "after", "Dorothea Brooke"],
      "Sherlock Jane Ishmael Zoë Anna | Dorothea Elizabeth Edmond 明 | Miss"
    ),
    (["move", "4-5", "before", "@2"], "Elizabeth Ishmael Zoë Sherlock Jane Anna | Dorothea Edmond 明 | Miss"),
    (["move", "4", "5", "first"], "Ishmael Zoë Elizabeth Sherlock Jane Anna | Dorothea Edmond 明 | Miss"),
    (
      ["move", "--where", "name=Jane Eyre", "first"],
      "Jane Elizabeth Sherlock Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"
    ),
    (
      ["move", "3", "--to=before", "1"], "Jane Elizabeth Sherlock Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"
    ),
    (["move", "3", "-1"], "Elizabeth Jane Sherlock Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"),
    (["move", "3", "+2"], "Elizabeth Sherlock Ishmael Zoë Jane Anna | Dorothea Edmond 明 | Miss"),
    (["move", "3", "--to", "-9"], "Jane Elizabeth Sherlock Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"),
    (
      ["move", "1", "--swap", "leads/1"],
      "Dorothea Sherlock Jane Ishmael Zoë Anna | Elizabeth Edmond 明 | Miss"
    ),
    (
      ["add", "Eve", "--to", "after", "1"],
      "Elizabeth Eve Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"
    ),
    (
      ["import", "-", "--to", "before 1"],
      "Gus Hal Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss"
    ),
    (["move", "5", "first"], "Zoë Elizabeth Sherlock Jane Ishmael Anna | Dorothea Edmond 明 | Miss"),
    (["move", "2", "last"], "Elizabeth Jane Ishmael Zoë Anna Sherlock | Dorothea Edmond 明 | Miss"),
    (
      ["move", "1", "8", "--to", "archive/first"],
      "Sherlock Jane Ishmael Zoë Anna | Dorothea 明 | Elizabeth Edmond Miss"
    ),
    (
      ["add", "Eve", "--at", "leads/2"],
      "Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Eve Edmond 明 | Miss"
    ),
    (
      ["add", "Eve", "--at", "@2/first"],
      "Elizabeth Sherlock Jane Ishmael Zoë Anna | Eve Dorothea Edmond 明 | Miss"
    ),
    (
      ["import", "-", "--at", "leads/2"],
      "Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Gus Hal Edmond 明 | Miss"
    ),
  ])
  func `a place can be named with its section`(words: [String], order: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.run(words: words + ["-q"], stdin: "name\nGus\nHal\n")
    #expect(result == .done(), "\(words)")
    #expect(try sandbox.order == order)
    guard words[0] != "import" else { return }
    let mayBeInBatch = !words.contains {
      ["--swap", "after", "before"].contains($0) || $0.hasPrefix("-") || $0.hasPrefix("+")
    }
    for script in [scriptLine(words), "begin\n\(scriptLine(words))\nend\n"] {
      let other = try CLISandbox.withDemo()
      // In a batch, the place of several sections must be said.
      guard mayBeInBatch && words.contains(where: { $0.contains("/") }) || !script.hasPrefix("begin") else {
        continue
      }
      #expect(try other.run("apply", "-", "-q", stdin: script) == .done(), "\(script)")
      #expect(try other.order == order, "\(script)")
    }
  }

  @Test(arguments: [
    (["move", "1", "nowhere/1"], 3, "no section matches \"nowhere\""),
    (["move", "1", "h/1"], 3, "\"h\" matches only part of"),
    (["move", "1", "leads/9"], 3, "row 9 is out of range (1–4) in section \"Leads\""),
    (["move", "1", "leads/x"], 2, "\"leads/x\" is not a place"),
    (["move", "1", "--to", "x"], 3, "no section matches \"x\""),
    (["move", "1", "--to", "5x"], 2, "--to must be a place, not \"5x\""),
    (["move", "1", "--to", "leads/1", "-s", "archive"], 2, "leads/… and --section can't be combined"),
    (["move", "1", "leads/1", "--first"], 2, ""),
    (["add", "Eve", "--at", "/1"], 2, "--to must be a place"),
    (["add", "Eve", "--to", "+1"], 2, "+1 is a place only in customers move"),
    (["move", "1", "+-1"], 2, "\"+-1\" is not a place"),
    (["move", "1", "leads/-1"], 2, "\"leads/-1\" is not a place"),
    (["move", "1", "--to", "before"], 2, "--to before needs a row or section"),
    (["move", "1", "--to", "before", "-n"], 2, "--to before needs a row or section"),
    (["add", "Eve", "--to=after", "-y"], 2, "--to after needs a row or section"),
    (["log", "1", "hi", "--to", "+1"], 2, "+1 is a place only in customers move"),
    (["move", "5", "2", "-s", "leads"], 2, "with --section, the number 2 may be a row or a place"),
    (["undo", "last"], 2, "STEP must be a whole number"),
    (["move", "1", "before"], 2, "\"before\" is not a place"),
    (["move", "1", "--to", "after", "--section"], 2, "--to after needs a row or section"),
    (["move", "1", "before", "3", "-s", "leads"], 2, "before 3 and --section can't be combined"),
    (["move", "1", "2", "3"], 2, "with several rows, a number needs --to"),
    (
      ["move", "4", "5", "2"], 2,
      "with several rows, a number needs --to\nhint: for example: customers move 4 5 --to 2"
    ),
    (["move", "1", "2", "to", "nowhere"], 3, "no section matches \"nowhere\""),
    (["move", "1", "up"], 2, "\"up\" is not a place\nhint: did you mean \"move 1 -1\"?"),
    (
      ["move", "1", "--to", "before", "Jane", "Eyre"], 2,
      "\"Eyre\" after the place may be a row, or belong to \"Jane\""
    ),
    (["section", "move", "leads", "9"], 3, "section number 9 is out of range (1–3)"),
    (["section", "add", "New", "--to", "5"], 3, "section number 5 is out of range (1–4)"),
    (["move", "1", "9", "+1"], 2, "these rows are in several sections"),
    (["section", "move", "leads", "leads/1"], 2, "a section has no place in section"),
    (["section", "move", "leads", "soon"], 2, "\"soon\" is not a place among the sections"),
  ])
  func `what is not a place is refused`(words: [String], code: Int32, message: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result.code == code && result.errors.hasPrefix("customers: " + message), "\(result)")
  }

  @Test func `-s means --section in every command that has it`() throws {
    for command in Command.all {
      for option in command.options where option.name == "--section" {
        #expect(option.short == "-s", "\(command.name)")
      }
    }
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("export", "-s", "leads").output.split(separator: "\n").count == 4)
  }

  @Test func `the row beside a place may be in quotation marks`() throws {
    let sandbox = try CLISandbox.withDemo()
    let quoted = try sandbox.run("move", "1", "--to", #"after "Sherlock Holmes""#)
    #expect(quoted.code == 0, "\(quoted)")
    #expect(try sandbox.run("list", "2", "--template", "{name}").output == "Elizabeth Bennet")
  }

  @Test func `a section is named up to the last slash`() {
    #expect(PlaceName("North/West/2")?.section == "North/West")
    #expect(PlaceName("2").map { $0.section == nil } == true && PlaceName("North/West") == nil)
  }
}

extension PlaceNameTests {
  /// Sections of the sample list: Customers, Leads, Archive.
  @Test(arguments: [
    ("leads first", "Leads Customers Archive"), ("leads last", "Customers Archive Leads"),
    ("leads 1", "Leads Customers Archive"), ("leads -1", "Leads Customers Archive"),
    ("leads +9", "Customers Archive Leads"), ("leads before customers", "Leads Customers Archive"),
    ("leads after archive", "Customers Archive Leads"), ("leads after leads", "Customers Leads Archive"),
    ("customers before archive", "Leads Customers Archive"),
    ("archive after customers", "Customers Archive Leads"),
  ])
  func `a section has the same places`(words: String, order: String) throws {
    for line in [
      "section move \(words)", "section move \(words.replacing(" ", with: " --to ", maxReplacements: 1))",
    ] {
      let sandbox = try CLISandbox.withDemo()
      #expect(
        try sandbox.run(words: line.split(separator: " ").map(String.init) + ["-q"]) == .done(), "\(line)")
      let titles = try sandbox.sqlite("SELECT title FROM sections ORDER BY \"order\"").split(separator: "\n")
      #expect(titles.joined(separator: " ") == order, "\(line)")
    }
  }

  @Test func `a section may have the name of a place`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("section", "add", "before", "-q") == .done())
    #expect(try sandbox.run("section", "move", "before", "first", "-q") == .done())
    #expect(try sandbox.run("section", "move", "before", "after", "leads", "-q") == .done())
    #expect(
      try sandbox.sqlite("SELECT title FROM sections ORDER BY \"order\"")
        == "Customers\nLeads\nbefore\nArchive\n")
  }

  /// What earlier versions wrote does what is written today, in a script, too.
  @Test(arguments: [
    ("move 3 --up", "move 3 -1"), ("move 3 --up 2", "move 3 --to -2"), ("move 2 --down", "move 2 +1"),
    ("move 3 --first", "move 3 first"), ("move 3-4 --last", "move 3-4 last"),
    ("move 5 --before 2", "move 5 before 2"), ("move 5 --after leads/1", "move 5 after leads/1"),
    ("add Eve --at 2", "add Eve --to 2"), ("add Eve --first", "add Eve --to first"),
    ("add Eve --before 2", "add Eve --to before 2"), ("add Eve -s leads --last", "add Eve --to leads/last"),
    ("swap 1 8", "move 1 --swap 8"), ("protect 2 --no-move", "edit 2 --protect move"),
    ("edit 2 --no-move --no-edit", "edit 2 --protect edit,move"),
    ("edit 2 --allow-move", "edit 2 --allow move"),
    ("edit 2 --add-phone mobile:5", "edit 2 --add phone=mobile:5"), ("edit 2 --tag a", "edit 2 --add tag=a"),
    ("edit 2 --no-favorite", "edit 2 --set favorite=no"), ("sort --by name -y", "sort name -y"),
    ("sort --by company --descending -y", "sort -company -y"),
    ("section rename leads --footer x", "section footer leads x"),
    ("section move leads --to 1", "section move leads 1"),
    ("section add New --at 1", "section add New --to first"),
  ])
  func `an earlier spelling does the same`(earlier: String, today: String) throws {
    var results: [String] = []
    for line in [earlier, today] {
      let sandbox = try CLISandbox.withDemo()
      #expect(try sandbox.run(words: line.split(separator: " ").map(String.init)).code == 0, "\(line)")
      results.append(try sandbox.run("export", "--format", "json").output)
      let other = try CLISandbox.withDemo()
      #expect(try other.run("apply", "-", stdin: line).code == 0, "\(line)")
      results.append(try other.run("export", "--format", "json").output)
    }
    #expect(Set(results).count == 1)
  }

  @Test(arguments: [
    ("show 3", "list 3"), ("find an", "list an"), ("find 3", "list --text 3"), ("duplicates", "merge"),
    ("completions fish", "help completions fish"), ("help --man move", "help man move"),
    ("list --limit 2 --offset 3", "list --limit 4-5"), ("check --digest", "check digest"),
    ("export --crlf --format csv", "export --style crlf --format csv"),
    ("export --vcard-version 3 --format vcard", "export --style vcard3 --format vcard"),
    ("find City=Bonn --json", "list City=Bonn --json"),
    ("show leads/1 --json", "list leads/1 --json"),
  ])
  func `an earlier command prints the same`(earlier: String, today: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let outcomes = try [earlier, today].map {
      try sandbox.run(words: $0.split(separator: " ").map(String.init))
    }
    #expect(outcomes[0] == outcomes[1] && outcomes[0].code == 0)
  }

  @Test func `words after list are rows or a text, never both`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("list", "2,4", "--format", "ids").output == "@2\n@4\n")
    #expect(try sandbox.run("list", "leads/1", "--fields", "company").output.contains("Company"))
    #expect(
      try sandbox.run("list", "3", "anna").errors.hasPrefix(
        "customers: \"3\" names a row, and \"anna\" is a text to search for\n"))
    #expect(try sandbox.run("list", "3", "--where", "name=x").code == 2)
    #expect(
      try sandbox.run("list", "9999")
        == .failed(
          3, "customers: row 9999 is out of range (1–10)\nhint: to search for it: customers list --text 9999")
    )
    #expect(try sandbox.run("list", " ").code == 2)
    #expect(try sandbox.run("list", "name:Jane").output.hasPrefix("Row:         3, Customers 3\n"))
    // It may be a phone number.
    #expect(
      try sandbox.run("list", "555-0100")
        == ProcessResult(
          output: "", errors: "No customers match \"555-0100\".\n", code: 0))
    // No ids are no rows, and not all.
    for words in [
      ["list", "-"], ["list", "-", "--format", "ids"], ["export", "-", "-", "--format", "ids"],
    ] {
      #expect(try sandbox.run(words: words, stdin: "").output.isEmpty, "\(words)")
    }
    #expect(
      try sandbox.run("move", "-", "first", stdin: "")
        == ProcessResult(
          output: "", errors: "No customers match; nothing was changed.\n", code: 0))
    #expect(try sandbox.run("merge", "-", stdin: "").code == 2)
  }

  @Test func `help names each earlier spelling, and shows it nowhere else`() throws {
    let versions = try Help.page(["versions"]).text().split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    for command in Command.earlier {
      #expect(versions.contains(" \(command.name) "), "\(command.name)")
      #expect(try Help.page([command.name]).text().contains("Now: customers \(command.earlier ?? "?")"))
    }
    for option in Command.documented.flatMap(\.options) where option.earlier != nil {
      #expect(versions.contains(" \(option.usage)"), "\(option.usage)")
    }
    for command in Command.documented {
      let text = command.page.text()
      for option in command.options where option.earlier != nil {
        #expect(!text.contains("\(option.name) ") && !text.contains("\(option.name)]"), "\(command.name)")
      }
    }
  }
}
