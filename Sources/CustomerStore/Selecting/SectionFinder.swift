extension ListOutline {
  /// The section that a user names: by `@id`, title, or section number, or by a part of a title that fits no
  /// other one as well.
  ///
  /// The least fit that is enough is `limit`: `part` to look at the section, `words` to change it.
  ///
  /// - Throws: `SelectionError`.
  package func section(
    titled text: String, upTo limit: Name.Fit
  ) throws(SelectionError) -> CustomerSection { try found(text, upTo: limit).section }

  /// The section and how well the name fits its title.
  func found(
    _ text: String, upTo limit: Name.Fit
  ) throws(SelectionError) -> (section: CustomerSection, fit: Name.Fit) {
    if text.hasPrefix("@"), !text.hasPrefix("@-"), let id = wholeNumber(text.dropFirst()),
      let found = sections.first(where: { $0.id.rawValue == id })
    {
      return (found, .exact)
    }
    let best = Name(text).best(of: sections, upTo: .part) { [$0.title] }
    // The list of sections shows the number, and a 2 may be in any title.
    if best?.fit != .exact, let order = wholeNumber(text[...]), order >= 1, order <= sections.count {
      return (sections[order - 1], .exact)
    }
    guard let best else {
      let near = nearest(to: text, among: sections.map(\.title).filter { !$0.isEmpty }, areNames: true)
      throw SelectionError(.noTitle(near: near), text)
    }
    guard best.elements.count == 1 else { throw SelectionError(.severalTitles(best.elements), text) }
    guard best.fit <= limit else { throw SelectionError(.onlyPartOfTitle(best.elements[0]), text) }
    return (best.elements[0], best.fit)
  }
}
