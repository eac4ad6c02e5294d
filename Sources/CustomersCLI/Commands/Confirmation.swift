internal import Glibc

extension Session {
  /// Asks the person, unless `--yes` has answered.
  ///
  /// No transaction is open meanwhile.
  ///
  /// - Returns: whether the answer is yes; end of file is no.
  /// - Throws: a `Failure` with code `refused` if there is nobody to ask.
  func confirm(_ question: String, to action: String) throws -> Bool {
    if invocation.has("--yes") { return true }
    guard isatty(STDIN_FILENO) == 1, !invocation.has("--no-input") else {
      let reason =
        invocation.has("--no-input") ? "--no-input forbids to ask" : "standard input is no terminal"
      throw Failure(code: .refused, message: "\(action) needs confirmation and \(reason)", hint: "add --yes")
    }
    try errors.write("\(question) [y/N] ")
    try errors.flush()
    guard let answer = readLine(strippingNewline: true)?.lowercased() else {
      try errors.write("\n")
      return false
    }
    return answer == "y" || answer == "yes"
  }
}
