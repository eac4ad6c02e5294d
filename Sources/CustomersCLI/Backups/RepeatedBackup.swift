internal import CustomersFormats
internal import CustomersPlatform

/// Makes a backup after each interval in which the list has changed.
struct RepeatedBackup {
  private let session: Session
  private let path: String
  private let interval: Duration
  private let spelledInterval: String
  private let keep: Int?
  /// The signals that end the program, between copies or between the pages of one.
  private let signals = SignalSet([SIGINT, SIGTERM, SIGHUP])

  init(_ session: Session, _ path: String, every interval: String) throws {
    self.session = session
    self.path = path
    spelledInterval = interval
    self.interval = try Invocation.duration(interval, for: "--every")
    keep = try session.invocation.count("--keep")
    guard keep != 0 else {
      throw Failure.usage("--keep takes 1 or more, not 0", offendingArgument: "--keep")
    }
  }

  /// Makes copies until a signal arrives.
  func run() throws -> ExitCode {
    try signals.held {
      var known: String?
      var isFirst = true
      while true {
        let code = try round(&known)
        if signals.isPending { break }
        if code != .done {
          if isFirst { return code }
          if !session.isQuiet { try session.writeAside("note: trying again in \(spelledInterval)") }
        }
        isFirst = false
        try session.output.flush()
        try session.errors.flush()
        if signals.wait(for: interval) { return .done }
      }
      signals.take()
      return .done
    }
  }

  /// Makes a copy if the list has changed since the last one.
  private func round(_ known: inout String?) throws -> ExitCode {
    let before = TextSink()
    let code = run([Command.revision.name], to: Stream(before))
    guard code == .done else { return code }
    guard before.text != known else { return .done }
    let address = try SSHAddress.isMeant(by: path) ? SSHAddress(path) : nil
    let made =
      try address.map { try RemoteBackup(session, $0, keep: keep, isSeries: true).run() }
      ?? copy(unless: before.text)
    // If the list was edited in the meantime, the copy may lack the edit; then the next round makes another.
    let after = TextSink()
    if made == .done { _ = run([Command.revision.name], to: Stream(after)) }
    known = made == .done && after.text == before.text ? after.text : nil
    return made
  }

  /// Makes a copy unless the last one has this revision.
  private func copy(unless revision: String) throws -> ExitCode {
    let series = BackupSeries(path)
    guard series.lastRevision() != revision else { return .done }
    var words = ["backup"] + ["--quiet", "--no-input"].filter(session.invocation.has)
    if try session.format() == .json { words.append("--json") }
    let code = run(words + ["--", series.next()], to: session.output)
    if code == .done, let keep { try series.removeAllButLast(keep) }
    return code
  }

  /// Runs another command on the same list.
  private func run(_ words: [String], to output: Stream) -> ExitCode { session.run(words, to: output) }
}

extension Session {
  /// Runs another command on the same list, with its standard output going to `output`.
  func run(_ words: [String], to output: Stream) -> ExitCode {
    let list = invocation.value("--db").map { ["--db=\($0)"] } ?? []
    let context = Context(
      environment: context.environment, input: context.input, output: output, errors: errors,
      openStore: context.openStore)
    let code = CustomersCLI.run(list + words, in: context)
    try? output.flush()
    return code
  }
}
