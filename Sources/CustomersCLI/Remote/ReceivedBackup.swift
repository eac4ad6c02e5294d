internal import CustomerStore
internal import CustomersFiles

/// A backup that another machine sends.
///
/// It gets its name only after it has been checked here, as a backup of a list on this machine does.
struct ReceivedBackup: NamedOutput {
  private let session: Session
  private let path: String
  private let file: OutputFile

  init(_ path: String, _ session: Session) throws {
    (self.session, self.path) = (session, path)
    file = try OutputFile(path)
  }

  var sink: any ByteSink { file.sink }
  var isRegular: Bool { file.isRegular }

  func sync(finishing: () throws -> Void) throws { try file.sync(finishing: finishing) }

  func finish() throws {
    do {
      let violations = try file.temporaryPath.map(CustomerStore.checkCopy) ?? []
      if !violations.isEmpty { try session.noteDamage() }
    } catch let error as StoreError {
      throw Failure(code: .failed, message: "the other machine has sent no backup: \(error)")
    }
    try file.finish()
  }
}
