/// Recognizes what the values of a column of a file are, from all of them.
///
/// One value may be read in several ways: `11/12/2026` is a day in November or December, and `1.200` a large or a small
/// number. What can't be read in one way by all values is not that; and if two ways are left in which all values can be
/// read, and differ, only a person knows.
///
///     var recognition = ColumnRecognition(today: .today)
///     for value in values { recognition.take(value) }
///     let found = recognition.result
package struct ColumnRecognition: Sendable {
  package enum Result: Hashable, Sendable {
    /// No kind but text fits all values.
    case text
    /// All values are of a kind.
    case certain(ColumnReading)
    /// All values can be read in each of these ways, which differ.
    case open([ColumnReading])
  }

  private let today: CalendarDay
  private var numbers = NumberCandidates()
  private var dates = DateCandidates()
  private var marks: Marks? = Marks()
  private var areLinks = true
  private var count = 0

  /// Whether the values may still be something else than text.
  package private(set) var isOpen = true
  /// Whether some value was not empty.
  package var hasValues: Bool { count > 0 }
  /// Whether some value has a time of day.
  package var hasTimes: Bool { dates.hasTimes }
  /// The order of day and month that only one reading of the dates leaves; nil if they leave several.
  package var order: String? { dates.order?.word }

  /// Whether all values may be versions such as 1.10.20, though they can be read as dates, and the name says nothing of these.
  package func mayBeVersions(in name: String) -> Bool { dates.mayBeVersions(in: name) }

  /// Whether years of two digits may all be past ones, though as they are typed, some days are to come: others are far away,
  /// as those are on which people were born.
  package var mayBePast: Bool { dates.mayBePast }

  /// Recognizes values of any reading, or of only one, by its word.
  ///
  /// Numbers may all have the same unit only if someone says that they are numbers, because it is left out.
  package init(today: CalendarDay, only word: String? = nil, takesUnit: Bool = false) {
    self.today = today
    numbers = NumberCandidates(only: word, takesUnit: takesUnit)
    guard let word else { return }
    dates = DateCandidates(only: word)
    (marks, areLinks) = (nil, false)
  }

  /// Takes the next value; an empty one says nothing.
  package mutating func take(_ text: String) {
    guard isOpen else { return }
    let text = String(text.trimmingBlanks)
    guard !text.isEmpty else { return }
    count += 1
    let (wereNumbers, wereDates) = (numbers.isAlive, dates.isAlive)
    numbers.take(text)
    dates.take(text, today)
    if marks?.take(text) == false { marks = nil }
    areLinks =
      areLinks && (text.hasPrefix("https://") || text.hasPrefix("http://"))
      && !text.contains(where: \.isWhitespace)
    isOpen = numbers.isAlive || dates.isAlive || marks != nil || areLinks
    if !isOpen, count > 1 {
      let kinds: [ColumnKind] =
        !wereDates ? wereNumbers ? [.number] : [] : dates.hasTimes ? [.time] : [.date, .time]
      // Values that are of a kind one by one, but not together, are none of it.
      let own = ColumnRecognition.kinds(of: text, today: today)
      before = (count - 1, kinds.filter { !own.contains($0) })
    }
  }

  /// How many values there were before the one that left only text, and of which kinds.
  package private(set) var before: (count: Int, kinds: [ColumnKind]) = (0, [])

  /// The kinds that a value may be of; a day may be a moment, too.
  static func kinds(of text: String, today: CalendarDay) -> [ColumnKind] {
    var alone = ColumnRecognition(today: today)
    alone.take(text)
    if Marks.mark(text) != nil { return [.yesNo] }
    let kinds = Set(alone.readings.map(\.kind))
    return kinds.contains(.date) ? [.date, .time] : Array(kinds)
  }

  /// What the values are, as far as they were taken.
  package var result: Result {
    let readings = readings
    return readings.isEmpty ? .text : readings.count == 1 ? .certain(readings[0]) : .open(readings)
  }

  /// The ways in which all values can be read, and differ; none if they are only text.
  package var readings: [ColumnReading] {
    guard isOpen, count > 0 else { return [] }
    let readings =
      numbers.readings.map { style in
        numbers.unit.map { ColumnReading.amount(style, unit: $0) } ?? .number(style)
      }
      + dates.readings.map { dates.hasTimes ? .time($0) : .date($0) }
    if !readings.isEmpty { return readings }
    if let marks, marks.hasBoth { return [.yesNo] }
    return areLinks ? [.link] : []
  }
}

