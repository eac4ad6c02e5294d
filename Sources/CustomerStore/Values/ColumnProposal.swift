/// What an extra column may be that the list has not declared.
package enum ColumnProposal: Hashable, Sendable {
  /// So many of all values are of a kind; if they can be read in several ways, with their words.
  case kind(ColumnKind, of: String, count: Int, total: Int, ways: [String] = [])
  /// It means the same as a column that every list may have, or a part of the address.
  case join(String, KnownColumn)

  /// How it is said: "Due: 214 of 220 values are dates".
  package var sentence: String {
    switch self {
    case .kind(let kind, let column, let count, let total, _):
      "\(column): \(count) of \(total) values are \(kind.plural)"
    case .join(let column, let known) where known.part != nil: "\(column) is a part of the address"
    case .join(let column, let known): "\(column) means the same as \(known.title)"
    }
  }
}

extension CustomerList {
  /// What the extra columns may be that the list has not declared, from the values of its first 10,000 customers.
  package func columnProposals() throws -> [ColumnProposal] {
    try undeclaredColumns().compactMap { name, counts in
      KnownColumn(ofListed: name).flatMap { counts.mayBe($0) ? .join(name, $0) : nil }
        ?? counts.proposal(for: name)
    }
  }

  /// The declared columns that are known ones by another name, such as Geburtstag, by the titles that the list does not have.
  package func namesOfKnownColumns() throws -> [String: String] {
    let declared = try declaredExtraColumns()
    let known = declared.compactMap { column -> (String, String)? in
      guard let known = KnownColumn.allCases.first(where: { $0.field == KnownNames.field(column.name) }),
        !known.values.kind.takesAnyText, column.kind == known.values.kind,
        !declared.contains(where: { $0.name == known.title })
      else { return nil }
      return (known.title, column.name)
    }
    return Dictionary(known) { first, _ in first }
  }

  /// The extra columns that have nearly the name of a known one, such as "Birth Day", and values of another kind.
  package func columnsUnlikeKnown(among names: [String]) throws -> Set<String> {
    let near = names.filter { name in
      KnownColumn(ofListed: name).map { !$0.values.kind.takesAnyText } ?? false
    }
    guard !near.isEmpty else { return [] }
    let unlike = try undeclaredColumns().filter { name, counts in
      near.contains(name) && KnownColumn(ofListed: name).map { !counts.mayBe($0) } ?? false
    }
    return Set(unlike.map(\.name))
  }

  private func undeclaredColumns() throws -> [(name: String, counts: KindCounts)] {
    let declared = try columnKinds()
    var names: [String] = []
    var counts: [String: KindCounts] = [:]
    var rows = 0
    try forEach(matching: RowFilter(), reading: CustomerColumns([.extra("")])) { customer in
      rows += 1
      if customer.fields.extra != "{}" {
        for (name, value) in customer.fields.extraColumns.shown where declared.declared(name) == nil {
          if counts[name] == nil { names.append(name) }
          counts[name, default: KindCounts()].take(value.text)
        }
      }
      return rows < 10_000
    }
    return names.map { ($0, counts[$0] ?? KindCounts()) }
  }
}

extension KnownColumn {
  /// The column that an extra column of a list means by another name; nil for any other column.
  fileprivate init?(ofListed name: String) {
    // Cards have these as parts of the name and of the company, by these names alone.
    guard !["name_suffix", "department"].contains(name) else { return nil }
    let found = KnownColumn.allCases.first { column in
      column.property == name || column.part != nil && column.title == name
    }
    let field = KnownNames.field(name)
    // A title may be that of a name or of a job.
    guard let column = found ?? KnownColumn.allCases.first(where: { $0 != .title && $0.field == field }),
      column.part != nil || column.title != name
    else { return nil }
    self = column
  }
}

/// How many values of a column may be of each kind.
package struct KindCounts: Sendable {
  private var total: Int
  private var counts: [ColumnKind: Int]
  /// The values of each kind, which together may be codes, or can be read in several ways.
  private var values: [ColumnKind: ColumnRecognition] = [:]

  /// - Parameters:
  ///   - count: how many values were taken before.
  ///   - kinds: what these are.
  package init(_ count: Int = 0, of kinds: [ColumnKind] = []) {
    total = count
    counts = Dictionary(uniqueKeysWithValues: kinds.map { ($0, count) })
  }

  package mutating func take(_ text: String) {
    guard !text.isEmpty else { return }
    total += 1
    // After many values that are only text, a few others don't matter.
    guard total < 100 || counts.values.contains(where: { $0 * 2 > total }) else { return }
    for kind in ColumnRecognition.kinds(of: text, today: .today) {
      counts[kind, default: 0] += 1
      if kind == .number || kind == .date {
        values[kind, default: ColumnRecognition(today: .today)].take(text)
      }
    }
  }

  /// Whether the values may be those of a known column.
  func mayBe(_ known: KnownColumn) -> Bool {
    known.values.kind.takesAnyText || (counts[known.values.kind] ?? 0) * 10 >= total * 9
  }

  /// The kind of nine values in ten, of at least two.
  package func proposal(for name: String) -> ColumnProposal? {
    guard !name.isEmpty else { return nil }
    let mayBeVersions = values[.date]?.mayBeVersions(in: name) == true
    for kind in [ColumnKind.date, .time, .number, .yesNo, .link].dropFirst(mayBeVersions ? 2 : 0) {
      let count = counts[kind] ?? 0
      // Each value alone may be of the kind, and all of them may be written in different ways.
      let recognized = values[kind == .time ? .date : kind]
      let readings = recognized?.readings.filter { $0.reading(as: kind) != nil } ?? []
      guard recognized == nil || !readings.isEmpty else { continue }
      if count > 1, count * 10 >= total * 9 {
        return .kind(kind, of: name, count: count, total: total, ways: readings.ways)
      }
    }
    return nil
  }
}
