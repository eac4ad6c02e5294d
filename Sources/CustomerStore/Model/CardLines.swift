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
  /// The lines of each group, without its name.
  private var contents: Set<Set<Substring>> = []
  private let several: Set<String>

  /// Begins with a card; of what `several` names, each line of the others is another one.
  package init(_ card: String, several: Set<String> = []) {
    self.several = several
    add(card.split(separator: "\n"))
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
    let same = JoinedCard.groups(of: others.map(\.line)).filter { contents.contains($0.value) }
    let different = Set(others.filter { !present.contains($0.line) }.map(\.of.group)).subtracting(same.keys)
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
    add(new)
    return left.joined(separator: "\n")
  }

  /// Takes what no line of it has by name, of lines that `take` left: those of a group come with their label, if the group is
  /// none of this card.
  package mutating func takeUnknown(of left: String) {
    let unknown = left.split(separator: "\n").map { (line: $0, of: CardLines.name(of: $0)) }
      .filter { $0.of.name == "X-ABLABEL" || !names.contains($0.of.name) }
      .filter { $0.of.group.isEmpty || !groups.contains($0.of.group) }
    let labeled = Set(unknown.filter { $0.of.name != "X-ABLABEL" }.map(\.of.group))
    add(unknown.filter { labeled.contains($0.of.group) }.map(\.line))
  }

  private mutating func add(_ new: [Substring]) {
    for line in new {
      let (group, name) = CardLines.name(of: line)
      lines.append(line)
      present.insert(line)
      if !several.contains(name) { names.insert(name) }
      if !group.isEmpty { groups.insert(group) }
    }
    contents.formUnion(JoinedCard.groups(of: new).values)
  }

  /// The lines of each group, without its name.
  private static func groups(of lines: [Substring]) -> [String: Set<Substring>] {
    lines.reduce(into: [:]) { groups, line in
      let group = CardLines.name(of: line).group
      if !group.isEmpty { groups[group, default: []].insert(line.dropFirst(group.count + 1)) }
    }
  }
}
