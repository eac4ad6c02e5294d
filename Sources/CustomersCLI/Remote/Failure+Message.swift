extension Message {
  /// Creates the message that reports a failure to the other machine.
  init(_ failure: Failure) {
    self.init(.failure, ["\(failure.code.rawValue)", failure.sentence, failure.hint ?? ""] + failure.details)
  }
}

extension Failure {
  /// Creates the failure that a message reports.
  ///
  /// - Throws: `Message.Garbled` if the message is malformed.
  init(_ message: Message) throws {
    let texts = try message.texts
    guard texts.count >= 3, let code = Int32(texts[0]).flatMap(ExitCode.init) else { throw Message.Garbled() }
    self.init(
      code: code, message: texts[1], details: Array(texts[3...]), hint: texts[2].isEmpty ? nil : texts[2])
  }
}
