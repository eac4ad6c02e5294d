internal import CustomersPlatform

/// The number of an open file, pipe, or terminal.
///
/// It owns nothing: the code that opened it closes it.
public struct FileDescriptor: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let standardInput = FileDescriptor(rawValue: STDIN_FILENO)
  public static let standardOutput = FileDescriptor(rawValue: STDOUT_FILENO)
  public static let standardError = FileDescriptor(rawValue: STDERR_FILENO)

  /// Opens a file that child processes do not inherit.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) -> FileDescriptor
  {
    try FileDescriptor(checked: unsafe CustomersPlatform.open(path, flags | O_CLOEXEC, mode))
  }

  /// Opens a file for writing at its start; creates it, readable only by its owner (0600), if necessary.
  public static func openToWrite(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(
      checked: unsafe CustomersPlatform.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
  }

  /// Creates a file that only its owner can read (mode 0600), under a unique name.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the path.
  ///   - suffix: its end.
  /// - Returns: the open file and its path.
  /// - Throws: the system's error.
  static func createUnique(
    prefix: String, suffix: String = ""
  ) throws(SystemError) -> (descriptor: FileDescriptor, path: String) {
    var template = Array("\(prefix)XXXXXX\(suffix)".utf8CString)
    let descriptor = try FileDescriptor(checked: unsafe mkstemps(&template, Int32(suffix.utf8.count)))
    _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC)
    return (descriptor, String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// Creates a descriptor from the result of an `open` call.
  ///
  /// If a standard stream is closed, its number is free, and what other code prints would go into our file;
  /// so the file gets a higher number.
  private init(checked number: Int32) throws(SystemError) {
    guard number >= 0 else { throw .last }
    guard number <= STDERR_FILENO else {
      self.init(rawValue: number)
      return
    }
    let higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let error = SystemError.last
    CustomersPlatform.close(number)
    guard higher >= 0 else { throw error }
    self.init(rawValue: higher)
  }

  public func close() { _ = CustomersPlatform.close(rawValue) }

  /// Waits until all written bytes are on disk.
  func sync() throws(SystemError) {
    guard synchronize(rawValue) == 0 else { throw .last }
  }

  /// The kind of file, as in `S_IFMT`; one on disk accepts any amount at once.
  var kind: mode_t {
    get throws(SystemError) {
      var status = stat()
      guard unsafe fstat(rawValue, &status) == 0 else { throw .last }
      return status.st_mode & S_IFMT
    }
  }
}
