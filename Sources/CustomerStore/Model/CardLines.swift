/// Lines of address cards, as the extra column `vcard` has them.
package enum CardLines {
  /// The group and the name of the property of a line, as in `item1.TEL;TYPE=home:1`.
  package static func name(of line: Substring) -> (group: String, name: String) {
    let head = line.prefix { $0 != ":" && $0 != ";" }.uppercased().split(separator: ".", maxSplits: 1)
    return (head.count > 1 ? String(head[0]) : "", head.last.map(String.init) ?? "")
  }
}

/// The lines of several cards of one customer: all of the first one, and those of the others with what those before do not have
/// at all, such as a photo.
struct JoinedCard {
  private var lines: [Substring] = []
  private var present: Set<Substring> = []
  private var names: Set<String> = []
  private var groups: Set<String> = []

  /// Begins with a card.
  init(_ card: String) { for line in card.split(separator: "\n") { add(line) } }

  /// The lines.
  ///
  /// - Complexity: O(lines).
  var text: String { lines.joined(separator: "\n") }

  /// Takes the lines of another card; a group goes as a whole.
  ///
  /// - Returns: what is left of it.
  /// - Complexity: O(lines of the other card).
  mutating func take(_ card: String) -> String {
    let others = card.split(separator: "\n").filter { !present.contains($0) }.map { line in
      (line: line, of: CardLines.name(of: line))
    }
    let taken = groups.union(others.filter { names.contains($0.of.name) }.map(\.of.group))
    var new: [Substring] = []
    var left: [Substring] = []
    for (line, (group, name)) in others {
      names.contains(name) || !group.isEmpty && taken.contains(group) ? left.append(line) : new.append(line)
    }
    for line in new { add(line) }
    return left.joined(separator: "\n")
  }

  private mutating func add(_ line: Substring) {
    let (group, name) = CardLines.name(of: line)
    lines.append(line)
    present.insert(line)
    names.insert(name)
    groups.insert(group)
  }
}
