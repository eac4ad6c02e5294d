package import CustomersText
internal import Synchronization

/// Whether a condition holds: two of the answers leave it open, and their opposite does, too.
///
/// The least of several is the answer of all of them, and the greatest that of one of them.
enum Truth: Int, Comparable, Sendable {
  case no
  /// There is no value.
  case empty
  /// There is a value that is not of the kind.
  case skipped
  case yes

  var negated: Truth {
    switch self {
    case .no: .yes
    case .yes: .no
    case .empty, .skipped: self
    }
  }

  static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }
}

/// Counts values that a question could not compare, because they are not of the kind of their column.
package final class SkippedValues: Sendable {
  /// How many values of a column are not of its kind.
  package struct Count: Hashable, Sendable {
    package var field: CustomerField
    package var kind: ColumnKind
    package var count: Int
  }

  private let noted = Mutex<[Count]>([])

  package init() {}

  /// The counts, in the order of the first values.
  package var counts: [Count] { noted.withLock(\.self) }

  func note(_ field: CustomerField, _ kind: ColumnKind) {
    note([Count(field: field, kind: kind, count: 1)])
  }

  /// Adds what was noted elsewhere.
  package func note(_ others: [Count]) { noted.withLock { $0.add(others) } }
}

extension SkippedValues {
  /// What was left out, as in "3 values of Due are no dates"; nil if nothing was.
  package var sentence: String? { counts.sentence }
}

extension [SkippedValues.Count] {
  /// Adds the counts of other rows.
  mutating func add(_ others: [SkippedValues.Count]) {
    for other in others {
      if let index = firstIndex(where: { $0.field == other.field && $0.kind == other.kind }) {
        self[index].count += other.count
      } else {
        append(other)
      }
    }
  }

  /// What was left out, as in "3 values of Due are no dates"; nil if nothing was.
  package var sentence: String? {
    guard !isEmpty else { return nil }
    // An address that is not known in parts has no street, and no city either.
    let parts = indices.filter { if case .part = self[$0].field { true } else { false } }
    let counted = parts.max { self[$0].count < self[$1].count }
    return listed(
      indices.filter { !parts.contains($0) || $0 == counted }.map { index in
        let skipped = self[index]
        let (count, name) = (skipped.count, quoted(skipped.field.title))
        let values = count == 1 ? "1 value of \(name)" : "\(count) values of \(name)"
        if index == counted {
          return count == 1 ? "1 address is not known in parts" : "\(count) addresses are not known in parts"
        }
        if skipped.kind == .date, KnownColumn(meantBy: skipped.field.title) == .birthday {
          return count == 1 ? "\(values) is no date with a year" : "\(values) are no dates with a year"
        }
        if skipped.kind.takesAnyText || skipped.kind == .link { return "\(values) can't be compared" }
        return count == 1
          ? "\(values) is not \(skipped.kind.noun)" : "\(values) are no \(skipped.kind.plural)"
      }, "and")
  }

  /// The same for a program.
  package var json: JSON {
    .array(
      map { skipped in
        .object([
          ("column", .string(skipped.field.column)), ("kind", .string(skipped.kind.rawValue)),
          ("count", .int(skipped.count)),
        ])
      })
  }
}

/// A comparison of a field with the values of a term, by the kind of its column.
struct ValueTest: Hashable, Sendable {
  private enum Limit: Hashable, Sendable {
    /// Days, instants, yes or no, or choices.
    case span(ClosedRange<Int>)
    case number(DecimalNumber)
    /// A day of every year, as a birthday is: `--12-24`.
    case everyYear(String)
    /// A text in the order of the alphabet.
    case text(ComparableText)
  }

  private enum Comparison: Hashable, Sendable {
    case equals, contains, less, atMost, greater, atLeast
  }

  let column: ColumnKinds.Column
  private let comparison: Comparison
  let isNegated: Bool
  /// Whether one of the values is empty, which means an empty field.
  private let takesEmpty: Bool
  /// The other values, folded.
  private let texts: [String]
  /// What the other values are compared by, unless as text.
  private let limits: [Limit]
  private let today: CalendarDay

