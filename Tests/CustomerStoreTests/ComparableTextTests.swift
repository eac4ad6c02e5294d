@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Foundation
import Testing

/// How values compare: numbers by value, digits within values by value, dates.
@Suite(.onThreads) struct ComparableTextTests {
  @Test func `numbers are exact`() {
    for (text, isNumber) in [
      ("1", true), ("-1.50", true), ("+.5", true), ("5.", true), ("1e-3", true), ("", false), (".", false),
      ("1,5", false), ("0x10", false), ("inf", false), ("nan", false), ("1e", false),
      ("1e99999999999", false),
      ("--1", false), ("1 ", false), ("١", false),
    ] {
      #expect((DecimalNumber(text) != nil) == isNumber, "\(text)")
    }
    let ascending = [
      "-1e3", "-12345678901234567891", "-12345678901234567890", "-2", "-1.5", "-0.10", "-.01", "0", "1e-5",
      "0.5",
      "1", "1.05", "1.5", "9", "10", "12345678901234567890", "12345678901234567891", "1e30",
    ].sorted { (Decimal(string: $0) ?? 0) < (Decimal(string: $1) ?? 0) }
    for (index, text) in ascending.enumerated() {
      for (other, later) in ascending.enumerated() {
        let (one, two) = (DecimalNumber(text), DecimalNumber(later))
        #expect(one.flatMap { one in two.map { one < $0 } } == (index < other), "\(text) < \(later)")
      }
    }
    #expect(DecimalNumber("1.0") == DecimalNumber("1") && DecimalNumber("-0") == DecimalNumber("0.0e5"))
  }

  @Test func `digits within a string compare by value`() {
    let ascending = [
      "", "a", "a 9", "row 2", "row 9b", "row 10", "row 10a", "row 99999999", "row 123456789",
      "row 1234567890",
      "row 12345678901234567890", "rowa",
    ]
    #expect(ascending.shuffled().sorted { ComparableText.key($0) < ComparableText.key($1) } == ascending)
    var random = SplitMix64(seed: 7)
    for _ in 0..<(isLong ? 100_000 : 1000) {
      let (one, two) = (
        UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0..<64, using: &random),
        UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0..<64, using: &random)
      )
      let texts = ["x\(one)y", "x00\(two)"]
      let keys = texts.map(ComparableText.key)
      #expect((keys[0] < keys[1]) == (one < two), "\(texts)")
    }
  }

  @Test func `a column of numbers is sorted by number, any other by text and digits`() throws {
    let store = try CustomerStore.inMemory("A, B, C, D, E")
    func order(_ values: [String], isDescending: Bool = false) throws -> String {
      try store.write { list in
        for (index, value) in values.enumerated() {
          try list.update(CustomerID(rawValue: Int64(index + 1))) { $0.extraColumns["x"] = .text(value) }
        }
        let order = SortOrder(by: [.field(.extra("x"))], isDescending: isDescending)
        let sorted = order.sorted(try list.customers(matching: RowFilter())).map(\.name).joined()
        try list.sort(by: order)
        #expect(try list.customers(matching: RowFilter()).map(\.name).joined() == sorted)
        try list.sort(by: SortOrder(by: [.name]))
        return sorted
      }
    }
    #expect(try order(["100", "20", "3", "", "-1.5"]) == "ECBAD")
    #expect(try order(["100", "20", "3", "", "-1.5"], isDescending: true) == "ABCED")
    #expect(try order(["1.0", "1", "01", "1e0", "0"]) == "ECBAD")
    #expect(try order(["12345678901234567891", "12345678901234567890", "2", "", ""]) == "CBADE")
    #expect(try order(["row 10", "row 2", "Row 1", "", "x"]) == "CBAED")
    #expect(try order(["2026-11-22", "2026-02-03", "2025-12-31", "", "soon"]) == "CBAED")
    #expect(try order(["10", "9", "b", "a1", "a01"]) == "BAEDC")
  }

  @Test func `a day is one of the calendar`() throws {
    for text in [
      "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "26-01-01", "2026-1-1", "x",
    ] {
      #expect(CalendarDay(text) == nil, "\(text)")
    }
    func day(_ text: String, _ today: CalendarDay) -> CalendarDay? {
      TypedDay(text, from: today, for: .entry).day
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let start = try #require(CalendarDay("2024-02-27"))
    var date = try #require(calendar.date(from: DateComponents(year: 2024, month: 2, day: 27)))
    for days in 0..<800 {
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let text = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      #expect(day("today+\(days)", start)?.description == text)
      #expect(day("Today-\(days)", try #require(CalendarDay(text))) == start)
      date = try #require(calendar.date(byAdding: .day, value: 1, to: date))
    }
    #expect(day("tomorrow", start)?.description == "2024-02-28")
    #expect(day("yesterday", start)?.description == "2024-02-26")
    for text in ["today+", "today+x", "today 1", "now", "today++1", "today+999999999999999999999"] {
      #expect(day(text, start) == nil, "\(text)")
    }
    let last = try #require(CalendarDay("9999-12-31"))
    #expect(day("tomorrow", last) == nil)
  }
}
