internal import CustomersSystem
internal import Dispatch
internal import Synchronization

/// What a server does with a head before it reads any of the body.
package enum Judgment: Sendable {
  /// Sends this and closes the connection.
  case refused(Response)
  /// Passes the request on. Only a peer that is known may send a body, and keeps its place in a crowd.
  case admitted(isKnown: Bool)
}

/// A server of HTTP/1.1 for one person's machine: one thread, which waits for sockets and for nothing else.
///
/// That thread alone owns the connections and streams. Handlers and news run elsewhere and reach it by `Mailbox`, so
/// whatever they do or wait for, it goes on.
///
/// It speaks no TLS. Off this machine, it belongs after a proxy that does.
package final class HTTPServer: Sendable {
  let listeners: [Listener]
  let limits: Limits
  let check: @Sendable (RequestHead) -> Judgment
  let goesOn: @Sendable (RequestHead) -> Bool
  let handle: @Sendable (Request) async -> Response
  let news: News
  let mailbox = Mailbox()
  let executor = HandlerExecutor()
  /// What proves to someone that the server is well, and how often; it must not wait.
  let pulse: (interval: Duration, beat: @Sendable () -> Void)?
  private let log: @Sendable (String) -> Void
  private let logQueue = DispatchQueue(label: "customers.log")

  /// Creates a server; connections wait until it runs.
  ///
  /// - Parameters:
  ///   - listeners: where connections arrive.
  ///   - limits: what a peer may use.
  ///   - check: judges each head; it must not wait.
  ///   - goesOn: whether the stream of a head may go on, before each event of it; it must not wait.
  ///   - handle: answers the requests that were admitted, all on one thread: it awaits whatever takes long.
  ///   - news: what streams report, on the same thread.
  ///   - pulse: is called after each interval on that thread, as long as the server's own one comes around.
  ///   - log: writes a line for whoever runs the server, on a thread that may wait.
  package init(
    _ listeners: [Listener], limits: Limits = Limits(),
    check: @escaping @Sendable (RequestHead) -> Judgment,
    goesOn: @escaping @Sendable (RequestHead) -> Bool = { _ in true },
    handle: @escaping @Sendable (Request) async -> Response,
    news: @escaping News = { _ in }, pulse: (interval: Duration, beat: @Sendable () -> Void)? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.listeners, self.limits, self.check, self.goesOn) = (listeners, limits, check, goesOn)
    self.handle = handle
    (self.news, self.pulse, self.log) = (news, pulse, log)
  }

  /// Answers requests until `stop`; it is called once.
  package func run() {
    var loop = ServerLoop(self)
    while loop.shouldContinue { loop.turn() }
  }

  /// Ends `run`: streams and idle connections at once, requests that are being answered within `Limits.stopTime`.
  package func stop() { mailbox.post(.stop) }

  /// Writes a line to the log.
  func write(_ line: String) { logQueue.async { [log] in log(line) } }
}

/// The loop of a server's thread.
struct ServerLoop {
  typealias Instant = ContinuousClock.Instant

  /// The task that follows the news for all streams.
  private struct Following {
    let task: Task<Void, Never>
    /// What a new stream begins with.
    var greeting: [UInt8] = []
    /// Whether it was canceled: another one starts when it has ended.
    var isEnding = false
  }

  private let server: HTTPServer
  /// None when the server stops.
  private var listeners: [Listener]
  private var connections: [Int: Connection] = [:]
  /// The number of the next connection: the lowest is the oldest.
  private var next = 0
  private var following: Following?
  /// What streams have missed that have not got it yet, by their numbers.
  private var late: [Int: Response.Events] = [:]
  /// The streams whose events are being asked for, and whether there were news since: each answer begins where the last one ended.
  private var asked: [Int: Bool] = [:]
  /// When to give up waiting for the last answers; nil while the server runs.
  private var end: Instant?
  /// Until when no connection is accepted, because the system has no descriptor for it.
  private var pause: Instant?
  /// Until when nothing is said about a crowd.
  private var silence: Instant?
  /// When the pulse is due; nil if there is none.
  private var nextBeat: Instant?

  private var limits: Limits { server.limits }
  /// The maximum number of connections that wait for the peer to read its last answer.
  private var mostLingering: Int { max(1, limits.connections / 4) }

  init(_ server: HTTPServer) {
    (self.server, listeners) = (server, server.listeners)
    nextBeat = server.pulse.map { .now + $0.interval }
  }

  /// False when the server has stopped.
  var shouldContinue: Bool { end.map { !connections.isEmpty && $0 > .now } ?? true }

