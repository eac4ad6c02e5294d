internal import CustomersPlatform

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
        return send(Response(413, text: "The body is too long."), keepsAlive: false, at: now)
      }
      (phase, deadline) = (.readingBody(head), now + limits.bodyTime)
      if head.expectsContinue, head.contentLength > 0, input.isEmpty {
        output.add(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        flush(at: now)
      }
    }
  }
}
