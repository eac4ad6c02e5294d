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
  /// The maximum number of streams that the other machine sends: one serves all pages here, beside one that ends.
  static let mostStreams = 16
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
    /// Those who follow the changes, by the numbers of their streams.
    var followers: [Int: AsyncStream<APIEvent>.Continuation] = [:]
    /// The streams that were requested on this connection.
    var requested: Set<Int> = []
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
      sending.async { Self.send(Message(request, number: number), on: channel) }
    }
  }

  func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    let (events, follower) = AsyncStream.makeStream(
      of: APIEvent.self, bufferingPolicy: .bufferingNewest(16))
    let number = nextNumber()
    state.withLock { $0.followers[number] = follower }
    requestStreams()
    for await event in events { await report(event) }
    _ = state.withLock { $0.followers.removeValue(forKey: number) }
    requestStreams()
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

  /// Requests the streams of those who follow now, and ends those of others.
  private func requestStreams() {
    sending.async { [self] in
      let (channel, new, old) = state.withLock { state in
        let (wanted, requested) = (Set(state.followers.keys), state.requested)
        state.requested = wanted
        return (state.channel, wanted.subtracting(requested), requested.subtracting(wanted))
      }
      guard let channel else { return }
      for (path, numbers) in [(ListElsewhere.endOfEvents, old), (ListElsewhere.events, new)] {
        for number in numbers {
          Self.send(Message(APIRequest(method: "GET", path: path), number: number), on: channel)
        }
      }
    }
  }

  /// Sends a message; waits for the reader.
  private static func send(_ message: Message, on channel: Channel) {
    // The thread that reads finds out that the connection is lost.
    try? channel.send(message)
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
    state.withLock { state in
      (state.connection, state.lastHeard, state.requested) = (connection, .now, [])
    }
    requestStreams()
  }

  private func end() {
    let (connection, waiting, followers) = state.withLock { state in
      defer { (state.connection, state.waiting) = (nil, [:]) }
      return (state.connection, state.waiting.values, state.followers.values)
    }
    withExtendedLifetime(connection) {}
    for request in waiting { request.resume(returning: lost) }
    for follower in followers { follower.yield(.trouble(lostMessage)) }
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
        let (number, event) = try message.pageEvent
        guard let follower = state.withLock({ $0.followers[number] }) else { break }
        if let event { follower.yield(event) } else { follower.finish() }
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
  private var streams: [Int: Task<Void, Never>] = [:]

  init(_ list: any ListService, on channel: Channel) { (self.list, sender) = (list, Sender(channel)) }

  /// Answers a request; waits while there are too many.
  ///
  /// - Throws: `Message.Malformed` for anything else.
  func take(_ message: Message) throws {
    let (number, request) = try message.pageRequest
    switch request.path {
    case ListElsewhere.events: try follow(number)
    case ListElsewhere.endOfEvents: streams.removeValue(forKey: number)?.cancel()
    default:
      free.wait()
      Task { [list, sender, free] in
        let answer = Message(await list.answer(request), number: number)
        await sender.send(answer.isShort ? answer : Message(APIAnswer.tooLong, number: number))
        free.signal()
      }
    }
  }

  /// Sends events until the other side ends the stream; a stream too many ends at once.
  ///
  /// - Throws: `Message.Malformed` if another stream has the number.
  private func follow(_ number: Int) throws {
    guard streams[number] == nil else { throw Message.Malformed() }
    let isTooMany = streams.count >= ListElsewhere.mostStreams
    let task = Task { [list, sender] in
      if !isTooMany {
        await list.follow { event in
          let message = Message(event, number: number)
          await sender.send(
            message.isShort ? message : Message(APIEvent(name: "reload", data: "{}"), number: number))
        }
      }
      await sender.send(Message(nil, number: number))
    }
    if !isTooMany { streams[number] = task }
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
