import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// The order of rows by their values, against comparing whole strings.
@Suite(.onThreads) struct SortOrderTests {
  /// Texts that compare otherwise than their bytes, and numbers in many forms.
  private static let texts = [
    "", "a", "A", "b", "Ab", "aB", "row 2", "row 10", "Row 002", "row 10 b", "000", "0", "1234567890",
    "99999999999",
    "é", "e\u{301}", "E\u{301}", "ê", "f", "ı", "I", "i", "ſ", "K", "k", "Å", "Å", "ångström", "Ω", "山",
    "か\u{3099}", "が",
    "ﬁ", "ß", "SS", "👍", "\u{300}", "z\u{327}\u{301}", "z\u{301}\u{327}", " a", "a ", "a-b", "é2", "é10",
  ]
  private static let numbers = [
    "", "0", "-0", "1", "1.0", "-1", "-1.5", "-15", "-1.25", "2", "10", "1e3", "1000", "1e-3", "0.001",
    "123456789012345678901",
    "123456789012345678902", "-123456789012345678901", "+7", "007", ".5", "0.50",
  ]

  /// Whether one row comes before another, by the rules and with whole strings.
  private func precedes(_ left: [String], _ right: [String], _ areNumbers: [Bool], _ isDescending: Bool)
    -> Bool?
  {
    for isExact in [false, true] {
      for key in left.indices {
        let (one, other) = (left[key], right[key])
        if one.isEmpty || other.isEmpty {
          if one.isEmpty != other.isEmpty { return other.isEmpty }
          continue
        }
        let (first, second) = isDescending ? (other, one) : (one, other)
        if isExact {
          if first != second { return normal(first).lexicographicallyPrecedes(normal(second)) }
        } else if areNumbers[key], let first = DecimalNumber(first), let second = DecimalNumber(second) {
          if first != second { return first < second }
        } else {
          let keys = [first, second].map { ComparableText.key(searchFolded($0)) }
          if keys[0] != keys[1] { return normal(keys[0]).lexicographicallyPrecedes(normal(keys[1])) }
        }
      }
    }
    return nil
  }

  @Test(arguments: [(60, ["Cy", "Ann", "Bob"]), (-300, ["Ann", "Bob", "Cy"])])
  func `times are sorted as a condition compares them, on the caller's clock`(minutes: Int, names: [String])
    throws
  {
    let store = try CustomerStore.inMemory("Ann, Bob, Cy, Dan")
    try store.write { list in
      try list.declareColumn("T", kind: .time)
      for (id, time) in [
        (1, "2026-12-24T23:30:00Z"), (2, "2026-12-25T01:00:00+01:00"), (3, "2026-12-24T23:45"),
      ] {
        try list.update(CustomerID(rawValue: Int64(id))) { $0[.extra("T")] = .text(time) }
      }
    }
    try CallersClock.$minutes.withValue(minutes) {
      try store.read { list in
        let sorted = try list.values(by: SortOrder(by: [.field(.extra("T"))])).sorted()
        #expect(try sorted.map { try list.customer($0).name } == names + ["Dan"])
        for (first, second) in zip(sorted, sorted.dropFirst(1)).dropLast() {
          let time = try list.customer(second).fields[.extra("T")].text
          let filter = try RowFilter([FilterExpression("T<=\(time)")], in: list)
          #expect(try list.customers(matching: filter).map(\.id).contains(first))
        }
      }
    }
  }

