internal import CustomersPlatform

/// A file that appears whole or not at all: it is written under another name in the same folder and renamed
/// when it is complete.
///
/// Only its owner can read it (mode 0600). If it is not committed, it is removed, at the latest by the next
/// program that makes one in the same folder.
public final class AtomicFile {
  /// The final path of the file.
  public let path: String
  /// Its path until then; the file starts empty.
  public let temporaryPath: String
  /// The file, open as long as it has its temporary path.
  let descriptor: FileDescriptor
  private var isCommitted = false
  private var isDiscarded = false

  /// Creates the temporary file.
  ///
  /// - Throws: `SystemError`, including when the name is longer than the system allows.
  public init(_ path: String) throws(SystemError) {
    self.path = path
    guard Folder.name(ofFile: path).utf8.count <= Folder.longestName else { throw .nameTooLong }
    UnfinishedFile.removeAbandoned(in: Folder(ofFile: path))
    // No signal that ends the program finds a file whose name is not noted.
    (descriptor, temporaryPath) = try holdingSignals { () throws(SystemError) in
      let (file, temporaryPath) = try FileDescriptor.createUnique(prefix: Self.shortened(path) + ".")
      TemporaryNames.note(temporaryPath)
      return (file, temporaryPath)
    }
    UnfinishedFile.begin(descriptor)
  }

  /// Removes the files that killed programs of this user have left unfinished in a folder, even unmarked ones if they
  /// would have got a name that `isOwn` knows.
  public static func removeAbandoned(in folder: Folder, named isOwn: (_ name: Substring) -> Bool) {
    UnfinishedFile.removeAbandoned(in: folder, unmarked: isOwn)
  }

  /// How many bytes longer the temporary path is than the final one, unless the name would be too long.
  public static let addedLength = ".XXXXXX".utf8.count

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
  public func discard() {
    guard !isCommitted && !isDiscarded else { return }
    unsafe unlink(temporaryPath)
    isDiscarded = true
    TemporaryNames.forget(temporaryPath)
    descriptor.close()
  }

  /// Adds bytes at the end, for a file that is written here and not by another library.
  public func write(_ bytes: [UInt8]) throws(SystemError) { try descriptor.write(bytes) }

  /// Renames the file to its final path and waits until the file and its name are on disk.
  ///
  /// - Parameter replacing: whether an existing file may be replaced.
  /// - Throws: `SystemError`; one that `isExisting` if there is a file and it may not be replaced, and one that
  ///   `isOfPlacedFile` if only the folder can't be written to the disk.
  public func commit(replacing: Bool) throws(SystemError) {
    try descriptor.sync()
    // Before it has its name: a file that has both would be taken for an unfinished one.
    UnfinishedFile.finish(descriptor)
    try takeName(replacing: replacing)
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
  public func withdraw() { if isCommitted { unsafe unlink(path) } }
}
