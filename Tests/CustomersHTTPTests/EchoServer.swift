import CustomersHTTP
import CustomersTestSupport
import Foundation
import Synchronization

/// A server that answers each request with its method, target, and body.
///
/// It refuses `/secret`, knows whoever sends `Authorization`, and opens a stream at `/events`.
final class EchoServer: Sendable {
  let port: UInt16
  let server: HTTPServer
  let echo = Echo()
  private let ended = DispatchSemaphore(value: 0)

  init(_ change: (inout Limits) -> Void = { _ in }) throws {
    var limits = Limits()
    // On a busy machine an event may take long, and no comment may come before it.
    limits.heartbeatTime = .seconds(3600)
    change(&limits)
    let (listeners, port) = try Listener.loopback(port: 0)
    self.port = port
    server = HTTPServer(listeners, limits: limits, check: Echo.judge) { [echo] in await echo.answer($0) }
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
  /// Signaled for each stream that has ended.
  let endedStreams = DispatchSemaphore(value: 0)
  /// What the answer to `/wait` waits for.
  let mayAnswer = AsyncStream<Void>.makeStream()
  private let streams = Mutex<[AsyncStream<EventStream.Event>.Continuation]>([])

  /// Sends an event to each stream.
  func send(_ name: String, _ data: String) {
    for stream in streams.withLock(\.self) { stream.yield(EventStream.Event(name, data: data)) }
  }

  func endStreams() { for stream in streams.withLock(\.self) { stream.finish() } }

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
      let (events, continuation) = AsyncStream<EventStream.Event>.makeStream()
      continuation.onTermination = { [endedStreams] _ in endedStreams.signal() }
      streams.withLock { $0.append(continuation) }
      return Response(200, body: .events(EventStream(events) { $0 }))
    case "/wait":
      for await _ in mayAnswer.stream { break }
      return Response(200, text: text)
    case "/large": return Response(200, body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20)))
    default: return Response(200, text: text)
    }
  }
}
