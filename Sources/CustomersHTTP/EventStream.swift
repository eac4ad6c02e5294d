/// An answer that stays open and sends events as they happen (`text/event-stream`).
///
/// It ends when its events end, when the peer goes away, when more is unsent than `Limits.unsent`, or with the server.
package struct EventStream: Sendable {
  /// One event.
  package struct Event: Sendable {
    package let name: String
    package let data: String

    package init(_ name: String, data: String) { (self.name, self.data) = (name, data) }

    /// A line of `data` for each line of the data, so that none is taken for a field.
    var bytes: [UInt8] {
      let lines = data.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0a || $0 == 0x0d }
      return Array("event: \(name)\n\(lines.map { "data: \(Substring($0))\n" }.joined())\n".utf8)
    }
  }

  /// A comment, which keeps proxies from closing a quiet stream.
  static let heartbeat = Array(":\n\n".utf8)

  /// Passes the events on as they happen, until there are no more or the task is canceled.
  let follow: @Sendable (_ send: @escaping @Sendable (Event) -> Void) async -> Void

  /// Creates a stream of the elements of another one.
  package init<Element: Sendable>(
    _ elements: AsyncStream<Element>, _ event: @escaping @Sendable (Element) -> Event
  ) {
    follow = { send in for await element in elements { send(event(element)) } }
  }
}
