package import CustomerStore
internal import CustomersTerminalText

/// Describes a step of the history for people.
package struct StepPresenter: Sendable {
  package let step: HistoryStep
  package let outcome: EditOutcome

  package init(step: HistoryStep, outcome: EditOutcome) { (self.step, self.outcome) = (step, outcome) }

  /// The program and the action: `customers move`.
  package var command: String { step.command }

  /// The changes, in one line.
  package var summary: String {
    if step.editCount == 0 { return "Repaired the numbering." }
    return presenter.sentence ?? "Nothing was changed."
  }

  /// The changes, a line each.
  package var changes: [String] { presenter.lines }

  package var presenter: TextPresenter { TextPresenter(outcome, isUndo: step.kind == .undo) }

  /// The effect of undoing or redoing the step: `Undid move: moved "D" 1 → 4`.
  package func reverted(_ verb: Verb, isDryRun: Bool) -> String {
    let action = step.action.isEmpty ? "step \(step.id)" : printable(step.action)
    let person = step.isOfAnotherPerson ? step.person.map { " by \(printable($0))" } ?? "" : ""
    let summary = TextPresenter(outcome, isDryRun: isDryRun, isUndo: verb == .undo).summary
    return Sentence(verb, "\(action)\(person): \(summary.isEmpty ? "nothing changed" : summary)")
      .text(isDryRun: isDryRun)
  }
}

extension HistoryStep {
  /// The program and the action: `customers move`, and whether it was undone.
  package var command: String {
    let words = [program, action].filter { !$0.isEmpty }.map(printable)
    let mark =
      switch (kind, state) {
      case (.edit, .done): ""
      case (.edit, .undone): " (undone)"
      case (.edit, .dropped): " (undone, no redo)"
      case (.undo, _): " (undo)"
      case (.redo, _): " (redo)"
      }
    return (words.isEmpty ? "another program" : words.joined(separator: " ")) + mark
  }

  /// The user who made it, if known: `ann@desk`.
  package var person: String? { user.isEmpty ? nil : host.isEmpty ? user : "\(user)@\(host)" }

  /// Whether someone other than the current user made it; unknown for other clients.
  package var isOfAnotherPerson: Bool {
    let own = CustomerStore.Options()
    return !user.isEmpty && (user, host) != (own.user, own.host)
  }
}
