import CustomerFixtures
@testable import CustomersCommands
import Foundation
import CustomersTestSupport
import Testing

/// Random strings of what steers terminals, in every field: no control byte reaches one.
@Suite(.onThreads) struct HostileStringTests {
  /// Controls, marks of order, joiners, combining marks, halves of sequences, and plain letters between.
  private static let pieces: [String] =
    HostileTextTests.hostile.map { String($0) } + HostileTextTests.sequences + [
      "\u{1b}[", "\u{1b}]8;;", "\u{1b}P", "\u{9d}", "\u{200d}", "\u{200b}", "\u{e0041}", "\u{301}", "👩‍👧", "é",
      "漢",
      "a", "B", " ", "\"", "'", "\\", ",", "=1+1", "%s", "$(id)", "`id`", ";", "--", "\u{10ffff}", "\u{fffd}",
    ]

  @Test(arguments: 0..<(isLong ? 50 : 1))
  func `no control byte in many strings reaches a terminal`(seed: Int) throws {
    let sandbox = try CLISandbox()
    var random = SplitMix64(seed: seed)
    let count = isLong ? 1000 : 40
    let strings = (0..<count).map { number in
      "n\(number)" + (0...random.below(12)).map { _ in Self.pieces[random.below(Self.pieces.count)] }.joined()
    }
    let rows = try strings.map { string in
      let object = [
        "name": string, "company": string, "email": string, "phone": string, "note": string, string: "x",
      ]
      return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
    try expectHarmless(sandbox.run("import", "-", "--format", "ndjson", stdin: rows.joined(separator: "\n")))
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers") == "\(count)\n")
    /// The output on a terminal, without a pager.
    func expectHarmlessShown(_ words: [String]) throws {
      let screen = Screen(columns: 200, rows: 50)
      try expectHarmless(
        sandbox.run(words: words + ["--no-pager"], environment: ["NO_COLOR": "1"], screen: screen))
    }
    for words in [
      ["list"], ["list", "--json"], ["list", "--format", "ndjson"], ["history"], ["check"], ["info"],
    ] {
      try expectHarmlessShown(words)
    }
    for number in 0..<(isLong ? 100 : 10) {
      let string = strings[random.below(count)]
      try expectHarmlessShown(["show", "\(number + 1)"])
      try expectHarmlessShown(["find", string])
      try expectHarmlessShown(["show", string + "?"])
      try expectHarmlessShown(["move", "\(number + 1)", "1", "-n"])
    }
    try sandbox.expectSound()
  }

  private func expectHarmless(_ result: ProcessResult, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let controls = (result.output + result.errors).unicodeScalars.filter {
      $0 != "\n" && HostileTextTests.hostile.contains($0)
    }
    #expect(
      controls.isEmpty, "\(controls.map { String($0.value, radix: 16) })", sourceLocation: sourceLocation)
    #expect(result.code < 128, sourceLocation: sourceLocation)
  }
}
