internal import CustomersHTTP
internal import CustomersText
internal import Synchronization

/// Counts the answers of a page's server, for a program that watches over it: `GET /metrics`, in the text form of
/// Prometheus.
///
/// Only the page's own key opens it. There is never a value, a name, or a key in it.
final class Metrics: Sendable {
  static let path: Substring = "/metrics"
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  private struct Kind: Hashable {
    var method, route: String
    var status: Int
  }

  private struct Count {
    var requests = 0
    var time = Duration.zero
  }

  private let counts = Mutex<[Kind: Count]>([:])

  /// Counts an answer.
  func note(_ head: RequestHead, _ status: Int, after time: Duration = .zero) {
    // What anyone may ask for has one name, so that no one can make this grow.
    let route = SitePath.name(of: head)
    let kind = Kind(method: route == nil ? "-" : head.method, route: route ?? "-", status: status)
    counts.withLock { counts in
      counts[kind, default: Count()].requests += 1
      counts[kind, default: Count()].time += time
    }
  }

  /// The counts, and how the list is.
  ///
  /// - Parameter rows: how many rows the list has; nil if it can't be read.
  /// - Returns: lines of text.
  func text(rows: Int?) -> String {
    let counts = counts.withLock(\.self).map { kind, count in
      ("{method=\"\(kind.method)\",route=\"\(kind.route)\",status=\"\(kind.status)\"}", count)
    }.sorted { $0.0 < $1.0 }
    func metric(_ name: String, _ type: String, _ help: String, _ lines: [(String, String)]) -> String {
      "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n" + lines.map { "\(name)\($0.0) \($0.1)\n" }.joined()
    }
    return metric(
      "customers_requests_total", "counter", "Requests that were answered.",
      counts.map { ($0.0, "\($0.1.requests)") })
      + metric(
        "customers_request_seconds_total", "counter", "How long their answers took.",
        counts.map { ($0.0, "\($0.1.time / .seconds(1))") })
      + metric(
        "customers_list_readable", "gauge", "Whether the list can be read.", [("", rows == nil ? "0" : "1")])
      + (rows.map { metric("customers_rows", "gauge", "The rows of the list.", [("", "\($0)")]) } ?? "")
  }
}
