internal import CustomersText

/// Describes for people what an edit changed, or in a dry run would change.
///
/// Row numbers are those of the whole list, before and after the edit; for a row that changes its section,
/// both sections are named.
package struct TextPresenter {
  /// The number of changes that a report lists; the others are counted.
  private static let most = 20
  /// The number of changes that a report needs to know.
  package static let needed = most + 1

  package let outcome: EditOutcome
  package var isDryRun = false
  /// What came into the list: an undo restores rows and sections that were deleted.
  let addition: Verb

  package init(_ outcome: EditOutcome, isDryRun: Bool = false, isUndo: Bool = false) {
    (self.outcome, self.isDryRun) = (outcome, isDryRun)
    addition = isUndo ? .restore : .add
  }

  /// One line per change.
  package var lines: [String] { sentences.map { $0.text(isDryRun: isDryRun) } }

  /// The lines of a report and the number of further changes.
  package var report: [String] {
    let counted = countedSentences
    return TextPresenter.cut(
      counted.map { $0.sentence.text(isDryRun: isDryRun) }, of: counted.map(\.rows), and: outcome.rest.changes
    )
  }

  /// The first lines of a report and the number of further ones.
  package static func cut(_ lines: [String], of rows: [Int] = [], and more: Int = 0) -> [String] {
    cut(lines, of: rows, and: more, to: most) { "\(rest.start)\($0)\(rest.end)" }
  }

  /// The last line of a report that was cut.
  private static let rest = (start: "… and ", end: " more changes.")

  /// The first line of a report, with a heading before it, and the number of further changes.
  package static func inOneLine(_ report: [String]) -> String {
    let heading = report.count > 1 && report[0].hasSuffix(":") ? 1 : 0
    let lines = report.dropFirst(heading)
    var count = lines.count - 1
    if count > 0, let last = lines.last, last.hasPrefix(rest.start), last.hasSuffix(rest.end),
      let others = Int(last.dropFirst(rest.start.count).dropLast(rest.end.count))
    {
      count += others - 1
    }
    let more = count > 0 ? ["(and \(count) more)"] : []
    return (report.prefix(heading) + lines.prefix(1) + more).joined(separator: " ")
  }

  /// What is said of rows that an edit named and did not change; nil if there are none.
  ///
  /// The words are for one row, given its number, and for several.
  package func unchanged(
    _ isDifferent: KeyPath<EditOutcome.Row, Bool>, _ others: KeyPath<EditOutcome.Rest, Int>,
    _ one: (Int) -> String, _ several: String
  ) -> String? {
    let rows = outcome.rows.filter { !$0[keyPath: isDifferent] }
    let count = rows.count + outcome.rest[keyPath: others]
    guard let row = rows.first, count == 1 else {
      return count == 0 ? nil : "\(counted(count, "row")) \(several)."
    }
    return "\(row.title)\(one(row.to.map(outcome.after.position) ?? 0))."
  }

  /// What is said of rows that a move left where they are; nil if there are none.
  package var unmoved: String? {
    unchanged(\.isMoved, \.unmoved, { " is already at \($0)" }, "are already in place")
  }

  /// Shortens a list of lines and counts the rest: the rows of each line, or 1.
  static func cut(
    _ lines: [String], of rows: [Int], and more: Int = 0, to most: Int, _ rest: (Int) -> String
  ) -> [String] {
    // A count of 1 would take as much space as the line.
    guard lines.count + more > most + 1 else { return lines }
    let others = rows.isEmpty ? max(0, lines.count - most) : rows.dropFirst(most).reduce(0, +)
    return lines.prefix(most) + [rest(others + more)]
  }
}

/// `1 row`, `2 rows`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// `a, b, or c`.
package func listed(_ words: [String], _ conjunction: String = "or") -> String {
  words.count < 2
    ? words.joined()
    : words.count == 2
      ? "\(words[0]) \(conjunction) \(words[1])"
      : "\(words.dropLast().joined(separator: ", ")), \(conjunction) \(words[words.count - 1])"
}

extension Customer {
  /// The actions that the customer is protected from.
  package var prohibitions: [String] {
    (canEdit ? [] : ["editing", "deleting"]) + (canMove ? [] : ["moving"])
  }

  /// As in "protected against editing, deleting, and moving".
  package var protection: String { "against \(listed(prohibitions, "and"))" }
}

/// The sentences for each change.
extension TextPresenter {
  package var sentences: [Sentence] { countedSentences.map(\.sentence) }

