internal import CustomerFixtures
internal import CustomerStore
internal import CustomersSQLite

/// What most programs do: each customer's row has its place, dense and unique, and a move renumbers every row
/// between the two places.
struct FlatTable {
  let connection: Connection

  /// Creates a table of `rows` rows with shuffled ids.
  init(_ folder: ScratchFolder, rows: Int) throws {
    connection = try folder.connection()
    try connection.executeScript(FlatTable.schema(index: "UNIQUE"))
    var random = SplitMix64(seed: 0x4375_7374)
    let places = (1...rows).shuffled(using: &random)
    try connection.immediateTransaction { [connection] in
      for place in places { try FlatTable.insert(.sample(place), at: place, on: connection) }
    }
  }

  /// The table and an index on its order.
  static func schema(index: String) -> String {
    """
    CREATE TABLE flat (
      id INTEGER PRIMARY KEY, "order" INTEGER NOT NULL, \(CustomerFields.sampleColumnTypes));
    CREATE \(index) INDEX flat_by_order ON flat ("order");
    """
  }

  static func insert(_ fields: CustomerFields, at place: Int, on connection: Connection) throws {
    try connection.execute(
      """
      INSERT INTO flat ("order", \(CustomerFields.sampleColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [.integer(place)] + fields.sampleValues)
  }

  /// Moves a row: negates the numbers, then restores the sign, because uniqueness is checked row by row.
  func move(from source: Int, to destination: Int) throws {
    try connection.execute(
      """
      UPDATE flat SET "order" = -(CASE "order" WHEN ?1 THEN ?2 ELSE "order" + ?3 END)
      WHERE "order" BETWEEN min(?1, ?2) AND max(?1, ?2)
      """, [.integer(source), .integer(destination), .integer(source < destination ? -1 : 1)])
    try connection.execute(#"UPDATE flat SET "order" = -"order" WHERE "order" < 0"#)
  }
}