extension [ColumnReading] {
  /// The words of the readings, if a person can choose one by them; none if there is only one reading, or if they differ only in
  /// the language of a month.
  package var ways: [String] {
    let words = reduce(into: [String]()) { words, reading in
      if !words.contains(reading.word) { words.append(reading.word) }
    }
    return words.count > 1 ? words : []
  }
}

/// How the values of a column of a file are read.
package enum ColumnReading: Hashable, Sendable {
  case number(DecimalStyle)
  /// A number whose unit is left out.
  case amount(DecimalStyle, unit: String)
  case date(DateStyle)
  case time(DateStyle)
  /// The day of a time, which is left out.
  case day(DateStyle)
  case yesNo
  case link

  package var kind: ColumnKind {
    switch self {
    case .number, .amount: .number
    case .date, .day: .date
    case .time: .time
    case .yesNo: .yesNo
    case .link: .link
    }
  }

  /// The stored form of a value; nil if it can't be read so.
  package func stored(_ text: String, today: CalendarDay) -> String? {
    let text = String(text.trimmingBlanks)
    guard !text.isEmpty else { return "" }
    switch self {
    case .number(let style): return style.plain(text)
    case .amount(let style, let unit):
      return MeasuredNumber(text).flatMap { $0.unit == unit ? style.plain($0.number) : nil }
    case .date(let style):
      guard let moment = style.moment(text, today), moment.seconds ?? 0 == 0 else { return nil }
      return moment.day.description
    case .time(let style): return style.moment(text, today)?.description
    case .day(let style): return style.moment(text, today)?.here.day.description
    case .yesNo: return Marks.mark(text).map { $0 ? "yes" : "no" }
    case .link: return text
    }
  }

  /// The words of the readings of which a person may have to choose one.
  package static let words = ["1,234.5", "1.234,5", "day first", "month first", "year first"]

  /// A word for the reading, by which a person chooses one.
  package var word: String {
    switch self {
    case .number(let style), .amount(let style, _): style.word
    case .date(let style), .time(let style), .day(let style): style.order.word
    case .yesNo, .link: kind.rawValue
    }
  }
}

extension ColumnReading {
  /// How values that are read so are read as of a kind; nil if they are not of it.
  ///
  /// A day is a moment, and a moment has a day.
  package func reading(as kind: ColumnKind) -> ColumnReading? {
    if case .time(let style) = self, kind == .date { return .day(style) }
    return self.kind == kind || self.kind == .date && kind == .time ? self : nil
  }
}

/// What a person says of the values of a column: a kind, or how they are written.
package struct ColumnKindChoice: Hashable, Sendable {
  package var column: String
  /// The kind; nil for that of the reading.
  package var kind: ColumnKind?
  /// The word of the reading; nil for the only one.
  package var reading: String?

  /// The words, besides `choice`, which needs its values.
  package static let words =
    ColumnKind.allCases.filter { $0 != .choice }.map(\.rawValue)
    + ColumnReading.words.map { $0.replacing(" ", with: "-") }

  /// The choice with a word: a kind, or a way to read values such as `day-first`; nil for any other.
  package init?(column: String, word: String) {
    self.column = column
    kind = Name(word).only(of: ColumnKind.allCases, by: \.rawValue)
    guard kind == nil else { return }
    guard let found = Name(word).only(of: ColumnReading.words, by: { $0 }) else { return nil }
    reading = found
  }

  /// The word, as it is typed.
  package var word: String { kind?.rawValue ?? reading?.replacing(" ", with: "-") ?? "" }

  /// What the values must be; a way to read dates takes times, too.
  package var expected: ColumnKind { kind ?? (isOfNumbers ? .number : .time) }

  /// Whether it says the same as a declaration, or only how its values are written.
  package func fits(_ declared: ColumnKind) -> Bool {
    if let kind { return kind == declared || kind.takesAnyText && declared.takesAnyText }
    return isOfNumbers ? declared == .number : declared == .date || declared == .time
  }

  private var isOfNumbers: Bool { DecimalStyle.allCases.contains { $0.word == reading } }
}

