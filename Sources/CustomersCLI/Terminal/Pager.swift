internal import CustomersFiles
internal import CustomersPlatform

/// The program that shows output longer than the screen.
struct Pager: Sendable {
  private let child: Child
  /// What the interrupt key did before.
  private let before: sighandler_t?
  /// The descriptor to write to.
  let descriptor: FileDescriptor

  /// The user's choice: `$CUSTOMERS_PAGER`, else `$PAGER`, else `less`; nil for none.
  static func command(_ environment: [String: String]) -> String? {
    let command = environment["CUSTOMERS_PAGER"] ?? environment["PAGER"] ?? "less"
    return ["", "cat"].contains(command) ? nil : command
  }

  /// Starts the pager, which has the terminal and the interrupt key until `end`.
  init(_ command: String) throws {
    let pipe = try Pipe()
    defer { pipe.reading.close() }
    before = signal(SIGINT, SIG_IGN)
    // As in git: colors are shown, and text that fits the screen does not wait. If `less` is missing, the
    // text is simply shown; for a missing program that the user chose, the shell reports it.
    child = try Child(
      """
      trap : INT QUIT; [ -n "${LESS+x}" ] || export LESS=FRX
      if [ "$1" = less ] && ! command -v less > /dev/null; then exec cat; fi
      \(command)
      code=$?; [ $code -ne 127 ] || exec cat; exit $code
      """, [command], input: pipe.reading.rawValue)
    descriptor = pipe.writing
  }

  /// Waits until the user has read enough.
  func end() {
    descriptor.close()
    let code = child.wait()
    signal(SIGINT, before)
    if code == 128 + SIGINT { endInterrupted() }
  }
}
