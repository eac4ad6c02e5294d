internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb
internal import Dispatch
internal import Synchronization

/// The list of a page on another machine: requests travel over a connection to `customers serve` there, which is made
/// again when it is lost.
///
/// The other side answers requests and sends events; it can ask for nothing here.
final class ListElsewhere: ListService {
  /// The path of a request for events, and of one that ends them.
  static let events = "events", endOfEvents = ""
  /// The maximum number of requests that wait for the other machine.
  private static let mostRequests = 200
  /// How long an answer may take.
  static let longestWait = Duration.seconds(60)

  private struct State {
    /// Nil while there is no connection.
    var connection: SSHConnection?
    /// When the other machine last sent something.
    var lastHeard = ContinuousClock.now
    var channel: Channel? { connection?.channel }
    var last = 0
    var waiting: [Int: Waiting] = [:]
    /// Who follows the changes for all pages here, and the number of the stream.
    var follower: Follower?
    typealias Follower = (number: Int, events: AsyncStream<APIEvent>.Continuation)
  }

  private struct Waiting {
    var continuation: CheckedContinuation<APIAnswer, Never>
    /// Ends the waiting when it has taken too long.
    var timeout: Task<Void, Never>

    func resume(returning answer: APIAnswer) {
      timeout.cancel()
      continuation.resume(returning: answer)
    }
  }

  private let session: Session
  private let machine: SSHAddress
  private let longestWait: Duration
  private let state = Mutex(State())
  /// The channel waits for its reader, which no thread of a task may do.
  private let sending = DispatchQueue(label: "customers.elsewhere.sending")

  /// Connects to the machine.
  ///
  /// - Parameters:
  ///   - session: the run, whose terminal ssh may use for its questions.
  ///   - machine: the address.
  ///   - longestWait: how long an answer may take.
  /// - Throws: a `Failure` if the machine can't be reached, or does not offer the list.
  init(_ session: Session, on machine: SSHAddress, longestWait: Duration = longestWait) throws {
    (self.session, self.machine, self.longestWait) = (session, machine, longestWait)
    let connection = try connect(mayAsk: true)
    DispatchQueue(label: "customers.elsewhere").async { self.stayConnected(connection) }
  }

  func answer(_ request: APIRequest) async -> APIAnswer {
    await withCheckedContinuation { continuation in
      let number = nextNumber()
      let timeout = Task { [weak self, longestWait] in
        let start = ContinuousClock.now
        guard (try? await Task.sleep(for: longestWait)) != nil else { return }
        self?.giveUp(number, since: start)
      }
      let waiting = Waiting(continuation: continuation, timeout: timeout)
      let channel = state.withLock { state -> Channel? in
        guard let channel = state.channel, state.waiting.count < ListElsewhere.mostRequests
        else { return nil }
        state.waiting[number] = waiting
        return channel
      }
      guard let channel else { return waiting.resume(returning: lost) }
      send(request, number, on: channel)
    }
  }

  func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    let (events, follower) = AsyncStream.makeStream(
      of: APIEvent.self, bufferingPolicy: .bufferingNewest(16))
    let number = nextNumber()
    setFollower((number, follower), sending: Self.events, number)
    for await event in events { await report(event) }
    setFollower(nil, sending: Self.endOfEvents, number)
  }

  /// Without a connection, the next one begins with the stream.
  private func setFollower(_ follower: State.Follower?, sending path: String, _ number: Int) {
    let channel = state.withLock { state in
      state.follower = follower
      return state.channel
    }
    send(APIRequest(method: "GET", path: path), number, on: channel)
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  /// What is said while there is no connection, or no answer.
  private var lost: APIAnswer { APIAnswer(unavailable: lostMessage) }

  private var lostMessage: String { "The connection to \(quoted(machine.host)) was lost; trying again." }

  private func finish(_ number: Int, with answer: APIAnswer?) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer ?? lost)
  }

  /// Ends the waiting for an answer, and a connection on which nothing has come since then.
  private func giveUp(_ number: Int, since start: ContinuousClock.Instant) {
    state.withLock { $0.lastHeard < start ? $0.connection : nil }?.cut()
    finish(number, with: nil)
  }

  /// Sends a request on a connection, unless it is lost.
  private func send(_ request: APIRequest, _ number: Int, on channel: Channel?) {
    guard let channel else { return }
    sending.async { [self] in
      guard state.withLock({ $0.channel === channel }) else { return }
      // The thread that reads finds out that the connection is lost.
      try? channel.send(Message(request, number: number))
    }
  }
}

/// The connection.
extension ListElsewhere {
  /// Uses a connection as long as it lasts, and then the next one.
  private func stayConnected(_ first: SSHConnection) {
    var connection: SSHConnection? = first
    var pause: UInt32 = 1
    while true {
      if let open = connection {
        begin(on: open)
        while let message = try? open.channel.receive() { guard take(message) else { break } }
        end()
        open.close()
        pause = 1
      }
      sleep(pause)
      pause = min(pause * 2, 30)
      connection = try? connect(mayAsk: false)
    }
  }

  private func begin(on connection: SSHConnection) {
    let follower = state.withLock { state in
      (state.connection, state.lastHeard) = (connection, .now)
      return state.follower
    }
    guard let follower else { return }
    send(APIRequest(method: "GET", path: Self.events), follower.number, on: connection.channel)
  }

