internal import SQLite

extension CustomerStore {
  /// Repairs the file as `CustomerList.repair` does, and before that the schema, in one transaction: tables,
  /// views, triggers and indexes of ours are as they must be then.
  ///
  /// What others have added stays, but for triggers on our tables.
  ///
  /// - Parameter removingForeignTriggers: whether those may be removed.
  /// - Returns: the customers whose place is another one now.
  /// - Throws: `StoreError.unknownTriggers` if there are some that may not be removed; `StoreError`.
  @discardableResult
  public func repair(removingForeignTriggers: Bool = false) throws -> [Repair] {
    let author = StepAuthor(options, action: "repair")
    return try write(by: author, Patience(options.busyTimeout), guardingSchema: false) { list in
      try list.repairSchema(removingForeignTriggers: removingForeignTriggers)
      return try list.repair()
    }
  }

  /// What `repair` would do.
  public func dryRunOfRepair(removingForeignTriggers: Bool = false) throws -> [Repair] {
    let copy = try copyInMemory()
    return try copy.repair(removingForeignTriggers: removingForeignTriggers)
  }

  /// Leaves nothing in the file but what is in the list and its history: what was deleted or changed before,
  /// by whichever program, can't be found in it any more.
  ///
  /// - Throws: `StoreError`; `diskFull` if there is no room for two more copies of the file.
  /// - Complexity: O(size of the file).
  public func eraseTraces() throws {
    guard file != nil else { return }
    try run(on: writer, Patience(options.busyTimeout)) { list in try list.connection.localFile.vacuum() }
  }
}
