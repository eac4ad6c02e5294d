import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Searching in list order.
@Suite(.onThreads) struct SearchTests {
  private static func store() throws -> CustomerStore {
    var sample = SampleList.awkward
    sample.sections[0].customers += ["ZOË Müller", "\u{212A}elvin", "Maße", "nul\u{0}Ünder"].map(
      CustomerFields.init(name:))
    sample.sections.append(
      .init(
        title: "More",
        customers: [
          CustomerFields(firstName: "Ann", lastName: "Lee", company: "Müller & Co", note: "says \"hi\""),
          CustomerFields(firstName: "ann", isFavorite: true),
        ]))
    let store = try CustomerStore.inMemory(sample)
    try store.write { list in
      let ids = try list.search("ann").map(\.id)
      try list.update(ids[ids.count - 1]) { fields in
        fields.extraColumns["Fax"] = "555\\0100 \"x\""
        fields.extraColumns["Größe"] = .json("[1,\"Ann\"]")
      }
      try list.move(ids[ids.count - 1], to: .first)
    }
    return store
  }

  @Test func `a search finds the same rows as a full scan, in list order`() throws {
    let store = try Self.store()
    let texts = [
      "ann", "ANN lee", "zoë", "ZOË", "kelvin", "müller", "maße", "\"hi\"", "\\0100", "[1,", "fax", "größe",
      "ünd", "yes", "xyz", "a", "", "  ", "ann müller", "'", "%", "_",
    ]
    let fields: [Set<CustomerField>?] = [
      nil, [.firstName], [.firstName, .lastName, .company], [.note, .extra("Fax")], [.isFavorite], [],
    ]
    for text in texts {
      for fields in fields {
        let search = TextSearch(text, in: fields)
        try store.read { list in
          var expected: [Customer] = []
          try list.forEach { customer in
            if search.matches(customer) { expected.append(customer) }
            return true
          }
          #expect(try list.search(text, in: fields) == expected, "\(text) in \(fields ?? [])")
          for limit in 0...3 {
            #expect(try list.search(text, in: fields, limit: limit) == Array(expected.prefix(limit)))
          }
        }
      }
    }
  }

