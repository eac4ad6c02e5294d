internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let take = Command(
    name: "take", aliases: ["pull"], summary: "take in what was done in a copy, or in a file you handed out",
    description: [
      "FILE is a copy of the list (a file, ssh://host/path, or each copy in a folder, the oldest first), or",
      "what `customers export --ids` wrote. What was added, changed, moved, and deleted there becomes one",
      "step here; FILE is not changed. If the export was sorted, or left out rows of the list or of its",
      "section, none is moved or deleted. Where both changed the same, take asks: for a copy, whether the",
      "later change counts; for a file, about each. It also asks before it deletes more than a tenth of the",
      "rows (of a copy: more than ten).",
    ],
    operands: [.one(.file(.read, "FILE|FOLDER"))],
    options: [.optional(TakeWords.onConflict)],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample(
        "Hand the list out, and see what came back",
        "customers export out.csv --ids\ncustomers take out.csv --dry-run")
    ],
    seeAlso: ["export", "backup", "undo", "ssh"],
    formats: .ofFile(FileFormat.readable.filter(\.holdsIDs)), rewritesMuch: true,
    run: { session in
      let path = session.invocation.operands[0]
      guard !path.isEmpty else { throw Failure.usage("take needs a file name") }
      let isNamed = FileFormat.fileExtension(of: path) != nil && FileFormat(path: path)?.isReadable == true
      if try path == "-" || isNamed || session.formatName() != nil { return try session.takeBack(path) }
      let pull = Pull(session)
      guard session.context.caller == nil, Folder.isFolder(path) else { return try pull.run(path) }
      return try pull.run(inFolder: path)
    })
}

private enum TakeWords {
  enum Winner: String, CaseIterable { case latest, ours, theirs, ask }

  static let onConflict = Option.value(
    "--on-conflict", Argument<Winner>.choice("SIDE"),
    "whose change counts")
}

// MARK: - A file that was handed out

extension Session {
  /// Takes in what was changed in a file that was handed out.
  ///
  /// - Throws: a `Failure`, such as one for a conflict without a terminal to ask on.
  fileprivate func takeBack(_ path: String) throws -> ExitCode {
    _ = try openList(creating: false)
    let winner = invocation[TakeWords.onConflict]
    guard winner != .latest else {
      throw Failure.usage(
        "only a copy of the list says which change was later",
        hint: "\(TakeWords.onConflict.name) ours, theirs, or ask", offendingArgument: "latest")
    }
    var options = ImportOptions(format: try fileFormat(of: path))
    options.takeBack(winner: winner.flatMap { ConflictSide(rawValue: $0.rawValue) })
    (options.refusesKnown, options.countsKnown) = (!self.options.saysYes && !isDryRun, isDryRun)
    options.fillsShortRows = self.options.saysYes || isDryRun
    return try FileImport(self, path, options, mayAskForEach: winner == nil || winner == .ask).run()
  }
}

// MARK: - A copy

/// A pull, from the files to the report.
private struct Pull {
  private let session: Session
  private let winner: TakeWords.Winner?
  /// Where a dry run takes several copies in, so that each finds what those before it would bring; nil otherwise.
  private var rehearsal: CustomerStore?

  init(_ session: Session) {
    self.session = session
    winner = session.invocation[TakeWords.onConflict]
  }

  /// Pulls the copies of the list in a folder, the oldest first.
  func run(inFolder path: String) throws -> ExitCode {
    let own = try session.list.address.path.flatMap { FileIdentity($0) }
    let store = try session.openList(creating: false)
    let list = try store.read { try $0.identity().list }
    var pull = self
    if session.isDryRun { pull.rehearsal = try store.copyInMemory() }
    let files = try Folder(path).files(ending: [".sqlite", ".sqlite3", ".db"])
      .filter { own == nil || FileIdentity($0) != own }
    var (count, unreadable) = (0, [String]())
    for file in files {
      let copy: CustomerStore.ListCopy
      do { copy = try CustomerStore.checkedCopy(at: file) } catch let error as any ExplainedError {
        if !session.isQuiet { try session.errors.write("note: \(Failure(error, file: file).message)\n") }
        // Any other file may be of another program.
        if (error as? StoreError)?.isOfDamage ?? (error is PullError) { unreadable.append(file) }
        continue
      }
      // Other lists may be in the folder, too.
      guard try copy.listID == list else { continue }
      count += 1
      do {
        let code = try pull.run(file, copy)
        guard code == .done else { return ofFolder(code) }
      } catch var failure as Failure {
        failure.message = "\(quoted(file)): \(failure.message)"
        failure.code = ofFolder(failure.code)
        let rest = files.drop { $0 != file }.dropFirst()
        if !rest.isEmpty { failure.details.append("not looked at: \(listed(rest.map(quoted), "and"))") }
        throw failure
      }
    }
    guard unreadable.isEmpty else {
      throw Failure(
        code: ofFolder(.failed),
        message: "not taken, because it can't be read: \(listed(unreadable.map(quoted), "and"))",
        hint: Failure.checkHint(unreadable[0]), isFinding: true)
    }
    guard count > 0 else {
      throw Failure.notFound(
        "there is no copy of this list in \(quoted(path))", hint: "to make one: customers backup FILE")
    }
    return .done
  }

