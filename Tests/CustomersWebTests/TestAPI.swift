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
    api = ListAPI(
      store: store, isReadOnly: isReadOnly, program: "0.2.0", build: "b", listName: "test", policy: policy,
      lockHolder: { "sqlite3 (process 42)" })
  }

  /// The API of a list in memory, drawn as in `CustomerStore.inMemory`.
  init(_ drawing: SampleList, policy: EditingPolicy = EditingPolicy()) throws {
    self.init(try CustomerStore.inMemory(drawing), policy: policy)
  }

  func get(_ path: String, _ query: [String: String] = [:]) async throws -> Answer {
    Answer(await api.answer(APIRequest(method: "GET", path: "/api/" + path, query: query)))
  }

  func post(_ path: String, _ body: String) async throws -> Answer {
    Answer(await api.answer(APIRequest(method: "POST", path: "/api/" + path, body: Array(body.utf8))))
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
    return try await post(
      "edit",
      """
      {"token":"\(token)","seen":{"history":"\(seen.mark)","edit":\(seen.edit)},"edit":\(edit),"page":"\(page)"}
      """)
  }

  /// Asks for rows of what a page shows; `rows` are the members that say which.
  func view(
    _ text: String, only: Bool = true, sort: String? = nil, descending: Bool = false, page: String = "p",
    _ rows: String
  ) async throws -> Answer {
    let order = sort.map { #","sort":"\#($0)","descending":\#(descending)"# } ?? ""
    return try await post(
      "view", #"{"page":"\#(page)","view":{"text":"\#(text)","only":\#(only)\#(order)},\#(rows)}"#)
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
  let json: [String: Any]

  init(_ answer: APIAnswer) {
    status = answer.status
    let object = try? JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
    json = object as? [String: Any] ?? [:]
  }

  subscript(name: String) -> String? { json[name] as? String }
  subscript(number name: String) -> Int? { json[name] as? Int }
  func object(_ name: String) -> [String: Any] { json[name] as? [String: Any] ?? [:] }
  func objects(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }
  /// What went wrong, in an answer of the API.
  var kind: String? { object("error")["kind"] as? String }
  var message: String? { object("error")["message"] as? String }
  var ids: [Int] { json["ids"] as? [Int] ?? [] }
  var again: Bool? { json["again"] as? Bool }
}
