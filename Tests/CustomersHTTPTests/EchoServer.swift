import CustomersHTTP
import CustomersTestSupport
import Foundation
import Synchronization

/// A server that answers each request with its method, target, and body.
///
/// It refuses `/secret`, knows whoever sends `Authorization`, and opens a stream at `/events`, which has the name that
/// follows the question mark.
final class EchoServer: Sendable {
  let port: UInt16
  let server: HTTPServer
  let echo = Echo()
  /// What the server has logged.
  var log: [String] { lines.withLock(\.self) }
  private let lines = Lines()
  private let ended = DispatchSemaphore(value: 0)

  init(_ change: (inout Limits) -> Void = { _ in }) throws {
    var limits = Limits()
    // On a busy machine an event may take long, and no comment may come before it.
    limits.heartbeatTime = .seconds(3600)
    change(&limits)
    let (listeners, port) = try Listener.loopback(port: 0)
    self.port = port
    server = HTTPServer(
      listeners, limits: limits, check: Echo.judge, handle: { [echo] in await echo.answer($0) },
      news: { [echo] in await echo.follow($0) }, log: { [lines] line in lines.withLock { $0.append(line) } })
    Thread.detachNewThread { [server, ended] in
      server.run()
      ended.signal()
    }
  }

  deinit { server.stop() }

  /// Stops it and waits until it has.
  func stop() {
    server.stop()
    ended.wait()
    ended.signal()
  }

  /// Connects, sends bytes, and returns the answer.
  func answer(to bytes: some Collection<UInt8> & Sendable) async throws -> Wire.Answer? {
    try await onOwnThread { [port] in
      let wire = try Wire(port: port)
      wire.send(bytes)
      return wire.answer()
    }
  }

  /// A request of a peer that is known.
  static func request(_ method: String, _ target: String, _ body: String = "") -> String {
    """
    \(method) \(target) HTTP/1.1\r
    Host: localhost\r
    Authorization: yes\r
    Content-Length: \(body.utf8.count)\r
    \r
    \(body)
    """
  }
}

/// The handler of the server.
final class Echo: Sendable {
  /// What has arrived.
  var handled: [String] { arrived.withLock(\.self) }
  private let arrived = Mutex<[String]>([])
  /// How often the news were followed.
  var follows: Int { count.load(ordering: .relaxed) }
  private let count = Atomic(0)
  /// Signaled whenever the news are no longer followed.
  let endedNews = DispatchSemaphore(value: 0)
  /// What the answer to `/stuck` waits for, on the thread of the handlers.
  let mayGoOn = DispatchSemaphore(value: 0)
  /// What the answer to `/wait` waits for.
  let mayAnswer = AsyncStream<Void>.makeStream()
  private let source = Mutex<AsyncStream<Event>.Continuation?>(nil)

  /// Sends an event to each stream.
  func send(_ name: String, _ data: String) {
    _ = source.withLock(\.self)?.yield(Event(name, data: data))
  }

  func endNews() { source.withLock(\.self)?.finish() }

  /// Begins with `hello`; whoever comes later gets it and the last event.
  func follow(_ report: @escaping @Sendable ([UInt8], [UInt8]) -> Void) async {
    let (events, source) = AsyncStream<Event>.makeStream()
    self.source.withLock { $0 = source }
    count.add(1, ordering: .relaxed)
    let hello = Event("hello", data: "").bytes
    report(hello, hello)
    for await event in events { report(event.bytes, hello + event.bytes) }
    endedNews.signal()
  }

  static func judge(_ head: RequestHead) -> Judgment {
    head.path == "/secret"
      ? .refused(Response(401, text: "no")) : .admitted(isKnown: head["authorization"] != nil)
  }

  func answer(_ request: Request) async -> Response {
    let text =
      "\(request.head.method) \(request.head.target) \(String(decoding: request.body, as: UTF8.self))"
    arrived.withLock { $0.append(text) }
    switch request.head.path {
    case "/events":
      let name = request.head.target.split(separator: "?").dropFirst().last
      return Response(200, body: .news(name: name.map(String.init)))
    case "/stuck":
      mayGoOn.wait()
      return Response(200, text: text)
    case "/wait":
      for await _ in mayAnswer.stream { break }
      return Response(200, text: text)
    case "/large": return Response(200, body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20)))
    default: return Response(200, text: text)
    }
  }
}

/// Lines that any thread may add.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func withLock<Result>(_ body: (inout sending [String]) -> sending Result) -> Result { lines.withLock(body) }
}

extension Response {
  /// An answer of one line of text.
  init(_ status: Int, text: String) { self.init(status, body: .bytes(Array("\(text)\n".utf8))) }
}
