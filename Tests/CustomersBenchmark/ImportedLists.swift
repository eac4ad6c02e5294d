internal import CustomerStore
import CustomersTestSupport
internal import CustomersSQLite

/// One durable move at a random place in an imported list, against a bare one-row durable commit; and how many
/// pages it writes.
///
/// The list is as people have them: some rows were moved since, and the history is full.
func measureImportedList(_ lists: ListFactory, _ rows: Int) throws {
  let path = lists.folder.file()
  let section = try CustomerStore(path: path).write { list in
    var samples = CustomerFields.samples(rows)
    try list.insert { samples.next() }
    return try list.sections()[0].id
  }
  let sample = MeasuredList(
    path: path, section: section, ids: (1...Int64(rows)).map(CustomerID.init(rawValue:)))
  try makeSteps(of: sample)
  let bare = try BareCommit(lists.folder)
  let connection = try Connection(sameSettingsFor: path)
  var watch = Stopwatch()
  var pages = 0
  for _ in 0..<rounds {
    try watch.time(.baseline) { try bare.commit() }
    let before = connection.localFile.pagesWritten
    try watch.time(.move) { try sample.move(on: connection) }
    pages += connection.localFile.pagesWritten - before
  }
  let perMove = decimal(Double(pages) / Double(rounds), places: 1)
  watch.printLine("move, imported, \(perMove) pages", rows, .move, bar(rows))
  lists.folder.remove([path])
}

/// Moves 3,000 rows and edits others until the history is full, each in a step of its own.
///
/// They are not durable, which would take minutes.
private func makeSteps(of sample: MeasuredList) throws {
  let connection = try Connection(path: sample.path)
  try connection.executeScript("PRAGMA synchronous = OFF")
  for number in 0..<11_000 {
    try connection.immediateTransaction {
      try connection.execute(
        "INSERT INTO begin_transaction VALUES (?, 'benchmark', '', '', 'edit')", [.text("\(number)")])
      if number < 3_000 {
        try sample.move(on: connection)
      } else {
        try connection.execute(
          "UPDATE customers SET note = note || 'x' WHERE id = ?", [.integer(sample.randomID().rawValue)])
      }
      try connection.execute("INSERT INTO end_transaction VALUES (?)", [.text("\(number)")])
    }
  }
}

private let rounds = 300

private func bar(_ rows: Int) -> Line.Bar {
  switch rows {
  case ...1_000: .atMost(1.4)
  case ...10_000: .atMost(1.5)
  case ...100_000: .atMost(1.6)
  case ...1_000_000: .atMost(1.8)
  default: .none
  }
}
