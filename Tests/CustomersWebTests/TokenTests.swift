import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// A token is done once, however often it is sent.
@Suite(.onThreads) struct TokenTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B") }

  @Test func `of many requests with one token, one is done`() async throws {
    let token = TransactionToken().rawValue
    let list = list
    let again = try await withThrowingTaskGroup(of: Bool?.self) { group in
      for _ in 0..<30 { group.addTask { try await list.add(token).again } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(again.count { $0 == false } == 1 && again.count { $0 == true } == 29)
    #expect(try list.ids == [1, 2, 3])
  }

  @Test func `a canceled request can be repeated`() async throws {
    let list = list
    for round in 0..<40 {
      let token = TransactionToken().rawValue
      let task = Task { try await list.add(token).status }
      if round % 2 == 0 { await Task.yield() }
      task.cancel()
      let status = try await task.value
      #expect(status == 200 || status == 503)
      #expect(try await list.add(token).again == (status == 200))
      #expect(try list.ids.count == 3 + round)
    }
  }

  @Test func `a settled token can't be committed`() async throws {
    let token = TransactionToken().rawValue
    // Who can only read learns it, and prevents nothing.
    #expect(try await TestAPI(list.store, isReadOnly: true).settle(token)["outcome"] == "not_done")
    #expect(try list.look { try $0.outcome(of: TransactionToken(rawValue: token)) } == .notCommitted)
    #expect(try await list.settle(token)["outcome"] == "not_done")
    let answer = try await list.add(token)
    #expect(answer.status == 409 && answer.kind == "canceled")
    #expect(try list.ids == [1, 2])
  }

  @Test(arguments: [false, true])
  func `who asks another server what became of an edit gets its step`(isReadOnly: Bool) async throws {
    let token = TransactionToken().rawValue
    let made = try await list.add(token)
    _ = try await list.add(TransactionToken().rawValue)
    let found = try await TestAPI(list.store, isReadOnly: isReadOnly).settle(token)
    #expect(found["outcome"] == "done" && found[number: "step"] == made[number: "step"])
    #expect(found["version"] == made["version"] && found["text"] == made["text"])
  }

  @Test(arguments: [
    #"{"rename_section":{"id":1,"title":"Customers"}}"#, #"{"move_section":{"id":1,"to":1}}"#,
    #"{"set_column_kind":{"name":"X","kind":"date"}}"#, #"{"rename_column":{"name":"X","to":"X"}}"#,
  ])
  func `an edit that changed nothing never claims the step of another one`(edit: String) async throws {
    try list.change { list in try list.declareColumn("X", kind: .date) }
    let token = TransactionToken().rawValue
    let first = try await list.v1(edits: edit, #""token":"\#(token)""#)
    #expect(first.status == 200 && first["outcome"] == "unchanged")
    _ = try await list.add(TransactionToken().rawValue)
    // As after a restart.
    let other = TestAPI(list.store)
    let again = try await other.v1(edits: edit, #""token":"\#(token)""#)
    #expect(again.status == 200 && again["outcome"] == "unchanged" && again.json["step"] is NSNull)
    #expect(try await other.settle(token)["outcome"] == "not_done")
  }

  @Test func `a request that was done is not done to a list without its rows`() async throws {
    let shared = try SharedList()
    let (list, copy) = (shared.list, shared.folder.path + "/copy.sqlite")
    try list.store.backUp(to: copy)
    #expect(try await list.add(TransactionToken().rawValue).ids == [4])
    let token = TransactionToken().rawValue
    func edit() async throws -> Answer {
      try await list.v1(edits: #"{"update":{"ids":[4],"set":{"note":"x"}}}"#, #""token":"\#(token)""#)
    }
    #expect(try await edit().status == 200)
    try list.store.restore(
      CustomerStore.checkBackup(at: copy, forListAt: shared.folder.path + "/list.sqlite"), keepingListAt: nil)
    #expect(try await list.add(TransactionToken().rawValue).ids == [4])
    let answer = try await edit()
    #expect(answer.status == 409 && answer["reason"] == "other_list")
    #expect(try await list.v1("rows/4").object("row")["note"] as? String == "")
  }

  @Test(arguments: ["", "12", String(repeating: "g", count: 32), String(repeating: "1", count: 33), "-1"])
  func `a token of another form is refused`(token: String) async throws {
    #expect(try await list.add(token).status == 400)
    #expect(try await list.settle(token).status == 400)
  }

  @Test func `undo and redo revert the step that was shown, once`() async throws {
    _ = try await list.add(TransactionToken().rawValue)
    let step = try await list.rows().object("undo")
    let (id, time) = (try #require(step["step"] as? Int), try #require(step["time"] as? String))
    func body(_ token: String, _ time: String) -> String {
      #"{"token":"\#(token)","step":\#(id),"time":"\#(time)","page":"p"}"#
    }
    let wrong = try await list.v1("undo", body: body(TransactionToken().rawValue, "2000-01-01T00:00:00.000Z"))
    #expect(wrong.status == 409 && wrong.object("error")["reason"] as? String == "other_step")
    #expect((wrong.object("error")["next"] as? [String: Any])?["step"] as? Int == id)
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
    #expect(
      try await list.v1("undo", body: body(TransactionToken().rawValue, time))["remedy"]
        == "Nothing needs to be done.")
    #expect(try await list.v1("redo", body: body(TransactionToken().rawValue, time)).status == 200)
    #expect(try list.ids == [1, 2, 3])
  }
}

extension TestAPI {
  /// Adds a customer, with a token.
  fileprivate func add(_ token: String) async throws -> Answer {
    try await v1(
      edits: #"{"insert":{"customers":[{"first_name":"N"}],"section":1,"to":"last"}}"#,
      #""token":"\#(token)""#)
  }
}
