internal import CustomersSQLite

/// A copy of a list that only this process sees, in a temporary file of SQLite.
///
/// The file has no name, only its owner can read it (mode 0600), and it disappears with the process, however that ends.
/// The copy has the identity and the version of the list. It is made through the connection that reads the list: closing a
/// second descriptor of the file would drop the locks of this process on it
/// (https://sqlite.org/howtocorrupt.html, 2.2).
struct PrivateCopy: Sendable {
  private let store: CustomerStore
  private let folder: String

  /// Copies the list inside its transaction.
  ///
  /// - Throws: `StoreError.noCopy` if there is no room for it; `CancellationError`, `StoreError`.
  init(of list: borrowing CustomerList, _ options: CustomerStore.Options) throws {
    let source = list.connection
    let folder = source.localFile.temporaryFolder
    self.folder = folder
    store = try Self.naming(folder) {
      // Nothing of it stays with the connection from which it was filled.
      nonisolated(unsafe) let connection = try Connection(path: "")
      try unsafe connection.localFile.harden()
      do {
        try unsafe source.localFile.copy(to: connection) { try source.checkCancellation() }
      } catch let error as SQLiteError
        where error.code.primary == .cannotOpen || error.code == .noTemporaryFolder
      {
        throw StoreError.noCopy(folder: folder, reason: error.message)
      }
      return unsafe CustomerStore(inMemory: connection, options: options)
    }
  }

  /// Passes the copy to `body`.
  ///
  /// - Throws: what `body` throws; `StoreError.noCopy` if the copy grew, and there is no room for that.
  func use<Result: Sendable>(_ body: (CustomerStore) throws -> Result) throws -> Result {
    try Self.naming(folder) { try body(store) }
  }

  /// The same for tasks, for `CustomerStore.read`.
  func read<Result: Sendable>(
    _ timeout: Duration, _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    try await store.reader.runAsync { call in try use { try $0.read(WaitPolicy(timeout, call), body) } }
  }

  private static func naming<Result: Sendable>(
    _ folder: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try CustomerStore.translatingSQLiteErrors { try body() }
    } catch let error as StoreError where [.diskFull, .fileTooLarge].contains(error) {
      throw StoreError.noCopy(folder: folder, reason: error.description)
    }
  }
}
