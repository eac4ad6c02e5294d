import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// A token is done once, however often it is sent.
@Suite(.onThreads) struct TokenTests {
  private static let add = #"{"insert":{"fields":{"first_name":"N"},"section":1,"at":"last"}}"#
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B") }

  @Test func `a repeated request is answered as before, and nothing is done twice`() async throws {
    let token = TransactionToken().rawValue
    let first = try await list.edit(Self.add, token: token)
    let second = try await list.edit(Self.add, token: token.uppercased())
    #expect(first.again == false && second.again == true && second.status == 200)
    #expect(second["notice"] == first["notice"] && second[number: "step"] == first[number: "step"])
    #expect(second.ids == first.ids && first.ids == [3])
    #expect(try list.ids == [1, 2, 3])
    let outcome = try await list.get("outcome", ["token": token])
    #expect(outcome["outcome"] == "committed" && outcome[number: "step"] == first[number: "step"])
  }

  @Test func `of many requests with one token, one is done`() async throws {
    let token = TransactionToken().rawValue
    let list = list
    let again = try await withThrowingTaskGroup(of: Bool?.self) { group in
      for _ in 0..<30 { group.addTask { try await list.edit(Self.add, token: token).again } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(again.count { $0 == false } == 1 && again.count { $0 == true } == 29)
    #expect(try list.ids == [1, 2, 3])
  }

  @Test func `after a restart a repeated request is not done twice either`() async throws {
    let token = TransactionToken().rawValue
    _ = try await list.edit(Self.add, token: token)
    let answer = try await TestAPI(list.store).edit(Self.add, token: token)
    #expect(answer.again == true && answer.json["step"] is NSNull)
    #expect(try list.ids == [1, 2, 3])
  }

  @Test func `a canceled request can be repeated`() async throws {
    let list = list
    for round in 0..<40 {
      let token = TransactionToken().rawValue
      let task = Task { try await list.edit(Self.add, token: token).status }
      if round % 2 == 0 { await Task.yield() }
      task.cancel()
      let status = try await task.value
      #expect(status == 200 || status == 503)
      #expect(try await list.edit(Self.add, token: token).again == (status == 200))
      #expect(try list.ids.count == 3 + round)
    }
  }

  @Test func `a settled token can't be committed`() async throws {
    let token = TransactionToken().rawValue
    #expect(try await list.get("outcome", ["token": token])["outcome"] == "notCommitted")
    #expect(try await list.get("outcome", ["token": token, "settle": "1"])["outcome"] == "notCommitted")
    let answer = try await list.edit(Self.add, token: token)
    #expect(answer.status == 409 && answer["outcome"] == "refused")
    #expect(try list.ids == [1, 2])
  }

  @Test(arguments: ["", "12", String(repeating: "g", count: 32), String(repeating: "1", count: 33), "-1"])
  func `a token of another form is refused`(token: String) async throws {
    #expect(try await list.edit(Self.add, token: token).status == 400)
    #expect(try await list.get("outcome", ["token": token]).status == 400)
  }

  @Test func `undo and redo revert the step that was shown, once`() async throws {
    _ = try await list.edit(Self.add)
    let step = try await list.get("rows").object("undo")
    let (id, time) = (try #require(step["id"] as? Int), try #require(step["time"] as? String))
    func body(_ token: String, _ time: String) -> String {
      #"{"token":"\#(token)","step":\#(id),"time":"\#(time)","page":"p"}"#
    }
    let wrong = try await list.v1("undo", body: body(TransactionToken().rawValue, "2000-01-01T00:00:00.000Z"))
    #expect(wrong.status == 409 && wrong.object("error")["reason"] as? String == "other_step")
    #expect((wrong.object("error")["next"] as? [String: Any])?["id"] as? Int == id)
    let token = TransactionToken().rawValue
    let undone = try await list.v1("undo", body: body(token, time))
    #expect(undone.status == 200 && undone["text"] == #"Undid add: deleted "N", row 3."#)
    #expect(undone[number: "step"] == id + 1)
    let again = try await list.v1("undo", body: body(token, time))
    #expect(again.again == true && again[number: "step"] == id + 1 && again["text"] == undone["text"])
    #expect(try list.ids == [1, 2])
    #expect(
      try await list.v1("undo", body: body(TransactionToken().rawValue, time)).object("error")["next"]
        is NSNull)
    #expect(try await list.v1("redo", body: body(TransactionToken().rawValue, time)).status == 200)
    #expect(try list.ids == [1, 2, 3])
  }
}
