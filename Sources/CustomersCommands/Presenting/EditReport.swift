internal import CustomerStore
internal import CustomersText

struct EditReport: Report {
  let edit: ListEdit
  let outcome: EditOutcome
  /// The command, such as `section delete`.
  let action: String
  /// The number of protected rows that a sort left where they are.
  let fixedCount: Int
  private(set) var notes: [String] = []

  init(_ edit: ListEdit, _ outcome: EditOutcome, action: String, in list: borrowing CustomerList) throws {
    (self.edit, self.outcome, self.action) = (edit, outcome, action)
    if case .sort(_, let section) = edit {
      fixedCount = try list.fixedCount(in: section)
    } else {
      fixedCount = 0
    }
  }

  /// The report of a command, with what the caller may not expect of the edit.
  init(
    _ edit: ListEdit, _ outcome: EditOutcome, of invocation: Invocation, in list: borrowing CustomerList
  ) throws {
    try self.init(edit, outcome, action: invocation.action, in: list)
    let words = invocation[GlobalOptions.yes] ? [] : try edit.wordsForDays(in: list, today: invocation.today)
    notes = words + (edit.noteOnColumn.map { [$0] } ?? [])
  }

  func text(isDryRun: Bool) -> TextReport {
    var report = TextPresenter(outcome, isDryRun: isDryRun).report(of: edit)
    if edit.isOfNoRow {
      let reason = action == "merge" ? "There are no exact duplicates" : "No customers match"
      report.remark = "\(reason); nothing was changed."
    }
    if fixedCount > 0 {
      let stayed =
        fixedCount == 1
        ? "1 protected row stays where it is." : "\(fixedCount) protected rows stay where they are."
      report.remark = [report.remark, stayed].compactMap(\.self).joined(separator: "\n")
    }
    return report
  }

  var json: [(String, JSON)] { OutcomeReport(action: action, outcome: outcome).json }
}

/// What a command has changed otherwise than by one edit.
struct OutcomeReport: Report {
  /// The command, such as `config`.
  let action: String
  let outcome: EditOutcome
  /// The step that was undone, and no other, if one was.
  var undone: HistoryStep.ID?

  func text(isDryRun: Bool) -> TextReport {
    guard !outcome.isEmpty else { return TextReport(lines: [], remark: "Nothing was changed.") }
    let heading = undone.map { "\(isDryRun ? "Would undo" : "Undid") step \($0) only:" }
    return TextReport(
      lines: (heading.map { [$0] } ?? []) + TextPresenter(outcome, isDryRun: isDryRun).report)
  }

  var json: [(String, JSON)] { [("op", .string(action))] + OutcomeReport.members(outcome) }

  /// The changes, for a program.
  static func members(_ outcome: EditOutcome) -> [(String, JSON)] {
    [("changes", JSONShapes.changes(outcome.brief))]
      + (JSONShapes.omitted(outcome).map { [("omitted", $0)] } ?? [])
  }
}

extension TextPresenter {
  /// The lines of an edit that a command made, even if it changed nothing, and the remark for that case.
  fileprivate func report(of edit: ListEdit) -> TextReport {
    switch edit {
    case .sort:
      guard !outcome.isEmpty else {
        return TextReport(lines: [], remark: "The rows are already in this order; nothing was changed.")
      }
      let moved = "\(counted(sortedCount(edit), "row")), moving \(outcome.rows.count + outcome.rest.rows)"
      return TextReport(lines: [Sentence(.sort, moved).text(isDryRun: isDryRun)])
    case .move, .moveBy: return TextReport(lines: report + (unmoved.map { [$0] } ?? []))
    case .merge(let ids):
      guard let target = outcome.rows.first(where: { $0.id == ids.first }) else { break }
      return TextReport(lines: mergeLines(into: target))
    case .protect: return TextReport(lines: report + (sameRights.map { [$0] } ?? []))
    default: break
    }
    return TextReport(lines: report, remark: outcome.isEmpty ? "Nothing was changed." : nil)
  }

