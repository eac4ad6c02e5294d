internal import CustomerStore

/// A CSV file of five short columns into a new list, against the `sqlite3` shell that imports it into a
/// plain table; and the peak memory of the import.
func measureImport(_ lists: ListFactory, _ rows: Int) throws {
  let csv = lists.folder.file()
  try writeShortColumns(rows, to: csv)
  var watch = Stopwatch()
  var peak = 0
  for _ in 0..<(rows < 1_000_000 ? 5 : rows < 10_000_000 ? 3 : 1) {
    let (table, list) = (lists.folder.file(), lists.folder.file())
    try watch.time(.baseline) {
      try Program.run([
        "sqlite3", "-batch", "-bail", table, "CREATE TABLE flat (\(shortColumns))", ".mode csv",
        ".import --skip 1 \(csv) flat",
      ])
    }
    try watch.time(.whole) {
      let words = ["import", csv, "--format", "csv", "--db", list, "-q"]
      peak = max(peak, try Program.run([Program.customers] + words).peak)
    }
    let count = try CustomerStore(path: list).read { try $0.count() }
    precondition(count == rows, "the import lost rows")
    lists.folder.remove([table, list])
  }
  let megabytes = decimal(Double(peak) / 1_000_000, places: 1)
  watch.printLine("import of CSV, at most \(megabytes) MB", rows, .whole, .atMost(rows < 10_000_000 ? 3 : 5))
  lists.folder.remove([csv])
}

private let shortColumns = "first_name, last_name, company, email, phone"

/// Writes the file with the `sqlite3` shell.
private func writeShortColumns(_ rows: Int, to path: String) throws {
  try Program.run([
    "sqlite3", "-batch", "-bail", ":memory:", ".mode csv", ".headers on", ".output \(path)",
    """
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rows))
    SELECT 'First' || n AS first_name, 'Last' || n AS last_name, 'Company ' || (n % 97) AS company,
      'c' || n || '@example.com' AS email, '+49 30 ' || n AS phone FROM number
    """,
  ])
}
