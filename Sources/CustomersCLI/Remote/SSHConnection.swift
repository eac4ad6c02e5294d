internal import CustomersFiles
internal import CustomersPlatform
internal import CustomersTerminalText

/// A connection to `customers serve` on another machine, started with the user's `ssh`.
struct SSHConnection {
  let channel: Channel
  /// The version of the program there.
  let version: String
  private let child: Child
  private let ends: [FileDescriptor]

  /// The remote command.
  ///
  /// It is constant: the words of the command line are sent over the channel, so that no shell can interpret
  /// them. Whoever may run it may run anything, so it sets no limit; for a restricted key, sshd runs another one.
  private static let command = """
    exec sh -c 'PATH="$PATH:$HOME/.local/bin:/usr/local/bin"; export PATH; \
    command -v customers > /dev/null || exit \(isMissing); exec customers serve --any "$@"' sh
    """

  /// Returns the remote command for a command that gets a terminal there, with the request as one word in
  /// Base64, which no shell interprets.
  static func command(serving request: RemoteRequest) -> String {
    "\(command) \(Base64.encode(request.message.bytes))"
  }

  /// ssh ends half a minute after the other machine went silent.
  private static let keepAlive = [
    "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=2", "-o", "ConnectTimeout=15",
  ]

  /// The exit code of the remote command if `customers` is not installed there.
  private static let isMissing: Int32 = 87

  /// Connects to the machine and starts the program there.
  ///
  /// ssh asks its questions on the user's terminal. Its messages appear on standard error if that is a
  /// terminal; otherwise they become details of the failure. Either way they pass through this program, because
  /// the other machine may have written them.
  ///
  /// - Parameters:
  ///   - address: the machine.
  ///   - context: the run, with its environment and standard error.
  ///   - mayAsk: whether ssh may ask questions, such as for a password.
  ///   - stays: whether it stays open for long, so that ssh must notice when the machine no longer answers.
  /// - Throws: a `Failure` with code `failed` if the program there can't be started; nothing was changed.
  init(_ address: SSHAddress, _ context: Context, mayAsk: Bool, stays: Bool = false) throws {
    let program = SSHConnection.program(context)
    let (input, output) = (try Pipe(), try Pipe())
    let words = try SSHWords(for: context)
    // Only this process handles Ctrl-C; the connection ends with it.
    child = try Child(
      "trap '' INT QUIT; exec \(program) \"$@\"",
      ["-T"] + (mayAsk ? [] : ["-o", "BatchMode=yes"]) + (stays ? SSHConnection.keepAlive : [])
        + address.words + [SSHConnection.command],
      input: input.reading.rawValue, output: output.writing.rawValue, errors: words.writing)
    input.reading.close()
    output.writing.close()
    words.closeWriting()
    channel = Channel(input: output.reading, output: input.writing)
    ends = [output.reading, input.writing]
    var greeting: (protocolNumber: Int, version: String)?
    // Skips any output of the login shell before the greeting, unless it does not end.
    var skipped = 0
    while greeting == nil, skipped < 10_000, let line = try channel.readLine() {
      greeting = Greeting.read(line)
      skipped += 1
    }
    guard let greeting, greeting.protocolNumber == Message.protocolNumber else {
      for end in ends { end.close() }
      let code = child.wait()
      throw SSHConnection.failure(
        address, greeting, code: code, program: program, details: words.collected())
    }
    version = greeting.version
    words.passOn()
  }

  /// The command that stands for ssh, as the shell reads it.
  static func program(_ context: Context) -> String {
    let named = context.environment["CUSTOMERS_SSH"] ?? ""
    return named.isEmpty ? "ssh" : named
  }

  /// Ends ssh, so that whoever reads from the connection finds its end.
  func cut() { child.terminate() }

  /// Ends the connection, and the program there if it is still running.
  func close() {
    for end in ends { end.close() }
    child.end()
  }

  /// Returns the failure of a run of ssh that did not start the program there.
  static func failure(
    _ address: SSHAddress, _ greeting: (protocolNumber: Int, version: String)? = nil, code: Int32,
    program: String,
    details: [String] = []
  ) -> Failure {
    let host = quoted(address.host)
    var failure = Failure(code: .failed, message: "", details: details)
    if let greeting {
      let isOld = greeting.protocolNumber < Message.protocolNumber
      failure.message =
        "customers \(greeting.version) on \(host) is too \(isOld ? "old" : "new") for this customers \(CustomersCLI.version)"
      failure.hint = isOld ? "install customers \(CustomersCLI.version) there" : "install that version here"
      return failure
    }
    switch code {
    case isMissing:
      failure.message = "customers is not installed on \(host)"
      failure.hint = "install it there, in a folder of $PATH, in ~/.local/bin or in /usr/local/bin"
    case ExitCode.usage.rawValue:
      failure.message = "customers on \(host) is too old for this customers \(CustomersCLI.version)"
      failure.hint = "install customers \(CustomersCLI.version) there"
    case 127:
      failure.message = "can't run \(quoted(program))"
      failure.hint = "install ssh or set $CUSTOMERS_SSH"
    default:
      failure.message = "can't reach \(host): ssh exited with status \(code)"
      failure.hint = "test the connection: ssh \(address.words.map(printable).joined(separator: " ")) true"
    }
    return failure
  }
}
