/// What a row, a section, or a line of a log is called in every copy of a list.
package typealias UID = Int64

/// A state of a list as a merge sees it: by uids, and only with the values that may differ from those of another state.
package struct ListState: Equatable, Sendable {
  /// What has values of its own; an entry is a declared column, a setting, or a person.
  package enum Kind: Hashable, CaseIterable, Sendable { case customer, section, line, entry }

  /// The values of something by their names: columns, or `extra.` and the name of an extra column.
  package typealias Record = [String: MergedValue]

  /// What comes before the name of an extra column.
  package static let extra = "extra."
  /// The value with the names of the extra columns, in their order.
  package static let columnOrder = "columns"

  /// The sections in order.
  package var sections: [UID]
  /// The rows of each section, in order.
  package var rows: [UID: [UID]]
  /// The values of all sections, lines, and entries, and those of customers that may differ from those of another state: a customer
  /// without a record here is the same in each state that has it.
  package var records: [Kind: [UID: Record]]

  package init(
    sections: [UID] = [], rows: [UID: [UID]] = [:], records: [Kind: [UID: Record]] = [:]
  ) {
    (self.sections, self.rows, self.records) = (sections, rows, records)
  }

  package subscript(kind: Kind) -> [UID: Record] {
    get { records[kind] ?? [:] }
    set { records[kind] = newValue }
  }

  /// What two states have in common, if nothing is known of the state that they have grown from.
  static func common(_ a: ListState, _ b: ListState) -> ListState {
    var common = ListState()
    common.sections = a.sections.filter { b.rows[$0] != nil }
    for section in common.sections {
      let rows = Set(b.rows[section] ?? [])
      common.rows[section] = a.rows[section]?.filter(rows.contains)
    }
    for kind in Kind.allCases {
      let others = b[kind]
      common.records[kind] = a[kind].reduce(into: [:]) { records, own in
        guard let other = others[own.key] else { return }
        records[own.key] = own.value.filter { other[$0] == $1 }
      }
    }
    return common
  }

  /// The state without the lines of customers that are not in it.
  var withoutLinesOfDeleted: ListState {
    guard !self[.line].isEmpty else { return self }
    let customers = Set(rows.values.joined())
    var state = self
    state[.line] = self[.line].filter { ListState.customer(of: $1).map(customers.contains) ?? false }
    return state
  }

  /// The state with other uids of sections and entries.
  func renaming(_ names: [UID: UID]) -> ListState {
    guard !names.isEmpty else { return self }
    var renamed = self
    renamed.sections = sections.map { names[$0] ?? $0 }
    renamed.rows = Dictionary(uniqueKeysWithValues: rows.map { (names[$0] ?? $0, $1) })
    for kind in [Kind.section, .entry] {
      renamed[kind] = Dictionary(uniqueKeysWithValues: self[kind].map { (names[$0] ?? $0, $1) })
    }
    return renamed
  }
}

/// A value that copies may change apart.
package enum MergedValue: Hashable, Sendable {
  /// One value: one of the two changes counts.
  case value(FieldValue)
  /// Lines, of which each counts by itself.
  case lines([String])

  /// A text with one value.
  package static func text(_ text: String) -> MergedValue { .value(.text(text)) }

  /// What kind of value it is, for a digest.
  var kind: String {
    switch self {
    case .value(.text): "text"
    case .value(.flag): "flag"
    case .value(.json): "json"
    case .lines: "lines"
    }
  }

  /// The value as people read it.
  package var text: String {
    switch self {
    case .value(let value): value.text
    case .lines(let lines): lines.joined(separator: "\n")
    }
  }
}

/// What the log of a copy says of the time since the common state.
///
/// A time is a text such as `2026-11-21T09:30:00.123Z`,
/// empty if it is unknown.
package struct MergeLog: Sendable {
  /// The rows whose places were edited; nil if the log does not reach back so far, and all may have been.
  package var touched: Set<UID>?
  /// When rows were placed last.
  package var placed: [UID: String] = [:]
  /// When sections were placed last.
  package var placedSections: [UID: String] = [:]
  /// When values were changed last.
  package var changed: [ListState.Kind: [UID: [String: String]]] = [:]
  /// The extra columns that were renamed, by their names in the common state, and when they were renamed last.
  package var columns: [String: (name: String, time: String)] = [:]
  /// Whether extra columns were deleted last, or brought back, by their names in the common state.
  private(set) var isDeleted: [String: Bool] = [:]

  package init(touched: Set<UID>? = []) { self.touched = touched }

  /// Takes note that an extra column was renamed before the edits that are noted already.
  package mutating func rename(_ name: String, to newName: String, at time: String) {
    columns[name] = columns[newName] ?? (newName, time)
    isDeleted[name] = isDeleted.removeValue(forKey: newName)
  }

  /// Takes note that an extra column was deleted or brought back before the edits that are noted already.
  package mutating func note(_ name: String, isDeleted: Bool) {
    if self.isDeleted[name] == nil { self.isDeleted[name] = isDeleted }
  }

  /// When a value was changed last.
  ///
  /// Of extra columns, the log has one time, and of a line, too.
  func time(of field: String, _ uid: UID, _ kind: ListState.Kind) -> String {
    guard let times = changed[kind]?[uid] else { return "" }
    return times[field] ?? times[field.hasPrefix(ListState.extra) ? "extra" : ""] ?? ""
  }

  /// The log with other uids of sections and entries.
  func renaming(_ names: [UID: UID]) -> MergeLog {
    guard !names.isEmpty else { return self }
    func renamed<Value>(_ values: [UID: Value]) -> [UID: Value] {
      Dictionary(values.map { (names[$0] ?? $0, $1) }) { first, _ in first }
    }
    var log = self
    log.placedSections = renamed(placedSections)
    for kind in [ListState.Kind.section, .entry] { log.changed[kind] = renamed(changed[kind] ?? [:]) }
    return log
  }
}

/// A side of a merge: the copy whose state has the lesser mark is `a`, whoever merges, so that both get the same result.
package enum MergeSide: Sendable {
  case a, b

  package var other: MergeSide { self == .a ? .b : .a }
}