  /// Each sentence, and how many rows it is about.
  private var countedSentences: [(sentence: Sentence, rows: Int)] {
    outcome.changes.compactMap { change in
      sentence(change).map { sentence in
        if case .rows(_, let run) = change { (sentence, run.count) } else { (sentence, 1) }
      }
    } + omitted.map { ($0, outcome.omitted) }
  }

  /// A sentence for the changes that are only counted.
  var omitted: [Sentence] {
    guard outcome.omitted > 0 else { return [] }
    return [Sentence(.make, counted(outcome.omitted, outcome.changes.isEmpty ? "change" : "more change"))]
  }

  package func sentence(_ change: Change) -> Sentence? {
    switch change {
    case .row(let operation, let row): outcome.comesWithSection(row) ? nil : sentence(operation, row)
    case .rows(_, let run): sentence(run)
    case .section(let operation, let section): sentence(operation, section)
    case .column(let column): sentence(column)
    case .entry(_, let entry): sentence(entry)
    }
  }

  func sentence(_ operation: Change.Operation, _ row: EditOutcome.Row) -> Sentence {
    let from = row.from.map(outcome.before.position) ?? 0
    let to = row.to.map(outcome.after.position) ?? 0
    switch operation {
    case .add: return Sentence(addition, "\(row.title) as row \(to)")
    case .delete: return Sentence(.delete, "\(row.title), row \(from)")
    case .move where row.from?.section != row.to?.section:
      let places = (path(row.from, outcome.before), path(row.to, outcome.after))
      return Sentence(.move, "\(row.title) \(places.0) → \(places.1)")
    // Others have come and gone around it.
    case .move where from == to: return Sentence(.move, "\(row.title) to row \(to)")
    case .move: return Sentence(.move, "\(row.title) \(from) → \(to)")
    case .edit: return Sentence(.edit, "\(row.title), row \(to): \(row.fieldsInSentence)")
    case .protect:
      guard !row.customer.prohibitions.isEmpty else { return Sentence(.unprotect, "\(row.title), row \(to)") }
      return Sentence(.protect, "\(row.title), row \(to), \(row.customer.protection)")
    case .log: return sentence(row.lines, of: "\(row.title), row \(to)")
    }
  }

  private func sentence(_ lines: [EditOutcome.Line], of row: String) -> Sentence {
    func shown(_ line: LogLine) -> String { quoted(CustomersText.cut(line.text, to: 60)) }
    guard lines.count == 1 else { return Sentence(.change, "\(lines.count) lines in the log of \(row)") }
    return switch (lines[0].before, lines[0].after) {
    case (nil, let line?) where addition == .add: Sentence(.log, "\(shown(line)) for \(row)")
    case (nil, let line?): Sentence(addition, "\(shown(line)) in the log of \(row)")
    case (let line?, nil): Sentence(.delete, "\(shown(line)) from the log of \(row)")
    case (let old?, let line?) where old.customer != line.customer:
      Sentence(.move, "\(shown(line)) to the log of \(row)")
    default: Sentence(.change, "a line in the log of \(row)")
    }
  }

  /// The changes of an undo, in one line: where a row is again, if that is all.
  package var undone: String {
    guard case .row(.move, let row)? = outcome.changes.first, outcome.changes.count == 1,
      outcome.omitted == 0,
      let to = row.to
    else { return summary }
    let place =
      row.from?.section == to.section ? "row \(outcome.after.position(of: to))" : path(to, outcome.after)
    return "\(row.title) \(isDryRun ? "would be" : "is") \(place) again"
  }

  /// A place in the form `Leads/1`.
  func path(_ place: CustomerPlace?, _ outline: ListOutline) -> String {
    guard let place else { return "" }
    return "\(printable(outline.section(place.section)?.title ?? ""))/\(place.order)"
  }

  private func sentence(_ run: EditOutcome.Run) -> Sentence? {
    func range(_ first: Int) -> String { "\(first)–\(first + run.count - 1)" }
    if let to = run.to {
      guard outcome.before.section(to.section) != nil else { return nil }
      let rows = range(outcome.after.position(of: to))
      return Sentence(addition, "\(counted(run.count, "row")) as rows \(rows)")
    }
    guard let from = run.from, outcome.after.section(from.section) != nil else { return nil }
    return Sentence(.delete, "\(counted(run.count, "row")), rows \(range(outcome.before.position(of: from)))")
  }

