@_spi(Tools) internal import CustomerStore

/// The second pass over a script, which runs every line in one transaction.
struct ScriptRun {
  private let script: ScriptFile
  private let runs: [Int: Int]
  private let dataFile: String
  /// Whether customers that a question leaves open are left out.
  private let leavesOutSkipped: Bool
  /// Where `done` moves rows, if the list says so.
  private var doneRule: String?
  /// The number of edits made.
  private(set) var edits = 0
  /// The number of lines that changed nothing.
  private(set) var unchanged = 0
  private(set) var rows: [(name: String, row: CustomerID)] = []
  /// What a user must confirm.
  private(set) var questions: [String] = []
  /// Texts that may be meant for days, with the numbers of their lines.
  private(set) var notes: [String] = []
  /// The open batch.
  private var batch: ScriptBatch?
  /// Whether a line has verified that all sections are there.
  private var isWhole = false

  init(
    _ script: ScriptFile, _ check: ScriptCheck, dataFile: String, leavesOutSkipped: Bool, doneRule: String?
  ) {
    (self.script, self.leavesOutSkipped, self.doneRule) = (script, leavesOutSkipped, doneRule)
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
          + (edits == 0 ? "" : " (\(counted(edits, "edit")) rolled back)"),
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
      guard let edit = try request(resolver(list, plan), list) else { return }
      let moves = try plan?.apply(edit, of: list) ?? []
      count(moves.contains { $0.from != $0.to })
    case .edit(let request, let question, let name, _):
      let resolver = try resolver(list)
      guard let edit = try request(resolver, list)?.following(doneRule, resolver, list) else { return }
      if !leavesOutSkipped { try resolver.refuseSkipped() }
      doneRule = try edit.doneRule(after: doneRule, in: list)
      try note(edit, reader.line, list)
      let (isChanged, added): (Bool, CustomerID?)
      if let question {
        let preview = try Preview(edit, resolver, in: &list)
        (isChanged, added) = (!preview.outcome.isEmpty, preview.outcome.rows.first?.id)
        if let question = question(preview) { questions.append(question) }
      } else {
        do { (isChanged, added) = try list.applyBriefly(edit, to: resolver.found) } catch {
          throw resolver.naming(error, in: list)
        }
      }
      count(isChanged)
      if let name, let added { set(name, to: added, &reader) }
    case .begin: batch = try ScriptBatch(list)
    case .batchEdit(let edit, let name):
      try batch?.add(edit, name, reader.line, list)
      if !leavesOutSkipped { try batch?.finder.refuseSkipped() }
    case .end:
      guard let batch else { return }
      try note(batch.edit, reader.line, list)
      for (name, row) in try batch.perform(&list, reader) { set(name, to: row, &reader) }
      edits += batch.count
      self.batch = nil
    }
  }

  private mutating func count(_ isChanged: Bool) { if isChanged { edits += 1 } else { unchanged += 1 } }

  /// Notes the words for days of an edit, as many as one reads.
  private mutating func note(_ edit: ListEdit, _ line: ScriptLine, _ list: borrowing CustomerList) throws {
    guard notes.count < ScriptRun.mostNotes else { return }
    notes += try edit.wordsForDays(in: list).map { "line \(line.number): \($0)" }
      .prefix(ScriptRun.mostNotes - notes.count)
  }

  private static let mostNotes = 10

  /// Finds the rows and sections of one line.
  private mutating func resolver(_ list: borrowing CustomerList, _ plan: MovePlan? = nil) throws
    -> RowResolver
  {
    defer { isWhole = true }
    return try RowResolver(list, plan: plan, takesParts: false, isWhole: isWhole)
  }

  private mutating func set(_ name: String, to row: CustomerID, _ reader: inout ScriptReader) {
    reader.set(name, to: row)
    rows.append((name, row))
  }
}

/// The lines between `begin` and `end`, which take effect at once.
struct ScriptBatch {
  fileprivate let finder: RowResolver
  private var updates = BatchUpdates()
  /// The line of each operation.
  private var lines: [ScriptLine] = []
  /// The names of new rows, with the index of their operation.
  private var names: [(name: String, operation: Int)] = []
  /// The number of its lines.
  private(set) var count = 0

  /// The edit.
  var edit: ListEdit { .batch(updates) }

  /// Starts a batch; rows are found in the list as it is now.
  init(_ list: borrowing CustomerList) throws { finder = try RowResolver(list, takesParts: false) }