extension DecimalStyle {
  fileprivate var word: String {
    switch self {
    case .point: "1,234.5"
    case .comma: "1.234,5"
    }
  }
}

extension ColumnKinds.Column {
  /// The stored form of a value of a column that was of a kind, or of none; nil if it leaves open what it means.
  func stored(_ text: String, of old: ColumnKind?) -> String? {
    (old == kind ? form(ofValue: text) : nil) ?? stored(writtenAlone: text, .today)
  }

  /// The stored form of a value of a file, as far as it alone says what it means; nil otherwise.
  ///
  /// If times are left out, a moment is a day. A word may say in which way it is written.
  package func stored(
    writtenAlone text: String, _ today: CalendarDay, only word: String? = nil, leavingOutTimes: Bool = false
  ) -> String? {
    let forms = forms(of: text, today, only: word, leavingOutTimes: leavingOutTimes)
    return forms.count == 1 ? forms.first : nil
  }

  /// The stored forms of a value of a file, one for each way to read it, or for only one of these, by its word.
  package func forms(
    of text: String, _ today: CalendarDay, only word: String? = nil, leavingOutTimes: Bool
  ) -> Set<String> {
    if kind.takesAnyText { return [text] }
    // The point of a number in plain digits may be one between thousands.
    if kind != .number, let form = form(ofValue: text) { return [form] }
    let readings: [ColumnReading]
    switch kind {
    case .text, .lines, .link: return []
    case .choice: return (try? choice(String(text.trimmingBlanks), "")).map { [choices[$0]] } ?? []
    case .number:
      readings = DecimalStyle.allCases.filter { word ?? $0.word == $0.word }.map(ColumnReading.number)
    case .yesNo: readings = [.yesNo]
    case .date, .time:
      var alone = DateCandidates(only: word)
      alone.take(String(text.trimmingBlanks), today)
      let isMoment = leavingOutTimes && alone.hasTimes
      readings = alone.readings.map { kind == .time ? .time($0) : isMoment ? .day($0) : .date($0) }
    }
    let forms = Set(readings.compactMap { $0.stored(text, today: today) })
    // A number in plain digits, such as 1e6, has a point.
    return forms.isEmpty && word != DecimalStyle.comma.word && isValue(text) ? [text] : forms
  }
}

/// In which order and language dates are written.
package struct DateStyle: Hashable, Sendable {
  var order: WrittenDay.Order
  var language: CalendarWords.Languages

  func moment(_ text: String, _ today: CalendarDay) -> Moment? {
    if let moment = Moment(text) { return moment }
    guard let written = WrittenDay.AndTime(text, today), let day = written.day.day(order, language) else {
      return nil
    }
    return written.time?.on(day) ?? Moment(day: day)
  }
}

extension WrittenDay.Order {
  fileprivate var word: String {
    switch self {
    case .dayFirst: "day first"
    case .monthFirst: "month first"
    case .yearFirst: "year first"
    }
  }
}

/// The styles in which all numbers so far can be read.
private struct NumberCandidates: Sendable {
  private var alive: [DecimalStyle]
  /// Whether the styles differ in a number.
  private var differ = false
  /// Whether no number has more than spaces between its groups, those of the keyboard; so are phone numbers written.
  private var isLikePhones = true
  /// Whether all numbers are only digits, as postal codes and the numbers of customers are.
  private var isLikeCodes = true
  private var lengths: Set<Int> = []

