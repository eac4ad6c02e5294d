internal import CustomersFiles
internal import CustomersSQLite

/// The file that a store was opened on.
struct OpenFile {
  let path: String
  private let identity: FileIdentity?

  init(_ path: String) {
    self.path = path
    identity = FileIdentity(path)
  }

  /// Refuses to continue with a file that has lost its name: no other program would see what is written.
  func proveIdentity() throws {
    guard let identity, FileIdentity(path) == identity else { throw StoreError.replaced }
  }
}
