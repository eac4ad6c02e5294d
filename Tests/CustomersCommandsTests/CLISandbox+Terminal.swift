import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

extension CLISandbox {
  /// Runs `customers` on a new terminal.
  ///
  /// When a question has been asked, `beforeTyping` happens, and then a user types `typing`;
  /// `"\u{4}"` is end of file. The questions after it get the `answers`. The result is what was on the
  /// screen, typed letters too, and the exit code.
  func onTerminal(
    _ words: String..., typing: String? = nil, answers: [String] = [], columns: UInt16 = 80,
    rows: UInt16 = 24,
    environment: [String: String] = [:], beforeTyping: () throws -> Void = {}
  ) throws -> (screen: String, code: Int32) {
    try onTerminal(
      words: words, typing: typing, answers: answers, columns: columns, rows: rows, environment: environment,
      beforeTyping: beforeTyping)
  }

  /// The same, of a list of words; if asked, the user presses the interrupt key as soon as there is something to see.
  func onTerminal(
    words: [String], typing: String? = nil, answers: [String] = [], columns: UInt16 = 80, rows: UInt16 = 24,
    environment: [String: String] = [:], interrupting isInterrupting: Bool = false,
    beforeTyping: () throws -> Void = {}
  ) throws -> (screen: String, code: Int32) {
    var answers = (typing.map { [$0] } ?? []) + answers
    var isInterrupting = isInterrupting
    return try terminal(
      [CLISandbox.program] + words, columns: columns, rows: rows, environment: environment
    ) { screen in
      if isInterrupting {
        isInterrupting = false
        return "\u{3}"
      }
      guard let typed = answers.first,
        ["[y/n] ", "–2] ", "–3] "].contains(where: { screen.lowercasedEnd.hasSuffix($0) })
      else { return nil }
      answers.removeFirst()
      try beforeTyping()
      return typed
    }
  }

  /// Runs a program on a terminal of its own; `typing` sees the screen as it grows, and says what a person
  /// types then.
  func terminal(
    _ words: [String], columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String],
    typing: (_ screen: [UInt8]) throws -> String?
  ) throws -> (screen: String, code: Int32) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var terminal: Int32 = -1
    var programs: Int32 = -1
    var name = [CChar](repeating: 0, count: 100)
    let opened = unsafe openpty(&terminal, &programs, &name, nil, &size)
    try #require(opened == 0)
    defer { close(terminal) }
    for end in [terminal, programs] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let path = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let spawn = Spawn(
      words: words, environment: self.environment.merging(environment) { $1 }, folder: folder,
      terminal: String(decoding: path, as: UTF8.self))
    let process = try spawn.start()
    // Only the program holds its end now: when it lets go, the screen ends.
    close(programs)
    var screen: [UInt8] = []
    while let bytes = nextBytes(terminal, from: process) {
      screen += bytes
      guard let typed = try typing(screen) else { continue }
      let bytes = Array(typed.utf8)
      let count = unsafe CustomersSystem.write(terminal, bytes, bytes.count)
      try #require(count == bytes.count)
    }
    return (String(decoding: screen, as: UTF8.self), Spawn.wait(process))
  }

  /// Returns the next bytes that a program writes to a terminal or a pipe; nil after it has closed it.
  ///
  /// Ends a program that waits for input in vain.
  func nextBytes(_ stream: Int32, from process: pid_t) -> [UInt8]? {
    var waiting = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&waiting, 1, 30_000) <= 0 { kill(process, SIGKILL) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(stream, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

extension [UInt8] {
  /// The end of a screen, where a question is.
  fileprivate var lowercasedEnd: String { String(decoding: suffix(8), as: UTF8.self).lowercased() }
}
