extension Invocation {
  /// The files that the command line names for reading and for writing.
  var namedFiles: (read: Set<String>, written: Set<String>) {
    var files: (read: Set<String>, written: Set<String>) = ([], [])
    func note(_ value: ArgumentType?, _ word: String) {
      switch value?.kind {
      case .file(.read): files.read.insert(word)
      case .file(.write): files.written.insert(word)
      // Rows from standard input.
      case .row where word == "-": files.read.insert(word)
      default: break
      }
    }
    guard let command else { return files }
    for (index, word) in operands.enumerated() {
      for value in command.expected(after: Array(operands.prefix(index))) { note(value, word) }
    }
    for option in command.options {
      for given in given where given.name == option.name { note(option.value, given.word ?? "") }
    }
    return files
  }

  /// Whether the command may open an editor.
  var opensEditor: Bool {
    switch command?.name {
    case Command.arrange.name: true
    case Command.edit.name: has(FieldEdit.usesEditor) || !FieldOptions.areGiven(self)
    default: false
    }
  }

  /// Whether the command must have written the file that its operand names, when it is done.
  var promisesFile: Bool {
    [Command.backup.name, Command.export.name].contains(command?.name) && !self[GlobalOptions.dryRun]
      && operands.contains { $0 != "-" }
  }

  /// Whether the command may ask a question, besides those of `NamedFiles.consent`.
  var mayAsk: Bool {
    guard let command, !self[GlobalOptions.noInput] else { return false }
    let silent = [Command.table, .list, .find, .show, .watch, .export, .duplicates, .expect, .backup, .info]
    switch command.name {
    case Command.history.name: return has(HistoryOptions.forgets)
    case Command.check.name: return has(CheckRun.repairs)
    case let name: return Command.shown.contains { $0.name == name } && !silent.contains { $0.name == name }
    }
  }
}
