internal import CustomersFiles

/// The files that a command line names, on the machine where it was typed.
protocol NamedFiles: Sendable {
  /// Opens a file for reading; `-` is standard input.
  func open(_ path: String) throws -> InputFile

  /// Asks before an existing file is replaced.
  ///
  /// - Throws: a `Failure` with code `refused`, or a `BackupError`, if the file must not be written.
  func consent(to target: WriteTarget, in session: Session) throws -> Consent

  /// Creates a file that appears under its name only when it is finished.
  func create(_ path: String) throws -> any NamedOutput

  /// Makes a file available at a path on the machine of the list.
  func fetch(_ path: String) throws -> FetchedFile

  /// Puts the backup that `make` writes in its place.
  ///
  /// - Parameters:
  ///   - path: the path of the backup, as typed.
  ///   - replacing: whether it may replace an existing file.
  ///   - make: writes the backup to the path it receives, on the machine of the list.
  /// - Returns: the result of `make`.
  /// - Throws: any error of `make`; `FileError` if the file can't be written.
  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result
}

/// A file to write.
struct WriteTarget: Sendable {
  let path: String
  /// The input files of the same command.
  var inputs: [String] = []
  /// The customers file; nil if it is on another machine.
  var list: String?
  /// Whether the file is to be a copy of the list.
  var isBackup = false
}

/// Whether a file may be written.
enum Consent: String, Sendable {
  /// It may be created.
  case toCreate
  /// The user lets it be replaced.
  case toReplace
  /// The user does not.
  case declined
}

/// A file that is being written.
protocol NamedOutput {
  var sink: any ByteSink { get }
  /// Whether it is a file on a disk, not a pipe or a device.
  var isRegular: Bool { get }
  /// Calls `finishing`, which writes the last bytes, and waits until all bytes are on disk.
  func sync(finishing: () throws -> Void) throws
  /// Renames the file to its final path.
  func finish() throws
}

/// A file to read by its path; if it is a copy from another machine, it is removed afterward.
final class FetchedFile {
  let path: String
  private let copy: EditableFile?

  /// Creates a reference to a file of this machine.
  init(_ path: String) {
    self.path = path
    copy = nil
  }

  /// Creates an empty file for a copy.
  init() throws {
    let copy = try EditableFile([], suffix: ".sqlite")
    self.copy = copy
    path = copy.path
  }

  /// Creates a copy with the bytes of `input`.
  convenience init(copying input: InputFile) throws {
    try self.init()
    guard let copy else { return }
    while case let bytes = try input.read(), !bytes.isEmpty { try copy.append(bytes) }
  }

  deinit { copy?.remove() }
}
