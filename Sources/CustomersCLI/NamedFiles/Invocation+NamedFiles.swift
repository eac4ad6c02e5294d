extension Invocation {
  /// The files that the command line names for reading and for writing.
  var namedFiles: (read: Set<String>, written: Set<String>) {
    var files: (read: Set<String>, written: Set<String>) = ([], [])
    func note(_ value: ArgumentType?, _ word: String) {
      guard case .file(let use) = value?.kind else { return }
      switch use {
      case .read: files.read.insert(word)
      case .write: files.written.insert(word)
      case .list: break
      }
    }
    guard let command else { return files }
    for (index, word) in operands.enumerated() {
      for value in command.expected(after: Array(operands.prefix(index))) { note(value, word) }
    }
    for option in command.options {
      for given in given where given.name == option.name { note(option.value, given.word ?? "") }
    }
    // Standard input, including for rows.
    if operands.contains("-") { files.read.insert("-") }
    return files
  }

  /// Whether the command may open an editor.
  var opensEditor: Bool {
    command?.name == Command.arrange.name || command?.name == Command.edit.name
  }
}