  private func end() {
    let (connection, waiting, follower) = state.withLock { state in
      defer { (state.connection, state.waiting) = (nil, [:]) }
      return (state.connection, state.waiting.values, state.follower)
    }
    withExtendedLifetime(connection) {}
    for request in waiting { request.resume(returning: lost) }
    follower?.events.yield(.trouble(lostMessage))
  }

  /// Takes an answer or an event; drops what no request waits for.
  ///
  /// - Returns: whether it was one.
  private func take(_ message: Message) -> Bool {
    state.withLock { $0.lastHeard = .now }
    do {
      switch message.kind {
      case .pageAnswer:
        let (number, answer) = try message.pageAnswer
        finish(number, with: answer)
      case .pageEvent:
        // 0.2.0 also says when a stream has ended.
        guard try message.texts.count != 1 else { break }
        let (number, event) = try message.pageEvent
        guard let follower = state.withLock(\.follower), follower.number == number else { break }
        follower.events.yield(event)
      default: return false
      }
      return true
    } catch {
      return false
    }
  }

  /// Starts `customers serve` there, until it answers requests of pages.
  ///
  /// - Throws: a `Failure`.
  private func connect(mayAsk: Bool) throws -> SSHConnection {
    let connection = try SSHConnection(machine, session.context, mayAsk: mayAsk, stays: true)
    do {
      var request = RemoteRequest(session, token: TransactionToken())
      let readOnly = WebOptions.readOnly
      request.words = [Command.page.name] + (session.invocation[readOnly] ? [readOnly.name] : [])
      try connection.channel.send(request.message)
      var words: [UInt8] = []
      while let message = try connection.channel.receive() {
        switch message.kind {
        case .pageReady: return connection
        case .errors: words = (words + message.bytes).suffix(1 << 14)
        case .exit: throw ListElsewhere.failure(words, try message.texts)
        default: throw Message.Malformed()
        }
      }
      throw Failure(
        code: .failed, message: "the connection to \(quoted(machine.host)) was lost; nothing was changed")
    } catch {
      connection.close()
      throw error
    }
  }

  /// The failure that the other machine reports in its words.
  private static func failure(_ words: [UInt8], _ exit: [String]) -> Failure {
    let lines = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { printable(String($0)) }
    let message = lines.first.map { $0.hasPrefix("customers: ") ? String($0.dropFirst(11)) : $0 }
    let hint = lines.first { $0.hasPrefix("hint: ") }.map { String($0.dropFirst(6)) }
    let code = exit.first.flatMap { Int32($0) }.flatMap(ExitCode.init) ?? .failed
    return Failure(
      code: code == .done ? .failed : code, message: message ?? "the other machine has ended the connection",
      hint: hint)
  }
}

extension Command {
  /// The command that `customers web` requests on the machine of the list.
  static let page = Command(
    name: "__page", summary: "answer the requests of a page on another machine",
    options: [.optional(WebOptions.readOnly)], need: { _ in .list },
    run: { session in
      guard let caller = session.context.caller else {
        throw Failure(code: .refused, message: "__page is for a program on another machine")
      }
      try caller.answer(with: session.listAPI())
    })
}

/// Answers the requests of a page on another machine; one thread gives it the messages.
final class ServedPage {
  /// The maximum number of requests that are answered at a time.
  private static let mostRequests = 64

  private let list: any ListService
  private let sender: Sender
  private let free = DispatchSemaphore(value: ServedPage.mostRequests)
  /// The stream of events, and what is signaled when it has ended.
  private var stream: (task: Task<Void, Never>, hasEnded: DispatchSemaphore)?

  init(_ list: any ListService, on channel: Channel) { (self.list, sender) = (list, Sender(channel)) }

  /// Answers a request; waits while there are too many.
  ///
  /// - Throws: `Message.Malformed` for anything else.
  func take(_ message: Message) throws {
    let (number, request) = try message.pageRequest
    switch request.path {
    case ListElsewhere.events: follow(number)
    case ListElsewhere.endOfEvents: endStream()
    default:
      free.wait()
      Task { [list, sender, free] in
        let answer = Message(await list.answer(request), number: number)
        await sender.send(answer.isShort ? answer : Message(APIAnswer.tooLong, number: number))
        free.signal()
      }
    }
  }

  /// Sends events until the other side ends the stream or begins another one.
  private func follow(_ number: Int) {
    endStream()
    let hasEnded = DispatchSemaphore(value: 0)
    let task = Task { [list, sender] in
      await list.follow { event in
        let message = Message(event, number: number)
        await sender.send(
          message.isShort ? message : Message(APIEvent(name: "reload", data: "{}"), number: number))
      }
      hasEnded.signal()
    }
    stream = (task, hasEnded)
  }

  /// Waits for the end, so that whoever begins one stream after another has only one.
  private func endStream() {
    stream?.task.cancel()
    stream?.hasEnded.wait()
    stream = nil
  }
}

extension ServedPage {
  /// Sends messages one after another.
  private struct Sender: Sendable {
    private let channel: Channel
    /// The channel waits for its reader, which no thread of a task may do.
    private let queue = DispatchQueue(label: "customers.page")

    init(_ channel: Channel) { self.channel = channel }

    func send(_ message: Message) async {
      await withCheckedContinuation { continuation in
        queue.async {
          // If the caller is gone, the thread that reads ends the program.
          try? channel.send(message)
          continuation.resume()
        }
      }
    }
  }
}

extension Message {
  fileprivate var isShort: Bool { bytes.count <= kind.longest }
}
