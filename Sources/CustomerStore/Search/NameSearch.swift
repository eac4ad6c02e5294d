/// Looks for one customer by name: the whole name, else what only one name begins with, else a part
/// that only one name has; case is ignored.
///
/// What fits several is never guessed.
package struct NameSearch {
  private let wanted: String
  private let text: String
  private var matches: [[SelectionError.Match]] = [[], [], []]
  private var counts = [0, 0, 0]
  private var near: (distance: Int, match: SelectionError.Match)?

  /// The most candidates that are kept to be shown.
  private static let shown = 10

  package init(_ text: String) {
    self.text = text
    wanted = caseFolded(text)
  }

  /// The one customer that is meant, found without the order of the list; nil if it is none or several.
  package func only(in list: borrowing CustomerList) throws -> CustomerID? {
    var best: (rank: Int, id: CustomerID, isOnly: Bool)?
    try list.forEachName(mayContain: text) { id, name in
      guard let rank = rank(caseFolded(name)), rank <= best?.rank ?? rank else { return }
      best = (rank, id, rank != best?.rank)
    }
    return best.flatMap { $0.isOnly ? $0.id : nil }
  }

  /// Takes a customer into account, to say in the end what is meant instead of the one.
  mutating func consider(_ customer: Customer, at position: Int) {
    let name = caseFolded(customer.name)
    let match = SelectionError.Match(position: position, id: customer.id, name: customer.name)
    guard let rank = rank(name) else { return considerNear(match, name) }
    counts[rank] += 1
    if matches[rank].count < Self.shown { matches[rank].append(match) }
  }

  /// Why there is not one customer that is meant.
  var reason: SelectionError.Reason {
    guard let rank = counts.firstIndex(where: { $0 > 0 }) else { return .noName(near: near?.match) }
    return .severalNames(matches[rank], count: counts[rank])
  }

  /// How well a folded name fits, 0 best; nil if it does not.
  private func rank(_ name: String) -> Int? {
    name == wanted ? 0 : name.hasPrefix(wanted) ? 1 : name.contains(wanted) ? 2 : nil
  }

  private mutating func considerNear(_ match: SelectionError.Match, _ name: String) {
    // Of a short name hardly anything is left by two mistakes; any other would be as near.
    let limit = min(3, near?.distance ?? .max, (wanted.count + 2) / 3)
    guard abs(name.count - wanted.count) < limit else { return }
    let distance = editDistance(name, wanted)
    if distance < limit { near = (distance, match) }
  }
}
