internal import Dispatch

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
  let handle: @Sendable (Request) async -> Response
  let news: News
  let mailbox = Mailbox()
  let executor = HandlerExecutor()
  private let log: @Sendable (String) -> Void
  private let logQueue = DispatchQueue(label: "customers.log")

  /// Creates a server; connections wait until it runs.
  ///
  /// - Parameters:
  ///   - listeners: where connections arrive.
  ///   - limits: what a peer may use.
  ///   - check: judges each head; it must not wait.
  ///   - handle: answers the requests that were admitted, all on one thread: it awaits whatever takes long.
  ///   - news: what streams report, on the same thread.
  ///   - log: writes a line for whoever runs the server, on a thread that may wait.
  package init(
    _ listeners: [Listener], limits: Limits = Limits(),
    check: @escaping @Sendable (RequestHead) -> Judgment,
    handle: @escaping @Sendable (Request) async -> Response,
    news: @escaping News = { _ in }, log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.listeners, self.limits, self.check, self.handle) = (listeners, limits, check, handle)
    (self.news, self.log) = (news, log)
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
