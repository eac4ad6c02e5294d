internal import CustomerStore
internal import Files
internal import Platform
internal import TerminalText

extension Command {
  /// What `ssh` starts on the machine of the list.
  static let serve = Command(
    name: "serve", summary: "run a command for a program on another machine",
    description: [
      "What `customers --db ssh://…` starts on the machine of the list; not for people. It talks on standard",
      "input and standard output, runs one command, and ends with it or with the connection. It lets those",
      "who can start it do what they could do with customers anyway.",
    ],
    operands: [.optional(.text("REQUEST"))], seeAlso: ["ssh"], runsAtList: { _ in false },
    run: { session in
      if let word = session.invocation.operands.first { return try session.serveOnTerminal(word) }
      let channel = Channel(input: .standardInput, output: .standardOutput)
      signal(SIGHUP, SIG_DFL)
      try channel.write(line: Greeting.text)
      guard let message = try channel.receive() else { return .failed }
      let caller = Caller(try Request(message), on: channel)
      caller.endWhenGone(.standardInput)
      let context = Context(serving: caller, home: session.environment["HOME"])
      let code = CustomersCLI.run(caller.request.words, in: context)
      try caller.end(code, isDone: context.progress.isDone)
      return .done
    })

  /// What becomes of a change whose answer was lost: the program asks by the token that it gave it.
  static let settle = Command(
    name: "__settle", summary: "say what became of a change, and let it not happen any more",
    operands: [.one(.text("TOKEN"))],
    run: { session in
      let token = TransactionToken(rawValue: session.invocation.operands[0])
      let outcome = try session.openFile(creating: false).settle(token)
      try session.output.write(outcome.word)
      return .done
    })
}

extension TransactionOutcome {
  /// What `__settle` prints.
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

/// The line by which the program on the other machine is recognized.
enum Greeting {
  private static let start = "customers serve"

  static let text = "\(start) \(Message.protocolNumber) \(version)"

  /// The number of the protocol and the version of the program, if the line is a greeting.
  static func read(_ line: String) -> (protocolNumber: Int, version: String)? {
    guard line.hasPrefix(start + " ") else { return nil }
    let words = line.dropFirst(start.count).split(separator: " ")
    guard words.count == 2, let number = Int(words[0]) else { return nil }
    return (number, printable(String(words[1])))
  }
}

extension Context {
  /// What a run finds that another program has asked for: little of this machine's.
  fileprivate init(serving caller: Caller, home: String?) {
    let request = caller.request
    unsafe setenv("TZ", request.timeZone, 1)
    let input =
      request.inputIsTerminal
      ? StandardInput(isTerminal: true) { caller.line(fromTerminal: false) } : CallerLines(caller).input
    self.init(
      environment: request.environment.merging(home.map { ["HOME": $0] } ?? [:]) { $1 }, input: input,
      output: caller.stream(.output, request.outputScreen),
      errors: caller.stream(.errors, request.errorsScreen), caller: caller, isAtList: true,
      terminal: {
        request.hasTerminal ? StandardInput(isTerminal: true) { caller.line(fromTerminal: true) } : nil
      })
  }
}

extension Session {
  /// Runs a command on the terminal that ssh has made here, with this machine's editor and pager.
  fileprivate func serveOnTerminal(_ word: String) throws -> ExitCode {
    guard let bytes = Base64.bytes(word), let request = try? Request(Message(.request, bytes: bytes)) else {
      throw Failure.usage(
        "customers \(version) does not understand the program on the other machine",
        hint: "install the same version on both")
    }
    unsafe setenv("TZ", request.timeZone, 1)
    var context = context
    for name in ["CUSTOMERS_DB", "NO_COLOR"] { context.environment[name] = request.environment[name] }
    context.isAtList = true
    return run(request.words, in: context)
  }

  private func run(_ words: [String], in context: Context) -> ExitCode {
    CustomersCLI.run(words, in: context)
  }
}
