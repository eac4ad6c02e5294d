/// A date as programs write it in a language, before it is known which number is the day and which the month.
struct WrittenDay {
  /// The order of the numbers.
  enum Order: Int, CaseIterable, Hashable, Sendable {
    case dayFirst, monthFirst, yearFirst
  }

  private enum Shape {
    /// Year, month, and day, which can't be anything else.
    case certain(Int, Int, Int)
    /// Three numbers, of which the last is the year, or the first, or either.
    case numbers(Int, Int, Int, Set<Order>)
    /// A day and a year with the name of a month.
    case named(day: Int, year: Int, [CalendarWords.Named])
  }

  private let shape: Shape
  private let today: CalendarDay
  /// The languages that have its words.
  let languages: CalendarWords.Languages
  /// Those in which its words may be about each day of the week.
  private let weekdays: [CalendarWords.Languages]
  /// Whether its year has two digits.
  let hasShortYear: Bool

  /// Understands a text; nil if it is no date.
  init?(_ text: some StringProtocol, _ today: CalendarDay) {
    guard var tokens = Tokens(text), let languages = tokens.takeFillers() else { return nil }
    (self.today, self.languages, weekdays) = (today, languages, tokens.weekdays)
    let numbers = tokens.numbers
    hasShortYear = numbers.allSatisfy { $0.count <= 2 }
    if let months = tokens.months {
      guard numbers.count == 2, let found = WrittenDay.dayAndYear(tokens, today) else { return nil }
      shape = .named(day: found.day, year: found.year, months)
    } else {
      guard numbers.count == 3, let found = WrittenDay.shape(tokens, today) else { return nil }
      shape = found
    }
  }

  /// The day in an order of the numbers and a language; nil if there is none, it is of another calendar (2569 is a year of
  /// Thailand, and 1405 one of Iran), or it has not the day of the week that is written beside it.
  func day(_ order: Order, _ language: CalendarWords.Languages) -> CalendarDay? {
    guard let day = anyDay(order, language), !weekdays[day.weekday].isDisjoint(with: language) else {
      return nil
    }
    return day
  }

  /// The languages, of those that read the same month, in which there is such a day.
  func languages(_ order: Order, among languages: CalendarWords.Languages) -> CalendarWords.Languages {
    day(order, languages).map { weekdays[$0.weekday].intersection(languages) } ?? []
  }

  /// One of its days as a past one: with a year of two digits, one to come is of the century before.
  func past(_ day: CalendarDay) -> CalendarDay {
    hasShortYear && day > today ? day.aCenturyBefore : day
  }

  /// The days of the numbers, if none of them has the day of the week that is written beside them.
  var daysOfOtherNames: [CalendarDay] {
    let all = Order.allCases.flatMap { order in groups.map { (order, $0) } }
    guard all.allSatisfy({ day($0, $1) == nil }) else { return [] }
    return Set(all.compactMap { anyDay($0, $1) }).sorted()
  }

  private func anyDay(_ order: Order, _ language: CalendarWords.Languages) -> CalendarDay? {
    guard let day = writtenDay(order, language), (1583...2399).contains(day.parts.year) else { return nil }
    return day
  }

  private func writtenDay(_ order: Order, _ language: CalendarWords.Languages) -> CalendarDay? {
    switch shape {
    case .certain(let year, let month, let day): CalendarDay(year: year, month: month, day: day)
    case .numbers(let first, let second, let third, let orders):
      if orders.contains(order) {
        switch order {
        case .dayFirst: CalendarDay(year: year(third), month: second, day: first)
        case .monthFirst: CalendarDay(year: year(third), month: first, day: second)
        case .yearFirst: CalendarDay(year: year(first), month: second, day: third)
        }
      } else if orders.count == 1, let only = orders.first {
        writtenDay(only, language)
      } else {
        nil
      }
    case .named(let day, let year, let months):
      months.first { !$0.languages.isDisjoint(with: language) }.flatMap {
        CalendarDay(year: year, month: $0.number, day: day)
      }
    }
  }

  /// Whether the month is not a number.
  var hasNamedMonth: Bool { if case .named = shape { true } else { false } }

  /// The languages, in groups that read the same month.
  var groups: [CalendarWords.Languages] {
    guard case .named(_, _, let months) = shape else { return [languages] }
    return months.map { $0.languages.intersection(languages) }.filter { !$0.isEmpty }
  }

  private func year(_ number: Int) -> Int { number < 100 ? CalendarDay.year(number, from: today) : number }

  /// The numbers beside the name of a month: a year has four digits, unless it is the last part, as in 26-Nov-26.
  private static func dayAndYear(_ tokens: Tokens, _ today: CalendarDay) -> (day: Int, year: Int)? {
    let (first, last) = (tokens.numbers[0], tokens.numbers[1])
    switch (first.count, last.count) {
    case (4, 1...2): return (last.value, first.value)
    case (1...2, 4): return (first.value, last.value)
    case (1...2, 2) where tokens.monthIsBetween:
      return (first.value, CalendarDay.year(last.value, from: today))
    default: return nil
    }
  }

