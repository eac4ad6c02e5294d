internal import CustomersSystem

/// The clock of the caller: that of `$TZ`, unless a server answers someone who has another one.
package enum CallersClock {
  /// How many minutes it is ahead of Greenwich; nil for that of `$TZ`.
  @TaskLocal package static var minutes: Int?

  /// The seconds that it shows at a time since 1970.
  static func local(_ universal: Int) -> Int? {
    if let minutes { return universal + 60 * minutes }
    var time = time_t(universal)
    var date = unsafe tm()
    tzset()
    guard unsafe localtime_r(&time, &date) != nil else { return nil }
    return unsafe universal + Int(date.tm_gmtoff)
  }

  /// The first second since 1970 at which it shows a time, or a later one if a change of the clock leaves that out.
  static func universal(_ shown: Int) -> Int {
    if let minutes { return shown - 60 * minutes }
    let offsets = [-86_400, 86_400].map { (local(shown + $0) ?? shown + $0) - shown - $0 }
    var (first, last) = (shown - max(offsets[0], offsets[1]), shown - min(offsets[0], offsets[1]))
    guard first < last, local(first) != shown else { return first }
    while first < last {
      let middle = (first + last) / 2
      if local(middle) ?? shown < shown { first = middle + 1 } else { last = middle }
    }
    return first
  }

  /// Something that runs on another thread with the clock of this one.
  package static func carried<Result>(_ body: @escaping @Sendable () -> Result) -> @Sendable () -> Result {
    let minutes = minutes
    return { $minutes.withValue(minutes, operation: body) }
  }
}

/// A day of the years 1 to 9999, written as in 2026-11-22.
package struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of days since 1 January 1970.
  package let number: Int

  /// The day of the caller.
  package static var today: CalendarDay {
    CalendarDay(certain: day(ofSecond: CallersClock.local(time(nil)) ?? 0))
  }

  /// The number of the day of a second since 1970.
  fileprivate static func day(ofSecond second: Int) -> Int {
    (second - (second % 86_400 + 86_400) % 86_400) / 86_400
  }

  init(certain number: Int) { self.number = number }

  /// The day so many days after 1 January 1970; nil outside of the years 1 to 9999.
  package init?(number: Int) {
    guard (CalendarDay.first...CalendarDay.last).contains(number) else { return nil }
    self.number = number
  }

  /// The same, or the first or last day of those years.
  init(clamping number: Int) { self.number = min(max(number, CalendarDay.first), CalendarDay.last) }

  /// A day by its year, month, and day in the month; nil if there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CalendarDay.length(of: month, in: year)).contains(day)
    else { return nil }
    number = CalendarDay.number(year, month, day)
  }

  /// Parses a date of four, two, and two digits; nil for any other text, or if there is no such day.
  package init?(_ text: String) { self.init(text.utf8) }

  /// Parses a date of four, two, and two digits; quick, because a question parses those of all customers.
  package init?(_ text: some BidirectionalCollection<UInt8>) {
    var numbers = (0, 0, 0)
    var place = 0
    for byte in text {
      switch place {
      case 4, 7: guard byte == UInt8(ascii: "-") else { return nil }
      case 0..<10:
        guard (0x30...0x39).contains(byte) else { return nil }
        let digit = Int(byte) - 0x30
        switch place {
        case 0..<4: numbers.0 = numbers.0 * 10 + digit
        case 5, 6: numbers.1 = numbers.1 * 10 + digit
        default: numbers.2 = numbers.2 * 10 + digit
        }
      default: return nil
      }
      place += 1
    }
    guard place == 10 else { return nil }
    self.init(year: numbers.0, month: numbers.1, day: numbers.2)
  }

  private static let first = number(1, 1, 1)
  private static let last = number(9999, 12, 31)

  /// The number of a day, whose year may begin in March: then the leap day is the last of the year.
  private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let month = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468
  }

  /// How many days a month has.
  package static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The year, the month from 1, and the day in the month from 1.
  package var parts: (year: Int, month: Int, day: Int) {
    let days = number + 719_468
    let era = days / 146_097
    let rest = days - era * 146_097
    let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
    let ofYear = rest - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * month + 2) / 5 + 1
    return (era * 400 + year + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, day)
  }

  /// The day of the week, from 0 for Monday.
  package var weekday: Int { (((number + 3) % 7) + 7) % 7 }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

  /// The date, such as `2026-11-22`.
  package var description: String {
    let (year, month, day) = parts
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }
}

