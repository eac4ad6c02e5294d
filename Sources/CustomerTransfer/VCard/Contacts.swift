package import CustomerStore

/// All ways to reach one customer: the main one of each kind and the others.
package struct Contacts: Sendable {
  /// How likely a value is the main one, most likely first.
  package enum Rank: Int, Comparable, Sendable {
    case chosen, preferred, usual, secondary

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  private var entries: [(line: ContactLine, rank: Rank)] = []

  /// Starts with none.
  package init() {}

  /// Adds one; an empty value adds nothing.
  package mutating func add(_ line: ContactLine, _ rank: Rank = .usual) {
    guard !line.value.isEmpty else { return }
    entries.append((line, rank))
  }

  /// The kinds that a customer has a field for.
  private static let kindsOfFields: [ContactLine.Kind] = [.email, .phone, .address]

  /// The main value of a kind: the first of the best rank; nil if there is none.
  package func main(_ kind: ContactLine.Kind) -> String? { mainIndex(kind).map { entries[$0].line.value } }

  /// All but the main values, each once; of a main value, the label is among them.
  package var others: [ContactLine] {
    let mains = Contacts.kindsOfFields.compactMap(mainIndex)
    let known = Set(mains.map { ContactLine(entries[$0].line.kind, entries[$0].line.value) })
    var seen: Set<ContactLine> = []
    return entries.indices.lazy.map { index in
      let line = entries[index].line
      return mains.contains(index) && !line.label.isEmpty
        ? ContactLine(line.kind, label: line.label, "") : line
    }.filter { !known.contains($0) && seen.insert($0).inserted }
  }

  private func mainIndex(_ kind: ContactLine.Kind) -> Int? {
    guard Contacts.kindsOfFields.contains(kind) else { return nil }
    // The first of equals; a plain loop, because there may be very many.
    var (best, index): (Int?, Int) = (nil, 0)
    while index < entries.count {
      if entries[index].line.kind == kind, best.map({ entries[index].rank < entries[$0].rank }) ?? true {
        best = index
      }
      index += 1
    }
    return best
  }
}

extension PostalAddress {
  /// The value of the property of a vCard.
  var property: String { components.map { VCardText.escape(VCardText.carried($0)) }.joined(separator: ";") }
}
