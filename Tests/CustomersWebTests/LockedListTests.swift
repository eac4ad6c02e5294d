import CustomerFixtures
import CustomerStore
@testable import CustomersWeb
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// Requests while another program has locked the file.
@Suite(.onThreads) struct LockedListTests {
  private let shared: SharedList
  private var list: TestAPI { shared.list }
  private var other: Connection { shared.other }

  init() throws { shared = try SharedList() }

  @Test func `many requests wait for the file, and other answers come`() async throws {
    try other.execute("BEGIN EXCLUSIVE")
    let list = list
    let waiting = (0..<50).map { number in
      Task {
        // A read that has given up is sent again, as a page does.
        var status = 423
        while status == 423 {
          status =
            try await number % 5 == 0
            ? list.edit(
              #"{"move":{"ids":[1],"to":{"position":3}}}"#, seen: ListVersion(mark: "other", edit: 0)
            ).status
            : list.rows().status
        }
        return status
      }
    }
    // If they kept the threads busy, this would never come.
    for _ in 0..<100 {
      await Task.yield()
      #expect(try await list.v1("openapi.json").status == 200)
    }
    try other.execute("COMMIT")
    for (number, task) in waiting.enumerated() {
      let status = try await task.value
      #expect(status == (number % 5 == 0 ? 409 : 200))
    }
  }

  @Test func `a read gives up and names who has locked the list`() async throws {
    try other.execute("BEGIN EXCLUSIVE")
    let answer = try await list.rows()
    #expect(answer.status == 423 && answer.kind == "locked")
    #expect(answer["message"] == "sqlite3 (process 42) has locked the list.")
    try other.execute("COMMIT")
    #expect(try await list.rows().status == 200)
  }

  @Test func `an edit whose commit waits for a reader is done nevertheless`() async throws {
    try other.executeScript("BEGIN; SELECT count(*) FROM customer_record")
    let (list, token) = (list, TransactionToken())
    let task = Task { try await list.edit(#"{"delete":{"ids":[1]}}"#, token: token.rawValue)["outcome"] }
    while list.api.made[token] == nil { try await Task.sleep(for: .milliseconds(5)) }
    // Time for a commit that fails.
    try await Task.sleep(for: .milliseconds(200))
    try other.execute("COMMIT")
    #expect(try await task.value == "done")
    #expect(try list.ids == [2, 3])
  }

  @Test func `a request that is canceled while it waits does nothing`() async throws {
    try other.execute("BEGIN EXCLUSIVE")
    let (list, token) = (list, TransactionToken().rawValue)
    let seen = ListVersion(mark: "other", edit: 0)
    let task = Task { try await list.edit(#"{"delete":{"ids":[1]}}"#, seen: seen, token: token).status }
    await Task.yield()
    task.cancel()
    // Its time may be over before it gets a thread to notice the cancellation.
    let status = try await task.value
    #expect(status == 503 || status == 423)
    try other.execute("COMMIT")
    #expect(try await list.settle(token)["outcome"] == "not_done")
    #expect(try list.ids == [1, 2, 3])
  }

  @Test func `for the page, another file in its place is the list from then on`() async throws {
    _ = try await list.rows()
    try shared.replaceFile()
    let answer = try await list.rows()
    #expect(answer.status == 200 && answer[number: "count"] == 1)
  }

  @Test func `a list that a newer version has upgraded is neither read nor edited`() async throws {
    _ = try await list.edit(#"{"delete":{"ids":[1]}}"#)
    let seen = try list.version
    try other.executeScript("PRAGMA user_version = 13")
    for answer in [
      try await list.rows(), try await list.edit(#"{"delete":{"ids":[2]}}"#, seen: seen),
    ] {
      #expect(answer.status == 503 && answer["remedy"] == "Start a newer version of the program.")
    }
    try other.executeScript("PRAGMA user_version = 12")
    #expect(try list.ids == [2, 3])
  }

  @Test func `a list without a file is trouble`() async throws {
    try FileManager.default.removeItem(atPath: shared.folder.path + "/list.sqlite")
    let answer = try await list.rows()
    #expect(answer.status == 503 && answer.kind == "unavailable")
    #expect(!FileManager.default.fileExists(atPath: shared.folder.path + "/list.sqlite"))
  }
}
