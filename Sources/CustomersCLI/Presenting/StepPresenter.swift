internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

/// Describes a step of the history for a person.
struct StepPresenter {
  let step: HistoryStep
  let outcome: EditOutcome

  /// The program and the action: `customers move`.
  var command: String {
    let words = [step.program, step.action].filter { !$0.isEmpty }.map(printable)
    let mark =
      switch (step.kind, step.state) {
      case (.edit, .done): ""
      case (.edit, .undone): " (undone)"
      case (.edit, .dropped): " (undone for good)"
      case (.undo, _): " (undo)"
      case (.redo, _): " (redo)"
      }
    return (words.isEmpty ? "another program" : words.joined(separator: " ")) + mark
  }

  /// The changes, in one line.
  var summary: String {
    if step.editCount == 0 { return "Repaired the numbering." }
    return presenter.sentence ?? "No change."
  }

  /// The changes, a line each.
  var changes: [String] { presenter.lines }

  private var presenter: TextPresenter { TextPresenter(outcome, isUndo: step.kind == .undo) }

  /// All details of it.
  var lines: [String] {
    let who = step.person.map { "by \(printable($0))" } ?? ""
    let facts = ["Step \(step.id)", localTime(step.time), command, who].filter { !$0.isEmpty }
    let lines = step.editCount == 0 ? [summary] : presenter.detailedLines
    return [facts.joined(separator: "  ")] + lines.map { "  " + $0 }
  }

  /// The step for a program; with `isDetailed`, each customer that changed as it was before, too.
  func json(isDetailed: Bool = false) -> JSON {
    JSONShapes.step.json((step, isDetailed ? outcome : outcome.brief))
  }

  /// The effect of undoing or redoing the step: `Undid move: moved "D" 1 → 4`.
  func reverted(_ verb: Verb, isDryRun: Bool) -> String {
    let action = step.action.isEmpty ? "step \(step.id)" : printable(step.action)
    let person = step.isOfAnotherPerson ? step.person.map { " by \(printable($0))" } ?? "" : ""
    let summary = TextPresenter(outcome, isDryRun: isDryRun, isUndo: verb == .undo).summary
    return Sentence(verb, "\(action)\(person): \(summary.isEmpty ? "nothing changed" : summary)")
      .text(isDryRun: isDryRun)
  }
}

extension HistoryStep {
  /// This program, in every step that it makes.
  static let ownProgram = "customers"

  /// The person who made it, if known: `ann@desk`.
  var person: String? { user.isEmpty ? nil : host.isEmpty ? user : "\(user)@\(host)" }

  /// Whether someone other than the current user made it; unknown for other clients.
  var isOfAnotherPerson: Bool {
    let own = CustomerStore.Options()
    return !user.isEmpty && (user, host) != (own.user, own.host)
  }

  /// Who made it, if not the current user with this program.
  var stranger: String? {
    if isOfAnotherPerson { return person }
    guard program != HistoryStep.ownProgram else { return nil }
    return program.isEmpty ? "another program" : program
  }
}
