internal import CustomersSystem
internal import CustomersSQLite

/// A folder for the files of one run.
final class ScratchFolder {
  private let path: String
  private var files: [String] = []

  /// Chooses the folder, which its first file creates.
  init(in directory: String) {
    path = "\(directory)/customers-benchmark-\(UInt64.random(in: 0...UInt64.max))"
  }

  /// The path of a new file.
  func file() -> String {
    let file = "\(path)/\(files.count + 1).sqlite"
    files.append(file)
    return file
  }

  /// A connection to a new file, with the settings that a store gives its own.
  func connection() throws -> Connection {
    let file = file()
    try DatabaseFile.create(file)
    return try Connection(sameSettingsFor: file)
  }

  /// Removes files early, to save disk space.
  func remove(_ files: [String]) {
    for file in files {
      unsafe unlink(file)
      unsafe unlink("\(file)-journal")
    }
  }

  /// Removes the folder and its files.
  func remove() {
    remove(files)
    unsafe rmdir(path)
  }
}

extension Connection {
  /// Opens a file with the settings that a store gives its own.
  convenience init(sameSettingsFor path: String) throws {
    try self.init(path: path)
    try localFile.harden()
    _ = try localFile.setJournalMode(.rollback)
  }
}
