/// What the values of a column are, by which they are read, compared, and sorted.
public enum ColumnKind: String, CaseIterable, Codable, Sendable {
  /// Any text, which has no order but that of the alphabet.
  case text
  /// Several texts, each a line of its own.
  case lines
  /// A decimal number, of any number of digits.
  case number
  /// A day.
  case date
  /// A moment: a day and a time of day.
  case time
  /// Yes or no.
  case yesNo = "yes/no"
  /// One of the texts that were declared, in their order.
  case choice
  /// An address on the web.
  case link
}

extension ColumnKind {
  /// The words of all kinds, as in a sentence.
  package static let words = listed(allCases.map(\.rawValue))

  /// A value, as in "a date".
  package var noun: String {
    switch self {
    case .text: "text"
    case .lines: "lines of text"
    case .number: "a number"
    case .date: "a date"
    case .time: "a time"
    case .yesNo: "yes or no"
    case .choice: "one of its choices"
    case .link: "a link"
    }
  }

  /// What values are not, as in "3 values are no dates".
  package var plural: String {
    switch self {
    case .text, .lines: "text"
    case .number: "numbers"
    case .date: "dates"
    case .time: "times"
    case .yesNo: "yes or no"
    case .choice: "choices"
    case .link: "links"
    }
  }

  /// Values that show how one is typed.
  package var example: String {
    switch self {
    case .text, .lines: "tea at two"
    case .number: "12.50"
    case .date: "2026-12-24, friday, or +3d"
    case .time: "2026-12-24T17:30"
    case .yesNo: "yes"
    case .choice: "open"
    case .link: "https://example.com"
    }
  }

  /// Whether values of the kind are greater and less, apart from the alphabet.
  package var hasOrder: Bool {
    switch self {
    case .number, .date, .time, .choice: true
    case .text, .lines, .yesNo, .link: false
    }
  }

  /// Whether any text is a value.
  package var takesAnyText: Bool {
    switch self {
    case .text, .lines: true
    case .number, .date, .time, .yesNo, .choice, .link: false
    }
  }
}

/// The kinds of the columns of a list.
///
/// Those of the fields that every customer has are fixed; an extra column that was not declared is text.
package struct ColumnKinds: Hashable, Sendable {
  /// What is known about the values of a column.
  package struct Column: Hashable, Sendable {
    package var kind: ColumnKind
    /// The values of a choice, in their order.
    package var choices: [String]

    package init(_ kind: ColumnKind, choices: [String] = []) { (self.kind, self.choices) = (kind, choices) }
  }

  /// The declared columns, by name.
  private var declared: [String: Column]
  /// Other spellings of their names.
  var spellings: [String: String] = [:]

  package init(_ declared: [String: Column] = [:]) { self.declared = declared }

  /// The kinds of columns that are declared.
  package init(_ columns: [DeclaredColumn]) {
    let named = columns.map { ($0.name, Column($0.kind, choices: $0.choices)) }
    declared = Dictionary(named) { first, _ in first }
  }

  /// These and some others.
  package func adding(_ others: [(String, Column)]) -> ColumnKinds {
    ColumnKinds(declared.merging(others) { own, _ in own })
  }

  /// The names of the declared columns, in alphabetical order.
  package var names: [String] { declared.keys.sorted() }

  /// Whether any text is a value of every column.
  var takeAnyText: Bool { declared.values.allSatisfy(\.kind.takesAnyText) }

  /// Whether no column is declared.
  package var isEmpty: Bool { declared.isEmpty }

  /// The name that an extra column is declared with.
  func name(_ written: String) -> String { spellings[written] ?? written }

  /// The declaration of an extra column; nil if there is none.
  package func declared(_ name: String) -> Column? { declared[name] }

  package subscript(field: CustomerField) -> Column {
    switch field {
    case .extra(let name): declared[name] ?? Column(.text)
    case .isFavorite: Column(.yesNo)
    case .next: Column(.date)
    case .otherContacts, .tags: Column(.lines)
    case .firstName, .lastName, .company, .email, .phone, .address, .addressParts, .part, .note: Column(.text)
    }
  }
}

extension ColumnKinds {
  /// The stored form of a next date that was typed: `2026-12-24` for `24.12.`, nothing for nothing.
  ///
  /// - Throws: `KindError`.
  package static func stored(next text: String, today: CalendarDay) throws(KindError) -> String {
    try ColumnKinds()[.next].stored(typed: text, in: CustomerField.next.column, today: today)
  }
}

extension CustomerList {
  /// The kinds of the columns.
  package func columnKinds() throws -> ColumnKinds {
    ColumnKinds(try declaredExtraColumns())
  }

  /// The values of declared columns, and the next dates, that are not of their kind, which another program may have
  /// written.
  ///
  /// - Returns: how many there are, and the first ones with their places.
  /// - Complexity: O(customers).
  package func misfits() throws -> (
    counts: SkippedValues, first: [(misfit: PullSummary.Misfit, place: CustomerPlace)]
  ) {
    let misfits = SkippedValues()
    var first: [(misfit: PullSummary.Misfit, place: CustomerPlace)] = []
    try forEachMisfit { customer, field, kind in
      misfits.note(field, kind)
      guard first.count < 20 else { return }
      let misfit = PullSummary.Misfit(
        column: field.title, kind: kind, customer: customer.id, name: customer.name,
        value: customer.fields[field].text)
      first.append((misfit, customer.place))
    }
    return (misfits, first)
  }

  /// The texts in declared columns that are not of their kind, by the names of the columns.
  ///
  /// - Complexity: O(customers).
  package func misfitTexts() throws -> [String: Set<String>] {
    var texts: [String: Set<String>] = [:]
    try forEachMisfit { customer, field, _ in
      if case .extra(let name) = field { texts[name, default: []].insert(customer.fields[field].text) }
    }
    return texts
  }

  private func forEachMisfit(_ body: (Customer, CustomerField, ColumnKind) -> Void) throws {
    let columns = try declaredExtraColumns().filter { !$0.kind.takesAnyText }
    let hasNext = try usesLog().next
    guard !columns.isEmpty || hasNext else { return }
    let kinds = try columnKinds()
    let fields = columns.map { CustomerField.extra($0.name) } + (hasNext ? [.next] : [])
    let read = CustomerColumns(Set(fields + [.firstName, .lastName, .company]))
    try forEach(matching: RowFilter(), reading: read) { customer in
      for field in fields where !kinds[field].isValue(customer.fields[field].text) {
        body(customer, field, kinds[field].kind)
      }
      return true
    }
  }
}