  /// What three numbers may be, by their lengths and the signs between them.
  private static func shape(_ tokens: Tokens, _ today: CalendarDay) -> Shape? {
    let (first, second, third) = (tokens.numbers[0], tokens.numbers[1], tokens.numbers[2])
    guard second.count <= 2 else { return nil }
    if tokens.hasMonthWord, first.count <= 2, third.count == 4 {
      return .certain(third.value, second.value, first.value)
    }
    if tokens.isEastern || first.count == 4 {
      guard third.count <= 2, first.count == 4 || first.count == 2 else { return nil }
      let year = first.count == 4 ? first.value : CalendarDay.year(first.value, from: today)
      return .certain(year, second.value, third.value)
    }
    guard first.count <= 2, let sign = tokens.sign else { return nil }
    // Korea puts a point after each number, and the year first.
    let isKorean =
      sign == "." && third.count <= 2 && first.count == 2 && tokens.hasSpaces && tokens.endsWithPoint
    guard third.count == 4 || third.count == 2 || isKorean else { return nil }
    switch sign {
    case ".":
      if third.count == 1 { return .numbers(first.value, second.value, third.value, [.yearFirst]) }
      return .numbers(
        first.value, second.value, third.value, isKorean ? [.dayFirst, .yearFirst] : [.dayFirst])
    case "/": return .numbers(first.value, second.value, third.value, [.dayFirst, .monthFirst])
    case "-" where third.count == 4:
      return .numbers(first.value, second.value, third.value, [.dayFirst, .monthFirst])
    default: return nil
    }
  }
}

extension WrittenDay {
  /// A date and perhaps a time of day after it.
  struct AndTime {
    let day: WrittenDay
    /// The time, on any day; nil without one.
    let time: Moment?

    init?(_ text: String, _ today: CalendarDay) {
      if let day = WrittenDay(text, today) {
        (self.day, time) = (day, nil)
        return
      }
      // Vietnam writes the time first.
      if let space = text.firstIndex(of: " "),
        let time = Moment(on: CalendarDay.anyDay, clock: String(text[..<space])),
        let day = WrittenDay(text[space...], today)
      {
        (self.day, self.time) = (day, time)
        return
      }
      guard let start = AndTime.startOfClock(text) else { return nil }
      var clock = text[start...].trimmingBlanks
      var before = text[..<start].trimmingBlanks
      // Chinese, Japanese, and Korean write the half of the day before the hour.
      for (word, half) in CalendarWords.halves {
        if before.hasSuffix(word) {
          before = before.dropLast(word.count).trimmingBlanks
          clock = clock + " " + half
        } else if clock.hasSuffix(word) {
          clock = clock.dropLast(word.count) + half
        }
      }
      if !clock.contains(":") { clock = Substring(clock.replacing(".", with: ":")) }
      if ["T", "t"].contains(before.last), before.dropLast().last?.isNumber == true {
        before = before.dropLast()
      }
      while let last = before.last, last == "," || last == "،" || last.isWhitespace {
        before = before.dropLast()
      }
      guard let time = Moment(on: CalendarDay.anyDay, clock: String(clock)) else { return nil }
      var day = WrittenDay(before, today)
      if day == nil, let space = before.lastIndex(where: \.isWhitespace),
        CalendarWords.beforeClock.contains(String(before[before.index(after: space)...]).lowercased())
      {
        before = before[..<space].trimmingBlanks
        if before.last == "," { before = before.dropLast() }
        day = WrittenDay(before, today)
      }
      guard let day else { return nil }
      (self.day, self.time) = (day, time)
    }

    /// Where the hour begins: the digits before the first colon, or two numbers with a point between them after the last
    /// space.
    private static func startOfClock(_ text: String) -> String.Index? {
      func isDigit(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { DecimalStyle.digit($0) != nil }
      }
      let end: String.Index
      if let colon = text.firstIndex(of: ":") {
        end = colon
      } else {
        guard let space = text.lastIndex(where: \.isWhitespace) else { return nil }
        let parts = text[text.index(after: space)...].split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
          parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigit) })
        else { return nil }
        return text.index(after: space)
      }
      let hour = text[..<end].reversed().prefix(while: isDigit).count
      return hour == 0 ? nil : text.index(end, offsetBy: -hour)
    }
  }
}

/// The numbers, words, and signs of a text that may be a date.
private struct Tokens {
  struct Number {
    var value: Int
    /// How many digits it has.
    var count: Int
  }

  private(set) var numbers: [Number] = []
  private var words: [String] = []
  /// How many numbers are before each word.
  private var places: [Int] = []
  private var signs: [Set<Unicode.Scalar>] = [[]]
  private(set) var hasSpaces = false
  private(set) var endsWithPoint = false
  /// Whether the numbers are year, month, and day with the East Asian words for these.
  private(set) var isEastern = false
  /// Whether a word says that the number after it is the month.
  var hasMonthWord: Bool { words.contains("thang") || words.contains("thg") }
  private(set) var months: [CalendarWords.Named]?
  /// The languages in which the words may be about each day of the week.
  private(set) var weekdays = [CalendarWords.Languages](repeating: .all, count: 7)
  private(set) var monthIsBetween = false