  /// - Parameters:
  ///   - term: the term.
  ///   - column: what the values of the column are.
  ///   - name: the name of the column, for errors.
  ///   - today: the day that the word means.
  /// - Throws: `FilterError` if a value is not of the kind, or the kind has no order and the comparison needs one.
  init(_ term: FilterTerm, _ column: ColumnKinds.Column, _ name: String, _ today: CalendarDay)
    throws(FilterError)
  {
    (self.column, self.today) = (column, today)
    let given = term.values.filter { !$0.text.isEmpty }
    takesEmpty = given.count < term.values.count
    texts = given.map { searchFolded($0.text) }
    let isOpposite = term.comparison == .differs || term.comparison == .lacks
    isNegated = isOpposite != term.isNegated
    switch term.comparison {
    case .equals, .differs: comparison = .equals
    case .contains, .lacks: comparison = .contains
    case .less: comparison = .less
    case .atMost: comparison = .atMost
    case .greater: comparison = .greater
    case .atLeast: comparison = .atLeast
    }
    do throws(KindError) {
      try ValueTest.refuseComma(in: term, column, name)
      var limits: [Limit] = []
      if comparison != .contains {
        for value in given {
          limits += try ValueTest.limits(value, column, name, today, isOfOrder: term.comparison.isOfOrder)
        }
      }
      self.limits = limits
    } catch {
      throw FilterError(.kind(error), term)
    }
  }

  /// Refuses `900,50` as a number, which may be one or two.
  private static func refuseComma(
    in term: FilterTerm, _ column: ColumnKinds.Column, _ name: String
  ) throws(KindError) {
    guard column.kind == .number, term.values.count > 1, !term.values.contains(where: \.isQuoted) else {
      return
    }
    let values = term.values.map(\.text)
    let all = values.joined(separator: ",")
    guard term.word.hasSuffix(all) else { return }
    let numbers: [String]
    switch TypedNumber(all) {
    case .number(let number): numbers = [number]
    case .either(let one, let other): numbers = [one, other]
    case .none: return
    }
    let apart = values.map { "\(name)\(term.comparison.rawValue)\($0)" }
    throw column.error(.meant("write \(listed(numbers + [apart.joined(separator: " or ")]))"), all, name)
  }

  private static func limits(
    _ value: FilterTerm.Value, _ column: ColumnKinds.Column, _ name: String, _ today: CalendarDay,
    isOfOrder: Bool
  ) throws(KindError) -> [Limit] {
    let text = value.text
    guard !isOfOrder || column.kind.hasOrder || column.kind.takesAnyText || column.kind == .link else {
      throw column.error(.noOrder, text, name)
    }
    switch column.kind {
    case .number:
      guard let number = DecimalNumber(try column.stored(typed: text, in: name, today: today)) else {
        throw column.error(.unlike, text, name)
      }
      return [.number(number)]
    case .date:
      let isOfBirthdays = KnownColumn(meantBy: name) == .birthday
      if isOfBirthdays, let day = CalendarDay.withoutYear(text) { return [.everyYear(day)] }
      let day = try column.day(text, for: .search, name, today)
      // Whoever asks for today means no newborn; with an order, the days may be of two years.
      if isOfBirthdays, !isOfOrder, text.split(whereSeparator: { !$0.isNumber }).count < 2 {
        return [.everyYear(day.withoutYear)]
      }
      return [.span(day.number...day.number)]
    case .time:
      return [.span(try column.moment(text, for: .search, name, today).span)]
    case .yesNo:
      guard let isSet = Bool(typed: text) else { throw column.error(.unlike, text, name) }
      return [.span(isSet ? 1...1 : 0...0)]
    case .choice:
      let choice = try column.choice(text, name)
      return [.span(choice...choice)]
    case .text, .lines, .link:
      if value.isQuoted { return isOfOrder ? [.text(ComparableText(searchFolded(text)))] : [] }
      return try limits(ofText: text, column, name, today, isOfOrder: isOfOrder)
    }
  }

