import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

@testable import CustomersWeb

/// Copies of the list that a page sends, to be pulled.
@Suite(.onThreads) struct PullRequestTests {
  private static let file = String(repeating: "a", count: 32)

  /// A list, and what a request with a copy of it is answered, which was edited on its own.
  private func world(
    _ here: (inout CustomerList) throws -> Void, _ there: (inout CustomerList) throws -> Void
  )
    throws -> (list: TestAPI, copy: [UInt8])
  {
    try withTemporaryFolder { folder in
      let store = try CustomerStore.inMemory("Ann, Bob, Cid")
      try store.backUp(to: folder + "/copy.sqlite")
      let copy = try CustomerStore(path: folder + "/copy.sqlite")
      try store.write(here)
      try copy.write(there)
      try copy.backUp(to: folder + "/sent.sqlite")
      return (TestAPI(store), try bytes(of: folder + "/sent.sqlite"))
    }
  }

  private func send(_ bytes: [UInt8], to list: TestAPI) async -> Int {
    await list.api.answer(
      APIRequest(method: "POST", path: "/v1/files", query: ["file": Self.file, "at": "0"], body: bytes)
    ).status
  }

  private func pull(_ list: TestAPI, _ members: String) async throws -> Answer {
    try await list.v1("pull", body: #"{"file":"\#(Self.file)","name":"ann.sqlite"\#(members)}"#)
  }

  @Test func `a copy is shown, with the conflicts, and pulled as they were decided`() async throws {
    let (list, copy) = try world {
      try $0.update(1) { $0.phone = "111" }
      try $0.update(2) { $0.phone = "2" }
    } _: {
      try $0.update(1) { $0.phone = "222" }
      try $0.update(2) { $0.phone = "3" }
      _ = try $0.insert(CustomerFields(name: "Dan"))
    }
    #expect(await send(copy, to: list) == 200)
    let before = try list.version
    let preview = try await pull(list, #","dry_run":true"#)
    #expect(preview.status == 200 && preview["relation"] == "apart")
    #expect(
      preview.message == nil
        && preview["text"]?.hasPrefix("Would take in 1 step made in \"ann.sqlite\" since ") == true)
    let conflicts = preview.objects("conflicts")
    #expect(conflicts.map { $0["theirs"] as? String } == ["222", "3"])
    #expect(conflicts.map { $0["winner"] as? String } == ["theirs", "theirs"])
    #expect(try list.version == before)
    // Someone must say whose change counts.
    let refused = try await pull(list, "")
    #expect(refused.status == 409 && refused.kind == "refused" && refused.objects("conflicts").count == 2)
    let key = try #require(conflicts[0]["key"] as? String)
    let asked =
      #","token":"\#(String(repeating: "b", count: 32))","resolve":"latest","sides":[{"key":"\#(key)","side":"ours"}]"#
    let made = try await pull(list, asked)
    #expect(made.status == 200 && made.json["lines"] == nil)
    #expect(try list.look { try [$0.customer(1), $0.customer(2)].map(\.fields.phone) } == ["111", "3"])
    #expect(try list.look { try $0.count() } == 4)
    #expect(try list.look { try $0.history(limit: 1).first?.action } == "take")
    // The same request again has its first answer, and the file is gone.
    let again = try await pull(list, asked)
    #expect(again.status == 200 && again.again == true)
    #expect(try await pull(list, "").status == 404)
    #expect(list.api.files.names.isEmpty)
    // Pulled again, it has nothing new.
    #expect(await send(copy, to: list) == 200)
    let nothing = try await pull(list, #","dry_run":true"#)
    #expect(nothing["relation"] == "same")
    #expect(nothing["text"] == "Nothing new in \"ann.sqlite\": your list is the same, or later.")
    #expect(try await pull(list, "")["outcome"] == "unchanged")
  }

  @Test func `what can't be pulled`() async throws {
    let (list, copy) = try world { _ in
    } _: {
      _ = try $0.insert(CustomerFields(name: "Dan"))
    }
    for (bytes, status) in [(Array("no list".utf8), 422), (Array(copy[..<8192]), 422)] {
      #expect(await send(bytes, to: list) == 200)
      let answer = try await pull(list, #","resolve":"latest""#)
      #expect(answer.status == status, "\(answer.json)")
      _ = try await list.v1("cancel", body: #"{"file":"\#(Self.file)"}"#)
    }
    let other = try TestAPI("A")
    #expect(await send(copy, to: other) == 200)
    let answer = try await pull(other, "")
    #expect(answer.status == 409 && answer.message == "Nothing was changed: it is not a copy of this list.")
    #expect(try await pull(other, #","resolve":"mine""#).status == 400)
    #expect(try await pull(other, #","sides":[{"key":"x","side":"all"}]"#).status == 400)
    for store in [list.store, other.store] { #expect(try await store.read { try $0.check() } == []) }
  }

  @Test func `copies whose histories were erased need to be accepted`() async throws {
    let (list, copy) = try world {
      try $0.update(1) { $0.phone = "1" }
      try $0.forgetHistory()
    } _: {
      try $0.update(1) { $0.phone = "2" }
      try $0.forgetHistory()
    }
    #expect(await send(copy, to: list) == 200)
    let preview = try await pull(list, #","dry_run":true"#)
    #expect(preview["relation"] == "unrelated")
    #expect(try await pull(list, #","resolve":"theirs""#).status == 409)
    #expect(try await pull(list, #","resolve":"theirs","unrelated":true"#).status == 200)
    #expect(try list.look { try $0.customer(1).fields.phone } == "2")
  }
}
