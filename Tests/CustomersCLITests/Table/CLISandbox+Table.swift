import CVTerm
import Platform
import TerminalSupport
import TestSupport
import Testing

extension CLISandbox {
  /// Starts `customers` with a screen.
  func screen(
    _ words: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalScreen {
    var spawn = Spawn(
      words: [CLISandbox.program] + words, environment: self.environment.merging(environment) { $1 },
      folder: folder)
    // An empty text stands for a variable that is not there.
    spawn.environment = spawn.environment.filter { $0.key != "TERM" || !$0.value.isEmpty }
    return try TerminalScreen(spawn, columns: columns, rows: rows)
  }

  /// Starts the table, and waits until it is shown.
  func table(
    columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalScreen {
    let screen = try screen("table", columns: columns, rows: rows, environment: environment)
    try #require(screen.wait { screen.terminal.received.suffix(8).elementsEqual("\u{1B}[?2026l".utf8) })
    return screen
  }
}
