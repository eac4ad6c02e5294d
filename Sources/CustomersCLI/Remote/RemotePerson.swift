internal import CustomersFiles
internal import CustomersPlatform
internal import Synchronization

/// Answers the questions of a command on another machine, with this machine's terminal and files.
///
/// The other side can read and write only the files that the command line names for reading and for writing.
struct RemotePerson {
  private let session: Session
  private let channel: Channel
  private let files: (read: Set<String>, written: Set<String>)
  private var output: (any NamedOutput)?
  /// The first error of writing the file; reported at the next `sync` or `finish`.
  private var fileFailure: Failure?
  /// The error of writing standard output or standard error; thrown by `end`.
  private var outputFailure: (any Error)?

  private var context: Context { session.context }

  init(_ session: Session, _ channel: Channel) {
    self.session = session
    self.channel = channel
    files = session.invocation.namedFiles
  }

  /// Sends a message; ignores errors, because the next receive reports a lost connection.
  func send(_ message: Message) { try? channel.send(message) }

  /// Performs the request in a message, and replies.
  mutating func answer(_ message: Message) throws {
    switch message.kind {
    case .output: write(message.bytes, to: context.output)
    case .errors: write(message.bytes, to: context.errors)
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
  /// - Throws: the error of writing standard output, if any.
  func end(_ message: Message) throws -> ExitCode {
    let texts = try message.texts
    if texts.last == "done" { session.progress.noteChange() }
    if let outputFailure { throw outputFailure }
    return texts.first.flatMap { Int32($0) }.flatMap(ExitCode.init) ?? .failed
  }

  private mutating func write(_ bytes: [UInt8], to stream: Stream) {
    guard outputFailure == nil else { return }
    do {
      try stream.write { $0 += bytes }
      try stream.flush()
    } catch {
      outputFailure = error
    }
  }

  private mutating func reply(to message: Message) throws {
    switch message.kind {
    case .open: return try send(context.files.open(allowed(message.texts.first, files.read)))
    case .fetch:
      let file = try context.files.fetch(allowed(message.texts.first, files.read))
      return try withExtendedLifetime(file) { try send(InputFile(file.path)) }
    case .readLine:
      let input = try message.texts == ["terminal"] ? context.terminal() : context.input
      return send(Message(.reply, input?.line().map { [$0] } ?? []))
    case .edit:
      guard session.invocation.opensEditor else { throw RemotePerson.refusal }
      return send(
        Message(.reply, bytes: try Editor(context).edit(String(decoding: message.bytes, as: UTF8.self))))
    case .mayWrite: return send(Message(.reply, try wouldReplace(message) ? ["replaces"] : []))
    case .create:
      let file = try context.files.create(allowed(message.texts.first, files.written))
      (output, fileFailure) = (file, nil)
      return send(Message(.reply, file.isRegular ? ["regular"] : []))
    case .sync, .finish:
      if let fileFailure { throw fileFailure }
      try message.kind == .sync ? output?.sync {} : output?.finish()
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

  private func wouldReplace(_ message: Message) throws -> Bool {
    let texts = try message.texts
    guard texts.count >= 4 else { throw Message.Garbled() }
    let isHere = !texts[2].isEmpty && texts[2] == Machine.boot
    return try context.files.wouldReplace(
      WriteTarget(
        path: allowed(texts[0], files.written), inputs: texts[4...].filter(files.read.contains),
        list: isHere ? texts[3] : nil,
        isBackup: !texts[1].isEmpty))
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
