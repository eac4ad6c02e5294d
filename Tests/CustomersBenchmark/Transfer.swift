internal import CustomerStore
internal import CustomersCommands

/// A list into a CSV file, against the `sqlite3` shell that writes a table of the same rows.
func measureExport(_ lists: ListFactory, _ rows: Int) throws {
  let csv = try Transfer.export(lists, rows)
  let (table, list, out) = (lists.folder.file(), lists.folder.file(), lists.folder.file())
  try Transfer.importByShell(csv, into: table)
  try Transfer.customers("import", csv, "--format", "csv", "--db", list, "-q")
  var watch = Stopwatch()
  for _ in 0..<5 {
    try watch.time(.baseline) {
      try Transfer.shell(table, ".mode csv", ".output \(out)", "SELECT * FROM flat ORDER BY rowid")
    }
    try watch.time(.whole) {
      try Transfer.customers("export", out, "--format", "csv", "--db", list, "-q", "--yes")
    }
  }
  watch.printLine("export to CSV", rows, .whole, .atMost(2))
}

/// The two programs that are compared.
private enum Transfer {
  /// A program failed.
  struct Failed: Error { var words: [String] }

  /// A CSV file of sample customers.
  static func export(_ lists: ListFactory, _ rows: Int) throws -> String {
    let (list, csv) = (lists.folder.file(), lists.folder.file())
    try CustomerStore(path: list).write { list in
      var samples = CustomerFields.samples(rows)
      try list.insert { samples.next() }
    }
    try customers("export", csv, "--format", "csv", "--db", list, "-q")
    return csv
  }

  static func importByShell(_ csv: String, into file: String) throws {
    try shell(
      file, "CREATE TABLE flat (\(CustomerFields.sampleColumns))",
      "CREATE INDEX flat_by_name ON flat (last_name)",
      ".mode csv", ".import --skip 1 \(csv) flat")
  }

  static func customers(_ words: String...) throws {
    guard run(words) == 0 else { throw Failed(words: words) }
  }

  static func shell(_ words: String...) throws {
    try Program.run(["sqlite3", "-batch", "-bail"] + words)
  }
}
