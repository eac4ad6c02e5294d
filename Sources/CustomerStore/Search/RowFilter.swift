internal import CustomersSQLite

/// A selection of customers: those in a section that match a search and satisfy all conditions.
package struct RowFilter: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    /// The values of a field, and those of another one with the same name: a part of the address beside an own column.
    case field(CustomerField, AddressPart?, ValueTest)
    case name(ValueTest)
    case section(Set<SectionID>)
    case favorite(Set<Bool>)
    case canEdit(Set<Bool>)
    case canMove(Set<Bool>)
  }

  /// The section; nil for all.
  package var section: SectionID?
  /// The words to search for; nil for every customer.
  package var search: TextSearch?
  /// The day on which the customers are due; nil for those that are not due, too.
  ///
  /// Only the list knows who has a log, so `matches` does not look at it.
  package var due: CalendarDay?
  /// Each of these must hold.
  private(set) var clauses: [Joined<Condition>] = []

  /// Creates a filter without conditions.
  package init(section: SectionID? = nil, search: TextSearch? = nil) {
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
    guard !questions.isEmpty else { return }
    let kinds = try list.columnKinds()
    var subjects = Subjects()
    for question in questions {
      clauses.append(
        try question.terms.map {
          try Condition($0, subjects.subject(of: $0, in: list), kinds, today, in: list)
        })
    }
  }

  /// Whether every customer of the section, or of the list, matches.
  package var takesAll: Bool { (search?.isEmpty ?? true) && clauses.isEmpty && due == nil }

  /// The day on which the customers are due, if there is no other condition.
  var onlyDue: CalendarDay? { section == nil && clauses.isEmpty && (search?.isEmpty ?? true) ? due : nil }

  /// The search, if there is no other condition.
  var onlySearch: TextSearch? { section == nil && clauses.isEmpty && due == nil ? search : nil }

  /// Whether a customer matches, as far as its fields and its place say it.
  package func matches(_ customer: Customer) -> Bool { matches(customer, noting: nil) }

  /// Whether a customer matches; a value that leaves this open is noted.
  package func matches(_ customer: Customer, noting skipped: SkippedValues?) -> Bool {
    guard section == nil || section == customer.place.section else { return false }
    var truth = Truth.yes
    for clause in clauses {
      truth = min(truth, clause.truth(of: customer))
      if truth == .no { return false }
    }
    guard search?.matches(customer) ?? true else { return false }
    if truth == .skipped, let skipped {
      var noted: Set<CustomerField> = []
      for case .field(let field, let part, let test) in clauses.flatMap(\.terms)
      where test.truth(of: customer.fields, field, part) == .skipped && noted.insert(field).inserted {
        skipped.note(field, test.column.kind)
      }
    }
    return truth == .yes
  }

  /// The fields in which a word of the search occurs, or about which a condition says something, with their values.
  package func matchingTexts(of customer: Customer) -> [(field: CustomerField, text: String)] {
    let named = clauses.flatMap(\.terms).flatMap { condition -> [CustomerField] in
      guard case .field(let field, let part, _) = condition else { return [] }
      return [field] + (part.map { [.part($0)] } ?? [])
    }
    let fields = named.enumerated().filter { !named[..<$0.offset].contains($0.element) }.map(\.element)
    return fields.flatMap { field in customer.fields.values(of: field).map { (field, $0) } }
      + (search?.matchingTexts(of: customer) ?? [])
  }

  /// The condition that excludes rows without examining them.
  var condition: RowCondition? {
    .all((due.map { [.due(on: $0)] } ?? []) + clauses.compactMap(\.condition) + (search?.conditions ?? []))
  }
}

extension Joined<RowFilter.Condition> {
  fileprivate func truth(of customer: Customer) -> Truth {
    switch self {
    case .term(let condition): return condition.truth(of: customer)
    case .all(let parts):
      var truth = Truth.yes
      for part in parts where truth != .no { truth = min(truth, part.truth(of: customer)) }
      return truth
    case .any(let parts):
      var truth = Truth.no
      for part in parts where truth != .yes { truth = max(truth, part.truth(of: customer)) }
      return truth
    }
  }

