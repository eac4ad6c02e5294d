internal import CustomerStore

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
