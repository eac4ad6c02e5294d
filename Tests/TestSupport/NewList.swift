internal import Migrations
public import SQLite
internal import Foundation

/// How many rows a block, how many blocks a chapter and how many chapters a part may have.
///
/// Small ones reach the deep splits and merges with few rows. A raw client may set them: the view
/// `capacity` is where they are named.
public enum Capacity: CaseIterable, Sendable {
  /// As the product sets them.
  case real
  /// 4 rows in a block, 4 children of a node.
  case small
  /// 2 rows in a block, 2 children of a node.
  case least
}

/// What new lists of the tests are.
public enum NewList {
  /// The path of an empty list that new ones are copies of, instead of the one that the product's steps make.
  @TaskLocal public static var template: String?
}

extension Connection {
  /// A new list in memory, on a connection without our settings, like another client's.
  public static func newList(_ capacity: Capacity = .real) throws -> Connection {
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
    try Migrator(applicationID: Migrations.applicationID, steps: Migrations.steps)
      .migrate(Connection(path: path))
    return path
  }

  /// Sets the sizes of the nodes.
  public func setCapacity(_ capacity: Capacity) throws {
    let sizes: String
    switch capacity {
    case .real: return
    case .small: sizes = "4 AS rows, 4 AS children, 3 AS rows_filled, 2 AS children_filled"
    case .least: sizes = "2 AS rows, 2 AS children, 1 AS rows_filled, 1 AS children_filled"
    }
    try executeScript("DROP VIEW capacity; CREATE VIEW capacity AS SELECT \(sizes);")
  }

  /// Puts `count` customers, with the next ids, at the end of a section.
  public func append(_ count: Int, to section: Int64 = 1) throws {
    for _ in 0..<count { try execute("INSERT INTO customers (section) VALUES (?)", [.integer(section)]) }
  }
}
