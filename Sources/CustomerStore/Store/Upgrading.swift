internal import CustomersMigrations
internal import CustomersSQLite
internal import CustomersSystem
internal import Synchronization

/// What was done to a list of an older format when it was opened.
package struct ListUpgrade: Hashable, Sendable {
  /// The format that it had.
  package let format: Int
  /// The path of the file as it was, which only its owner can read; nil on a cluster, where it can't be kept.
  package let backup: String?
}

/// Lists of older formats.
extension CustomerStore {
  /// The last version of the program that can't open a list of the format that this one writes.
  package static let lastOlderVersion = "0.2.0"

  /// The format of the list: lower than `formatVersion` if it is read in a converted copy.
  ///
  /// - Throws: `StoreError`.
  package func format() throws -> Int {
    guard isOlder else { return Migrations.format }
    return try run(on: reader, WaitPolicy(options.busyTimeout)) { list in
      try list.olderFormat() ?? Migrations.format
    }
  }

  /// Refuses a list of an older format, as an edit would.
  ///
  /// - Throws: `StoreError.needsUpgrade`, or `.readOnly` if it can't be upgraded here.
  package func refuseOlderFormat() throws {
    guard isOlder else { return }
    try run(on: writer, WaitPolicy(options.busyTimeout)) { list in try refuseOlderFormat(&list) }
  }

  func refuseOlderFormat(_ list: inout CustomerList) throws {
    guard let file = list.original else { return }
    guard let format = try list.olderFormat() else {
      // Another program has upgraded it.
      return list = CustomerList(connection: file.connection)
    }
    guard engine != nil || !options.isReadOnly && !file.connection.isReadOnly else {
      throw StoreError.readOnly
    }
    throw StoreError.needsUpgrade(from: format, to: Migrations.format)
  }

  /// Lets a list of an older format be read: in a converted copy, or in the file if another program has upgraded that.
  ///
  /// The copy is made again when the file has changed. Of a list on a cluster, none is made.
  func prepareToRead(_ list: inout CustomerList, _ waitPolicy: WaitPolicy) throws {
    guard let file = list.original else { return }
    guard engine == nil else { return try refuseOlderFormat(&list) }
    file.connection.wait(options, waitPolicy)
    // What is written after this makes another copy necessary, whether or not this one has it.
    let version = try file.connection.localFile.dataVersion()
    guard version != file.copied else { return }
    list =
      try list.olderFormat() == nil
      ? CustomerList(connection: file.connection)
      : CustomerList(
        connection: file.connection.convertedCopy(options, waitPolicy),
        original: OlderFile(connection: file.connection, copied: version))
  }

  /// The files that upgrades have kept beside a list, even one that was killed when it had just written its file.
  package static func backupsOfUpgrades(ofListAt path: String) -> [String] {
    let path = (try? Folder.resolve(path)) ?? path
    let (folder, start) = (Folder(ofFile: path), "\(Folder.name(ofFile: path)).\(upgradeSuffix)")
    let names = (try? folder.names())?.filter { $0.hasPrefix(start) } ?? []
    return names.sorted().map { "\(folder.path)/\($0)" }
  }

  fileprivate static let upgradeSuffix = "before-upgrade"
}

/// A file of an older format, and the state of it that a converted copy has.
struct OlderFile {
  let connection: Connection
  /// What `LocalFile.dataVersion` was; nil without a copy.
  var copied: Int64?
}

extension CustomerList {
  /// Opens a list for reading.
  static func open(
    path: String, _ options: CustomerStore.Options, _ waitPolicy: WaitPolicy
  ) throws -> CustomerList {
    var opening = Opening()
    let connection = try Connection.open(path: path, options: options, waitPolicy, &opening)
    return CustomerList(
      connection: opening.isOlder ? try connection.convertedCopy(options, waitPolicy) : connection)
  }

  /// The version of the list, to be recognized later.
  ///
  /// - Throws: `StoreError.needsUpgrade` for a list of format 10 without a history: it has no identity until it is
  ///   upgraded.
  package func lastingVersion() throws -> ListVersion {
    let version = try version()
    guard try original == nil || !identity().list.isEmpty else {
      throw StoreError.needsUpgrade(from: Migrations.oldestFormat, to: Migrations.format)
    }
    return version
  }

  /// The format of the file, if it is an older one; nil for the newest.
  fileprivate func olderFormat() throws -> Int? {
    guard case .known(let format)? = try original?.connection.validate(), format < Migrations.format else {
      return nil
    }
    return format
  }
}

extension Connection {
  /// Copies a list of an older format and converts the copy, which has no receipt of that: two copies of one file are
  /// the same.
  fileprivate func convertedCopy(
    _ options: CustomerStore.Options, _ waitPolicy: WaitPolicy
  ) throws -> Connection {
    let copy = try readTransaction { try privateCopy() }
    try PrivateCopy.naming(localFile.temporaryFolder) {
      try copy.keepChangesInMemory(upTo: options.memoryForChanges)
      // No one finds what is deleted in a file without a name.
      try copy.executeScript("PRAGMA secure_delete = OFF")
      let conversion = Conversion(of: copy, options.whileConverting)
      defer { conversion.end() }
      copy.wait(options, waitPolicy, reporting: conversion)
      try copy.migrate(by: nil)
    }
    copy.wait(options, waitPolicy)
    return copy
  }

