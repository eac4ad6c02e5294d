internal import CustomersSQLite
internal import CustomersSystem

/// A selection of customers: those in a section that match a search and satisfy all conditions.
public struct RowFilter: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    case field(CustomerField, TextTest)
    case name(TextTest)
    case section(Set<SectionID>)
    case favorite(Set<Bool>)
    case canEdit(Set<Bool>)
    case canMove(Set<Bool>)
  }

  /// The section; nil for all.
  public var section: SectionID?
  /// The words to search for; nil for every customer.
  public var search: TextSearch?
  /// Each of these must hold: all conditions of one of its alternatives.
  private(set) var clauses: [[[Condition]]] = []

  /// Creates a filter without conditions.
  public init(section: SectionID? = nil, search: TextSearch? = nil) {
    self.section = section
    self.search = search
  }

  /// Creates a filter from questions such as `City=Berlin`, all of which must hold.
  ///
  /// The parameter `today` is the day that the word means.
  ///
  /// - Throws: `FilterError`, `ListError.ambiguousColumn`, or `SelectionError` if there is no such section.
  package init(
    _ questions: [FilterExpression], section: SectionID? = nil, search: TextSearch? = nil,
    today: CalendarDay = .today, in list: borrowing CustomerList
  ) throws {
    self.init(section: section, search: search)
    for question in questions {
      var alternatives: [[Condition]] = []
      for terms in question.alternatives {
        var conditions: [Condition] = []
        for term in terms { conditions.append(try Condition(term, today, in: list)) }
        alternatives.append(conditions)
      }
      clauses.append(alternatives)
    }
  }

  /// Whether every customer of the section, or of the list, matches.
  public var takesAll: Bool { (search?.isEmpty ?? true) && clauses.isEmpty }

  /// The search, if there is no other condition.
  var onlySearch: TextSearch? { section == nil && clauses.isEmpty ? search : nil }

  /// Whether a customer matches.
  public func matches(_ customer: Customer) -> Bool {
    (section == nil || section == customer.place.section)
      && clauses.allSatisfy { $0.contains { $0.allSatisfy { $0.holds(of: customer) } } }
      && search?.matches(customer) ?? true
  }

  /// The fields in which a word of the search occurs, or about which a condition says something, with their values.
  package func matchingTexts(of customer: Customer) -> [(field: CustomerField, text: String)] {
    guard !clauses.isEmpty else { return search?.matchingTexts(of: customer) ?? [] }
    let named = clauses.joined().joined().compactMap { condition in
      if case .field(let field, _) = condition { field } else { nil }
    }
    let fields = named.enumerated().filter { !named[..<$0.offset].contains($0.element) }.map(\.element)
    return fields.flatMap { field in customer.fields.values(of: field).map { (field, $0) } }
  }

  /// The condition that excludes rows without examining them.
  var condition: RowCondition? {
    let conditions = clauses.compactMap { alternatives in
      // If one of them excludes nothing, neither do all.
      RowCondition.any(alternatives.map { .all($0.flatMap(\.conditions)) })
    }
    return .all(conditions + (search?.conditions ?? []))
  }
}

extension RowFilter.Condition {
  fileprivate init(_ term: FilterTerm, _ today: CalendarDay, in list: borrowing CustomerList) throws {
    switch try list.column(named: term.name, or: Subject.own, { .field($0) }) {
    case .name?: self = .name(TextTest(term))
    case .section?: self = .section(try term.sections(in: list.outline()))
    case .canEdit?: self = .canEdit(try term.marks())
    case .canMove?: self = .canMove(try term.marks())
    case .field(.isFavorite)?: self = .favorite(try term.marks())
    case .field(.extra(let name))?: self = .field(.extra(name), TextTest(term.dated(today)))
    case .field(let field)?: self = .field(field, TextTest(term))
    case nil:
      throw FilterError(.noSuchField(term.name, near: try list.fieldName(near: term.name)), term)
    }
  }

  /// What a term is about.
  private enum Subject {
    case name, section, canEdit, canMove
    case field(CustomerField)

    static let own: [(name: String, column: Subject)] = [
      ("name", .name), ("section", .section), ("can_edit", .canEdit), ("can_move", .canMove),
      ("tag", .field(.tags)),
    ]
  }

  fileprivate func holds(of customer: Customer) -> Bool {
    switch self {
    case .field(let field, let test): test.holds(of: customer.fields.values(of: field))
    case .name(let test): test.holds(of: [customer.name])
    case .section(let sections): sections.contains(customer.place.section)
    case .favorite(let marks): marks.contains(customer.fields.isFavorite)
    case .canEdit(let marks): marks.contains(customer.canEdit)
    case .canMove(let marks): marks.contains(customer.canMove)
    }
  }

  /// The conditions on the bytes of the row.
  fileprivate var conditions: [RowCondition] {
    switch self {
    case .field(let field, let test):
      let columns = field.storedColumns
      guard let texts = test.needed, !columns.isEmpty else { return [] }
      return RowCondition.any(texts.map { .mayHave($0, in: columns) }).map { [$0] } ?? []
    case .name(let test):
      // A name is in two columns, so only its single words are in one of them.
      let names = ["first_name", "last_name", "company"]
      return RowCondition.any(
        (test.needed ?? []).map { text in
          .all(text.split(separator: " ").map { .mayHave(String($0), in: names) })
        }
      ).map { [$0] } ?? []
    case .section, .favorite, .canEdit, .canMove: return []
    }
  }
}

