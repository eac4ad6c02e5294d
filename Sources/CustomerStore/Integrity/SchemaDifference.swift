internal import CustomersMigrations
internal import CustomersSQLite

/// How the schema of a file differs from the one that the migrations make.
struct SchemaDifference {
  /// The objects that the migrations create, in their order.
  let ours: [SchemaObject]
  /// Our objects that are missing or different.
  private(set) var wrong: [(object: SchemaObject, isMissing: Bool)] = []
  /// Foreign triggers on our tables and views.
  private(set) var foreignTriggers: [SchemaObject] = []
  /// Other objects added by other programs.
  private(set) var additions: [SchemaObject] = []

  init(of connection: Connection) throws {
    ours = try Self.ofMigrations.get()
    let found = try connection.schema()
    let names = Set(ours.map(SchemaName.init))
    let tables = Set(ours.filter { ["table", "view"].contains($0.type) }.map(\.name))
    var known: [SchemaName: SchemaObject] = [:]
    for object in found {
      if names.contains(SchemaName(object)) {
        known[SchemaName(object)] = object
      } else if object.type == "trigger", tables.contains(object.table.lowercased()) {
        foreignTriggers.append(object)
      } else {
        additions.append(object)
      }
    }
    for object in ours {
      guard let other = known[SchemaName(object)] else {
        wrong.append((object, true))
        continue
      }
      if !object.isSame(as: other) { wrong.append((object, false)) }
    }
  }

  private static let ofMigrations = Result { try Connection.openInMemory().schema() }

  var violations: [ListViolation] {
    wrong.map { object, isMissing in
      ListViolation(
        message: "the \(object.type) \(object.name) is \(isMissing ? "missing" : "different from ours")")
    }
      + foreignTriggers.map {
        ListViolation(message: "foreign trigger \($0.name) on \($0.table)")
      }
  }
}

/// The key of an object in a schema.
private struct SchemaName: Hashable {
  let type: String
  let name: String

  init(_ object: SchemaObject) { (type, name) = (object.type, object.name.lowercased()) }
}

extension SchemaObject {
  /// Whether it is the same, except for the sizes in the view `capacity`, which may differ.
  fileprivate func isSame(as other: SchemaObject) -> Bool {
    guard name == "capacity" else { return sql == other.sql && table == other.table }
    return sql.filter { !$0.isNumber } == other.sql.filter { !$0.isNumber }
  }
}