  /// Understands a text; nil if it has other signs than dates, or its numbers are none of a date.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 80 else { return nil }
    var last: Kind?
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let kind = Kind(scalar, after: last, before: index + 1 < scalars.count ? scalars[index + 1] : nil)
      switch kind {
      case .digit:
        let digit = Int((DecimalStyle.digit(scalar) ?? "0").value) - 0x30
        if last == .digit, let number = numbers.popLast() {
          numbers.append(Number(value: min(number.value * 10 + digit, 99_999), count: number.count + 1))
        } else {
          numbers.append(Number(value: digit, count: 1))
          signs.append([])
        }
      case .letter:
        if last != .letter {
          words.append("")
          places.append(numbers.count)
        }
        words[words.count - 1].unicodeScalars.append(scalar)
      case .sign: signs[signs.count - 1].insert(scalar)
      case .space: if !numbers.isEmpty, index + 1 < scalars.count { hasSpaces = true }
      case .mark: continue
      case .other: return nil
      }
      endsWithPoint = scalar == "."
      last = kind
    }
    // The tables of words are large.
    guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0.count <= 4 }) else { return nil }
    words = words.map { searchFolded($0) }
    joinWords()
  }

  /// Takes two words for one that is a day of the week together.
  private mutating func joinWords() {
    for index in words.indices.dropLast().reversed() where places[index] == places[index + 1] {
      let both = words[index] + "_" + words[index + 1]
      guard CalendarWords.weekdays[both] != nil else { continue }
      words[index...index + 1] = [both]
      places.remove(at: index + 1)
    }
  }

  private enum Kind {
    case digit, letter, sign, space, mark, other

    init(_ scalar: Unicode.Scalar, after last: Kind?, before next: Unicode.Scalar?) {
      switch scalar {
      case ".":
        let isInWord = last == .letter && next?.properties.isAlphabetic == true
        self = isInWord ? .letter : .sign
      case "/", "-", ",", "،", "(", ")": self = .sign
      case "'", "’", "׳", "॰": self = last == .letter ? .letter : .other
      case "\u{200E}", "\u{200F}", "\u{61C}", "\u{200C}": self = .mark
      default:
        if DecimalStyle.digit(scalar) != nil {
          self = .digit
        } else if scalar.properties.isWhitespace {
          self = .space
        } else {
          let isPart = scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
          self = isPart ? .letter : .other
        }
      }
    }
  }

  /// The one sign between the numbers of a date in digits.
  var sign: Unicode.Scalar? {
    guard signs.count == 4 else { return nil }
    let (first, second) = (signs[1], signs[2])
    return first == second && first.count == 1 ? first.first : nil
  }

  /// Takes the name of a month and the words that mean nothing out of the text.
  ///
  /// - Returns: the languages that have all of them; nil if a word is unknown.
  mutating func takeFillers() -> CalendarWords.Languages? {
    if takeEasternWords() { return CalendarWords.Languages.all }
    var languages = CalendarWords.Languages.all
    // The same letters may be a day of the week: mar, in Spanish.
    let named = words.indices.filter { CalendarWords.months[words[$0]] != nil }
    let certain = named.filter { CalendarWords.weekdays[words[$0]] == nil }
    let month =
      numbers.count > 2 ? certain.first : named.count == 1 ? named[0] : certain.count == 1 ? certain[0] : nil
    guard month != nil || named.isEmpty || numbers.count > 2 else { return nil }
    for (index, word) in words.enumerated() {
      if index == month, let found = CalendarWords.months[word] {
        (months, monthIsBetween) = (found, places[index] == 1)
        languages.formIntersection(found.reduce(into: []) { $0.formUnion($1.languages) })
      } else if word.count > 1 || places[index] > 0 || month != nil {
        languages.formIntersection(takeFiller(word))
      } else {
        return nil
      }
    }
    return languages.isEmpty ? nil : languages
  }

  /// Takes a day of the week, or a word that means nothing, and returns the languages that have it.
  private mutating func takeFiller(_ word: String) -> CalendarWords.Languages {
    let days = CalendarWords.weekdays[word] ?? []
    let filler = CalendarWords.fillers[word] ?? []
    for index in weekdays.indices {
      weekdays[index].formIntersection(
        filler.union(days.first { $0.number == index + 1 }?.languages ?? []))
    }
    return days.reduce(filler) { $0.union($1.languages) }
  }

  /// Whether the words are those of 2026年11月26日 or 2026년 11월 26일, perhaps with the day of the week.
  private mutating func takeEasternWords() -> Bool {
    guard words.count >= 3, places.starts(with: [1, 2, 3]) else { return false }
    for (year, month, day) in [("年", "月", "日"), ("년", "월", "일")] {
      guard words[0] == year, words[1] == month, words[2].hasPrefix(day) else { continue }
      let rest = ([String(words[2].dropFirst())] + words[3...]).joined()
      if !rest.isEmpty {
        guard let weekday = CalendarWords.easternWeekday(rest) else { continue }
        for index in weekdays.indices where index + 1 != weekday { weekdays[index] = [] }
      }
      isEastern = true
      return true
    }
    return false
  }
}
