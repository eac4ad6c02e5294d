internal import CustomersSystem
internal import CustomersText

/// The name of a copy in a series, made from the name that the series has and the time in UTC:
/// `copy-20261122T093000Z.sqlite` for `copy.sqlite`.
struct CopyName: Equatable, Sendable {
  /// The name of the file.
  let text: String
  /// The name of the series.
  let series: String
  /// When the copy was made, in seconds since 1970.
  let seconds: Int64

  /// Reads a name; nil for that of any other file.
  ///
  /// The names of links between, such as `latest`, and those that could not be printed in a line are none.
  init?(_ text: String) {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else { return nil }
    let (stem, ending) = CopyName.split(text)
    let stamp = Array(stem.utf8.suffix(CopyName.pattern.count))
    guard stamp.count == CopyName.pattern.count, let seconds = CopyName.seconds(stamp) else { return nil }
    self.text = text
    self.seconds = seconds
    series = String(Substring(stem.utf8.dropLast(stamp.count)) + ending)
  }

  /// The name of a copy that is made at a time.
  init(ofSeries series: String, at seconds: Int64) {
    let (stem, ending) = CopyName.split(series)
    (text, self.series, self.seconds) = ("\(stem)\(CopyName.stamp(seconds))\(ending)", series, seconds)
  }

  /// The time in UTC, as the history writes it.
  var time: String {
    let parts = CopyName.parts(of: seconds)
    return parts[..<3].joined(separator: "-") + "T" + parts[3...].joined(separator: ":") + ".000Z"
  }

  /// Whether it is from a time to come, beyond what the clocks of two machines may differ.
  var isOfFuture: Bool { seconds > currentNanoseconds() / 1_000_000_000 + 300 }

  private static let pattern = "-00000000T000000Z".utf8

  /// The name without its extension, and the extension with its dot.
  private static func split(_ name: String) -> (stem: Substring, ending: Substring) {
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    return (name[..<dot], name[dot...])
  }

  private static func stamp(_ seconds: Int64) -> String {
    let parts = parts(of: seconds)
    return "-" + parts[..<3].joined() + "T" + parts[3...].joined() + "Z"
  }

  /// The time of a stamp; nil if it is none, or no such time exists.
  private static func seconds(_ stamp: [UInt8]) -> Int64? {
    let matches = zip(stamp, pattern).allSatisfy {
      $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1
    }
    guard matches else { return nil }
    func number(_ start: Int, _ count: Int) -> Int32 {
      stamp[start..<start + count].reduce(0) { $0 * 10 + Int32($1 - 0x30) }
    }
    var date = unsafe tm()
    unsafe (date.tm_year, date.tm_mon, date.tm_mday) = (number(1, 4) - 1900, number(5, 2) - 1, number(7, 2))
    unsafe (date.tm_hour, date.tm_min, date.tm_sec) = (number(10, 2), number(12, 2), number(14, 2))
    let seconds = unsafe Int64(timegm(&date))
    return Array(self.stamp(seconds).utf8) == stamp ? seconds : nil
  }

  /// Year, month, day, hour, minute, and second in UTC, with two digits at least.
  private static func parts(of seconds: Int64) -> [String] {
    var (seconds, date) = unsafe (time_t(seconds), tm())
    unsafe gmtime_r(&seconds, &date)
    return unsafe [
      date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
    ].map { $0 < 10 ? "0\($0)" : "\($0)" }
  }
}

/// Which copies of a series are kept: the last ones, and the last one of each of the latest hours, days, and weeks in which
/// any was made.
struct CopyRetention: Sendable {
  private static let keep = Option.values(
    "--keep", .text("N,…"),
    "keep only the last N copies, and one of each hour, day, or week, as in 6,24h,30d,5w")

  static let options: [any DeclaredOption] =
    [keep]
    + ["hourly", "daily", "weekly"].map { span in
      Option.spelling("--keep-\(span)", Argument.count("N").type, of: keep, "--keep N\(span.prefix(1))") {
        $0 + span.prefix(1)
      }
    }

  /// How many copies to keep, whenever they were made.
  private let last: Int
  /// How many spans of time to keep a copy of, and the number of the one that a time is in.
  private let spans: [(count: Int, number: @Sendable (_ seconds: Int64) -> Int64)]

  /// Reads the option; nil if all copies are kept.
  ///
  /// - Throws: a `Failure` with code `usage` for a word that is no count, or a 0, which would keep none.
  init?(_ invocation: Invocation) throws {
    let option = CopyRetention.keep
    let word = invocation[option].joined(separator: ",")
    guard invocation.has(option) else { return nil }
    var counts: [Character?: Int] = [:]
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      let unit = part.last.flatMap { "hdw".contains($0) ? $0 : nil }
      let digits = String(unit == nil ? part : part.dropLast())
      guard Invocation.isNumber(digits), counts[unit] == nil, let count = Int(digits), count > 0 else {
        throw Failure.usage(
          "\(option.name) must be 1 or more copies, or such as 6,24h,30d,5w, not \(quoted(word))",
          offendingArgument: word)
      }
      counts[unit] = count
    }
    self.init(last: counts[nil], hourly: counts["h"], daily: counts["d"], weekly: counts["w"])
  }

  init(last: Int? = nil, hourly: Int? = nil, daily: Int? = nil, weekly: Int? = nil) {
    self.last = last ?? 1
    let day: Int64 = 86_400
    spans = [
      (hourly ?? 0, { $0 / 3600 }), (daily ?? 0, { $0 / day }),
      // The first of January 1970 was a Thursday.
      (weekly ?? 0, { ($0 / day + 3) / 7 }),
    ]
  }

  /// Returns the copies that are not kept.
  ///
  /// - Parameter copies: the copies, oldest first.
  /// - Returns: those to remove.
  /// - Complexity: O(n).
  func removed(_ copies: [CopyName]) -> [CopyName] {
    var kept = Set(copies.indices.suffix(last))
    for span in spans {
      var numbers: Set<Int64> = []
      for index in copies.indices.reversed() where numbers.count < span.count {
        if numbers.insert(span.number(copies[index].seconds)).inserted { kept.insert(index) }
      }
    }
    return copies.indices.filter { !kept.contains($0) }.map { copies[$0] }
  }
}
