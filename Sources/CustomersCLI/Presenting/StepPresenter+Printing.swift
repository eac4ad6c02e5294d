internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

/// A step of the history as the commands print it.
extension StepPresenter {
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
}

extension HistoryStep {
  /// This program, in every step that it makes.
  static let ownProgram = "customers"
  /// The same, for what is done in a browser.
  static let webProgram = "\(ownProgram) web"

  /// Who made it, if not the current user with this program.
  var stranger: String? {
    if isOfAnotherPerson { return person }
    guard ![HistoryStep.ownProgram, HistoryStep.webProgram].contains(program) else { return nil }
    return program.isEmpty ? "another program" : program
  }
}
