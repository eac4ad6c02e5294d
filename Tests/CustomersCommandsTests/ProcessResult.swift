/// The result of a run of the program.
struct ProcessResult: Equatable, Sendable {
  var output: String
  var errors: String
  /// The exit code; 128 and the signal, if one ended the program.
  var code: Int32

  /// Exit code 0; the last line's end is understood.
  static func done(_ output: String = "", errors: String = "") -> ProcessResult {
    ProcessResult(output: ended(output), errors: ended(errors), code: 0)
  }

  /// Another exit code, with nothing on standard output.
  static func failed(_ code: Int32, _ errors: String) -> ProcessResult {
    ProcessResult(output: "", errors: ended(errors), code: code)
  }

  /// The outcome without the number of the step that `undo` would revert, which must be there.
  var withoutStep: ProcessResult {
    var outcome = self
    let steps = output.matches(of: /,"undo":[1-9][0-9]*/)
    outcome.output =
      steps.count == 1 ? output.replacing(/,"undo":[0-9]+/, with: "") : "not one step: " + output
    return outcome
  }

  /// The outcome with its times replaced, and who made the steps.
  var withoutTimes: ProcessResult {
    var outcome = self
    outcome.output = ProcessResult.withoutTimes(output)
    outcome.errors = ProcessResult.withoutTimes(errors)
    return outcome
  }

  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, with: "TIME")
      .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "TIME")
      .replacing(#/TIME [^ :]+: /#, with: "TIME USER: ")
      .replacing(/urn:uuid:[0-9a-f-]{36}/, with: "urn:uuid:UUID")
      .replacing(/"uid":"-\d+"/, with: #""uid":"UID""#)
      .replacing(/"author":"[^"]+"/, with: #""author":"USER""#)
      .replacing(/"user":"[^"]+","host":"[^"]*"/, with: #""user":"USER","host":"HOST""#)
      .replacing(#/(  |, )by [^ ]+@[^ .]+(\n|\.)/#) { "\($0.output.1)by USER@HOST\($0.output.2)" }
  }

  private static func ended(_ text: String) -> String { text.isEmpty ? "" : text + "\n" }
}
