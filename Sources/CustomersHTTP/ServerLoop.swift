internal import CustomersPlatform
internal import CustomersSockets

/// The loop of a server's thread.
struct ServerLoop {
  private let server: HTTPServer
  /// None when the server stops.
  private var listeners: [Listener]
  private var connections: [Int: Connection] = [:]
  /// The number of the next connection: the lowest is the oldest.
  private var next = 0
  /// When to give up waiting for the last answers; nil while the server runs.
  private var end: ContinuousClock.Instant?
  /// Until when no connection is accepted, because there is no room for it.
  private var pause: ContinuousClock.Instant?

  init(_ server: HTTPServer, _ listeners: [Listener]) { (self.server, self.listeners) = (server, listeners) }

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
    guard unsafe poll(&polled, nfds_t(polled.count), timeout) >= 0 else { return }
    let now = ContinuousClock.now
    if let pause, pause <= now { self.pause = nil }
    for (number, state) in zip(numbers, polled.dropFirst(1 + listeners.count)) {
      guard let connection = connections[number] else { continue }
      if state.revents != 0 { connection.handle(state.revents, at: now) }
      if let deadline = connection.deadline, deadline <= now { connection.expire(at: now) }
      advance(number, at: now)
    }
    for message in server.mailbox.take() { receive(message, at: now) }
    for (listener, state) in zip(listeners, polled.dropFirst()) where end == nil && state.revents != 0 {
      accept(on: listener, at: now)
    }
  }

  /// Milliseconds until the next deadline; -1 if there is none.
  private var timeout: Int32 {
    let deadlines = connections.values.compactMap(\.deadline) + [end, pause].compactMap(\.self)
    guard let first = deadlines.min() else { return -1 }
    let (seconds, attoseconds) = max(.zero, first - .now).components
    return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
  }

  /// Passes on the requests that a connection has and forgets it if it is closed.
  private mutating func advance(_ number: Int, at now: ContinuousClock.Instant) {
    guard let connection = connections[number] else { return }
    if end == nil, let request = connection.nextRequest(at: now, check: server.check) {
      Task(executorPreference: server.executor) { [mailbox = server.mailbox, handle = server.handle] in
        mailbox.post(.answer(number, await handle(request)))
      }
    }
    if connection.isClosed || end != nil && !connection.isAnswering { remove(number) }
  }

  private mutating func remove(_ number: Int) {
    connections.removeValue(forKey: number)?.end()
    pause = nil
  }

  private mutating func receive(_ message: Mailbox.Message, at now: ContinuousClock.Instant) {
    switch message {
    case .answer(let number, let response):
      connections[number]?.answer(response, mayStay: end == nil, at: now) { follow($0, for: number) }
      advance(number, at: now)
    case .event(let number, let bytes):
      connections[number]?.send(event: bytes, at: now)
      advance(number, at: now)
    case .end(let number):
      connections[number]?.endStream(at: now)
      advance(number, at: now)
    case .stop:
      for listener in listeners { listener.end() }
      listeners = []
      end = end ?? now + server.limits.stopTime
      for number in connections.keys { advance(number, at: now) }
    }
  }

  private func follow(_ stream: EventStream, for number: Int) -> Task<Void, Never> {
    Task(executorPreference: server.executor) { [mailbox = server.mailbox] in
      await stream.follow { mailbox.post(.event(number, $0.bytes)) }
      mailbox.post(.end(number))
    }
  }

  private mutating func accept(on listener: Listener, at now: ContinuousClock.Instant) {
    // A few at a time, so that what has arrived on a new connection is read before it may have to make room.
    for count in 0..<max(1, server.limits.connections / 4) {
      if connections.count >= server.limits.connections {
        // Only one is known to wait; for any other, the newcomer itself might have to make room.
        guard count == 0 else { return }
        guard makeRoom() else { return pause = now + .seconds(1) }
      }
      let descriptor = acceptConnection(listener.descriptor, listener.family)
      guard descriptor >= 0 else {
        // Without a free descriptor, `poll` would report the same connection again and again.
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause = now + .seconds(1) }
        return
      }
      connections[next] = Connection(descriptor, server.limits, at: now)
      next += 1
    }
  }

  /// Closes the oldest connection without a request that was authorized, or else the oldest that is idle, or else the
  /// oldest stream.
  ///
  /// So strangers can't keep others out, nor can streams, whose readers open others.
  ///
  /// - Returns: whether there was one.
  private mutating func makeRoom() -> Bool {
    let expendable: [(Connection) -> Bool] = [{ !$0.isKnown }, { $0.isIdle }, { $0.isStreaming }]
    for isExpendable in expendable {
      guard let oldest = connections.filter({ isExpendable($0.value) }).keys.min() else { continue }
      remove(oldest)
      return true
    }
    return false
  }
}
