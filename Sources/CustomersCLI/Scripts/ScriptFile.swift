internal import CustomersFiles

/// A script that can be read twice; `-` is standard input, which is copied to an unnamed file.
final class ScriptFile {
  private let input: InputFile

  init(_ path: String, _ context: Context) throws {
    let input = try context.files.open(path)
    var limit = LineLimit()
    do { self.input = try input.kept { try limit.take($0) } } catch var problem as ScriptDiagnostic {
      problem.file = input.name
      throw ScriptCheck.failure([problem])
    }
  }

  /// Its name in messages.
  var name: String { input.name }

  /// The number of bytes read and the total.
  var progress: (done: Int, total: Int) { (input.position, input.size) }

  /// Its statements, from the start.
  func read() throws -> ScriptReader {
    try input.rewind()
    let input = input
    return ScriptReader { try input.read() }
  }
}
