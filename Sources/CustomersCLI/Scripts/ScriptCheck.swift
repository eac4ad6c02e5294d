/// What the first reading of a script found: it changes nothing, and tells every line that is wrong.
struct ScriptCheck {
  /// How many lines do something.
  private(set) var count = 0
  /// The line in which each long run of moves begins, and how many they are.
  private(set) var runs: [Int: Int] = [:]
  /// Whether a line would make a missing file.
  let createsFile: Bool

  /// How many moves are worth asking whether they pay to be planned.
  private static let longRun = 32

  /// Reads the whole script.
  ///
  /// - Throws: a `Failure` with code `usage` that has every line which is wrong.
  init(_ script: ScriptFile) throws {
    var problems: [ScriptDiagnostic] = []
    var reader = try script.read()
    var run = (first: 0, count: 0)
    while true {
      do {
        let statement = try reader.next()
        if case .edit(_, _, onlyMoves: true) = statement {
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
    guard problems.isEmpty else {
      throw Failure(
        code: .usage,
        message: problems.count == 1
          ? "1 line is wrong; nothing was changed" : "\(problems.count) lines are wrong; nothing was changed",
        problems: problems)
    }
  }
}
