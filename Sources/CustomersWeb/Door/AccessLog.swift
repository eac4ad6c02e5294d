internal import CustomersHTTP
package import CustomersSystem
internal import Dispatch

/// Writes a line for each request of pages and programs: when it was answered, who asked, for what, the status, and the
/// milliseconds that it took.
///
///     2026-11-26T08:15:02Z - GET /v1/rows 200 3
///
/// A `-` in place of a name means that the key names no one. There is never a value or a key in it: the query is left out, and
/// so is a path at which there is nothing. A stream of changes has its line when it begins.
package final class AccessLog: Sendable {
  private let descriptor: FileDescriptor
  private let queue = DispatchQueue(label: "customers.access")

  /// Creates a log at the end of an open file.
  package init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Waits until all lines are written.
  package func flush() { queue.sync {} }

  /// Takes note of an answer, without waiting until it is written.
  func note(_ head: RequestHead, _ status: Int, by person: String? = nil, after time: Duration = .zero) {
    let name = SitePath.name(of: head).map { "\(head.method) \($0)" } ?? "- -"
    let (seconds, rest) = time.components
    let milliseconds = seconds * 1000 + rest / 1_000_000_000_000_000
    // In one word, as the rest of the line.
    let who = person.map { String($0.map { $0.isWhitespace || $0 == "-" ? "_" : $0 }) } ?? "-"
    queue.async { [descriptor] in
      let line =
        "\(timeNow("%Y-%m-%dT%H:%M:%SZ")) \(who) \(name) \(status) \(milliseconds)\n"
      // Whoever has no room for the log still has the list.
      try? descriptor.write(Array(line.utf8))
    }
  }
}
