package import CustomersMigrations
package import CustomersSQLite
internal import Foundation

/// The maximum number of rows in a block, blocks in a chapter, and chapters in a part.
///
/// With a small capacity, few rows cause splits and merges at every level. Any client can set it by
/// replacing the view `capacity`.
package enum Capacity: CaseIterable, Sendable {
  /// The capacity in the product.
  case real
  /// 4 rows in a block, 4 children of a node.
  case small
  /// 2 rows in a block, 2 children of a node.
  case least
}

/// The source of new lists in tests.
package enum NewList {
  /// The path of an empty list to copy, instead of one that the product's migrations create.
  @TaskLocal package static var template: String?
  /// How edits of many rows are made, instead of the product's way.
  @TaskLocal package static var manyRows = Migrations.manyRows
}

extension Connection {
  /// Returns a new list in memory, on a connection with SQLite's default settings, like another client's.
  package static func newList(_ capacity: Capacity = .real) throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try Connection(path: NewList.template ?? template.get()).localFile.copy(to: connection) {}
    try connection.setCapacity(capacity)
    return connection
  }

  /// The path of an empty list: creating one takes twenty times as long as copying it.
  private static let template = Result {
    let path = FileManager.default.temporaryDirectory.path + "/empty-list-\(getpid()).sqlite"
    try write([], to: path)
    // The file is deleted with the tests; open connections keep it.
    atexit {
      _ = unsafe unlink(FileManager.default.temporaryDirectory.path + "/empty-list-\(getpid()).sqlite")
    }
    try Migrations.migrator.migrate(Connection(path: path))
    return path
  }

  /// Makes an empty database a list of a format that was released.
  package func makeList(ofFormat format: Int) throws {
    try executeScript(
      """
      \(Migrations.base(ofFormat: format))
      PRAGMA application_id = \(Migrations.releasedApplicationID);
      PRAGMA user_version = \(format);
      """)
  }

  /// Sets the sizes of the nodes.
  package func setCapacity(_ capacity: Capacity) throws {
    let sizes: String
    switch capacity {
    case .real: return
    case .small: sizes = "4 AS rows, 4 AS children, 3 AS rows_filled, 2 AS children_filled"
    case .least: sizes = "2 AS rows, 2 AS children, 1 AS rows_filled, 1 AS children_filled"
    }
    try executeScript("DROP VIEW capacity; CREATE VIEW capacity AS SELECT \(sizes);")
  }

  /// Appends `count` customers with the next ids to a section.
  package func append(_ count: Int, to section: Int64 = 1) throws {
    for _ in 0..<count { try execute("INSERT INTO customers (section) VALUES (?)", [.integer(section)]) }
  }
}
