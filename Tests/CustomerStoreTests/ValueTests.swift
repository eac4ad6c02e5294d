@testable import CustomerStore
import CustomersTestSupport
import Testing

/// Values by the kind of their column: how they are typed, kept, and compared.
@Suite(.onThreads) struct ValueTests {
  private let today: CalendarDay

  init() throws { today = try #require(CalendarDay("2026-11-26")) }

  @Test func `a day is typed as people say it`() throws {
    #expect(today.weekday == 3)
    for (text, day) in [
      ("today", "2026-11-26"), ("Tomorrow", "2026-11-27"), ("yesterday", "2026-11-25"), ("+3d", "2026-11-29"),
      ("2w", "2026-12-10"), ("-1w", "2026-11-19"), ("today+7", "2026-12-03"), ("today-7", "2026-11-19"),
      ("today + 7", "2026-12-03"), ("tomorrow - 1w", "2026-11-20"),
      ("today+1w", "2026-12-03"), ("friday", "2026-11-27"), ("thursday", "2026-12-03"), ("wed", "2026-12-02"),
      ("next monday", "2026-11-30"), ("next week", "2026-12-03"), ("next month", "2026-12-26"),
      ("next year", "2027-11-26"), ("eom", "2026-11-30"), ("eoy", "2026-12-31"), ("3m", "2027-02-26"),
      ("24.12.", "2026-12-24"), ("24.1.", "2027-01-24"), ("26.11.", "2026-11-26"), ("29.2.", "2028-02-29"),
      ("24.12.2026", "2026-12-24"), ("1.2.27", "2027-02-01"), ("2026-12-24", "2026-12-24"),
      ("2026-2-3", "2026-02-03"), ("2026/12/24", "2026-12-24"), ("11/20/2026", "2026-11-20"),
      ("20/11/2026", "2026-11-20"), ("11/11/2026", "2026-11-11"), (" friday ", "2026-11-27"),
      ("2026-11-20 00:00:00", "2026-11-20"), ("2026-11-20T00:00:00Z", "2026-11-20"),
      ("3 May 1995", "1995-05-03"), ("May 3, 1995", "1995-05-03"), ("3. Mai 1995", "1995-05-03"),
      ("Saturday, 2026-11-28", "2026-11-28"), ("Fr 27.11.2026", "2026-11-27"),
      ("thu 11/12/2026", "2026-11-12"),
    ] {
      #expect(try stored(text, .date) == day, "\(text)")
    }
    #expect(TypedDay("24.1.", from: today, for: .search).day == CalendarDay("2026-01-24"))
    #expect(TypedDay("31.12.", from: today, for: .search).day == CalendarDay("2026-12-31"))
    let end = try #require(CalendarDay("2028-01-31"))
    #expect(TypedDay("next month", from: end, for: .entry).day == CalendarDay("2028-02-29"))
  }

  @Test func `what is no value is refused with the column, the kind, and what was meant`() {
    for (text, kind, message) in [
      ("tomorow", .date, "Due: \"tomorow\" is not a date; did you mean tomorrow?"),
      ("fridai", .date, "Due: \"fridai\" is not a date; did you mean friday?"),
      ("2026-02-30", .date, "Due: \"2026-02-30\" is not a date; there is no such day"),
      (
        "11/12/2026", .date,
        "Due: \"11/12/2026\" may be 2026-11-12 or 2026-12-11; write 2026-11-12 or 2026-12-11"
      ),
      ("Friday, 2026-11-28", .date, "Due: \"Friday, 2026-11-28\" is not a date; 2026-11-28 is a Saturday"),
      ("Mo 27.11.2026", .date, "Due: \"Mo 27.11.2026\" is not a date; 2026-11-27 is a Friday"),
      (
        "Mon 11/12/2026", .date,
        "Due: \"Mon 11/12/2026\" is not a date; 2026-11-12 is a Thursday and 2026-12-11 is a Friday"
      ),
      (
        "Fri, 28 Nov 2026 10:00", .time,
        "Due: \"Fri, 28 Nov 2026 10:00\" is not a time; 2026-11-28 is a Saturday"
      ),
      ("2026-11-20 10:00", .date, "Due: \"2026-11-20 10:00\" is not a date; a date has no time of day"),
      ("soon", .date, "Due: \"soon\" is not a date; for example: 2026-12-24, friday, or +3d"),
      ("12", .date, "Due: \"12\" is not a date; for example: 2026-12-24, friday, or +3d"),
      ("today+99999999", .date, "Due: \"today+99999999\" is not a date; that is too far away"),
      ("9999y", .date, "Due: \"9999y\" is not a date; that is too far away"),
      ("12,50 €", .number, "Due: \"12,50 €\" is not a number; write it without €"),
      ("6O", .number, "Due: \"6O\" is not a number; for example: 12.50"),
      ("1,200", .number, "Due: \"1,200\" may be 1200 or 1.2; write 1200 or 1.2"),
      ("1.200", .number, "Due: \"1.200\" may be 1.2 or 1200; write 1.2 or 1200"),
      ("-12.345", .number, "Due: \"-12.345\" may be -12.3450 or -12345; write -12.3450 or -12345"),
      ("1.000", .number, "Due: \"1.000\" may be 1 or 1000; write 1 or 1000"),
      ("maybe", .yesNo, "Due: \"maybe\" is not yes or no; for example: yes"),
      (
        "opne", .choice,
        "Due: \"opne\" is not one of its choices; did you mean Open? The choices are Open, Won"
      ),
      ("lost", .choice, "Due: \"lost\" is not one of its choices; the choices are Open, Won"),
      ("a b", .link, "Due: \"a b\" is not a link; for example: https://example.com"),
      ("25:00", .time, "Due: \"25:00\" is not a time; for example: 2026-12-24T17:30"),
    ] as [(String, ColumnKind, String)] {
      do {
        let found = try stored(text, kind)
        Issue.record("\(text) was taken for \(found)")
      } catch { #expect(error.description == message) }
    }
  }

  @Test func `a value has one stored form, however it is typed`() throws {
    for (kind, texts, form) in [
      (
        .number, ["1200.50", "1,200.50", "1.200,50", "1 200,50", "1’200.50", "+1200.50", "1\u{202F}200,50"],
        "1200.50"
      ),
      (.number, ["-5", "−5", "\u{200E}-5", "-٥"], "-5"), (.number, ["900.00", "900,00"], "900.00"),
      (.number, ["0.125", "0,125"], "0.125"), (.number, ["12345678901234567890"], "12345678901234567890"),
      (.number, ["12,34,567.8"], "1234567.8"), (.number, [".5", ",5"], "0.5"),
      (
        .time, ["2026-11-20 10:00", "2026-11-20T10:00", "20.11.2026 10:00", "2026-11-20 10:00 AM"],
        "2026-11-20T10:00"
      ),
      (
        .time, ["2026-11-20T10:00:00.000Z", "2026-11-20 10:00:00 UTC", "2026-11-20T10:00:00+00:00"],
        "2026-11-20T10:00:00Z"
      ),
      (.time, ["2026-11-20T10:00+0100", "2026-11-20T10:00+01:00"], "2026-11-20T10:00+01:00"),
      (.time, ["tomorrow 5:30 pm", "2026-11-27 17:30"], "2026-11-27T17:30"), (.time, ["today"], "2026-11-26"),
      (.yesNo, ["yes", "Yes", "1", "true"], "yes"), (.yesNo, ["no", "0", "FALSE"], "no"),
      (.choice, ["open", "Open", "OPEN"], "Open"), (.link, ["example.com/x"], "example.com/x"),
      (.text, ["friday"], "friday"), (.date, [""], ""),
    ] as [(ColumnKind, [String], String)] {
      for text in texts {
        #expect(try stored(text, kind) == form, "\(text)")
        #expect(ColumnKinds.Column(kind, choices: ["Open", "Won"]).isValue(form))
      }
    }
    #expect(!ColumnKinds.Column(.date).isValue("20.11.2026"))
    #expect(!ColumnKinds.Column(.choice, choices: ["Open"]).isValue("open"))
  }

  private func stored(_ text: String, _ kind: ColumnKind) throws(KindError) -> String {
    try ColumnKinds.Column(kind, choices: kind == .choice ? ["Open", "Won"] : []).stored(
      typed: text, in: "Due", today: today)
  }

  @Test func `days are counted as the calendar does`() throws {
    // As many as come again in the same order.
    var day = (year: 1800, month: 1, day: 1)
    let first = try #require(CalendarDay("1800-01-01")).number
    for number in first..<first + 146_097 {
      let found = try #require(CalendarDay(number: number))
      try #require(found.parts == day && CalendarDay(year: day.year, month: day.month, day: day.day) == found)
      day.day += 1
      if day.day > CalendarDay.length(of: day.month, in: day.year) {
        (day.month, day.day) = (day.month + 1, 1)
      }
      if day.month > 12 { (day.year, day.month) = (day.year + 1, 1) }
    }
    #expect(day == (2200, 1, 1))
    for text in ["0001-01-01", "0004-02-29", "9999-12-31"] { #expect(CalendarDay(text)?.description == text) }
    let last = try #require(CalendarDay("9999-12-31"))
    #expect(CalendarDay(number: last.number + 1) == nil)
    #expect(CalendarDay(number: 0)?.description == "1970-01-01" && CalendarDay(number: 0)?.weekday == 3)
  }

  @Test func `questions compare by kind, and leave out what is not of it`() throws {
    func column(_ kind: ColumnKind) -> ColumnKinds.Column {
      ColumnKinds.Column(kind, choices: ["low", "mid", "high"])
    }
    func truth(_ question: String, _ value: String, _ kind: ColumnKind) throws -> Truth {
      let term = try #require(FilterExpression("F\(question)").terms.terms.first)
      return try ValueTest(term, column(kind), "F", today).truth(of: value.isEmpty ? [] : [value])
    }
    for (kind, question, value, wanted) in [
      (.date, "<tomorrow", "2026-11-26", .yes), (.date, "=today", "2026-11-26", .yes),
      (.date, "=today", "26.11.2026", .skipped), (.date, "!=today", "26.11.2026", .skipped),
      (.date, "!=today", "", .empty), (.date, "=", "", .yes), (.date, "!=", "soon", .yes),
      (.date, "=", "soon", .no),
      (.date, "=\"\",today", "", .yes), (.date, ">=24.12.", "2026-12-24", .yes),
      (.number, "=900", "900.00", .yes), (.number, "<\"1.200,50\"", "1200.5", .no),
      (.number, ">9", "10", .yes),
      (.number, "=7", "seven", .skipped), (.number, "!=7", "seven", .skipped),
      (.time, "=2026-11-20", "2026-11-20T10:00", .yes), (.time, "<2026-11-20", "2026-11-20T10:00", .no),
      (.time, ">2026-11-20", "2026-11-20T10:00Z", .no), (.time, "<=2026-11-20", "2026-11-20T23:59", .yes),
      (.time, "=2026-11-20T10:00", "2026-11-20T10:00:30", .yes),
      (.time, "=2026-11-20T10:00Z", "2026-11-20T11:00+01:00", .yes),
      (.choice, "<high", "mid", .yes), (.choice, ">LOW", "mid", .yes), (.choice, "=mid", "Mid", .skipped),
      (.yesNo, "=yes", "yes", .yes), (.yesNo, "!=1", "no", .yes), (.text, "<7", "6", .yes),
      (.text, "<7", "six", .skipped),
      (.text, "=900", "900.00", .yes), (.text, "=0900", "900", .no), (.text, "=today", "26.11.2026", .yes),
      (.text, "=friday", "Friday", .yes), (.date, "~2026", "2026-11-26", .yes), (.date, "!~2026", "", .yes),
    ] as [(ColumnKind, String, String, Truth)] {
      #expect(try truth(question, value, kind) == wanted, "\(kind) \(question) \(value)")
    }
    for (kind, question) in [
      (.date, "<tomorow"), (.number, "<6O"), (.number, "=x"), (.choice, "=none"), (.yesNo, "<yes"),
      (.text, "<M"),
      (.text, "<tomorow"), (.text, "<11/12/2026"), (.date, "=11/12/2026"), (.yesNo, "=maybe"),
      (.text, "<1,200"),
    ] as [(ColumnKind, String)] {
      #expect(throws: FilterError.self, "\(kind) \(question)") { try truth(question, "x", kind) }
    }
  }

  @Test func `in a column of any text, dates and amounts are asked however they are written`() throws {
    let store = try CustomerStore.inMemory()
    let values = [
      "2026-11-20", "20 Nov 2026", "Nov 20, 2026", "20.11.26", "20/11/2026", "2026-12-01", "11/12/2026",
      "900", "900 €", "€901", "900a", "soon",
    ]
    try store.write { list in
      for value in values {
        var fields = CustomerFields(name: "P")
        fields.extraColumns["X"] = .text(value)
        try list.insert(fields)
      }
    }
    for (question, answer) in [
      ("X=2026-11-20", Array(values[0...4])), ("not X=2026-11-20", [values[5]] + values[7...]),
      ("X=2026-12-11", []), ("X=900", ["900"]),
      ("X!=900", Array(values[0...6]) + ["€901", "900a", "soon"]),
    ] {
      let found = try store.read { list in
        try list.customers(matching: RowFilter([FilterExpression(question)], in: list)).map {
          $0.fields.extraColumns["X"]?.text ?? ""
        }
      }
      #expect(found == answer, "\(question)")
    }
  }

  @Test(arguments: ["name=A)", "(name=A))", "X=900 and", "X=900 not", "X=a,b not"])
  func `what is left over after a question is no value`(question: String) {
    #expect(throws: FilterError.self) { try FilterExpression(question) }
  }
}