  @Test func `a name with an accent is beside the one without`() throws {
    let names = [
      "Zoe", "Élodie", "Otto", "Özil", "Eva", "élan", "Elan", "Łukasz", "Lukas", "Ёлкин", "Жуков", "Ели",
    ]
    let store = try CustomerStore.inMemory(
      SampleList(sections: [.init(title: nil, customers: names.map { .init(firstName: $0) })]))
    try store.write { _ = try $0.apply(.sort(SortOrder(by: [.name]))) }
    let sorted = try store.read { list in try list.customers(list.ids(in: 1)) }
    #expect(
      try store.read { list in try list.ids(in: 1) }.compactMap { sorted[$0]?.fields.firstName } == [
        "Elan", "élan", "Élodie", "Eva", "Lukas", "Łukasz", "Otto", "Özil", "Zoe", "Ели", "Ёлкин", "Жуков",
      ])
  }

  /// What strings compare by; `<` is not used, because it knows no order of two strings of which one is the beginning of
  /// the other only after normalization.
  private func normal(_ text: String) -> [UInt8] { Array(text.precomposedStringWithCanonicalMapping.utf8) }

  @Test(arguments: sampled(0..<60, oneIn: 20)) func `rows are in the order of their strings`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let (pools, isDescending) = ([Self.texts, Self.numbers], random.oneIn(2))
    let kinds = [random.below(2), random.below(2)]
    let rows = (0..<600).map { _ in kinds.map { pools[$0][random.below(pools[$0].count)] } }
    expectOrder(of: rows, isDescending)
  }

  /// Long beginnings in common, letters of many scripts, and marks that combine, in columns of any kind.
  @Test(arguments: sampled(0..<60, oneIn: 20))
  func `rows in any script are in the order of their strings`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let letters = [
      Array("aAbBzZ09 -"), Array("eE\u{301}\u{327}áÁß"), Array("αΑάσς\u{345}жЖйи\u{306}"),
      Array("אב\u{5b0}آا\u{653}"),
      Array("한가\u{1100}\u{1161}"), Array("かが\u{3099}中文漢"), Array("हिन्दी\u{93c}กั่"),
      Array("\u{2000}\u{2002}\u{212b}\u{212a}ﬁ👍🏽\u{200d}\u{10ffff}"),
    ].map { $0.flatMap(\.unicodeScalars) }
    let (scripts, isDescending) = (1 + random.below(letters.count), random.oneIn(2))
    let beginning = String(repeating: "same ", count: random.below(8))
    func text() -> String {
      if random.oneIn(9) { return "" }
      if random.oneIn(4) { return String(random.below(40) - 20) }
      var text = random.oneIn(3) ? "" : beginning
      for _ in 0..<1 + random.below(4) {
        let script = letters[random.below(scripts)]
        text.unicodeScalars.append(script[random.below(script.count)])
      }
      return text
    }
    let areNumbers = (0..<2).map { _ in random.oneIn(4) }
    let rows = (0..<600).map { _ in areNumbers.map { $0 ? String(random.below(99) - 50) : text() } }
    expectOrder(of: rows, isDescending)
  }

  private func expectOrder(of rows: [[String]], _ isDescending: Bool) {
    let order = SortOrder(by: [.field(.company), .field(.note)], isDescending: isDescending)
    let customers = rows.enumerated().map { number, texts in
      var fields = CustomerFields()
      (fields.company, fields.note) = (texts[0], texts[1])
      return Customer(
        id: CustomerID(rawValue: Int64(number)), place: CustomerPlace(section: 1, order: number + 1),
        fields: fields)
    }
    let areNumbers = (0..<2).map { key in rows.allSatisfy { $0[key].isEmpty || DecimalNumber($0[key]) != nil }
    }
    let found = order.sorted(customers).map { Int($0.id.rawValue) }
    #expect(found.sorted() == Array(0..<600))
    for (one, next) in zip(found, found.dropFirst()) {
      let before = precedes(rows[one], rows[next], areNumbers, isDescending)
      #expect(before ?? (one < next), "\([rows[one], rows[next]])")
    }
  }

  /// What `isAlwaysNormal` promises, by the tables of another library.
  @Test func `normalization leaves plain letters alone, whatever is before them`() {
    let all = (0...0x10ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    for scalar in all where scalar.isAlwaysNormal {
      let normal = String(scalar).precomposedStringWithCanonicalMapping
      #expect(normal.unicodeScalars.elementsEqual([scalar]), "\(scalar.value)")
      #expect(scalar.properties.canonicalCombiningClass == .notReordered, "\(scalar.value)")
      #expect(caseFolded(scalar).isAlwaysNormal, "\(scalar.value)")
    }
    for scalar in sampled(all, oneIn: 16) {
      // What it is made of, after the first, would become part of it.
      let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.dropFirst()
      #expect(parts.allSatisfy { !$0.isAlwaysNormal }, "\(scalar.value)")
    }
  }

  @Test func `a letter is folded to the lowercase of its uppercase`() {
    for value in sampled(0...0x10ffff as ClosedRange<UInt32>, oneIn: 16) {
      guard let scalar = Unicode.Scalar(value), scalar != "ı" else { continue }
      let capital = scalar.properties.uppercaseMapping.unicodeScalars
      let only = capital.count == 1 ? capital[capital.startIndex] : scalar
      let small = only.properties.lowercaseMapping.unicodeScalars
      #expect(caseFolded(scalar) == (small.count == 1 ? small[small.startIndex] : scalar), "\(value)")
    }
  }

  @Test func `a column with a comma in its name is named in quotes`() throws {
    let store = try CustomerStore.inMemory(.generated(3))
    try store.write { list in
      let id = try list.sectionsWithRows().flatMap(\.rows)[0].id
      for name in ["a, b", "say \"hi\"", "plain"] {
        _ = try list.apply(.update([id], [.extra(name): .text("1")]))
      }
      let names = #" plain , "a, b" ,"say ""hi""",company"#
      #expect(
        try list.columns(named: names).map(\.name) == ["plain", "a, b", "say \"hi\"", "company"])
      let order = try list.sortOrder(by: #"-"a, b",plain"#)
      #expect(
        order.fields == [.extra("a, b"), .extra("plain")] && order.reversed == [.field(.extra("a, b"))])
      for wrong in [#""a, b"#, #""a, b" x"#, "a, b", #""plain,"#] {
        #expect(throws: FieldNamesError.self, "\(wrong)") { try list.columns(named: wrong) }
      }
    }
  }
}
