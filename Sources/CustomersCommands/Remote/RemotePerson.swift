internal import CustomerStore
internal import CustomersSystem
internal import Synchronization

/// Answers the questions of a command on another machine, with this machine's terminal and files.
///
/// The other side can name no file: it reads the one that the command line names for reading, and writes the one that it
/// names for writing. It asks only what the command may ask, and shows nothing that steers the terminal.
struct RemotePerson {
  private let session: Session
  private let channel: Channel
  private let files: (read: String?, written: String?)
  /// Whether the file may be written: it is new, or the user lets it be replaced.
  private var mayWrite = false
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
      throw fileFailure ?? Failure.failed("the other machine has not sent the file")
    }
    if facts.last == "done" { session.note(.change) }
    try texts.output.end()
    try texts.errors.end()
    return code
  }

  private mutating func reply(to message: Message) throws {
    switch message.kind {
    case .open:
      guard let path = files.read else { throw RemotePerson.refusal }
      guard try message.texts == ["copy"] else { return try send(context.files.open(path)) }
      try refuseUnlessCopy(path)
      let copy = try context.files.fetch(path)
      return try withExtendedLifetime(copy) { try send(InputFile(copy.path)) }
    case .readLine:
      let input = try person(atTerminal: message.texts == ["terminal"])
      return send(Message(.reply, input?.line().map { [$0] } ?? []))
    case .edit:
      guard session.invocation.opensEditor else { throw RemotePerson.refusal }
      return send(
        Message(.reply, bytes: try Editor(context).edit(String(decoding: message.bytes, as: UTF8.self))))
    case .mayWrite: return send(Message(.reply, [try consent(message).rawValue]))
    case .create:
      guard mayWrite, let path = files.written else { throw RemotePerson.refusal }
      let file = try context.files.create(path)
      (output, fileFailure) = (file, nil)
      return send(Message(.reply, file.isRegular ? ["regular"] : []))
    case .sync, .finish:
      if let fileFailure { throw fileFailure }
      guard let output else { throw RemotePerson.refusal }
      do {
        if message.kind == .sync {
          try output.sync {}
        } else {
          if isBackup { try session.checkReceived(output) }
          try session.finish(output)
        }
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

  /// Refuses what is no copy of the list, before it is fetched.
  private func refuseUnlessCopy(_ path: String) throws {
    let command = session.invocation.command?.name ?? ""
    guard !Folder.isFolder(path) else {
      throw Failure.usage(
        "\(command) uses no folder for a list on another machine", hint: "name a copy in it")
    }
    guard try command != Command.restore.name || ListAddress(path) != session.list.address else {
      throw Failure(RestoreError.isReserved(.list), file: path)
    }
  }

  private func send(_ file: InputFile) throws {
    while case let bytes = try file.read(), !bytes.isEmpty {
      // The other side is gone.
      do { try channel.send(Message(.data, bytes: bytes)) } catch { return }
    }
    send(Message(.end))
  }

  private var isBackup: Bool { session.invocation.command?.name == Command.backup.name }

  /// The user asks here, so that no other question is answered.
  private mutating func consent(_ message: Message) throws -> Consent {
    let facts = try message.texts
    guard facts.count == 2, !session.isDryRun, let path = files.written else { throw RemotePerson.refusal }
    let isHere = !facts[0].isEmpty && facts[0] == Machine.boot
    let target = WriteTarget(
      path: path, inputs: [files.read].compactMap(\.self), list: isHere ? facts[1] : nil, isBackup: isBackup)
    let consent = try context.files.consent(to: target, in: session)
    mayWrite = consent != .declined
    return consent
  }

  /// Where the user answers a question of the command; nil if there is no such place.
  ///
  /// Only a command that has read rows from standard input asks at the terminal.
  private func person(atTerminal isTerminal: Bool) throws -> StandardInput? {
    let readsInput = files.read == "-"
    guard isTerminal ? readsInput && session.invocation.mayAsk : context.input.isTerminal,
      readsInput || session.invocation.mayAsk
    else { throw RemotePerson.refusal }
    return isTerminal ? context.terminal() : context.input
  }

  private static var refusal: Failure {
    Failure.refused("the other machine requested access that the command does not need")
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