  /// The customers that became one and what the one got from them.
  private func mergeLines(into target: EditOutcome.Row) -> [String] {
    func named(_ row: EditOutcome.Row) -> String {
      "\(row.title) (row \(row.from.map(outcome.before.position) ?? 0))"
    }
    let merged = outcome.rows.filter { $0.to == nil }.map {
      Sentence(.merge, "\(named($0)) into \(named(target))").text(isDryRun: isDryRun)
    }
    let others = outcome.changes.filter { if case .row(.delete, _) = $0 { false } else { true } }
    return TextPresenter.cut(merged + others.compactMap { sentence($0)?.text(isDryRun: isDryRun) })
  }

  private func sortedCount(_ edit: ListEdit) -> Int {
    guard case .sort(_, let section?) = edit else { return outcome.after.count }
    return outcome.after.section(section)?.count ?? 0
  }
}

/// The report of a command that changed something, or in a dry run would have; only one of the two is made.
protocol Report: Sendable {
  /// For a person.
  func text(isDryRun: Bool) -> TextReport
  /// For a program: the members of its object.
  var json: [(String, JSON)] { get }
  /// What one may not expect of it, on standard error.
  var notes: [String] { get }
}

extension Report {
  var notes: [String] { [] }
}

/// The lines of a report for people.
struct TextReport: Sendable {
  /// Further lines for a dry run.
  var preview: [String] = []
  /// The result or in a dry run the expected result.
  var lines: [String]
  /// A remark, on standard error.
  var remark: String?
}

/// Rows or sections that a user may have meant.
enum Candidates {
  private static let shape = JSONShape<(id: Int64, name: String, number: Int)>(
    "candidate", "A row or section that may have been meant.",
    [
      .always("id", .number, "its id") { .int(Int($0.id)) },
      .always("name", .text, "the customer's name or the section's title") { .string($0.name) },
      .always("position", .number, "its number in the whole list or among the sections") { .int($0.number) },
    ])

  static var type: JSONObjectType { shape.type }

  static func json(_ match: SelectionError.Match) -> JSON {
    shape.json((match.id.rawValue, match.name, match.position))
  }

  static func json(_ section: CustomerSection) -> JSON {
    shape.json((section.id.rawValue, section.title, section.order))
  }
}

extension Session {
  /// Makes the requested edit in one transaction, like `write`, and reports what it changed.
  ///
  /// - Throws: a `Guess` if a row or section was named by only a part of a name, unless `isSure`; nothing is
  ///   changed. If no one can be asked, no such row is found.
  func edit(creating: Bool, isSure: Bool = false, _ request: EditRequest) throws {
    try report(creating: creating) { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      guard let edit = try request(resolver, list) else { return nil }
      if options.saysYes { try tell(resolver.skipped) } else { try resolver.refuseSkipped() }
      guard isSure || resolver.guesses.isEmpty else {
        throw Guess(preview: try Preview(edit, resolver, in: &list))
      }
      do {
        let outcome = try list.apply(edit, to: resolver.takeFound(), listing: changesToReport(edit))
        return try EditReport(edit, outcome, of: invocation, in: list)
      } catch {
        throw resolver.naming(error, in: list)
      }
    }
  }

  /// The number of changes of an edit that its report describes; it counts the others.
  private func changesToReport(_ edit: ListEdit) throws -> Int {
    // The lines of a merge begin with the customers that became one.
    if case .merge = edit { return .max }
    return try format() == .json ? .max : TextPresenter.needed
  }

  /// Makes an edit that the user has confirmed, and reports what it changed.
  ///
  /// Its rows are named by id, because they may have shifted. The `request` may refuse the edit.
  ///
  /// - Throws: `StaleConfirmation` if it would not do what was shown; nothing is changed.
  func edit(_ confirmed: ConfirmedEdit, creating: Bool, ifAllowedBy request: EditRequest = { _, _ in nil })
    throws
  {
    try report(creating: creating) { list in
      _ = try request(RowResolver(list), list)
      let outcome = try list.apply(confirmed)
      return try EditReport(confirmed.edit, outcome, of: invocation, in: list)
    }
  }
}

