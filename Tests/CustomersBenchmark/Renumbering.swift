internal import CustomerStore
import CustomersTestSupport
internal import CustomersSQLite

/// A random move inside an open transaction, against flat renumbering.
func measureRenumbering(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let flat = try FlatTable(lists.folder, rows: rows)
  var watch = Stopwatch()
  try flat.connection.immediateTransaction {
    try CustomerStore(path: sample.path).write { list in
      for _ in 0..<rounds {
        try watch.time(.baseline) { try sample.move(in: flat) }
        try watch.time(.move) { try sample.move(in: &list) }
      }
    }
  }
  watch.printLine("move, open transaction, store", rows, .move, bar(rows))

  watch = Stopwatch()
  let connection = try Connection(sameSettingsFor: sample.path)
  try flat.connection.immediateTransaction {
    try connection.immediateTransaction {
      for _ in 0..<rounds {
        try watch.time(.baseline) { try sample.move(in: flat) }
        try watch.time(.move) { try sample.move(on: connection) }
      }
    }
  }
  watch.printLine("move, open transaction, SQL", rows, .move, bar(rows))
}

private let rounds = 31

private func bar(_ rows: Int) -> Line.Bar { .timesFaster(rows <= 10_000 ? 20 : 100) }

extension MeasuredList {
  fileprivate func move(in flat: FlatTable) throws {
    try flat.move(from: randomPlace(), to: randomPlace())
  }
}
