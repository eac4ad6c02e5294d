/// The error of a failed system call.
package struct SystemError: Error, Equatable, Sendable {
  /// The value of `errno`.
  package let code: Int32
  /// Whether the file has its name already, but may lose it if the machine stops.
  package internal(set) var isOfPlacedFile = false

  /// Creates an error from a value of `errno`.
  package init(code: Int32) { self.code = code }

  /// The error of the last failed call on this thread.
  package static var last: SystemError { SystemError(code: errno) }

  /// The input exceeds a limit.
  package static let tooLarge = SystemError(code: EFBIG)

  /// Something is already at the path.
  package static let exists = SystemError(code: EEXIST)

  /// What this account may not do, or should not.
  package static let forbidden = SystemError(code: EPERM)

  /// The content is not whole.
  package static let damaged = SystemError(code: EBADMSG)

  /// A name or a path exceeds the limit.
  static let nameTooLong = SystemError(code: ENAMETOOLONG)

  /// Whether the file does not exist.
  package var isMissing: Bool { code == ENOENT }
  /// Whether the file already exists.
  package var isExisting: Bool { code == EEXIST }
  /// Whether it is nothing that this account may or should do.
  package var isForbidden: Bool { code == EPERM }
  /// Whether the content is not whole.
  package var isDamaged: Bool { code == EBADMSG }
  /// Whether the pipe no longer has a reader.
  package var isBrokenPipe: Bool { code == EPIPE }
  /// Whether the file would exceed the size allowed.
  package var isTooLarge: Bool { code == EFBIG }
  /// Whether the disk is full, or a quota or the size allowed for a file is reached.
  package var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
}

extension SystemError: CustomStringConvertible {
  /// The system's message, with the limit for a name.
  package var description: String {
    let message = unsafe String(cString: strerror(code))
    return self == .nameTooLong ? "\(message): at most \(Folder.longestName) bytes" : message
  }
}

/// Why a file could not be read or written.
package struct FileError: Error, Equatable, Sendable {
  /// The operation that failed.
  package enum Operation: Sendable {
    /// Opening the file at the path.
    case open
    /// Reading from it.
    case read
    /// Reading it to its end.
    case readAll
    /// Writing to it or putting it in its place.
    case write
    /// Creating a temporary file in the folder at the path.
    case makeTemporaryFile
    /// Reading or writing a temporary file in that folder.
    case keepTemporaryFile
  }

  package var operation: Operation
  /// The path as it was given.
  package var path: String
  /// The system's error.
  package var reason: SystemError

  /// Runs `body` and adds the operation and the path to any system error.
  package static func attributing<Result: ~Copyable>(
    _ operation: Operation, _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      throw FileError(operation: operation, path: path, reason: error)
    }
  }
}

extension FileError: CustomStringConvertible {
  /// The error in one line.
  package var description: String { "can't \(operation.words) \"\(path)\": \(reason)" }
}

extension FileError.Operation {
  /// The verb in "can't open" the file.
  package var words: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .readAll: "read all of"
    case .write: "write"
    case .makeTemporaryFile: "create a file in"
    case .keepTemporaryFile: "write a temporary file in"
    }
  }
}
