extension Session {
  /// Whether there is a person who may be asked.
  var canAsk: Bool { person != nil && !invocation.has("--no-input") }

  /// Whether a customer may be named by a mere part of a name, because the person is asked then.
  var mayGuess: Bool { canAsk && !invocation.has("--yes") }

  /// Where the person answers; nil if there is nobody.
  private var person: StandardInput? {
    if readsRows { return context.terminal() }
    return context.input.isTerminal ? context.input : nil
  }

  /// Asks the person, unless `--yes` has answered.
  ///
  /// No transaction is open in the meantime.
  ///
  /// - Returns: whether the answer is yes; end of file is no.
  /// - Throws: a `Failure` with code `refused` if there is nobody to ask.
  func confirm(_ question: String, to action: String) throws -> Bool {
    try checkConsent(to: action)
    return try invocation.has("--yes") || ask("\(question) [y/N]", default: false)
  }

  /// - Throws: a `Failure` with code `refused` if there is neither `--yes` nor anybody to ask.
  func checkConsent(to action: String) throws {
    guard !invocation.has("--yes"), !canAsk else { return }
    let reason =
      invocation.has("--no-input")
      ? "--no-input forbids to ask" : readsRows ? "there is no terminal" : "standard input is no terminal"
    throw Failure(
      code: .refused, message: "\(action) needs confirmation and \(reason)", hint: "add --yes",
      needsPerson: !invocation.has("--no-input"))
  }

  /// Asks a question, and tells whether the answer is yes.
  ///
  /// An empty line means the standard, end of file is no.
  func ask(_ question: String, default standard: Bool) throws -> Bool {
    try output.flush()
    try errors.write(question + " ")
    try errors.flush()
    guard let answer = person?.line()?.lowercased() else {
      try errors.write("\n")
      return false
    }
    return answer.isEmpty ? standard : answer == "y" || answer == "yes"
  }
}