  mutating func add(
    _ edit: BatchEdit, _ name: String?, _ line: ScriptLine, _ list: borrowing CustomerList
  ) throws {
    try edit(finder, list, &updates)
    while lines.count < updates.operations.count { lines.append(line) }
    if let name { names.append((name, lines.count - 1)) }
    count += 1
  }

  /// Runs all of them.
  ///
  /// - Returns: the named rows.
  /// - Throws: a `ScriptDiagnostic` of the line that fails; if two lines conflict, of the second one.
  func perform(_ list: inout CustomerList, _ reader: ScriptReader) throws -> [(name: String, row: CustomerID)]
  {
    let result: BatchResult
    do {
      result = try list.performBatchUpdates(updates)
    } catch let error as BatchError {
      throw problem(error, reader, list)
    }
    let inserts = updates.operations.indices.filter {
      if case .insert = updates.operations[$0] { true } else { false }
    }
    let rows = Dictionary(uniqueKeysWithValues: zip(inserts, result.inserted))
    return names.compactMap { name, operation in rows[operation].map { (name, $0) } }
  }

  private func problem(
    _ error: BatchError, _ reader: ScriptReader, _ list: borrowing CustomerList
  ) -> ScriptDiagnostic {
    switch error {
    case .sameRow(_, let first, let second):
      return contradiction(first, second, "changes the same row", reader)
    case .samePlace(let place, let first, let second):
      return contradiction(first, second, "also puts a row at place \(place.order)", reader)
    case .noSuchRow(let operation, let asked, let allowed):
      let failure = Failure(ListError.placeOutOfRange(asked: asked.order, allowed: allowed), file: "")
      return reader.problem(failure, in: lines[operation])
    case .noSuchPlace(let operation, let asked, let allowed):
      var failure = Failure(ListError.placeOutOfRange(asked: asked.order, allowed: allowed), file: "")
      failure.message += " after the batch"
      failure.offendingArgument = String(asked.order)
      return reader.problem(failure, in: lines[operation])
    case .refused(let operation, let error):
      return reader.problem(Failure(finder.naming(error, in: list), file: ""), in: lines[operation])
    case .countDiffers, .rowDiffers: return reader.problem(Failure(error, file: ""))
    }
  }

  private func contradiction(
    _ first: Int, _ second: Int, _ message: String, _ reader: ScriptReader
  ) -> ScriptDiagnostic {
    let (first, second) = (lines[first], lines[second])
    let problem = reader.problem(
      Failure.usage("this line conflicts with line \(first.number), which \(message)"),
      in: second)
    let other = reader.problem(Failure.usage(""), in: first)
    return ScriptDiagnostic(
      code: problem.code, message: problem.message, details: other.excerpt, line: problem.line,
      source: problem.source)
  }
}

/// The result of the first pass over a script, which changes nothing and reports every error.
struct ScriptCheck {
  static let option = Option.flag("--check", "check the syntax only")

  /// The number of lines that do something.
  private(set) var count = 0
  /// The first line of each long run of moves and its length.
  private(set) var runs: [Int: Int] = [:]
  /// Whether a line may have a question to confirm.
  private(set) var mayAsk = false
  /// Whether a line would create a missing file.
  let createsFile: Bool
  /// Whether a line is `done`.
  let finishesRows: Bool

  /// The minimum number of moves for which planning is considered.
  private static let longRun = 32

  /// Reads the whole script.
  ///
  /// - Throws: a `Failure` with code `usage` that lists every error.
  init(_ script: ScriptFile) throws {
    var problems: [ScriptDiagnostic] = []
    var reader = try script.read()
    var run = (first: 0, count: 0)
    while true {
      do {
        let statement = try reader.next()
        if case .edit(_, question: _?, _, _) = statement { mayAsk = true }
        if case .edit(_, _, _, onlyMoves: true) = statement {
          if run.count == 0 { run.first = reader.line.number }
          run.count += 1
        } else {
          if run.count >= ScriptCheck.longRun { runs[run.first] = run.count }
          run.count = 0
        }
        guard statement != nil else { break }
        count += 1
      } catch var problem as ScriptDiagnostic {
        problem.file = script.name
        problems.append(problem)
      }
    }
    (createsFile, finishesRows) = (reader.createsFile, reader.finishesRows)
    guard problems.isEmpty else { throw ScriptCheck.failure(problems) }
  }

  /// The failure of a script with errors.
  static func failure(_ problems: [ScriptDiagnostic]) -> Failure {
    Failure(
      code: .usage,
      message: problems.count == 1
        ? "1 error; nothing was changed" : "\(problems.count) errors; nothing was changed",
      problems: problems)
  }
}
