internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb
internal import Dispatch
internal import Synchronization

/// The list of a page on another machine: requests travel over a connection to `customers serve` there, which is made
/// again when it is lost.
///
/// All browsers share one connection and one program there, because what it has in memory belongs to all of them: files
/// that are sent in pieces, who edits what, and which page has made a step. The other side can ask for nothing here.
final class ListElsewhere: ListService {
  /// The path of a request for the changes, which ends an earlier one, and of one that only ends it.
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
    var last = 0
    /// Who waits for answers, by the numbers of the requests.
    var waiting: [Int: AsyncStream<APIAnswer>.Continuation] = [:]
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
    let (number, answers) = ask(request)
    let timeout = Task { [weak self, longestWait] in
      let start = ContinuousClock.now
      guard (try? await Task.sleep(for: longestWait)) != nil else { return }
      self?.giveUp(number, since: start)
    }
    defer { timeout.cancel() }
    for await answer in answers { return answer }
    return APIAnswer(unavailable: lost)
  }

  func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    var isLost = false
    while !Task.isCancelled {
      for await answer in ask(APIRequest(method: "GET", path: Self.events)).answers {
        isLost = false
        await report(APIEvent(answer))
      }
      guard !Task.isCancelled else { break }
      if !isLost { await report(.trouble(lost)) }
      isLost = true
      try? await Task.sleep(for: .milliseconds(200))
    }
    _ = ask(APIRequest(method: "GET", path: Self.endOfEvents))
  }

  /// What is said while there is no connection, or no answer.
  private var lost: String { "The connection to \(quoted(machine.host)) was lost; trying again." }

  /// Sends a request.
  ///
  /// - Returns: its number and its answers, which end with the connection; none without a connection.
  private func ask(_ request: APIRequest) -> (number: Int, answers: AsyncStream<APIAnswer>) {
    let (answers, waiting) = AsyncStream.makeStream(
      of: APIAnswer.self, bufferingPolicy: .bufferingNewest(16))
    let (number, channel) = state.withLock { state -> (Int, Channel?) in
      state.last += 1
      guard let connection = state.connection, state.waiting.count < ListElsewhere.mostRequests else {
        return (state.last, nil)
      }
      state.waiting[state.last] = waiting
      return (state.last, connection.channel)
    }
    waiting.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.waiting.removeValue(forKey: number) }
    }
    guard let channel else {
      waiting.finish()
      return (number, answers)
    }
    // The thread that reads finds out that the connection is lost.
    sending.async { try? channel.send(Message(request, number: number)) }
    return (number, answers)
  }

  /// Ends the waiting for an answer, and a connection on which nothing has come since then.
  private func giveUp(_ number: Int, since start: ContinuousClock.Instant) {
    let (connection, waiting) = state.withLock { state in
      (state.lastHeard < start ? state.connection : nil, state.waiting[number])
    }
    connection?.cut()
    waiting?.finish()
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
        state.withLock { ($0.connection, $0.lastHeard) = (open, .now) }
        while let message = try? open.channel.receive(), take(message) {}
        let waiting = state.withLock { state in
          state.connection = nil
          return state.waiting.values
        }
        for request in waiting { request.finish() }
        open.close()
        pause = 1
      }
      sleep(pause)
      pause = min(pause * 2, 30)
      connection = try? connect(mayAsk: false)
    }
  }

  /// Takes an answer; drops one that no request waits for.
  ///
  /// - Returns: whether it was one.
  private func take(_ message: Message) -> Bool {
    guard let (number, answer) = try? message.pageAnswer else { return false }
    let waiting = state.withLock { state in
      state.lastHeard = .now
      return state.waiting[number]
    }
    waiting?.yield(answer)
    return true
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
        case .page: return connection
        case .errors: words = (words + message.bytes).suffix(1 << 14)
        case .exit:
          let code = try message.texts.first.flatMap { Int32($0) }.flatMap(ExitCode.init) ?? .failed
          throw Failure(saidBy: machine, String(decoding: words, as: UTF8.self), code)
        default: throw Message.Malformed()
        }
      }
      throw Failure.failed("the connection to \(quoted(machine.host)) was lost; nothing was changed")
    } catch {
      connection.close()
      throw error
    }
  }
}

extension Command {
  /// The command that `customers web` requests on the machine of the list.
  static let page = Command(
    name: "__page", summary: "answer the requests of a page on another machine",
    options: [.optional(WebOptions.readOnly)], need: { _ in .list },
    run: { session in
      guard let caller = session.context.caller else {
        throw Failure.refused("__page is for a program on another machine")
      }
      try caller.answer(with: session.listAPI())
    })
}

