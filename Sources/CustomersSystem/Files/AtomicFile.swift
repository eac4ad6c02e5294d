internal import Synchronization

/// A file that appears whole or not at all: it is written under another name in the same folder and renamed
/// when it is complete.
///
/// Only its owner can read it (mode 0600). If it is not committed, it is removed, at the latest by the next
/// program that makes one in the same folder.
package final class AtomicFile {
  /// The final path of the file.
  package let path: String
  /// Its path until then; the file starts empty.
  package let temporaryPath: String
  /// The file, open as long as it has its temporary path.
  let descriptor: FileDescriptor
  private var isCommitted = false
  private var isDiscarded = false

  /// Creates the temporary file.
  ///
  /// - Throws: `SystemError`, including when the name is longer than the system allows.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    guard Folder.name(ofFile: path).utf8.count <= Folder.longestName else { throw .nameTooLong }
    UnfinishedFile.removeAbandoned(in: Folder(ofFile: path))
    // No signal that ends the program finds a file whose name is not noted.
    (descriptor, temporaryPath) = try holdingSignals { () throws(SystemError) in
      let (file, temporaryPath) = try UnfinishedFile.create(for: Self.shortened(path))
      TemporaryNames.note(temporaryPath)
      return (file, temporaryPath)
    }
  }

  /// Removes the files that killed programs of this user have left unfinished in a folder.
  package static func removeAbandoned(in folder: Folder) { UnfinishedFile.removeAbandoned(in: folder) }

  /// How many bytes longer the temporary path is than the final one, unless the name would be too long.
  package static let addedLength = UnfinishedFile.addedLength

  /// The path without the end of its name, if there is no room for what the temporary name adds, and SQLite
  /// to that (`-journal`).
  private static func shortened(_ path: String) -> Substring {
    var excess = Folder.name(ofFile: path).utf8.count + addedLength + 8 - Folder.longestName
    var path = path[...]
    while excess > 0, let last = path.popLast() { excess -= last.utf8.count }
    return path
  }

  deinit { discard() }

  /// Removes the temporary file now, unless the file is committed.
  package func discard() {
    guard !isCommitted && !isDiscarded else { return }
    unsafe unlink(temporaryPath)
    isDiscarded = true
    TemporaryNames.forget(temporaryPath)
    descriptor.close()
  }

  /// Adds bytes at the end, for a file that is written here and not by another library.
  package func write(_ bytes: [UInt8]) throws(SystemError) { try descriptor.write(bytes) }

  /// Renames the file to its final path and waits until the file and its name are on disk.
  ///
  /// - Parameter replacing: whether an existing file may be replaced.
  /// - Throws: `SystemError`; one that `isExisting` if there is a file and it may not be replaced, and one that
  ///   `isOfPlacedFile` if only the folder can't be written to the disk.
  package func commit(replacing: Bool) throws(SystemError) {
    try descriptor.sync()
    // If it is killed between the two, the file has its name, and the mark means nothing. Only a name that is like a
    // temporary one must not have it.
    let isLikeTemporary = UnfinishedFile.hasName(like: Folder.name(ofFile: path))
    if isLikeTemporary { UnfinishedFile.finish(descriptor) }
    try takeName(replacing: replacing)
    if !isLikeTemporary { UnfinishedFile.finish(descriptor) }
    isCommitted = true
    TemporaryNames.forget(temporaryPath)
    descriptor.close()
    do { try Folder(ofFile: path).sync() } catch {
      var error = error
      error.isOfPlacedFile = true
      throw error
    }
  }

  private func takeName(replacing: Bool) throws(SystemError) {
    if !replacing {
      if unsafe csystem_rename_without_replacing(temporaryPath, path) == 0 { return }
      guard [ENOSYS, EINVAL].contains(errno) else { throw .last }
      // Claims the name at the last moment; of two programs that want it, one gets it.
      try FileDescriptor.open(path, O_CREAT | O_EXCL | O_WRONLY).close()
    }
    guard unsafe rename(temporaryPath, path) == 0 else {
      let error = SystemError.last
      if !replacing { unsafe unlink(path) }
      throw error
    }
  }

  /// Removes the committed file, if it turns out to be useless.
  package func withdraw() { if isCommitted { unsafe unlink(path) } }
}

/// How to know an unfinished file from any other, and whether a program is still at work on it.
///
/// A program that is killed can't remove its unfinished files; the next one that makes a file in the same folder
/// does. A name proves nothing, so an unfinished file is also marked, from its first moment until it has its final name: by
/// a permission that means nothing for a file and that no one sets, the sticky bit. As long as its program runs, it is
/// locked. The lock belongs to the open file, so it ends with the program, however that ends, and is none of those that
/// SQLite takes and looks for.
enum UnfinishedFile {
  private static let mark = mode_t(S_ISVTX) | 0o600
  /// What follows the final name, before the letters.
  private static let separator = ".~"

  /// How many bytes longer the name is than the final one.
  static let addedLength = separator.utf8.count + FileDescriptor.letterCount

  /// Creates a file that is marked and locked; where that is not supported, it stays if its program is killed.
  static func create(
    for path: Substring
  ) throws(SystemError) -> (descriptor: FileDescriptor, path: String) {
    while true {
      let (file, name) = try FileDescriptor.createUnique(prefix: path + separator, mode: mark)
      if lock(file) {
        // Some systems leave the mark out when they create a file.
        fchmod(file.rawValue, mark)
        // Until it was locked, another program may have taken it for one that was left, and removed it.
        if unsafe access(name, F_OK) == 0 { return (file, name) }
      } else if ![EAGAIN, EACCES].contains(errno) {
        finish(file)
        return (file, name)
      }
      file.close()
    }
  }

