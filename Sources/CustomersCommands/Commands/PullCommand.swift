internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let pull = Command(
    name: "pull", summary: "take in what another copy of the list has",
    description: [
      "FILE is a copy of the list that was edited on its own: a file, the address of a list on another",
      "machine, ssh://host/path, or a folder; then each copy of the list in it is pulled, the oldest first.",
      "A copy there has a name that ends with .sqlite, .sqlite3, or .db.",
      "What was added, changed, moved, and deleted there becomes one step here, which undo undoes. FILE",
      "is not changed. When FILE has pulled from here, too, both are the same list.",
      "",
      "If both changed the same thing, the later change counts, and a change counts more than a deletion.",
      "pull shows such conflicts and asks. --on-conflict says whose change counts: the later one, that of",
      "the list (ours), or that of FILE (theirs); ask asks for each.",
      "",
      "pull also asks before it deletes more than a tenth of the rows, and if the histories have been",
      "erased, so that no one knows what the two have in common: then nobody is deleted, and every",
      "difference is a conflict.",
    ],
    operands: [.one(.file(.read, "FILE|FOLDER"))],
    options: [.many("OPTION", [PullWords.onConflict])],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample(
        "Take in what was done in a copy:",
        "customers backup copy.sqlite\ncustomers --db copy.sqlite move 5 2\ncustomers pull copy.sqlite"),
      CommandExample(
        "See what a pull would do:", "customers backup copy.sqlite\ncustomers pull copy.sqlite --dry-run"),
    ],
    seeAlso: ["backup", "undo", "history", "ssh"], rewritesMuch: true,
    run: { session in
      let path = session.invocation.operands[0]
      guard !["", "-"].contains(path) else { throw Failure.usage("pull needs a file name") }
      let pull = Pull(session)
      guard session.context.caller == nil, Folder.isFolder(path) else { return try pull.run(path) }
      return try pull.run(inFolder: path)
    })
}

private enum PullWords {
  enum Winner: String, CaseIterable { case latest, ours, theirs, ask }

  static let onConflict = Option.value(
    "--on-conflict", Argument<Winner>.choice("SIDE"),
    "whose change counts (default: the later one, after you confirm)")
}

/// A pull, from the files to the report.
private struct Pull {
  private let session: Session
  private let winner: PullWords.Winner?

  init(_ session: Session) {
    self.session = session
    winner = session.invocation[PullWords.onConflict]
  }

  /// Pulls the copies of the list in a folder, the oldest first.
  func run(inFolder path: String) throws -> ExitCode {
    let own = try session.list.address.path.flatMap { FileIdentity($0) }
    let list = try session.openList(creating: false).read { try $0.identity().list }
    let files = try Folder(path).files(ending: [".sqlite", ".sqlite3", ".db"])
      .filter { own == nil || FileIdentity($0) != own }
    var (code, count) = (ExitCode.done, 0)
    for file in files {
      let copy: CustomerStore.ListCopy
      do { copy = try CustomerStore.checkedCopy(at: file) } catch let error as any ExplainedError {
        if !session.isQuiet { try session.errors.write("note: \(Failure(error, file: file).message)\n") }
        continue
      }
      // Other lists may be in the folder, too.
      guard try copy.listID == list else { continue }
      count += 1
      code = try run(file, copy)
      guard code == .done else { break }
    }
    guard count > 0 else {
      throw Failure.notFound(
        "there is no copy of this list in \(quoted(path))", hint: "to make one: customers backup FILE")
    }
    return code
  }

  func run(_ path: String) throws -> ExitCode {
    // A missing list is reported before the copy is read.
    _ = try session.openList(creating: false)
    let file = try session.context.files.fetch(path)
    let copy: CustomerStore.ListCopy
    do { copy = try CustomerStore.checkedCopy(at: file.path) } catch let error as any ExplainedError {
      var failure = Failure(error, file: path)
      // What helps is about the list.
      if error is StoreError { failure.hint = nil }
      throw failure
    }
    return try run(path, copy)
  }

