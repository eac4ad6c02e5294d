/// Finds one customer by name.
///
/// A full name or e-mail address comes first, then an unambiguous match of whole words, of the beginning or
/// of any part of a name, then a part of an address. Case and accents are ignored. A customer without a name
/// is found by company. Ambiguous names are never guessed.
package struct NameSearch {
  /// How well a customer matches, best first.
  enum Rank: Int, CaseIterable, Comparable {
    case whole, words, beginning, part, partOfAddress

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }

    /// Whether the match is certain, unlike one by a few letters.
    var isSure: Bool { self <= .words }
  }

  private let wanted: String
  private let text: String
  private var matches = [[SelectionError.Match]](repeating: [], count: Rank.allCases.count)
  private var counts = [Int](repeating: 0, count: Rank.allCases.count)
  private var near: (distance: Int, match: SelectionError.Match)?

  /// The maximum number of candidates kept for display.
  private static let shown = 10

  package init(_ text: String) {
    self.text = text
    wanted = searchFolded(text)
  }

  /// The one matching customer, found without the order of the list, and whether it is certain; nil if there
  /// is none or several.
  func only(in list: borrowing CustomerList) throws -> (id: CustomerID, isSure: Bool)? {
    var best: (rank: Rank, id: CustomerID, isOnly: Bool)?
    try list.forEachName(mayContain: text) { id, fields in
      guard let rank = rank(fields), rank <= best?.rank ?? rank else { return }
      best = (rank, id, rank != best?.rank)
    }
    return best.flatMap { $0.isOnly ? ($0.id, $0.rank.isSure) : nil }
  }

  /// Adds a customer to the candidates for the error.
  mutating func consider(_ customer: Customer, at position: Int) {
    let match = SelectionError.Match(position: position, id: customer.id, name: customer.name)
    guard let rank = rank(customer.fields)?.rawValue else {
      return considerNear(match, searchFolded(customer.name))
    }
    counts[rank] += 1
    if matches[rank].count < Self.shown { matches[rank].append(match) }
  }

  /// Why no single customer matches.
  var reason: SelectionError.Reason {
    guard let rank = counts.firstIndex(where: { $0 > 0 }) else { return .noName(near: near?.match) }
    return .severalNames(matches[rank], count: counts[rank])
  }

  /// How well a customer matches; nil if it does not.
  private func rank(_ fields: CustomerFields) -> Rank? {
    let name = searchFolded(fields.name)
    let address = searchFolded(fields.email)
    if name == wanted || address == wanted { return .whole }
    if name.hasWords(wanted) { return .words }
    if name.hasPrefix(wanted) { return .beginning }
    return name.contains(wanted) ? .part : address.contains(wanted) ? .partOfAddress : nil
  }

  private mutating func considerNear(_ match: SelectionError.Match, _ name: String) {
    // Two mistakes leave hardly anything of a short name; any other name would be as near.
    let limit = min(3, near?.distance ?? .max, (wanted.count + 2) / 3)
    guard abs(name.count - wanted.count) < limit else { return }
    let distance = editDistance(name, wanted)
    if distance < limit { near = (distance, match) }
  }
}

extension String {
  /// Whether the text contains the words as whole words in sequence.
  fileprivate func hasWords(_ words: String) -> Bool {
    ranges(of: words).contains { range in
      (range.lowerBound == startIndex || !self[index(before: range.lowerBound)].isInWord)
        && (range.upperBound == endIndex || !self[range.upperBound].isInWord)
    }
  }
}