  /// The condition on the bytes of the row; nil if it excludes nothing.
  fileprivate var condition: RowCondition? {
    switch self {
    case .term(let condition): .all(condition.conditions)
    case .all(let parts): .all(parts.compactMap(\.condition))
    // If one of them excludes nothing, neither do all.
    case .any(let parts): .any(parts.map(\.condition))
    }
  }
}

/// What terms are about.
private enum Subject {
  case name, section, canEdit, canMove
  case field(CustomerField)

  static let own: [(name: String, column: Subject)] = [
    ("name", .name), ("section", .section), ("can_edit", .canEdit), ("can_move", .canMove),
    ("tag", .field(.tags)),
  ]
}

/// The subjects of a question of many terms, each of which is looked up once: that of an extra column may take all rows.
private struct Subjects {
  private var known: [String: Subject?] = [:]

  mutating func subject(of term: FilterTerm, in list: borrowing CustomerList) throws -> Subject? {
    if let subject = known[term.name] { return subject }
    let subject = try list.column(named: term.name, or: Subject.own) { Subject.field($0) }
    known[term.name] = .some(subject)
    return subject
  }
}

extension RowFilter.Condition {
  fileprivate init(
    _ term: FilterTerm, _ subject: Subject?, _ kinds: ColumnKinds, _ today: CalendarDay,
    in list: borrowing CustomerList
  ) throws {
    switch subject {
    case .name?: self = .name(try ValueTest(term, ColumnKinds.Column(.text), "name", today))
    case .section?: self = .section(try term.sections(in: list.outline()))
    case .canEdit?: self = .canEdit(try term.marks())
    case .canMove?: self = .canMove(try term.marks())
    case .field(.isFavorite)?: self = .favorite(try term.marks())
    case .field(let field)?:
      let part = if case .extra(let name) = field { AddressPart(title: name) } else { AddressPart?.none }
      self = .field(field, part, try ValueTest(term, kinds[field], field.column, today))
    case nil:
      throw FilterError(.noSuchField(term.name, near: try list.fieldName(near: term.name)), term)
    }
  }

  fileprivate func truth(of customer: Customer) -> Truth {
    switch self {
    case .field(let field, let part, let test): test.truth(of: customer.fields, field, part)
    case .name(let test): test.truth(of: [customer.name])
    case .section(let sections): sections.contains(customer.place.section) ? .yes : .no
    case .favorite(let marks): marks.contains(customer.fields.isFavorite) ? .yes : .no
    case .canEdit(let marks): marks.contains(customer.canEdit) ? .yes : .no
    case .canMove(let marks): marks.contains(customer.canMove) ? .yes : .no
    }
  }

