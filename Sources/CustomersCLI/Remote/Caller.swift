internal import CustomerStore
internal import Dispatch
internal import Files
internal import Platform
internal import Synchronization

/// The program on the machine where the command was typed: it has the person, the terminal and the files.
final class Caller: Sendable {
  let request: Request
  private let channel: Channel
  /// Whether the caller knows how the command ended, so that it may go.
  private let hasEnded = Atomic(false)
  /// Until when the caller has time to answer, if somebody waits for it with the list locked.
  private let deadline = Mutex<ContinuousClock.Instant?>(nil)

  init(_ request: Request, on channel: Channel) {
    self.request = request
    self.channel = channel
  }

  /// What the transaction of the command is known by.
  var token: TransactionToken { request.token }

  /// Asks the caller something.
  ///
  /// - Throws: the `Failure` that is the answer.
  func ask(_ question: Message) throws -> Message {
    do { try channel.send(question) } catch { endAlone() }
    return try nextMessage()
  }

  func nextMessage() throws -> Message {
    guard let message = try? channel.receive() else { endAlone() }
    guard message.kind == .failure else { return message }
    throw try Failure(message)
  }

  /// Has the caller take note that the list is about to be changed.
  ///
  /// A caller that was lost before can be sure that nothing was changed: nothing is without its answer.
  ///
  /// - Parameter canBeLookedUp: whether the change is a transaction that has the token.
  /// - Throws: the `Failure` that is the answer.
  func expectChange(canBeLookedUp: Bool) throws {
    _ = try ask(Message(.willChange, [canBeLookedUp ? "token" : ""]))
  }

  /// A line that the person types; nil at the end of the input.
  func line(fromTerminal: Bool) -> String? {
    (try? ask(Message(.readLine, [fromTerminal ? "terminal" : ""])).texts)?.first
  }

  /// Lets the person edit a text in the editor of the other machine.
  func edit(_ text: String) throws -> [UInt8] { try ask(Message(.edit, bytes: Array(text.utf8))).bytes }

  /// Says how the command ended.
  func end(_ code: ExitCode, isDone: Bool) throws {
    hasEnded.store(true, ordering: .relaxed)
    try channel.send(Message(.exit, ["\(code.rawValue)", isDone ? "done" : ""]))
  }

  /// A stream of the caller's.
  func stream(_ kind: Message.Kind, _ screen: Screen?) -> Stream {
    Stream(CallerSink(channel: channel, kind: kind), screen: screen)
  }

  /// What writes to the file that the caller has begun.
  var file: any ByteSink { CallerSink(channel: channel, kind: .write) }

  /// Runs `body`, in which the caller is waited for with the list locked, for ten seconds at most.
  func hurrying<Result>(_ body: () throws -> Result) rethrows -> Result {
    deadline.withLock { $0 = .now + .seconds(10) }
    defer { deadline.withLock { $0 = nil } }
    return try body()
  }

  /// Ends this process, as if a terminal were closed, when the caller has gone or takes too long.
  func endWhenGone(_ input: FileDescriptor) {
    let hangUp = Int16(0x2000)  // POLLRDHUP, which the headers hide
    DispatchQueue(label: "customers.caller").async { [self] in
      while true {
        var caller = pollfd(fd: input.rawValue, events: hangUp, revents: 0)
        let isGone = unsafe poll(&caller, 1, 1000) > 0
        let isLate = deadline.withLock { deadline in deadline.map { $0 < .now } ?? false }
        guard !hasEnded.load(ordering: .relaxed) else { return }
        if isGone || isLate {
          kill(getpid(), SIGHUP)
          return
        }
      }
    }
  }

  /// Nobody is there any more to whom anything could be said; a transaction that is open is rolled back.
  private func endAlone() -> Never { exit(128 + SIGHUP) }
}

/// Bytes that the caller writes where they belong.
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
      let sent = try channel.sendWithoutWaiting(Message(kind, bytes: Array(bytes[count...].prefix(1 << 16))))
      guard sent > 0 else { break }
      count += sent
    }
    return count
  }
}
