/// A selection of customers: those in a section that match a search and satisfy all conditions.
public struct RowFilter: Hashable, Sendable {
  /// The conditions on a customer.
  enum Condition: Hashable, Sendable {
    case field(CustomerField, TextTest)
    case name(TextTest)
    case section(Set<SectionID>)
    case canEdit(Bool)
    case canMove(Bool)
  }

  /// The section; nil for all.
  public var section: SectionID?
  /// The words to search for; nil for every customer.
  public var search: TextSearch?
  private(set) var conditions: [Condition] = []

  /// Creates a filter without conditions.
  public init(section: SectionID? = nil, search: TextSearch? = nil) {
    self.section = section
    self.search = search
  }

  /// Creates a filter from terms, such as `City=Berlin`, all of which must hold.
  ///
  /// - Throws: `FilterError`, or `SelectionError` if there is no such section.
  package init(
    _ terms: [FilterTerm], section: SectionID? = nil, search: TextSearch? = nil,
    in list: borrowing CustomerList
  ) throws {
    self.init(section: section, search: search)
    for term in terms { conditions.append(try Condition(term, in: list)) }
  }

  /// Whether every customer of the section, or of the list, matches.
  public var takesAll: Bool { (search?.isEmpty ?? true) && conditions.isEmpty }

  /// Whether a customer matches.
  public func matches(_ customer: Customer) -> Bool {
    (section == nil || section == customer.place.section)
      && conditions.allSatisfy { $0.holds(of: customer) } && search?.matches(customer) ?? true
  }

  /// The condition that excludes rows without examining them.
  var condition: RowCondition? {
    .all(conditions.flatMap(\.conditions) + (search?.conditions ?? []))
  }
}

extension RowFilter.Condition {
  fileprivate init(_ term: FilterTerm, in list: borrowing CustomerList) throws {
    switch try list.column(named: term.name, or: Subject.own, { .field($0) }) {
    case .name?: self = .name(TextTest(term))
    case .section?: self = .section(try term.sections(in: list.outline()))
    case .canEdit?: self = .canEdit(try term.mark())
    case .canMove?: self = .canMove(try term.mark())
    case .field(let field)?:
      if field.kind == .flag { _ = try term.mark() }
      self = .field(field, TextTest(term, of: field))
    case nil: throw FilterError(.noSuchField(near: try list.fieldName(near: term.name)), term)
    }
  }

  /// What a term is about.
  private enum Subject {
    case name, section, canEdit, canMove
    case field(CustomerField)

    static let own: [(name: String, column: Subject)] = [
      ("name", .name), ("section", .section), ("can_edit", .canEdit), ("can_move", .canMove),
    ]
  }

  fileprivate func holds(of customer: Customer) -> Bool {
    switch self {
    case .field(let field, let test): test.holds(of: customer.fields[field].text)
    case .name(let test): test.holds(of: customer.name)
    case .section(let sections): sections.contains(customer.place.section)
    case .canEdit(let isSet): customer.canEdit == isSet
    case .canMove(let isSet): customer.canMove == isSet
    }
  }

  /// The conditions on the bytes of the row.
  fileprivate var conditions: [RowCondition] {
    switch self {
    case .field(let field, let test):
      guard let text = test.needed, let column = field.storedColumn else { return [] }
      return [.mayHave(text, in: [column])]
    case .name(let test):
      // A name is in two columns, so only its single words are in one of them.
      let words = test.needed?.split(separator: " ").map(String.init) ?? []
      return words.map { .mayHave($0, in: ["first_name", "last_name", "company"]) }
    case .section, .canEdit, .canMove: return []
    }
  }
}

/// A comparison with a text.
struct TextTest: Hashable, Sendable {
  private let comparison: FilterTerm.Comparison
  private let text: String
  private let number: Double?

  init(_ term: FilterTerm, of field: CustomerField? = nil) {
    comparison = term.comparison
    // A mark is compared as displayed.
    text = searchFolded((try? field?.value(parsing: term.text))?.text ?? term.text)
    number = decimal(text)
  }

  /// A text that every matching text contains; nil if there is none.
  var needed: String? {
    !text.isEmpty && (comparison == .equals || comparison == .contains) ? text : nil
  }

  func holds(of other: String) -> Bool {
    let other = searchFolded(other)
    switch comparison {
    case .equals: return other == text
    case .differs: return other != text
    case .contains: return other.contains(text)
    case .lacks: return !other.contains(text)
    case .less: return !other.isEmpty && compares(other, <, <)
    case .greater: return !other.isEmpty && compares(other, >, >)
    }
  }

  /// As numbers if both are numbers, otherwise as texts.
  private func compares(
    _ other: String, _ numbers: (Double, Double) -> Bool, _ texts: (String, String) -> Bool
  ) -> Bool {
    if let number, let other = decimal(other) { return numbers(other, number) }
    return texts(other, text)
  }
}

/// A decimal number; nil for any other text, `inf` and `0x10` among them.
private func decimal(_ text: String) -> Double? {
  text.utf8.allSatisfy { "0123456789.+-e".utf8.contains($0) } ? Double(text) : nil
}
