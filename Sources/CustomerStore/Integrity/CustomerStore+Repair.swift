internal import CustomersSQLite

extension CustomerStore {
  /// Repairs the schema (our tables, views, triggers, and indexes) and then the list, as `CustomerList.repair`
  /// does, in one transaction.
  ///
  /// Objects added by other programs are kept, except triggers on our tables.
  ///
  /// - Parameter removingForeignTriggers: whether these may be removed.
  /// - Returns: the customers whose place changed.
  /// - Throws: `StoreError.unknownTriggers` if there are some and they may not be removed; `StoreError`.
  @discardableResult
  public func repair(removingForeignTriggers: Bool = false) throws -> [ListRepair] {
    try repair { _ in removingForeignTriggers }
  }

  /// The same, removing only those triggers that `mayRemove` allows by their names.
  ///
  /// - Throws: `StoreError.unknownTriggers` if there are others; nothing is changed.
  package func repair(removing mayRemove: (String) -> Bool) throws -> [ListRepair] {
    let author = StepAuthor(options, action: "repair")
    return try write(by: author, WaitPolicy(options.busyTimeout), guardingSchema: false) { list in
      try list.repairSchema(removing: mayRemove)
      return try list.repair()
    }
  }

  /// Returns the result that `repair` would have.
  public func dryRunOfRepair(removingForeignTriggers: Bool = false) throws -> [ListRepair] {
    let copy = try copyInMemory()
    return try copy.repair(removingForeignTriggers: removingForeignTriggers)
  }

  /// Removes everything from the file except the list and its history: what any program deleted or changed
  /// before can no longer be found in it.
  ///
  /// - Throws: `StoreError`; `diskFull` if there is no space for two more copies of the file.
  /// - Complexity: O(size of the file).
  public func eraseTraces() throws {
    guard file != nil else { return }
    try run(on: writer, WaitPolicy(options.busyTimeout)) { list in try list.connection.localFile.vacuum() }
  }
}
