@testable import CustomersCommands
import CustomersTestSupport
import Testing

/// The parts derived from a command's declaration, tested with a sample command.
@Suite(.onThreads) struct GrammarTests {
  private enum Color: String, CaseIterable {
    case red, blue
  }

  private static let first = Option.flag("--first", "before others")
  private static let number = Option.value("--at", .number(), "as label N")
  private static let color = Option.value("--color", Argument<Color>.choice("COLOR"), "the color")
  private static let weight = Option.value("--weight", .count("K"), "how much it counts")
  private static let places = Option.values("--place", .text(), "where it is")
  private static let empty = Option.flag("--empty", "only sections without rows")

  private static let command = Command(
    name: "tag", summary: "label customers", description: ["A label is one word."],
    forms: [
      .verb("list", isDefault: true),
      .verb(
        "add", [.one(.text("LABEL")), .many(.row)],
        [
          .oneOf([first, number]), .required(color), .optional(weight), .optional(places),
        ]),
      .plain([.one(.section)], [.optional(empty)]),
    ],
    examples: [
      CommandExample("Label two customers", "customers tag add vip 1 2 --color red")
    ],
    seeAlso: ["find", "list"])

  private func parse(_ words: String...) throws -> Invocation {
    let invocation = try Invocation(
      parsing: ["tag"] + words, commands: [GrammarTests.command], globals: GlobalOptions.all)
    try GrammarTests.command.check(invocation)
    return invocation
  }

  private func mistake(_ words: [String]) -> String? {
    do {
      let invocation = try Invocation(
        parsing: ["tag"] + words, commands: [GrammarTests.command], globals: GlobalOptions.all)
      try GrammarTests.command.check(invocation)
      return nil
    } catch {
      let failure = Failure(error, file: "")
      return failure.message + (failure.hint.map { "\n\($0)" } ?? "")
    }
  }

  @Test func `help shows every form, option, and example`() {
    #expect(
      GrammarTests.command.page.text() == """
        Usage: customers tag [list]
               customers tag add LABEL ROW… --color COLOR [options]
               customers tag SECTION [--empty]

        Label customers. A label is one word.

        Options:
          --first        before others
          --at N         as label N
          --color COLOR  the color: red or blue
          --weight K     how much it counts
          --place TEXT   where it is
          --empty        only sections without rows

          $ customers tag add vip 1 2 --color red  # Label two customers

        Common options: --db -q --json. See also: find, list.

        """)
  }

  @Test func `help fits a narrow terminal`() {
    let text = GrammarTests.command.page.text(width: 40)
    #expect(
      text.hasPrefix(
        """
        Usage: customers tag [list]
               customers tag
                   add LABEL ROW… --color COLOR
                   [options]
               customers tag SECTION
                   [--empty]

        Label customers. A label is one word.

        Options:
          --first       before others
          --at N        as label N
          --color COLOR
                        the color: red or blue

        """))
  }

  @Test func `values are parsed as declared`() throws {
    let invocation = try parse("add", "vip", "1", "--color", "RED", "2", "--weight=0", "-q")
    #expect(invocation.operands == ["add", "vip", "1", "2"])
    #expect(invocation[GrammarTests.color] == .red && invocation[GrammarTests.weight] == 0)
    #expect(!invocation[GrammarTests.first] && invocation[GrammarTests.number] == nil)
    #expect(invocation.given.map(\.name) == ["--color", "--weight", "--quiet"])
    #expect(try parse().operands == [])
    #expect(try parse("Leads", "--empty")[GrammarTests.empty])
    let repeated = try parse("add", "vip", "1", "--color", "red", "--place", "a", "--place=b=c")
    #expect(repeated[GrammarTests.places] == ["a", "b=c"])
  }

  @Test(arguments: [
    ["move", "-", "5", "--up", "-q"], ["mv", "--down=2", "--", "-5", "--up"], ["import", "-", "--at", "-3"],
    ["edit", "1", "--set", "Club=Bonn", "--set=a=b=c", "--note", "", "--no-favorite"], ["history"],
    ["list", "--db", "ssh://far/list", "--color", "NEVER", "--yes", "--yes", "-l", "5"],
  ])
  func `the words for another machine mean the same`(words: [String]) throws {
    func facts(_ invocation: Invocation) -> [String] {
      invocation.operands + invocation.given.map { "\($0.name) \($0.word ?? "") \($0.value)" }
    }
    let first = try Invocation(
      parsing: words, commands: Command.all, globals: GlobalOptions.all)
    let second = try Invocation(parsing: first.words, commands: Command.all, globals: GlobalOptions.all)
    #expect(second.command?.name == first.command?.name && facts(second) == facts(first))
  }

  @Test(arguments: [
    (["list", "x"], "tag list: too many arguments\ncustomers tag [list]"),
    (
      ["add", "vip"],
      "tag add: missing argument\nto see how it is used: customers help tag"
    ),
    (["add", "vip", "1"], "tag add needs --color COLOR"),
    (
      ["add", "vip", "1", "--colour", "red"], "unknown option \"--colour\" of tag\ndid you mean \"--color\"?"
    ),
    (
      ["add", "vip", "1", "--color", "rde"], "--color must be red or blue, not \"rde\"\ndid you mean \"red\"?"
    ),
    (["add", "vip", "1", "--color", "red", "--weight", "-1"], "--weight must be 0 or more, not -1"),
    (["add", "vip", "1", "--at", "x"], "--at must be a whole number, not \"x\""),
    (
      ["add", "vip", "1", "--color", "red", "--at", "1", "--first"],
      "--first and --at can't be combined"
    ),
    (["add", "vip", "1", "--empty"], "--empty needs tag SECTION"),
    (["Leads", "--at", "1"], "--at needs tag add"),
    (["Leads", "--at", "1", "--empty"], "--empty and --at can't be combined"),
  ])
  func `anything that is not declared is refused`(words: [String], message: String) {
    #expect(mistake(words) == message)
  }

  @Test func `a verb without what it needs is refused in every command`() throws {
    for command in Command.all {
      let verbs = Dictionary(grouping: command.forms.filter { !$0.isDefault }) { $0.verb ?? "" }
      for (verb, forms) in verbs where !verb.isEmpty {
        guard forms.allSatisfy({ $0.operands.contains { !$0.isOptional } }) else { continue }
        let invocation = try Invocation(
          parsing: [command.name, verb], commands: Command.all, globals: GlobalOptions.all)
        #expect(throws: Failure.self, "\(command.name) \(verb)") { try command.check(invocation) }
      }
    }
  }

  @Test func `the declarations of all commands make sense`() {
    for command in Command.all {
      for form in command.forms {
        let operands = form.operands
        // A text or a place may come after one that is repeated.
        let texts = operands.drop { !$0.isRepeated }.dropFirst()
        #expect(
          texts.isEmpty
            || [["TEXT"], ["PLACE"]].contains(texts.map(\.value.label))
              && !texts.contains(where: \.isRepeated),
          "\(command.name)")
        let last = operands.drop { !$0.isOptional }
        #expect(last.allSatisfy { $0.isOptional }, "\(command.name)")
      }
      let names = (command.options + GlobalOptions.all).map(\.name)
      #expect(Set(names).count == names.count && names.allSatisfy { $0.hasPrefix("--") }, "\(command.name)")
      #expect(command.editing != nil || command.run != nil, "\(command.name)")
      for other in command.seeAlso() {
        #expect(throws: Never.self) { try Help.page([other]) }
      }
    }
  }
}
