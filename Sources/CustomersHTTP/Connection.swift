internal import CustomersPlatform
internal import CustomersSockets

/// One connection: it reads one request after another and sends the answers in their order.
///
/// While a request is answered nothing is read, so a peer that sends more has to wait.
final class Connection {
  /// What the connection is doing.
  enum Phase {
    case readingHead
    case readingBody(RequestHead)
    /// The handler has the request.
    case answering(RequestHead)
    case sending(keepsAlive: Bool)
    /// The server sends the news; an earlier stream ends when another one has its name.
    case streaming(name: String?)
    /// The last answer is sent; what the peer was still sending is thrown away.
    case lingering
    case closed
  }

  typealias Instant = ContinuousClock.Instant

  let descriptor: Int32
  /// When it was accepted.
  let start: Instant
  /// Whether a request was allowed to send a body: then it is no stranger's.
  var isKnown = false
  var phase = Phase.readingHead
  /// When to call `expire`.
  var deadline: Instant?
  let limits: Limits
  var parser = HeadParser()
  /// What was received and not looked at.
  var input: ArraySlice<UInt8> = []
  var body: [UInt8] = []
  /// What was not sent yet.
  var output = Outbox()

  init(_ descriptor: Int32, _ limits: Limits, at now: Instant) {
    (self.descriptor, self.limits, start) = (descriptor, limits, now)
    deadline = now + limits.headTime
  }

  deinit { close(descriptor) }

  /// Whether nothing was sent since the last answer.
  var isIdle: Bool { if case .readingHead = phase { parser.isAtStart && input.isEmpty } else { false } }

  var isStreaming: Bool { if case .streaming = phase { true } else { false } }

  /// Whether its last answer is sent: it takes no one's place.
  var isLingering: Bool { if case .lingering = phase { true } else { false } }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Whether the peer still gets something if the server stops.
  var isAnswering: Bool {
    switch phase {
    case .answering, .sending, .lingering: true
    case .readingHead, .readingBody, .streaming, .closed: false
    }
  }

  /// The events of `poll` to wait for.
  var events: Int16 {
    let reading =
      switch phase {
      case .readingHead, .readingBody, .lingering: Int16(POLLIN)
      // Whoever reads a stream sends nothing more, not even the end.
      case .streaming: hangUpEvent
      case .answering, .sending, .closed: Int16(0)
      }
    return reading | (!output.isEmpty ? Int16(POLLOUT) : 0)
  }

  func end() { phase = .closed }

  /// Handles what `poll` has found; afterward `nextRequest` may have a request.
  func handle(_ found: Int16, at now: Instant) {
    if found & Int16(POLLOUT) != 0 { flush(at: now) }
    if found & Int16(POLLIN) != 0 {
      receive(at: now)
    } else if found & (Int16(POLLERR | POLLHUP | POLLNVAL) | hangUpEvent) != 0 {
      end()
    }
  }

  /// Ends a wait that has taken too long.
  func expire(at now: Instant) {
    switch phase {
    case .readingHead where isIdle: end()
    case .readingHead, .readingBody:
      send(Response(408, text: "The request took too long."), keepsAlive: false, at: now)
    case .streaming: send(event: Event.heartbeat, at: now)
    case .sending, .lingering, .answering, .closed: end()
    }
  }
}
