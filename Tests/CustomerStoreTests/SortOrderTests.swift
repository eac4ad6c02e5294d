import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
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
          if first != second { return first < second }
        } else if areNumbers[key], let first = DecimalNumber(first), let second = DecimalNumber(second) {
          if first != second { return first < second }
        } else {
          let keys = [first, second].map { ComparableText.key(caseFolded($0)) }
          if keys[0] != keys[1] { return keys[0] < keys[1] }
        }
      }
    }
    return nil
  }

  @Test(arguments: 0..<60) func `rows are in the order of their strings`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let (pools, isDescending) = ([Self.texts, Self.numbers], random.oneIn(2))
    let kinds = [random.below(2), random.below(2)]
    let rows = (0..<600).map { _ in kinds.map { pools[$0][random.below(pools[$0].count)] } }
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
}
