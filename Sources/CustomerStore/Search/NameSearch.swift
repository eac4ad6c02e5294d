/// Finds one customer by name.
///
/// The name that fits best comes first, as `Name.Fit` orders them, then a part of an e-mail address; a whole
/// address is as good as a whole name. A customer without a name is found by company. Ambiguous names are never
/// guessed.
package struct NameSearch {
  private let wanted: Name
  /// The text as it is looked for in an address, in which `-` and `_` tell people apart.
  private let folded: String
  private var matches = [[SelectionError.Match]](repeating: [], count: Name.Fit.allCases.count + 1)
  private var counts = [Int](repeating: 0, count: Name.Fit.allCases.count + 1)
  private var near: (distance: Int, match: SelectionError.Match)?

  /// The maximum number of candidates kept for display.
  private static let shown = 10

  package init(_ text: String) {
    wanted = Name(text)
    folded = searchFolded(text)
  }

  /// The one matching customer, found without the order of the list, and whether it is certain; nil if there
  /// is none or several.
  func only(in list: borrowing CustomerList) throws -> (id: CustomerID, isSure: Bool)? {
    var best = try best(in: list, having: wanted)
    // Names that were written in fewer or more words are not among the few that have these words.
    if best?.isSure != true { best = try self.best(in: list, having: nil) }
    return best.flatMap { $0.isOnly ? ($0.id, $0.isSure) : nil }
  }

  private typealias Best = (rank: Int, id: CustomerID, isOnly: Bool, isSure: Bool)

  private func best(in list: borrowing CustomerList, having name: Name?) throws -> Best? {
    var best: Best?
    try list.forEachName(having: name) { id, fields in
      guard let rank = rank(fields), rank <= best?.rank ?? rank else { return }
      best = (rank, id, rank != best?.rank, rank <= Name.Fit.words.rawValue)
    }
    return best
  }

  /// Adds a customer to the candidates for the error.
  mutating func consider(_ customer: Customer, at position: Int) {
    let match = SelectionError.Match(position: position, id: customer.id, name: customer.name)
    guard let rank = rank(customer.fields) else {
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

  /// How well a customer matches: the number of the fit, or the next one for a part of the address; nil if it
  /// does not.
  private func rank(_ fields: CustomerFields) -> Int? {
    let emails = fields.values(of: .email).map { searchFolded($0) }
    let fit = wanted.fit(fields.name)
    if emails.contains(folded) { return min(fit ?? .folded, .folded).rawValue }
    return fit?.rawValue ?? (emails.contains { $0.contains(folded) } ? Name.Fit.allCases.count : nil)
  }

  private mutating func considerNear(_ match: SelectionError.Match, _ name: String) {
    // Two mistakes leave hardly anything of a short name; any other name would be as near.
    let limit = min(3, near?.distance ?? .max, (folded.count + 2) / 3)
    guard abs(name.count - folded.count) < limit else { return }
    let distance = editDistance(name, folded)
    if distance < limit { near = (distance, match) }
  }
}
