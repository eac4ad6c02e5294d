internal import Platform

/// What the system answered when a call failed.
public struct SystemError: Error, Equatable, Sendable {
  /// The value of `errno`.
  public let code: Int32

  /// Takes a value of `errno`.
  package init(code: Int32) { self.code = code }

  /// The answer to the call that failed last on this thread.
  static var last: SystemError { SystemError(code: errno) }

  /// There is more than can be taken.
  static let tooLarge = SystemError(code: EFBIG)

  /// Whether there is no such file.
  public var isMissing: Bool { code == ENOENT }
  /// Whether there is such a file already.
  public var isExisting: Bool { code == EEXIST }
  /// Whether nobody reads the pipe any more.
  public var isBrokenPipe: Bool { code == EPIPE }
  /// Whether a file may not get as large as that.
  public var isTooLarge: Bool { code == EFBIG }
  /// Whether the disk, the quota or the size allowed for a file is used up.
  public var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
}

extension SystemError: CustomStringConvertible {
  /// The system's own words.
  public var description: String { unsafe String(cString: strerror(code)) }
}

/// Why a file could not be read or written.
public struct FileError: Error, Equatable, Sendable {
  /// What failed.
  public enum Operation: Sendable {
    /// Opening the file at the path.
    case open
    /// Reading from it.
    case read
    /// Reading it to its end.
    case readAll
    /// Writing to it, or putting it in its place.
    case write
    /// Making a temporary file in the folder at the path.
    case makeTemporaryFile
    /// Reading or writing a temporary file in that folder.
    case keepTemporaryFile
  }

  public var operation: Operation
  /// The path as it was given.
  public var path: String
  /// What the system answered.
  public var reason: SystemError

  /// Runs `body`; what the system answers is laid to the operation and the path.
  static func attributing<Result: ~Copyable>(
    _ operation: Operation, _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      throw FileError(operation: operation, path: path, reason: error)
    }
  }
}