  /// The exit code when not all copies of a folder were taken: another one if some were.
  private func ofFolder(_ code: ExitCode) -> ExitCode { session.progress.done == nil ? code : .incomplete }

  func run(_ path: String) throws -> ExitCode {
    // A missing list is reported before the copy is read.
    _ = try session.openList(creating: false)
    let file = try session.context.files.fetch(path)
    let copy: CustomerStore.ListCopy
    do { copy = try CustomerStore.checkedCopy(at: file.path) } catch let error as any ExplainedError {
      var failure = Failure(error, file: path)
      // What helps is about the list.
      if let error = error as? StoreError { failure.hint = error.isOfDamage ? Failure.checkHint(path) : nil }
      throw failure
    }
    return try run(path, copy)
  }

  private func run(_ path: String, _ copy: CustomerStore.ListCopy) throws -> ExitCode {
    do {
      let store = try rehearsal ?? session.openList(creating: false)
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
        if let rehearsal {
          let summary = try rehearsal.write { list in try list.pull(plan, acceptsUnrelated: true) }
          try session.tell(PullReport(file: path, summary: summary))
          return .done
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
          throw Failure.refused(
            "other programs keep changing the list, and there is more to ask now; nothing was changed",
            hint: "to take it in without a question: --yes")
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
    let action = "taking in \(quoted(path))"
    if !question.conflicts.isEmpty, !session.mayBeAsked {
      throw Failure.refused(
        "both changed \(counted(summary.conflicts.count, "thing"))",
        details: (summary.conflicts.prefix(20).map(\.line) + [summary.warning].compactMap(\.self)).map {
          "     \($0)"
        },
        hint: "to let the later change count: \(TakeWords.onConflict.name) latest"
          + (question.isUnrelated ? " --yes" : "") + "; or ours, or theirs")
    }
    // For a program, the error is all that is written.
    if try session.mayBeAsked || session.format() != .json {
      for line in PullReport(file: path, summary: summary).text(isDryRun: true).lines {
        try session.errors.write(line + "\n")
      }
    }
    if winner == .ask, !question.conflicts.isEmpty {
      return try session.choose(summary.conflicts.map { ($0.id, $0.line, $0.winner) })
    }
    let words =
      question.isUnrelated
      ? "The histories do not tell what the two have in common. Take it in all the same?"
      : question.deleted > 0
        ? "Take it in, and delete \(counted(question.deleted, "row")) of \(summary.count)?"
        : "Take it in, and let the later change count?"
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
  /// Asks whose change counts in one conflict after another.
  ///
  /// - Parameter conflicts: what decides each, what both did, and whose change was later, if that is known.
  /// - Returns: the answers; nil if the input ends.
  /// - Throws: what reading and writing on the terminal throws.
  func choose<Key: Hashable>(
    _ conflicts: [(key: Key, line: String, later: ConflictSide?)]
  ) throws -> [Key: ConflictSide]? {
    var sides: [Key: ConflictSide] = [:]
    for conflict in conflicts {
      let words = "\(conflict.later == nil ? "" : "[l]ater, ")[o]urs, or [t]heirs?"
      while sides[conflict.key] == nil {
        guard let answer = try answer(to: "\(conflict.line)\n\(words)") else { return nil }
        switch answer.first {
        case "o": sides[conflict.key] = .ours
        case "t": sides[conflict.key] = .theirs
        case "l": sides[conflict.key] = conflict.later
        default: break
        }
      }
    }
    return sides
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
    let isNothing = summary.changesNothing
    return TextReport(
      lines: PullPresenter(summary, of: file, isDryRun: isDryRun).lines,
      remark: isDryRun || isNothing
        ? nil : "hint: to take it back: customers undo; \(quoted(file)) is unchanged")
  }

  var json: [(String, JSON)] { [("op", .string("take")), ("file", .string(file))] + summary.json }
}
