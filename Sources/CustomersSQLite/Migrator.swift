/// Makes the schema of a database, or brings an older one up to date.
package struct Migrator: Sendable {
  /// The formats that it knows; it writes the last one.
  ///
  /// `PRAGMA user_version` is the format of a database.
  package var formats: ClosedRange<Int>
  /// The `PRAGMA application_id` of a database in the newest format.
  package var applicationID: Int64
  /// The `PRAGMA application_id` of a database in an older format.
  package var olderApplicationID: Int64
  /// The statements that make an empty database of a format.
  package var base: @Sendable (_ format: Int) -> String
  /// The statements that turn a format into the next one with all that it has; by the number of the next one.
  ///
  /// They are long, and read only to convert a database.
  package var wholeSteps: [Int: @Sendable () -> String]
  /// The statements that change tables, indexes, and rows for a format; its new tables are there then, views and triggers
  /// are not.
  package var moves: [Int: @Sendable () -> String]

  /// Creates a migrator.
  package init(
    formats: ClosedRange<Int>, applicationID: Int64, olderApplicationID: Int64,
    base: @escaping @Sendable (_ format: Int) -> String, wholeSteps: [Int: @Sendable () -> String] = [:],
    moves: [Int: @Sendable () -> String] = [:]
  ) {
    self.formats = formats
    self.applicationID = applicationID
    self.olderApplicationID = olderApplicationID
    self.base = base
    self.wholeSteps = wholeSteps
    self.moves = moves
  }

  /// The state of a database, as a migrator sees it.
  package enum State: Equatable, Sendable {
    /// Empty.
    case new
    /// With this schema, in a format that may be older or newer.
    case known(format: Int)
    /// Of another application, by its `application_id`.
    case foreign(applicationID: Int64)
  }

  /// Determines the state of the database, without writing.
  ///
  /// It uses one statement, so that the result is consistent even while another program converts it.
  package func state(of connection: Connection) throws -> State {
    try connection.fetchOne(
      """
      SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
      FROM pragma_application_id, pragma_user_version
      """
    ) { row in
      let (id, version, objects) = (row.integer(0), row.int(1), row.int(2))
      if version > 0, id == (version < formats.upperBound ? olderApplicationID : applicationID) {
        return .known(format: version)
      }
      return id == 0 && version == 0 && objects == 0 ? .new : .foreign(applicationID: id)
    } ?? .foreign(applicationID: 0)
  }

  /// Why a database could not be converted; it is unchanged.
  package struct Failure: Error, Equatable, Sendable {
    /// The format that it has.
    package var format: Int
    /// The reason.
    package var reason: String
    /// Whether nothing is wrong but that another program made something with a name that is new.
    package var isNameTaken: Bool

    /// Creates a failure.
    package init(format: Int, reason: String, isNameTaken: Bool = false) {
      self.format = format
      self.reason = reason
      self.isNameTaken = isNameTaken
    }
  }

  /// Makes the schema of an empty database or converts one of an older format, in one transaction.
  ///
  /// What is to be done is determined inside the transaction, because two programs may start at the same time.
  ///
  /// - Parameters:
  ///   - connection: the database.
  ///   - isPrivate: whether it is a copy that is only read: then what another program made under a name that is new goes.
  ///   - finish: what else to do in the transaction, if something was done.
  ///   - prepare: what else to do in the transaction before one of an older format is changed; it gets the format.
  /// - Throws: `Failure` if the database is not as its format says, because it is damaged or its schema was changed;
  ///   otherwise `SQLiteError`.
  package func migrate(
    _ connection: Connection, isPrivate: Bool = false, finish: () throws -> Void = {},
    preparing prepare: (_ format: Int) throws -> Void = { _ in }
  ) throws {
    guard isBehind(try state(of: connection)) else { return }
    try connection.immediateTransaction {
      let state = try state(of: connection)
      guard isBehind(state) else { return }
      if case .known(let found) = state {
        try prepare(found)
        try convert(connection, from: found, isPrivate: isPrivate)
      } else {
        try connection.executeScript(base(formats.upperBound))
      }
      try connection.executeScript(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(formats.upperBound)")
      try finish()
    }
  }

  private func isBehind(_ state: State) -> Bool {
    switch state {
    case .new: true
    case .known(let found): found < formats.upperBound
    case .foreign: false
    }
  }

  private func convert(_ connection: Connection, from found: Int, isPrivate: Bool) throws {
    guard formats.contains(found) else {
      throw Failure(format: found, reason: "no version wrote this format")
    }
    do {
      try convertSchema(of: connection, from: found, isPrivate: isPrivate)
    } catch let error as SQLiteError
      where [ResultCode.error, .constraint, .mismatch].contains(error.code.primary)
    {
      throw Failure(format: found, reason: error.message)
    }
  }

  /// Moves the data, drops the views and triggers of the old format, and creates those of the newest.
  ///
  /// What other programs added to the schema stays. A view that is dropped takes their triggers on it along, and a
  /// table that is replaced their indexes: these are created again.
  private func convertSchema(of connection: Connection, from found: Int, isPrivate: Bool) throws {
    // To make one takes as long as a short conversion.
    var known: [Int: [SchemaObject]] = [:]
    func schema(_ format: Int) throws -> [SchemaObject] {
      let objects = try known[format] ?? objects(ofFormat: format)
      known[format] = objects
      return objects
    }
    let old = try Set(schema(found).map(\.key))
    let new = try schema(formats.upperBound)
    func others() throws -> [SchemaObject] { try connection.schema().filter { !old.contains($0.key) } }
    while let taken = try others().first(where: { other in new.contains(where: other.takesName(of:)) }) {
      guard !new.contains(taken) else {
        throw Failure(
          format: found,
          reason: "it has the \(taken.type) \(taken.name.asSQLName) of format \(formats.upperBound) already")
      }
      guard isPrivate else {
        throw Failure(
          format: found,
          reason:
            "another program made the \(taken.type) \(taken.name.asSQLName), whose name the list needs now",
          isNameTaken: true)
      }
      try connection.executeScript("DROP \(taken.type) \(taken.name.asSQLName)")
    }
    let additions = try others()
    var reached = found
    while let step = wholeSteps[reached + 1] {
      try connection.executeScript(step())
      reached += 1
    }
    let ours = try Set(schema(reached).map(\.key))
    for type in ["trigger", "view"] {
      let found = try connection.schema().filter { $0.type == type && ours.contains($0.key) }
      try connection.executeScript(found.map { "DROP \(type) \($0.name.asSQLName);" }.joined(separator: "\n"))
    }
    for next in formats where next > reached {
      let before = try Set(schema(next - 1).map(\.key))
      try connection.create(schema(next).filter { $0.type == "table" && !before.contains($0.key) })
      if let move = moves[next] { try connection.executeScript(move()) }
    }
    try connection.create(new.filter { $0.type == "view" } + new.filter { $0.type == "trigger" })
    let kept = try Set(connection.schema().map(\.key))
    try connection.create(additions.filter { !kept.contains($0.key) })
  }

  /// The schema of an empty database of a format, in the order of its creation.
  package func objects(ofFormat format: Int) throws -> [SchemaObject] {
    let empty = try Connection(path: ":memory:")
    try empty.executeScript(base(format))
    return try empty.schema()
  }
}

extension Connection {
  fileprivate func create(_ objects: [SchemaObject]) throws {
    try executeScript(objects.map { $0.sql + ";\n" }.joined())
  }
}

/// A table, index, view, or trigger, as in `sqlite_schema`.
package struct SchemaObject: Hashable, Sendable {
  /// `table`, `index`, `view`, or `trigger`.
  package var type: String
  package var name: String
  /// The table or view that it belongs to; for a table or view, its own name.
  package var table: String
  /// The statement that created it.
  package var sql: String

  package init(type: String, name: String, table: String, sql: String) {
    (self.type, self.name, self.table, self.sql) = (type, name, table, sql)
  }

  /// What no other object of a schema has: its type, its name, and its table, whose case SQLite ignores.
  package var key: String { "\(type) \(name) \(table)".lowercased() }

  /// Whether another object can't have the name that it has: the names of triggers are apart from those of all others.
  fileprivate func takesName(of other: SchemaObject) -> Bool {
    (type == "trigger") == (other.type == "trigger") && name.lowercased() == other.name.lowercased()
  }
}

extension Connection {
  /// All objects of the schema, in the order of their creation, except those that SQLite creates itself.
  package func schema() throws -> [SchemaObject] {
    try fetchAll(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """
    ) { SchemaObject(type: $0.text(0), name: $0.text(1), table: $0.text(2), sql: $0.text(3)) }
  }
}

extension String {
  /// The text as an SQL identifier.
  package var asSQLName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
