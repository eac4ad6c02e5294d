internal import CustomersSQLite
internal import CustomersSystem

extension CustomerStore {
  /// Repairs the list: builds a new one, with the schema of its format, from all that can be read of the file, checks it, and
  /// writes it into the file, so that programs that have it open see it.
  ///
  /// It carries customers and sections with their ids, deleted ones, the history, receipts, and what other programs have
  /// added; a column that they added to the customers becomes an extra column. Customers are in the order that can still
  /// be recognized; those without a place stay in their block, or go to the end of the first section, which is created if
  /// there is none. Before that, the damaged file is kept beside the list, byte for byte. A repair can't be undone; a program
  /// that follows the changes gets a reload if anything is other than before.
  ///
  /// - Parameters:
  ///   - removingForeignTriggers: whether triggers of other programs on our tables, which can't be carried, may be removed.
  ///   - acceptingLoss: whether what can't be read may be lost.
  /// - Returns: what was done.
  /// - Throws: `StoreError.unknownTriggers` and `RepairError.loss` if that is not allowed; `RepairError`, `StoreError`;
  ///   nothing was changed. `CommitError` if the disk failed when the list was or may have been written.
  /// - Complexity: O(size of the file), without a lock but for copying and writing it.
  @discardableResult
  package func repair(
    removingForeignTriggers: Bool = false, acceptingLoss: Bool = false
  ) throws -> RepairReport {
    try repair {
      try $0.refuse(removingForeignTriggers: removingForeignTriggers, acceptingLoss: acceptingLoss)
    }
  }

  /// Returns what `repair` would report of a file that can't be opened.
  package static func dryRunOfRepair(fileAt path: String, options: Options = Options()) throws -> RepairReport
  {
    try repair(fileAt: path, options: options, writes: false) { _ in }
  }

  /// Repairs a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - options: how it is opened.
  ///   - original: the file before SQLite opened it, if it had a journal.
  ///   - writes: whether to write anything.
  ///   - consent: takes what would be done, again if it is no longer the same; throws if that may not be. No lock is
  ///     held while it runs.
  /// - Returns: what was done.
  /// - Throws: what `repair` throws, or `consent`.
  package static func repair(
    fileAt path: String, options: Options, original: OriginalFiles? = nil, writes: Bool = true,
    consent: (RepairReport) throws -> Void
  ) throws -> RepairReport {
    try translatingSQLiteErrors {
      let file = try DamagedFile(path, options, journal: original)
      let author = StepAuthor(options, action: "repair")
      var agreed: RepairReport?
      for _ in 0..<10 {
        let new = try file.rebuild(by: author)
        var report = new.report
        if report != agreed { try consent(report) }
        agreed = report
        guard writes else { return report }
        guard file.isLockable else {
          report.replacement = try file.write(new.target, beside: "repaired")
          return report
        }
        report.backup = try file.replace(with: new.target, keeping: "before-repair", token: author.token) {
          list in
          try list.outcome(of: author.token) == .committed
        }
        if report.backup != nil { return report }
      }
      throw RepairError.isBusy
    }
  }

  /// Builds a new list from all that can be read of a file, as a repair does, and changes nothing.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - options: how it is opened.
  ///   - body: takes the new list, and what would be lost.
  /// - Returns: what `body` returns.
  /// - Throws: what `repair` throws, or `body`.
  package static func withRebuiltList<Result: Sendable>(
    ofFileAt path: String, options: Options, _ body: (borrowing CustomerList, RepairReport) throws -> Result
  ) throws -> Result {
    try translatingSQLiteErrors {
      let file = try DamagedFile(path, options, journal: nil)
      let new = try file.rebuild(by: StepAuthor(options, action: "repair"))
      // One of an older format is read as every list is.
      try new.target.migrate(by: StepAuthor())
      return try body(CustomerList(connection: new.target), new.report)
    }
  }

  private func repair(
    writes: Bool = true, consent: (RepairReport) throws -> Void
  ) throws -> RepairReport {
    if let file {
      return try Self.repair(fileAt: file.path, options: options, writes: writes, consent: consent)
    }
    guard engine == nil else { throw StoreError.failed("a list on a cluster can't be repaired") }
    return try run(on: writer, WaitPolicy(options.busyTimeout)) { list in
      let image = try list.connection.localFile.image()
      let new = try Rebuilding.list(
        of: DamagedDatabase(image: image), by: StepAuthor(options, action: "repair"))
      try consent(new.report)
      guard writes else { return new.report }
      let writing = try Overwriting(list.connection, from: new.target)
      try writing.run {}
      return new.report
    }
  }

  /// Removes everything from the file except the list and its history: what any program deleted or changed
  /// before can no longer be found in it.
  ///
  /// - Throws: `StoreError`; `diskFull` if there is no space for two more copies of the file.
  /// - Complexity: O(size of the file).
  package func eraseTraces() throws {
    guard file != nil else { return }
    try refuseOlderFormat()
    try run(on: writer, WaitPolicy(options.busyTimeout)) { list in try list.connection.localFile.vacuum() }
  }

  /// The names for a copy beside a list, before a command replaces it.
  package static func names(beside list: String, _ suffix: String) -> some Sequence<String> {
    (1...).lazy.map { number in "\(list).\(suffix)" + (number == 1 ? "" : "-\(number)") }
  }

  /// Makes a file beside a list, under the first free of these names.
  ///
  /// - Throws: `SystemError`, and what `write` throws.
  static func keep(
    beside list: String, _ suffix: String, _ write: (AtomicFile) throws -> Void
  ) throws -> AtomicFile {
    for name in names(beside: list, suffix) where !DatabaseFile.exists(name) {
      do {
        let file = try AtomicFile(name)
        defer { DatabaseFile.removeSidecars(of: file.temporaryPath) }
        try write(file)
        try file.commit(replacing: false)
        return file
      } catch let error as SystemError where error.isExisting {}
    }
    preconditionFailure("there are more numbers")
  }
}

extension RepairReport {
  fileprivate func refuse(removingForeignTriggers: Bool, acceptingLoss: Bool) throws {
    guard removingForeignTriggers || removedTriggers.isEmpty else {
      throw StoreError.unknownTriggers(removedTriggers)
    }
    guard acceptingLoss || losses.isEmpty else { throw RepairError.loss(self) }
  }
}
