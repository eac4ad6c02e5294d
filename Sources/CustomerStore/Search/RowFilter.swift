/// A selection of customers: those in a section that match a search and satisfy all conditions.
public struct RowFilter: Hashable, Sendable {
  /// The conditions on a customer.
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
