import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// How words name rows and sections.
@Suite(.onThreads) struct SelectingTests {
  private static let sample: SampleList = "Customers: Ann Lee, Bob, ann ray, οδός | ΌΔΟΣ: Zoë, 7 | Leads: Cid"

  private func rows(_ words: String...) throws -> [Int64] {
    try CustomerStore.inMemory(Self.sample).read { list in
      try RowResolver(list).rows(RowSelectors(words), in: list).map(\.id.rawValue)
    }
  }

  @Test func `rows are named by number, id, end, section, and name, in the order named`() throws {
    #expect(try rows("3", "1-2", "5,4") == [3, 1, 2, 5, 4])
    #expect(try rows("last", "@1") == [7, 1])
    #expect(try rows("first,last", "#2", " 3 ") == [1, 7, 2, 3])
    #expect(try rows("6-") == [6, 7])
    #expect(try rows("3-6") == [3, 4, 5, 6])
    #expect(try rows("customers/2-3", "όδος/last", "όδος/first") == [2, 3, 6, 5])
    #expect(try rows("customers/3-", "όδος/1,2") == [3, 4, 5, 6])
    #expect(try rows("1,leads/1") == [1, 7])
    #expect(try rows("leads/1", "όδος/2") == [7, 6])
    #expect(try rows("bob", "LEE", "zO", "name:7") == [2, 1, 5, 6])
  }

  @Test func `case is ignored for rows and sections, as in a search`() throws {
    for text in ["ΟΔΌΣ", "οδός", "οδόσ"] {
      #expect(try rows(text) == [4])
      let found = try CustomerStore.inMemory(Self.sample).read { list in try list.search(text) }
      #expect(found.map(\.id) == [4])
    }
    let outline = try CustomerStore.inMemory(Self.sample).read { list in try list.outline() }
    #expect(try outline.section(titled: "όδος", upTo: .folded).order == 2)
  }

