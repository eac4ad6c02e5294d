extension Session {
  /// - Throws: a `Failure` with code `refused` if there is no terminal for the editor that `command` opens, with the
  ///   hint `instead`.
  func checkEditor(of command: String, instead: String) throws {
    // A chosen editor may not need a terminal; the default one would draw on it.
    guard canAsk || context.hasChosenEditor && options.mayAsk else {
      throw Failure(
        code: .refused, message: "\(command) needs a terminal, because it opens an editor", hint: instead,
        needsPerson: true)
    }
  }

  /// Opens a string in the editor and passes the edited text to `use`, repeatedly until it is valid.
  ///
  /// Problems are reported, and on a terminal the editor can be opened again.
  ///
  /// - Parameters:
  ///   - text: what is edited.
  ///   - command: the command that opens the editor.
  ///   - instead: the hint if there is no terminal for an editor.
  ///   - use: gets the edited text.
  /// - Returns: what `use` returns; `declined` if the user gave up.
  /// - Throws: what `use` throws, if there is no terminal to ask on.
  func inEditor(
    _ text: String, of command: String, instead: String, _ use: (String) throws -> ExitCode
  ) throws -> ExitCode {
    try checkEditor(of: command, instead: instead)
    let editor = Editor(context)
    var text = text
    while true {
      let bytes = try editor.edit(text)
      text = String(decoding: bytes, as: UTF8.self)
      do {
        guard String(validating: bytes, as: UTF8.self) != nil else {
          throw Failure.usage("the edited text is not UTF-8")
        }
        return try use(text)
      } catch {
        guard canAsk else { throw error }
        let failure = self.failure(error)
        for line in failure.lines { try writeAside(line) }
        guard try ask("Edit again? [Y/n]", default: true) else { return .declined }
      }
    }
  }
}
