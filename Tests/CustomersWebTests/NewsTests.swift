import CustomerFixtures
import CustomerStore
@testable import CustomersWeb
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// The streams of events.
@Suite(.onThreads) struct NewsTests {
  private let shared: SharedList
  private var list: TestAPI { shared.list }
  private var other: Connection { shared.other }

  init() throws { shared = try SharedList() }

  private func values(_ event: APIEvent) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
  }

  /// The steps of the next events, up to one that was made last.
  private func steps(
    _ events: inout AsyncStream<APIEvent>.Iterator, until last: Int
  ) async throws -> [[String: Any]] {
    var steps: [[String: Any]] = []
    while steps.last?["step"] as? Int != last {
      let event = try #require(await events.next(isolation: #isolation))
      guard event.name == "edit" else { continue }
      steps += try #require(values(event)["steps"] as? [[String: Any]])
    }
    return steps
  }

  @Test func `each step of any program is reported once, with the browser that made it`() async throws {
    var events = list.events().makeAsyncIterator()
    let hello = try #require(await events.next())
    #expect(hello.name == "hello")
    #expect(try values(hello)["list"] as? String == "test")
    var made: [Int] = []
    var pages: [String?] = []
    for round in 0..<12 {
      switch round % 3 {
      case 0:
        let answer = try await list.edit(#"{"move":{"ids":[1],"section":1,"to":"last"}}"#, page: "p\(round)")
        if answer[number: "step"] != nil { pages.append("p\(round)") }
      case 1:
        try other.executeScript("UPDATE customers SET note = '\(round)' WHERE id = 2")
        pages.append(nil)
      default:
        try list.change { list in try list.move([1], to: .first) }
        pages.append(nil)
      }
      made = try list.look { try $0.history().map { Int($0.id) }.reversed() }
    }
    let found = try await steps(&events, until: try #require(made.last))
    #expect(found.map { $0["step"] as? Int } == Array(made.suffix(found.count)))
    #expect(found.count == pages.count)
    #expect(found.map { $0["page"] as? String } == pages)
    #expect(found.first?["ids"] as? [Int] == [1])
    #expect(found.first?["text"] as? String == #"Moved "A" 1 → 3."#)
  }

  @Test func `undo and redo are reported as of the browser that made them`() async throws {
    var events = list.events().makeAsyncIterator()
    while await events.next()?.name != "hello" {}
    let edit = try await list.edit(#"{"delete":{"ids":[1]}}"#, page: "p")
    var made = [try #require(edit[number: "step"])]
    for verb in ["undo", "redo"] {
      let step = try await list.rows().object(verb)
      let (id, time) = (try #require(step["step"] as? Int), try #require(step["time"] as? String))
      let answer = try await list.v1(
        verb,
        body: #"{"token":"\#(TransactionToken().rawValue)","step":\#(id),"time":"\#(time)","page":"q"}"#)
      made.append(try #require(answer[number: "step"]))
    }
    let found = try await steps(&events, until: made[2])
    #expect(found.map { $0["step"] as? Int } == made)
    #expect(found.map { $0["page"] as? String } == ["p", "q", "q"])
  }

  @Test(arguments: [(made: 5, told: 5), (made: 25, told: 20)])
  func `one who is slow gets one event of all that happened, or of the last steps`(made: Int, told: Int)
    async throws
  {
    let (named, isGoingOn) = (AsyncStream<APIEvent>.makeStream(), AsyncStream<Void>.makeStream())
    let following = Task { [api = list.api] in
      await api.follow { event in
        named.continuation.yield(event)
        for await _ in isGoingOn.stream { break }
      }
    }
    var events = named.stream.makeAsyncIterator()
    #expect(await events.next()?.name == "hello")
    for _ in 0..<made {
      _ = try await list.edit(#"{"insert":{"customers":[{"note":"x"}],"section":1,"to":"last"}}"#)
    }
    isGoingOn.continuation.yield()
    let edit = try #require(await events.next())
    let ids = try #require(values(edit)["steps"] as? [[String: Any]]).map { $0["step"] as? Int }
    let last = try list.look { try $0.history(limit: told) }.map { Int($0.id) }
    #expect(ids == last.reversed())
    following.cancel()
    isGoingOn.continuation.finish()
    await following.value
  }

  @Test func `a locked list is trouble, until it is well`() async throws {
    var events = list.events().makeAsyncIterator()
    while await events.next()?.name != "hello" {}
    try other.execute("BEGIN EXCLUSIVE")
    let trouble = try #require(await events.next())
    #expect(trouble.name == "trouble")
    #expect(try values(trouble)["message"] as? String == "sqlite3 (process 42) has locked the list.")
    try other.execute("COMMIT")
    #expect(await events.next()?.name == "well")
  }

  @Test func `another list in its place is read again`() async throws {
    var events = list.events().makeAsyncIterator()
    while await events.next()?.name != "hello" {}
    try shared.replaceFile()
    #expect(await events.next()?.name == "reload")
    #expect(try await list.rows()[number: "count"] == 1)
  }

  @Test func `a stream after a version has each later step once, whatever it has read before`() async throws {
    let stream = try #require(list.api.stream(after: list.version))
    func next() async throws -> [String] {
      let text = String(decoding: try #require(await stream()), as: UTF8.self)
      return text.matches(of: /(?:event: |"step":)(\w+)/).map { String($0.1) }
    }
    #expect(try await next() == ["hello"])
    let edit = try await list.edit(#"{"delete":{"ids":[1]}}"#)
    let step = try #require(edit[number: "step"])
    #expect(try await next() == ["edit", "\(step)"])
    #expect(try await next() == [])
    try shared.replaceFile()
    #expect(try await next() == ["reload"])
  }
}
