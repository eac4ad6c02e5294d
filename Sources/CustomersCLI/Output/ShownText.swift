internal import TerminalText

/// Text in a format for programs that goes where a person may look at it.
///
/// A terminal gets escapes instead of what could steer it, a pipe or a file gets the data untouched.
struct ShownText {
  private let isTerminal: Bool
  private var hasChanged = false

  init(_ stream: Stream) { isTerminal = stream.isTerminal }

  mutating func text(_ text: String) -> String {
    guard isTerminal else { return text }
    let shown = printableLines(text)
    // Equal strings may have other scalars.
    if !shown.utf8.elementsEqual(text.utf8) { hasChanged = true }
    return shown
  }

  /// Says that the terminal did not get the data as they are.
  func sayIfChanged(_ session: Session) throws {
    guard hasChanged else { return }
    try session.writeAside(
      "note: control and invisible characters are shown as escapes; a pipe or a file gets them unchanged")
  }
}
