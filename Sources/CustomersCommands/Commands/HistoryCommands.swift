internal import CustomerStore
internal import CustomersText

extension Command {
  static let history = Command(
    name: "history", summary: "list the steps, newest first",
    description: [
      "A step is what one undo reverts. STEP, its number, prints all that it changed. ROW (an id, a name,",
      "leads/2, or #3 for row 3) prints what happened to one customer, even a deleted one. What was deleted",
      "stays in the file until its step expires, at about 10,000 steps or 64 MB; --forget erases it.",
    ],
    forms: [
      .plain([], [.optional(HistoryOptions.limit)]),
      .plain([.one(.text("STEP|ROW"))]),
      .plain([], [.required(HistoryOptions.forgets)]),
    ],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("What step 1 changed", "customers history 1"),
      CommandExample("What happened to a customer", "customers history @1"),
    ],
    seeAlso: ["undo", "watch", "json"], isPaged: true,
    need: { invocation in
      guard invocation[HistoryOptions.forgets] else { return .list }
      let instead =
        "the logs of its nodes keep deleted data; copy the list to a file, use --forget there, and copy it to a "
        + "new cluster: see cluster.md in the documentation"
      return .file("history --forget", instead: instead)
    },
    run: { session in
      if session.invocation[HistoryOptions.forgets] { return try session.forgetHistory() }
      if let word = session.invocation.operands.first {
        if Invocation.isNumber(word) {
          try session.showStep(Invocation.number(word, for: "history"))
        } else {
          try session.showHistory(of: word)
        }
      } else {
        try session.showHistory(limit: session.invocation[HistoryOptions.limit] ?? 20)
      }
      return .done
    })
}

private struct ForgetReport: Report {
  func text(isDryRun: Bool) -> TextReport {
    TextReport(lines: [Sentence(.forget, "the history").text(isDryRun: isDryRun)])
  }

  var json: [(String, JSON)] { [("op", .string("history forget"))] }
}

enum HistoryOptions {
  static let limit = Option.value("--limit", .count(), "show at most N steps (default 20)")
  static let forgets = Option.flag("--forget", "erase the history (asks first)")
}

extension Session {
  fileprivate func showHistory(limit: Int) throws {
    let steps = try read { list in
      let steps = try list.history(limit: limit).filter(\.isShown)
      return zip(steps, try list.outcomes(of: steps)).map(StepPresenter.init)
    }
    if try format() == .json {
      let objects = steps.map { $0.json() }
      try output.write(JSON.array(objects).text + "\n")
      return
    }
    if steps.isEmpty, limit > 0, !isQuiet { try errors.write("The history is empty.\n") }
    let number = steps.map { String($0.step.id).count }.max() ?? 0
    /// The command, and who made the step by a key.
    func made(_ step: StepPresenter) -> String {
      step.step.person.isEmpty ? step.command : "\(step.command) (\(printable(step.step.person)))"
    }
    let command = min(steps.map { displayWidth(made($0)) }.max() ?? 0, 40)
    for step in steps {
      let id = String(step.step.id)
      let words = [
        String(repeating: " ", count: number - id.count) + id, localTime(step.step.time),
        padded(made(step), to: command), step.summary,
      ]
      try output.write(words.joined(separator: "  ") + "\n")
    }
  }

  fileprivate func showStep(_ number: Int) throws {
    let shown = try read { list in
      try list.step(Int64(number)).map { step in
        StepPresenter(step: step, outcome: try list.outcome(of: step, limit: 10_000))
      }
    }
    guard let shown, shown.step.isShown else {
      throw Failure.notFound(
        "there is no step \(number)", hint: "to list the steps: customers history")
    }
    if try format() == .json {
      try output.write(shown.json(isDetailed: true).text + "\n")
    } else {
      for line in shown.lines { try output.write(line + "\n") }
    }
  }

  /// Shows what each step did to one customer, the last one first.
  fileprivate func showHistory(of word: String) throws {
    let selectors = try RowSelectors([word])
    let steps = try readAtLength(rows: selectors.rowsRead) { list in
      let id = try self.customer(selectors, in: list)
      let steps = try list.history(of: id)
      let outcomes = try list.outcomes(of: steps, limit: 10_000)
      return zip(steps, outcomes).compactMap { step, outcome in
        outcome.only(id).map { StepPresenter(step: step, outcome: $0) }
      }
    }
    guard try format() != .json else {
      return try output.write(JSON.array(steps.map { $0.json(isDetailed: true) }).text + "\n")
    }
    for line in steps.flatMap(\.lines) { try output.write(line + "\n") }
    if steps.isEmpty, !isQuiet { try errors.write("The history has no step of this customer.\n") }
  }

  /// The customer that is meant: one of the list, else a deleted one, of which an id or a name is left.
  private func customer(_ selectors: RowSelectors, in list: borrowing CustomerList) throws -> CustomerID {
    // An id that no one ever had is refused as in other commands.
    if let id = selectors.onlyID, try list.hasHad(id) { return id }
    do {
      return try RowResolver(list).row(selectors, in: list).id
    } catch let error as SelectionError {
      guard case .noName = error.reason else { throw error }
      let deleted = try list.deletedCustomers(named: error.text)
      guard let first = deleted.first else { throw error }
      guard deleted.count == 1 else {
        let some = deleted.prefix(10).map { "  @\($0.id.rawValue)  \(printable($0.name))" }
        throw Failure.notFound(
          "\(deleted.count) deleted customers match \(quoted(error.text))", details: some, hint: "use the id")
      }
      return first.id
    }
  }

  fileprivate func forgetHistory() throws -> ExitCode {
    var version: ListVersion?
    if !isDryRun {
      version = try read { list in try list.version() }
      let question = "Erase the history? Deleted customers can't be restored afterward."
      guard try confirm(question, to: "history --forget") else { return .declined }
    }
    try report(creating: false) { list in
      // What was deleted since could not be restored either.
      guard try version == nil || options.saysYes || list.version() == version else {
        throw Failure.changedSinceShown([])
      }
      try list.forgetHistory()
      return ForgetReport()
    }
    if !isDryRun {
      try eraseTraces()
      try nameCopies()
    }
    return .done
  }

  /// Names the copies of the list that upgrades have kept.
  private func nameCopies() throws {
    guard !isQuiet else { return }
    for path in try CustomerStore.backupsOfUpgrades(ofListAt: list.path) {
      let name = quoted(try list.name(ofFileAt: path))
      try writeAside(
        "note: \(name), kept by an upgrade, still has what was forgotten; delete it if you don't need it")
    }
  }

  /// Erases all traces from the file, even if another program has deleted the data.
  private func eraseTraces() throws {
    try context.caller?.expectChange(canBeLookedUp: false)
    do {
      // A signal waits, so that no journal is left.
      try SignalSet.ending.held {
        try holdingOutput { try openList(creating: false).eraseTraces() }
        note(.change)
      }
    } catch StoreError.missing {
    } catch let error as StoreError {
      throw Failure.failed(
        "traces of it may remain in the file: \(printable(error.description))",
        hint: "free some space if the disk is full, and run customers history --forget again")
    }
  }
}
