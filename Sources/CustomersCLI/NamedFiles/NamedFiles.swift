internal import Files

/// The files that a command line names: those of the machine where it was typed.
protocol NamedFiles: Sendable {
  /// Opens a file to be read; `-` is standard input.
  func open(_ path: String) throws -> InputFile

  /// Whether writing a file replaces one that is there.
  ///
  /// - Throws: a `Failure` with code `refused`, or a `BackupError`, if it must not be written.
  func wouldReplace(_ target: WriteTarget) throws -> Bool

  /// Begins a file that is in its place only when it is finished.
  func create(_ path: String) throws -> any NamedOutput

  /// A file as one on the machine of the list.
  func fetch(_ path: String) throws -> FetchedFile

  /// Puts a backup in its place, which `make` makes at the path that it is given.
  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result
}

/// A file that is to be written.
struct WriteTarget: Sendable {
  let path: String
  /// The files that are read for it.
  var inputs: [String] = []
  /// The customers file; nil if it is on another machine.
  var list: String?
  /// Whether the file is to be a copy of the list.
  var isBackup = false
}

/// A file that is being written.
protocol NamedOutput {
  var sink: any ByteSink { get }
  /// Whether it is a file on a disk, which can be brought there; no pipe or device.
  var isRegular: Bool { get }
  /// Waits until what was written is on the disk; `finishing` writes the last of it.
  func sync(finishing: () throws -> Void) throws
  /// Puts the file in its place.
  func finish() throws
}

/// A file to be read by its path; a copy of one from another machine is gone afterwards.
final class FetchedFile {
  let path: String
  private let copy: EditableFile?

  /// A file of this machine.
  init(_ path: String) {
    self.path = path
    copy = nil
  }

  /// An empty file, for a copy.
  init() throws {
    let copy = try EditableFile([], suffix: ".sqlite")
    self.copy = copy
    path = copy.path
  }

  /// A copy with these bytes.
  convenience init(copying input: InputFile) throws {
    try self.init()
    guard let copy else { return }
    while case let bytes = try input.read(), !bytes.isEmpty { try copy.append(bytes) }
  }

  deinit { copy?.remove() }
}
