import CCustomersVTerm
import CustomersSystem
import CustomersTestSupport
import Testing

extension CLISandbox {
  /// Starts `customers` on a new terminal screen.
  func screen(
    _ words: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalScreen {
    var spawn = Spawn(
      words: [CLISandbox.program] + words, environment: self.environment.merging(environment) { $1 },
      folder: folder)
    // An empty `TERM` removes the variable.
    spawn.environment = spawn.environment.filter { $0.key != "TERM" || !$0.value.isEmpty }
    return try TerminalScreen(spawn, columns: columns, rows: rows)
  }

  /// Starts the table and waits until it appears.
  func table(
    columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalScreen {
    let screen = try screen("table", columns: columns, rows: rows, environment: environment)
    try #require(screen.wait { screen.terminal.received.suffix(8).elementsEqual("\u{1B}[?2026l".utf8) })
    return screen
  }
}

extension CLISandbox {
  /// Starts another program on a new terminal screen.
  func screen(program words: [String]) throws -> TerminalScreen {
    try TerminalScreen(Spawn(words: words, environment: environment, folder: folder), columns: 80, rows: 24)
  }

  /// The names in list order.
  var namesInOrder: [String] {
    get throws { try jsonArray(run("list", "--json").output).compactMap { $0["name"] as? String } }
  }

  /// The section title of each name.
  var sections: [String: String] {
    get throws {
      Dictionary(
        uniqueKeysWithValues: try jsonArray(run("list", "--json").output).map {
          ($0["name"] as? String ?? "", $0["section_title"] as? String ?? "")
        })
    }
  }
}

extension TerminalScreen {
  /// Returns the screen row that contains a string; nil if there is none.
  func row(_ text: String) -> Int? { terminal.lines.firstIndex { $0.contains(text) } }

  /// Returns the text of that row; empty if there is none.
  func line(of text: String) -> String { row(text).map(line) ?? "" }

  /// The screen row with the cursor, shown in reverse.
  var cursorRow: Int? { (0..<terminal.rows).first { cell($0, 2).isReverse } }
}
