internal import CustomersPlatform

/// A day, written as in 2026-11-22.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
  /// The number of days since 1 January 1970.
  private var number: Int

  /// The day according to the clock and `$TZ`.
  package static var today: CalendarDay {
    var now = time(nil)
    var date = unsafe tm()
    tzset()
    guard unsafe localtime_r(&now, &date) != nil else { return CalendarDay(number: 0) }
    return unsafe CalendarDay(
      year: Int(date.tm_year) + 1900, month: Int(date.tm_mon) + 1, day: Int(date.tm_mday))
  }

  private init(number: Int) { self.number = number }

  private init(year: Int, month: Int, day: Int) {
    var date = unsafe tm()
    unsafe (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    number = unsafe timegm(&date) / CalendarDay.seconds
  }

  /// Parses a date of four, two, and two digits; nil for any other text, or if there is no such day.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let numbers = parts.map { $0.reduce(0) { 10 * $0 + Int($1) - 0x30 } }
    guard numbers[0] > 0, (1...12).contains(numbers[1]), numbers[2] > 0 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    guard description == text else { return nil }
  }

  /// Parses a day in relation to today: `today`, `yesterday`, `tomorrow`, `today+7`, `today-7`.
  package init?(_ text: String, from today: CalendarDay) {
    let word = text.lowercased()
    let days: Int
    switch word {
    case "today": days = 0
    case "yesterday": days = -1
    case "tomorrow": days = 1
    default:
      guard word.hasPrefix("today"), let sign = word.dropFirst(5).first, sign == "+" || sign == "-",
        word.dropFirst(6).utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(word.dropFirst(5)),
        count.magnitude <= 100_000
      else { return nil }
      days = count
    }
    number = today.number + days
    guard (CalendarDay.first...CalendarDay.last).contains(number) else { return nil }
  }

  private static let seconds = 86_400
  private static let first = CalendarDay(year: 1, month: 1, day: 1).number
  private static let last = CalendarDay(year: 9999, month: 12, day: 31).number

  /// The date, such as `2026-11-22`.
  package var description: String {
    var (time, date) = unsafe (number * CalendarDay.seconds, tm())
    unsafe gmtime_r(&time, &date)
    func padded(_ number: Int32, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return unsafe "\(padded(date.tm_year + 1900, 4))-\(padded(date.tm_mon + 1, 2))-\(padded(date.tm_mday, 2))"
  }
}
