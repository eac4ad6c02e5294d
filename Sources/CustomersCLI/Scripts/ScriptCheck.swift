/// What the first reading of a script found: it changes nothing, and tells every line that is wrong.
struct ScriptCheck {
  /// How many lines do something.
  private(set) var count = 0
  /// Whether a line would make a missing file.
  let createsFile: Bool

  /// Reads the whole script.
  ///
  /// - Throws: a `Failure` with code `usage` that has every line which is wrong.
  init(_ script: ScriptFile) throws {
    var problems: [ScriptProblem] = []
    var reader = try script.read()
    while true {
      do {
        guard try reader.next() != nil else { break }
        count += 1
      } catch var problem as ScriptProblem {
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
