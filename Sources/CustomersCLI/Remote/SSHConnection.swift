internal import Files
internal import Platform
internal import TerminalText

/// The program on another machine, started by the person's own `ssh`.
struct SSHConnection {
  let channel: Channel
  /// The version of the program there.
  let version: String
  private let ends: [FileDescriptor]

  /// What ssh runs there.
  ///
  /// No word of the command line is in it, so that no shell can take one for something
  /// else; they come over the channel.
  private static let command = """
    exec sh -c 'PATH="$PATH:$HOME/.local/bin:/usr/local/bin"; export PATH; \
    command -v customers > /dev/null || exit \(isMissing); exec customers serve "$@"' sh
    """

  /// The same for a command that gets a terminal there, and what it needs to know as a word of letters and
  /// digits.
  static func command(serving request: Request) -> String {
    "\(command) \(Base64.text(request.message.bytes))"
  }

  /// The exit code of that where there is no such program.
  private static let isMissing: Int32 = 87

  /// Reaches the machine.
  ///
  /// What ssh has to ask, it asks on the person's terminal. What it says goes to standard error, if that is
  /// a terminal, and else into the error.
  ///
  /// - Parameters:
  ///   - address: the machine.
  ///   - context: what names ssh, and has standard error.
  ///   - mayAsk: whether ssh may ask for a password, say.
  /// - Throws: a `Failure` with code `failed` if that can't be done; nothing has happened then.
  init(_ address: SSHAddress, _ context: Context, mayAsk: Bool) throws {
    let program = SSHConnection.program(context)
    let (input, output) = (try Pipe(), try Pipe())
    let words = try context.errors.isTerminal ? nil : SSHWords(for: context.errors)
    // The interrupt key is for us; the connection ends with this process.
    let child = try Child(
      "trap '' INT QUIT; exec \(program) \"$@\"",
      ["-T"] + (mayAsk ? [] : ["-o", "BatchMode=yes"]) + address.words + [SSHConnection.command],
      input: input.reading.rawValue, output: output.writing.rawValue, errors: words?.writing)
    input.reading.close()
    output.writing.close()
    words?.closeWriting()
    channel = Channel(input: output.reading, output: input.writing)
    ends = [output.reading, input.writing]
    var greeting: (protocolNumber: Int, version: String)?
    // What the shell there says when it begins is no greeting.
    while greeting == nil, let line = try channel.readLine() { greeting = Greeting.read(line) }
    guard let greeting, greeting.protocolNumber == Message.protocolNumber else {
      for end in ends { end.close() }
      let code = child.wait()
      throw SSHConnection.failure(
        address, greeting, code: code, program: program, details: words?.collected() ?? [])
    }
    version = greeting.version
    words?.passOn()
  }

  /// What reaches other machines, as the shell takes it.
  static func program(_ context: Context) -> String {
    let named = context.environment["CUSTOMERS_SSH"] ?? ""
    return named.isEmpty ? "ssh" : named
  }

  /// Ends the connection, and the program there if it is still at work.
  func close() { for end in ends { end.close() } }

  /// Why a run of ssh has not reached the program there.
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
      failure.message = "there is no customers on \(host)"
      failure.hint = "install it there, in a folder of $PATH, in ~/.local/bin or in /usr/local/bin"
    case ExitCode.usage.rawValue:
      failure.message = "customers on \(host) is too old for this customers \(CustomersCLI.version)"
      failure.hint = "install customers \(CustomersCLI.version) there"
    case 127:
      failure.message = "can't run \(quoted(program))"
      failure.hint = "install ssh, or let $CUSTOMERS_SSH name it"
    default:
      failure.message = "can't reach \(host): ssh ended with code \(code)"
      failure.hint = "try it by hand: ssh \(address.words.map(printable).joined(separator: " ")) true"
    }
    return failure
  }
}
