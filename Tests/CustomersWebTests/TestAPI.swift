import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersText
@testable import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// An API on a list, and short forms of its requests.
struct TestAPI {
  let store: CustomerStore
  let api: ListAPI

  init(_ store: CustomerStore, isReadOnly: Bool = false, policy: EditingPolicy = EditingPolicy()) {
    self.store = store
    // No test runs so long that presence or an edit that waits ends by itself.
    api = ListAPI(
      store: store, isReadOnly: isReadOnly, program: "0.2.0", build: "b", listName: "test", policy: policy,
      lockHolder: { "sqlite3 (process 42)" }, presenceLifetime: .seconds(3600), writeLimit: .seconds(3600))
  }

  /// The API of a list in memory, drawn as in `CustomerStore.inMemory`.
  init(_ drawing: SampleList, policy: EditingPolicy = EditingPolicy()) throws {
    self.init(try CustomerStore.inMemory(drawing), policy: policy)
  }

  /// Sends a request of the API; one with a body is a `POST`.
  func v1(_ path: String, _ query: [String: String] = [:], body: String? = nil) async throws -> Answer {
    Answer(
      await api.answer(
        APIRequest(
          method: body == nil ? "GET" : "POST", path: "/v1/" + path, query: query,
          body: Array((body ?? "").utf8))))
  }

  /// Sends edits as JSON, and further members.
  func v1(edits: String, _ members: String = "") async throws -> Answer {
    try await v1("edits", body: #"{"edits":[\#(edits)]\#(members.isEmpty ? "" : "," + members)}"#)
  }

  /// Sends an edit, of the list as it is now unless a version is given.
  func edit(
    _ edit: String, seen: ListVersion? = nil, token: String = TransactionToken().rawValue, page: String = "p"
  ) async throws -> Answer {
    let seen = if let seen { seen } else { try version }
    return try await v1(edits: edit, #""token":"\#(token)","seen":"\#(seen.text)","page":"\#(page)""#)
  }

  /// Asks what became of an edit, which is not made later.
  func settle(_ token: String) async throws -> Answer {
    try await v1("settle", body: #"{"token":"\#(token)"}"#)
  }

  /// Asks for rows as a page does.
  func rows(_ query: [String: String] = [:]) async throws -> Answer {
    try await v1("rows", ["brief": "true", "outline": "", "steps": "true"].merging(query) { $1 })
  }

  /// Asks for rows of what a page shows.
  func view(
    _ text: String, only: Bool = true, sort: String? = nil, page: String = "p",
    _ query: [String: String] = [:]
  ) async throws -> Answer {
    var view = ["session": page, "text": text, "only": "\(only)"]
    view["sort"] = sort
    return try await rows(view.merging(query) { $1 })
  }

  /// The changes of the list from now on.
  func events() -> AsyncStream<APIEvent> {
    AsyncStream { [api] stream in
      let following = Task {
        await api.follow { stream.yield($0) }
        stream.finish()
      }
      stream.onTermination = { _ in following.cancel() }
    }
  }

  /// Edits the list as another program, without the API.
  func change(_ body: (inout CustomerList) throws -> Void) throws { try store.write(body) }

  /// Reads the list without the API.
  func look<Result: Sendable>(_ body: (borrowing CustomerList) throws -> Result) throws -> Result {
    try store.read(body)
  }

  /// The ids of all rows.
  var ids: [Int64] { get throws { try store.read { try ListContents($0).rows.map(\.rawValue) } } }

  var version: ListVersion { get throws { try store.read { try $0.version() } } }
}

/// An answer and the values in it.
struct Answer {
  let status: Int
  /// The members, with those of the error.
  let json: [String: Any]

  init(_ answer: APIAnswer) {
    status = answer.status
    let object = try? JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
    let members = object as? [String: Any] ?? [:]
    json = members.merging(members["error"] as? [String: Any] ?? [:]) { $1 }
  }

  subscript(name: String) -> String? { json[name] as? String }
  subscript(number name: String) -> Int? { json[name] as? Int }
  func object(_ name: String) -> [String: Any] { json[name] as? [String: Any] ?? [:] }
  func objects(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
  /// What went wrong.
  var kind: String? { self["kind"] }
  var message: String? { self["message"] }
  var ids: [Int] { json["ids"] as? [Int] ?? [] }
  var again: Bool? { json["again"] as? Bool }
}
