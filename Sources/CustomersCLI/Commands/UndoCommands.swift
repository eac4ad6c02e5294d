internal import CustomerStore
internal import CustomersWording
internal import CustomersFormats
internal import CustomersTerminalText

extension Command {
  static let undo = Command(
    name: "undo", summary: "undo the last step, whichever program made it",
    description: ["You confirm if someone else or another program made the step."],
    options: Reverting.undo.options,
    examples: [
      CommandExample("Undo the last step:", "customers undo"),
      CommandExample("Show what would be undone:", "customers undo -n"),
      CommandExample(
        "Go back to the list as it was after step 1:", "customers move 5 2\ncustomers undo --to 1"),
    ],
    seeAlso: ["redo", "history"], rewritesMuch: true,
    run: { session in try session.revert(.undo) })

  static let redo = Command(
    name: "redo", summary: "redo what was undone",
    description: ["You can redo what was undone until the next edit."],
    options: Reverting.redo.options,
    examples: [
      CommandExample("Redo what was undone:", "customers undo\ncustomers redo"),
      CommandExample("Redo three steps:", "customers redo --steps 3"),
    ],
    seeAlso: ["undo", "history"], rewritesMuch: true,
    run: { session in try session.revert(.redo) })
}

/// Undo or redo.
private enum Reverting {
  case undo, redo

  var name: String { self == .undo ? "undo" : "redo" }
  private var opposite: String { self == .undo ? "customers redo" : "customers undo" }

  private var count: Option<Int?> { .value("--steps", .count("K"), "\(name) K steps") }

  private var goal: Option<Int?> {
    let help = self == .undo ? "go back to the list as it was after STEP (0: the start)" : "redo up to STEP"
    return .value("--to", .number("STEP"), help)
  }

  var options: [OptionGroup] { [.oneOf([count, goal])] }

  /// The next step to revert; nil if there is none.
  private func next(_ list: borrowing CustomerList) throws -> HistoryStep? {
    try self == .undo ? list.undoable() : list.redoable()
  }

  /// Reverts the requested steps, one after another.
  ///
  /// - Throws: a `Failure` if `--to` names an impossible step.
  func perform(_ invocation: Invocation, on list: inout CustomerList) throws -> [StepPresenter] {
    let goal = invocation[goal]
    let count = goal == nil ? invocation[count] ?? 1 : .max
    guard count > 0 else {
      throw Failure.usage("\(self.count.name) must be 1 or more, not 0", offendingArgument: "0")
    }
    var steps: [StepPresenter] = []
    var isThere = goal == nil || (goal == 0 && self == .undo)
    while steps.count < count, let step = try next(list) {
      if let goal, step.id == goal { isThere = true }
      // Undo stops before the step, redo after it.
      if self == .undo, step.id == goal ?? 0 { break }
      if let made = try perform(step, on: &list) { steps.append(made) }
      if let goal, step.id == goal { break }
    }
    guard isThere else {
      throw Failure.notFound(
        "there is no \(self == .undo ? "step" : "undone step") \(goal ?? 0)",
        hint: "to list the steps: customers history")
    }
    return steps
  }

  func perform(_ step: HistoryStep, on list: inout CustomerList) throws -> StepPresenter? {
    let limit = 10_000
    let reverted =
      try self == .undo
      ? list.undo(expecting: step, limit: limit) : list.redo(expecting: step, limit: limit)
    return reverted.map { StepPresenter(step: $0.step, outcome: $0.outcome) }
  }

  func lines(_ steps: [StepPresenter], isDryRun: Bool) -> [String] {
    steps.map {
      $0.reverted(self == .undo ? .undo : .redo, isDryRun: isDryRun) + (isDryRun ? "" : "  (\(opposite))")
    }
  }
}

private struct UndoReport: Report {
  let kind: Reverting
  let steps: [StepPresenter]

  func text(isDryRun: Bool) -> TextReport {
    TextReport(
      lines: kind.lines(steps, isDryRun: isDryRun),
      remark: steps.isEmpty ? "There is nothing to \(kind.name)." : nil)
  }

  var json: [(String, JSON)] {
    let objects = steps.map { $0.json() }
    return [("op", .string(kind.name)), ("steps", .array(objects))]
  }
}

extension Session {
  /// Undoes or redoes the requested steps.
  fileprivate func revert(_ kind: Reverting) throws -> ExitCode {
    try revertSteps(by: kind.name) { list, confirmed in
      let steps =
        try confirmed?.compactMap { try kind.perform($0, on: &list) } ?? kind.perform(invocation, on: &list)
      return (UndoReport(kind: kind, steps: steps), steps.map(\.step))
    }
  }
}
