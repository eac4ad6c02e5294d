internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The command to run on the machine of the list, and the facts it needs about the caller's machine.
struct RemoteRequest: Sendable {
  /// The words after the program's name.
  var words: [String]
  /// The address of the list, unless the words name it; empty for the default one there.
  var list: String
  /// The variables that `Environment.sent` names; of any others, the other side takes none.
  var environment: [String: String]
  /// The token of the command's transaction.
  var token: TransactionToken
  /// The time zone as a value of `$TZ` that needs no time zone files on the other machine.
  var timeZone: String
  /// Whether standard input is a terminal.
  var inputIsTerminal: Bool
  /// Whether the caller has a controlling terminal.
  var hasTerminal: Bool
  /// Whether the user has chosen an editor.
  var hasEditor: Bool
  /// The sizes of the terminals of standard output and standard error; nil if they are not terminals.
  var outputScreen: Screen?
  var errorsScreen: Screen?

  var message: Message {
    let facts = [
      "\(Message.protocolNumber)",
      token.rawValue, timeZone, inputIsTerminal ? "terminal" : "", hasTerminal ? "terminal" : "",
      hasEditor ? "editor" : "", outputScreen?.text ?? "", errorsScreen?.text ?? "", list,
      "\(environment.count)",
    ]
    return Message(.request, facts + environment.flatMap { [$0.key, $0.value] } + words)
  }

  init(_ message: Message) throws {
    let texts = try message.texts
    guard message.kind == .request, texts.count >= 10, texts[0] == "\(Message.protocolNumber)",
      let count = Int(texts[9]), (0...100).contains(count), texts.count >= 10 + 2 * count
    else { throw Message.Malformed() }
    token = TransactionToken(rawValue: texts[1])
    timeZone = texts[2]
    (inputIsTerminal, hasTerminal) = (!texts[3].isEmpty, !texts[4].isEmpty)
    hasEditor = !texts[5].isEmpty
    (outputScreen, errorsScreen) = (Screen(text: texts[6]), Screen(text: texts[7]))
    list = texts[8]
    environment = [:]
    for index in 0..<count { environment[texts[10 + 2 * index]] = texts[11 + 2 * index] }
    words = Array(texts[(10 + 2 * count)...])
  }

  /// Creates the request for a run on this machine.
  init(_ session: Session, token: TransactionToken) {
    let context = session.context
    words = session.invocation.words
    environment = context.environment.filter { Environment.sent.contains($0.key) }
    // Not every run has its list from the words or the environment.
    list = (try? session.list)?.text ?? ""
    self.token = token
    timeZone = TimeZoneRule.current(context.environment["TZ"])
    inputIsTerminal = context.input.isTerminal
    hasTerminal = context.terminal() != nil
    hasEditor = context.hasChosenEditor
    outputScreen = context.output.isTerminal ? context.output.screen : nil
    errorsScreen = context.errors.isTerminal ? context.errors.screen : nil
  }
}

extension Screen {
  fileprivate var text: String { "\(columns)x\(rows)" }

  /// Creates a screen from a size; nil for an empty or malformed text.
  fileprivate init?(text: String) {
    let numbers = text.split(separator: "x").compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    self.init(columns: numbers[0], rows: numbers[1])
  }
}

/// Runs a command on the machine of the list, as if it ran here.
struct RemoteRun {
  private let session: Session
  private let machine: SSHAddress
  private let token = TransactionToken()

  init(_ session: Session, on machine: SSHAddress) {
    self.session = session
    self.machine = machine
  }

