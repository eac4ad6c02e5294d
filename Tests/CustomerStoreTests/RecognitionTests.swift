import CustomersTestSupport
@testable import CustomerStore
import CustomersText
import Foundation
import Testing

/// What the values of a column are, by all of them.
@Suite(.onThreads) struct RecognitionTests {
  private static let today = CalendarDay("2026-11-26") ?? .today

  @Test(arguments: [
    ("-12", "-12", "-12"), ("007", "007", "007"), ("12.50", "12.50", nil), ("12,50", nil, "12.50"),
    ("+1", "1", "1"),
    ("-1.5", "-1.5", nil), ("1.", nil, nil), (".5", "0.5", nil), ("-", nil, nil), ("1.2.3", nil, nil),
    ("1-2", nil, nil),
    ("1.200", "1.200", "1200"), ("", nil, nil), ("\u{200E}-1", "-1", "-1"), ("٣", "3", "3"),
    ("1.٣", "1.3", nil),
  ])
  func `a number is plain digits in one style or in both`(text: String, point: String?, comma: String?) {
    #expect(DecimalStyle.point.plain(text) == point && DecimalStyle.comma.plain(text) == comma)
  }

  /// A column that Python's babel has written.
  private struct Column: Decodable {
    var language: String
    var kind: String
    var values: [String]
    var stored: [String]
  }

  /// The columns of `ColumnKinds/columns.py`, a few of them unless `$CUSTOMERS_COLUMNS` names a file with more.
  @Test func `no column is taken for something else, and nearly all are recognized`() throws {
    let named = ProcessInfo.processInfo.environment["CUSTOMERS_COLUMNS"]
    let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Samples/columns.ndjson")
    let lines = try String(contentsOf: named.map { URL(filePath: $0) } ?? sample, encoding: .utf8)
    var (count, recognized, asked, wrong) = (0, 0, 0, 0)
    for line in lines.split(separator: "\n") {
      let column = try JSONDecoder().decode(Column.self, from: Data(line.utf8))
      var recognition = ColumnRecognition(today: Self.today)
      for value in column.values { recognition.take(value) }
      func read(_ reading: ColumnReading) -> [String?] {
        column.values.map { reading.stored($0, today: Self.today) }
      }
      let isText = column.kind == "text"
      count += 1
      switch recognition.result {
      case .text: if isText { recognized += 1 } else if named != nil { print("text:", line.prefix(300)) }
      case .certain(let reading):
        // A column of days with the time of midnight, or of texts that are all numbers, is what it is.
        if read(reading) == column.stored.map(Optional.some) {
          recognized += 1
        } else {
          wrong += 1
          Issue.record("\(reading): \(line.prefix(300))")
        }
      case .open(let readings):
        asked += 1
        // Each of them reads all values, and one of them rightly.
        let read = readings.map(read)
        #expect(Set(read).count == readings.count && !read.joined().contains(nil), "\(line.prefix(300))")
        #expect(read.contains(column.stored), "\(line.prefix(300))")
      }
    }
    if named != nil { print("\(count) columns: \(recognized) recognized, \(asked) asked, \(wrong) wrong") }
    // A few columns are asked about more often.
    #expect(wrong == 0 && recognized * 100 >= (named == nil ? 90 : 95) * count)
  }