  /// What a value is compared by in a column of any text: as a number or a date, whatever the values of the column are.
  private static func limits(
    ofText text: String, _ column: ColumnKinds.Column, _ name: String, _ today: CalendarDay, isOfOrder: Bool
  ) throws(KindError) -> [Limit] {
    guard isOfOrder else {
      if let number = plainNumber(text) { return [.number(number)] }
      return TypedDay(text, from: today, for: .search).day.map { [.span($0.number...$0.number)] } ?? []
    }
    if let number = DecimalNumber(text), !isOpen(text) { return [.number(number)] }
    switch TypedDay(text, from: today, for: .search) {
    case .day(let day): return [.span(day.number...day.number)]
    case .either(let one, let other): throw column.error(.either("\(one)", "\(other)"), text, name)
    case .meant(let meant): throw column.error(.meant(meant), text, name)
    case .none: break
    }
    switch TypedNumber(text) {
    case .number(let number): return DecimalNumber(number).map { [.number($0)] } ?? []
    case .either(let one, let other): throw column.error(.either(one, other), text, name)
    case .none: throw column.error(.noOrder, text, name)
    }
  }

  /// A number that is the same however its fraction is written, and no code such as 0123, +12, or 1e5.
  private static func plainNumber(_ text: String) -> DecimalNumber? {
    if text.utf8.contains(UInt8(ascii: ",")) {
      guard let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") }), (0x31...0x39).contains(first),
        case .number(let number) = TypedNumber(text)
      else { return nil }
      return DecimalNumber(number)
    }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard let first = digits.first, (0x30...0x39).contains(first),
      first != 0x30 || digits.dropFirst().first.map({ $0 == UInt8(ascii: ".") }) ?? true,
      digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return DecimalNumber(text)
  }

  /// Texts of which every matching value contains one; nil if there are none.
  var needed: [String]? {
    guard !isNegated, !takesEmpty, !texts.isEmpty else { return nil }
    if comparison == .contains { return texts }
    let isText = column.kind.takesAnyText || column.kind == .link
    return comparison == .equals && isText && limits.isEmpty ? texts : nil
  }

  /// The days among which the value of every match is, if it is a day as it is stored; nil if it may be any.
  var days: ClosedRange<CalendarDay>? {
    guard !isNegated, !takesEmpty, column.kind == .date || column.kind.takesAnyText else { return nil }
    let spans = limits.compactMap { if case .span(let span) = $0 { span } else { nil } }
    guard spans.count == limits.count, let first = spans.map(\.lowerBound).min(),
      let last = spans.map(\.upperBound).max()
    else { return nil }
    let (low, high) =
      switch comparison {
      case .equals: (first, last)
      case .less: (Int.min, last - 1)
      case .atMost: (Int.min, last)
      case .greater: (first + 1, Int.max)
      case .atLeast: (first, Int.max)
      case .contains: (Int.min, Int.max)
      }
    // An empty range is none.
    let (lower, upper) = (CalendarDay(clamping: low), CalendarDay(clamping: high))
    return lower <= upper ? lower...upper : nil
  }

  /// Whether no match is without a value.
  var needsValue: Bool { !takesEmpty && comparison != .contains }

  /// Whether one of the values of a field passes, or none of them if the comparison is a negation.
  func truth(of values: [String]) -> Truth {
    let truth = isOneLike(values)
    return isNegated ? truth.negated : truth
  }

  private func isOneLike(_ values: [String]) -> Truth {
    var truth = Truth.no
    var isEmpty = true
    for value in values where !value.isEmpty {
      isEmpty = false
      truth = max(truth, isLike(value))
    }
    if !isEmpty { return truth }
    return takesEmpty ? .yes : comparison == .contains ? .no : .empty
  }

  private func isLike(_ value: String) -> Truth {
    switch comparison {
    case .contains:
      let folded = searchFolded(value)
      return texts.contains { folded.has($0) } ? .yes : .no
    case .equals where limits.isEmpty: return texts.contains(searchFolded(value)) ? .yes : .no
    case .equals:
      let isText = column.kind.takesAnyText || column.kind == .link
      if isText, texts.contains(searchFolded(value)) { return .yes }
      var truth = Truth.no
      for limit in limits {
        truth = max(truth, isText ? isEqual(value, to: limit) : compare(value, with: limit))
      }
      return truth
    case .less, .atMost, .greater, .atLeast: return limits.first.map { compare(value, with: $0) } ?? .no
    }
  }

