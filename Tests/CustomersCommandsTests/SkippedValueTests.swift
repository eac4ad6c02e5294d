import CustomersTestSupport
import Testing

/// Questions whose values can't be compared, in commands that read and in those that edit.
@Suite(.onThreads) struct SkippedValueTests {
  private static func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    for (name, due) in [
      ("Ann", "2026-11-20"), ("Bob", "20.11.2026"), ("Cid", "11/21/2026"), ("Dan", "2026-11-22 10:00"),
      ("Eve", "soon"),
      ("Fay", ""),
    ] {
      #expect(try sandbox.run("add", name, "--set", "Due=\(due)", "-q", "--yes") == .done())
    }
    return sandbox
  }

  private static let note = "note: 1 value of \"Due\" can't be compared; these customers were left out"

  @Test func `an answer says how many values were left out`() throws {
    let sandbox = try Self.sandbox()
    let question = "Due<2026-11-22"
    for words in [
      ["list", "--format", "ids"], ["export", "-", "--format", "csv", "--fields", "name"], ["show"],
    ] {
      let result = try sandbox.run(words: words + ["--where", question])
      #expect(result.code == 0 && result.errors.hasPrefix(Self.note), "\(words): \(result)")
    }
    #expect(try sandbox.run("list", "--count", "--where", question) == .done("3", errors: Self.note))
    #expect(try sandbox.run("list", "--count", "-q", "--where", question) == .done("3"))
    #expect(try sandbox.run("list", "--count", "--where", "not Due=2026-11-20") == .done("3"))
  }

  @Test func `an edit that left some out needs consent`() throws {
    let sandbox = try Self.sandbox()
    let refusal = ProcessResult.failed(
      4,
      """
      customers: 1 value of "Due" can't be compared, so it is not known whether these customers match
      hint: to leave them out, add --yes
      """)
    for words in [["delete"], ["move", "--last"], ["edit", "--note", "x"]] {
      let result = try sandbox.expectUntouched {
        try sandbox.run(words: words + ["--where", "Due<today", "--no-input"])
      }
      #expect(result == refusal, "\(words)")
    }
    let result = try sandbox.run("edit", "--where", "Due<2026-11-22", "--note", "x", "--yes")
    #expect(result.code == 0 && result.errors.contains(Self.note))
    #expect(try sandbox.run("list", "--count", "--where", "note=x") == .done("3"))
  }

  @Test func `what can't be compared is refused before anything is done`() throws {
    let sandbox = try Self.sandbox()
    for (question, reason, hint) in [
      ("Due<tomorow", "Due: \"tomorow\" is neither a number nor a date", "did you mean tomorrow?"),
      (
        "Due<6O", "Due: \"6O\" is neither a number nor a date",
        "for the order of the alphabet, put the value in quotes, as in Due<\"M\""
      ),
      (
        "Due<11/12/2026", "Due: \"11/12/2026\" may be 2026-11-12 or 2026-12-11",
        "write 2026-11-12 or 2026-12-11"
      ),
    ] {
      let result = try sandbox.expectUntouched { try sandbox.run("delete", "--where", question, "--yes") }
      #expect(result == .failed(2, "customers: --where: \(reason)\nhint: \(hint)"), "\(question)")
    }
  }

  @Test func `a minus sorts in descending order`() throws {
    let sandbox = try CLISandbox()
    for (name, prio, group) in [("Ann", "2", "x"), ("Bob", "10", "y"), ("Cid", "1", "x"), ("Dan", "10", "x")]
    {
      #expect(
        try sandbox.run("add", name, "--set", "Prio=\(prio)", "--set", "Group=\(group)", "-q", "--yes")
          == .done())
    }
    func order(_ words: String...) throws -> String {
      try sandbox.run(words: ["list", "--format", "tsv", "--fields", "first_name", "--no-header"] + words)
        .output
        .split(separator: "\n").map { $0.split(separator: "\t").last.map(String.init) ?? "" }.joined(
          separator: " ")
    }
    #expect(try order("--sort", "-Prio") == "Bob Dan Ann Cid")
    #expect(try order("--sort", "-prio", "--reverse") == "Cid Ann Bob Dan")
    #expect(try order("--sort", "Group,-Prio") == "Dan Ann Cid Bob")
    #expect(try order("--sort=-Group,Prio") == "Bob Cid Ann Dan")
    #expect(try sandbox.run("sort", "--by", "-Prio", "-q", "--yes") == .done())
    #expect(try order() == "Bob Dan Ann Cid")
  }

  @Test func `a value is counted once, however many terms it leaves open`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q").code == 0)
    _ = try sandbox.sqlite("UPDATE customers SET extra = '{\"Due\":\"soon\"}'")
    for words in [
      ["Due<2020-01-01 or Due>2027-01-01 or Due=today"], ["Due<today", "--where", "Due>2020-01-01"],
    ] {
      let result = try sandbox.run(words: ["list", "--count", "--where"] + words)
      #expect(result.errors.contains("1 value of \"Due\" is not a date"), "\(result)")
    }
  }

  @Test func `a text that may be two days or two numbers is unknown, unless it is the text`() throws {
    let sandbox = try CLISandbox()
    for (name, due, sum) in [
      ("Ann", "11/12/2026", "1.200"), ("Bob", "2026-12-11", "1200"), ("Cid", "", "1,200"),
      ("Dan", "", "0.125"),
    ] {
      #expect(
        try sandbox.run("add", name, "--set", "Due=\(due)", "--set", "Sum=\(sum)", "-q", "--yes") == .done())
    }
    for (question, count, skipped) in [
      ("Due=2026-12-11", 1, 1), ("Due!=2026-12-11", 0, 1), ("Due<2027-01-01", 1, 1), ("Due=11/12/2026", 1, 0),
      ("Sum=1200", 1, 2), ("Sum!=1200", 1, 2), ("Sum<1000", 1, 2), ("Sum>1000", 1, 2), ("Sum=1.2", 0, 2),
      ("Sum=\"1,200\"", 1, 0), ("Sum=1.200", 1, 1),
    ] {
      let result = try sandbox.run("list", "--count", "--where", question)
      #expect(result.output == "\(count)\n", "\(question) \(result)")
      #expect(result.errors.contains("can't be compared") == (skipped > 0), "\(question) \(result)")
      #expect(skipped == 0 || result.errors.contains("\(skipped) value"), "\(question) \(result)")
    }
    let refused = try sandbox.expectUntouched {
      try sandbox.run("delete", "--where", "Due!=2026-12-10", "--no-input")
    }
    #expect(refused.code == 4, "\(refused)")
  }

  @Test(arguments: ["1,200", "900,5", "0,1", "1,200,300", "1.200,50"])
  func `numbers with a comma between them that may be one are refused`(value: String) throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Amt=5", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Amt", "number", "-q") == .done())
    let result = try sandbox.run("list", "--where", "Amt=\(value)")
    #expect(result.code == 2 && result.errors.contains("hint: write "), "\(result)")
    #expect(try sandbox.run("list", "--where", "Amt=\"7\",\"200\"", "--count") == .done("0"))
    #expect(try sandbox.run("list", "--where", "Amt=70000,80000", "--count").code == 2)
  }

  @Test func `the day of a moment is that of the caller's clock`() throws {
    let sandbox = try CLISandbox()
    for (field, name) in [("At", "Ann"), ("Text", "Bob")] {
      #expect(try sandbox.run("add", name, "--set", "\(field)=2026-11-27T20:00Z", "-q", "--yes") == .done())
    }
    #expect(try sandbox.run("columns", "kind", "At", "time", "-q") == .done())
    #expect(try sandbox.run("add", "Cid", "--set", "At=2026-11-28T08:00+09:00", "-q") == .done())
    for (zone, day, count) in [
      ("Asia/Tokyo", "2026-11-27", 0), ("Asia/Tokyo", "2026-11-28", 2), ("UTC", "2026-11-27", 2),
      ("America/Los_Angeles", "2026-11-28", 0), ("America/Los_Angeles", "2026-11-27", 2),
    ] {
      func found(_ question: String) throws -> String {
        let words = ["list", "--count", "--where", question]
        return try sandbox.spawn(words: words, environment: ["TZ": zone]).output
      }
      #expect(try found("At=\(day)") == "\(count)\n", "\(zone) \(day)")
      #expect(try found("Text=\(day)") == "\(count / 2)\n", "\(zone) \(day)")
      // A time with a zone is the same for all, and one without is of the caller's clock.
      #expect(try found("At=2026-11-27T20:00Z") == "1\n")
    }
    #expect(
      try sandbox.spawn(
        words: ["list", "--count", "--where", "At=\"2026-11-28 05:00\""], environment: ["TZ": "Asia/Tokyo"]
      ).output == "1\n")
  }

  @Test func `a date takes the day of a time with a zone from the caller's clock`() throws {
    for (zone, day) in [("Europe/Berlin", "2026-12-25"), ("America/New_York", "2026-12-24")] {
      let sandbox = try CLISandbox()
      #expect(try sandbox.run("add", "Ann", "--set", "Text=2026-12-24T23:30Z", "-q", "-y") == .done())
      #expect(try sandbox.run("columns", "add", "Day", "--kind", "date", "-q") == .done())
      try sandbox.write(
        "name,Day\nBob,2026-12-24T23:30Z\nCid,2026-12-20T00:00Z\nDan,2026-12-21 23:30\n", to: "days.csv")
      let words = ["import", "days.csv", "-q", "-y"]
      #expect(try sandbox.spawn(words: words, environment: ["TZ": zone]).code == 0)
      let shown = try sandbox.run("list", "--template", "{Day};").output
      #expect(shown.hasPrefix(";\(day);") && shown.hasSuffix(";2026-12-21;"), "\(zone): \(shown)")
      for column in ["Text", "Day"] {
        let words = ["list", "--count", "--where", "\(column)=\(day)"]
        #expect(try sandbox.spawn(words: words, environment: ["TZ": zone]).output == "1\n", "\(zone)")
      }
    }
  }

  @Test func `in the hour that a clock shows twice, times with a zone are compared as instants`() throws {
    let sandbox = try CLISandbox()
    for text in ["2026-10-25T01:15Z", "2026-10-25T00:30Z", "2026-10-25T02:20", "2026-10-25T03:00"] {
      #expect(try sandbox.run("add", "Ann", "--set", "At=\(text)", "-q", "-y") == .done())
    }
    #expect(try sandbox.run("columns", "kind", "At", "time", "-q") == .done())
    func shown(_ words: String...) throws -> String {
      try sandbox.spawn(
        words: ["list", "--template", "{At};"] + words, environment: ["TZ": "Europe/Berlin"]
      ).output
    }
    // A time without a zone is the first one that the clock shows.
    #expect(
      try shown("--sort", "At")
        == "2026-10-25T02:20;2026-10-25T00:30Z;2026-10-25T01:15Z;2026-10-25T03:00;")
    #expect(
      try shown("--where", "At<2026-10-25T01:15Z", "--sort", "At") == "2026-10-25T02:20;2026-10-25T00:30Z;")
    #expect(try shown("--where", "At=2026-10-25T00:15Z").isEmpty)
    #expect(try shown("--where", "At=2026-10-25T00:20Z") == "2026-10-25T02:20;")
    #expect(try shown("--where", "At=2026-10-25").split(separator: ";").count == 4)
    // 02:30 is left out in spring.
    #expect(try sandbox.run("edit", "1-4", "--set", "At=", "-q", "-y") == .done())
    for (row, text) in ["2026-03-29T03:00", "2026-03-29T02:30", "2026-03-29T01:59"].enumerated() {
      #expect(try sandbox.run("edit", "\(row + 1)", "--set", "At=\(text)", "-q") == .done())
    }
    #expect(try shown("--where", "At<2026-03-29T01:00Z") == "2026-03-29T01:59;")
    #expect(try shown("--where", "At=2026-03-29").split(separator: ";").count == 3)
  }
}