  private func run(_ path: String, _ copy: CustomerStore.ListCopy) throws -> ExitCode {
    do {
      let store = try session.openList(creating: false)
      var resolution = PullResolution(side: winner.flatMap { ConflictSide(rawValue: $0.rawValue) })
      var answered = PullQuestion()
      for _ in 1...4 {
        guard let plan = try store.planPull(copy, resolving: resolution) else {
          try session.tell(PullReport(file: path, summary: .nothing))
          return .done
        }
        let asked = question(plan.summary)
        if !asked.isAnswered(by: answered) {
          guard let choices = try ask(asked, plan.summary, path) else { return .declined }
          answered = asked
          if !choices.isEmpty {
            resolution.choices = choices
            continue
          }
        }
        do {
          try session.report(creating: false) { list in
            PullReport(file: path, summary: try list.pull(plan, acceptsUnrelated: true))
          }
          return .done
        } catch PullError.outdated {}
      }
      // Other programs edit the list all the time: they have to wait.
      try session.report(creating: false) { list in
        guard let plan = try copy.plan(for: list, resolution) else {
          return PullReport(file: path, summary: .nothing)
        }
        guard question(plan.summary).isAnswered(by: answered) else {
          throw Failure(
            code: .refused,
            message:
              "other programs keep changing the list, and there is more to ask now; nothing was changed",
            hint: "to pull without a question: --yes")
        }
        return PullReport(file: path, summary: try list.pull(plan, acceptsUnrelated: true))
      }
      return .done
    } catch let error as PullError {
      throw Failure(error, file: path)
    }
  }

  /// What has to be asked before a pull is written.
  private func question(_ summary: PullSummary) -> PullQuestion {
    var question = PullQuestion()
    guard !session.isDryRun, !session.options.saysYes else { return question }
    if winner == nil || winner == .ask { question.conflicts = Set(summary.conflicts.map(\.id)) }
    if summary.deleted > 10, summary.deleted * 10 > summary.count { question.deleted = summary.deleted }
    question.isUnrelated = summary.relation == .unrelated
    return question
  }

  /// Asks a question.
  ///
  /// - Returns: the conflicts that were decided one by one; nil if the answer is no.
  private func ask(
    _ question: PullQuestion, _ summary: PullSummary, _ path: String
  ) throws -> [MergeConflict.ID: ConflictSide]? {
    let action = "pulling \(quoted(path))"
    if !question.conflicts.isEmpty, !session.mayBeAsked {
      throw Failure(
        code: .refused, message: "both changed \(things(summary.conflicts.count))",
        details: summary.conflicts.prefix(20).map { "     \($0.line)" },
        hint: "to let the later change count: \(PullWords.onConflict.name) latest; or ours, or theirs")
    }
    for line in PullReport(file: path, summary: summary).text(isDryRun: true).lines {
      try session.errors.write(line + "\n")
    }
    if winner == .ask, !question.conflicts.isEmpty { return try session.choose(summary.conflicts) }
    let words =
      question.isUnrelated
      ? "The histories do not tell what the two have in common. Pull all the same?"
      : question.deleted > 0
        ? "Pull, and delete \(rowCount(question.deleted)) of \(summary.count)?"
        : "Pull, and let the later change count?"
    return try session.confirm(words, to: action) ? [:] : nil
  }
}

/// What a pull asks before it writes.
private struct PullQuestion {
  /// What both changed, if the command line does not say whose change counts.
  var conflicts: Set<MergeConflict.ID> = []
  /// The number of rows that it would delete, if they are many.
  var deleted = 0
  /// Whether it is not known what the two have in common.
  var isUnrelated = false

  /// Whether a yes to another question is a yes to this one.
  func isAnswered(by other: PullQuestion) -> Bool {
    conflicts.isSubset(of: other.conflicts) && deleted <= other.deleted && (!isUnrelated || other.isUnrelated)
  }
}

extension Session {
  /// Asks about one conflict after another.
  ///
  /// - Returns: the answers; nil if the input ends.
  fileprivate func choose(_ conflicts: [MergeConflict]) throws -> [MergeConflict.ID: ConflictSide]? {
    var choices: [MergeConflict.ID: ConflictSide] = [:]
    for conflict in conflicts {
      guard let answer = try answer(to: "\(conflict.line)\n[l]ater, [o]urs, or [t]heirs?") else { return nil }
      choices[conflict.id] = answer.hasPrefix("o") ? .ours : answer.hasPrefix("t") ? .theirs : conflict.winner
    }
    return choices
  }

  fileprivate func tell(_ report: PullReport) throws {
    guard try format() != .json else { return try answer(report.json) }
    try tell(report.text(isDryRun: isDryRun).lines)
  }
}

/// What a pull did.
private struct PullReport: Report {
  let file: String
  let summary: PullSummary

  func text(isDryRun: Bool) -> TextReport {
    let isNothing = summary.relation == .same
    return TextReport(
      lines: PullPresenter(summary, of: file, isDryRun: isDryRun).lines,
      remark: isDryRun || isNothing
        ? nil : "hint: to take it back: customers undo; \(quoted(file)) is unchanged")
  }

  var json: [(String, JSON)] { [("op", .string("pull")), ("file", .string(file))] + summary.json }
}
