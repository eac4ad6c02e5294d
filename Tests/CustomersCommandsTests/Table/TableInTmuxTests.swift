import CustomersSystem
import CustomersTestSupport
import Testing

/// The table in tmux, started by a shell with job control.
@Suite(.onThreads) struct TableInTmuxTests {
  /// The modes of a shell: no alternate screen, no mouse, but the cursor and line wrapping.
  private static let usual = "0011"

  private let sandbox: CLISandbox
  private let pane: TmuxPane

  init() throws {
    sandbox = try .withDemo()
    pane = try TmuxPane(sandbox)
  }

  private func start() throws {
    try pane.type("stty -a > before; \"$CUSTOMERS\" table", "Enter")
    try #require(pane.wait { $0.contains("Elizabeth Bennet") && $0.contains("q quit") })
  }

  /// Expects that the shell responds, with its terminal modes restored.
  private func expectShell(time: Int = 1) throws {
    try pane.type("stty -a > after; cmp before after && echo same$((0 + \(time)))", "Enter")
    #expect(pane.wait { $0.contains("same\(time)") }, "\(pane.screen)")
    #expect(pane.modes == Self.usual)
  }

  @Test func `joined emoji leave no remains when rows move`() throws {
    for name in ["👩‍👩‍👧 Family", "🇪🇸 Flag", "❤️ Heart", "e\u{301}\u{302} Marks", "👍🏽 Thumb"] {
      #expect(try sandbox.run("add", name, "--first", "-q") == .done())
    }
    try start()
    try pane.type("EJJ")
    #expect(pane.wait { $0.contains("3  👍") }, "\(pane.screen)")
    try pane.type("jjmkk", "Enter")
    #expect(pane.wait { $0.contains("Family\" 5 → 3.") && !$0.contains("Moving") }, "\(pane.screen)")
    let screen = pane.screen
    try pane.type("", "C-l")
    #expect(pane.wait { $0 == screen }, "\(screen)\n\(pane.screen)")
    #expect(screen.split(separator: "\n").count { $0.hasSuffix("≡") } > 10)
  }

  @Test func `Ctrl-Z returns to the shell, and fg to the table`() throws {
    try start()
    try pane.type("jj", "C-z")
    #expect(pane.wait { $0.contains("Stopped") && !$0.contains("Elizabeth") })
    try expectShell()
    try pane.type("fg", "Enter")
    #expect(pane.wait { $0.contains("Elizabeth Bennet") && $0.contains("q quit") })
    #expect(pane.modes == "1100")
    try pane.type("q")
    #expect(pane.wait { !$0.contains("q quit") })
    try expectShell(time: 2)
  }

  @Test(arguments: ["STOP", "TSTP"])
  func `fg draws the table again after another program stopped it`(signal: String) throws {
    try start()
    let table = try sandbox.shell("ps -t \(pane.terminal) -o pid=,args= | grep '[ ]table$'")
    let process = try #require(table.output.split(separator: " ").first.flatMap { pid_t($0) })
    kill(process, signal == "STOP" ? SIGSTOP : SIGTSTP)
    #expect(pane.wait { $0.contains("Stopped") })
    try pane.type("fg", "Enter")
    #expect(pane.wait { $0.contains("Elizabeth Bennet") && $0.contains("q quit") && !$0.contains("Stopped") })
    try pane.type("q")
    #expect(pane.wait { !$0.contains("q quit") })
    try expectShell()
  }

  @Test func `in tmux, a resized window is drawn again`() throws {
    try start()
    try pane.resize(columns: 40, rows: 12)
    #expect(
      pane.wait { $0.split(separator: "\n").contains { $0.hasPrefix("   ") && $0.hasSuffix("[Edit]") } })
    try pane.resize(columns: 100, rows: 30)
    #expect(pane.wait { $0.contains("q quit") && $0.contains("customers.sqlite") })
  }

  @Test func `a command prints its list on the shell's screen, and the table returns`() throws {
    try start()
    try pane.type(":find bennet", "Enter")
    #expect(pane.wait { $0.contains("READY>") && $0.contains("Press Enter") })
    #expect(pane.modes == Self.usual)
    try pane.type("", "Enter")
    #expect(pane.wait { $0.contains("Elizabeth Bennet") && $0.contains("q quit") })
    #expect(pane.modes == "1100")
  }
}
