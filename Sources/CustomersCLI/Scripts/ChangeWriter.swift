internal import Formats
internal import CustomerStore

/// Tells what a script has changed, as the history has it.
///
/// A person who only tries gets a line a change, a program gets objects. Memory for a thousand changes.
struct ChangeWriter {
  private let session: Session
  private let isJSON: Bool
  private var json: JSONWriter

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
    json = JSONWriter(session.output, isOneLine: true)
  }

  /// Writes the changes with these numbers, the first one left out.
  mutating func write(_ edits: Range<Int64>, of list: borrowing CustomerList) throws {
    guard isJSON || !session.isQuiet else { return }
    if isJSON {
      try json.beginObject()
      try json.members([("op", .string("apply"))])
      try json.name("changes")
      try json.beginArray()
    }
    let words = try HistoryWords(list)
    var known = edits.lowerBound
    // A script that is longer than the history keeps has forgotten its first changes.
    while known < edits.upperBound, let page = try list.changes(after: known, limit: 1000) {
      for change in page.changes.prefix(Int(edits.upperBound - known)) {
        if isJSON {
          try json.element(change.json(list))
        } else {
          try session.output.write(words.line(change, in: list) + "\n")
        }
      }
      known = page.lastEdit
    }
  }

  /// Ends the object, for a program.
  mutating func end(_ pairs: [(String, JSON)]) throws {
    let dryRun: [(String, JSON)] = session.isDryRun ? [("dry_run", .bool(true))] : []
    try json.endArray()
    try json.members(pairs + dryRun)
    try json.endObject()
    try session.output.write("\n")
  }
}
