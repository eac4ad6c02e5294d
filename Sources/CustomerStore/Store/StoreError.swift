internal import CustomersSQLite
internal import CustomersSystem
internal import CustomersText

/// Why a customers file can't be opened, read, or written.
///
/// Nothing has changed. If a write was or may have been done, another error is thrown, which says so.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no file.
  case missing
  /// The path is a folder, a pipe, or a device.
  case notARegularFile
  /// The file has two names (hard links) and would get two journals.
  case hasSeveralNames
  /// The file is not a customers file.
  case notACustomersFile
  /// The file was written by a version that was not released, in a format that this version can't read.
  case prereleaseFormat
  /// The file was restored from a `.dump` of the `sqlite3` shell; `customers check --repair` accepts it.
  case reloadedDump
  /// The list has an older format, and only a store that was opened with `upgrades` upgrades it.
  case needsUpgrade(from: Int, to: Int)
  /// Upgrading an older file failed; it was left as it was.
  case upgradeFailed(from: Int, to: Int, reason: String)
  /// The file was written by a newer version; it is left untouched.
  case newerFormat(found: Int, known: Int)
  /// The file or its folder can't be written.
  case readOnly
  /// A write was interrupted, and rolling it back needs a file and a folder that can be written.
  case needsRecovery
  /// Another program kept the file locked for longer than the busy timeout.
  case locked
  /// The file was deleted, or another one has its name now; open the list again.
  case replaced
  /// A copy of the list, for a reading or a dry run that takes long, can't be kept in this folder for temporary files.
  case noCopy(folder: String, reason: String)
  /// The disk is full.
  case diskFull
  /// The file may not get larger: a limit of the system or of the file system.
  case fileTooLarge
  /// The disk could not be read or written, with the system's message; the file need not be damaged.
  case diskError(String)
  /// The journal beside the file would make SQLite delete the file with this name.
  case plantedJournal(String)
  /// The file with this name beside the list is not a regular file, or belongs to someone who may not write the
  /// list, so it could replace the list.
  case foreignJournal(String)
  /// The file is damaged, with SQLite's message.
  case damaged(String)
  /// A value, or a customer with all values, is longer than SQLite's limit of 16 million bytes.
  case tooLong
  /// Another program added triggers to the tables that keep the order; such a file is read-only.
  case unknownTriggers([String])
  /// This version of the SQLite library can corrupt a write-ahead log.
  case unsafeWriteAheadLog(version: String)
  /// The cluster's leader can't be reached, or the connection was lost.
  case unreachable(String)
  /// The string is not the address of a list on a cluster.
  case invalidAddress
  /// Anything else that SQLite or the system reported.
  case failed(String)

  init(_ error: SQLiteError) {
    self =
      switch error.code.primary {
      case _ where error.code == .readOnlyRollback: .needsRecovery
      case _ where error.code == .unreachable: .unreachable(error.message)
      case .cannotOpen: error.refusedFile.map { .foreignJournal($0) } ?? .failed(error.message)
      case .busy: .locked
      case .readOnly: .readOnly
      case .full: .diskFull
      case .inputOutput: StoreError(systemCode: error.systemCode, error.message)
      case .corrupt: .damaged(error.message)
      case .notADatabase: .notACustomersFile
      case .tooBig: .tooLong
      // The number of SQLite's schema format is in the header, and no program of today writes a newer one.
      case _ where error.message == "unsupported file format": .damaged(error.message)
      default: .failed(error.message)
      }
  }

  private init(systemCode: Int32, _ message: String) {
    let reason = SystemError(code: systemCode)
    self =
      if reason.isTooLarge {
        .fileTooLarge
      } else if reason.isFull {
        .diskFull
      } else { .diskError(systemCode == 0 ? message : "\(message): \(reason)") }
  }

  init(_ problem: DatabaseFile.Problem) {
    self =
      switch problem {
      case .missing: .missing
      case .notARegularFile: .notARegularFile
      case .hasSeveralNames: .hasSeveralNames
      case .tooShort: .notACustomersFile
      case .hasPlantedJournal(let name): .plantedJournal(name)
      case .system(let text): .failed(text)
      }
  }
}

extension StoreError {
  /// Whether it is a list, but can't be read.
  package var isOfDamage: Bool {
    switch self {
    case .damaged, .upgradeFailed: true
    case .failed(let reason): reason.contains("schema")
    default: false
    }
  }
}

extension StoreError {
  /// The error to report for one that was caught inside of a transaction.
  package static func ofStore(_ error: any Error) -> any Error { (error as? SQLiteError)?.ofStore ?? error }
}

extension SQLiteError {
  /// The error that callers of a store get.
  var ofStore: any Error { code == .interrupted ? CancellationError() : StoreError(self) }
}

extension StoreError: ExplainedError {
  /// What is wrong, in one line without the file's name.
  public var description: String { explanation.reason }

