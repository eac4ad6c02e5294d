import CustomerFixtures
import CustomersTestSupport
import Testing

/// Quotes in scripts mean what they mean to a shell.
@Suite(.onThreads) struct ShellQuotingTests {
  @Test(arguments: [1, 2, 3])
  func `random words are read as the shell reads them`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let words = (0..<300).map { _ in (0...random.below(6)).map { _ in segment(&random) }.joined() }
    let sandbox = try CLISandbox()
    try sandbox.write(words.map { "add x --note \($0)\n" }.joined(), to: "edits")
    try sandbox.write(words.map { "printf '[%s]\\n' \($0)\n" }.joined(), to: "shell")
    #expect(try sandbox.run("apply", "-q", "edits") == .done())
    let meant = try sandbox.shell(". ./shell").output
    let read = try sandbox.sqlite("SELECT '[' || note || ']' FROM customers ORDER BY \"order\"")
    #expect(read == meant, "seed \(seed)")
  }

  /// A part of a word, in one of the ways to write it.
  private func segment(_ random: inout SplitMix64) -> String {
    func letters(_ choices: [String]) -> String {
      (0..<random.below(5)).map { _ in choices[random.below(choices.count)] }.joined()
    }
    return switch random.below(4) {
    case 0: "a" + letters(["a", "é", "=", "#", "山", "-", "e\u{301}", "%"])
    case 1: "'" + letters(["a", " ", "\"", "\\", "$", "#", "`", "|", "\u{301}"]) + "'"
    case 2: "\"" + letters(["a", " ", "'", "\\\"", "\\\\", "\\$", "\\`", "\\a", "#", "\\ "]) + "\""
    default: "\\" + ["a", " ", "'", "\"", "\\", "$", "#", "é", "`"][random.below(9)]
    }
  }
}
