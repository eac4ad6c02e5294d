package import CustomersFiles

/// A small file that the program keeps for itself: only its owner can read it (mode 0600).
package struct StateFile: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Its content; nil if there is none, if others could have read it, or if it is no regular file, which might never
  /// end.
  func read() -> [UInt8]? {
    guard FileIdentity(path)?.isRegular == true, let access = FileAccess(path), !access.isOpenToOthers else {
      return nil
    }
    return try? InputFile(path).read()
  }

  /// Creates or replaces it, in a folder that only its owner can read.
  ///
  /// - Throws: `FileError`; one that `isExisting` if something else is at its path.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try FileError.attributing(.write, path) { () throws(SystemError) in
      guard FileIdentity(path)?.isRegular != false else { throw .exists }
      try Folder(ofFile: path).create()
    }
    let file = try OutputFile(path)
    try FileError.attributing(.write, path) { () throws(SystemError) in try file.descriptor.write(bytes) }
    try file.finish()
  }
}
