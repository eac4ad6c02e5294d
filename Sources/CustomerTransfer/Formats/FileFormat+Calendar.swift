internal import CustomerStore
internal import CustomersText

extension FileFormat {
  /// A calendar (RFC 5545): the next dates and the birthdays, as events of a whole day; only written.
  package static let ics = FileFormat(
    name: "ics", summary: "A calendar of the next dates and birthdays, only for export.",
    fileExtensions: ["ics"],
    hasColumns: false, makeWriter: { layout, _ in CalendarWriter(layout) })
}

/// Writes the events of customers, which have the same ids and bytes as long as the list is the same.
private struct CalendarWriter: CustomerWriter {
  private let layout: ExportLayout
  private var stamp = ""
  private var uuid = ""
  private(set) var eventCount: Int? = 0

  init(_ layout: ExportLayout) { self.layout = layout }

  var needsUUIDs: Bool { true }
  mutating func take(time: String?) {
    // 2026-11-21T09:30:00.123Z is 20261121T093000Z.
    stamp = (time ?? "1970-01-01T00:00:00").prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
  mutating func take(uuid: String) { self.uuid = uuid }

  func begin(_ bytes: inout [UInt8]) -> Bool {
    bytes += folded(["BEGIN:VCALENDAR", "VERSION:2.0", VCardFields.product]).utf8
    return true
  }

  mutating func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    append("next", customer, Moment(customer.fields.next)?.day, to: &bytes) { _ in [] }
    append("birthday", customer, CalendarWriter.birthday(of: customer), to: &bytes) { day in
      // In other years, the 29th of February is the 28th.
      let isLeapDay = day.parts.month == 2 && day.parts.day == 29
      return ["RRULE:FREQ=YEARLY" + (isLeapDay ? ";BYMONTH=2;BYMONTHDAY=-1" : ""), "CATEGORIES:Birthday"]
    }
    return true
  }

  private mutating func append(
    _ kind: String, _ customer: Customer, _ day: CalendarDay?, to bytes: inout [UInt8],
    _ more: (CalendarDay) -> [String]
  ) {
    // An event ends on the day after, which no calendar has after the year 9999.
    guard let day, CalendarDay(number: day.number + 1) != nil else { return }
    eventCount = (eventCount ?? 0) + 1
    let uid = uuid.isEmpty ? "\(customer.id.rawValue)" : uuid
    let name = customer.name.isEmpty ? "(no name)" : customer.name
    bytes +=
      folded(
        [
          "BEGIN:VEVENT", "UID:\(uid)-\(kind)", "DTSTAMP:\(stamp)",
          "DTSTART;VALUE=DATE:\(day.description.filter { $0 != "-" })",
          "SUMMARY:" + CalendarWriter.escaped(layout.shown?(name) ?? name), "TRANSP:TRANSPARENT",
        ] + more(day) + ["END:VEVENT"]
      ).utf8
  }

  func end(_ bytes: inout [UInt8]) { bytes += folded(["END:VCALENDAR"]).utf8 }

  /// The first birthday that a calendar shows.
  ///
  /// Cards often leave out the year, or have 1604 for it, and the list then has the value of the card. It is shown from the
  /// year 2000 on, a leap year.
  private static func birthday(of customer: Customer) -> CalendarDay? {
    let columns = [KnownColumn.birthday.title, KnownColumn.birthday.property ?? ""]
    let own = customer.fields.extraColumns.shown.lazy.filter {
      KnownNames.field($0.name) == KnownColumn.birthday.field
    }.map(\.value.text)
    let texts = columns.lazy.map { customer.fields[.extra($0)].text }
    guard let text = texts.first(where: { !$0.isEmpty }) ?? own.first(where: { Moment($0) != nil })
    else { return nil }
    if let day = Moment(text)?.day, day.parts.year != 1604 { return day }
    let digits = text.prefix(10).filter { $0 != "-" }.suffix(4)
    guard text.hasPrefix("--") || text.hasPrefix("1604-"), digits.count == 4 else { return nil }
    return CalendarDay("2000-\(digits.prefix(2))-\(digits.suffix(2))")
  }

  /// Text of a property, in which no control character may be.
  private static func escaped(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar != "\n" && (scalar.value < 0x20 || scalar.value == 0x7f)
      plain.append(isControl ? " " : scalar)
    }
    return VCardText.escape(String(plain))
  }
}