  /// Waits until something happens and handles it.
  mutating func turn() {
    let listeners = pause == nil ? listeners : []
    let numbers = Array(connections.keys)
    var polled = [pollfd(fd: server.mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    polled += listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    polled += numbers.map { number in
      pollfd(fd: connections[number]?.descriptor ?? -1, events: connections[number]?.events ?? 0, revents: 0)
    }
    guard unsafe poll(&polled, nfds_t(polled.count), timeout) >= 0 else {
      // The system may lack memory for a moment.
      if errno != EINTR { usleep(10_000) }
      return
    }
    let now = ContinuousClock.now
    if let pause, pause <= now { self.pause = nil }
    if let nextBeat, nextBeat <= now { beat(at: now) }
    for (number, state) in zip(numbers, polled.dropFirst(1 + listeners.count)) {
      guard let connection = connections[number] else { continue }
      if state.revents != 0 { connection.handle(state.revents, at: now) }
      if let deadline = connection.deadline, deadline <= now {
        connection.judgeStream(at: now, goesOn: server.goesOn)
        connection.expire(at: now)
      }
      advance(number, at: now)
    }
    for message in server.mailbox.take() { receive(message, at: now) }
    for (listener, state) in zip(listeners, polled.dropFirst()) where end == nil && state.revents != 0 {
      accept(on: listener, at: now)
    }
    follow()
  }

  /// Lets the thread of the handlers say that both threads come around.
  private mutating func beat(at now: Instant) {
    guard let pulse = server.pulse else { return }
    nextBeat = now + pulse.interval
    Task(executorPreference: server.executor) { pulse.beat() }
  }

  /// Milliseconds until the next deadline; -1 if there is none.
  private var timeout: Int32 {
    let deadlines = connections.values.compactMap(\.deadline) + [end, pause, nextBeat].compactMap(\.self)
    guard let first = deadlines.min() else { return -1 }
    let (seconds, attoseconds) = max(.zero, first - .now).components
    return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
  }

  /// Passes on the requests that a connection has and forgets it if it is closed.
  private mutating func advance(_ number: Int, at now: Instant) {
    guard let connection = connections[number] else { return }
    if end == nil, let request = connection.nextRequest(at: now, check: server.check) {
      Task(executorPreference: server.executor) { [mailbox = server.mailbox, handle = server.handle] in
        mailbox.post(.answer(number, await handle(request)))
      }
    }
    if connection.isClosed || end != nil && !connection.isAnswering { remove(number) }
  }

  /// Asks what the streams have missed that go on from an earlier time; what comes from now on, they get anyway.
  private mutating func tellLate() {
    for (number, missed) in late { tell(number, missed) }
    late = [:]
  }

  /// Asks what one stream gets, and sends it that.
  private mutating func tell(_ number: Int, _ events: @escaping Response.Events) {
    guard asked.updateValue(asked[number] != nil, forKey: number) == nil else { return }
    Task(executorPreference: server.executor) { [mailbox = server.mailbox] in
      mailbox.post(.missed(number, await events()))
    }
  }

  private mutating func remove(_ number: Int) {
    connections[number] = nil
    (late[number], asked[number]) = (nil, nil)
    pause = nil
  }

  private mutating func receive(_ message: Mailbox.Message, at now: Instant) {
    switch message {
    case .answer(let number, let response):
      if case .news(let name?, _, _) = response.body { endStreams(at: now) { $0 == name } }
      var greeting = following?.greeting ?? []
      if case .news(_, let missed?, _) = response.body {
        late[number] = missed
        if !greeting.isEmpty { tellLate() }
        greeting = []
      }
      connections[number]?.answer(response, mayStay: end == nil, greeting: greeting, at: now)
      advance(number, at: now)
    case .missed(let number, let events):
      connections[number]?.judgeStream(at: now, goesOn: server.goesOn)
      if let events {
        connections[number]?.send(event: events, at: now)
      } else {
        connections[number]?.endStream(at: now)
      }
      if asked.removeValue(forKey: number) == true, let own = connections[number]?.ownNews {
        tell(number, own)
      }
      advance(number, at: now)
    case .news(let events, let greeting):
      guard following?.isEnding == false else { return }
      // What a stream has missed begins with the first news, too.
      let isFirst = following?.greeting.isEmpty ?? true
      let greeted = isFirst ? Set(late.keys) : []
      following?.greeting = greeting
      tellLate()
      for (number, connection) in connections where connection.isStreaming && !greeted.contains(number) {
        connection.judgeStream(at: now, goesOn: server.goesOn)
        if let own = connection.ownNews, connection.isStreaming {
          tell(number, own)
        } else {
          connection.send(event: events, at: now)
        }
        advance(number, at: now)
      }
    case .endOfNews:
      if following?.isEnding == false { endStreams(at: now) { _ in true } }
      following = nil
    case .stop:
      for listener in listeners { listener.end() }
      listeners = []
      end = end ?? now + limits.stopTime
      for number in connections.keys { advance(number, at: now) }
    }
  }
}

/// Streams.
extension ServerLoop {
  /// Follows the news while there are streams, and only then.
  private mutating func follow() {
    let hasReaders = connections.values.contains(where: \.isStreaming)
    if hasReaders, following == nil {
      let task = Task(executorPreference: server.executor) { [mailbox = server.mailbox, news = server.news] in
        await news { mailbox.post(.news($0, greeting: $1)) }
        mailbox.post(.endOfNews)
      }
      following = Following(task: task)
    } else if !hasReaders, following?.isEnding == false {
      following?.isEnding = true
      following?.greeting = []
      following?.task.cancel()
    }
  }

  private mutating func endStreams(at now: Instant, where isOver: (_ name: String?) -> Bool) {
    for (number, connection) in connections {
      guard case .streaming(let name, _) = connection.phase, isOver(name) else { continue }
      connection.endStream(at: now)
      advance(number, at: now)
    }
  }
}

/// Newcomers.
extension ServerLoop {
  private mutating func accept(on listener: Listener, at now: Instant) {
    // A few at a time, so that a storm of newcomers does not keep those who are here waiting.
    for _ in 0..<mostLingering {
      let descriptor = acceptConnection(listener.descriptor, listener.family)
      guard descriptor >= 0 else {
        // Without a free descriptor, `poll` would report the same connection again and again.
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause = now + .seconds(1) }
        return
      }
      let newcomer = Connection(descriptor, limits, at: now)
      let hasPlace = makeRoom(at: now)
      connections[next] = newcomer
      if !hasPlace { refuse(newcomer, at: now) }
      advance(next, at: now)
      next += 1
    }
  }

  /// Makes room for a newcomer: closes the oldest connection that had time for a request that is authorized and sent
  /// none, or else the oldest that is idle; never a stream or one whose request is being answered.
  ///
  /// So strangers can't keep others out for long, and a newcomer has time to send its request however many come.
  ///
  /// - Returns: whether there is a place.
  private mutating func makeRoom(at now: Instant) -> Bool {
    var lingering = connections.filter(\.value.isLingering).keys.sorted()
    if lingering.count >= mostLingering { remove(lingering.removeFirst()) }
    guard connections.count - lingering.count >= limits.connections else { return true }
    let expendable: [(Connection) -> Bool] = [
      { [limits] in !$0.isKnown && !$0.isAnswering && now - $0.start >= limits.firstTime },
      { $0.isKnown && $0.isIdle },
    ]
    for isExpendable in expendable {
      guard let oldest = connections.filter({ isExpendable($0.value) }).keys.min() else { continue }
      remove(oldest)
      return true
    }
    return false
  }

  /// Answers a newcomer that gets no place.
  ///
  /// It needs none: the answer is sent at once, and then the connection only lingers until the peer has read it.
  private mutating func refuse(_ newcomer: Connection, at now: Instant) {
    var response = Response(
      503, "unavailable", text: "There are too many connections.", remedy: "Try again in a second.")
    response.headers.append(("Retry-After", "1"))
    newcomer.send(response, keepsAlive: false, at: now)
    guard silence.map({ $0 <= now }) ?? true else { return }
    silence = now + .seconds(60)
    server.write("all \(limits.connections) connections are in use; others are refused until one ends")
  }
}

/// What other threads have to say to the thread of the server, which it wakes up.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// The answer to the request of a connection, by its number.
    case answer(Int, Response)
    /// Bytes for one stream, by its number; nil if it is over.
    case missed(Int, [UInt8]?)
    /// Bytes for all streams, and what later ones get first.
    case news([UInt8], greeting: [UInt8])
    /// No more news come from the task that followed them.
    case endOfNews
    /// The server must stop.
    case stop
  }

  /// A descriptor that is readable while there are messages; -1 if the system had none left.
  let descriptor: Int32
  private let wakingEnd: Int32
  private let messages = Mutex<[Message]>([])

  init() {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, wakingEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(wakingEnd)
  }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      defer { messages.append(message) }
      return messages.isEmpty
    }
    if wasEmpty { _ = unsafe write(wakingEnd, [1], 1) }
  }

  /// The messages since the last call, in their order.
  func take() -> [Message] {
    // First the pipe: a message after that is either among these or wakes up again.
    var bytes = [UInt8](repeating: 0, count: 16)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

/// Runs the handlers of a server on a thread of their own.
///
/// Swift's shared threads are few. Whatever else the program does on them would keep every browser waiting.
final class HandlerExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "customers.handlers")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