  private let takesUnit: Bool
  /// What all numbers so far have as their unit.
  private(set) var unit: String?
  private var isFirst = true

  init(only word: String? = nil, takesUnit: Bool = false) {
    alive = DecimalStyle.allCases.filter { word ?? $0.word == $0.word }
    self.takesUnit = takesUnit
  }

  var isAlive: Bool { !alive.isEmpty }

  mutating func take(_ text: String) {
    guard isAlive else { return }
    let amount = takesUnit ? MeasuredNumber(text) : nil
    // Beside 5 km, a 700 may be of anything.
    guard isFirst || unit == amount?.unit else { return alive = [] }
    (unit, isFirst) = (amount?.unit, false)
    takeNumber(amount?.number ?? text)
  }

  private mutating func takeNumber(_ text: String) {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    // A code such as 0123 would lose its 0, and a phone number its plus.
    let isCode = digits.first == 0x30 && digits.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
    guard !isCode, text.utf8.first != UInt8(ascii: "+") else { return alive = [] }
    let found = alive.compactMap { style in style.plain(text).map { (style, $0) } }
    alive = found.map(\.0)
    if found.count == 2, found[0].1 != found[1].1, DecimalNumber(found[0].1) != DecimalNumber(found[1].1) {
      differ = true
    }
    guard let plain = found.first?.1 else { return }
    isLikePhones =
      isLikePhones && text.utf8.contains(UInt8(ascii: " ")) && !plain.contains(".") && plain.first != "-"
    isLikeCodes = isLikeCodes && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if lengths.count < 2 { lengths.insert(plain.utf8.count) }
  }

  /// The styles that are left, and differ.
  var readings: [DecimalStyle] {
    // Numbers of the same length may be no quantities; as text they are compared as well.
    if lengths.count == 1, let length = lengths.first, isLikePhones && length > 6 || isLikeCodes && length > 4
    {
      return []
    }
    return differ ? alive : Array(alive.prefix(1))
  }
}

/// The orders and languages in which all dates so far can be read.
private struct DateCandidates: Sendable {
  private typealias Languages = CalendarWords.Languages

  private var orders: Set<WrittenDay.Order>
  private var languages = Languages.all
  /// The orders that differ in a date.
  private var differing: Set<Set<WrittenDay.Order>> = []
  /// The languages that differ in a month.
  private var splits: Set<[Languages]> = []
  private(set) var hasTimes = false
  private(set) var isAlive: Bool
  private var hasDates = false
  /// Whether a year of two digits is so far away that these are hardly dates of a calendar, and whether one is to come.
  private var (hasDistantYear, hasYearToCome) = (false, false)
  /// Whether all may be versions, some of them with a number of one digit, or with a first one that can't be a month.
  private var (areVersions, hasShortNumber, hasDay) = (true, false, false)

  init(only word: String? = nil) {
    orders = Set(WrittenDay.Order.allCases.filter { word ?? $0.word == $0.word })
    isAlive = !orders.isEmpty
  }

  /// The only order that is left.
  var order: WrittenDay.Order? { isAlive && hasDates && orders.count == 1 ? orders.first : nil }

