internal import Files
internal import TerminalText

extension InputFile {
  /// What the file is called in messages.
  var name: String { path == "-" ? "standard input" : printable(path) }
}
