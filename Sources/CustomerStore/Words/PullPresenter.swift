package import CustomersText

/// Describes for people what a pull did, or would do.
package struct PullPresenter {
  private let summary: PullSummary
  private let file: String
  private let isDryRun: Bool
  private let listsConflicts: Bool

  /// - Parameters:
  ///   - summary: what the pull did.
  ///   - file: the name of the copy.
  ///   - isDryRun: whether it only would do that.
  ///   - listsConflicts: whether the conflicts are among the lines.
  package init(_ summary: PullSummary, of file: String, isDryRun: Bool, listsConflicts: Bool = true) {
    (self.summary, self.file) = (summary, file)
    (self.isDryRun, self.listsConflicts) = (isDryRun, listsConflicts)
  }

  /// A sentence, and what was changed.
  package var lines: [String] {
    guard summary.relation != .same else {
      return ["Nothing new in \(quoted(file)): your list is the same, or later."]
    }
    var lines = [Sentence(.takeIn, steps).text(isDryRun: isDryRun)]
    let counts = [
      (summary.added, Verb.add), (summary.changed, .change), (summary.moved, .move),
      (summary.deleted, .delete),
    ].filter { $0.0 > 0 }.enumerated().map { index, count in
      let verb = isDryRun ? "would \(count.1.infinitive)" : count.1.past.lowercased()
      return "\(index == 0 ? verb.prefix(1).uppercased() + verb.dropFirst() : verb) \(count.0)"
    }
    if !counts.isEmpty { lines.append(counts.joined(separator: ", ") + ".") }
    if let warning = summary.warning { lines.append("note: \(warning)") }
    let others = [
      (summary.sections, "section", "sections"), (summary.lines, "line of a log", "lines of logs"),
      (summary.entries, "column, setting, or person", "columns, settings, or persons"),
    ].filter { $0.0 > 0 }.map { $0 == 1 ? "1 \($1)" : "\($0) \($2)" }
    if !others.isEmpty {
      lines.append(Sentence(.change, listed(others, "and")).text(isDryRun: isDryRun))
    }
    if summary.changesNothing { lines.append("Your list has all of it already.") }
    let conflicts = listsConflicts ? summary.conflicts : []
    if !conflicts.isEmpty {
      lines.append("Both changed \(counted(conflicts.count, "thing")):")
      lines += TextPresenter.cut(conflicts.map { "  \($0.line)" })
    }
    lines += TextPresenter.cut(
      summary.misfits.map { misfit in
        let subject = "note: \(printable(misfit.column)) of \(quoted(misfit.name))"
        if case .either(let one, let other) = TypedNumber(misfit.value), misfit.kind == .number {
          return "\(subject) may be \(one) or \(other), and is \(one) now"
        }
        return "\(subject) is not \(misfit.kind.noun), and stays text: \(printable(misfit.value))"
      })
    return lines
  }

  /// How many steps, when they were made, and by whom.
  private var steps: String {
    let made = summary.steps.filter { $0.editCount > 0 }
    guard let first = made.first else { return quoted(file) }
    let authors = made.compactMap(\.author).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let by = authors.isEmpty || authors.count > 3 ? "" : ", by \(listed(authors.map(printable), "and"))"
    return
      "\(counted(made.count, "step")) made in \(quoted(file)) since \(localTime(first.time))\(by)"
  }
}

extension PullSummary {
  /// What people have to know who take in a copy without a state that both had; nil for any other.
  package var warning: String? {
    guard relation == .unrelated else { return nil }
    return
      "the histories do not tell what the two have in common: no row is deleted, and one may be there twice"
  }

  /// The same for programs.
  package var json: [(String, JSON)] {
    [
      ("relation", .string("\(relation)")), ("steps", .int(steps.count { $0.editCount > 0 })),
      ("added", .int(added)), ("changed", .int(changed)), ("moved", .int(moved)), ("deleted", .int(deleted)),
      ("sections", .int(sections)), ("lines", .int(lines)), ("entries", .int(entries)),
      ("conflicts", .array(conflicts.map { .object($0.json) })), ("misfits", .array(misfits.map(\.json))),
    ]
  }
}

