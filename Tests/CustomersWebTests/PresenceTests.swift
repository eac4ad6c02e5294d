import CustomerFixtures
import CustomerStore
import CustomersTestSupport
@testable import CustomersWeb
import Foundation
import Testing

/// Who is editing which rows, as streams have it.
@Suite(.onThreads) struct PresenceTests {
  private let folder: TemporaryFolder
  private let list: TestAPI

  init() throws {
    folder = try TemporaryFolder()
    list = TestAPI(try CustomerStore(path: folder.path + "/list.sqlite"))
    try list.store.fill(with: "Club: A, B, C | Guests: X, Y, Z")
  }

  /// The list for a person, or the guests of it.
  private func person(
    _ name: String, _ rights: PagePerson.Rights = .edit, ofGuests isLimited: Bool = false
  ) throws -> any ListService {
    let uid = try list.look { try $0.uid(of: $0.sections()[1].id) }
    return try list.api.list(
      for: PagePerson(
        id: PersonID(rawValue: Int64(name.utf8.first ?? 0)), name: name, rights: rights,
        limits: isLimited ? PageLimits(section: uid) : nil))
  }

  private func tell(_ key: any ListService, _ ids: [Int], page: String = "a1") async -> Answer {
    let body = #"{"page":"\#(page)","ids":\#(ids)}"#
    return Answer(
      await key.answer(APIRequest(method: "POST", path: "/v1/presence", body: Array(body.utf8))))
  }

