internal import CustomerStore

/// Looks for one customer by name: the whole name, else what only one name begins with, else a part
/// that only one name has; capital letters are no matter.
///
/// What fits several is never guessed.
struct NameSearch {
  private let wanted: String
  private let text: String
  private var matches: [[(position: Int, customer: Customer)]] = [[], [], []]
  private var counts = [0, 0, 0]
  private var near: (distance: Int, position: Int, customer: Customer)?

  /// The most candidates that are kept to be shown.
  private static let shown = 10

  init(_ text: String) {
    self.text = text
    wanted = text.lowercased()
  }

  mutating func consider(_ customer: Customer, at position: Int) {
    let name = customer.name.lowercased()
    guard let rank = rank(name) else { return considerNear(customer, name, position) }
    counts[rank] += 1
    if matches[rank].count < Self.shown { matches[rank].append((position, customer)) }
  }

  /// How well a name in small letters fits, 0 best; nil if it does not.
  private func rank(_ name: String) -> Int? {
    name == wanted ? 0 : name.hasPrefix(wanted) ? 1 : name.contains(wanted) ? 2 : nil
  }

  /// The one customer that is meant, found without the order of the list; nil if it is none or several.
  func only(in list: borrowing CustomerList) throws -> CustomerID? {
    var best: (rank: Int, id: CustomerID, isOnly: Bool)?
    try list.forEachName(mayContain: text) { id, name in
      guard let rank = rank(name.lowercased()), rank <= best?.rank ?? rank else { return }
      best = (rank, id, rank != best?.rank)
    }
    return best.flatMap { $0.isOnly ? $0.id : nil }
  }

  private mutating func considerNear(_ customer: Customer, _ name: String, _ position: Int) {
    // Of a short name hardly anything is left by two mistakes; any other would be as near.
    let limit = min(3, near?.distance ?? .max, (wanted.count + 2) / 3)
    guard abs(name.count - wanted.count) < limit else { return }
    let distance = editDistance(name, wanted)
    if distance < limit { near = (distance, position, customer) }
  }

  func result() throws -> Customer {
    guard let rank = counts.firstIndex(where: { $0 > 0 }) else {
      throw Failure.notFound(
        "no customer matches \(quoted(text))",
        hint: near.map { "close: \(quoted($0.customer.name)) (\($0.position), @\($0.customer.id.rawValue))" })
    }
    guard counts[rank] > 1 else { return matches[rank][0].customer }
    var details = matches[rank].map { position, customer in
      "\(aligned(position))  \(padded("@\(customer.id.rawValue)", to: 4)) \(printable(customer.name))"
    }
    if counts[rank] > Self.shown { details.append("     … and \(counts[rank] - Self.shown) more") }
    let example = matches[rank].last.map { "@\($0.customer.id.rawValue)" } ?? ""
    throw Failure.notFound(
      "\(counts[rank]) customers match \(quoted(text))", details: details,
      hint: "name one by number or id, e.g. \(example)")
  }

  private func aligned(_ position: Int) -> String {
    let digits = String(position)
    return String(repeating: " ", count: max(0, 6 - digits.count)) + digits
  }
}
