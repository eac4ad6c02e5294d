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
package struct JoinedCard {
  private var lines: [Substring] = []
  private var present: Set<Substring> = []
  private var names: Set<String> = []
  private var groups: Set<String> = []
  private let several: Set<String>

  /// Begins with a card; of what `several` names, each line of the others is another one.
  package init(_ card: String, several: Set<String> = []) {
    self.several = several
    for line in card.split(separator: "\n") { add(line) }
  }

  /// The lines.
  ///
  /// - Complexity: O(lines).
  package var text: String { lines.joined(separator: "\n") }

  /// Takes the lines of another card; a group goes as a whole.
  ///
  /// - Returns: what is left of it.
  /// - Complexity: O(lines of the other card).
  package mutating func take(_ card: String) -> String {
    let others = card.split(separator: "\n").map { (line: $0, of: CardLines.name(of: $0)) }
    // A label says nothing of its own.
    let known = others.filter { names.contains($0.of.name) && $0.of.name != "X-ABLABEL" }
    let taken = groups.union(known.map(\.of.group))
    let different = Set(others.filter { !present.contains($0.line) }.map(\.of.group))
    var new: [Substring] = []
    var left: [Substring] = []
    for (line, (group, name)) in others {
      if group.isEmpty {
        guard !present.contains(line) else { continue }
        names.contains(name) ? left.append(line) : new.append(line)
      } else if different.contains(group) {
        taken.contains(group) ? left.append(line) : new.append(line)
      }
    }
    for line in new { add(line) }
    return left.joined(separator: "\n")
  }

  private mutating func add(_ line: Substring) {
    let (group, name) = CardLines.name(of: line)
    lines.append(line)
    present.insert(line)
    if !several.contains(name) { names.insert(name) }
    if !group.isEmpty { groups.insert(group) }
  }
}