  mutating func take(_ text: String, _ today: CalendarDay) {
    guard isAlive else { return }
    hasDates = true
    if areVersions, let first = text.firstOfVersion {
      (hasShortNumber, hasDay) = (hasShortNumber || text.utf8.count < 8, hasDay || first > 12)
    } else {
      areVersions = false
    }
    if let moment = Moment(text) {
      hasTimes = hasTimes || moment.seconds ?? 0 > 0 || moment.offset ?? 0 != 0
      return
    }
    guard let written = WrittenDay.AndTime(text, today) else { return isAlive = false }
    hasTimes = hasTimes || written.time?.seconds ?? 0 > 0
    let day = written.day
    // Languages in which no date comes out, as in the 31st of a month with 30 days, are others.
    let groups = day.groups.map { group in
      orders.reduce(into: Languages()) {
        $0.formUnion(day.languages($1, among: group.intersection(languages)))
      }
    }.filter { !$0.isEmpty }
    languages = groups.reduce(into: []) { $0.formUnion($1) }
    if groups.count > 1 { splits.insert(groups) }
    guard let group = groups.first else { return isAlive = false }
    let found = orders.compactMap { order in day.day(order, group).map { (order, $0) } }
    orders = Set(found.map(\.0))
    if day.hasShortYear, let day = found.first?.1 {
      let years = day.parts.year - today.parts.year
      hasDistantYear = hasDistantYear || years > 10 || years < -30
      hasYearToCome = hasYearToCome || day > today
    }
    for (one, day) in found {
      for (other, otherDay) in found where day != otherDay { differing.insert([one, other]) }
    }
    isAlive = !orders.isEmpty
  }

  var mayBePast: Bool { isAlive && hasDistantYear && hasYearToCome }

  /// Programs that write dates write days and months with two digits, and of several days, one is hardly a month.
  func mayBeVersions(in name: String) -> Bool {
    isAlive && areVersions && hasShortNumber && !KnownNames.areDates(in: name)
      && (!hasDay || KnownNames.areVersions(in: name))
  }

  /// The readings that are left, and differ.
  var readings: [DateStyle] {
    guard isAlive, hasDates else { return [] }
    var kept: [WrittenDay.Order] = []
    for order in WrittenDay.Order.allCases where orders.contains(order) {
      if kept.allSatisfy({ differing.contains([$0, order]) }) { kept.append(order) }
    }
    var groups = [languages]
    for split in splits {
      groups = groups.flatMap { group in split.map(group.intersection).filter { !$0.isEmpty } }
    }
    return kept.flatMap { order in groups.map { DateStyle(order: order, language: $0) } }
  }
}

extension String {
  /// The first number of what may be a version such as 1.10.20, whose first two have no 0 before them; nil for any other text.
  fileprivate var firstOfVersion: Int? {
    let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard utf8.count <= 8, parts.count == 3, parts[2].count == 2,
      parts.joined().allSatisfy({ (0x30...0x39).contains($0) }),
      parts.dropLast().allSatisfy({ $0.first != 0x30 })
    else { return nil }
    return Int(Substring(parts[0]))
  }
}

/// The words for yes and no of a language.
struct Marks: Sendable {
  private static let words: [String: (isSet: Bool, languages: Int)] = {
    var words: [String: (Bool, Int)] = [:]
    for (index, pair) in [
      "yes no", "true false", "ja nein", "oui non", "si no", "sim nao", "ja nee", "ja nej", "ja nei",
      "kylla ei", "tak nie",
      "ano ne", "да нет", "так ні", "evet hayır", "ναι οχι", "igen nem", "da nu", "da ne", "はい いいえ", "是 否",
      "예 아니요",
      "wahr falsch", "vrai faux", "verdadero falso",
    ].enumerated() {
      for (isSet, word) in zip([true, false], pair.split(separator: " ")) {
        let word = searchFolded(String(word))
        words[word] = (isSet, (words[word]?.1 ?? 0) | 1 << index)
      }
    }
    return words
  }()

  private var languages = -1
  private var found: Set<Bool> = []

  var hasBoth: Bool { found.count == 2 }

  /// Whether a text may be yes or no in the language of those before.
  mutating func take(_ text: String) -> Bool {
    guard text.utf8.count < 24, let word = Marks.words[searchFolded(text)] else { return false }
    languages &= word.languages
    found.insert(word.isSet)
    return languages != 0
  }

  static func mark(_ text: String) -> Bool? { words[searchFolded(text)]?.isSet }
}
