internal import CustomerStore
internal import CustomersSQLite

/// The whole list in order, per row, against reading a flat table in the order of its index.
func measureStreaming(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let flat = try FlatTable(lists.folder, rows: rows)
  let store = try CustomerStore(path: sample.path)
  var watch = Stopwatch()
  for _ in 0..<5 {
    var found = 0
    try watch.time(.baseline, count: rows) { found = try flat.readAll() }
    precondition(found == rows, "the flat table lost rows")
    try watch.time(.whole, count: sample.count) {
      found = try store.read { list in
        var count = 0
        try list.forEach(in: sample.section) { _ in
          count += 1
          return true
        }
        return count
      }
    }
    precondition(found == sample.count, "the list lost rows")
  }
  watch.printLine("streaming the list, one row", rows, .whole, .none)
}

extension FlatTable {
  /// Reads and decodes every row in order.
  fileprivate func readAll() throws -> Int {
    try connection.query(
      #"SELECT \#(CustomerFields.sampleColumns), "order" FROM flat ORDER BY "order""#
    ) { row in
      var count = 0
      while try row.step() {
        let fields = CustomerFields(
          firstName: row.text(0), lastName: row.text(1), company: row.text(2), email: row.text(3),
          phone: row.text(4), address: row.text(5), note: row.text(6))
        precondition(!fields.note.isEmpty, "a note got lost")
        count += 1
      }
      return count
    }
  }
}
