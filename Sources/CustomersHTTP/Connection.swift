internal import CustomersSystem

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
    case streaming(name: String?, RequestHead)
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
  /// What a stream gets instead of the news.
  var ownNews: Response.Events?
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
      let slow = Response(408, "too_slow", text: "The request took too long.", remedy: "Send it at once.")
      send(slow, keepsAlive: false, at: now)
    case .streaming: send(event: Event.heartbeat, at: now)
    case .sending, .lingering, .answering, .closed: end()
    }
  }
}

/// Reading requests.
extension Connection {
  /// Reads some bytes.
  func receive(at now: Instant) {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, used in
      count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      used = max(0, count)
    }
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { end() }
      return
    }
    if case .lingering = phase { return }
    if isIdle { deadline = now + limits.headTime }
    input = input.isEmpty ? bytes[...] : input + bytes
  }

  /// Ends a stream that may not go on.
  func judgeStream(at now: Instant, goesOn: (RequestHead) -> Bool) {
    guard case .streaming(_, let head) = phase, !goesOn(head) else { return }
    endStream(at: now)
  }

  /// Handles what was received.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - check: judges a head before any of its body is read.
  /// - Returns: the next request for the handler; nil if there is none yet.
  func nextRequest(at now: Instant, check: (RequestHead) -> Judgment) -> Request? {
    while true {
      switch phase {
      case .readingHead:
        do {
          guard let head = try nextHead() else { return nil }
          judge(head, check(head), at: now)
        } catch {
          send(Response(error), keepsAlive: false, at: now)
        }
      case .readingBody(let head):
        let piece = input.prefix(head.contentLength - body.count)
        body += piece
        input = input.dropFirst(piece.count)
        guard body.count == head.contentLength else { return nil }
        (phase, deadline) = (.answering(head), nil)
        defer { body = [] }
        return Request(head: head, body: body)
      case .answering, .sending, .streaming, .lingering, .closed: return nil
      }
    }
  }

  private func nextHead() throws(RequestError) -> RequestHead? {
    while let byte = input.popFirst() {
      if let head = try parser.take(byte) { return head }
    }
    input = []
    return nil
  }

  private func judge(_ head: RequestHead, _ judgment: Judgment, at now: Instant) {
    switch judgment {
    case .refused(let response):
      send(response, keepsAlive: false, hasBody: head.method != "HEAD", at: now)
    case .admitted(let isKnown):
      if isKnown { self.isKnown = true }
      guard head.contentLength <= (isKnown ? limits.body : 0) else {
        let long = Response(
          413, "too_large", text: "The body is too long.", remedy: "Ask for less, or send it in pieces.")
        return send(long, keepsAlive: false, at: now)
      }
      (phase, deadline) = (.readingBody(head), now + limits.bodyTime)
      if head.expectsContinue, head.contentLength > 0, input.isEmpty {
        output.add(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        flush(at: now)
      }
    }
  }
}

/// Sending answers and streams.
extension Connection {
  /// Sends the answer of the handler.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - mayStay: whether the connection may stay open afterward.
  ///   - greeting: what a stream begins with.
  ///   - now: the time.
  func answer(_ response: Response, mayStay: Bool, greeting: [UInt8], at now: Instant) {
    guard case .answering(let head) = phase else { return }
    let hasBody = head.method != "HEAD"
    guard case .news(let name, _, let own) = response.body, hasBody, mayStay else {
      return send(response, keepsAlive: mayStay && head.keepsAlive, hasBody: hasBody, at: now)
    }
    output.add(response.encoded(keepsAlive: false, hasBody: true) + greeting)
    ownNews = own
    (phase, deadline) = (.streaming(name: name, head), now + limits.heartbeatTime)
    flush(at: now)
  }

  func send(_ response: Response, keepsAlive: Bool, hasBody: Bool = true, at now: Instant) {
    // The bytes of a stream follow only in `answer`, so without it the connection can't stay.
    let keepsAlive = if case .bytes = response.body { keepsAlive } else { false }
    output.add(response.encoded(keepsAlive: keepsAlive, hasBody: hasBody))
    (phase, deadline) = (.sending(keepsAlive: keepsAlive), now + limits.answerTime)
    flush(at: now)
  }

  func send(event bytes: [UInt8], at now: Instant) {
    guard case .streaming = phase, !bytes.isEmpty else { return }
    guard output.count + bytes.count <= limits.unsent else { return end() }
    output.add(bytes)
    deadline = now + limits.heartbeatTime
    flush(at: now)
  }

  /// Sends what is left of a stream and closes the connection.
  func endStream(at now: Instant) {
    guard case .streaming = phase else { return }
    (phase, deadline) = (.sending(keepsAlive: false), now + limits.answerTime)
    flush(at: now)
  }

  /// Sends as much as the peer takes without waiting.
  func flush(at now: Instant) {
    while !output.isEmpty {
      let count = unsafe output.withUnsent { unsafe sendQuietly(descriptor, $0) }
      guard count > 0 else {
        if errno == EINTR { continue }
        return errno == EAGAIN ? () : end()
      }
      output.drop(count)
    }
    guard case .sending(let keepsAlive) = phase else { return }
    if keepsAlive {
      (phase, deadline) = (.readingHead, now + (input.isEmpty ? limits.idleTime : limits.headTime))
    } else {
      shutdown(descriptor, Int32(SHUT_WR))
      (phase, deadline, input) = (.lingering, now + limits.lingerTime, [])
    }
  }
}

/// Bytes that wait for a peer to take them; what it has taken needs no memory for long.
struct Outbox {
  private var bytes: [UInt8] = []
  private var sent = 0

  /// The number of bytes that were not sent.
  var count: Int { bytes.count - sent }
  var isEmpty: Bool { count == 0 }

  mutating func add(_ more: [UInt8]) { if bytes.isEmpty { bytes = more } else { bytes += more } }

  /// Passes on what was not sent.
  func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  /// Forgets bytes that were sent.
  mutating func drop(_ number: Int) {
    sent += number
    if isEmpty {
      (bytes, sent) = ([], 0)
    } else if sent > bytes.count / 2 {
      // A large answer is not moved again and again.
      (bytes, sent) = (Array(bytes[sent...]), 0)
    }
  }
}
