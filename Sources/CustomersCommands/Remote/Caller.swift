internal import CustomerStore
internal import CustomersSystem
internal import CustomersWeb
internal import Dispatch
internal import Synchronization

/// The program on the machine where the command was typed, with the user, the terminal, and the files.
final class Caller: Sendable {
  let request: RemoteRequest
  fileprivate let channel: Channel
  /// Whether the exit code was sent, so that the caller may disconnect.
  private let hasEnded = Atomic(false)
  /// The time limit for the caller's answer while the list is locked; nil at other times.
  fileprivate let deadline = Mutex<ContinuousClock.Instant?>(nil)

  init(_ request: RemoteRequest, on channel: Channel) {
    self.request = request
    self.channel = channel
  }

  /// The token of the command's transaction.
  var token: TransactionToken { request.token }

  /// Sends a question and returns the answer.
  ///
  /// - Throws: the caller's `Failure`.
  fileprivate func ask(_ question: Message) throws -> Message {
    do { try channel.send(question) } catch { endAlone() }
    return try nextMessage()
  }

  /// Returns the next message.
  ///
  /// - Throws: the caller's `Failure`.
  private func nextMessage() throws -> Message {
    guard let message = try? channel.receive() else { endAlone() }
    guard message.kind == .failure else { return message }
    throw try Failure(message)
  }

  /// Announces a change and waits until the caller has confirmed the message.
  ///
  /// If the connection is lost earlier, the caller knows that nothing was changed.
  ///
  /// - Parameter canBeLookedUp: whether the change is a transaction with the token.
  /// - Throws: the caller's `Failure`.
  func expectChange(canBeLookedUp: Bool) throws {
    _ = try ask(Message(.willChange, [canBeLookedUp ? "token" : ""]))
  }

  /// Reads a line from the user; nil at the end of the input.
  func line(fromTerminal: Bool) -> String? {
    (try? ask(Message(.readLine, [fromTerminal ? "terminal" : ""])).texts)?.first
  }

  /// Opens a string in the user's editor and returns the edited bytes.
  func edit(_ text: String) throws -> [UInt8] { try ask(Message(.edit, bytes: Array(text.utf8))).bytes }

  /// Receives the file that the command line names for reading.
  ///
  /// All of it arrives before the command reads it, so that the list is never locked while the network is slow.
  ///
  /// - Parameters:
  ///   - path: its path.
  ///   - isCopy: whether it must be a copy of a list, which may be on yet another machine.
  /// - Returns: the received file.
  /// - Throws: the caller's `Failure`; `FileError` if there is no room for the file.
  func open(_ path: String, isCopy: Bool = false) throws -> InputFile {
    var first: Message? = try ask(Message(.open, isCopy ? ["copy"] : []))
    return try InputFile(path) {
      let message = try first ?? nextMessage()
      first = nil
      return message.kind == .data ? message.bytes : []
    }
  }

  /// Asks the user whether the file may be written that the command line names for that.
  ///
  /// - Parameter list: the path of the list, by which the caller finds out whether the file is the list.
  /// - Returns: the answer.
  /// - Throws: the caller's `Failure`.
  func consent(besides list: String?) throws -> Consent {
    let answer = try ask(Message(.mayWrite, [Machine.boot, list ?? ""])).texts
    guard let consent = answer.first.flatMap(Consent.init) else { throw Message.Malformed() }
    return consent
  }

  /// Creates that file.
  func create() throws -> any NamedOutput {
    CallerOutput(caller: self, isRegular: try ask(Message(.create)).texts == ["regular"])
  }

  /// Answers the requests of a page there, until the caller is gone.
  func answer(with list: any ListService) throws -> Never {
    let page = try ServedPage(list, on: channel)
    while true { try page.take(nextMessage()) }
  }

  /// Sends the exit code of the command.
  func end(_ code: ExitCode, hasChanged: Bool) throws {
    hasEnded.store(true, ordering: .relaxed)
    try channel.send(Message(.exit, ["\(code.rawValue)", hasChanged ? "done" : ""]))
  }

  /// Returns a stream to the caller's standard output or standard error.
  func stream(_ kind: Message.Kind, _ screen: Screen?) -> Stream {
    Stream(CallerSink(channel: channel, kind: kind), screen: screen)
  }

  /// Where the user answers at the caller's standard input; if it is a pipe, it is read as the file `-`.
  var input: StandardInput {
    StandardInput(isTerminal: request.inputIsTerminal) { [self] in line(fromTerminal: false) }
  }

  /// The caller's controlling terminal; nil if it has none.
  var terminal: StandardInput? {
    request.hasTerminal ? StandardInput(isTerminal: true) { [self] in line(fromTerminal: true) } : nil
  }

  /// Ends this process with SIGHUP when the caller disconnects or exceeds its time limit.
  func endWhenGone(_ input: FileDescriptor) {
    DispatchQueue(label: "customers.caller").async { [self] in
      while true {
        var caller = pollfd(fd: input.rawValue, events: hangUpEvent, revents: 0)
        let isGone = unsafe poll(&caller, 1, 1000) > 0
        let isLate = deadline.withLock { deadline in deadline.map { $0 < .now } ?? false }
        guard !hasEnded.load(ordering: .relaxed) else { return }
        if isGone || isLate {
          TemporaryNames.removeAll()
          kill(getpid(), SIGHUP)
          // An edit rolls back first, and the signal ends the program when it has. One that waits for the caller
          // can't: then it takes effect here.
          usleep(1_000_000)
          SignalSet([SIGHUP]).release()
          return
        }
      }
    }
  }

  /// Exits silently, because the caller is gone; an open transaction is rolled back.
  private func endAlone() -> Never {
    TemporaryNames.removeAll()
    exit(128 + SIGHUP)
  }
}

/// A sink that sends its bytes to the caller.
private struct CallerSink: ByteSink {
  let channel: Channel
  let kind: Message.Kind

  func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try channel.send(Message(kind, bytes: Array(rest.prefix(1 << 16))))
      rest = rest.dropFirst(1 << 16)
    }
  }

  func writeWithoutWaiting(_ bytes: [UInt8]) throws(SystemError) -> Int {
    var count = 0
    while count < bytes.count {
      let piece = Array(bytes[count...].prefix(1 << 16))
      guard try channel.sendWithoutWaiting(Message(kind, bytes: piece)) else { break }
      count += piece.count
    }
    return count
  }
}

/// The file that is written on the caller's machine.
private struct CallerOutput: NamedOutput {
  let caller: Caller
  let isRegular: Bool

  var sink: any ByteSink { CallerSink(channel: caller.channel, kind: .write) }

  /// The list is locked now, so the caller has ten seconds.
  func sync(finishing: () throws -> Void) throws {
    caller.deadline.withLock { $0 = .now + .seconds(10) }
    defer { caller.deadline.withLock { $0 = nil } }
    try finishing()
    _ = try caller.ask(Message(.sync))
  }

  func finish() throws { _ = try caller.ask(Message(.finish)) }
}

/// The identity of this machine, by which two programs find out whether they share one.
enum Machine {
  /// The boot id: unique to this machine until it restarts.
  static let boot = String(
    decoding: (try? InputFile("/proc/sys/kernel/random/boot_id").read()) ?? [], as: UTF8.self)
}
