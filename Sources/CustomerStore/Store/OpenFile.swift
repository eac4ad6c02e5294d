internal import CustomersFiles
internal import CustomersSQLite

/// The file that a store was opened on.
struct OpenFile {
  let path: String
  /// Whether the store has created it.
  let isNew: Bool
  private let identity: FileIdentity?

  init(_ path: String, isNew: Bool) {
    (self.path, self.isNew) = (path, isNew)
    identity = FileIdentity(path)
  }

  /// Refuses to continue with a file that has lost its name: no other program would see what is written.
  func validateIdentity() throws {
    guard let identity, FileIdentity(path) == identity else { throw StoreError.replaced }
  }
}

extension CustomerStore {
  /// Whether the file did not exist before this store was opened.
  package var hasCreatedFile: Bool { file?.isNew == true }

  /// Removes the file if this store has created it and no program has edited the list, for an edit that has
  /// failed and should leave nothing behind.
  ///
  /// A program that has opened the file by then gets `StoreError.replaced`.
  package func removeNewFile() {
    guard let file, file.isNew else { return }
    // A list that can't be locked at once is in use.
    try? run(on: writer, WaitPolicy(.zero)) { list in
      try list.connection.immediateTransaction {
        if try list.lastEdit() == 0 { try Folder.removeFile(file.path) }
      }
    }
  }
}

extension CustomerStore {
  /// The program that has locked the customers file at `path` and its process id; nil if none has, or if the
  /// system does not report it.
  package static func lockHolder(ofFile path: String) -> (program: String, process: Int)? {
    LockHolder(ofDatabase: path).map { ($0.program, Int($0.process)) }
  }
}
