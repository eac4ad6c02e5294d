extension Session {
  /// Lets the person edit a text and passes it to `use`, repeatedly until it is valid.
  ///
  /// Problems are reported, and on a terminal the person may go back to the edited text.
  ///
  /// - Parameters:
  ///   - text: what is edited.
  ///   - instead: the hint if there is no terminal for an editor.
  ///   - use: gets the edited text.
  /// - Returns: what `use` returns; `declined` if the person gave up.
  /// - Throws: what `use` throws, if nobody can be asked.
  func inEditor(
    _ text: String, instead: String, _ use: (String) throws -> ExitCode
  ) throws -> ExitCode {
    // A chosen editor may not need a terminal; the default one would draw on it.
    guard canAsk || context.hasChosenEditor && options.mayAsk else {
      throw Failure(
        code: .refused, message: "the editor needs a terminal", hint: instead, needsPerson: true)
    }
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
