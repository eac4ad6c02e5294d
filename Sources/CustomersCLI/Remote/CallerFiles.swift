internal import CustomersFiles

/// The files of the machine where the command was typed.
///
/// A file is transferred completely before the command reads it, so that the list is never locked while the
/// network is slow.
struct CallerFiles: NamedFiles {
  private let caller: Caller

  init(_ caller: Caller) { self.caller = caller }

  func open(_ path: String) throws -> InputFile { try receive(path, .open) }

  private func receive(_ path: String, _ kind: Message.Kind) throws -> InputFile {
    _ = try caller.ask(Message(kind, [path]))
    return try InputFile(path) {
      let message = try caller.nextMessage()
      return message.kind == .data ? message.bytes : []
    }
  }

  func consent(to target: WriteTarget, in session: Session) throws -> Consent {
    let facts = [target.path, target.isBackup ? "backup" : "", Machine.boot, target.list ?? ""]
    let answer = try caller.ask(Message(.mayWrite, facts + target.inputs)).texts
    guard let consent = answer.first.flatMap(Consent.init) else { throw Message.Malformed() }
    return consent
  }

  func create(_ path: String) throws -> any NamedOutput {
    CallerOutput(caller: caller, isRegular: try caller.ask(Message(.create, [path])).texts == ["regular"])
  }

  func fetch(_ path: String) throws -> FetchedFile { try FetchedFile(copying: receive(path, .fetch)) }

  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result {
    let copy = try EditableFile([], suffix: ".sqlite")
    defer { copy.remove() }
    let result = try make(copy.path, true)
    let input = try InputFile(copy.path)
    let output = try create(path)
    while case let bytes = try input.read(), !bytes.isEmpty { try output.sink.write(bytes) }
    try output.finish()
    return result
  }
}

/// A file written on the caller's machine.
private struct CallerOutput: NamedOutput {
  let caller: Caller
  let isRegular: Bool

  var sink: any ByteSink { caller.file }

  func sync(finishing: () throws -> Void) throws {
    try caller.withTimeLimit {
      try finishing()
      _ = try caller.ask(Message(.sync))
    }
  }

  func finish() throws { _ = try caller.ask(Message(.finish)) }
}

/// The identity of this machine, by which two programs find out whether they share one.
enum Machine {
  /// The boot id: unique to this machine until it restarts.
  static let boot: String = {
    let bytes = (try? InputFile("/proc/sys/kernel/random/boot_id"))?.firstBytes ?? []
    return String(decoding: bytes, as: UTF8.self)
  }()
}

extension InputFile {
  fileprivate var firstBytes: [UInt8]? { try? read() }
}
