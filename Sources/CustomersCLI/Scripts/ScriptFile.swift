internal import Files

/// A script that can be read twice; `-` is standard input, kept in a file without a name in the meantime.
final class ScriptFile {
  private let input: InputFile

  init(_ path: String, _ context: Context) throws {
    input = try context.files.open(path).kept()
  }

  /// What messages call it.
  var name: String { input.name }

  /// How many bytes have been read, and how many there are.
  var progress: (done: Int, total: Int) { (input.position, input.size) }

  /// Its statements, from the start.
  func read() throws -> ScriptReader {
    try input.rewind()
    let input = input
    return ScriptReader { try input.read() }
  }
}
