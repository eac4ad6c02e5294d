internal import CustomersFiles
internal import CustomersPlatform
internal import CustomersTerminalText

/// The user's text editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct Editor: Sendable {
  private let command: String
  private let context: Context

  init(_ context: Context) {
    self.context = context
    command = ["VISUAL", "EDITOR"].compactMap { context.environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// Lets the user edit a string in a temporary file that only they can read.
  ///
  /// - Returns: what was saved, which need not be UTF-8.
  /// - Throws: a `Failure` with code `failed` if the editor can't be run or fails.
  func edit(_ text: String) throws -> [UInt8] {
    if let caller = context.caller { return try caller.edit(text) }
    guard !context.isConfined else {
      throw Failure(code: .refused, message: "only lists are offered here, and no editor")
    }
    var isInterrupted = false
    let edited = try SignalSet([SIGTERM, SIGHUP]).held {
      try leavingInterruptsToChild {
        let file = try EditableFile(Array(text.utf8), suffix: ".txt")
        defer { file.remove() }
        switch try run(file.path) {
        case 0: return try file.read()
        case 128 + SIGINT:
          isInterrupted = true
          return []
        case 127:
          throw Failure(
            code: .failed, message: "can't run the editor \(quoted(command))",
            outcome: Failure.nothingChanged, hint: "set $EDITOR")
        case let code:
          throw Failure(
            code: .failed,
            message: "the editor \(quoted(command)) exited with status \(code); nothing was changed")
        }
      }
    }
    if isInterrupted { endInterrupted() }
    return edited
  }

  private func run(_ path: String) throws -> Int32 {
    var terminal = termios()
    let hasTerminal = unsafe tcgetattr(context.input.descriptor.rawValue, &terminal) == 0
    // The shell waits for the editor, which may use the interrupt key. The editor's output is not part of the
    // result.
    let code = try Child(
      "trap : INT QUIT; \(command) \"$@\"", [path], output: context.output.isTerminal ? nil : STDERR_FILENO
    ).wait()
    if code != 0, hasTerminal { unsafe tcsetattr(context.input.descriptor.rawValue, TCSADRAIN, &terminal) }
    return code
  }
}
