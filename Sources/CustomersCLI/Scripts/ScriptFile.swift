internal import Glibc

/// A script that can be read twice; `-` is standard input, kept in a file without a name meanwhile.
final class ScriptFile {
  /// What messages call it.
  let name: String
  private let input: InputFile

  init(_ path: String) throws {
    name = path == "-" ? "standard input" : path
    let input = try InputFile(path)
    self.input = input.canRewind ? input : try InputFile(copying: input)
  }

  /// Its statements, from the start.
  func read() throws -> ScriptReader {
    try input.rewind()
    let input = input
    return ScriptReader { try input.read() }
  }
}
