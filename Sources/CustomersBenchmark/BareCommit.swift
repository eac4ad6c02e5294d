internal import CustomersSQLite

/// The least that a durable edit can cost: one number changes in a file with one row.
struct BareCommit {
  private let connection: Connection

  init(_ folder: ScratchFolder) throws {
    connection = try folder.connection()
    try connection.executeScript("CREATE TABLE only (number INTEGER); INSERT INTO only VALUES (0)")
  }

  func commit() throws { try connection.execute("UPDATE only SET number = number + 1") }
}
