import CCustomersVTerm
import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// However the table ends, the terminal is restored and the file is intact.
@Suite(.onThreads) struct TableEndingTests {
  private static let signals: [(signal: Int32, code: Int32)] = [
    (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131), (SIGABRT, 134), (SIGSEGV, 139),
    (SIGILL, 132), (SIGTRAP, 133), (SIGBUS, 135), (SIGFPE, 136), (SIGUSR1, 138),
  ]

  private func expectLeft(_ screen: TerminalScreen, _ sandbox: CLISandbox) throws {
    #expect(screen.terminal.modes.subtracting([7, 25]).isEmpty, "\(screen.terminal.modes)")
    #expect(screen.terminal.modes.isSuperset(of: [7, 25]))
    #expect(screen.lineModes == screen.lineModesBefore)
    try sandbox.expectSound()
  }

  @Test(arguments: signals)
  func `a signal ends the table with the usual exit code`(signal: Int32, code: Int32) throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table")
    #expect(screen.wait { screen.text.contains("Elizabeth") })
    #expect(
      screen.lineModes != screen.lineModesBefore
        && screen.terminal.modes.isSuperset(of: [1049, 1002, 1006, 2004]))
    kill(screen.process, signal)
    #expect(screen.end() == code)
    try expectLeft(screen, sandbox)
  }

  @Test(arguments: [("q", 0), ("\u{3}", 130)])
  func `a key ends the table`(key: String, code: Int32) throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table")
    #expect(screen.wait { screen.text.contains("Elizabeth") })
    screen.send(Array(key.utf8))
    #expect(screen.end() == code)
    try expectLeft(screen, sandbox)
  }

  @Test func `Ctrl-C ends a paste whose end does not come, and then the table`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.table()
    screen.send(Array("\u{1B}[200~never ends".utf8))
    // Read together with the text, it would be part of it.
    try waitUntil("the table ends") {
      screen.send([3])
      return Spawn.hasEnded(screen.process)
    }
    #expect(screen.end() == 130)
    try expectLeft(screen, sandbox)
  }

  @Test func `closing the window ends the table`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.table()
    screen.closeWindow()
    #expect(screen.end() == 129)
    try sandbox.expectSound()
  }

  @Test func `a blocked terminal does not keep the table from ending`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.table()
    // Each signal draws a whole frame; together they fill the terminal's buffer.
    for _ in 0..<200 {
      kill(screen.process, SIGWINCH)
      usleep(500)
    }
    kill(screen.process, SIGTERM)
    try waitUntil("the table ends") { Spawn.hasEnded(screen.process) }
    #expect(screen.end() == 143)
  }

  @Test(arguments: [
    ("trap", 132, "Fatal error: the end"), ("segment", 139, ""), ("overflow", 139, ""), ("abort", 134, ""),
    ("exit", 7, ""), ("error", 132, "CancellationError"), ("leave", 0, ""),
  ])
  func `a crash restores the terminal and then prints the reason`(
    ending: String, code: Int32, message: String
  ) throws {
    let sandbox = try CLISandbox()
    let screen = try probe(ending, in: sandbox)
    #expect(screen.end() == code)
    #expect(screen.terminal.modes == [7, 25] && screen.lineModes == screen.lineModesBefore)
    let text = String(decoding: screen.terminal.received, as: UTF8.self)
    let (up, afterwards) = text.split(separator: "\u{1B}[?1049l").reduce(into: ("", "")) { parts, part in
      if parts.0.isEmpty { parts.0 = String(part) } else { parts.1 += part }
    }
    #expect(up.contains("ready") && !up.contains("kept"))
    #expect(afterwards.hasPrefix("kept") && (message.isEmpty || afterwards.contains(message)), "\(text)")
  }

  private func probe(_ words: String..., in sandbox: CLISandbox) throws -> TerminalScreen {
    let probe = URL(filePath: CLISandbox.program).deletingLastPathComponent().appending(
      path: "CustomersTerminalProbe")
    return try TerminalScreen(
      Spawn(words: [probe.path] + words, environment: sandbox.environment, folder: sandbox.folder),
      columns: 80, rows: 24)
  }

  @Test func `an app shows its list with one call`() throws {
    let sandbox = try CLISandbox.withDemo()
    let favorites = "SELECT count(*) FROM customers WHERE is_favorite"
    let before = try sandbox.sqlite(favorites)
    for (mode, isChanged) in [("read-only", false), ("edit", true)] {
      let screen = try probe("\(sandbox.folder)/customers.sqlite", mode, in: sandbox)
      #expect(screen.wait { screen.text.contains("Guests") && screen.text.contains("Elizabeth") })
      screen.type("f")
      screen.type(":sort\r")
      #expect(screen.wait { screen.text.contains("This program has no commands.") }, "\(screen.text)")
      #expect(try (sandbox.sqlite(favorites) != before) == isChanged)
      screen.type("q")
      #expect(screen.end() == 0)
      try expectLeft(screen, sandbox)
    }
    #expect(try probe("none.sqlite", "edit", in: sandbox).end() != 0)
  }

  @Test(arguments: [SIGTSTP, SIGSTOP])
  func `the table is drawn again after it was stopped and continued`(signal: Int32) throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table")
    #expect(screen.wait { screen.text.contains("Elizabeth") })
    kill(screen.process, signal)
    kill(screen.process, SIGCONT)
    #expect(
      screen.wait {
        String(decoding: screen.terminal.received, as: UTF8.self).ranges(of: "\u{1B}[?1049h").count > 1
          && screen.text.contains("Elizabeth")
      })
    screen.type("q")
    #expect(screen.end() == 0)
    try expectLeft(screen, sandbox)
  }
}
