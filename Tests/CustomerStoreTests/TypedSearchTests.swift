import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// A search that is typed key by key finds what a search for the whole text finds.
@Suite(.onThreads) struct TypedSearchTests {
  private static let words = [
    "an", "ann", "na", "é", "ö", "e\u{301}", "3", "0300", "030 007", "-", "City=", " ", "or", "\"",
  ]

  private static func fields(_ random: inout SplitMix64) -> CustomerFields {
    func text() -> String { (0..<random.below(4)).map { _ in words[random.below(words.count)] }.joined() }
    var fields = CustomerFields(firstName: text(), company: text(), tags: text())
    fields.phone = ["", "0300-074321", "(030) 007 4321 x2", "12"][random.below(4)]
    if random.below(4) == 0 { fields.extraColumns["City"] = .text(text() + "x") }
    return fields
  }

  private static func expected(_ text: String, _ list: borrowing CustomerList) throws -> [CustomerID] {
    guard !TextSearch(text).isEmpty else { return [] }
    return try list.customers(matching: RowFilter(searching: text, in: list)).map(\.id)
  }

  @Test(arguments: 0..<(isLong ? 500 : 3))
  func `any keys, with edits between them, find the same as a search from the start`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory()
    try store.write { list in
      _ = try list.addSection(title: "Second")
      for section in [1, 2] as [SectionID] {
        try list.insert(contentsOf: (0..<40).map { _ in Self.fields(&random) }, in: section)
      }
    }
    let start = [0, 30, 60, 1000][random.below(4)]
    var (search, text) = (TypedSearch(from: start), "")
    for _ in 0..<60 {
      switch random.below(8) {
      case 0: text = String(text.dropLast())
      case 1: text = ["", "an", "030007"][random.below(3)]
      case 2:
        try store.write { list in
          let ids = try list.search("").map(\.id)
          switch random.below(4) {
          case 0: try list.update(ids[random.below(ids.count)]) { $0 = Self.fields(&random) }
          case 1: try list.move(ids[random.below(ids.count)], to: .first, in: 2)
          case 2: try list.delete([ids[random.below(ids.count)]])
          default: try list.insert(Self.fields(&random), at: .first)
          }
        }
      default: text += Self.words[random.below(Self.words.count)]
      }
      try store.read { list in
        let limit = random.below(4) * 10
        try search.find(text, limit: limit, in: list)
        // They are read from the row where the search started.
        let found = Array((search.hits.below.ids + search.hits.above.ids).prefix(limit))
        let first = try list.customers(found)
        if random.below(2) == 0 { while !search.isComplete { try search.readOn(in: list) } }
        let wanted = try Self.expected(text, list)
        let outline = try list.outline()
        let places = try list.customers(wanted).mapValues { outline.position(of: $0.place) - 1 }
        let circle = wanted.filter { places[$0] ?? 0 >= start } + wanted.filter { places[$0] ?? 0 < start }
        try #require(found == Array(circle.prefix(limit)), "\(seed): \(text)")
        try #require(found.allSatisfy { first[$0].map { outline.position(of: $0.place) - 1 } == places[$0] })
        if search.isComplete {
          try #require((0..<search.hits.count).map { search.hits[$0] } == wanted, "\(seed): \(text)")
          for id in wanted { try #require(search.hits.index(of: id, row: places[id] ?? 0) != nil) }
        }
      }
    }
  }

  @Test func `a longer text reads nothing again, and another one does`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Anna, Hanna, Cid")
    try store.read { list in
      var search = TypedSearch()
      _ = try search.find("an", in: list)
      #expect(search.isComplete && search.hits.count == 3)
      for (text, isNarrower) in [
        ("ann", true), ("ann a", true), ("anna", true), ("anna x", true), ("an", false), ("", false),
        ("a", false), ("ab", true), ("name=", false), ("name=a", false), ("ann", false), ("annöa", true),
      ] {
        #expect(search.type(text, rows: 5) == isNarrower, "\(text)")
        while !search.isComplete { try search.readOn(in: list) }
      }
      #expect(search.readCount == 5)
    }
  }

  /// Six digits are found in a phone number in which five are not.
  @Test func `a search is narrower only if every match is one of the search before`() {
    func narrows(_ text: String, _ before: String, atWordStarts: Bool = false) -> Bool {
      TextSearch(text, atWordStarts: atWordStarts).narrows(TextSearch(before, atWordStarts: atWordStarts))
    }
    #expect(narrows("03000", "0300") && !narrows("030007", "03000") && narrows("3000743", "300074"))
    #expect(!narrows("0300074", "030007"))
    // From the sixth digit within the country on, numbers without a country are found.
    #expect(!narrows("+49300074", "+4930007"))
    #expect(narrows("+493000743", "+49300074"))
    #expect(narrows("030 007", "") && !narrows("030 007", "030 00") && narrows("030007 x", "030007 "))
    #expect(
      narrows("xan", "an") && !narrows("xan", "an", atWordStarts: true)
        && narrows("anx", "an", atWordStarts: true))
    #expect(narrows("b a", "a") && !narrows("a", "a b") && narrows("ab", "a b"))
    #expect(!TextSearch("ab", in: [.note]).narrows(TextSearch("a")))
    // What looks longer may be another letter.
    #expect(!narrows("क\u{93f}", "क"))
  }

  @Test func `a list with another history is read again`() throws {
    let store = try CustomerStore.inMemory("Ann, Anna")
    var search = TypedSearch()
    try store.read { list in _ = try search.find("a", in: list) }
    try store.write { list in try list.forgetHistory() }
    try store.read { list in
      let found = try search.find("an", in: list).count
      #expect(found == 2 && search.readCount == 2)
    }
  }
}
