internal import CustomerStore
import CustomersTestSupport
internal import CustomersSQLite

/// One durable edit at a random place, against a bare one-row durable commit.
func measureDurableEdits(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let bare = try BareCommit(lists.folder)
  // One connection after the other: each commit of one would empty the page cache of the other.
  try withStore(sample, bare).printLines("store", rows)
  try withStatements(sample, bare).printLines("SQL", rows)
}

private let rounds = 300

private func withStore(_ sample: MeasuredList, _ bare: BareCommit) throws -> Stopwatch {
  let store = try CustomerStore(path: sample.path)
  var watch = Stopwatch()
  for _ in 0..<rounds {
    try watch.time(.baseline) { try bare.commit() }
    try watch.time(.move) { try store.write { try sample.move(in: &$0) } }
    try watch.time(.insert) { try store.write { try sample.insert(into: &$0) } }
    try watch.time(.delete) { try store.write { try sample.delete(from: &$0) } }
  }
  return watch
}

private func withStatements(_ sample: MeasuredList, _ bare: BareCommit) throws -> Stopwatch {
  let connection = try Connection(sameSettingsFor: sample.path)
  var watch = Stopwatch()
  for _ in 0..<rounds {
    try watch.time(.baseline) { try bare.commit() }
    try watch.time(.move) { try sample.move(on: connection) }
    try watch.time(.insert) { try sample.insert(on: connection) }
    try watch.time(.delete) { try sample.delete(on: connection) }
  }
  // A statement that finds no row silently does nothing and does it quickly.
  let count = try CustomerStore(path: sample.path).read { try $0.count() }
  precondition(count == sample.count, "some edits did nothing")
  return watch
}

extension Stopwatch {
  fileprivate func printLines(_ way: String, _ rows: Int) {
    let bar = Line.Bar.atMost(rows <= 100_000 ? 2 : 5)
    for (lane, name) in [(Lane.move, "move"), (.insert, "insert"), (.delete, "delete")] {
      printLine("durable \(name), \(way)", rows, lane, bar)
    }
  }
}

/// The least that a durable edit can cost: one number changes in a file with one row.
struct BareCommit {
  private let connection: Connection

  init(_ folder: ScratchFolder) throws {
    connection = try folder.connection()
    try connection.executeScript("CREATE TABLE only (number INTEGER); INSERT INTO only VALUES (0)")
  }

  func commit() throws { try connection.execute("UPDATE only SET number = number + 1") }
}
