internal import CustomersPlatform

/// How to know an unfinished file from any other, and whether a program is still at work on it.
///
/// A program that is killed can't remove its unfinished files; the next one that makes a file in the same folder
/// does. A name proves nothing, so an unfinished file is marked: by a permission that means nothing for a file and that
/// no one sets, the sticky bit. As long as its program runs, it is locked. The lock belongs to the open file, so
/// it ends with the program, however that ends, and is none of those that SQLite takes and looks for.
enum UnfinishedFile {
  private static let mark = mode_t(S_ISVTX) | 0o600

  /// Locks and marks a new file; where that is not supported, it stays if its program is killed.
  static func begin(_ file: FileDescriptor) { if lock(file) { fchmod(file.rawValue, mark) } }

  /// Removes the mark of a file that is complete.
  static func finish(_ file: FileDescriptor) { fchmod(file.rawValue, 0o600) }

  /// Removes the files in a folder that programs of this user have left unfinished, with what SQLite has put beside
  /// them.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - isOwn: whether a file that would have got this name is known to be one of them even if it is not marked:
  ///     its program was killed just before it marked the file, or just after it removed the mark.
  static func removeAbandoned(in folder: Folder, unmarked isOwn: (_ name: Substring) -> Bool = { _ in false })
  {
    guard let names = try? folder.names() else { return }
    for name in names where hasUniqueEnd(name) {
      let path = "\(folder.path)/\(name)"
      let modes = isOwn(name.dropLast(AtomicFile.addedLength)) ? [mark, 0o600] : [mark]
      guard isAlone(path, modes), let file = try? FileDescriptor.open(path, O_RDWR | O_NOFOLLOW) else {
        continue
      }
      defer { file.close() }
      guard lock(file), isAlone(path, modes) else { continue }
      for suffix in ["-journal", "-wal", "-shm"] { unsafe unlink(path + suffix) }
      unsafe unlink(path)
    }
  }

  /// Whether a name ends as `FileDescriptor.createUnique` makes it; spares a look at most files.
  private static func hasUniqueEnd(_ name: String) -> Bool {
    let end = name.utf8.suffix(AtomicFile.addedLength)
    return end.count == AtomicFile.addedLength && end.first == UInt8(ascii: ".")
  }

  /// Whether it is a file of this user with one of these modes, and no other name.
  private static func isAlone(_ path: String, _ modes: [mode_t]) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    return modes.contains { status.st_mode == S_IFREG | $0 } && status.st_uid == geteuid()
      && status.st_nlink == 1
  }

  /// Locks the last byte that a file can have, unless another open file has it locked.
  private static func lock(_ file: FileDescriptor) -> Bool {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t.max - 1, 1)
    return unsafe fcntl(file.rawValue, setLockOfOpenFile, &lock) == 0
  }
}
