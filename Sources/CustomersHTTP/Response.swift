internal import CustomersSystem

/// An answer: a status, headers, and bytes, or a stream that stays open.
package struct Response: Sendable {
  /// The events of one stream; nil if it is over.
  package typealias Events = @Sendable () async -> [UInt8]?

  /// What follows the headers.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// The news, as long as the peer stays; an earlier stream of the same name ends. Once there are news, `missed` is
    /// called for those before them: an event may come twice, but none is left out. With `own`, the stream gets what that
    /// returns instead of the news, each time that there are any.
    case news(name: String?, missed: Events? = nil, own: Events? = nil)
  }

  /// Such as 200.
  package var status: Int
  /// Names and values; the length, the date, and those of the connection are added.
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Creates an answer that says why a request is refused, as an object.
  ///
  /// - Parameters:
  ///   - status: the status.
  ///   - kind: a word for programs.
  ///   - text: the same for people; like the others, without quotes and anything that was sent.
  ///   - remedy: what helps.
  package init(_ status: Int, _ kind: String, text: String, remedy: String) {
    self.init(
      status,
      headers: [
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ],
      body: .bytes(
        Array(#"{"error":{"kind":"\#(kind)","message":"\#(text)","remedy":"\#(remedy)"}}"#.utf8)))
  }

  /// Answers a request that can't be read.
  init(_ error: RequestError) {
    self.init(error.status, "bad_request", text: error.message, remedy: "Send another request.")
  }

  /// The bytes to send first: of a stream, those before its first event.
  ///
  /// - Parameters:
  ///   - keepsAlive: whether the connection stays open for another request.
  ///   - hasBody: false for the answer to `HEAD`.
  /// - Returns: the head, and the body if there is one.
  func encoded(keepsAlive: Bool, hasBody: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(Response.reason(status))", "Date: \(Response.date())"]
    lines += headers.map { "\($0.name): \($0.value)" }
    var bytes: [UInt8] = []
    switch body {
    case .bytes(let content):
      // After 304, the length would be that of the content which is not sent.
      if status != 304 { lines.append("Content-Length: \(content.count)") }
      if hasBody { bytes = content }
    case .news:
      // Without the last one, nginx would keep the events until it has some thousand bytes.
      lines += ["Content-Type: text/event-stream", "Cache-Control: no-store", "X-Accel-Buffering: no"]
    }
    if !keepsAlive { lines.append("Connection: close") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + bytes
  }

  /// The time now (RFC 9110, §5.6.7).
  private static func date() -> String { timeNow("%a, %d %b %Y %H:%M:%S GMT") }

  private static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

  private static let reasons = [
    200: "OK", 202: "Accepted", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    415: "Unsupported Media Type", 417: "Expectation Failed", 421: "Misdirected Request",
    422: "Unprocessable Content", 423: "Locked", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 503: "Service Unavailable",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}

/// The time now in UTC, in a format of strftime(3), as at most 63 bytes.
package func timeNow(_ format: String) -> String {
  var (now, parts) = (time(nil), unsafe tm())
  unsafe gmtime_r(&now, &parts)
  var text = [CChar](repeating: 0, count: 64)
  let count = unsafe strftime(&text, text.count, format, &parts)
  return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
