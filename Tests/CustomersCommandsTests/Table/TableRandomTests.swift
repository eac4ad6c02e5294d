import CustomerFixtures
import CCustomersVTerm
import CustomersTestSupport
import Testing

/// Random keys: the table keeps running and shows the list correctly.
@Suite(.onThreads) struct TableRandomTests {
  /// All keys except those that end or stop the program, or run a command.
  private static let letters = Array("jkgG[]123 */nN&vdyJKmxpPaoOuEeM\r\t?n").map(String.init)
  private static let keys = [
    VTERM_KEY_UP, VTERM_KEY_DOWN, VTERM_KEY_PAGEDOWN, VTERM_KEY_HOME, VTERM_KEY_END, VTERM_KEY_DEL,
    VTERM_KEY_BACKSPACE, VTERM_KEY_ENTER, VTERM_KEY_TAB, VTERM_KEY_ESCAPE,
  ]

  @Test(arguments: 0..<3)
  func `random keys, mouse events, and edits by another program`(seed: Int) throws {
    var random = SplitMix64(seed: 40 + seed)
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.table(columns: 60 + 20 * seed, rows: 20 + 4 * seed)
    for _ in 0..<(isLong ? 70 : 3) {
      for _ in 0..<10 {
        send(to: screen, &random)
        if random.oneIn(4) { screen.read(milliseconds: 0) }
      }
      if random.oneIn(2) { _ = try sandbox.run("move", "1", "\(2 + random.below(3))", "-q") }
      try expectList(screen, sandbox)
    }
    try sandbox.expectSound()
    screen.type("q")
    #expect(screen.end() == 0)
  }

  private func send(to screen: TerminalScreen, _ random: inout SplitMix64) {
    switch random.below(10) {
    case 0..<6: screen.type(Self.letters[random.below(Self.letters.count)])
    case 6, 7:
      let modifiers = [VTERM_MOD_NONE, VTERM_MOD_ALT, VTERM_MOD_SHIFT][random.below(3)]
      screen.press(Self.keys[random.below(Self.keys.count)], modifiers)
    default:
      let (row, column) = (random.below(screen.terminal.rows), random.below(screen.terminal.columns))
      screen.mouse(row: row, column: column, isDown: [true, false, nil][random.below(3)])
    }
  }

  /// Closes any form, search, or help, and compares the screen with the list.
  private func expectList(_ screen: TerminalScreen, _ sandbox: CLISandbox) throws {
    // Cancel in a form, and again if it asks.
    for isDown in [false, true, false, true, false, true, false] {
      screen.mouse(row: 0, column: 3, isDown: isDown)
    }
    for _ in 0..<6 { screen.press(VTERM_KEY_ESCAPE) }
    // When the help appears, all earlier keys were read. A key right after Escape would count as Alt with that
    // key.
    let isHelp = { screen.text.contains("┌ Keys") }
    for _ in 0..<20 where !isHelp() {
      _ = screen.wait(seconds: 1) { false }
      screen.type("?")
      _ = screen.wait(seconds: 2, isHelp)
    }
    try #require(isHelp(), "\(screen.text)")
    screen.press(VTERM_KEY_ESCAPE)
    let names = try sandbox.namesInOrder
    let isList = {
      guard !screen.text.contains("┌ Keys"), screen.line(0).contains("\(names.count) customer") else {
        return false
      }
      let rows = screen.terminal.lines.compactMap { $0.firstMatch(of: /^.{0,4}?(\d+)  (.*)$/) }
      return !rows.isEmpty
        && rows.allSatisfy { row in
          guard let number = Int(row.1), names.indices.contains(number - 1) else { return false }
          return row.2.hasPrefix(names[number - 1])
        }
    }
    #expect(screen.wait(isList), "\(names)\n\(screen.text)")
  }
}