  /// The conditions on the bytes of the row.
  fileprivate var conditions: [RowCondition] {
    switch self {
    case .field(let field, let part, let test):
      let columns = field.storedColumns + (part == nil ? [] : [CustomerField.addressParts.column])
      if let texts = test.needed, !columns.isEmpty {
        let isUnknown = columns.contains(CustomerField.addressParts.column)
        return RowCondition.any(
          texts.map { .mayHave($0, in: columns) } + (isUnknown ? [.hasAddressWithoutParts] : [])
        ).map { [$0] } ?? []
      }
      // A row without a value has not even the name of an extra column.
      guard test.needsValue, part == nil, case .extra(let name) = field, !name.isEmpty else { return [] }
      return [.mayHave(searchFolded(name), in: columns)]
        + (test.days.flatMap { .mayBe($0, in: name) }.map { [$0] } ?? [])
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

extension ValueTest {
  /// Whether a field of a customer passes; an address that is not known in parts leaves a question about one open.
  fileprivate func truth(of fields: CustomerFields, _ field: CustomerField, _ part: AddressPart?) -> Truth {
    var own = fields.values(of: field)
    if column.kind == .lines, case .extra = field {
      own = own.flatMap { $0.split(separator: "\n").map(String.init) }
    }
    // Most fields have no part, and a list may have a million rows.
    let values = part.map { own + fields.values(of: .part($0)) } ?? own
    let truth = truth(of: values)
    let isPart = if case .part = field { true } else { part != nil && own.isEmpty }
    guard isPart, fields.hasAddressWithoutParts else { return truth }
    let isKnown = values.contains { !$0.isEmpty }
    return isKnown && truth == (isNegated ? .no : .yes) ? truth : .skipped
  }
}

extension RowFilter {
  /// What a user types to search: a question such as `City=Berlin`, if the list has such a field; otherwise words, perhaps
  /// with a question after them.
  ///
  /// - Throws: `FilterError` if a value of the question can't be compared with those of the list.
  package init(searching text: String, in list: borrowing CustomerList) throws {
    self.init(search: TextSearch(text))
    if let (words, question) = try RowFilter.question(typed: text, today: .today, in: list) {
      self = try RowFilter([question], search: words.map { TextSearch($0) }, in: list)
    }
  }

  /// The question that a user typed to search, and the words before it; nil for words only, and for a question about what
  /// the list does not have.
  ///
  /// - Throws: `FilterError` if a value can't be compared with those of the list.
  package static func question(
    typed text: String, today: CalendarDay, in list: borrowing CustomerList
  ) throws -> (words: String?, question: FilterExpression)? {
    // Only the last of the words before an operator can begin a question, or a name of several words.
    guard let sign = text.firstIndex(where: { "=~<>!".contains($0) }) else { return nil }
    var start = text.startIndex
    while start < sign {
      if let question = try known(String(text[start...]), today, in: list) {
        let words = text[..<start].trimmingBlanks
        return (words.isEmpty ? nil : String(words), question)
      }
      guard let end = text[start..<sign].firstIndex(where: \.isWhitespace) else { return nil }
      start = text[end..<sign].firstIndex { !$0.isWhitespace } ?? sign
    }
    return nil
  }

  /// The question, if the list has what it is about.
  private static func known(
    _ text: String, _ today: CalendarDay, in list: borrowing CustomerList
  ) throws -> FilterExpression? {
    guard let question = try? FilterExpression(text) else { return nil }
    do {
      _ = try RowFilter([question], today: today, in: list)
      return question
    } catch let error as FilterError {
      guard case .kind = error.reason else { return nil }
      throw error
    } catch is SelectionError {
      return nil
    } catch ListError.ambiguousColumn {
      return nil
    }
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
      // The start of a long one says enough, and is looked for at each place.
      values: [isASCII ? .text(String(text.prefix(String.mostTried))) : .null])
  }

  /// The value of an extra column is one of these days, or something else than a day; nil for a name that JSON escapes.
  static func mayBe(_ days: ClosedRange<CalendarDay>, in name: String) -> RowCondition? {
    guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    return RowCondition(
      sql: "may_be_day(extra, ?, ?, ?)",
      values: [
        .text("\"\(name)\""), .text(days.lowerBound.description), .text(days.upperBound.description),
      ])
  }

  /// The main address has text, and its parts are not known.
  static let hasAddressWithoutParts = RowCondition(
    sql: #"(address <> '' AND (address_parts = '' OR address_parts GLOB '{"others"*'))"#)

  /// The columns with escaped characters.
  private static let escaped = ["extra", "address_parts"] + CustomerField.lists.map(\.column)

  /// SQLite limits the depth of an expression to 1,000.
  private static let most = 100

  /// All conditions hold, or at least the first of very many; nil if there are none.
  static func all(_ conditions: [RowCondition]) -> RowCondition? {
    guard !conditions.isEmpty else { return nil }
    let first = conditions.prefix(most)
    return RowCondition(sql: first.map(\.sql).joined(separator: " AND "), values: first.flatMap(\.values))
  }

  /// One of the conditions holds; nil if there are none, or if one of them is nil and excludes nothing.
  static func any(_ conditions: [RowCondition?]) -> RowCondition? {
    let known = conditions.compactMap(\.self)
    guard known.count == conditions.count, (1...most).contains(known.count) else { return nil }
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
    switch self {
    case .extra: return ["extra"]
    case .part: return [CustomerField.addressParts.column]
    default: break
    }
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
      return number.map { number in
        .any([has, .mayHave(number.national ?? number.digits, in: numberColumns), .phoneHasSigns])
      } ?? has
    }
  }
}
