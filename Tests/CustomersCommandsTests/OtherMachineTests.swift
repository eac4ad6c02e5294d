import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// A list on another machine: everything works as with a local list.
///
/// A shell script takes the place of ssh; `SSHTests` uses the real one.
@Suite(.onThreads) struct OtherMachineTests {
  @Test(arguments: sampled(Example.all.filter(\.usesFile), oneIn: 18))
  func `a command does and prints the same as for a local list`(example: Example) throws {
    let here = try ExampleSandbox()
    var there = try ExampleSandbox()
    there.environment = try there.sandbox.otherMachine()
    for form in isLong ? example.forms : [example.forms[0]] {
      let expected = try here.run(example, form)
      let found = try there.run(example, form)
      #expect(try found.naming(there.sandbox) == expected.naming(here.sandbox), "\(form)")
      #expect(try there.result() == here.result(), "\(form)")
    }
  }

  @Test func `arguments, titles, and files arrive unchanged`() throws {
    let hostile = [
      "a'b\"c", "$(touch owned)", "`touch owned`", "a; touch owned", "a\nb", "-rf", "--db", "a\\", "%s%n",
      "~",
      "*", "!!", "&& touch owned", "> owned", "\u{1b}[31m", "Zoë 👩‍👩‍👧", "",
    ]
    let sandbox = try CLISandbox()
    let environment = try sandbox.otherMachine()
    for (index, text) in sampled(Array(hostile.enumerated()), oneIn: 8) {
      let title = "\(index) \(text)"
      let file = text.isEmpty || text.contains("/") ? "file" : "x\(text)"
      try sandbox.write("name,note\nFile \(index),\"\(text.replacing("\"", with: "\"\""))\"\n", to: file)
      for words in [
        ["section", "add", title], ["add", "--note=\(text)", "--section=\(title)", "--", "N\(index)"],
        ["import", file, "--format", "csv", "--section=\(title)", "-q", "-y"],
        ["export", "out\(text)", "--format", "ndjson", "--section=\(title)", "-y"],
      ] {
        let result = try sandbox.run(words: words, environment: environment)
        #expect(result.code == 0 && result.errors.isEmpty, "\(words): \(result)")
      }
      let rows = try jsonArray(sandbox.run("list", "--json", "--section=\(title)").output)
      #expect(rows.map { $0["note"] as? String } == [text, text], "\(text)")
      let exported = try String(contentsOfFile: sandbox.folder + "/out\(text)", encoding: .utf8)
      #expect(exported.split(separator: "\n").count == 2)
    }
    #expect(try !sandbox.names.contains("owned"))
    try sandbox.expectSound()
  }

  @Test(arguments: sampled(["a 'b\"c", "$(touch owned)", "a;b", "a\nb", "-rf", "100%41", "#?"], oneIn: 3))
  func `the path of a list is used unchanged`(name: String) throws {
    let sandbox = try CLISandbox()
    let path = "\(sandbox.folder)/\(name)"
    let environment = try sandbox.otherMachine(path)
    #expect(try sandbox.run(words: ["add", "Ann", "-q"], environment: environment) == .done())
    #expect(try sandbox.names == [name])
    #expect(try sandbox.run("list", "--db", path, "--format", "ids").output == "@1\n")
    let missing = try sandbox.run(words: ["list"], environment: sandbox.otherMachine(path + "x"))
    let missingHere = try sandbox.run("list", "--db", path + "x")
    #expect(missing.errors == missingHere.errors.replacing("open \"", with: "open \"ssh://elsewhere"))
    #expect(missing.code == 3 && missingHere.code == 3)
  }

  @Test func `a path may begin with the home folder of that machine`() throws {
    let sandbox = try CLISandbox()
    var environment = try sandbox.otherMachine()
    environment["CUSTOMERS_DB"] = "ssh://elsewhere/~/list"
    #expect(try sandbox.run(words: ["add", "Ann", "-q"], environment: environment) == .done())
    #expect(try sandbox.shell("ls ../far/list").code == 0)
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `standard input is that of this machine`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine()
    let imported = try sandbox.run(words: ["import", "-"], stdin: "name\nNew\n", environment: environment)
    #expect(imported.code == 0, "\(imported)")
    #expect(
      try sandbox.run(words: ["apply", "-"], stdin: "delete New\n", environment: environment).code == 0)
    let deleted = try sandbox.run(words: ["delete", "-", "-y"], stdin: "1\n@3\n", environment: environment)
    #expect(deleted.output == "Deleted \"A\", row 1.\nDeleted \"C\", row 3.\n", "\(deleted)")
    #expect(try sandbox.order == "B D | X Y")
  }

  @Test func `rejected rows are written to a file here`() throws {
    let sandbox = try CLISandbox()
    let environment = try sandbox.otherMachine()
    try sandbox.write("name,note\nAnn,1\nBob,1,2,3\n", to: "in.csv")
    let words = ["import", "in.csv", "--rejects", "bad.csv"]
    let result = try sandbox.run(words: words, environment: environment)
    #expect(result.code == 0 && result.errors.contains("1 row can't be imported"), "\(result)")
    #expect(
      try String(contentsOfFile: sandbox.folder + "/bad.csv", encoding: .utf8) == "name,note\nBob,1,2,3\n")
    #expect(try sandbox.order == "Ann")
  }

  @Test func `the same files are refused as for a local list`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine()
    try sandbox.write("name\nNew\n", to: "new.csv")
    try sandbox.write("precious", to: "old")
    for words in [
      // The programs find out that they run on the same machine.
      ["export", "customers.sqlite", "-y"], ["backup", "customers.sqlite", "-y"], ["export", "x-journal"],
      ["backup", "x-wal"], ["import", "new.csv", "--rejects", "new.csv"], ["export", "nowhere/x"],
      ["import", "nowhere"], ["restore", "nowhere", "-y"], ["restore", "old", "-y"],
      ["apply", "nowhere"], ["export", "old"], ["backup", "old"], ["import", "."],
    ] {
      let expected = try sandbox.expectUntouched { try sandbox.run(words: words) }
      let found = try sandbox.expectUntouched { try sandbox.run(words: words, environment: environment) }
      #expect(found.code == expected.code && found.code != 0, "\(words): \(found)")
      #expect(try found.naming(sandbox) == expected.naming(sandbox), "\(words)")
    }
    let nowhere = try sandbox.run(words: ["backup", "nowhere/x"], environment: environment)
    #expect(nowhere == .failed(1, "customers: can't write \"nowhere/x\": No such file or directory"))
    #expect(try sandbox.names == ["customers.sqlite", "new.csv", "old"])
  }

  @Test func `questions appear here, and output fits this terminal`() throws {
    let here = try CLISandbox.withDemo()
    let there = try CLISandbox.withDemo()
    let environment = try there.otherMachine()
    for columns in [60, 200] as [UInt16] {
      let screens = try [(here, [:]), (there, environment)].map { sandbox, environment in
        try sandbox.onTerminal("list", columns: columns, rows: 50, environment: environment).screen
      }
      #expect(screens[0] == screens[1])
      #expect(screens[0].contains("\u{1b}["))
    }
    for (answer, code) in [("n\n", 5), ("\u{4}", 5), ("y\n", 0)] as [(String, Int32)] {
      let found = try there.onTerminal("delete", "1", typing: answer, environment: environment)
      let expected = try here.onTerminal("delete", "1", typing: answer)
      #expect(found == expected && found.code == code)
    }
    let named = ["PAGER": "sed 's/^/| /'"]
    let paged = try there.onTerminal("list", rows: 5, environment: environment.merging(named) { $1 })
    #expect(paged == (try here.onTerminal("list", rows: 5, environment: named)))
    #expect(paged.screen.contains("| "))
  }

  @Test func `with a shell in place of ssh, the table runs on the terminal of the other machine`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectTable(in: sandbox.otherMachine())
    let piped = try sandbox.run(words: ["table"], environment: sandbox.otherMachine())
    #expect(piped.code == 4 && piped.errors.contains("needs a terminal"), "\(piped)")
  }

  @Test func `times are in the time zone of this machine`() throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.otherMachine()
    for zone in ["Asia/Kolkata", "XYZ-3:30", "America/New_York", ":UTC", ""] {
      let here = try sandbox.spawn("history", environment: ["TZ": zone])
      let there = try sandbox.spawn("history", environment: environment.merging(["TZ": zone]) { $1 })
      #expect(here == there, "\(zone)")
    }
  }

  @Test func `both programs end quietly when the reader of the output exits`() throws {
    let sandbox = try CLISandbox()
    let environment = try sandbox.otherMachine()
    let rows = (1...1500).map { "Ann \($0),\(String(repeating: "x", count: 200))\n" }.joined()
    try sandbox.write("name,note\n" + rows, to: "list.csv")
    #expect(try sandbox.run("import", "list.csv", "-q") == .done())
    let result = try sandbox.shell(
      "customers export --format csv | head -1 | cut -c1-11", environment: environment)
    #expect(result == .done("first_name,"))
  }

  @Test func `Ctrl-C ends both programs`() throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.otherMachine(serving: "echo $$ > \"$FAR/id\"; run sh -c \"$word\"")
    let result = try sandbox.onTerminal(
      words: ["watch", "--no-pager"], environment: environment, interrupting: true)
    #expect(result.code == 130)
    let ended = try sandbox.shell(
      "for try in $(seq 50); do kill -0 $(cat ../far/id) 2> /dev/null || exit 0; sleep 0.2; done; exit 1"
    )
    #expect(ended.code == 0)
  }

  @Test func `watch reports changes on the other machine`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine()
    let result = try sandbox.shell(
      """
      touch seen
      (until [ -s seen ]; do sleep 0.1; done; unset CUSTOMERS_DB; customers move 1 2 -q --db '\(sandbox.file)') &
      customers watch --limit 1 --json > seen; tail -1 seen
      """,
      environment: environment)
    #expect(result.output.contains(#""op":"move""#), "\(result)")
  }

  @Test func `ssh has ended when a command ends`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine(serving: "echo $$ > \"$FAR/id\"; run sh -c \"$word\"")
    #expect(try sandbox.run(words: ["list"], environment: environment).code == 0)
    let id = try #require(Int32(sandbox.shell("cat ../far/id").output.dropLast()))
    // A process that no one waited for would still be there.
    #expect(kill(id, 0) == -1 && errno == ESRCH)
  }

  @Test func `completion offers the rows there and the files here`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine()
    try sandbox.write("name,Fax\nNew,1\n", to: "new.csv")
    for words in [
      ["zsh", "--", "move", ""], ["fish", "--", "list", "--section", ""], ["zsh", "--", "li"],
      ["zsh", "--", "import", "new.csv", "--map", ""], ["bash", "customers show ", " "],
    ] {
      let found = try sandbox.run(words: ["__complete"] + words, environment: environment)
      let expected = try sandbox.run(words: ["__complete"] + words)
      #expect(found == expected && !found.output.isEmpty, "\(words)")
    }
    let named = ["zsh", "--", "list", "--db", try #require(environment["CUSTOMERS_DB"]), "--section", ""]
    let ssh = try #require(environment["CUSTOMERS_SSH"])
    let found = try sandbox.run(
      words: ["__complete"] + named, environment: ["CUSTOMERS_DB": "/nowhere", "CUSTOMERS_SSH": ssh])
    #expect(found.output.contains("More:"), "\(found)")
  }

  @Test func `only completion forbids ssh to ask questions`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine(serving: "echo \"$*\" > \"$FAR/words\"; run sh -c \"$word\"")
    for (words, forbids) in [(["__complete", "zsh", "--", "move", ""], true), (["list", "-q"], false)] {
      #expect(try sandbox.run(words: words, environment: environment).code == 0)
      let found = try sandbox.shell("cat ../far/words").output
      #expect(found.contains("-o BatchMode=yes ") == forbids, "\(words): \(found)")
    }
  }

  @Test func `a command that needs no list does not connect`() throws {
    let sandbox = try CLISandbox()
    let environment = ["CUSTOMERS_DB": "ssh://elsewhere/list", "CUSTOMERS_SSH": "false"]
    for words in [["help"], ["help", "ssh"], ["list", "--help"], ["--version"], ["completions", "fish"]] {
      #expect(try sandbox.run(words: words, environment: environment).code == 0)
    }
    #expect(try sandbox.run(words: ["lst"], environment: environment).code == 2)
    #expect(try sandbox.run(words: ["add", "--at", "5x"], environment: environment).code == 2)
  }
}

extension ProcessResult {
  /// Returns the result with neutral paths, so that results of two sandboxes compare equal.
  func naming(_ sandbox: CLISandbox) throws -> ProcessResult {
    func neutral(_ text: String) -> String {
      text.replacing(sandbox.folder, with: "FOLDER").replacing(/ssh:\/\/[a-z]+FOLDER/, with: "FOLDER")
    }
    var result = self
    (result.output, result.errors) = (neutral(output), neutral(errors))
    return result
  }
}