  @Test func `a search may have any number of words, and a question any number of terms`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    let words = (0..<3_000).map { "word\($0)" }
    try store.write { try $0.update(1) { $0.note = words.joined(separator: " ") } }
    let terms = words.map { "note~\($0)" }
    try store.read { list in
      #expect(try list.search(words.joined(separator: " ")).map(\.id) == [1])
      #expect(try list.search((words + ["other"]).joined(separator: " ")).isEmpty)
      for (question, ids) in [
        (terms.joined(separator: " "), [1]), ((terms + ["note~other"]).joined(separator: " "), []),
        (terms.joined(separator: " or "), [1]),
      ] as [(String, [CustomerID])] {
        let filter = try RowFilter([FilterExpression(question)], in: list)
        #expect(try list.customers(matching: filter).map(\.id) == ids)
      }
    }
  }

  @Test func `a search matches parts of words in the given fields`() throws {
    let store = try Self.store()
    func names(_ text: String, in fields: Set<CustomerField>? = nil) throws -> [String] {
      try store.read { list in try list.search(text, in: fields).map(\.name) }
    }
    #expect(try names("MÜLLER", in: [.lastName]) == ["ZOË Müller"])
    #expect(try names("müller co hi") == ["Ann Lee"])
    #expect(try names("0100") == ["ann"])
    #expect(try names("ann", in: [.extra("Größe")]) == ["ann"])
  }

  @Test func `a string has a word, whether it is compared by bytes or by characters`() {
    var random = SplitMix64(seed: 5)
    let letters: [String] = ["a", "b", "1", "-", "\n", "\r\n", " "]
    for _ in 0..<5_000 {
      let text = (0..<random.below(12)).map { _ in letters[random.below(letters.count)] }.joined()
      let word = (0..<random.below(4)).map { _ in letters[random.below(4)] }.joined()
      #expect(text.has(word) == text.contains(word), "\(text.debugDescription) \(word)")
      // A letter beyond ASCII elsewhere makes no difference.
      #expect(text.has(word) == ("é\(text)").has(word))
    }
    let marked =
      letters + ["é", "e\u{301}", "я", "\u{200d}", "\u{fe0f}", "\u{600}", "\u{93f}", "각", "\u{1100}", "👍🏽"]
    for _ in 0..<5_000 {
      let text = searchFolded((0..<random.below(12)).map { _ in marked[random.below(marked.count)] }.joined())
      let word = searchFolded((0..<random.below(3)).map { _ in marked[random.below(4)] }.joined())
      let other = searchFolded(marked[7 + random.below(marked.count - 7)])
      #expect(text.has(word) == text.contains(word), "\(text.debugDescription) \(word)")
      #expect(text.has(other) == text.contains(other), "\(text.debugDescription) \(other)")
    }
    #expect(!"abc".has("ä") && "äbc".has("ä") && !"".has("a"))
  }

  @Test func `the condition on a day excludes no row that matches, and most of the others`() throws {
    let values = [
      "\"2026-02-01\"", "\"2026-02-31\"", "\"2026-03-05\"", "\"01.02.2026\"", "\"2026-02-01T10:00\"", "\"\"",
      "\"soon\"", "null", "20260201", "{\"Due\":\"2026-02-01\"}", "[\"2026-02-01\"]", "\"0000-01-01\"",
    ]
    var rows = values.map { "{\"Due\":\($0)}" }
    rows += [
      "{\"Due\": \"2026-02-01\"}", "{\"D\\u0075e\":\"2026-02-01\"}",
      "{\"Due\":\"2026-03-05\",\"Due\":\"2026-02-01\"}",
    ]
    rows += [
      "{\"Club\":\"\\\"Due\\\":\\\"2026-03-05\\\"\",\"Due\":\"2026-02-01\"}",
      "{\"Club\":{\"Due\":\"2026-03-05\"},\"Due\":\"2026-02-01\"}",
    ]
    let store = try CustomerStore.inMemory("")
    try store.write { list in
      _ = try list.insert(
        contentsOf: rows.enumerated().map { index, extra in
          var fields = CustomerFields(name: "A\(index)")
          fields.extra = extra
          return fields
        })
    }
    for isDeclared in [false, true] {
      if isDeclared {
        try store.write { list in try list.setKind(.date, ofColumn: "Due", keepingText: true) }
      }
      try store.read { list in
        var all: [Customer] = []
        try list.forEach {
          all.append($0)
          return true
        }
        for question in [
          "Due=2026-02-01", "Due<2026-02-02", "Due>2026-02-01", "Due<=2026-02-01", "Due>=2026-03-05",
          "Due!=2026-02-01",
          "Due=2026-02-01,2026-03-05", "not Due<2026-02-02", "Due>9999-12-31", "Due<0001-01-01",
        ] {
          let filter = try RowFilter([FilterExpression(question)], in: list)
          let (found, wanted) = (SkippedValues(), SkippedValues())
          let matching = try list.customers(matching: filter, noting: found).map(\.name)
          #expect(matching == all.filter { filter.matches($0, noting: wanted) }.map(\.name), "\(question)")
          #expect(found.counts == wanted.counts, "\(question)")
        }
      }
    }
    try store.read { list in
      let sql = "SELECT may_be_day('{\"Due\":\"2026-03-05\"}', '\"Due\"', '2026-01-01', '2026-02-01')"
      let mayBe = try list.connection.fetchOne(sql) { $0.bool(0) }
      #expect(mayBe == false)
    }
  }

  /// Words longer than those that are tried at each place, in texts in which their beginnings repeat.
  @Test(arguments: 1...60) func `a long word is found where a short one would be`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let letters: [Character] = seed % 2 == 0 ? ["a", "b"] : ["ä", "b"]
    let text = String((0..<400).map { _ in letters[random.below(letters.count)] })
    for count in [65, 70, 100] {
      let start = random.below(300)
      var word = Array(text.dropFirst(start).prefix(count))
      if random.below(2) == 0 { word[word.count - 1] = "c" }
      let folded = searchFolded(String(word))
      let isThere = searchFolded(text).contains(folded)
      #expect(searchFolded(text).has(folded) == isThere, "\(word)")
      #expect(TextSearch(folded).ranges(in: text).isEmpty == !isThere)
    }
    let (same, almost) = (String(repeating: "a", count: 200), String(repeating: "a", count: 100) + "b")
    #expect(same.has(String(repeating: "a", count: 100)) && !same.has(almost) && (same + almost).has(almost))
  }

  @Test func `the condition on bytes excludes no text that has the word when it is folded`() throws {
    try CustomerStore.inMemory("").read { list in
      let connection = list.connection
      let sql = "SELECT may_have(?, ?)"
      for scalar in (UInt32(0x80)...0xffff).lazy.compactMap(Unicode.Scalar.init) {
        let folded = searchFolded(String(scalar))
        guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
        for (word, text) in [
          ("x\(folded)y", "ax\(scalar)Yb"), ("\(folded)y", "\(scalar)y"), ("x\(folded)", "Xx\(scalar)"),
        ] {
          let mayHave = try connection.fetchOne(sql, [.text(word), .text(text)]) { $0.bool(0) }
          #expect(mayHave == true, "\(scalar.value)")
        }
      }
      for (word, text) in [
        ("xyzzy", "Müller"), ("muller", "Иванов"), ("xy", "山x山y"), ("mul", "Mü"),
      ] {
        let mayHave = try connection.fetchOne(sql, [.text(word), .text(text)]) { $0.bool(0) }
        #expect(mayHave == false, "\(word)")
      }
    }
  }
}
