import Foundation
import CustomersTerminal
import CustomersTestSupport
import Testing

/// The keys of terminals, as terminfo on this machine describes them.
@Suite(.onThreads) struct TerminfoTests {
  /// The keys by their terminfo names.
  private static let keys: [String: KeyPress] = {
    var keys: [String: KeyPress] = [
      "kcuu1": KeyPress(.up), "kcud1": KeyPress(.down), "kcub1": KeyPress(.left), "kcuf1": KeyPress(.right),
      "khome": KeyPress(.home), "kend": KeyPress(.end), "kpp": KeyPress(.pageUp), "knp": KeyPress(.pageDown),
      "kich1": KeyPress(.insert), "kdch1": KeyPress(.delete), "kbs": KeyPress(.backspace),
      "kcbt": KeyPress(.tab, .shift), "kri": KeyPress(.up, .shift), "kind": KeyPress(.down, .shift),
      "kLFT": KeyPress(.left, .shift), "kRIT": KeyPress(.right, .shift), "kDC": KeyPress(.delete, .shift),
      "kHOM": KeyPress(.home, .shift), "kUP3": KeyPress(.up, .alt), "kDN3": KeyPress(.down, .alt),
    ]
    for number in 1...12 { keys["kf\(number)"] = KeyPress(.function(number)) }
    return keys
  }()

  @Test(arguments: [
    ("xterm-256color", 30), ("tmux-256color", 28), ("screen", 20), ("linux", 22), ("vt220", 12),
    ("rxvt-unicode", 25),
  ])
  func `every key of a terminal in terminfo is recognized`(kind: String, count: Int) throws {
    var known = 0
    for line in try terminfo(kind).split(separator: "\n") {
      let parts = line.drop { $0 == "\t" }.dropLast().split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let key = Self.keys[String(parts[0])] else { continue }
      known += 1
      let signs = [("\\E", "\u{1B}"), ("^H", "\u{8}"), ("^I", "\t"), ("\\177", "\u{7F}"), ("^?", "\u{7F}")]
      let text = signs.reduce(String(parts[1])) { $0.replacing($1.0, with: $1.1) }
      var parser = InputParser()
      #expect(parser.parse(text.utf8) == [.key(key)], "\(kind): \(line)")
      #expect(!parser.isWaiting)
    }
    #expect(known >= count, "\(known) keys")
  }

  private func terminfo(_ kind: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "customers-\(UUID()).terminfo")
    defer { try? FileManager.default.removeItem(at: file) }
    var spawn = Spawn(
      words: ["infocmp", "-1", "-x", kind], environment: ProcessInfo.processInfo.environment, folder: "/")
    spawn.output = file.path
    try #require(Spawn.wait(spawn.start()) == 0, "infocmp is missing, or does not know \(kind)")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
