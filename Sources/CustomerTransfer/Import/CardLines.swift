internal import CustomerStore

/// Lines of cards, as the extra column `vcard` has them.
enum CardLines {
  /// The lines of a customer whose card is imported again: those of the new card, and the others of what it does not
  /// have at all.
  static func merged(_ old: String, with new: String) -> String {
    let newLines = new.split(separator: "\n")
    let present = Set(newLines)
    let names = Set(newLines.map { name($0).name }).subtracting(["EMAIL", "TEL", "ADR"])
    let groups = Set(newLines.map { name($0).group }).subtracting([""])
    let kept = old.split(separator: "\n").filter { line in
      let (group, name) = name(line)
      return !names.contains(name) && !groups.contains(group) && !present.contains(line)
    }
    return (newLines + kept).joined(separator: "\n")
  }

  /// The group and the name of the property of a line, as in `item1.TEL;TYPE=home:1`.
  private static func name(_ line: Substring) -> (group: String, name: String) {
    let head = line.prefix { $0 != ":" && $0 != ";" }.uppercased().split(separator: ".", maxSplits: 1)
    return (head.count > 1 ? String(head[0]) : "", head.last.map(String.init) ?? "")
  }
}

extension ExtraColumns {
  /// The lines of the card of a customer; empty without one.
  var cardLines: String { columns.first { $0.name == ExtraColumns.card }?.value.text ?? "" }
}
