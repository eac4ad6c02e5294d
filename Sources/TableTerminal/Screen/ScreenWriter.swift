/// Brings a terminal from one frame to the next with few bytes.
///
/// Autowrap is off while a screen is up, and the cursor is placed by its number wherever terminals may not
/// agree on the width of a character, so that a row is straight on all of them.
public struct ScreenWriter: Sendable {
  private let colors: Bool
  private var last: ScreenBuffer?

  /// A writer to a terminal of which nothing is known yet.
  ///
  /// - Parameter colors: whether texts have colors; bold, dim, underline and reverse they have anyway.
  public init(colors: Bool) { self.colors = colors }

  /// The next frame is written whole: somebody else has written to the terminal.
  public mutating func forget() { last = nil }

  /// What is to be sent so that the terminal shows a frame; nothing if it does already.
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