  /// The event in words: `Ann 1 2`, or `? 1`.
  private func people(_ data: some StringProtocol) throws -> [String] {
    let event = try #require(JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    return try #require(event["people"] as? [[String: Any]]).map { person in
      let ids = try #require(person["ids"] as? [Int])
      return ([person["name"] as? String ?? "?"] + ids.map(String.init)).joined(separator: " ")
    }
  }

  /// What the next events of a stream say; nil if they say nothing of it.
  private func people(ofEvents bytes: [UInt8]) throws -> [String]? {
    let events = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n")
    let last = events.last { $0.hasPrefix("event: presence\n") }
    return try last.map { try people($0.drop { $0 != "{" }) }
  }

  @Test func `a page says what it edits, and streams say who it is as long as it does`() async throws {
    let ann = try person("Ann")
    let before = try list.version
    var events = list.events().makeAsyncIterator()
    #expect(await events.next()?.name == "hello")
    // What is said again is no news.
    for (key, ids, told) in [
      (list.api, [1, 99], ["? 1"]), (list.api, [1], nil), (ann, [2, 3], ["? 1", "Ann 2 3"]),
      (ann, [2, 3, 99], nil), (list.api, [], ["Ann 2 3"]),
    ] as [(any ListService, [Int], [String]?)] {
      #expect(await tell(key, ids).status == 200)
      guard let told else { continue }
      let event = try #require(await events.next())
      #expect(try event.name == "presence" && people(event.data) == told)
    }
    let later = await list.api.answer(APIRequest(method: "GET", path: "/v1/events"))
    #expect(try people(ofEvents: later.body) == ["Ann 2 3"])
    #expect(try list.version == before)
  }

  @Test func `what is no name or too much is refused, and many pages of a key push out only its own`()
    async throws
  {
    let ann = try person("Ann")
    for page in ["", "xy", "a b", "\u{661}", String(repeating: "a", count: 33)] {
      #expect(await tell(ann, [1], page: page).status == 400, "\(page)")
    }
    #expect(await tell(ann, Array(1...21)).status == 400)
    #expect(list.api.presence.now.isEmpty)
    #expect(await tell(list.api, [2], page: "1").status == 200)
    for page in 1...50 { #expect(await tell(ann, [1], page: "\(page)").status == 200) }
    #expect(list.api.presence.now.map(\.page) == ["1"] + (31...50).map(String.init))
    // A page of one key can't speak for one of another.
    #expect(await tell(ann, [], page: "1").status == 200)
    #expect(list.api.presence.now.count == 21)
  }

  @Test func `it counts for a while, and not in a list that was put in its place`() async throws {
    let short = Presence(lifetime: .milliseconds(1))
    short.note(Presence.Entry(person: nil, page: "a", ids: [1]))
    try waitUntil("it is over") { short.now.isEmpty }
    var events = list.events().makeAsyncIterator()
    #expect(await events.next()?.name == "hello")
    #expect(await tell(list.api, [1]).status == 200)
    #expect(await events.next()?.name == "presence")
    try CustomerStore(path: folder.path + "/new.sqlite").fill(with: "N")
    let result = unsafe rename(folder.path + "/new.sqlite", folder.path + "/list.sqlite")
    try #require(result == 0)
    #expect(await events.next()?.name == "reload")
    let event = try #require(await events.next())
    #expect(try event.name == "presence" && people(event.data).isEmpty)
  }

  @Test func `whoever only reads or adds edits no row`() async throws {
    for isLimited in [false, true] {
      #expect(await tell(try person("Rita", .read, ofGuests: isLimited), [1])["kind"] == "read_only")
      #expect(await tell(try person("Fay", .add, ofGuests: isLimited), [1])["kind"] == "forbidden")
    }
    #expect(list.api.presence.now.isEmpty)
    let fay = try #require(try person("Fay", .add, ofGuests: true).stream(after: nil))
    #expect(String(decoding: await fay() ?? [], as: UTF8.self).hasPrefix("event: hello\n"))
    #expect(await tell(list.api, [4, 5]).status == 200)
    #expect(await fay()?.isEmpty == true)
  }

  @Test(arguments: [1, 2, 3])
  func `a key for a section hears of its rows only, by its own ids`(seed: Int) async throws {
    var random = SplitMix64(seed: seed)
    let bob = try person("Bob", ofGuests: true)
    let events = try #require(bob.stream(after: nil))
    #expect(String(decoding: await events() ?? [], as: UTF8.self).hasPrefix("event: hello\n"))
    let (keys, sections) = (
      [list.api, try person("Ann"), bob], try list.look { try $0.sections().map(\.id) }
    )
    var (shown, heard): ([String], Int) = ([], 0)
    /// The names of the rows that a key has, by their ids.
    func names(_ key: any ListService) async throws -> [Int: String] {
      let answer = Answer(await key.answer(APIRequest(method: "GET", path: "/v1/rows")))
      return Dictionary(
        uniqueKeysWithValues: answer.objects("rows").compactMap { row in
          (row["id"] as? Int).map { ($0, row["name"] as? String ?? "") }
        })
    }
    for _ in 0..<150 {
      if random.oneIn(3) {
        let id = CustomerID(rawValue: Int64(random.below(6) + 1))
        let section = sections[random.below(2)]
        try list.change { list in _ = try list.apply(.move([id], to: .first, in: section)) }
      } else {
        _ = await tell(
          keys[random.below(3)], (0..<random.below(4)).map { _ in random.below(9) + 1 },
          page: "\(random.below(2))")
      }
      let said = try people(ofEvents: await events() ?? [])
      #expect(said != shown)
      if said != nil { heard += 1 }
      shown = said ?? shown
      let (own, all) = (try await names(bob), try await names(list.api))
      let guests = Set(own.values)
      #expect(
        Set(
          try list.look { list in
            try list.ids(in: sections[1]).map { all[Int($0.rawValue)] ?? "" }
          }) == guests)
      let wanted = list.api.presence.now.compactMap { entry -> String? in
        let names = entry.ids.compactMap { all[Int($0.rawValue)] }.filter(guests.contains)
        return names.isEmpty ? nil : ([entry.person?.name ?? "?"] + names).joined(separator: " ")
      }
      let told = try shown.map { line in
        try line.split(separator: " ").enumerated().map { index, word in
          index == 0 ? String(word) : try #require(Int(word).flatMap { own[$0] })
        }.joined(separator: " ")
      }
      #expect(told == wanted)
    }
    #expect(heard > 20)
  }
}