extension PullSummary.Misfit {
  /// The value for a program.
  package var json: JSON {
    .object([
      ("column", .string(column)), ("kind", .string(kind.rawValue)),
      ("id", customer.map { .int(Int($0.rawValue)) } ?? .null), ("name", .string(name)),
      ("value", .string(value)),
    ])
  }
}

extension MergeConflict {
  /// What both changed, in one line.
  package var line: String {
    if [.deletion, .sectionDeletion, .lineDeletion, .entryDeletion].contains(matter) {
      let isOurs = ours == nil
      let what = subject
      let (deleted, changed) = isOurs ? ("here", "there") : ("there", "here")
      let isKept = (winner == .theirs) == isOurs
      return "\(what) was deleted \(deleted), but changed \(changed): \(isKept ? "kept" : "deleted")"
    }
    func side(_ word: String, _ value: String?, _ time: String) -> String? {
      guard matter != .order, matter != .sectionOrder else {
        return time.isEmpty ? nil : "\(word) \(localTime(time))"
      }
      return "\(word) \(shown(value))\(time.isEmpty ? "" : " (\(localTime(time)))")"
    }
    let hidden = hiddenCount
    func shown(_ value: String?) -> String {
      guard let value, !value.isEmpty else { return "nothing" }
      let start = hidden > 0 ? "…" : ""
      return start + cut(printable(String(value.dropFirst(hidden)).replacing("\n", with: ", ")), to: 60)
    }
    let parts = [
      base.map { "was \(shown($0))" }, side("here", ours, ourTime), side("there", theirs, theirTime),
    ].compactMap(\.self)
    let result =
      switch matter {
      case .order, .sectionOrder: winner == .ours ? "that of this list" : "that of the copy"
      default: shown(winner == .ours ? ours : theirs)
      }
    return "\(subject)\(parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")) → \(result)"
  }

  /// The characters at the start that all values share, if these would leave no room for what is different.
  private var hiddenCount: Int {
    let values = [base, ours, theirs].compactMap(\.self).filter { !$0.isEmpty }
    guard let first = values.first, values.count > 1 else { return 0 }
    let shared = values.dropFirst().map { zip(first, $0).prefix { $0 == $1 }.count }.min() ?? 0
    return shared > 40 ? shared - 20 : 0
  }

  private var subject: String {
    switch matter {
    case .value(let column): "\(printable(named(column))) of \(quoted(name))"
    case .section(let column): "\(column) of section \(quoted(name))"
    case .line, .lineDeletion: "a line of the log of \(quoted(name))"
    case .place: "place of \(quoted(name))"
    case .sectionPlace: "place of section \(quoted(name))"
    case .order: "order of section \(quoted(name))"
    case .sectionOrder: "order of the sections"
    case .entry, .entryDeletion: printable(name)
    case .deletion: quoted(name)
    case .sectionDeletion: "section \(quoted(name))"
    }
  }

  /// A column as people call it.
  private func named(_ column: String) -> String {
    CustomerField(column: column)?.title.lowercased()
      ?? String(column.trimmingPrefix("extra.")).replacing("_", with: " ")
  }

  /// The same for programs.
  package var json: [(String, JSON)] {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    let (kind, column): (String, String?) =
      switch matter {
      case .value(let column): ("value", column)
      case .section(let column): ("section", column)
      case .line: ("line", nil)
      case .place: ("place", nil)
      case .sectionPlace: ("section place", nil)
      case .order: ("order", nil)
      case .sectionOrder: ("section order", nil)
      case .deletion: ("deletion", nil)
      case .sectionDeletion: ("section deletion", nil)
      case .lineDeletion: ("line deletion", nil)
      case .entry(let column): ("entry", column)
      case .entryDeletion: ("entry deletion", nil)
      }
    return [
      ("kind", .string(kind)), ("column", text(column)),
      ("id", customer.map { .int(Int($0.rawValue)) } ?? .null),
      ("name", .string(name)), ("base", text(base)), ("ours", text(ours)), ("theirs", text(theirs)),
      ("ours_at", text(ourTime.isEmpty ? nil : ourTime)),
      ("theirs_at", text(theirTime.isEmpty ? nil : theirTime)),
      ("winner", .string(winner.rawValue)),
    ]
  }
}
