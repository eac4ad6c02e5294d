internal import Formats
internal import CustomerStore

/// Tells what a script has changed, as the history has it.
///
/// A person who only tries gets a line a change, a program gets objects. Memory for a thousand changes.
struct ChangeWriter: Sendable {
  private let session: Session
  private let isJSON: Bool

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
  }

  /// Writes the changes with these numbers, the first one left out.
  func write(_ edits: Range<Int64>, of list: borrowing CustomerList) throws {
    guard isJSON || !session.isQuiet else { return }
    if isJSON { try session.output.write("{\"op\":\"apply\",\"changes\":[") }
    let words = try HistoryWords(list)
    var known = edits.lowerBound
    var separator = ""
    // A script that is longer than the history keeps has forgotten its first changes.
    while known < edits.upperBound, let page = try list.changes(after: known, limit: 1000) {
      for change in page.changes.prefix(Int(edits.upperBound - known)) {
        let text = isJSON ? try change.json(list).text : try words.line(change, in: list)
        try session.output.write(separator + text + (isJSON ? "" : "\n"))
        if isJSON { separator = "," }
      }
      known = page.lastEdit
    }
  }

  /// Ends the object, for a program.
  func end(_ pairs: [(String, JSON)]) throws {
    let dryRun: [(String, JSON)] = session.isDryRun ? [("dry_run", .bool(true))] : []
    try session.output.write("]," + JSON.object(pairs + dryRun).text.dropFirst() + "\n")
  }
}
