internal import CustomersSystem
internal import Synchronization

/// Answers the questions of a command on another machine, with this machine's terminal and files.
///
/// The other side can read and write only the files that the command line names for reading and for writing,
/// ask only what the command may ask, and show nothing that steers the terminal.
struct RemotePerson {
  private let session: Session
  private let channel: Channel
  private let files: (read: Set<String>, written: Set<String>)
  /// The files that may be written: they are new, or the user lets them be replaced.
  private var agreed: Set<String> = []
  private var output: (any NamedOutput)?
  /// Whether a file was written completely.
  private var hasWritten = false
  /// The first error of writing the file; reported at the next `sync` or `finish`.
  private var fileFailure: Failure?
  private var texts: (output: RemoteText, errors: RemoteText)

  private var context: Context { session.context }

  init(_ session: Session, _ channel: Channel) {
    self.session = session
    self.channel = channel
    files = session.invocation.namedFiles
    texts = (RemoteText(session.output, isText: session.printsText), RemoteText(session.errors, isText: true))
  }

  /// Sends a message; ignores errors, because the next receive reports a lost connection.
  func send(_ message: Message) { try? channel.send(message) }

  /// Performs the request in a message and replies.
  mutating func answer(_ message: Message) throws {
    switch message.kind {
    case .output: texts.output.write(message.bytes)
    case .errors: texts.errors.write(message.bytes)
    case .write:
      do {
        try output?.sink.write(message.bytes)
      } catch {
        fileFailure = fileFailure ?? Failure(error, file: "")
      }
    default:
      do {
        try reply(to: message)
      } catch {
        send(Message(Failure(error, file: "")))
      }
    }
  }

  /// Returns the exit code in the last message.
  ///
  /// - Throws: the error of writing standard output, if any; a `Failure` if the command has not written its
  ///   file.
  mutating func end(_ message: Message) throws -> ExitCode {
    let facts = try message.texts
    let code = facts.first.flatMap { Int32($0) }.flatMap(ExitCode.init) ?? .failed
    guard code != .done || hasWritten || !session.invocation.promisesFile else {
      throw fileFailure ?? Failure(code: .failed, message: "the other machine has not sent the file")
    }
    if facts.last == "done" { session.note(.change) }
    try texts.output.end()
    try texts.errors.end()
    return code
  }

  private mutating func reply(to message: Message) throws {
    switch message.kind {
    case .open: return try send(context.files.open(allowed(message.texts.first, files.read)))
    case .fetch:
      let file = try context.files.fetch(allowed(message.texts.first, files.read))
      return try withExtendedLifetime(file) { try send(InputFile(file.path)) }
    case .readLine:
      let input = try person(atTerminal: message.texts == ["terminal"])
      return send(Message(.reply, input?.line().map { [$0] } ?? []))
    case .edit:
      guard session.invocation.opensEditor else { throw RemotePerson.refusal }
      return send(
        Message(.reply, bytes: try Editor(context).edit(String(decoding: message.bytes, as: UTF8.self))))
    case .mayWrite: return send(Message(.reply, [try consent(message).rawValue]))
    case .create:
      let path = try allowed(message.texts.first, agreed)
      let isBackup = session.invocation.command?.name == Command.backup.name
      let file = try isBackup ? ReceivedBackup(path, session) : context.files.create(path)
      (output, fileFailure) = (file, nil)
      return send(Message(.reply, file.isRegular ? ["regular"] : []))
    case .sync, .finish:
      if let fileFailure { throw fileFailure }
      guard let output else { throw RemotePerson.refusal }
      do {
        try message.kind == .sync ? output.sync {} : session.finish(output)
      } catch {
        fileFailure = Failure(error, file: "")
        throw error
      }
      hasWritten = hasWritten || message.kind == .finish
      if hasWritten, session.invocation.promisesFile { session.note(.file) }
      return send(Message(.reply))
    default: throw RemotePerson.refusal
    }
  }

  private func send(_ file: InputFile) throws {
    send(Message(.reply))
    while case let bytes = try file.read(), !bytes.isEmpty {
      // The other side is gone.
      do { try channel.send(Message(.data, bytes: bytes)) } catch { return }
    }
    send(Message(.end))
  }

  /// The user asks here, so that no other question is answered.
  private mutating func consent(_ message: Message) throws -> Consent {
    let facts = try message.texts
    guard facts.count >= 4, !session.isDryRun else { throw RemotePerson.refusal }
    let isHere = !facts[2].isEmpty && facts[2] == Machine.boot
    let target = WriteTarget(
      path: try allowed(facts[0], files.written), inputs: facts[4...].filter(files.read.contains),
      list: isHere ? facts[3] : nil, isBackup: !facts[1].isEmpty)
    let consent = try context.files.consent(to: target, in: session)
    if consent != .declined { agreed.insert(target.path) }
    return consent
  }

  /// Where the user answers a question of the command; nil if there is no such place.
  ///
  /// Only a command that has read rows from standard input asks at the terminal.
  private func person(atTerminal isTerminal: Bool) throws -> StandardInput? {
    let readsInput = files.read.contains("-")
    guard isTerminal ? readsInput && session.invocation.mayAsk : context.input.isTerminal,
      readsInput || session.invocation.mayAsk
    else { throw RemotePerson.refusal }
    return isTerminal ? context.terminal() : context.input
  }

  /// Returns the path if the command line names it; otherwise throws.
  private func allowed(_ path: String?, _ paths: Set<String>) throws -> String {
    guard let path, paths.contains(path) else { throw RemotePerson.refusal }
    return path
  }

  private static var refusal: Failure {
    Failure(code: .refused, message: "the other machine requested access that the command does not need")
  }
}

extension Session {
  /// Whether standard output is for people: a table, a report, or completions, which the shell shows.
  fileprivate var printsText: Bool {
    // The list itself goes there, or a report about the file.
    let isList =
      invocation.command?.name == Command.export.name && !isDryRun
      && [nil, "-"].contains(invocation.operands.first)
    return !isList && (try? format()) == .table
  }
}

/// A sink that keeps text in memory.
final class TextSink: ByteSink {
  private let bytes = Mutex<[UInt8]>([])

  var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }

  func write(_ bytes: [UInt8]) { self.bytes.withLock { $0 += bytes } }

  func writeWithoutWaiting(_ bytes: [UInt8]) -> Int {
    write(bytes)
    return bytes.count
  }
}