/// A number of at least so many digits.
func digits(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A day and, unless it is missing, a time of day, written as in `2026-11-22T17:30` or `2026-11-22T17:30:05Z`.
package struct Moment: Hashable, Sendable {
  package let day: CalendarDay
  /// The seconds since midnight; nil if only the day is known.
  package let seconds: Int?
  /// Whether the seconds are written.
  package let isExact: Bool
  /// The digits of a part of a second, which no comparison looks at.
  package let fraction: String
  /// How many minutes the clock is ahead of Greenwich; nil if that is not known.
  package let offset: Int?

  package init(
    day: CalendarDay, seconds: Int? = nil, isExact: Bool = false, fraction: String = "", offset: Int? = nil
  ) {
    (self.day, self.seconds, self.isExact) = (day, seconds, isExact)
    (self.fraction, self.offset) = (fraction, offset)
  }

  /// The same on another day.
  func on(_ day: CalendarDay) -> Moment {
    Moment(day: day, seconds: seconds, isExact: isExact, fraction: fraction, offset: offset)
  }

  /// The seconds since 1970 that the clock shows.
  package var local: Int { day.number * 86_400 + (seconds ?? 0) }

  /// The seconds since 1970 in Greenwich, as far as that is known.
  package var universal: Int { local - 60 * (offset ?? 0) }

  /// The same, on the caller's clock if the zone is not known.
  var instant: Int { seconds != nil && offset != nil ? universal : CallersClock.universal(local) }

  /// The same moment on the caller's clock, without a zone; one whose zone is not known is of that clock.
  var here: Moment {
    guard seconds != nil, offset != nil, let clock = CallersClock.local(universal) else { return self }
    let day = CalendarDay(clamping: CalendarDay.day(ofSecond: clock))
    return Moment(day: day, seconds: clock - 86_400 * day.number, isExact: isExact, fraction: fraction)
  }

  /// The instants that it may be.
  var span: ClosedRange<Int> {
    guard seconds != nil else { return instant...CallersClock.universal(local + 86_400) - 1 }
    return instant...instant + (isExact ? 0 : 59)
  }

  /// Parses a day with a time after a space or a `T`, perhaps with a part of a second and a zone; nil for any other
  /// text.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard let day = CalendarDay(bytes.prefix(10)) else { return nil }
    var rest = bytes.dropFirst(10)
    guard let sign = rest.popFirst() else {
      self.init(day: day)
      return
    }
    guard sign == UInt8(ascii: "T") || sign == UInt8(ascii: "t") || sign == UInt8(ascii: " ") else {
      return nil
    }
    self.init(on: day, clock: String(Substring(rest)))
  }

  /// Parses a time of day such as `17:30`, `17:30:05.000`, `5:30 PM`, or `17:30+01:00`.
  package init?(on day: CalendarDay, clock text: String) {
    var rest = text.utf8[...]
    func number(_ most: Int) -> Int? {
      let found = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...2).contains(found.count), let value = Int(Substring(found)), value <= most else {
        return nil
      }
      rest = rest[found.endIndex...]
      return value
    }
    func take(_ letter: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: letter) else { return false }
      rest.removeFirst()
      return true
    }
    guard var hour = number(24), take(":"), let minute = number(59) else { return nil }
    var (second, fraction) = (Int?.none, "")
    if take(":") {
      second = number(59)
      guard second != nil else { return nil }
      if take(".") || take(",") {
        let part = rest.prefix { (0x30...0x39).contains($0) }
        guard !part.isEmpty else { return nil }
        rest = rest[part.endIndex...]
        let end = part.lastIndex { $0 != 0x30 }.map { part.index(after: $0) } ?? part.startIndex
        fraction = String(decoding: part[..<end], as: UTF8.self)
      }
    }
    let spaced = String(Substring(rest)).lowercased().split(whereSeparator: \.isWhitespace)
    var zone = String(spaced.joined())
    for (half, later) in [("a.m.", 0), ("p.m.", 12), ("am", 0), ("pm", 12)] where zone.hasPrefix(half) {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + later
      zone.removeFirst(half.count)
      break
    }
    guard hour < 24, let offset = Moment.offset(zone) else { return nil }
    self.init(
      day: day, seconds: hour * 3600 + minute * 60 + (second ?? 0), isExact: second != nil,
      fraction: fraction, offset: offset.minutes)
  }

  /// How many minutes a clock may differ from Greenwich's.
  package static let mostMinutes = 14 * 60

  /// The minutes of a zone, which may be missing; nil for what is no zone.
  private static func offset(_ zone: String) -> (minutes: Int?, Void)? {
    if zone.isEmpty { return (nil, ()) }
    if ["z", "utc", "gmt"].contains(zone) { return (0, ()) }
    var rest = zone.utf8[...]
    for name in ["utc", "gmt"] where zone.hasPrefix(name) { rest = rest.dropFirst(3) }
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    let digits = rest.filter { $0 != UInt8(ascii: ":") }
    guard [2, 4].contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
    guard minutes <= mostMinutes else { return nil }
    return (sign == UInt8(ascii: "-") ? -minutes : minutes, ())
  }
}

extension Moment: CustomStringConvertible {
  /// The moment in ISO 8601; only the day if that is all that is known.
  package var description: String {
    guard let seconds else { return day.description }
    var text = "\(day)T\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2))"
    if isExact { text += ":\(digits(seconds % 60, 2))" + (fraction.isEmpty ? "" : ".\(fraction)") }
    guard let offset else { return text }
    if offset == 0 { return text + "Z" }
    let size = abs(offset)
    return text + "\(offset < 0 ? "-" : "+")\(digits(size / 60, 2)):\(digits(size % 60, 2))"
  }
}
