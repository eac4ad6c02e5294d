/// A day as a person types it, in relation to today.
package enum TypedDay: Equatable, Sendable {
  case day(CalendarDay)
  /// Two days that the text may mean: the month first or the day first.
  case either(CalendarDay, CalendarDay)
  /// No day, but nearly one; the text says what was meant.
  case meant(String)
  /// Nothing like a day.
  case none

  /// What a day without a year means.
  package enum Use: Sendable {
    /// The next such day, which may be today.
    case entry
    /// The one of this year.
    case search
  }

  /// Understands `today`, `tomorrow`, `yesterday`, `+3d`, `2w`, `today+7`, `friday`, `next month`, `eom`, `24.12.`,
  /// `24.12.2026`, `24 December 2026`, and `2026-12-24`.
  package init(_ text: String, from today: CalendarDay, for use: Use) {
    let word = text.trimmingBlanks.lowercased()
    self =
      TypedDay.word(word, today).map(TypedDay.day)
      ?? TypedDay.shifted(word, today) ?? TypedDay.numbers(word, today, use)
      ?? TypedDay.named(word, today) ?? TypedDay.otherWeekday(word, today) ?? TypedDay.mistake(word)
  }

  /// The day, if it is certain.
  package var day: CalendarDay? { if case .day(let day) = self { day } else { nil } }

  /// The day of a word that is hardly anything else: `today`, `tomorrow`, `yesterday`, `today+7`.
  package static func relative(_ text: String, from today: CalendarDay) -> CalendarDay? {
    let word = text.lowercased()
    guard word.hasPrefix("today") || word == "tomorrow" || word == "yesterday" else { return nil }
    return TypedDay(word, from: today, for: .entry).day
  }

  /// Understands a text in a column that was not declared: a whole date, perhaps with a time.
  package static func written(_ text: String) -> TypedDay {
    if let day = CalendarDay(text) { return .day(day) }
    guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count >= 8 else {
      return .none
    }
    if let moment = Moment(text) { return .day(moment.here.day) }
    guard text.utf8.count <= 10,
      text.split(whereSeparator: { !("0"..."9").contains($0) }).contains(where: { $0.count == 4 })
    else { return .none }
    return numbers(text, CalendarDay.anyDay, .search) ?? .none
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private static let words =
    ["today", "tomorrow", "yesterday", "eom", "eoy", "next week", "next month", "next year"] + weekdays

  private static func word(_ word: String, _ today: CalendarDay) -> CalendarDay? {
    let (year, month, _) = today.parts
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(1, .day)
    case "yesterday": return today.adding(-1, .day)
    case "next week": return today.adding(1, .week)
    case "next month": return today.adding(1, .month)
    case "next year": return today.adding(1, .year)
    case "eom": return CalendarDay(year: year, month: month, day: CalendarDay.length(of: month, in: year))
    case "eoy": return CalendarDay(year: year, month: 12, day: 31)
    default:
      let name = word.hasPrefix("next ") ? String(word.dropFirst(5)) : word
      guard let weekday = weekdays.firstIndex(where: { $0 == name || $0.prefix(3) == name }) else {
        return nil
      }
      // Today's name means the day in a week.
      return today.adding((weekday - today.weekday + 6) % 7 + 1, .day)
    }
  }

  /// A number of days, weeks, months, or years from today, or from the day of a word before it.
  private static func shifted(_ word: String, _ today: CalendarDay) -> TypedDay? {
    let name = word.prefix { $0 != "+" && $0 != "-" }
    let named = TypedDay.word(String(name.trimmingBlanks), today)
    let (isRelative, today) = (named != nil, named ?? today)
    var rest = isRelative ? word.dropFirst(name.count) : word[...]
    let sign = rest.first
    if sign == "+" || sign == "-" {
      rest = rest.dropFirst().drop { $0 == " " }
    } else if isRelative {
      return nil
    }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty else { return nil }
    let unit: Unit
    switch rest[digits.endIndex...] {
    case "" where isRelative, "d", "day", "days": unit = .day
    case "w", "week", "weeks": unit = .week
    case "m", "month", "months": unit = .month
    case "y", "year", "years": unit = .year
    default: return nil
    }
    let day = Int(digits).flatMap { count in
      count <= 100_000 ? today.adding(sign == "-" ? -count : count, unit) : nil
    }
    return day.map(TypedDay.day) ?? .meant("that is too far away")
  }

  /// A date in digits.
  private static func numbers(_ word: String, _ today: CalendarDay, _ use: Use) -> TypedDay? {
    guard let sign = word.first(where: { !("0"..."9").contains($0) }), ".-/".contains(sign),
      word.allSatisfy({ ("0"..."9").contains($0) || $0 == sign })
    else { return nil }
    var parts = word.split(separator: sign, omittingEmptySubsequences: false)
    if sign == ".", parts.last == "" { parts.removeLast() }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, (2...3).contains(parts.count) else { return nil }
    if numbers.count == 2 {
      // A number may have one point.
      guard sign == ".", word.last == "." else { return sign == "/" ? .meant("24.12. or 2026-12-24") : nil }
      return withoutYear(day: numbers[0], month: numbers[1], today, use)
    }
    if parts[0].count == 4 { return day(numbers[0], numbers[1], numbers[2]) }
    guard parts[2].count == 4 || parts[2].count == 2 && sign != "-" else { return nil }
    let year = parts[2].count == 4 ? numbers[2] : CalendarDay.year(numbers[2], from: today)
    let dayFirst = CalendarDay(year: year, month: numbers[1], day: numbers[0])
    let monthFirst = sign == "." ? nil : CalendarDay(year: year, month: numbers[0], day: numbers[1])
    switch (monthFirst, dayFirst) {
    case (let first?, let second?): return first == second ? .day(first) : .either(first, second)
    case (let found?, nil), (nil, let found?): return .day(found)
    case (nil, nil): return .meant("there is no such day")
    }
  }

  /// A day with the name of its month: in English, or in any language, if all with this name mean the same.
  private static func named(_ word: String, _ today: CalendarDay) -> TypedDay? {
    guard let written = WrittenDay(word, today), written.hasNamedMonth else { return nil }
    if written.groups.contains(where: { !$0.isDisjoint(with: .english) }),
      let day = written.day(.dayFirst, .english)
    {
      return .day(day)
    }
    let days = Set(written.groups.compactMap { written.day(.dayFirst, $0) })
    return days.count == 1 ? days.first.map(TypedDay.day) : nil
  }

  /// A date beside a day of the week that it has not.
  private static func otherWeekday(_ word: String, _ today: CalendarDay) -> TypedDay? {
    guard let days = WrittenDay.AndTime(word, today)?.day.daysOfOtherNames, !days.isEmpty else { return nil }
    let names = days.map { weekdays[$0.weekday] }
    return .meant(
      listed(zip(days, names).map { "\($0) is a \($1.prefix(1).uppercased())\($1.dropFirst())" }, "and"))
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> TypedDay {
    CalendarDay(year: year, month: month, day: day).map(TypedDay.day) ?? .meant("there is no such day")
  }

  private static func withoutYear(day: Int, month: Int, _ today: CalendarDay, _ use: Use) -> TypedDay {
    let year = today.parts.year
    // The 29th of February is up to eight years away.
    let years = use == .search ? year...year : year...year + 8
    let found = years.lazy.compactMap { CalendarDay(year: $0, month: month, day: day) }
      .first { use == .search || $0 >= today }
    return found.map(TypedDay.day) ?? .meant("there is no such day")
  }

  /// What a mistyped word may have been.
  private static func mistake(_ word: String) -> TypedDay {
    let name = word.prefix { $0 != "+" && $0 != "-" }
    guard name.count > 2, let near = nearest(to: String(name), among: words), near != name.trimmingBlanks
    else {
      return .none
    }
    return .meant("did you mean \(near + word.dropFirst(name.count))?")
  }
}

extension TypedDay {
  /// Whether a text is a day and a month alone.
  static func lacksYear(_ text: String) -> Bool {
    let numbers = text.split { !$0.isNumber }
    return numbers.allSatisfy { $0.count <= 2 }
      && numbers.count + (text.contains(where: \.isLetter) ? 1 : 0) == 2
      && shifted(text.trimmingBlanks.lowercased(), .today) == nil
  }
}

extension CalendarDay {
  /// Whether a text is a day without a year, as the list has it: `--02-03`.
  package static func isWithoutYear(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("--") && CalendarDay("2000" + text.dropFirst()) != nil
  }

  /// The day and the month of a text that has no year, such as `3.2.` or `3 February`, as the list has them: `--02-03`; nil for
  /// any other.
  package static func withoutYear(_ text: String) -> String? {
    guard !isWithoutYear(text) else { return text }
    guard TypedDay.lacksYear(text), let inLeapYear = CalendarDay(year: 2000, month: 1, day: 1),
      let day = TypedDay(text, from: inLeapYear, for: .search).day
        ?? (text.contains(where: \.isLetter)
          ? TypedDay(text + " 2000", from: inLeapYear, for: .search).day : nil)
    else { return nil }
    return day.withoutYear
  }

  /// The day and the month, as the list has them: `--02-03`.
  package var withoutYear: String { "-" + description.dropFirst(4) }

  /// The same day of the year before, or the last one of its month.
  var aYearBefore: CalendarDay { adding(-1, .year) ?? self }

  /// The same day of a hundred years before, or the last one of its month.
  package var aCenturyBefore: CalendarDay { adding(-100, .year) ?? self }

  /// A day for dates in which all is written.
  static let anyDay = CalendarDay(certain: 0)

  /// The year of two digits: at most 20 years from now, otherwise a past one.
  package static func year(_ digits: Int, from today: CalendarDay) -> Int {
    let now = today.parts.year
    let year = now / 100 * 100 + digits
    return year > now + 20 ? year - 100 : year <= now - 80 ? year + 100 : year
  }

  /// A stored birthday: no one was born after today, so one with two digits of its year is of a past one.
  package static func past(_ stored: String, writtenAs text: String, _ today: CalendarDay) -> String {
    guard let day = CalendarDay(stored), let written = WrittenDay.AndTime(text, today)?.day else {
      return stored
    }
    return written.past(day).description
  }
}

private enum Unit {
  case day, week, month, year
}

extension CalendarDay {
  /// The day after or before; the last one of a month that is too short.
  fileprivate func adding(_ count: Int, _ unit: Unit) -> CalendarDay? {
    switch unit {
    case .day: return CalendarDay(number: number + count)
    case .week: return CalendarDay(number: number + 7 * count)
    case .month, .year:
      let (year, month, day) = parts
      let months = year * 12 + month - 1 + count * (unit == .year ? 12 : 1)
      guard months >= 12 else { return nil }
      let (newYear, newMonth) = (months / 12, months % 12 + 1)
      return CalendarDay(
        year: newYear, month: newMonth, day: min(day, CalendarDay.length(of: newMonth, in: newYear)))
    }
  }
}