  /// Converts a list of an older format in its file.
  ///
  /// - Parameters:
  ///   - author: who does it.
  ///   - keepsFile: whether to keep the file as it was.
  /// - Returns: what was done; nil if another program has done it.
  /// - Throws: `StoreError`, `SQLiteError`, `CancellationError`; the list is as it was, unless the commit failed.
  func upgrade(by author: StepAuthor, keepingFile keepsFile: Bool) throws -> ListUpgrade? {
    for _ in 0..<10 {
      // What is only in the log is not in the file.
      if try localFile.usesWriteAheadLog() { try executeScript("PRAGMA wal_checkpoint(TRUNCATE)") }
      var upgrade: ListUpgrade?
      var kept: AtomicFile?
      do {
        try migrate(by: author) { format in
          guard DatabaseFile.isEmptyOrMissing(localFile.path + "-wal") else { throw UnfinishedLog() }
          if keepsFile { kept = try keepFile() }
          upgrade = ListUpgrade(format: format, backup: kept?.path)
        }
        return upgrade
      } catch is UnfinishedLog {
        continue
      } catch let failure as CommitFailure {
        // The list may have the new format now. A new connection rolls an incomplete commit back.
        if (try? Connection(path: localFile.path).validate())?.isOlder == true { kept?.withdraw() }
        throw failure.reason
      } catch {
        kept?.withdraw()
        throw error
      }
    }
    throw StoreError.locked
  }

  /// A program has written to the write-ahead log.
  private struct UnfinishedLog: Error {}

  /// Copies the file, byte for byte, to the first free name beside it.
  ///
  /// No program can change it: the transaction that will convert it has begun.
  private func keepFile() throws -> AtomicFile {
    do {
      return try CustomerStore.keep(beside: localFile.path, CustomerStore.upgradeSuffix) { file in
        for offset in stride(from: 0, to: try localFile.size(), by: 1 << 20) {
          try checkCancellation()
          try file.write(localFile.bytes(at: offset, upTo: 1 << 20))
        }
      }
    } catch let error as SystemError {
      throw StoreError.failed(
        "can't keep a copy beside it, so it was not upgraded: \(error.description)")
    }
  }

  /// Makes the schema of a new list, or converts an older one.
  ///
  /// - Parameters:
  ///   - author: who leaves a receipt; nil for a copy that is only read.
  ///   - prepare: called in the transaction before an older list is changed, with its format.
  /// - Throws: `StoreError.upgradeFailed`; `CommitFailure`, `SQLiteError`, and what `prepare` throws.
  func migrate(by author: StepAuthor?, preparing prepare: (_ format: Int) throws -> Void = { _ in }) throws {
    var isOlder = false
    do {
      try Migrations.migrator.migrate(
        self, isPrivate: author == nil,
        finish: {
          guard let author else { return }
          // One of format 10 without a history has no identity until here.
          if isOlder {
            try executeScript("DELETE FROM identity WHERE list = ''; \(CustomerList.newIdentity)")
          }
          try beginTransaction(by: author)
          try endTransaction(by: author)
        },
        preparing: { format in
          isOlder = true
          try prepare(format)
        })
    } catch let failure as Migrator.Failure where failure.isNameTaken {
      throw StoreError.failed("\(failure.reason); rename it before the list is upgraded")
    } catch let failure as Migrator.Failure {
      throw StoreError.upgradeFailed(
        from: failure.format, to: Migrations.format, reason: failure.reason)
    }
  }
}

/// How far the conversion of a list of an older format is, for whoever waits for it.
///
/// SQLite asks after each 1,000 of its instructions whether to go on. From format 10 to 11 it runs about as many
/// instructions for each row, so the questions show how many rows are done.
final class Conversion: Sendable {
  private static let questionsPerMillionRows = 65_000

  private let questions = Atomic(0)
  private let rows: Int
  private let report: @Sendable (_ done: Int, _ total: Int) -> Void

  /// - Parameters:
  ///   - connection: the list, before its conversion.
  ///   - report: takes how many of all rows are done.
  init(of connection: Connection, _ report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) {
    // If it can't be read, the conversion says why.
    rows = (try? connection.fetchOne("SELECT count(*) FROM place") { $0.int(0) }) ?? 0
    self.report = report
  }

  /// Counts a question of SQLite.
  func countProgress() {
    let count = questions.add(1, ordering: .relaxed).newValue
    report(min(count * 1_000_000 / Self.questionsPerMillionRows, rows), rows)
  }

  /// The conversion is done.
  func end() { report(rows, rows) }
}
