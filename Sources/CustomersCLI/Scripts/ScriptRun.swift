internal import CustomerStore

/// The second pass over a script, which runs every line in one transaction.
struct ScriptRun {
  private let script: ScriptFile
  private let runs: [Int: Int]
  private let dataFile: String
  /// The number of edits made.
  private(set) var edits = 0
  /// The rows named by the script.
  private(set) var rows: [(name: String, row: CustomerID)] = []
  /// What a user must confirm.
  private(set) var questions: [String] = []
  /// The open batch.
  private var batch: ScriptBatch?

  init(_ script: ScriptFile, _ check: ScriptCheck, dataFile: String) {
    self.script = script
    runs = check.runs
    self.dataFile = dataFile
  }

  /// Runs all lines.
  ///
  /// - Throws: a `Failure` with the line that failed; the transaction must be rolled back.
  mutating func perform(_ list: inout CustomerList, _ progress: ProgressBar) throws {
    var reader = try script.read()
    do {
      while let statement = try reader.next() {
        let moves = runs[reader.line.number] ?? 1
        var plan = moves > 1 ? try MovePlan(list, moves: moves) : nil
        try perform(statement, &reader, &list, &plan, progress)
        guard plan != nil else { continue }
        for _ in 1..<moves {
          if let next = try reader.next() { try perform(next, &reader, &list, &plan, progress) }
        }
        if let plan { try list.write(plan) }
      }
    } catch var problem as ScriptDiagnostic {
      problem.file = script.name
      throw Failure(
        code: problem.code,
        message: "nothing was changed"
          + (edits == 0 ? "" : " (\(edits == 1 ? "1 edit" : "\(edits) edits") rolled back)"),
        problems: [problem])
    }
  }

  private mutating func perform(
    _ statement: ScriptStatement, _ reader: inout ScriptReader, _ list: inout CustomerList,
    _ plan: inout MovePlan?, _ progress: ProgressBar
  ) throws {
    progress.advance(to: script.progress.done, of: script.progress.total)
    do {
      try perform(statement, &reader, &list, &plan)
    } catch let error where !(error is ScriptDiagnostic) {
      throw reader.problem(Failure(error, file: dataFile))
    }
  }

  private mutating func perform(
    _ statement: ScriptStatement, _ reader: inout ScriptReader, _ list: inout CustomerList,
    _ plan: inout MovePlan?
  ) throws {
    switch statement {
    case .edit(let request, _, _, _) where plan != nil:
      // The resolver must be gone when the plan changes, or it would keep a copy of the whole order.
      guard let edit = try request(RowResolver(list, plan: plan, takesParts: false), list) else { return }
      let moves = try plan?.apply(edit, of: list) ?? []
      if moves.contains(where: { $0.from != $0.to }) { edits += 1 }
    case .edit(let request, let question, let name, _):
      let resolver = try RowResolver(list, takesParts: false)
      guard let edit = try request(resolver, list) else { return }
      let outcome: EditOutcome
      if let question {
        let preview = try Preview(edit, resolver, in: &list)
        outcome = preview.outcome
        if let question = question(preview) { questions.append(question) }
      } else {
        do { outcome = try list.apply(edit, to: resolver.found) } catch {
          throw resolver.naming(error, in: list)
        }
      }
      if !outcome.isEmpty { edits += 1 }
      if let name, let row = outcome.rows.first { set(name, to: row.id, &reader) }
    case .begin: batch = try ScriptBatch(list)
    case .batchEdit(let edit, let name): try batch?.add(edit, name, reader.line, list)
    case .end:
      guard let batch else { return }
      for (name, row) in try batch.perform(&list, reader) { set(name, to: row, &reader) }
      edits += batch.count
      self.batch = nil
    }
  }

  private mutating func set(_ name: String, to row: CustomerID, _ reader: inout ScriptReader) {
    reader.set(name, to: row)
    rows.append((name, row))
  }
}
