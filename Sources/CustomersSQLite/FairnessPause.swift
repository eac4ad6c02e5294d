internal import CustomersPlatform

/// When programs that wait with SQLite's own busy handler get their turn.
///
/// That handler soon tries only ten times a second, while ours tries hundreds of times: beside many of our writers, it
/// would find the file locked for ten seconds. So now and then, after a change of the file, none of our writers begins
/// another one for longer than such a pause. All of them see the same change and the same clock, so they need not
/// talk to each other.
///
/// Many short gaps would take twice as much of everyone's time: only one that is longer than the pause is met for
/// certain.
enum FairnessPause {
  /// From one turn to the next, in nanoseconds.
  static let period: Int64 = 1_500_000_000
  /// The longest pause of SQLite's busy handler, 100 ms, the time that the last change takes to get from the file to
  /// the disk, and that which a busy machine takes to wake a program.
  static let length: Int64 = 200_000_000

  /// Whether it is the turn of others at a time, after the last change of the file.
  static func isNow(_ time: Int64, lastChange: Int64) -> Bool {
    (0..<length).contains(time - lastChange) && lastChange % period < length
  }

  /// Whether it is the turn of others in the database file at `path`; never if it is empty.
  static func isNow(in path: String) -> Bool {
    guard !path.isEmpty, let lastChange = FileStamp.lastChange(path) else { return false }
    return isNow(currentNanoseconds(), lastChange: lastChange)
  }
}
