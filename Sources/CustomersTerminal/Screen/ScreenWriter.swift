/// Brings a terminal from one frame to the next with few bytes.
///
/// Autowrap is off while the screen is in use, and the cursor is positioned by number wherever terminals may
/// disagree on the width of a character, so that rows are aligned on all of them.
public struct ScreenWriter: Sendable {
  private let colors: Bool
  private var last: ScreenBuffer?

  /// Creates a writer to a terminal with unknown content.
  ///
  /// - Parameter colors: whether to use colors; bold, dim, underline, and reverse are always used.
  public init(colors: Bool) { self.colors = colors }

  /// Makes the next frame complete, because another program has written to the terminal.
  public mutating func forget() { last = nil }

  /// The bytes to send so that the terminal shows a frame; none if it already does.
  public mutating func bytes(for frame: ScreenBuffer) -> [UInt8] {
    defer { last = frame }
    var output = ScreenOutput(colors: colors)
    guard var old = last, (old.columns, old.rows) == (frame.columns, frame.rows) else {
      output.begin(isWhole: true)
      output.write(frame, over: ScreenBuffer(columns: frame.columns, rows: frame.rows))
      output.end(frame.cursor)
      return output.bytes
    }
    guard old != frame else { return [] }
    output.begin(isWhole: false)
    if let scroll = ScreenScroll(from: old, to: frame) {
      output.scroll(scroll)
      old.scroll(scroll)
    }
    output.write(frame, over: old)
    output.end(frame.cursor)
    return output.bytes
  }
}