  private func sentence(_ operation: Change.Operation, _ section: EditOutcome.Section) -> Sentence? {
    guard let shown = section.after ?? section.before else { return nil }
    let name = "section \(quoted(shown.title))"
    let rows = shown.count > 0 ? " with \(counted(shown.count, "row"))" : ""
    switch (operation, section.before, section.after) {
    case (.move, let before?, let after?): return Sentence(.move, "\(name) \(before.order) → \(after.order)")
    case (_, nil, let after?): return Sentence(addition, "\(name)\(rows) as number \(after.order)")
    case (_, _, nil): return Sentence(.delete, "\(name)\(rows)")
    case (_, let before?, let after?):
      guard before.title != after.title else { return Sentence(.change, "the footer of \(name)") }
      let footer = before.footer == after.footer ? "" : " and its footer"
      return Sentence(.rename, "section \(quoted(before.title)) → \(quoted(after.title))\(footer)")
    }
  }

  private func sentence(_ entry: EditOutcome.Entry) -> Sentence? {
    switch (entry.before, entry.after) {
    case (nil, let new?):
      Sentence(addition, new.sentence + (new.shownValue.isEmpty ? "" : ": \(new.shownValue)"))
    case (let old?, nil): Sentence(.delete, old.sentence)
    case (let old?, let new?) where old.name != new.name:
      Sentence(.rename, "\(old.kind.rawValue) \(quoted(old.name)) → \(quoted(new.name))")
    case (let old?, let new?):
      Sentence(
        .change,
        old.sentence
          + (old.shownValue == new.shownValue ? "" : ": \(old.shownValue) → \(new.shownValue)"))
    case (nil, nil): nil
    }
  }

  private func sentence(_ column: EditOutcome.Column) -> Sentence? {
    switch (column.from, column.to) {
    case (let from?, let to?): Sentence(.rename, "column \(quoted(from)) → \(quoted(to))")
    case (let from?, nil): Sentence(.drop, "column \(quoted(from))")
    case (nil, let to?): Sentence(.bringBack, "column \(quoted(to))")
    case (nil, nil): nil
    }
  }
}

extension ListEntry {
  fileprivate var sentence: String {
    "\(kind == .column ? "the kind of column" : kind.rawValue) \(quoted(name))"
  }

  /// The kind of a column, with its choices; the value of a setting.
  fileprivate var shownValue: String {
    switch kind {
    case .column:
      value
        + (choices.isEmpty
          ? "" : " (\(choices.split(separator: "\n").map { String($0).asChoice }.joined(separator: ", ")))")
    case .setting: quoted(value)
    case .person: ""
    }
  }
}

extension EditOutcome.Row {
  /// The quoted name or the id of a customer without one.
  package var title: String { customer.fields.title(id) }

  /// The changed fields that a report names: beside an address, its parts say nothing new.
  var namedFields: [CustomerField] {
    fields.contains(.address) ? fields.filter { $0 != .addressParts } : fields
  }

  /// The changed fields, with the next date, which may have been typed as a word.
  var fieldsInSentence: String {
    namedFields.map { field in
      guard field == .next else { return printable(field.nameInSentence) }
      let day = customer.fields.next
      return printable(field.nameInSentence) + (day.isEmpty ? " cleared" : " \(printable(day))")
    }.joined(separator: ", ")
  }
}

extension CustomerFields {
  /// The quoted name or the id of a customer without one.
  package func title(_ id: CustomerID) -> String { name.isEmpty ? "customer @\(id.rawValue)" : quoted(name) }
}

extension CustomerField {
  /// The name within a sentence: an extra column is written as in the list.
  package var nameInSentence: String { if case .extra(let name) = self { name } else { title.lowercased() } }
}

extension TextPresenter {
  /// One line per change, and below each the old and new values, or the fields of a deleted customer.
  package var detailedLines: [String] {
    outcome.changes.flatMap { change in
      (sentence(change).map { [$0.text(isDryRun: isDryRun)] } ?? []) + details(change).map { "  " + $0 }
    }
      + omitted.map { $0.text(isDryRun: isDryRun) }
  }

  private func details(_ change: Change) -> [String] {
    guard case .row(let operation, let row) = change else { return [] }
    switch operation {
    case .edit:
      guard let before = row.before else { return [] }
      return row.namedFields.flatMap { field in
        guard field == .addressParts else { return [field] }
        let (old, new) = (before.fields, row.customer.fields)
        return AddressPart.allCases.map(CustomerField.part).filter { old[$0] != new[$0] }
      }.map { field in
        let (old, new) = (before.fields[field].text, row.customer.fields[field].text)
        return "\(printable(field.nameInSentence)): \(TextPresenter.shown(old)) → \(TextPresenter.shown(new))"
      }
    case .delete:
      let fields = row.customer.fields
      let known = CustomerField.stored.filter { $0 != .addressParts && fields[$0] != $0.emptyValue }
      return (known + fields.extraColumns.names.map(CustomerField.extra)).map { field in
        "\(printable(field.nameInSentence)): \(printable(fields[field].text))"
      }
    case .log:
      return row.lines.map { line in
        let (old, new) = (line.before?.text ?? "", line.after?.text ?? "")
        let text = "\(TextPresenter.shown(old)) → \(TextPresenter.shown(new))"
        guard let owner = line.before?.customer, let newOwner = line.after?.customer, owner != newOwner else {
          return "log: \(text)"
        }
        return "log of \(title(owner)) → \(title(newOwner)): \(old == new ? TextPresenter.shown(new) : text)"
      }
    case .add, .move, .protect: return []
    }
  }

