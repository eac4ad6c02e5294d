/// All ways to reach one customer: the main one of each kind and the others.
public struct Contacts: Sendable {
  /// How likely a value is the main one, most likely first.
  public enum Rank: Int, Comparable, Sendable {
    case chosen, preferred, usual, secondary

    public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  private var entries: [(line: ContactLine, rank: Rank)] = []

  /// Starts with none.
  public init() {}

  /// Adds one; an empty value adds nothing.
  public mutating func add(_ line: ContactLine, _ rank: Rank = .usual) {
    guard !line.value.isEmpty else { return }
    entries.append((line, rank))
  }

  /// The kinds that a customer has a field for.
  private static let kindsOfFields: [ContactLine.Kind] = [.email, .phone, .address]

  /// The main value of a kind: the first of the best rank; nil if there is none.
  public func main(_ kind: ContactLine.Kind) -> String? { mainIndex(kind).map { entries[$0].line.value } }

  /// All but the main values, each once; a main value is among them if it has a label.
  public var others: [ContactLine] {
    let mains = Contacts.kindsOfFields.compactMap(mainIndex)
    let known = Set(mains.map { ContactLine(entries[$0].line.kind, entries[$0].line.value) })
    var seen: Set<ContactLine> = []
    return entries.map(\.line).filter { !known.contains($0) && seen.insert($0).inserted }
  }

  private func mainIndex(_ kind: ContactLine.Kind) -> Int? {
    let indices = entries.indices.filter { entries[$0].line.kind == kind }
    // The first of equals.
    return Contacts.kindsOfFields.contains(kind) ? indices.min { entries[$0].rank < entries[$1].rank } : nil
  }
}