  @Test func `a word that matches no row, or several, is refused with the reason`() throws {
    let cases: [(word: String, reason: SelectionError.Reason)] = [
      (" ", .empty), ("name:", .empty), ("1-,", .malformed), ("8-", .noRow(8, count: 7, section: nil)),
      ("2-1", .backward(first: "2", last: "1")), ("@", .malformed), ("8", .noRow(8, count: 7, section: nil)),
      ("0", .noRow(0, count: 7, section: nil)),
      ("99999999999999999999", .noRow(.max, count: 7, section: nil)),
      ("leads/2", .noRow(2, count: 1, section: "Leads")), ("@9", .noCustomer(9)),
      (
        "ann",
        .severalNames(
          [.init(position: 1, id: 1, name: "Ann Lee"), .init(position: 3, id: 3, name: "ann ray")], count: 2)
      ),
      ("bobb", .noName(near: .init(position: 2, id: 2, name: "Bob"))), ("xyzxyz", .noName(near: nil)),
      ("2,2", .repeated(name: "Bob", id: 2)),
    ]
    for (word, reason) in cases {
      #expect(throws: SelectionError(reason, word), "\(word)") { try rows(word) }
    }
    #expect(throws: SelectionError(.noRow(2, count: 1, section: "Leads"), "leads/1-2")) {
      try rows("leads/1-2")
    }
    let titles = ["Customers", "ΌΔΟΣ", "Leads"]
    #expect(throws: SelectionError(.noTitle(among: titles), "none", in: "none/1")) { try rows("none/1") }
    #expect(throws: SelectionError(.noName(near: nil), "8", in: "name:8")) { try rows("name:8") }
    #expect(throws: SelectionError(.emptyList, "last")) {
      try CustomerStore.inMemory().read { list in
        try RowResolver(list).rows(RowSelectors(["last"]), in: list).map(\.id)
      }
    }
    #expect(throws: SelectionError(.notOne(2), "1,2")) {
      try CustomerStore.inMemory(Self.sample).read { list in
        try RowResolver(list).row(RowSelectors(["1,2"]), in: list).id
      }
    }
  }

  @Test func `without confirmation, a part of a name is not enough, but a whole word or an address is`()
    throws
  {
    let store = try CustomerStore.inMemory("Ann Lee, Palle Ibsen, Zoë Müller, Leela Ray")
    try store.write { list in try list.update(2) { $0.email = "palle@oslo.example" } }
    func found(_ word: String, takesParts: Bool) throws -> (id: Int64, guesses: [RowResolver.Guess]) {
      try store.read { list in
        let resolver = try RowResolver(list, takesParts: takesParts)
        let row = try resolver.row(RowSelectors([word]), in: list)
        return (row.id.rawValue, resolver.guesses)
      }
    }
    for (word, id) in [("lee", 1), ("PALLE@oslo.example", 2), ("muller", 3), ("zoe müller", 3)]
      as [(String, Int64)]
    {
      let row = try found(word, takesParts: false)
      #expect(row.id == id && row.guesses.isEmpty, "\(word)")
    }
    for (word, id) in [("all", 2), ("mull", 3), ("lle@", 2)] as [(String, Int64)] {
      let row = try found(word, takesParts: true)
      guard row.id == id, case .customer(let match)? = row.guesses.first else {
        Issue.record("\(word): \(row)")
        continue
      }
      #expect(match.position == Int(id) && match.id.rawValue == id && row.guesses.count == 1, "\(word)")
      #expect(throws: SelectionError(.onlyPart(match), word)) { try found(word, takesParts: false) }
    }
  }

  @Test func `a section is named by id, title, and number, and to look at it by a part of the title`() throws
  {
    let outline = ListOutline([
      CustomerSection(id: 5, title: "2", order: 1), CustomerSection(id: 2, title: "Leads", order: 2),
      CustomerSection(id: 3, title: "Old-Leads", order: 3), CustomerSection(id: 4, title: "Cold", order: 4),
      CustomerSection(id: 6, title: "old leads", order: 5), CustomerSection(id: 7, title: "-", order: 6),
    ])
    let cases: [(text: String, id: Int64?, limit: Name.Fit)] = [
      ("@2", 2, .exact), ("2", 5, .exact), ("3", 3, .exact), ("Old-Leads", 3, .exact),
      ("old leads", 6, .exact), ("-", 7, .exact), ("LEADS", 2, .folded), ("l-e a_d́s", 2, .folded),
      ("OLD LEADS", nil, .folded), ("old", nil, .words), ("col", 4, .beginning), ("oLD", nil, .part),
      ("ds", nil, .part), ("@9", nil, .part), ("", nil, .part), ("@-2", nil, .part), ("_", nil, .part),
    ]
    for (text, id, limit) in cases {
      let found = (try? outline.section(titled: text, upTo: limit))?.id.rawValue
      #expect(found == id, "\(text)")
    }
    for limit in [Name.Fit.folded, .words] {
      #expect(throws: SelectionError(.onlyPartOfTitle(outline.sections[3]), "col")) {
        try outline.section(titled: "col", upTo: limit)
      }
    }
    let two = ListOutline([CustomerSection(id: 1, title: "Old leads"), CustomerSection(id: 2, title: "Cold")])
    #expect(try two.section(titled: "old", upTo: .words).id == 1)
    #expect(throws: SelectionError.self) { try two.section(titled: "old", upTo: .folded) }
  }

  @Test(arguments: [("Überblick", "überblick"), ("ΟΔΟΣ", " οδος"), ("Kunden", "KUNDEN ")])
  func `no two sections have titles that differ only in case`(title: String, other: String) throws {
    let store = try CustomerStore.inMemory("A")
    try store.write { list in
      let first = try list.addSection(title: title)
      let second = try list.addSection(title: "Other")
      #expect(throws: ListError.titleInUse(title)) { _ = try list.addSection(title: other) }
      #expect(throws: ListError.titleInUse(title)) { try list.renameSection(second.id, title: other) }
      // A section may change the case of its own title.
      try list.renameSection(first.id, title: other)
      let found = try list.section(first.id).title
      #expect(found == other)
    }
  }

  @Test func `without confirmation, a part of a title is not enough to name a row or a section`() throws {
    let store = try CustomerStore.inMemory(Self.sample)
    try store.read { list in
      let careful = try RowResolver(list, takesParts: false)
      let leads = try careful.outline.sections[2]
      #expect(throws: SelectionError(.onlyPartOfTitle(leads), "ead")) { try careful.section(titled: "ead") }
      #expect(throws: SelectionError(.onlyPartOfTitle(leads), "ead", in: "ead/1")) {
        try careful.rows(RowSelectors(["ead/1"]), in: list).map(\.id)
      }
      let asking = try RowResolver(list)
      let found = try asking.rows(RowSelectors(["ead/1"]), in: list).map(\.id)
      #expect(found == [7] && asking.guesses == [.section(leads)])
    }
  }
}