  /// A customer by name or, if the changes have no row of it, by id.
  private func title(_ customer: CustomerID) -> String {
    outcome.rows.first { $0.id == customer }?.title ?? "@\(customer.rawValue)"
  }

  /// A value beside another one.
  private static func shown(_ text: String) -> String { text.isEmpty ? "(empty)" : quoted(text) }
}

extension EditOutcome {
  /// The outcome without the customers before it.
  package var brief: EditOutcome {
    var outcome = self
    for index in rows.indices { outcome.rows[index].before = nil }
    return outcome
  }
}

/// What a screen says of an edit, in one line.
extension TextPresenter {
  /// What is said of rows whose protection an edit left as they are; nil if there are none.
  package var sameRights: String? {
    unchanged(
      \.hasOtherRights, \.sameRights, { ", row \($0), already has this setting" }, "already have this setting"
    )
  }

  /// What an edit changed or, if it changed nothing, why.
  package func notice(of edit: ListEdit) -> String {
    let unchanged: String? =
      switch edit {
      case .move, .moveBy: unmoved
      case .protect: sameRights
      default: nil
      }
    return sentence ?? unchanged ?? "Nothing was changed."
  }
}

/// Describes a step of the history for people.
package struct StepPresenter: Sendable {
  package let step: HistoryStep
  package let outcome: EditOutcome

  package init(step: HistoryStep, outcome: EditOutcome) { (self.step, self.outcome) = (step, outcome) }

  /// The program and the action: `customers move`.
  package var command: String { step.command }

  /// The changes, in one line.
  package var summary: String {
    if step.action == "repair" { return "Repaired the numbering." }
    return presenter.sentence ?? "Nothing was changed."
  }

  /// The changes, a line each.
  package var changes: [String] { presenter.lines }

  package var presenter: TextPresenter { TextPresenter(outcome, isUndo: step.kind == .undo) }

  /// The effect of undoing or redoing the step: `Undid move: "D" is row 4 again`.
  package func reverted(_ verb: Verb, isDryRun: Bool) -> String {
    let action = step.action.isEmpty ? "step \(step.id)" : printable(step.action)
    let person = step.isOfAnotherPerson ? step.author.map { " by \(printable($0))" } ?? "" : ""
    let presenter = TextPresenter(outcome, isDryRun: isDryRun, isUndo: verb == .undo)
    let summary = verb == .undo ? presenter.undone : presenter.summary
    return Sentence(verb, "\(action)\(person): \(summary.isEmpty ? "nothing changed" : summary)")
      .text(isDryRun: isDryRun)
  }
}

extension HistoryStep {
  /// Whether people see it: an erased history still has one step, so that numbering continues.
  package var isShown: Bool { editCount > 0 || state != .dropped || action == "repair" }

  /// The program and the action: `customers move`, and whether it was undone.
  package var command: String {
    let words = [program, action].filter { !$0.isEmpty }.map(printable)
    let mark =
      switch (kind, state) {
      case (.edit, .done): ""
      // A repair has no edits that could be undone.
      case (.edit, .dropped) where editCount == 0: ""
      case (.edit, .undone): " (undone)"
      case (.edit, .dropped): " (undone, no redo)"
      case (.undo, _): " (undo)"
      case (.redo, _): " (redo)"
      }
    return (words.isEmpty ? "another program" : words.joined(separator: " ")) + mark
  }

  /// Who made it, if known: by a key, or else the account, such as `ann@desk`.
  package var author: String? {
    person.isEmpty ? user.isEmpty ? nil : host.isEmpty ? user : "\(user)@\(host)" : person
  }

  /// Whether someone other than the current user made it; unknown for other clients.
  package var isOfAnotherPerson: Bool {
    let own = CustomerStore.Options()
    return !user.isEmpty && (user, person, host) != (own.user, own.person, own.host)
  }
}
