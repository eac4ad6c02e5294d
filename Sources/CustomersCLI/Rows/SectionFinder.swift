internal import CustomerStore

extension Outline {
  /// The section that a person names: by title (as customers by name), by number among the sections,
  /// or by `@id`.
  func section(titled text: String) throws -> Section {
    try Failure.blaming(text) { try find(text) }
  }

  private func find(_ text: String) throws -> Section {
    // Int64 and Int would take a plus sign too.
    if text.hasPrefix("@"), Invocation.isNumber(String(text.dropFirst())), let id = Int64(text.dropFirst()),
      let found = sections.first(where: { $0.id.rawValue == id })
    {
      return found
    }
    let wanted = text.lowercased()
    let titles = sections.map { (title: $0.title.lowercased(), section: $0) }
    for fits in [{ $0 == wanted }, { $0.hasPrefix(wanted) }, { $0.contains(wanted) }] as [(String) -> Bool] {
      let found = titles.filter { !wanted.isEmpty && fits($0.title) }.map(\.section)
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw ambiguous(text, found) }
    }
    if Invocation.isNumber(text), let order = Int(text), order >= 1, order <= sections.count {
      return sections[order - 1]
    }
    let near = nearest(to: text, among: sections.map(\.title).filter { !$0.isEmpty }, areNames: true)
    throw Failure.notFound(
      "no section matches \(quoted(text))",
      hint: near.map { "close: \(quoted($0))" } ?? "customers section list shows them")
  }

  private func ambiguous(_ text: String, _ found: [Section]) -> Failure {
    .notFound(
      "\(found.count) sections match \(quoted(text))",
      details: found.map { "     \($0.order)  @\($0.id.rawValue)  \(printable($0.title))" },
      hint: "name one by id, e.g. @\(found[0].id.rawValue)")
  }
}
