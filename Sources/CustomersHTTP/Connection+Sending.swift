internal import CustomersPlatform
internal import CustomersSockets

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
    guard case .news(let name) = response.body, hasBody, mayStay else {
      return send(response, keepsAlive: mayStay && head.keepsAlive, hasBody: hasBody, at: now)
    }
    output.add(response.encoded(keepsAlive: false, hasBody: true) + greeting)
    (phase, deadline) = (.streaming(name: name), now + limits.heartbeatTime)
    flush(at: now)
  }

  func send(_ response: Response, keepsAlive: Bool, hasBody: Bool = true, at now: Instant) {
    // The bytes of a stream follow only in `answer`, so without it the connection can't stay.
    let keepsAlive = if case .bytes = response.body { keepsAlive } else { false }
    output.add(response.encoded(keepsAlive: keepsAlive, hasBody: hasBody))
    (phase, deadline) = (.sending(keepsAlive: keepsAlive), now + limits.answerTime)
    flush(at: now)
  }

  /// Sends bytes of events.
  func send(event bytes: [UInt8], at now: Instant) {
    guard case .streaming = phase else { return }
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
