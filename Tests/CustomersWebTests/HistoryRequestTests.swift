import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// The history as a page reads it, and the step that is reverted alone.
@Suite(.onThreads) struct HistoryRequestTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B, C") }

  /// The names in the list.
  private var names: [String] {
    get throws { try list.look { try SampleList($0) }.sections.flatMap { $0.customers.map(\.name) } }
  }

  private func steps(of path: String = "history", _ query: [String: String] = [:]) async throws -> [[String:
    Any]]
  {
    try await list.v1(path, query).objects("steps")
  }

  private func revert(_ step: [String: Any], token: String = TransactionToken().rawValue) async throws
    -> Answer
  {
    let (id, time) = (step["step"] as? Int ?? 0, step["time"] as? String ?? "")
    return try await list.v1(
      "revert", body: #"{"token":"\#(token)","step":\#(id),"time":"\#(time)","page":"p"}"#)
  }

  @Test func `a step says what was done, by whom, and old and new`() async throws {
    _ = try await list.edit(#"{"save":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#)
    let step = try #require(try await steps().first)
    #expect(step["text"] as? String == "Edited \"B\", row 2: phone.")
    #expect(step["lines"] as? [String] == ["Edited \"B\", row 2: phone.", "  phone: (empty) → \"5\""])
    #expect((step["by"] as? String)?.contains("edit") == true, "\(step)")
    #expect(step["can_revert"] as? Bool == true)
    let reader = TestAPI(list.store, isReadOnly: true)
    #expect(try await reader.v1("history").objects("steps").first?["can_revert"] as? Bool == false)
  }

  @Test func `pages have each step once, the last one first`() async throws {
    for row in 1...30 { _ = try await list.edit(#"{"move":{"ids":[3],"to":{"position":\#(row % 3 + 1)}}}"#) }
    let all = try list.look { try $0.history() }.filter { $0.editCount > 0 }.map { Int($0.id) }
    for limit in [1, 7, 50] {
      var (found, before): ([Int], Int?) = ([], nil)
      repeat {
        let page = try await list.v1(
          "history", ["limit": "\(limit)"].merging(before.map { ["before": "\($0)"] } ?? [:]) { $1 })
        found += page.objects("steps").compactMap { $0["step"] as? Int }
        before = page[number: "next"]
      } while before != nil
      #expect(found == all)
    }
    #expect(try await list.v1("history", ["limit": "51"]).status == 400)
    #expect(try await list.v1("history", ["before": "0"]).status == 400)
  }

  @Test func `the history of a customer has its steps only, even if it is deleted`() async throws {
    _ = try await list.edit(#"{"save":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#)
    _ = try await list.edit(#"{"delete":{"ids":[1]}}"#)
    _ = try await list.edit(#"{"delete":{"ids":[2]}}"#)
    let texts = try await steps(of: "rows/2/history").map { $0["text"] as? String ?? "" }
    #expect(texts.first == "Deleted \"B\", row 1." && texts[1] == "Edited \"B\", row 2: phone.")
    #expect(texts.allSatisfy { $0.contains("\"B\"") }, "\(texts)")
    #expect(try await steps(of: "rows/9/history").isEmpty)
  }

  @Test func `a step is reverted alone, once, and only the one that was shown`() async throws {
    _ = try await list.edit(#"{"delete":{"ids":[2]}}"#)
    let deleted = try #require(try await steps().first)
    _ = try await list.edit(#"{"move":{"ids":[3],"to":{"position":1}}}"#)
    let token = TransactionToken().rawValue
    #expect(try await revert(deleted, token: token)["text"]?.hasPrefix("Added \"B\"") == true)
    #expect(try names == ["C", "A", "B"])
    #expect(try await revert(deleted, token: token).again == true)
    let later = try await revert(deleted)
    #expect(later.status == 409 && later.message?.hasPrefix("Nothing was changed: ") == true)
    var other = deleted
    other["time"] = "2020-01-01T00:00:00.000Z"
    #expect(try await revert(other).status == 409)
    #expect(try names == ["C", "A", "B"])
    #expect(try list.look { try $0.history(limit: 1)[0].action } == "revert")
  }

  @Test func `a step whose rows were changed since is refused, and the first is named`() async throws {
    _ = try await list.edit(#"{"save":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#)
    let step = try #require(try await steps().first)
    _ = try await list.edit(#"{"save":{"id":2,"from":{"phone":"5"},"to":{"phone":"6"}}}"#)
    let answer = try await revert(step)
    #expect(
      answer.status == 409 && answer.message?.hasSuffix("The first is \"B\".") == true, "\(answer.json)")
    #expect(try list.look { try $0.customer(2).fields.phone } == "6")
  }
}
