/// Settings that name a section or columns follow when these get other names.
extension CustomerList {
  /// The settings that name a section.
  private static let ofSections = ["section", "done"]
  /// The settings that name columns, separated by commas.
  private static let ofColumns = ["columns", "sort"]

  /// Gives a section another title, and the settings that name it.
  mutating func rename(_ section: SectionID, title: String?, footer: String?) throws {
    let old = try self.section(section).title
    try renameSection(section, title: title, footer: footer)
    guard let title, title != old else { return }
    let settings = try settings()
    for name in Self.ofSections
    where settings[name] == old && Self.isTitle(old, name) && Self.isTitle(title, name) {
      try set(name, to: title)
    }
  }

  /// Whether a setting means a section by a text: `done` has words of its own.
  package static func isTitle(_ text: String, _ setting: String) -> Bool {
    setting != "done" || text != "last" && text != "stay"
  }

  /// Gives a column another name, by an edit, and the settings that name it.
  mutating func renaming(_ column: String, to newName: String, _ edit: (inout CustomerList) throws -> Void)
    throws
  {
    let old = try settings().filter { Self.ofColumns.contains($0.key) }
    let new =
      try newName.contains(",") ? [:] : old.mapValues { try naming(newName, insteadOf: column, in: $0) }
    try edit(&self)
    for name in Self.ofColumns where new[name] != old[name] { try set(name, to: new[name]) }
  }

  /// The names of a setting, of which those that mean a column become a new one.
  private func naming(_ newName: String, insteadOf column: String, in names: String) throws -> String {
    func isColumn(_ word: String) -> Bool {
      (try? self.column(named: word)) == ListColumn.field(.extra(column))
    }
    var words: [String] = []
    for word in names.split(separator: ",").map({ String($0.trimmingBlanks) }) {
      let reversed = word.hasPrefix("-") && isColumn(String(word.dropFirst()))
      let word = reversed && word != column ? "-\(newName)" : isColumn(word) ? newName : word
      if !words.contains(word) { words.append(word) }
    }
    return words.joined(separator: ",")
  }
}
