internal import CustomersSQLite

extension CustomerList {
  /// Verifies, from the tables alone, that the file is intact: SQLite finds no damage, the schema is ours,
  /// every customer has exactly one place, places and sections are numbered 1…n, and values are UTF-8.
  ///
  /// Corruption inside a string is not detected. O(rows)
  ///
  /// - Returns: every problem; empty if there is none.
  /// - Throws: `StoreError.diskError` if the file can't be read, which does not mean that it is damaged.
  public func check() throws -> [ListViolation] {
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
  public func foreignTriggers() throws -> [String] {
    try SchemaDifference(of: connection).foreignTriggers.map(\.name)
  }

  /// Whether the file may still contain values that another program has deleted or changed.
  ///
  /// Only some programs overwrite such values; `CustomerStore.eraseTraces` does. The history shows which
  /// programs made edits, as far back as it goes.
  package func mayHaveTraces() throws -> Bool {
    try connection.fetchOne(
      """
      SELECT 1 FROM history_step
      WHERE program = '' AND kind = 'edit' AND first_edit <= (SELECT max(id) FROM history_edit)
      """
    ) { _ in true } ?? false
  }

  /// Whether the file is kept with a write-ahead log, so that a copy of the file alone may be old.
  ///
  /// Opening a file turns it off, unless `Options.usesWriteAheadLog` is set, another program has the file
  /// open, or the file can't be written.
  public func usesWriteAheadLog() throws -> Bool {
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
