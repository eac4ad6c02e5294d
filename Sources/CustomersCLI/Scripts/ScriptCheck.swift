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
    createsFile = reader.createsFile
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
