internal import CustomerStore
internal import Files
internal import Platform
internal import TerminalText

/// A command that runs on the machine of the list, as if it ran here.
struct RemoteRun {
  /// What may have become of the list when a connection is lost.
  private enum Change {
    /// Nothing yet.
    case none
    /// The transaction with the token may have been committed.
    case transaction
    /// Something that can't be looked up may have happened.
    case other
  }

  private let session: Session
  private let machine: SSHAddress
  private let token = TransactionToken()

  init(_ session: Session, on machine: SSHAddress) {
    self.session = session
    self.machine = machine
  }

  /// Runs the command to its end.
  ///
  /// - Throws: a `Failure` if the machine can't be reached, or if the connection is lost and with it the
  ///   command, or nobody knows.
  func run() throws -> ExitCode {
    let mayAsk = session.invocation.command?.name != Command.complete.name
    let connection = try SSHConnection(machine, session.context, mayAsk: mayAsk)
    defer { connection.close() }
    var person = RemotePerson(session, connection.channel)
    var change = Change.none
    person.send(Request(session, token: token).message)
    while true {
      connection.channel.wait(session.output.pause)
      guard let message = try? connection.channel.receive() else { break }
      switch message.kind {
      case .willChange:
        if change != .other { change = try message.texts == ["token"] ? .transaction : .other }
        person.send(Message(.reply))
      case .exit: return try person.end(message)
      default: try person.answer(message)
      }
    }
    return try outcome(of: change)
  }

  /// What became of a command whose connection was lost.
  private func outcome(of change: Change) throws -> ExitCode {
    let lost = "the connection to \(quoted(machine.host)) was lost"
    switch change {
    case .none: throw Failure(code: .failed, message: lost, hint: "nothing was changed")
    case .other: throw unknown("\(lost), and it is not known whether the command was done")
    case .transaction: break
    }
    switch settle() {
    case .committed:
      try session.writeAside("warning: \(lost), but the change was made")
      return .done
    case .notCommitted: throw Failure(code: .failed, message: lost, hint: "nothing was changed")
    case .unknown: throw unknown("\(lost), and it is not known whether the change was made")
    }
  }

  private func unknown(_ message: String) -> Failure {
    Failure(
      code: .unknown, message: message,
      hint: "when the machine can be reached again, customers history shows what was done")
  }

  /// Asks for the change; a second and a third time, if the machine can't be reached at once.
  private func settle() -> TransactionOutcome {
    for pause in [0, 1, 3] {
      sleep(UInt32(pause))
      let answer = TextSink()
      let context = Context(
        environment: session.environment, input: StandardInput(.standardInput), output: Stream(answer),
        errors: Stream(TextSink()))
      let question = [Command.settle.name, token.rawValue, "--db=\(machine.text)"]
      guard run(question, in: context) == .done else { continue }
      return TransactionOutcome(word: answer.text)
    }
    return .unknown
  }

  private func run(_ words: [String], in context: Context) -> ExitCode {
    CustomersCLI.run(words, in: context)
  }
}
