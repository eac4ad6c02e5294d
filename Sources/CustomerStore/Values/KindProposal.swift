/// A kind that an extra column may be of, which the list has not declared: most of its values are.
package struct KindProposal: Hashable, Sendable {
  package var column: String
  package var kind: ColumnKind
  /// How many of the values are of the kind, and how many there are.
  package var count: Int
  package var total: Int

  /// How it is said: "Due: 214 of 220 values are dates".
  package var sentence: String { "\(column): \(count) of \(total) values are \(kind.plural)" }
}

extension CustomerList {
  /// Kinds for the extra columns that the list has not declared, from the values of its first 10,000 customers.
  package func kindProposals() throws -> [KindProposal] {
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
    return names.compactMap { name in counts[name]?.proposal(for: name) }
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
  func proposal(for name: String) -> KindProposal? {
    guard !name.isEmpty else { return nil }
    for kind in [ColumnKind.date, .time, .number, .yesNo, .link] {
      let count = counts[kind] ?? 0
      guard kind != .number || numbers.readings.contains(where: { $0.kind == .number }) else { continue }
      if count > 1, count * 10 >= total * 9 {
        return KindProposal(column: name, kind: kind, count: count, total: total)
      }
    }
    return nil
  }
}
