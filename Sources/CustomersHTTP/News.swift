/// What the streams of a server report: one task follows it for all of them, while there are any.
///
/// It runs until its task is canceled and passes on the bytes of what has happened, with those that a reader who comes
/// later gets first. If it ends by itself, so do the streams.
package typealias News =
  @Sendable (_ report: @escaping @Sendable (_ events: [UInt8], _ greeting: [UInt8]) -> Void) async -> Void

/// One event of a stream (`text/event-stream`).
package struct Event: Sendable {
  let name: String
  let data: String

  package init(_ name: String, data: String) { (self.name, self.data) = (name, data) }

  /// A line of `data` for each line of the data, so that none is taken for a field.
  package var bytes: [UInt8] {
    let lines = data.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0a || $0 == 0x0d }
    return Array("event: \(name)\n\(lines.map { "data: \(Substring($0))\n" }.joined())\n".utf8)
  }

  /// A comment, which keeps proxies from closing a quiet stream.
  static let heartbeat = Array(":\n\n".utf8)
}
