internal import CustomerStore
internal import CustomersText

extension Command {
  static let undo = Command(
    name: "undo", summary: "undo the last step, or one earlier step",
    description: [
      "With STEP, only that step is undone: later changes stay. If they changed the same, nothing is",
      "undone, and the rows are named. It asks if another user or program made the step.",
    ],
    forms: [.plain([], Reverting.undo.options), .plain([.one(.number("STEP"))])],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("Show what would be undone", "customers undo -n"),
      CommandExample("Go back to the start", "customers undo --to 0 -n"),
    ],
    seeAlso: ["redo", "history"], rewritesMuch: true,
    run: { session in
      try session.invocation.operands.isEmpty ? session.revert(.undo) : session.revertStep()
    })

  static let redo = Command(
    name: "redo", summary: "redo what was undone",
    description: [
      "That is possible until the next edit."
    ],
    options: Reverting.redo.options,
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("Redo three steps", "customers redo --steps 3")
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
    // Later, other steps are undone than before, and there are more of them.
    let known = try goal.flatMap { try list.step(Int64($0)) }.flatMap { $0.isShown ? $0 : nil }
    if let goal, known == nil, goal > 0 || self == .redo {
      throw Failure.notFound("there is no step \(goal)", hint: Self.listing)
    }
    if let known, known.kind != .edit { throw try isReverting(known, list) }
    var steps: [StepPresenter] = []
    var isThere = goal == nil || (goal == 0 && self == .undo)
    while steps.count < count, let step = try next(list) {
      if let goal, step.id == goal { isThere = true }
      // Undo stops before the step, redo after it.
      if self == .undo, step.id == goal ?? 0 { break }
      if let made = try perform(step, on: &list) { steps.append(made) }
      if let goal, step.id == goal { break }
    }
    if !isThere, let known { throw notThere(known) }
    return steps
  }

  /// Why there is no way to a step.
  private func notThere(_ step: HistoryStep) -> Failure {
    switch (self, step.state) {
    case (.undo, .undone):
      .refused("step \(step.id) was undone already", hint: "to redo it: customers redo --to \(step.id)")
    case (.redo, .done): .refused("step \(step.id) is not undone", hint: Self.listing)
    default: .refused("step \(step.id) was undone, and later edits took its place", hint: Self.listing)
    }
  }

  private static let listing = "to list the steps: customers history"

  /// Why there is no way to the step of an undo or redo.
  private func isReverting(_ step: HistoryStep, _ list: borrowing CustomerList) throws -> Failure {
    let way = try sameList(as: step, list).map { "to get the list as it was then: customers \($0)" }
    return .refused("step \(step.id) undid or redid another one", hint: way ?? Self.listing)
  }

  /// The way to the list as it was after an undo or redo, which is that after an earlier step; nil if there is none.
  private func sameList(as reverting: HistoryStep, _ list: borrowing CustomerList) throws -> String? {
    var (done, undone): ([HistoryStep], [HistoryStep]) = ([], [])
    for step in try list.history().reversed() where step.id <= reverting.id && step.editCount > 0 {
      switch step.kind {
      case .edit:
        done.append(step)
        undone = []
      case .undo:
        // The history has forgotten the step.
        guard let last = done.popLast() else { return nil }
        undone.append(last)
      case .redo:
        guard let last = undone.popLast() else { return nil }
        done.append(last)
      }
    }
    guard let same = done.last else {
      return try list.firstStep() == 1 ? "undo --to 0" : nil
    }
    switch same.state {
    case .done: return "undo --to \(same.id)"
    case .undone: return "redo --to \(same.id)"
    case .dropped: return nil
    }
  }

  /// A remark if the history no longer leads back to the start.
  func forgotten(_ invocation: Invocation, in list: borrowing CustomerList) throws -> String? {
    guard self == .undo, invocation[goal] == 0, let first = try list.firstStep(), first > 1 else {
      return nil
    }
    return "This is not the start: the history has forgotten the steps before \(first)."
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
  /// Says that this is not the start.
  let forgotten: String?

  func text(isDryRun: Bool) -> TextReport {
    TextReport(
      lines: kind.lines(steps, isDryRun: isDryRun),
      remark: forgotten ?? (steps.isEmpty ? "There is nothing to \(kind.name)." : nil))
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
      let forgotten = try kind.forgotten(invocation, in: list)
      return (UndoReport(kind: kind, steps: steps, forgotten: forgotten), steps.map(\.step))
    }
  }
}

extension Command {
  static let revert = Command(
    name: "revert", summary: "undo one earlier step and no other", earlier: "undo STEP",
    operands: [.one(.number("STEP"))], common: GlobalOptions.ofEditing, rewritesMuch: true,
    run: { session in try session.revertStep() })
}

