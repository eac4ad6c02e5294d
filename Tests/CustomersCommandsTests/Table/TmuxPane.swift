import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// A shell in tmux: a terminal with job control, and with its own width for joined emoji.
final class TmuxPane {
  private let sandbox: CLISandbox
  private let socket: String

  init(_ sandbox: CLISandbox, columns: Int = 80, rows: Int = 24) throws {
    try requireInstalled("tmux", package: "tmux")
    self.sandbox = sandbox
    socket = sandbox.folder + "/../tmux"
    try sandbox.write("PS1='READY> '; unset HISTFILE", to: "bashrc")
    let shell = "bash --noprofile --rcfile bashrc -i"
    _ = try tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", shell)
    try #require(wait { $0.contains("READY>") })
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  private func tmux(_ words: String...) throws -> String {
    let started = try sandbox.start(["tmux", "-u", "-S", socket] + words)
    return try started.outcome().output
  }

  /// Types a string, then presses keys by their tmux names.
  func type(_ text: String, _ keys: String...) throws {
    if !text.isEmpty { try tmux("send-keys", "-l", text) }
    for key in keys { try tmux("send-keys", key) }
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The text of the screen.
  var screen: String { (try? tmux("capture-pane", "-p")) ?? "" }

  /// The name of its terminal, as shown by `ps`.
  var terminal: String {
    let path = (try? tmux("display-message", "-p", "#{pane_tty}")) ?? ""
    return path.trimmingCharacters(in: .newlines).replacing("/dev/", with: "")
  }

  /// The state of the alternate screen, the mouse, the cursor, and line wrapping; 1 if on.
  var modes: String {
    let flags = "#{alternate_on}#{mouse_any_flag}#{cursor_flag}#{wrap_flag}"
    return ((try? tmux("display-message", "-p", flags)) ?? "").trimmingCharacters(in: .newlines)
  }

  /// Waits until the screen meets a condition, for half a minute at most.
  func wait(_ isShown: (String) -> Bool) -> Bool {
    for _ in 0..<600 {
      if isShown(screen) { return true }
      usleep(50_000)
    }
    return false
  }
}