/// The outcome of a dry run.
struct Preview: Sendable {
  /// The edit, to be made if the user confirms it.
  var confirmed: ConfirmedEdit
  /// The rows that were named, as they were before the edit, and what was found by only a part of a name.
  var found: FoundRows
  var guesses: [RowResolver.Guess]

  var edit: ListEdit { confirmed.edit }
  var outcome: EditOutcome { confirmed.outcome }

  init(_ edit: ListEdit, _ resolver: RowResolver, in list: inout CustomerList) throws {
    do { confirmed = try list.propose(edit) } catch { throw resolver.naming(error, in: list) }
    (found, guesses) = (resolver.found, resolver.guesses)
  }
}

extension Session {
  /// The outcome that the requested edit would have; nil without an edit.
  func preview(_ request: EditRequest, mayBeMissing: Bool = false) throws -> Preview? {
    try dryRun(openStore(creating: false, mayBeMissing: mayBeMissing)) { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      return try request(resolver, list).map { edit in
        try resolver.refuseSkipped()
        return try Preview(edit, resolver, in: &list)
      }
    }
  }
}

extension Session {
  /// Makes the edits of `body` in one transaction, like `write`, and reports the result.
  func report(creating: Bool, _ body: (inout CustomerList) throws -> (any Report)?) throws {
    let (report, step) = try write(creating: creating) { list in
      (try body(&list), try list.currentStep()?.id)
    }
    guard let report else { return }
    defer { if !isQuiet { for note in report.notes { try? writeAside("note: \(note)") } } }
    guard try format() != .json else {
      return try answer(report.json + (isDryRun ? [] : step.map { [("undo", .int(Int($0)))] } ?? []))
    }
    let text = report.text(isDryRun: isDryRun)
    if isDryRun, !isQuiet { for line in text.preview { try output.write(line + "\n") } }
    try tell(text.lines)
    if let remark = text.remark, !isQuiet { try writeAside(remark) }
  }

  /// Reports the result to a program.
  func answer(_ json: [(String, JSON)]) throws {
    let dryRun: [(String, JSON)] = isDryRun ? [("dry_run", .bool(true))] : []
    try output.write(JSON.object(json + dryRun).text + "\n")
  }

  /// Reports the result of a command to a program, or to a person as `inWords` does.
  func answer(
    _ command: String, _ members: [(String, JSON)] = [], inWords: () throws -> Void = {}
  ) throws {
    guard try format() == .json else { return try inWords() }
    try answer([("op", .string(command))] + members)
  }

  /// Reports the result to a person.
  func tell(_ lines: [String]) throws {
    // The report of a dry run is its result, so it is printed even with --quiet.
    guard !isQuiet || isDryRun else { return }
    for line in lines { try output.write(line + "\n") }
  }

  /// The same, for one sentence.
  func tell(_ sentence: Sentence) throws { try tell([sentence.text(isDryRun: isDryRun)]) }
}

/// A step of the history as the commands print it.
extension StepPresenter {
  /// All details of it.
  var lines: [String] {
    let who = step.author.map { "by \(printable($0))" } ?? ""
    let facts = ["Step \(step.id)", localTime(step.time), command, who].filter { !$0.isEmpty }
    let lines = step.editCount == 0 ? [summary] : presenter.detailedLines
    return [facts.joined(separator: "  ")] + lines.map { "  " + $0 }
  }

  /// The step for a program; with `isDetailed`, each customer that changed as it was before, too.
  func json(isDetailed: Bool = false) -> JSON {
    JSONShapes.step.json((step, isDetailed ? outcome : outcome.brief))
  }
}

extension HistoryStep {
  /// This program, in every step that it makes.
  static let ownProgram = "customers"
  /// The same, for what is done in a browser.
  static let webProgram = "\(ownProgram) web"
  /// The same, for what an assistant does.
  static let assistantProgram = "\(ownProgram) mcp"

  /// Who made it, if not the current user with this program.
  var stranger: String? {
    if isOfAnotherPerson { return author }
    guard ![HistoryStep.ownProgram, HistoryStep.webProgram].contains(program) else { return nil }
    return program.isEmpty ? "another program" : program
  }
}