  /// Runs the command until it ends.
  ///
  /// - Throws: a `Failure` if the machine can't be reached, or if the connection is lost and the change was
  ///   not made or may have been made.
  func run() throws -> ExitCode {
    let mayAsk = session.invocation.command?.name != Command.complete.name
    let connection = try SSHConnection(machine, session.context, mayAsk: mayAsk)
    defer { connection.close() }
    var person = RemotePerson(session, connection.channel)
    // Whether a change that was announced can be looked up by the token; nil before one.
    var hasToken: Bool?
    person.send(RemoteRequest(session, token: token).message)
    while true {
      connection.channel.wait(session.output.pause)
      guard let message = try? connection.channel.receive() else { break }
      switch message.kind {
      case .willChange:
        session.outliveReaders()
        hasToken = try message.texts == ["token"] && hasToken != false
        person.send(Message(.reply))
      case .exit: return try person.end(message)
      default: try person.answer(message)
      }
    }
    let lost = "the connection to \(quoted(machine.host)) was lost"
    switch hasToken.map({ $0 ? settle() : .unknown }) ?? .notCommitted {
    case .committed:
      try session.writeAside("warning: \(lost), but the change was made")
      return .done
    case .notCommitted: throw Failure.failed("\(lost); nothing was changed")
    case .unknown:
      let what = hasToken == true ? "the change may have been made" : "the command may have been completed"
      throw Failure(
        code: .unknown, message: "\(lost); \(what)",
        hint: "when the machine can be reached again, customers history shows what was done")
    }
  }

  /// Looks up the transaction; if the machine can't be reached, tries twice more.
  private func settle() -> TransactionOutcome {
    for pause in [0, 1, 3] {
      sleep(UInt32(pause))
      let question = Invocation(.settle, [token.rawValue])
      if let word = try? session.answer(of: machine, question) { return TransactionOutcome(word: word) }
    }
    return .unknown
  }
}

extension Session {
  /// Runs a full-screen command on the machine of the list, on a terminal that ssh allocates there, until it ends.
  ///
  /// - Throws: a `Failure` with code `failed` if the machine can't be reached.
  func runOnTerminal(of machine: SSHAddress) throws -> ExitCode {
    let program = SSHConnection.program(context)
    let request = RemoteRequest(self, token: TransactionToken())
    let words = ["-t"] + machine.words + [SSHConnection.command(serving: request)]
    let code = try leavingInterruptsToChild { try Child("exec \(program) \"$@\"", words).wait() }
    // The words are valid here, so the program there is of another version.
    guard code != ExitCode.usage.rawValue else {
      throw Failure.failed(
        "customers on \(quoted(machine.host)) is not of the same version as this one, \(version)",
        hint: "install the same version on both")
    }
    if let code = ExitCode(rawValue: code) { return code }
    throw SSHConnection.failure(machine, code: code, program: program)
  }
}

/// The time zone of this machine in a form that needs no time zone files.
///
/// A machine without those files does not know a name such as `Europe/Berlin`, but it understands a rule such
/// as `CET-1CEST,M3.5.0,M10.5.0/3`. The last line of each time zone file has the current rule.
enum TimeZoneRule {
  /// Returns the rule of the zone in `$TZ`, or of the machine's zone if the variable is not set.
  static func current(_ variable: String?) -> String {
    guard let variable else { return rule(inFile: "/etc/localtime") ?? "UTC0" }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    guard !name.isEmpty else { return "UTC0" }
    return rule(inFile: name.hasPrefix("/") ? name : "/usr/share/zoneinfo/\(name)") ?? name
  }

  /// Returns a rule from another machine; UTC if it is none.
  ///
  /// The C library takes any other text for the path of a file.
  static func checked(_ text: String) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isRule =
      parts[0].utf8.first.map { $0 == UInt8(ascii: "<") || ($0 | 0x20) &- UInt8(ascii: "a") < 26 } == true
      && parts.dropFirst().allSatisfy { $0.utf8.first.map { "+-0123456789".utf8.contains($0) } == true }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && text.utf8.count < 100
    return isRule ? text : "UTC0"
  }

  private static func rule(inFile path: String) -> String? {
    guard FileIdentity(path)?.isRegular == true, let bytes = try? InputFile(path).readAll(),
      bytes.starts(with: Array("TZif".utf8)), bytes.last == UInt8(ascii: "\n")
    else { return nil }
    let line = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last
    return line.flatMap { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) }
  }
}
