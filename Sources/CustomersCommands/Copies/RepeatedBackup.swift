internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// Makes a backup after each interval in which the list has changed.
struct RepeatedBackup {
  static let every = Option.value(
    "--every", .duration,
    "copy after each TIME in which the list changed")

  private let session: Session
  private let place: Place
  private let interval: Duration
  private let spelledInterval: String
  /// Which copies to keep; nil for all.
  private let retention: CopyRetention?
  /// The signals that end the program, between copies or between the pages of one.
  private let signals = SignalSet.ending

  /// Where the copies go.
  private enum Place {
    case here(BackupSeries)
    case there(SSHAddress)
  }

  init(_ session: Session, to target: ListAddress, every interval: Duration) throws {
    self.session = session
    switch target {
    case .file(let path):
      guard !Folder.isFolder(path) else {
        throw Failure.usage(
          "\(RepeatedBackup.every.name) needs a file name, not a folder",
          hint: "the copies are named after it, such as \(printable(path))/customers.sqlite")
      }
      place = .here(BackupSeries(path, ofListAt: try session.list.address.path))
    case .ssh(let machine): place = .there(machine)
    case .cluster, .memory:
      throw Failure.usage(
        "backup \(RepeatedBackup.every.name) can't copy to a cluster", hint: "name a file instead")
    }
    self.interval = interval
    spelledInterval = session.invocation.word(of: RepeatedBackup.every) ?? ""
    retention = try CopyRetention(session.invocation)
  }

  /// Makes copies until a signal arrives.
  func run() throws -> ExitCode {
    try signals.held {
      if case .here(let series) = place { series.removeUnfinished() }
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
    let code = try session.run(Invocation(.revision), to: Stream(before))
    guard code == .done else { return code }
    guard before.text != known else { return .done }
    let made = try copy(unless: before.text)
    // If the list was edited while the copy was made, the copy may lack the edit; then the next round makes another.
    let after = TextSink()
    if made == .done { _ = try session.run(Invocation(.revision), to: Stream(after)) }
    known = made == .done && after.text == before.text ? after.text : nil
    return made
  }

  /// Makes a copy unless one has this revision.
  private func copy(unless revision: String) throws -> ExitCode {
    switch place {
    case .here(let series): try copy(to: series, unless: revision)
    case .there(let machine): try session.backUp(on: machine, isSeries: true)
    }
  }

  private func copy(to series: BackupSeries, unless revision: String) throws -> ExitCode {
    if series.has(revision: revision) { return .done }
    let globals = [GlobalOptions.quiet, GlobalOptions.noInput].filter { session.invocation[$0] }
    let json = try session.format() == .json ? [GlobalOptions.json] : []
    let path = series.next()
    let code = try session.run(Invocation(.backup, [path], flags: globals + json), to: session.output)
    if code == .done, let retention { try series.remove(by: retention, sparing: path) }
    return code
  }
}

extension Session {
  /// Runs another command on the same list, with its standard output going to `output`.
  func run(_ invocation: Invocation, to output: Stream) throws -> ExitCode {
    let code = perform(invocation, in: context.starting(on: try list, output: output)).code
    try? output.flush()
    return code
  }
}

extension ListVersion {
  /// The version of a list as `customers __revision` prints it, with the id of the list.
  func text(of list: String) -> String { "\(mark) \(edit) \(list)" }
}
