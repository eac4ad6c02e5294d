internal import CustomerStore

/// Says in lines for a person what an edit changed; row numbers are those of the whole list.
struct TextPresenter {
  private let outcome: EditOutcome

  init(_ outcome: EditOutcome) { self.outcome = outcome }

  /// A line for each change.
  var lines: [String] {
    outcome.sections.compactMap(line) + outcome.rows.flatMap(lines) + outcome.runs.map(line)
      + (outcome.omitted > 0 ? ["Changed the list by \(outcome.omitted) edits."] : [])
  }

  /// The lines of an edit that a command made, also where it changed nothing, and what is said aside then.
  func report(of edit: ListEdit) -> (lines: [String], remark: String?) {
    switch edit {
    case .sort:
      guard !outcome.isEmpty else { return ([], "The rows are in this order already.") }
      return (["Sorted \(rowCount(sortedCount(edit))), \(outcome.rows.count) of them moved."], nil)
    case .move, .moveBy: return (outcome.rows.flatMap { $0.isMoved ? lines($0) : [stay($0)] }, nil)
    case .protect: return (outcome.rows.map(rights), nil)
    case .section where lines.isEmpty: return (outcome.sections.map(unchanged), nil)
    case .section(.delete): return (outcome.sections.compactMap(line), nil)
    default: return (lines, lines.isEmpty ? "Nothing changed." : nil)
    }
  }

  private func sortedCount(_ edit: ListEdit) -> Int {
    guard case .sort(_, let section?) = edit else { return outcome.after.count }
    return outcome.after.sections.first { $0.id == section }?.count ?? 0
  }

  private func lines(_ row: EditOutcome.Row) -> [String] {
    let name = quoted(row.customer.name)
    switch (row.from.map(outcome.before.position), row.to.map(outcome.after.position)) {
    case (nil, let to?): return ["Added \(name) → \(to)."]
    case (let from?, nil): return ["Deleted \(name), row \(from)."]
    case (let from?, let to?):
      let fields = row.fields.map { printable($0.title).lowercased() }.joined(separator: ", ")
      return (row.isMoved ? ["Moved \(name) \(from) → \(to)."] : [])
        + (row.fields.isEmpty ? [] : ["Edited \(name), row \(to): \(fields)."])
        + (row.hasOtherRights ? [rights(row)] : [])
    case (nil, nil): return []
    }
  }

  private func stay(_ row: EditOutcome.Row) -> String {
    "\(quoted(row.customer.name)) is at \(row.to.map(outcome.after.position) ?? 0) already."
  }

  private func rights(_ row: EditOutcome.Row) -> String {
    let prohibitions = row.customer.prohibitions
    let words = prohibitions.isEmpty ? "may be edited and moved" : prohibitions.joined(separator: ", ")
    return "\(quoted(row.customer.name)), row \(row.to.map(outcome.after.position) ?? 0): \(words)."
  }

  private func line(_ run: EditOutcome.Run) -> String {
    func range(_ first: Int) -> String { "\(first)–\(first + run.count - 1)" }
    if let to = run.to { return "Added \(rowCount(run.count)) → \(range(outcome.after.position(of: to)))." }
    let from = run.from.map(outcome.before.position) ?? 0
    return "Deleted \(rowCount(run.count)), rows \(range(from))."
  }

  private func line(_ section: EditOutcome.Section) -> String? {
    switch (section.before, section.after) {
    case (nil, let after?): return "Added section \(quoted(after.title)) → \(after.order)."
    case (let before?, nil):
      let rows = before.count > 0 ? " with \(rowCount(before.count))" : ""
      return "Deleted section \(quoted(before.title))\(rows)."
    case (let before?, let after?) where before.title != after.title || before.footer != after.footer:
      return renamed(before, after)
    case (let before?, let after?) where before.order != after.order:
      return "Moved section \(quoted(after.title)) \(before.order) → \(after.order)."
    default: return nil
    }
  }

  private func renamed(_ before: CustomerSection, _ after: CustomerSection) -> String {
    "Renamed section \(quoted(before.title)) → \(quoted(after.title))."
  }

  private func unchanged(_ section: EditOutcome.Section) -> String {
    "Section \(quoted(section.after?.title ?? "")) is like that already."
  }
}