  @Test func `a column is what all of its values are`() {
    for (values, result) in [
      (["11/12/2026", "11/20/2026"], "date month first"), (["11/12/2026", "20/11/2026"], "date day first"),
      (["11/12/2026", "12/11/2026"], "? date day first, date month first"),
      (["11/20/2026", "20/11/2026"], "text"),
      (
        ["2026-11-20", "20.11.2026", "11/20/2026", "2026-11-20 10:00", "2026-11-20T10:00Z"],
        "time month first"
      ),
      (["2026-11-20 00:00", "2026-11-21 00:00"], "date day first"),
      (["1.200", "1.300"], "? number 1,234.5, number 1.234,5"),
      (["1.200", "1.300,50"], "number 1.234,5"), (["1.200", "1.3"], "number 1,234.5"),
      (["1200", "7"], "number 1,234.5"),
      (["007", "12"], "text"), (["+49 30", "12"], "text"), (["555 100 200", "555 100 201"], "text"),
      (["5 100 200", "55 100 201"], "number 1,234.5"), (["yes", "no", ""], "yes/no yes/no"),
      (["ja", "nein"], "yes/no yes/no"),
      (["ja", "no"], "text"), (["no", "no"], "text"),
      (["https://a.example", "http://b.example/x"], "link link"),
      (["3 lis 2026"], "? date day first, date day first"),
      (["3 lis 2026", "4 maja 2026"], "date day first"),
      (["26. 11. 27."], "? date day first, date year first"), (["26-Nov-26"], "date day first"),
      (["Friday, 2026-11-27", "Friday, 2026-11-28"], "text"), (["So 29.11.2026"], "date day first"),
      // Saturday in Prague, and Sunday in Berlin.
      (["So 28.11.2026"], "date day first"), (["So 28.11.2026", "So 29.11.2026"], "text"),
      (["Thu 11/12/2026"], "date month first"), (["Fri 11/12/2026"], "date day first"),
      (["Thu, 2026-11-28"], "text"), (["Thứ Bảy, 28 tháng 11, 2026"], "date day first"),
      (["št 26.11.2026", "st 25.11.2026"], "date day first"), (["Pazar 29.11.2026"], "date day first"),
      (["Pazar 30.11.2026"], "text"),
      (["sunnuntaina 29. marraskuuta 2026"], "date day first"),
      (["2026年11月27日木曜日"], "text"), (["2026年11月26日星期五"], "text"), (["2026年11月29日星期天"], "date day first"),
      (["2026년 11월 26일 금요일"], "text"), (["Fri, 27 Nov 2026 10:00:00 +0100"], "time day first"),
      (["Sat, 27 Nov 2026 10:00:00 +0100"], "text"),
      (["mar 24 mar 2026", "mar 26 nov 2026"], "text"), (["jeudi 26 novembre 2026"], "date day first"),
      (["2026年11月26日", "2026年1月2日金曜日"], "date day first"), (["2026년 11월 26일 목요일"], "date day first"),
      (["R8.11.20", "R8.12.24"], "text"), (["v1.2.26"], "text"), (["20/11/2569"], "text"),
      (["1405/08/29"], "text"), (["2026-11-26 г."], "date day first"),
      (["", " "], "text"), ([], "text"), (["1.2.3"], "text"), (["10-02-03"], "text"),
      (["2026"], "number 1,234.5"), (["10115", "80331"], "text"), (["10115", "7"], "number 1,234.5"),
    ] as [([String], String)] {
      var recognition = ColumnRecognition(today: Self.today)
      for value in values { recognition.take(value) }
      func name(_ reading: ColumnReading) -> String { "\(reading.kind.rawValue) \(reading.word)" }
      let found =
        switch recognition.result {
        case .text: "text"
        case .certain(let reading): name(reading)
        case .open(let readings): "? " + readings.map(name).joined(separator: ", ")
        }
      #expect(found == result, "\(values)")
    }
  }

  @Test func `years of two digits are read as typed ones, though all may be past ones if one is far away`() {
    for (values, stored, mayBePast) in [
      (["24.12.45", "1.2.30", "3.4.2030"], ["2045-12-24", "2030-02-01", "2030-04-03"], true),
      (["31.12.27", "31.12.95", "15.01.20"], ["2027-12-31", "1995-12-31", "2020-01-15"], true),
      (["24-Dec-80", "29-Feb-28"], ["1980-12-24", "2028-02-29"], true),
      (["24.12.27", "1.2.98"], ["2027-12-24", "1998-02-01"], false),
      (["24.12.36", "1.2.30"], ["2036-12-24", "2030-02-01"], false),
      (["24.12.50", "1.2.80"], ["1950-12-24", "1980-02-01"], false),
    ] as [([String], [String], Bool)] {
      var recognition = ColumnRecognition(today: Self.today)
      for value in values { recognition.take(value) }
      let reading = recognition.readings.first
      #expect(values.map { reading?.stored($0, today: Self.today) ?? "" } == stored)
      #expect(recognition.mayBePast == mayBePast)
    }
  }
}
