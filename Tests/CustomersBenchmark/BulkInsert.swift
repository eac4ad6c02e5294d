internal import CustomerStore
internal import CustomersSQLite

/// Many customers into a new file in one transaction, per row, against plain inserts into a flat
/// table with an index on its order.
func measureBulkInsert(_ lists: ListFactory, _ rows: Int) throws {
  var watch = Stopwatch()
  for _ in 0..<5 {
    let connection = try lists.folder.connection()
    try connection.executeScript(FlatTable.schema(index: ""))
    let store = try CustomerStore(path: lists.folder.file())
    try watch.time(.baseline, count: rows) {
      try connection.immediateTransaction {
        for place in 1...rows { try FlatTable.insert(.sample(place), at: place, on: connection) }
      }
    }
    try watch.time(.insert, count: rows) {
      try store.write { list in
        var samples = CustomerFields.samples(rows)
        try list.insert { samples.next() }
      }
    }
  }
  watch.printLine("bulk insert, one row", rows, .insert, .none)
}
