internal import SQLite

/// Why a customers file can't be opened, read or written.
///
/// Nothing has changed then.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no file.
  case missing
  /// The path is a folder, a pipe or a device.
  case notARegularFile
  /// The file has two names (hard links), and would get two journals.
  case hasSeveralNames
  /// The file is no customers list.
  case notACustomersFile
  /// The file was written by a version before 0.1.0, in a format that is not read any more.
  case prereleaseFormat
  /// The steps that bring an older file up to date failed; it was left as it was.
  case upgradeFailed(from: Int, to: Int, reason: String)
  /// The file was written by a newer version; it is left alone.
  case newerFormat(found: Int, known: Int)
  /// The file or its folder can't be written.
  case readOnly
  /// A write was cut off, and taking it back needs a file and a folder that can be written.
  case needsRecovery
  /// Another program kept the file locked for longer than the busy timeout.
  case locked
  /// The file was deleted, or another one has its name now; the list is to be opened again.
  case replaced
  /// The disk is full.
  case diskFull
  /// The file is damaged, in SQLite's words.
  case damaged(String)
  /// A text is longer than SQLite's limit of 16 million bytes.
  case tooLong
  /// Somebody put triggers on the tables that keep the order; such a file is only read.
  case unknownTriggers([String])
  /// This SQLite library, by its version, can corrupt a write-ahead log.
  case unsafeWriteAheadLog(version: String)
  /// Anything else that SQLite or the system reported.
  case failed(String)

  init(_ error: SQLiteError) {
    self =
      switch error.code.primary {
      case _ where error.code == .readOnlyRollback: .needsRecovery
      case .busy: .locked
      case .readOnly: .readOnly
      case .full: .diskFull
      case .corrupt: .damaged(error.message)
      case .notADatabase: .notACustomersFile
      case .tooBig: .tooLong
      default: .failed(error.message)
      }
  }

  init(_ problem: DatabaseFile.Problem) {
    self =
      switch problem {
      case .missing: .missing
      case .notARegularFile: .notARegularFile
      case .hasSeveralNames: .hasSeveralNames
      case .tooShort: .notACustomersFile
      case .system(let text): .failed(text)
      }
  }
}

extension StoreError: CustomStringConvertible {
  /// What is wrong, in one line without the file's name.
  public var description: String {
    switch self {
    case .missing: "there is no such file"
    case .notARegularFile: "not a regular file"
    case .hasSeveralNames: "the file has several names (hard links); keep one"
    case .notACustomersFile: "not a customers file; it was left as it is"
    case .prereleaseFormat:
      "the file was written before version 0.1.0, in a format that this program does not read; "
        + "export the list with the program that wrote it, and import it here"
    case .upgradeFailed(let found, let wanted, let reason):
      "the file has format \(found) and could not be upgraded to \(wanted): \(reason); it was left as it was"
    case .newerFormat(let found, let known):
      "the file has format \(found), newer than this program's \(known); it was left as it is"
    case .readOnly: "the file or its folder can't be written"
    case .needsRecovery: "a write was cut off; a copy that can be written is needed to recover"
    case .locked: "the file is locked by another program"
    case .replaced: "the file was deleted or replaced while it was open; open it again"
    case .diskFull: "the disk is full"
    case .damaged(let text): "the file is damaged: \(text)"
    case .tooLong: "a text is longer than 16,000,000 bytes"
    case .unknownTriggers(let names):
      "the file has triggers of somebody else on the list (\(names.joined(separator: ", "))); it is only read"
    case .unsafeWriteAheadLog(let version):
      "a write-ahead log is not safe with SQLite \(version)"
    case .failed(let text): text
    }
  }
}
