internal import Files
internal import TerminalText

extension InputFile {
  /// The name of the file in messages.
  var name: String { path == "-" ? "standard input" : printable(path) }
}
