import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersSQLite
@testable import CustomersTerminal
import CustomersTestSupport
import Testing

/// Whole screens, compared with text files that show each cell and its style.
@Suite(.onThreads) struct ScreenTests {
  /// The screens in the samples.
  enum Screen: String, CaseIterable {
    case list, editing, confirming, dragging, adding, mistake, searching, help, empty, change, locked, damaged
    case readOnly = "read-only"
    case marked, hits, command, answer, sorted
  }

  @Test(arguments: [Screen.list, .editing, .confirming, .dragging, .searching, .hits, .sorted])
  func `a wide screen equals its sample`(screen: Screen) throws {
    try expectGolden(try draw(screen, (120, 20)).golden, "\(screen.rawValue)-120x20")
  }

  @Test(arguments: Screen.allCases, [(80, 24), (40, 12)])
  func `a screen equals its sample`(screen: Screen, size: (Int, Int)) throws {
    let drawn = try draw(screen, size)
    try expectGolden(drawn.golden, "\(screen.rawValue)-\(size.0)x\(size.1)")
  }

  private func draw(_ screen: Screen, _ size: (Int, Int)) throws -> ScreenBuffer {
    if screen == .locked { return try locked(size) }
    if screen == .damaged { return try damaged(size) }
    if screen == .empty { return try TestFace("", columns: size.0, rows: size.1).screen }
    var face = TestFace(
      try CustomerStore.screens(), columns: size.0, rows: size.1,
      policy: TableFace.policy(isReadOnly: screen == .readOnly), colors: screen != .change)
    face.press("j j")
    switch screen {
    case .editing: face.press("E")
    case .confirming: face.press("E d")
    case .dragging: face.press("E m k")
    case .adding: face.press("G a")
    case .mistake:
      face.press("Enter ↓ ↓")
      face.type("Holmes & Watson")
      face.press("↑ ↑ ↑ Ctrl-U 9 Ctrl-S")
      try face.other { list in try list.update(3) { $0.company = "Watson & Co" } }
    case .searching:
      face.press("g /")
      face.type("baker")
    case .help: face.press("?")
    case .change: try face.other { list in try list.update(2) { $0.lastName = "Müller-Lee" } }
    case .marked: face.press("g Space Space v j 1 2")
    case .hits:
      face.press("/")
      face.type("an")
      face.press("Enter &")
    case .command:
      face.press(":")
      face.type("move --to 1")
    case .answer: face.face.finished("Row  Name\n1    Ann Lee\n2    山田 太郎\n", isError: false)
    case .readOnly: face.press("d")
    case .sorted:
      face.press("s")
      face.type("company,name")
      face.press("Enter")
    case .list, .empty, .locked, .damaged: break
    }
    return face.screen
  }

  /// Returns the screen while another program writes and a move waits for it.
  private func locked(_ size: (Int, Int)) throws -> ScreenBuffer {
    let fixture = try TemporaryStore(.screens)
    var face = TestFace(fixture.store, columns: size.0, rows: size.1)
    let other = try CustomerStore(path: fixture.path)
    return try other.write { _ in
      face.press("j j J")
      face.tick()
      face.tick(.seconds(3))
      return face.screen
    }
  }

  /// Returns the screen of a list whose numbers were overwritten.
  private func damaged(_ size: (Int, Int)) throws -> ScreenBuffer {
    let fixture = try TemporaryStore(.screens)
    var face = TestFace(fixture.store, columns: size.0, rows: size.1)
    try Connection(path: fixture.path).executeScript(
      """
      PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
      UPDATE place SET slot = slot + 7 WHERE customer = 2;
      """)
    face.tick()
    face.press("J")
    return face.screen
  }
}
