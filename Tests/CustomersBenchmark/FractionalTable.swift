internal import CustomerFixtures
internal import CustomerStore
internal import CustomersSQLite

/// The usual alternative to numbers: a text key on each row that sorts between its neighbors' keys.
struct FractionalTable {
  let connection: Connection

  /// Creates a table of `rows` rows with shuffled ids.
  init(_ folder: ScratchFolder, rows: Int) throws {
    connection = try folder.connection()
    try connection.executeScript(
      """
      CREATE TABLE fractional (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, \(CustomerFields.sampleColumnTypes))
      """)
    var random = SplitMix64(seed: 0x4375_7374)
    let keys = FractionalIndex.keys(rows).shuffled(using: &random)
    try connection.immediateTransaction { [connection] in
      for (index, key) in keys.enumerated() {
        try connection.execute(
          "INSERT INTO fractional (key, \(CustomerFields.sampleColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          [.text(key)] + CustomerFields.sample(index + 1).sampleValues)
      }
    }
  }

  /// Moves the row at a place to the place it has afterwards.
  func move(from source: Int, to destination: Int) throws {
    guard source != destination else { return }
    guard let id = try rows(after: source - 1, limit: 1).first?.id else { return }
    // Rows between the two places close the gap: on the way down the destination's row is above.
    let above = destination < source ? destination - 1 : destination
    let neighbors = try rows(after: max(above - 1, 0), limit: above == 0 ? 1 : 2).map(\.key)
    let key =
      above == 0
      ? FractionalIndex.key(between: nil, and: neighbors.first)
      : FractionalIndex.key(between: neighbors.first, and: neighbors.dropFirst().first)
    try connection.execute("UPDATE fractional SET key = ? WHERE id = ?", [.text(key), .integer(id)])
  }

  private func rows(after count: Int, limit: Int) throws -> [(id: Int64, key: String)] {
    try connection.fetchAll(
      "SELECT id, key FROM fractional ORDER BY key LIMIT ? OFFSET ?", [.integer(limit), .integer(count)]
    ) { ($0.integer(0), $0.text(1)) }
  }
}
