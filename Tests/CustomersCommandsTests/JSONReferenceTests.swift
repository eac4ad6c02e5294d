import CustomerStore
@testable import CustomersCommands
import CustomersTestSupport
import Foundation
import CustomersText
import Testing

/// The output of commands with `--json`, compared with the tables of `customers help json`.
@Suite(.onThreads) struct JSONReferenceTests {
  @Test(arguments: try Transcript.sessions("JSONReference"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: sampled(Example.all.filter(\.hasJSON), oneIn: 8, salt: 3))
  func `the output of every command matches the reference`(example: Example) throws {
    let examples = try ExampleSandbox()
    let answer = try #require(Self.answer(for: example), "no answer is declared")
    for form in example.forms where form.contains("--json") {
      let outcome = try examples.run(example, form)
      let texts = answer.isStream ? outcome.output.split(separator: "\n").map(String.init) : [outcome.output]
      for (index, text) in texts.enumerated() {
        let type = answer.isStream && index == 0 ? .object(JSONReference.picture) : answer.type
        let mismatch = type.mismatch(try ParsedJSON(text))
        #expect(mismatch == nil, "\(form): \(mismatch ?? "") in \(text)")
      }
    }
  }

  @Test func `every command that answers in JSON is in the reference`() {
    let known = Set(
      JSONReference.answers.map { $0.command.split(separator: " ").first.map(String.init) ?? "" })
    let commands = Set(Example.all.filter { $0.hasJSON || $0.kind == .serves }.map(\.command))
    #expect(known == commands)
  }

  @Test func `the examples of the reference are what the commands print`() throws {
    let places = [
      ("2026-11-22T09:30:00Z", "TIME"), ("\"ann\"", "\"USER\""), ("\"desk\"", "\"HOST\""),
      ("/srv/", "FOLDER/"),
      ("90112", "SIZE"), ("3.46.1", "SQLITE"), ("0c1d2e3f4a5b of 2026-11-22", "development"),
    ]
    for (line, output) in JSONReference.examples {
      let command = try #require(line.split(separator: " ").first)
      let transcript = try String(contentsOfFile: "\(samples)/transcripts/\(command).txt", encoding: .utf8)
      let expected = places.reduce(output) { $0.replacing($1.0, with: $1.1) }
      #expect(transcript.contains("$ customers \(line)\n\(expected)\n"), "\(line)")
    }
  }

  @Test func `the page has every shape and no line beyond 80 columns`() throws {
    let page = try Help.page(["json"])
    let text = page.text().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let shared = JSONReference.answers.filter { $0.type.name != $0.command }
    #expect(shared.count > 20 && shared.count < JSONReference.answers.count)
    for answer in shared { #expect(text.contains(answer.command), "\(answer.command)") }
    for text in ([page] + page.parts()).map({ $0.text() }) {
      for line in text.split(separator: "\n") { #expect(displayWidth(String(line)) <= 80, "\(line)") }
    }
    let all = try Help.page(["json", "all"]).text()
    #expect(all.contains("Customer:\n") && all.contains("Change:\n") && all.contains("Step:\n"))
    #expect(all.contains("`customers apply --check`:\n") && all.contains("$ customers undo --json\n"))
  }

  @Test func `a type and a command have a page of their own`() throws {
    let step = try CLISandbox().run("help", "json", "step")
    #expect(step.code == 0 && step.output.contains("\nStep:\n") && !step.output.contains("\nChange:\n"))
    let apply = try CLISandbox().run("help", "json", "apply").output
    for text in [
      "  apply --check  an object\n", "\n`customers apply --check`:\n", "$ customers apply script --json\n",
    ] {
      #expect(apply.contains(text), "\(text)")
    }
    let list = try CLISandbox().run("help", "json", "list").output
    #expect(
      list.contains("  list             [customer]\n") && list.contains("\nCustomer:\n")
        && list.contains("\nList:\n"))
    #expect(
      try CLISandbox().run("help", "json", "stpe")
        == .failed(2, "customers: unknown part \"stpe\" of json\nhint: did you mean \"step\"?"))
  }

  @Test func `every page of help is described in JSON, too`() throws {
    for words in [["rows"], ["json", "step"], ["import", "columns"], ["keys"]] {
      let outcome = try CLISandbox().run(words: ["help"] + words + ["--json"])
      #expect(outcome.code == 0)
      #expect(JSONType.object(JSONShapes.page.type).mismatch(try ParsedJSON(outcome.output)) == nil)
    }
    for command in Command.documented {
      let outcome = try CLISandbox().run("help", command.name, "--json")
      #expect(JSONType.object(JSONShapes.command.type).mismatch(try ParsedJSON(outcome.output)) == nil)
    }
  }

  @Test func `a mismatch is found`() throws {
    let type = JSONType.object(JSONShapes.place.type)
    #expect(type.mismatch(try ParsedJSON(#"{"section":1,"order":2,"position":3}"#)) == nil)
    #expect(type.mismatch(try ParsedJSON(#"{"section":1,"order":2}"#)) == ".position is missing")
    #expect(
      type.mismatch(try ParsedJSON(#"{"section":1,"order":"2","position":3}"#)) == ".order is not a number")
    #expect(
      type.mismatch(try ParsedJSON(#"{"section":1,"order":2,"position":3,"x":1}"#)) == ".x is not declared")
  }

  private static func answer(for example: Example) -> JSONReference.Answer? {
    let words = example.words
    let name =
      switch words[0] {
      case "section" where words.count == 1 || words[1] == "list": "section list"
      case "list" where words.contains("--count-by"): "list --count-by"
      case "columns" where words.count == 1 || words[1] == "list": "columns list"
      case "config" where words.count < 3: "config [NAME]"
      case "list" where words.last == "6": "list ROW"
      case "merge" where words.count > 1: "merge ROW…"
      case "undo" where words.count > 1: "undo STEP"
      case "check" where words.contains("--upgrade"): "check --upgrade"
      case "history" where words.contains("--forget"): "history --forget"
      case "history" where words.count == 2: "history STEP"
      case "apply" where words.contains("--check"): "apply --check"
      case "export" where words.count > 1: "export FILE"
      case "help" where words.count > 1: "help COMMAND"
      default: words[0]
      }
    return JSONReference.answers.first { $0.command == name }
  }
}

/// JSON as a tree, true and 1 kept apart.
enum ParsedJSON: Decodable {
  case null, flag(Bool), number(Double), text(String), list([ParsedJSON]), object([String: ParsedJSON])

  init(_ text: String) throws { self = try JSONDecoder().decode(ParsedJSON.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([ParsedJSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: ParsedJSON].self))
    }
  }
}

extension JSONType {
  /// Where a value is not of this type; nil if it is.
  func mismatch(_ value: ParsedJSON, at path: String = "") -> String? {
    switch (self, value) {
    case (.text, .text), (.number, .number), (.flag, .flag), (.any, _): return nil
    case (.list(let type), .list(let values)):
      return values.enumerated().lazy.compactMap { type.mismatch($1, at: "\(path)[\($0)]") }.first
    case (.object(let type), .object(let members)):
      let declared = Set(type.members.map(\.name))
      if let other = members.keys.sorted().first(where: { !declared.contains($0) }) {
        return "\(path).\(other) is not declared"
      }
      return type.members.lazy.compactMap { member -> String? in
        guard let value = members[member.name] else {
          return member.isOptional ? nil : "\(path).\(member.name) is missing"
        }
        return member.type.mismatch(value, at: "\(path).\(member.name)")
      }.first
    default: return "\(path) is not a \(name)"
    }
  }
}
