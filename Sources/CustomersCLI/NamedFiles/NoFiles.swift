internal import CustomersFiles
internal import CustomersTerminalText

/// The files of a run that may use none, because a program on another machine has requested it: those of the
/// person are on that machine.
struct NoFiles: NamedFiles {
  func open(_ path: String) throws -> InputFile { throw refusal(path) }
  func fetch(_ path: String) throws -> FetchedFile { throw refusal(path) }
  func create(_ path: String) throws -> any NamedOutput { throw refusal(path) }
  func consent(to target: WriteTarget, in session: Session) throws -> Consent { throw refusal(target.path) }

  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result { throw refusal(path) }

  private func refusal(_ path: String) -> Failure {
    Failure(
      code: .refused,
      message: "can't use \(path == "-" ? "standard input" : quoted(path)): only lists are offered here",
      hint: "run the command where the file is, outside the table")
  }
}
