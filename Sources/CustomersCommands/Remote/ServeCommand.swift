internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let serve = Command(
    name: "serve", summary: "run a command for a program on another machine",
    description: [
      "`customers --db ssh://…` starts this on the machine of the list. It communicates over standard input",
      "and standard output, runs one command, and ends with it or with the connection.",
      "",
      "The options say what the command may use. Put them into ~/.ssh/authorized_keys, before a key:",
      "restrict,command=\"customers serve --list /srv/customers.sqlite\". Without --list, --folder, and",
      "--any, it may use the list that the account uses by default. Except with --any, it may use no other",
      "file and start no program: files, the editor, and the pager are those of the caller. For the table,",
      "add pty after restrict.",
      "",
      "With --list, it creates no file but the old list that a restore keeps. With --folder, it may create",
      "lists and backups. It leaves links alone, and files and folders that begin with a dot.",
      "",
      "--person says who has the key, so that the history has a name where one account serves several people.",
    ],
    operands: [.optional(.text("REQUEST"))],
    options: [
      .oneOf([Offer.list, Offer.folder, Offer.any]), .optional(Offer.readOnly), .optional(Offer.person),
    ],
    common: [],
    seeAlso: ["ssh"], need: { _ in .nothing },
    run: { session in
      guard session.context.offer == nil else {
        throw Failure.refused("serve can't be requested by another machine")
      }
      let offer = try Offer(session)
      if let word = session.wordOfRequest { return try session.serveOnTerminal(word, offer) }
      let channel = Channel(input: .standardInput, output: .standardOutput)
      signal(SIGHUP, SIG_DFL)
      try channel.write(line: Greeting.text)
      guard let message = try channel.receive() else { return .failed }
      let caller = Caller(try RemoteRequest(message), on: channel)
      caller.endWhenGone(.standardInput)
      unsafe setenv("TZ", TimeZoneRule.checked(caller.request.timeZone), 1)
      let context = session.context.serving(caller.request, from: caller, offer)
      let code = CustomersCommands.run(caller.request.words, in: context)
      try caller.end(code, hasChanged: context.progress.done == .change)
      return .done
    })

  /// The command that looks up a transaction by its token, after a connection was lost.
  static let settle = Command(
    name: "__settle", summary: "report whether a change was made; if not, prevent it from being made later",
    operands: [.one(.text("TOKEN"))],
    run: { session in
      let token = TransactionToken(rawValue: session.invocation.operands[0])
      let outcome = try session.openList(creating: false).settle(token)
      try session.output.write(outcome.word)
      return .done
    })
}

extension TransactionOutcome {
  /// The output of `__settle`.
  fileprivate var word: String {
    switch self {
    case .committed: "committed"
    case .notCommitted: "not committed"
    case .unknown: "unknown"
    }
  }

  init(word: String) {
    self = [TransactionOutcome.committed, .notCommitted].first { $0.word == word } ?? .unknown
  }
}

/// The first line that `customers serve` sends, by which a caller recognizes it.
enum Greeting {
  private static let start = "customers serve"

  static let text = "\(start) \(Message.protocolNumber) \(version)"

  /// Returns the protocol number and the program's version; nil if the line is not a greeting.
  static func read(_ line: String) -> (protocolNumber: Int, version: String)? {
    guard line.hasPrefix(start + " ") else { return nil }
    let words = line.dropFirst(start.count).split(separator: " ")
    guard words.count == 2, let number = Int(words[0]) else { return nil }
    return (number, printable(String(words[1])))
  }
}

extension Session {
  /// The request of a command that has the terminal; nil if the request comes over the channel.
  ///
  /// If `authorized_keys` restricts a key to `customers serve`, sshd runs just that and puts the command from the
  /// other machine in a variable.
  fileprivate var wordOfRequest: String? {
    guard invocation.operands.isEmpty, context.input.isTerminal else { return invocation.operands.first }
    return environment[Environment.originalCommand]?.split(separator: " ").last.map(String.init)
  }

  /// Runs a command on the terminal that ssh allocated; without a limit, with this machine's editor and pager.
  fileprivate func serveOnTerminal(_ word: String, _ offer: Offer) throws -> ExitCode {
    guard let bytes = Base64.decode(word), let request = try? RemoteRequest(Message(.request, bytes: bytes))
    else {
      throw Failure.usage(
        "customers \(version) can't read the request of the program on the other machine",
        hint: "install the same version on both")
    }
    unsafe setenv("TZ", TimeZoneRule.checked(request.timeZone), 1)
    return CustomersCommands.run(request.words, in: context.serving(request, from: nil, offer))
  }
}
