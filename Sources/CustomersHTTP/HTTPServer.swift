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
/// It speaks no TLS. Off this machine, it belongs after a proxy that does.
package final class HTTPServer: Sendable {
  private let listeners: Mutex<[Listener]>
  let limits: Limits
  let check: @Sendable (RequestHead) -> Judgment
  let handle: @Sendable (Request) async -> Response
  let mailbox = Mailbox()
  let executor = HandlerExecutor()

  /// Creates a server; connections wait until it runs.
  ///
  /// - Parameters:
  ///   - listeners: where connections arrive.
  ///   - limits: what a peer may use.
  ///   - check: judges each head; it must not wait.
  ///   - handle: answers the requests that were admitted, all on one thread: it awaits whatever takes long.
  package init(
    _ listeners: [Listener], limits: Limits = Limits(),
    check: @escaping @Sendable (RequestHead) -> Judgment,
    handle: @escaping @Sendable (Request) async -> Response
  ) {
    self.listeners = Mutex(listeners)
    (self.limits, self.check, self.handle) = (limits, check, handle)
  }

  /// Answers requests until `stop`; it is called once.
  package func run() {
    let listeners = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    var loop = ServerLoop(self, listeners)
    while loop.shouldContinue { loop.turn() }
  }

  /// Ends `run`: streams and idle connections at once, requests that are being answered afterward.
  package func stop() { mailbox.post(.stop) }
}
