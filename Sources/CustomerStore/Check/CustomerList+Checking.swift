internal import CustomersMigrations
internal import CustomersSQLite

extension CustomerList {
  /// Verifies, from the tables alone, that the file is intact: SQLite finds no damage, the schema is ours,
  /// every customer has exactly one place, places and sections are numbered 1…n, and values are UTF-8.
  ///
  /// Corruption inside a string is not detected. O(rows)
  ///
  /// - Returns: every problem; empty if there is none.
  /// - Throws: `StoreError.diskError` if the file can't be read, which does not mean that it is damaged.
  package func check() throws -> [ListViolation] {
    let structure = try checkStructure()
    do {
      return try structure + checkContent()
    } catch let error as SQLiteError
      where !structure.isEmpty && [.error, .corrupt].contains(error.code.primary)
    {
      // The tables with the numbers are missing or can't be read.
      return structure
    }
  }

  /// Verifies the file and its schema.
  func checkStructure() throws -> [ListViolation] {
    try SchemaDifference(of: connection).violations + checkDatabase()
  }

  /// Verifies the numbers and the values in an intact file.
  func checkContent() throws -> [ListViolation] { try checkNumbers() + unreadableTexts() }

  /// Objects that other programs have added to the schema, such as `index by_name`; they are harmless.
  package func additions() throws -> [String] {
    try SchemaDifference(of: connection).additions.map { "\($0.type) \($0.name)" }
  }

  /// The triggers that other programs have put on our tables, which `repair` removes if it may.
  package func foreignTriggers() throws -> [String] {
    try SchemaDifference(of: connection).foreignTriggers.map(\.name)
  }

  /// Whether the file may still contain values that another program has deleted or changed.
  ///
  /// Only some programs overwrite such values; `CustomerStore.eraseTraces` does. The history shows which
  /// programs made edits, as far back as it goes.
  package func mayHaveTraces() throws -> Bool {
    try connection.fetchOne(
      "SELECT 1 FROM history_step WHERE program = '' AND kind = 'edit' AND edits > 0"
    ) { _ in true } ?? false
  }

  /// Whether the file is kept with a write-ahead log, so that a copy of the file alone may be old.
  ///
  /// Opening a file turns it off, unless `Options.usesWriteAheadLog` is set, another program has the file
  /// open, or the file can't be written.
  package func usesWriteAheadLog() throws -> Bool {
    try connection.localFile.usesWriteAheadLog()
  }

  /// SQLite's own checks.
  private func checkDatabase() throws -> [ListViolation] {
    try connection.localFile.findings().map { message in ListViolation(message: message) }
  }

  /// Every rule of `IntegrityRule`.
  private func checkNumbers() throws -> [ListViolation] {
    let placesAreSound = try connection.fetchOne(IntegrityRule.placesAreSound) { $0.bool(0) } ?? false
    return try IntegrityRule.all(placesAreSound: placesAreSound).flatMap { rule in
      try connection.fetchAll(rule.sql) { row in
        ListViolation(
          message: rule.message,
          section: row.isNull(0) ? nil : SectionID(rawValue: row.integer(0)),
          order: row.isNull(1) ? nil : row.int(1),
          customer: row.isNull(2) ? nil : CustomerID(rawValue: row.integer(2)))
      }
    }
  }
}

extension CustomerList {
  /// The values of customers and sections that can't be read: they are not valid UTF-8 or longer than
  /// 16,000,000 bytes.
  ///
  /// Such a string is shown as far as possible, and stays as it is until it is edited. Values that only the history
  /// keeps are no problem. O(rows)
  package func unreadableTexts() throws -> [ListViolation] {
    let fields =
      CustomerField.texts.map { (column: $0.column, title: $0.title) }
      + [("address_parts", "parts of the address"), ("extra", "extra columns")]
    let customers = try unreadable(fields, in: "customer_record").map { id, title in
      let customer = CustomerID(rawValue: id)
      let place = try? self.place(of: customer)
      return ListViolation(
        message: "the \(title.lowercased()) is not valid UTF-8 or is too long", section: place?.section,
        order: place?.order, customer: customer)
    }
    let sections = try unreadable([("title", "title"), ("footer", "footer")], in: "section_record")
    return customers
      + sections.map { id, title in
        ListViolation(
          message: "the \(title) is not valid UTF-8 or is too long", section: SectionID(rawValue: id))
      }
  }

  private func unreadable(
    _ columns: [(column: String, title: String)], in table: String
  ) throws -> [(id: Int64, title: String)] {
    var found: [(Int64, String)] = []
    let names = columns.map(\.column).joined(separator: ", ")
    try connection.query("SELECT id, \(names) FROM \(table) WHERE deleted_by IS NULL ORDER BY id") { row in
      while try row.step() {
        for (index, column) in columns.enumerated() where !row.isText(Int32(index + 1)) {
          found.append((row.integer(0), column.title))
        }
      }
    }
    return found
  }
}

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
