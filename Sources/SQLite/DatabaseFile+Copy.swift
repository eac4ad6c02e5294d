internal import Platform

extension DatabaseFile {
  /// Makes a file in one moment: it is written under another name beside it, and renamed when it is whole.
  ///
  /// Only its owner can read it (mode 0600). Whatever happens, there is no half of it.
  ///
  /// - Parameters:
  ///   - path: where the file is to be.
  ///   - replacing: whether a file that is there may be replaced.
  ///   - body: writes the file, whose path it gets.
  /// - Returns: what `body` returns.
  /// - Throws: `Problem`, or what `body` throws.
  public static func writeAtomically<Result>(
    _ path: String, replacing: Bool, _ body: (String) throws -> Result
  ) throws -> Result {
    var name = Array("\(path).XXXXXX".utf8CString)
    let file = unsafe mkstemp(&name)
    guard file >= 0 else { throw Problem.system(errorText()) }
    close(file)
    let temporary = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    do {
      let result = try body(temporary)
      try rename(temporary, to: path, replacing)
      return result
    } catch {
      for suffix in [""] + sidecars { unsafe unlink(temporary + suffix) }
      throw error
    }
  }

  /// What SQLite adds to the name of a file for the files beside it.
  public static let sidecars = ["-journal", "-wal", "-shm"]

  /// Whether something has the name, be it a link that leads nowhere.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether something has the name that is no plain file: a folder, a device, a link.
  public static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether two paths lead to one file.
  public static func isSame(_ path: String, _ other: String) -> Bool {
    guard let one = FileIdentity(path), let two = FileIdentity(other) else { return false }
    return one == two
  }

  private static func rename(_ temporary: String, to path: String, _ replacing: Bool) throws(Problem) {
    if !replacing {
      // Takes the name at the last moment; of two programs that want it one gets it.
      let place = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      guard place >= 0 else { throw errno == EEXIST ? .exists : .system(errorText()) }
      close(place)
    }
    guard unsafe Platform.rename(temporary, path) == 0 else { throw .system(errorText()) }
    let folder = unsafe open(self.folder(ofFile: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
