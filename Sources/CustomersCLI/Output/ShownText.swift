internal import CustomersTerminalText

/// Text in a format for programs, which a user may see.
///
/// A terminal gets escapes instead of control characters; a pipe or a file gets the data unchanged.
final class ShownText {
  private let isTerminal: Bool
  private var hasChanged = false

  init(_ stream: Stream) { isTerminal = stream.isTerminal }

  /// What a terminal shows of a string; nil for a pipe or a file.
  var text: ((String) -> String)? { isTerminal ? { self.text($0) } : nil }

  private func text(_ text: String) -> String {
    let shown = printableLines(text)
    // Equal strings may have different scalars.
    if !shown.utf8.elementsEqual(text.utf8) { hasChanged = true }
    return shown
  }

  /// Notes that the terminal did not get the data unchanged.
  func sayIfChanged(_ session: Session) throws {
    guard hasChanged else { return }
    try session.writeAside(
      "note: control and invisible characters are shown as escapes; a pipe or a file gets them unchanged")
  }
}