/// Answers the requests of a page on another machine; one thread gives it the messages.
final class ServedPage: Sendable {
  /// The maximum number of requests that are answered at a time.
  private static let mostRequests = 64

  private let list: any ListService
  private let channel: Channel
  /// The channel waits for its reader, which no thread of a task may do.
  private let sending = DispatchQueue(label: "customers.page")
  private let free = DispatchSemaphore(value: ServedPage.mostRequests)
  private let stream = Mutex<Task<Void, Never>?>(nil)

  /// Lets the caller know that it may ask.
  init(_ list: any ListService, on channel: Channel) throws {
    (self.list, self.channel) = (list, channel)
    try channel.send(Message(.page))
  }

  /// Answers a request; waits while there are too many.
  ///
  /// - Throws: `Message.Malformed` for anything else.
  func take(_ message: Message) throws {
    let (number, request) = try message.pageRequest
    let isStream = request.path == ListElsewhere.events
    if isStream || request.path == ListElsewhere.endOfEvents { stream.withLock(\.self)?.cancel() }
    guard request.path != ListElsewhere.endOfEvents else { return }
    free.wait()
    let task = Task { [self] in
      if isStream {
        await list.follow { await send(APIAnswer($0), number) }
      } else {
        await send(list.answer(request), number)
      }
      free.signal()
    }
    if isStream { stream.withLock { $0 = task } }
  }

  private func send(_ answer: APIAnswer, _ number: Int) async {
    let message = Message(answer, number: number)
    let isShort = message.bytes.count <= message.kind.longest
    await withCheckedContinuation { continuation in
      sending.async { [channel] in
        // If the caller is gone, the thread that reads ends the program.
        try? channel.send(isShort ? message : Message(APIAnswer.tooLong, number: number))
        continuation.resume()
      }
    }
  }
}

/// Requests of pages and what answers them, as messages between two machines. A number says what belongs together.
extension Message {
  init(_ request: APIRequest, number: Int) {
    let query = request.query.flatMap { [$0.key, $0.value] }
    self.init(.page, ["\(number)", request.method, request.path] + query, body: request.body)
  }

  init(_ answer: APIAnswer, number: Int) {
    self.init(.page, ["\(number)", "\(answer.status)", answer.type.rawValue], body: answer.body)
  }

  /// - Throws: `Malformed`.
  var pageRequest: (number: Int, request: APIRequest) {
    get throws {
      let (number, texts, body) = try page
      guard texts.count.isMultiple(of: 2) else { throw Malformed() }
      var query: [String: String] = [:]
      for index in stride(from: 2, to: texts.count, by: 2) { query[texts[index]] = texts[index + 1] }
      return (number, APIRequest(method: texts[0], path: texts[1], query: query, body: body))
    }
  }

  /// - Throws: `Malformed`, also for a status or a type that no answer has.
  var pageAnswer: (number: Int, answer: APIAnswer) {
    get throws {
      let (number, texts, body) = try page
      guard texts.count == 2, let status = Int(texts[0]), (200..<600).contains(status),
        let type = APIAnswer.MediaType(rawValue: texts[1])
      else { throw Malformed() }
      return (number, APIAnswer(status: status, type: type, body: body))
    }
  }

  private var page: (number: Int, texts: [String], body: [UInt8]) {
    get throws {
      let parts = try parts
      guard kind == .page, parts.count >= 4, let number = Int(try Message.text(parts[0])) else {
        throw Malformed()
      }
      return (number, try parts[1..<(parts.count - 1)].map(Message.text), Array(parts[parts.count - 1]))
    }
  }
}

/// An event as an answer: its name, and in the next line its data.
extension APIAnswer {
  init(_ event: APIEvent) {
    self.init(status: 200, type: .events, body: Array("\(event.name)\n\(event.data)".utf8))
  }
}

extension APIEvent {
  /// Any other answer, such as one for an event that is too long, lets pages read the list again.
  init(_ answer: APIAnswer) {
    let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n", maxSplits: 1).map(
      String.init)
    guard answer.type == .events, lines.count == 2, APIEvent.names.contains(lines[0]),
      (try? JSON.columns(ofObject: lines[1], keepsNull: true)) != nil
    else {
      self.init(name: "reload", data: "{}")
      return
    }
    self.init(name: lines[0], data: lines[1])
  }
}
