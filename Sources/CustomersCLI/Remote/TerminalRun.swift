internal import CustomerStore
internal import CustomersTerminalText

/// Runs a full-screen command on the machine of the list, on a terminal that ssh allocates there.
struct TerminalRun {
  private let session: Session
  private let machine: SSHAddress

  init(_ session: Session, on machine: SSHAddress) {
    self.session = session
    self.machine = machine
  }

  /// Runs the command until it ends.
  ///
  /// - Throws: a `Failure` with code `failed` if the machine can't be reached.
  func run() throws -> ExitCode {
    let program = SSHConnection.program(session.context)
    let request = RemoteRequest(session, token: TransactionToken())
    let words = ["-t"] + machine.words + [SSHConnection.command(serving: request)]
    let code = try leavingInterruptsToChild { try Child("exec \(program) \"$@\"", words).wait() }
    // The words are valid here, so the program there is of another version.
    guard code != ExitCode.usage.rawValue else {
      throw Failure(
        code: .failed,
        message: "customers on \(quoted(machine.host)) is not of the same version as this one, \(version)",
        hint: "install the same version on both")
    }
    if let code = ExitCode(rawValue: code) { return code }
    throw SSHConnection.failure(machine, code: code, program: program)
  }
}
