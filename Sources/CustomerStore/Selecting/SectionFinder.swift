extension ListOutline {
  /// Finds the section that a person names: by `@id`, full title, section number, or an unambiguous beginning
  /// or part of a title; case is ignored.
  package func section(titled text: String) throws(SelectionError) -> CustomerSection {
    if text.hasPrefix("@"), !text.hasPrefix("@-"), let id = wholeNumber(text.dropFirst()),
      let found = sections.first(where: { $0.id.rawValue == id })
    {
      return found
    }
    let wanted = caseFolded(text)
    let titles = sections.map { caseFolded($0.title) }
    if let found = try only(text, titles.map { $0 == wanted }) { return found }
    // Before parts of titles: the list of sections shows the number, and a 2 may be in any title.
    if let order = wholeNumber(text[...]), order >= 1, order <= sections.count { return sections[order - 1] }
    let part = searchFolded(text)
    let plain = sections.map { searchFolded($0.title) }
    if let found = try only(text, plain.map { $0 == part }) { return found }
    if let found = try only(text, plain.map { $0.hasPrefix(part) }) { return found }
    if let found = try only(text, plain.map { $0.contains(part) }) { return found }
    let near = nearest(to: text, among: sections.map(\.title).filter { !$0.isEmpty }, areNames: true)
    throw SelectionError(.noTitle(near: near), text)
  }

  /// The only section that matches; nil if none does.
  private func only(_ text: String, _ fits: [Bool]) throws(SelectionError) -> CustomerSection? {
    let found = text.isEmpty ? [] : zip(sections, fits).filter(\.1).map(\.0)
    guard found.count > 1 else { return found.first }
    throw SelectionError(.severalTitles(found), text)
  }
}
