internal import CustomerStore

extension Outline {
  /// The section that a person names: by `@id`, by its whole title, by number among the sections, or by
  /// the beginning or any part of a title that only one has.
  func section(titled text: String) throws -> CustomerSection {
    try Failure.attributing(text) { try find(text) }
  }

  private func find(_ text: String) throws -> CustomerSection {
    // Int64 and Int would take a plus sign too.
    if text.hasPrefix("@"), Invocation.isNumber(String(text.dropFirst())), let id = Int64(text.dropFirst()),
      let found = sections.first(where: { $0.id.rawValue == id })
    {
      return found
    }
    if let found = try section(text, whose: { $0 == $1 }) { return found }
    // Before a part of a title: the list of sections shows the number, and a 2 may stand in any title.
    if Invocation.isNumber(text), let order = Int(text), order >= 1, order <= sections.count {
      return sections[order - 1]
    }
    if let found = try section(text, whose: { $0.hasPrefix($1) }) { return found }
    if let found = try section(text, whose: { $0.contains($1) }) { return found }
    let near = nearest(to: text, among: sections.map(\.title).filter { !$0.isEmpty }, areNames: true)
    throw Failure.notFound(
      "no section matches \(quoted(text))",
      hint: near.map { "close: \(quoted($0))" } ?? "customers section list shows them")
  }

  /// The only section whose title fits the text, capital letters or not.
  ///
  /// - Throws: a `Failure` with code `notFound` if several do.
  private func section(_ text: String, whose fits: (_ title: String, String) -> Bool) throws
    -> CustomerSection?
  {
    let wanted = text.lowercased()
    let found = sections.filter { !wanted.isEmpty && fits($0.title.lowercased(), wanted) }
    guard found.count > 1 else { return found.first }
    throw Failure.notFound(
      "\(found.count) sections match \(quoted(text))",
      details: found.map { "     \($0.order)  @\($0.id.rawValue)  \(printable($0.title))" },
      hint: "name one by id, e.g. @\(found[0].id.rawValue)")
  }
}
