extension Session {
  /// Whether there is a person who may be asked.
  var canAsk: Bool { context.input.isTerminal && !invocation.has("--no-input") }

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
      invocation.has("--no-input") ? "--no-input forbids to ask" : "standard input is no terminal"
    throw Failure(code: .refused, message: "\(action) needs confirmation and \(reason)", hint: "add --yes")
  }

  /// Asks a question, and tells whether the answer is yes.
  ///
  /// An empty line means the standard, end of file is no.
  func ask(_ question: String, default standard: Bool) throws -> Bool {
    try output.flush()
    try errors.write(question + " ")
    try errors.flush()
    guard let answer = context.input.line()?.lowercased() else {
      try errors.write("\n")
      return false
    }
    return answer.isEmpty ? standard : answer == "y" || answer == "yes"
  }
}
