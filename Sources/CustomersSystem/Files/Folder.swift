/// A folder, by its path.
package struct Folder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The folder of the file at `path`, which need not exist.
  package init(ofFile path: String) {
    switch path.lastIndex(of: "/") {
    case nil: self.path = "."
    case path.startIndex: self.path = "/"
    case let slash?: self.path = String(path[..<slash])
    }
  }

  /// The name of the file at a path, without its folder.
  package static func name(ofFile path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  /// The maximum number of bytes of a name.
  package static let longestName = 255

  /// Creates it and missing folders above it (mode 0700).
  package func create() throws(SystemError) {
    guard unsafe access(path, F_OK) != 0 else { return }
    try Folder(ofFile: path).create()
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
  }

  /// The path of an existing file or folder, with links followed.
  package static func resolve(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .last }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The path of a file in it.
  package func path(ofFile name: some StringProtocol) -> String {
    path == "/" ? "/\(name)" : "\(path)/\(name)"
  }

  /// Returns the names of its files and folders, in no particular order.
  package func names() throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw FileError(operation: .open, path: path, reason: .last)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // Skips names that are not UTF-8: `customers` creates none.
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the paths of its files whose names have one of some endings, in the order in which they were last written.
  package func files(ending endings: [String]) throws(FileError) -> [String] {
    let files = try names().filter { name in endings.contains { name.hasSuffix($0) } }.compactMap {
      name -> (path: String, time: Int64)? in
      let file = self.path(ofFile: name)
      return Folder.status(file, S_IFREG).map { (file, $0.modificationNanoseconds) }
    }
    return files.sorted { ($0.time, $0.path) < ($1.time, $1.path) }.map(\.path)
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool { status(path, S_IFDIR) != nil }

  /// What the system knows of a file, with links followed, if it is of a type.
  private static func status(_ path: String, _ type: mode_t) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == type ? status : nil
  }

  /// Removes a file, by its path.
  package static func removeFile(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 else { throw FileError(operation: .write, path: path, reason: .last) }
  }

  /// The path of a file of that name in its folder or in the nearest folder above that exists.
  package static func pathInExistingFolder(_ path: String) -> String {
    var folder = Folder(ofFile: path).path
    while folder != Folder(ofFile: folder).path, unsafe access(folder, F_OK) != 0 {
      folder = Folder(ofFile: folder).path
    }
    return "\(folder)/\(name(ofFile: path))"
  }

  /// Waits until the names in it are on disk.
  ///
  /// A folder that can't be read, or a file system that does not support this, is not an error.
  func sync() throws(SystemError) {
    guard let descriptor = try? FileDescriptor.open(path, O_RDONLY | O_DIRECTORY) else { return }
    defer { descriptor.close() }
    do { try descriptor.sync() } catch { if error.code != EINVAL { throw error } }
  }
}
