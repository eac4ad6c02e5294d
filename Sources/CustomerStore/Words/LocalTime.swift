internal import CustomersSystem
internal import CustomersText

/// A time of the history, `2026-11-21T09:30:00.123Z`, as local time according to `$TZ`: `2026-11-21
/// 10:30:00`; any other text unchanged.
package func localTime(_ time: String) -> String {
  let numbers = time.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
  guard numbers.count == 7 else { return printable(time) }
  var date = unsafe tm()
  unsafe (date.tm_year, date.tm_mon, date.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
  unsafe (date.tm_hour, date.tm_min, date.tm_sec) = (numbers[3], numbers[4], numbers[5])
  tzset()
  var seconds = unsafe timegm(&date)
  guard unsafe localtime_r(&seconds, &date) != nil else { return printable(time) }
  let parts = unsafe [
    date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
  ].map { $0 < 10 ? "0\($0)" : "\($0)" }
  return parts[..<3].joined(separator: "-") + " " + parts[3...].joined(separator: ":")
}
