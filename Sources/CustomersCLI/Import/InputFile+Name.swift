internal import CustomersFiles
internal import CustomersTerminalText

extension InputFile {
  /// The name of the file in messages.
  var name: String { path == "-" ? "standard input" : printable(path) }
}
