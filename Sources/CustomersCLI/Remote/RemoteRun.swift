internal import CustomerStore
internal import CustomersFiles
internal import CustomersPlatform
internal import CustomersTerminalText
internal import CustomersWording

/// Runs a command on the machine of the list, as if it ran here.
struct RemoteRun {
  /// The changes that may have been made before the connection was lost.
  private enum Change {
    /// None yet.
    case none
    /// The transaction with the token may have been committed.
    case transaction
    /// A change without a token may have been made.
    case other
  }

  private let session: Session
  private let machine: SSHAddress
  private let token = TransactionToken()

  init(_ session: Session, on machine: SSHAddress) {
    self.session = session
    self.machine = machine
  }

  /// Runs the command until it ends.
  ///
  /// - Throws: a `Failure` if the machine can't be reached, or if the connection is lost and the change was
  ///   not made or may have been made.
  func run() throws -> ExitCode {
    let mayAsk = session.invocation.command?.name != Command.complete.name
    let connection = try SSHConnection(machine, session.context, mayAsk: mayAsk)
    defer { connection.close() }
    var person = RemotePerson(session, connection.channel)
    var change = Change.none
    person.send(RemoteRequest(session, token: token).message)
    while true {
      connection.channel.wait(session.output.pause)
      guard let message = try? connection.channel.receive() else { break }
      switch message.kind {
      case .willChange:
        session.outliveReaders()
        if change != .other { change = try message.texts == ["token"] ? .transaction : .other }
        person.send(Message(.reply))
      case .exit: return try person.end(message)
      default: try person.answer(message)
      }
    }
    return try outcome(of: change)
  }

  /// Returns the exit code after the connection was lost, if the change was made.
  ///
  /// - Throws: a `Failure` if it was not made or may have been.
  private func outcome(of change: Change) throws -> ExitCode {
    let lost = "the connection to \(quoted(machine.host)) was lost"
    switch change {
    case .none: throw Failure(code: .failed, message: "\(lost); nothing was changed")
    case .other: throw unknown("\(lost); the command may have been completed")
    case .transaction: break
    }
    switch settle() {
    case .committed:
      try session.writeAside("warning: \(lost), but the change was made")
      return .done
    case .notCommitted: throw Failure(code: .failed, message: "\(lost); nothing was changed")
    case .unknown: throw unknown("\(lost); the change may have been made")
    }
  }

  private func unknown(_ message: String) -> Failure {
    Failure(
      code: .unknown, message: message,
      hint: "when the machine can be reached again, customers history shows what was done")
  }

  /// Looks up the transaction; if the machine can't be reached, tries twice more.
  private func settle() -> TransactionOutcome {
    for pause in [0, 1, 3] {
      sleep(UInt32(pause))
      let answer = TextSink()
      let context = session.context.starting(
        on: ChosenList(on: machine), input: StandardInput(.standardInput), output: Stream(answer),
        errors: Stream(TextSink()))
      let question = Invocation(.settle, [token.rawValue])
      guard perform(question, in: context).code == .done else { continue }
      return TransactionOutcome(word: answer.text)
    }
    return .unknown
  }
}