  package func task(with file: String) -> String? {
    let verb =
      switch self {
      case .readOnly, .diskFull, .fileTooLarge, .tooLong, .unknownTriggers, .needsUpgrade: "write"
      case .damaged, .diskError, .replaced: "read"
      case .noCopy: "copy"
      case .unreachable: "reach"
      default: "open"
      }
    return "\(verb) \(quoted(file))"
  }

  package var explanation: Explanation {
    switch self {
    case .missing: .notFound("no such file")
    case .notARegularFile: .failed("not a regular file")
    case .hasSeveralNames: .failed("the file has several names (hard links); keep one")
    case .notACustomersFile: .failed("not a customers file; it was left as it is", .chooseAnotherList)
    case .prereleaseFormat:
      .failed(
        "the file was written by a version that was not released, in a format that this program can't read; "
          + "export the list with the program that wrote it and import it here")
    case .reloadedDump:
      .failed(
        "the file was restored from a .dump, which does not record that this is a customers file",
        .run(.repair, to: "make it a customers file again"))
    case .needsUpgrade(let found, let wanted):
      .refused(
        "it has format \(found) and must be upgraded to \(wanted) first; "
          + "version \(CustomerStore.lastOlderVersion) can't open it afterward",
        .run(.upgrade, to: "upgrade it"))
    case .upgradeFailed(let found, let wanted, let reason):
      .failed(
        "the file has format \(found) and could not be upgraded to \(wanted): \(reason); it was left as it was",
        .run(.check, to: "see what is wrong"))
    case .newerFormat(let found, let known):
      .failed("the file has format \(found), newer than this program's \(known); it was left as it is")
    case .readOnly: Explanation(kind: .readOnly, reason: "the file or its folder is read-only")
    case .needsRecovery:
      .failed("the last write was interrupted; copy the file to a writable place to recover it")
    case .locked:
      Explanation(
        kind: .locked, reason: "another program has locked the list",
        remedies: [.advice("try again when the other program has finished")])
    case .replaced: .failed("the file was deleted or replaced while it was open; open it again")
    case .noCopy(let folder, let reason):
      .failed(
        "can't write to \(folder): \(reason)", .advice("set $SQLITE_TMPDIR to a folder with more space"))
    case .diskFull: .failed("the disk is full", .advice("free some space"), nothing: "changed")
    case .fileTooLarge:
      .failed(
        "the file can't grow: the limit for the size of a file is reached",
        .advice("to see the limit: ulimit -f"), nothing: "changed")
    case .diskError(let text): .failed(text, .advice("check the disk and make a backup"), nothing: "changed")
    case .plantedJournal(let name):
      .failed(
        "the journal beside the file can't be trusted: opening the list would delete \(name)",
        .suspectJournal)
    case .foreignJournal(let name):
      .failed(
        "\(name) was not left by anyone who may write the list, and could replace it",
        .advice(
          "find out who put it there and move it away; keep the list in a folder that only you can write to"),
        nothing: "changed")
    case .damaged(let text): .damage("the file is damaged: \(text)")
    case .tooLong: .failed("a value, or a customer with all values, is longer than 16,000,000 bytes")
    case .unknownTriggers(let names):
      .failed(
        "another program added triggers to the file (\(names.joined(separator: ", "))), so it is read-only",
        .run(.repair, to: "remove them"))
    case .unsafeWriteAheadLog(let version): .failed("a write-ahead log is not safe with SQLite \(version)")
    case .unreachable(let text):
      .failed(text, .advice("try again when most nodes of the cluster are running"), nothing: "changed")
    case .invalidAddress:
      Explanation(
        kind: .usage, reason: "the address of the cluster is incomplete",
        remedies: [.advice("for example: dqlite://10.0.0.1:9001,10.0.0.2:9001/customers")])
    case .failed(let text): .failed(text)
    }
  }
}

/// An error after which the write may have taken effect.
///
/// It happened in or after the commit, for example because the disk failed. The file was reopened to look for
/// the transaction's token. (If that showed that nothing was done, the error is a `StoreError`.)
package struct CommitError: Error, Equatable, Sendable {
  /// `committed` if the edits are in the file; `unknown` if the file could not be read.
  package let outcome: TransactionOutcome
  /// The token of the transaction, for `CustomerList.outcome(of:)` when the disk works again.
  package let token: TransactionToken
  /// The error.
  package let reason: StoreError

  /// Whether the list is on a cluster rather than in a file.
  package var isOnCluster: Bool {
    if case .unreachable = reason { true } else { false }
  }
}

extension CommitError: ExplainedError {
  /// The outcome and the error, in one line without the name of the file.
  package var description: String {
    switch outcome {
    case .committed where isOnCluster: "the change was made, but the answer was lost: \(reason)"
    case .committed: "the change was made, but then the disk failed: \(reason)"
    case .notCommitted: "nothing was changed: \(reason)"
    case .unknown: "the change may have been made: \(reason)"
    }
  }

  package func task(with file: String) -> String? { "write \(quoted(file))" }

  package var explanation: Explanation {
    Explanation(
      kind: outcome == .committed ? .incomplete : .unknown, reason: description,
      remedies: [.seeHistory(when: isOnCluster ? "cluster answers" : "disk works")])
  }
}
