extension Session {
  /// Lets the person edit a text and gives it to `use`, again and again until it can be used.
  ///
  /// What is wrong is told, and on a terminal the person may go back to the text as it was left.
  ///
  /// - Parameters:
  ///   - text: what is edited.
  ///   - instead: what to do where there is no terminal for an editor.
  ///   - use: takes the text as it was left.
  /// - Returns: what `use` returns; `declined` if the person gave up.
  /// - Throws: what `use` throws, if there is nobody to ask.
  func inEditor(
    _ text: String, instead: String, _ use: (String) throws -> ExitCode
  ) throws -> ExitCode {
    // An editor that somebody has chosen may do without a terminal; the usual one would draw on what is there.
    let isChosen = ["VISUAL", "EDITOR"].contains { environment[$0]?.isEmpty == false }
    guard canAsk || isChosen && !invocation.has("--no-input") else {
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
          throw Failure.usage("what was edited is not UTF-8")
        }
        return try use(text)
      } catch {
        guard canAsk else { throw error }
        let failure = Failure(error, file: (try? dataFile().path) ?? "")
        for line in failure.lines { try writeAside(line) }
        guard try ask("Edit again? [Y/n]", default: true) else { return .declined }
      }
    }
  }
}
