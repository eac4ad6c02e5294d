/// What an extra column may be that the list has not declared.
package enum ColumnProposal: Hashable, Sendable {
  /// So many of all values are of a kind.
  case kind(ColumnKind, of: String, count: Int, total: Int)
  /// It means the same as a column that every list may have, or a part of the address.
  case join(String, KnownColumn)

  /// How it is said: "Due: 214 of 220 values are dates".
  package var sentence: String {
    switch self {
    case .kind(let kind, let column, let count, let total):
      "\(column): \(count) of \(total) values are \(kind.plural)"
    case .join(let column, let known) where known.part != nil: "\(column) is a part of the address"
    case .join(let column, let known): "\(column) means the same as \(known.title)"
    }
  }
}

extension CustomerList {
  /// What the extra columns may be that the list has not declared, from the values of its first 10,000 customers.
  package func columnProposals() throws -> [ColumnProposal] {
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
    return names.compactMap { name in
      KnownColumn(ofListed: name).map { .join(name, $0) } ?? counts[name]?.proposal(for: name)
    }
  }
}

extension KnownColumn {
  /// The column that an extra column of a list means by another name; nil for any other column.
  fileprivate init?(ofListed name: String) {
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
private struct KindCounts {
  private var total = 0
  private var counts: [ColumnKind: Int] = [:]
  /// The values that may be numbers, of which all together may be codes.
  private var numbers = ColumnRecognition(today: .today)

  mutating func take(_ text: String) {
    guard !text.isEmpty else { return }
    total += 1
    // After many values that are only text, a few others don't matter.
    guard total < 100 || counts.values.contains(where: { $0 * 2 > total }) else { return }
    for kind in ColumnRecognition.kinds(of: text, today: .today) {
      counts[kind, default: 0] += 1
      if kind == .number { numbers.take(text) }
    }
  }

  /// The kind of nine values in ten, of at least two.
  func proposal(for name: String) -> ColumnProposal? {
    guard !name.isEmpty else { return nil }
    for kind in [ColumnKind.date, .time, .number, .yesNo, .link] {
      let count = counts[kind] ?? 0
      guard kind != .number || numbers.readings.contains(where: { $0.kind == .number }) else { continue }
      if count > 1, count * 10 >= total * 9 {
        return .kind(kind, of: name, count: count, total: total)
      }
    }
    return nil
  }
}