  /// Whether a text is the same number or day; one that may be two leaves it open.
  private func isEqual(_ value: String, to limit: Limit) -> Truth {
    switch limit {
    case .number(let number):
      if ValueTest.isOpen(value) { return .skipped }
      if let found = ValueTest.plainNumber(value) { return found == number ? .yes : .no }
      // 900 € is 900, or it is not; 12a is another house than 12.
      guard let amount = MeasuredNumber(value),
        amount.unit.contains(where: { $0.isCurrencySymbol || $0 == "%" })
      else { return .no }
      return ValueTest.plainNumber(amount.number) == number ? .skipped : .no
    case .span(let days):
      switch TypedDay.written(value) {
      case .day(let day): return days.contains(day.number) ? .yes : .no
      case .either: return .skipped
      case .meant: return .no
      case .none:
        let found = ValueTest.days(value, today)
        return !found.contains(where: days.contains) ? .no : found.count == 1 ? .yes : .skipped
      }
    case .text, .everyYear: return .no
    }
  }

  /// The numbers of the days that a text may be as programs write them, such as 20 Nov 2026.
  private static func days(_ value: String, _ today: CalendarDay) -> [Int] {
    // Most texts are no dates.
    guard (6...40).contains(value.utf8.count), value.utf8.contains(where: { (0x30...0x39).contains($0) })
    else { return [] }
    return ColumnKinds.Column(.date).forms(of: value, today, leavingOutTimes: true)
      .compactMap { CalendarDay($0)?.number }
  }

  /// Whether a text may be two numbers, such as `1.200`.
  private static func isOpen(_ value: String) -> Bool {
    guard value.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) else {
      return false
    }
    if case .either = TypedNumber(value) { return true }
    return false
  }

  private func compare(_ value: String, with limit: Limit) -> Truth {
    switch limit {
    case .span(let span):
      guard let found = integer(value) else { return .skipped }
      return isTrue(found < span.lowerBound, found > span.upperBound) ? .yes : .no
    case .number(let number):
      guard let found = decimal(value) else { return .skipped }
      return isTrue(found < number, number < found) ? .yes : .no
    case .everyYear(let day):
      guard CalendarDay(value) != nil || CalendarDay.isWithoutYear(value) else { return .skipped }
      let (found, day) = (value.suffix(5), day.suffix(5))
      return isTrue(found < day, day < found) ? .yes : .no
    case .text(let text):
      let found = ComparableText(searchFolded(value))
      return isTrue(found.precedes(text), text.precedes(found)) ? .yes : .no
    }
  }

  private func integer(_ value: String) -> Int? {
    switch column.kind {
    case .date: CalendarDay(value)?.number
    case .time: Moment(value)?.instant
    case .yesNo, .choice: if case .integer(let number)? = column.key(value) { number } else { nil }
    case .text, .lines, .link, .number: day(of: value)
    }
  }

  /// The number of the day that a text is, however it is written, as in a comparison with `=`; nil if it may be two.
  private func day(of value: String) -> Int? {
    switch TypedDay.written(value) {
    case .day(let day): return day.number
    case .either, .meant: return nil
    case .none:
      let found = ValueTest.days(value, today)
      return found.count == 1 ? found[0] : nil
    }
  }

  private func decimal(_ value: String) -> DecimalNumber? {
    column.kind == .number ? DecimalNumber(value) : ValueTest.number(value)
  }

  /// The number that a value in a column of any text is; nil if it may be two, or none.
  static func number(_ value: String) -> DecimalNumber? {
    if ValueTest.isOpen(value) { return nil }
    if let number = DecimalNumber(value) { return number }
    guard case .number(let number) = TypedNumber(value) else { return nil }
    return DecimalNumber(number)
  }

  private func isTrue(_ isLess: Bool, _ isGreater: Bool) -> Bool {
    switch comparison {
    case .less: isLess
    case .atMost: !isGreater
    case .greater: isGreater
    case .atLeast: !isLess
    case .equals: !isLess && !isGreater
    case .contains: false
    }
  }
}
