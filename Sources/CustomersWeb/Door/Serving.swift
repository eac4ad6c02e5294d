public import CustomerStore
internal import CustomersHTTP
internal import Dispatch

// Apple's systems have Foundation loaded anyway; elsewhere FoundationEssentials lets a program start faster.
#if Foundation
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  extension Listener.Refused: LocalizedError {
    /// The description, for `localizedDescription` in an app.
    package var errorDescription: String? { "the port can't be used: \(description)" }
  }
#endif

/// For a program of one's own that answers for a list, or shows its page.
extension ListAPI {
  /// Creates the requests of a list.
  ///
  /// - Parameters:
  ///   - store: the list.
  ///   - name: the name that the page has for it.
  ///   - isReadOnly: whether edits are refused.
  public convenience init(_ store: CustomerStore, named name: String = "", isReadOnly: Bool = false) {
    self.init(
      store: store, isReadOnly: isReadOnly, program: "", build: PageFiles.own.build, listName: name)
  }

  /// Answers a request of the API, for a server that has judged already who may ask.
  ///
  /// `GET /v1/openapi.json` describes them all. `GET /v1/events` has what happened since a version; only `serve` has streams.
  ///
  /// - Parameters:
  ///   - method: `GET` or `POST`.
  ///   - target: the path and the query, such as `/v1/rows?limit=50`.
  ///   - body: JSON, or the bytes of a file.
  /// - Returns: the status code of HTTP, the media type, and the body; a request that can't be done has an answer, too.
  public func answer(
    _ method: String, _ target: String, body: [UInt8] = []
  ) async -> (status: Int, type: String, body: [UInt8]) {
    guard let query = TargetQuery.read(target) else {
      let answer = APIError(.badRequest, "The query is malformed.").answer
      return (answer.status, answer.type.rawValue, answer.body)
    }
    let path = String(target.prefix { $0 != "?" })
    let answer = await answer(APIRequest(method: method, path: path, query: query, body: body))
    return (answer.status, answer.type.rawValue, answer.body)
  }

  /// Serves the page and the API on this machine until the task is canceled.
  ///
  /// It speaks no TLS; off this machine, it belongs after a proxy that does.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for any that is free.
  ///   - names: the names of a proxy, which passes requests on with their `Host`.
  ///   - onReady: receives the address of the page, with a key that is a new one each time. Who has it can edit the list.
  /// - Throws: an error if the port can't be used.
  public func serve(
    port: UInt16 = 0, names: [String] = [], onReady: @Sendable (_ address: String) -> Void
  ) async throws {
    let (listeners, port) = try Listener.loopback(port: port)
    let token = WebAddress().token
    let server = HTTPServer(
      of: self, on: listeners, hosts: PageHosts(port: port, names: names), token: token)
    onReady("\(WebAddress.base(names, port: port))/#\(token)")
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "customers.web").async {
          server.run()
          continuation.resume()
        }
      }
    } onCancel: {
      server.stop()
    }
  }
}
