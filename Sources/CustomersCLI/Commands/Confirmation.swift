extension Session {
  /// Whether a user can be asked.
  var canAsk: Bool { person != nil && options.mayAsk }
  /// Whether someone can be asked here or on the machine that sent the request.
  var mayBeAsked: Bool { canAsk || context.agreed != nil }

  /// Whether a part of a name is enough, because the user is asked to confirm it.
  var mayGuess: Bool { canAsk && !options.saysYes }

  /// Where the user answers; nil without a terminal to ask on.
  private var person: StandardInput? {
    if readsRows { return context.terminal() }
    return context.input.isTerminal ? context.input : nil
  }

  /// Asks the user, unless `--yes` is set.
  ///
  /// No transaction is open while it waits.
  ///
  /// - Returns: whether the answer is yes; end of file is no.
  /// - Throws: a `Failure` with code `refused` without a terminal to ask on.
  func confirm(_ question: String, to action: String) throws -> Bool {
    if context.agreed?.contains(question) == true { return true }
    try checkConsent(to: action, asking: question)
    return try options.saysYes || ask("\(question) [y/N]", default: false)
  }

  /// - Throws: a `Failure` with code `refused` without `--yes`, without a terminal to ask on.
  func checkConsent(to action: String, asking question: String? = nil) throws {
    guard !options.saysYes, !canAsk, question != nil || context.agreed == nil else { return }
    let reason =
      !options.mayAsk
      ? "\(GlobalOptions.noInput.name) is set"
      : readsRows ? "there is no terminal" : "standard input is not a terminal"
    throw Failure(
      code: .refused, message: "\(action) needs confirmation, but \(reason)",
      hint: "add \(GlobalOptions.yes.name)",
      needsPerson: options.mayAsk, question: question)
  }

  /// Asks a question; true if the answer is yes.
  ///
  /// An empty line means the default; end of file means no.
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
