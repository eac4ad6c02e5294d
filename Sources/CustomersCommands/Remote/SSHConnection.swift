internal import CustomersSystem
internal import CustomersText
internal import Dispatch
internal import Synchronization

/// The address of a file on a machine that `ssh` reaches: `ssh://[user@]host[:port]/path`.
///
/// The path is used byte for byte; nothing in it is decoded. `/~/` at its beginning is the home folder there.
struct SSHAddress: Equatable, Sendable {
  /// The address as given.
  let text: String
  /// The user to log in as; nil for the default in ssh's configuration.
  let user: String?
  let host: String
  let port: String?
  /// The path as given, with its first slash.
  let path: String

  /// Whether a string is such an address, even if an invalid one.
  static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

  private static let scheme = "ssh://"

  /// Parses an address.
  ///
  /// - Throws: a `Failure` with code `usage` if it is invalid or if ssh could misread it.
  init(_ text: String) throws {
    self.text = text
    let rest = text.dropFirst(SSHAddress.scheme.count)
    let target = rest.prefix { $0 != "/" }
    path = String(rest.dropFirst(target.count))
    guard path.utf8.count > 1 else {
      throw SSHAddress.refusal(of: text, "the path is missing: ssh://host/path or ssh://host/~/path")
    }
    let at = target.lastIndex(of: "@")
    user = at.map { String(target[..<$0]) }
    (host, port) = SSHAddress.hostAndPort(at.map { target[target.index(after: $0)...] } ?? target)
    for (what, word) in [("user", user), ("host", host)] {
      guard let word else { continue }
      guard !word.isEmpty, !word.hasPrefix("-"), word.unicodeScalars.allSatisfy(SSHAddress.isHarmless) else {
        throw SSHAddress.refusal(of: text, "\(quoted(word)) is not a valid \(what)")
      }
    }
    guard port.map({ UInt16($0) ?? 0 > 0 && $0.utf8.allSatisfy { $0 > 0x2f } }) ?? true else {
      throw SSHAddress.refusal(of: text, "a port is a number from 1 to 65535")
    }
  }

  /// Returns the path on that machine, with the home folder in place of `/~`.
  func path(inHome home: String?) -> String {
    guard path.hasPrefix("/~/"), let home, !home.isEmpty else { return path }
    return home + path.dropFirst("/~".count)
  }

  /// Returns the address of another file on that machine, by its path there.
  func text(of path: String) -> String { text.dropLast(self.path.utf8.count) + path }

  /// The arguments of `ssh` that name the machine.
  var words: [String] {
    (port.map { ["-p", $0] } ?? []) + (user.map { ["-l", $0] } ?? []) + ["--", host]
  }

  /// Splits `host:22` or `[::1]:22` into host and port, without the brackets.
  private static func hostAndPort(_ text: Substring) -> (host: String, port: String?) {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      return rest.hasPrefix(":") ? (host, String(rest.dropFirst())) : (host + rest, nil)
    }
    guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// Whether the character has no special meaning for ssh or for a command in its configuration.
  private static func isHarmless(_ sign: Unicode.Scalar) -> Bool {
    sign.value > 0x20 && sign.value != 0x7f && !"'`\"$\\;&<>|(){}".unicodeScalars.contains(sign)
  }

  private static func refusal(of text: String, _ reason: String) -> Failure {
    .usage("\(quoted(text)): \(reason)", offendingArgument: text)
  }
}

/// A connection to `customers serve` on another machine, started with the user's `ssh`.
struct SSHConnection {
  let channel: Channel
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
    guard greeting?.protocolNumber == Message.protocolNumber else {
      for end in ends { end.close() }
      let code = child.wait()
      throw SSHConnection.failure(
        address, greeting, code: code, program: program, details: words.collected())
    }
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

  /// What ssh writes, in English only, when it will not reach the machine before someone has looked at it.
  private static let lasting = [
    "Permission denied", "Host key verification failed", "Too many authentication failures",
    "Bad owner or permissions",
    "Bad configuration option", "no matching host key type found",
  ]

  /// Returns the failure of a run of ssh that did not start the program there.
  static func failure(
    _ address: SSHAddress, _ greeting: (protocolNumber: Int, version: String)? = nil, code: Int32,
    program: String,
    details: [String] = []
  ) -> Failure {
    let host = quoted(address.host)
    var failure = Failure(code: .failed, message: "", details: details, isLasting: true)
    if let greeting {
      let isOld = greeting.protocolNumber < Message.protocolNumber
      failure.message =
        "customers \(greeting.version) on \(host) is too \(isOld ? "old" : "new") for this customers \(version)"
      failure.hint =
        isOld ? "install customers \(version) there" : "install that version here"
      return failure
    }
    switch code {
    case isMissing:
      failure.message = "customers is not installed on \(host)"
      failure.hint = "install it there, in a folder of $PATH, in ~/.local/bin or in /usr/local/bin"
    case ExitCode.usage.rawValue:
      failure.message = "customers on \(host) is too old for this customers \(version)"
      failure.hint = "install customers \(version) there"
    case 127:
      failure.message = "can't run \(quoted(program)), or what the key on \(host) allows"
      failure.hint =
        "install ssh or set $CUSTOMERS_SSH; a command in authorized_keys needs the path of customers, as in "
        + "/usr/bin/customers serve"
    default:
      failure.isLasting = details.contains { line in lasting.contains(where: line.contains) }
      failure.message = "can't reach \(host): ssh exited with status \(code)"
      failure.hint = "test the connection: ssh \(address.words.map(printable).joined(separator: " ")) true"
    }
    return failure
  }
}

/// The standard error of ssh and of the program that it starts.
///
/// A terminal gets it at once, without what could steer it; otherwise it is kept until the connection succeeds
/// or fails, and passed on afterward.
final class SSHWords: Sendable {
  private struct KeptWords {
    var bytes: [UInt8] = []
    var isPassedOn: Bool
    var text: RemoteText
  }

  private let pipe: Pipe
  private let state: Mutex<KeptWords>
  private let hasEnded = DispatchSemaphore(value: 0)

  init(for context: Context) throws {
    pipe = try Pipe()
    state = Mutex(
      KeptWords(isPassedOn: context.errors.isTerminal, text: RemoteText(context.errors, isText: true)))
    DispatchQueue(label: "customers.ssh").async { [self] in
      while let bytes = try? pipe.reading.read(), !bytes.isEmpty { add(bytes) }
      pipe.reading.close()
      hasEnded.signal()
    }
  }

  /// The descriptor that ssh writes to.
  var writing: Int32 { pipe.writing.rawValue }

  /// Closes this process's copy of the writing end.
  func closeWriting() { pipe.writing.close() }

  /// Passes on the text kept so far and everything after it.
  func passOn() {
    state.withLock { state in
      state.isPassedOn = true
      state.text.write(state.bytes)
      state.bytes = []
    }
  }

  /// Returns the lines that ssh wrote before it ended.
  func collected() -> [String] {
    // A shared connection may keep the pipe open.
    _ = hasEnded.wait(timeout: .now() + .milliseconds(500))
    let bytes = state.withLock(\.bytes)
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { "     " + printable(String($0)) }
  }

  private func add(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.isPassedOn {
        state.text.write(bytes)
      } else {
        state.bytes = Array((state.bytes + bytes).suffix(1 << 14))
      }
    }
  }
}