extension Session {
  fileprivate func revertStep() throws -> ExitCode {
    let number = Int64(try Invocation.number(invocation.operands[0], for: "STEP"))
    return try revertSteps(by: "revert") { list, _ in
      guard let step = try list.step(number) else { throw Session.failure(.noSuchStep(number), number, list) }
      let outcome = try revert(number, in: &list)
      return (OutcomeReport(action: "revert", outcome: outcome, undone: number), [step])
    }
  }

  private func revert(_ number: Int64, in list: inout CustomerList) throws -> EditOutcome {
    do { return try list.revert(number, limit: 10_000) } catch let error as RevertError {
      throw Session.failure(error, number, list)
    }
  }

  private static func failure(
    _ error: RevertError, _ number: Int64, _ list: borrowing CustomerList
  ) -> Failure {
    var failure = Failure(error, file: "")
    let outline = try? list.outline()
    func line(_ id: CustomerID) -> String {
      let customer = try? list.customer(id)
      let row = customer.flatMap { outline?.position(of: $0.place) }.map { "\($0)" } ?? "–"
      return "     \(row)  @\(id.rawValue)  \(printable(customer?.name ?? "(deleted)"))"
    }
    switch error {
    case .noSuchStep: failure.message = "there is no step \(number)"
    case .notInEffect:
      failure.message = "step \(number) is not in effect: it was undone or undid another one"
    case .changedSince(let ids):
      failure.message = "later steps changed rows of step \(number); nothing was changed"
      failure.details = Failure.shown(ids.map { line($0) })
    case .sectionsChangedSince:
      failure.message = "later steps changed sections of step \(number); nothing was changed"
    case .entryChangedSince:
      failure.message =
        "later steps changed a column, a setting, or a person of step \(number); nothing was changed"
    case .valueOfOtherKind(let column, let kind, let id):
      failure.message =
        "step \(number) would put back a value of \(quoted(column)) that is not clearly \(kind.noun); nothing was changed"
      failure.details = [line(id)]
    }
    return failure
  }
}

extension Session {
  /// Reverts steps of the history, for `undo` and `redo`.
  ///
  /// If some belong to another person or program, it shows what would happen and asks first.
  ///
  /// - Parameters:
  ///   - name: the command.
  ///   - body: reverts the requested steps or exactly those that were confirmed; returns them.
  /// - Returns: the exit code.
  /// - Throws: what `body` throws, or a `Failure` without a terminal to ask on.
  func revertSteps(
    by name: String,
    _ body: (inout CustomerList, _ confirmed: [HistoryStep]?) throws -> (
      report: some Report, steps: [HistoryStep]
    )
  ) throws -> ExitCode {
    do {
      try revertSteps(confirmed: nil, body)
    } catch let found as StepsOfOthers {
      try checkConsent(to: "\(name) of a step by \(found.person)")
      for line in found.lines { try errors.write(line + "\n") }
      guard try confirm("Apply these changes?", to: name) else { return .declined }
      try revertSteps(confirmed: found, body)
    }
    return .done
  }

  /// - Throws: `StepsOfOthers` if the steps must be confirmed first.
  private func revertSteps(
    confirmed: StepsOfOthers?,
    _ body: (inout CustomerList, _ confirmed: [HistoryStep]?) throws -> (
      report: some Report, steps: [HistoryStep]
    )
  ) throws {
    let mayAsk = confirmed == nil && !isDryRun && !options.saysYes
    try report(creating: false) { list in
      if let confirmed, try !list.has(confirmed.version) { throw StaleConfirmation.otherHistory }
      let version = try list.version()
      let (report, steps) = try naming(&list) { list in try body(&list, confirmed?.steps) }
      if mayAsk, let stranger = steps.lazy.compactMap(\.stranger).first {
        // The transaction is rolled back, so that other programs do not wait for the answer.
        throw StepsOfOthers(
          steps: steps, version: version, person: printable(stranger),
          lines: report.text(isDryRun: true).lines)
      }
      return report
    }
  }
}

extension Session {
  /// Names the row that is not where its step left it.
  fileprivate func naming<Result>(
    _ list: inout CustomerList, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    do { return try body(&list) } catch let error as ListError {
      guard case .historyDiffers(let step, let id) = error else { throw error }
      let label = try id.flatMap { try? list.customer($0) }.map {
        CustomerLabel($0, at: try list.outline().position(of: $0.place), isByID: false)
      }
      var failure = Failure(refusal: error, label)
      if invocation.command?.name == Command.undo.name, invocation.operands.isEmpty {
        failure.hint = "to undo that step where the rows are now: customers undo \(step)"
      }
      throw failure
    }
  }
}

/// Some of the steps to revert belong to another person or program.
private struct StepsOfOthers: Error {
  let steps: [HistoryStep]
  /// The version of the list that has them.
  let version: ListVersion
  let person: String
  /// What reverting them would do.
  let lines: [String]
}