extension RowFilter {
  /// What a user types to search: a question such as `City=Berlin`, if the list has such a field; otherwise words.
  package init(searching text: String, in list: borrowing CustomerList) throws {
    self.init(search: TextSearch(text))
    guard let question = try? FilterExpression(text) else { return }
    do {
      self = try RowFilter([question], in: list)
    } catch is FilterError {
    } catch is SelectionError {
    } catch ListError.ambiguousColumn {}
  }
}

/// A condition on a row of `customer_record` and its values.
///
/// It excludes most rows that do not match a search or filter without examining them in Swift, and none that
/// match. `may_have` compares bytes: a letter beyond ASCII may be any letter with an accent, and folding then decides.
struct RowCondition {
  var sql: String
  var values: [SQLiteValue] = []

  /// A folded text occurs in one of the columns.
  static func mayHave(_ text: String, in columns: [String]) -> RowCondition {
    // An ASCII text contains only ASCII letters.
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    // Escaped characters in JSON and in lines do not match byte by byte.
    let escapes = escaped.filter(columns.contains).map { #" OR instr(\#($0), '\')"# }.joined()
    return RowCondition(
      sql: "(may_have(?, \(columns.joined(separator: ", ")))\(escapes))",
      values: [isASCII ? .text(text) : .null])
  }

  /// The columns with escaped characters.
  private static let escaped = ["extra"] + CustomerField.lists.map(\.column)

  /// All conditions hold; nil if there are none.
  static func all(_ conditions: [RowCondition]) -> RowCondition? {
    guard !conditions.isEmpty else { return nil }
    return RowCondition(
      sql: conditions.map(\.sql).joined(separator: " AND "), values: conditions.flatMap(\.values))
  }

  /// One of the conditions holds; nil if there are none, or if one of them is nil and excludes nothing.
  static func any(_ conditions: [RowCondition?]) -> RowCondition? {
    let known = conditions.compactMap(\.self)
    // SQLite limits the depth of an expression.
    guard known.count == conditions.count, (1...100).contains(known.count) else { return nil }
    return RowCondition(
      sql: "(" + known.map(\.sql).joined(separator: " OR ") + ")", values: known.flatMap(\.values))
  }

  /// A phone number has more than digits, so that bytes do not show which digits it has.
  static let phoneHasSigns = RowCondition(
    sql: "phone GLOB '*[^0-9]*' OR other_contacts GLOB '*[0-9][^0-9]*[0-9]*'")
}

extension CustomerField {
  /// The columns of `customer_record` with the field's values; none for a mark.
  var storedColumns: [String] {
    if case .extra = self { return ["extra"] }
    let others = contactKind == nil ? [] : [CustomerField.otherContacts.column]
    return kind == .flag ? [] : [column] + others
  }
}

extension TextSearch {
  /// A condition for each word; none if SQL can't decide.
  var conditions: [RowCondition] {
    let searched = fields.map(Array.init) ?? CustomerField.texts + [.extra("")]
    let columns = searched.map(\.storedColumns)
    guard !columns.isEmpty, columns.allSatisfy({ !$0.isEmpty }) else { return [] }
    let numberColumns = CustomerField.phone.storedColumns
    return zip(words, numbers).compactMap { word, number in
      let has = RowCondition.mayHave(word, in: Set(columns.joined()).sorted())
      return number.map { .any([has, .mayHave($0, in: numberColumns), .phoneHasSigns]) } ?? has
    }
  }
}

/// A comparison of a string with the values of a term.
struct TextTest: Hashable, Sendable {
  private let comparison: FilterTerm.Comparison
  /// The values, folded.
  private let texts: [String]
  /// The value that another one is less or greater than.
  private let limit: ComparableText?

  init(_ term: FilterTerm) {
    comparison = term.comparison
    texts = term.values.map { searchFolded($0.text) }
    limit = comparison.isOfOrder ? texts.first.map { ComparableText($0) } : nil
  }

  /// Values of which every matching text contains one; nil if there are none.
  var needed: [String]? {
    (comparison == .equals || comparison == .contains) && !texts.contains("") ? texts : nil
  }

  /// Whether one of the values of a field passes, or none of them if the comparison is a negation; no values are an
  /// empty one.
  func holds(of values: [String]) -> Bool {
    let isOneLike = values.isEmpty ? isLike("") : values.contains(where: isLike)
    return comparison == .differs || comparison == .lacks ? !isOneLike : isOneLike
  }

  /// Whether a value is like one of the values, whether or not that is wanted.
  private func isLike(_ value: String) -> Bool {
    let other = searchFolded(value)
    switch comparison {
    case .equals, .differs: return texts.contains(other)
    case .contains, .lacks: return texts.contains { other.contains($0) }
    case .less, .atMost, .greater, .atLeast:
      guard let limit, !other.isEmpty else { return false }
      let value = ComparableText(other)
      guard value.isComparable(with: limit) else { return false }
      return switch comparison {
      case .less: value.precedes(limit)
      case .atMost: !limit.precedes(value)
      case .greater: limit.precedes(value)
      default: !value.precedes(limit)
      }
    }
  }
}

extension FilterTerm {
  /// The term with dates for `today`, `yesterday`, `today+7` and so on, unless it looks for a part.
  func dated(_ today: CalendarDay) -> FilterTerm {
    guard comparison != .contains, comparison != .lacks else { return self }
    var term = self
    term.values = values.map { value in
      guard !value.isQuoted, let day = CalendarDay(value.text, from: today) else { return value }
      return Value(day.description)
    }
    return term
  }
}

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