  /// Removes the mark of a file that is complete.
  static func finish(_ file: FileDescriptor) { fchmod(file.rawValue, 0o600) }

  /// Removes the files in a folder that programs of this user have left unfinished, with what SQLite has put beside
  /// them.
  static func removeAbandoned(in folder: Folder) {
    guard let names = try? folder.names() else { return }
    for name in names where hasName(like: name) {
      let path = "\(folder.path)/\(name)"
      guard isMarked(path), let file = try? FileDescriptor.open(path, O_RDWR | O_NOFOLLOW) else {
        continue
      }
      defer { file.close() }
      guard lock(file), isMarked(path) else { continue }
      for suffix in ["-journal", "-wal", "-shm"] { unsafe unlink(path + suffix) }
      unsafe unlink(path)
    }
  }

  /// Whether a name ends as `create` makes it.
  static func hasName(like name: some StringProtocol) -> Bool {
    name.utf8.suffix(addedLength).starts(with: separator.utf8)
  }

  /// Whether it is a marked file of this user, and has no other name.
  private static func isMarked(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    return status.st_mode == S_IFREG | mark && status.st_uid == geteuid() && status.st_nlink == 1
  }

  /// Locks the last byte that a file can have; if another open file has it locked, the system's error is `EAGAIN` or
  /// `EACCES`.
  private static func lock(_ file: FileDescriptor) -> Bool {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t.max - 1, 1)
    return unsafe fcntl(file.rawValue, setLockOfOpenFile, &lock) == 0
  }
}

/// A file without a name, for data too large for memory; only its owner can read it (mode 0600), and it
/// disappears with the process, however that ends.
package final class TemporaryFile: Sendable {
  /// The folder for temporary files: `$TMPDIR`, else `/var/tmp`, else `/tmp`, the same as for SQLite.
  ///
  /// `/tmp` comes last because it is often kept in memory, which these files are meant to save.
  package static let folder: String = {
    if let named = unsafe getenv("TMPDIR").map({ unsafe String(cString: $0) }), !named.isEmpty {
      return named
    }
    return unsafe access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"
  }()

  package let descriptor: FileDescriptor

  package init() throws(FileError) {
    let (descriptor, path) = try TemporaryFile.create(suffix: "")
    unsafe unlink(path)
    self.descriptor = descriptor
  }

  deinit { descriptor.close() }

  /// Creates a file that still has a name.
  static func create(suffix: String) throws(FileError) -> (descriptor: FileDescriptor, path: String) {
    try FileError.attributing(.makeTemporaryFile, folder) { () throws(SystemError) in
      try FileDescriptor.createUnique(prefix: "\(folder)/customers-", suffix: suffix)
    }
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try attributing { () throws(SystemError) in try descriptor.write(bytes, at: offset) }
  }

  package func read(at offset: Int, upTo count: Int) throws(FileError) -> [UInt8] {
    try attributing { () throws(SystemError) in try descriptor.read(at: offset, upTo: count) }
  }

  /// The error if bytes that were written are missing.
  package var incomplete: FileError {
    FileError(operation: .keepTemporaryFile, path: TemporaryFile.folder, reason: SystemError(code: EIO))
  }

  /// Discards all bytes and frees their space.
  func removeAll() throws(FileError) {
    try attributing { () throws(SystemError) in if ftruncate(descriptor.rawValue, 0) != 0 { throw .last } }
  }

  private func attributing<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    try FileError.attributing(.keepTemporaryFile, TemporaryFile.folder, body)
  }
}

/// A temporary file that another program edits; only its owner can read it (mode 0600).
package struct EditableFile: Sendable {
  package let path: String

  /// Creates the file with these bytes.
  package init(_ bytes: [UInt8], suffix: String) throws(FileError) {
    let (descriptor, path) = try TemporaryFile.create(suffix: suffix)
    defer { descriptor.close() }
    self.path = path
    TemporaryNames.note(path)
    do { try descriptor.write(bytes) } catch {
      remove()
      throw FileError(operation: .keepTemporaryFile, path: TemporaryFile.folder, reason: error)
    }
  }

  package func remove() {
    unsafe unlink(path)
    TemporaryNames.forget(path)
  }

  /// Writes more bytes at the end.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    try FileError.attributing(.keepTemporaryFile, TemporaryFile.folder) { () throws(SystemError) in
      let descriptor = try FileDescriptor.open(path, O_WRONLY | O_APPEND)
      defer { descriptor.close() }
      try descriptor.write(bytes)
    }
  }

  /// The current bytes of the file; none if it was deleted.
  package func read() throws(FileError) -> [UInt8] {
    guard unsafe access(path, F_OK) == 0 else { return [] }
    return try InputFile(path).readAll()
  }
}

/// The names of the unfinished files of this process, to remove them if it ends early.
package enum TemporaryNames {
  private static let lock = Mutex(())

  static func note(_ path: String) { lock.withLock { _ in unsafe csystem_note_temporary(path) } }

  static func forget(_ path: String) { lock.withLock { _ in unsafe csystem_forget_temporary(path) } }

  /// Removes the files; whatever still needs one fails.
  package static func removeAll() { csystem_remove_temporaries() }

  /// From now on, removes the files when one of these signals ends the program; those that it ignores stay ignored.
  ///
  /// - Parameters:
  ///   - signals: the signals.
  ///   - code: the exit code with which they end it; nil if they end it as signals do.
  package static func removeAll(atSignals signals: [Int32], exitingWith code: Int32? = nil) {
    if let code { csystem_exit_at_signals_with(code) }
    for number in signals { csystem_remove_temporaries_at(number) }
  }
}
