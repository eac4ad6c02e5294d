internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The exit code of a command.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// Success, including when there was nothing to do.
  case done = 0
  /// Reading, writing, or the file itself failed; nothing was changed.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// A row, section, or file does not exist, or a name is ambiguous.
  case notFound = 3
  /// Refused: a protected row, or a confirmation is needed but there is no terminal.
  case refused = 4
  /// The user answered no.
  case declined = 5
  /// The change may have been made.
  case unknown = 6
  /// The change was made or the file written, but something after it failed.
  case incomplete = 7
  /// The list, or a copy of it, is damaged, as `status` or `backup --latest` has found out.
  case damaged = 8
  /// Another program has locked the list, as `status` has found out.
  case locked = 9
  /// The list can't be read, or no leader of its cluster can be reached, as `status` has found out.
  case unreadable = 10
  /// There is no copy, the newest one is older than `--max-age`, or one is from the future.
  case outdated = 11
}

/// Why a command failed.
struct Failure: Error {
  var code: ExitCode
  /// One line, without a period.
  var message: String
  /// Lines that belong to the message, such as candidates.
  var details: [String] = []
  /// The possible rows or sections, for a program.
  var candidates: [JSON] = []
  /// That nothing was done, as a sentence, if it is not in the message.
  var outcome: String?
  /// What to do instead.
  var hint: String?
  /// The offending word as typed, if it is one word.
  var offendingArgument: String?
  /// Whether it was refused only because there is no terminal to ask on.
  var needsPerson = false
  /// The question that could not be asked, if it is only yes or no.
  var question: String?
  /// What was done nevertheless; only something after it failed.
  var done: RunProgress.Done?
  /// Whether another program has locked the list, so that trying again may help; nothing was changed.
  var isOfLock = false
  /// Whether it stays until someone has looked at it, so that trying again can't help.
  var isLasting = false
  /// Whether the command has done what it was asked to do, and this is what it found.
  var isFinding = false
  /// The offending lines of a script.
  var problems: [ScriptDiagnostic] = []

  static func usage(_ message: String, hint: String? = nil, offendingArgument: String? = nil) -> Failure {
    Failure(code: .usage, message: message, hint: hint, offendingArgument: offendingArgument)
  }

  static func refused(
    _ message: String, details: [String] = [], hint: String? = nil, offendingArgument: String? = nil
  ) -> Failure {
    Failure(
      code: .refused, message: message, details: details, hint: hint, offendingArgument: offendingArgument)
  }

  static func failed(_ message: String, details: [String] = [], hint: String? = nil) -> Failure {
    Failure(code: .failed, message: message, details: details, hint: hint)
  }

  static func notFound(
    _ message: String, details: [String] = [], candidates: [JSON] = [], hint: String? = nil
  ) -> Failure {
    Failure(code: .notFound, message: message, details: details, candidates: candidates, hint: hint)
  }

  /// What helps if a file is damaged that is not the list.
  static func checkHint(_ file: String? = nil) -> String {
    "to see what is wrong: customers check" + (file.map { " --db \(typed($0))" } ?? "")
  }
}

extension Failure {
  /// The failure for an error of any layer, about a file or the list at an address.
  init(_ error: any Error, file: String, at address: ListAddress? = nil) {
    switch StoreError.ofStore(error) {
    case let failure as Failure: self = failure
    case let error as SelectionError: self.init(error)
    case let error as FilterError: self.init(error)
    case let error as ListError: self.init(refusal: error, file: file)
    case let error as StaleConfirmation: self.init(error)
    case let error as FieldConflict: self.init(error)
    case BatchError.refused(_, let reason): self.init(refusal: reason, file: file)
    case let error as StoreError: self.init(error, file: file, at: address)
    case let error as CommitError: self.init(error, file: file)
    case let error as BackupError:
      self.init(explained: error, file: file)
      if case .isDamaged = error { code = .damaged }
    case let error as any ExplainedError: self.init(explained: error, file: file)
    case let error as FileError: self.init(error)
    case is CancellationError: self.init(code: .failed, message: "interrupted; nothing was changed")
    default: self.init(code: .failed, message: printable("\(error)"))
    }
  }

  /// The failure for an error about a file; `reason` says it in other words, and `customer` is a word that names the
  /// customer to whom a remedy applies.
  init(
    explained error: any ExplainedError, _ reason: String? = nil, file: String, customer: String? = nil
  ) {
    let explanation = error.explanation
    let reason = printable(reason ?? explanation.reason)
    self.init(
      code: ExitCode(explanation.kind),
      message: error.task(with: file).map { "can't \($0): \(reason)" } ?? reason,
      outcome: explanation.nothing.map { "Nothing was \($0)." })
    let hints = explanation.remedies.map { $0.hint(file, customer) }
    hint = hints.isEmpty ? nil : hints.joined(separator: "; ")
  }

  /// The failure for an error about the list; `label` is how the user named the customer.
  init(refusal error: ListError, _ label: CustomerLabel? = nil, file: String = "") {
    self.init(
      explained: error, label.map { error.explanation(naming: $0.title).reason }, file: file,
      customer: label?.word)
    switch error {
    case .placeOutOfRange(let asked, _):
      message = message.replacing("number \(asked)", with: Invocation.spelled("number", asked))
    case .ambiguousColumn(let name, _): offendingArgument = name
    default: break
    }
  }

  private init(_ error: CommitError, file: String) {
    let isDone = error.outcome == .committed
    self.init(explained: error, isDone ? error.reason.description : nil, file: file)
    done = isDone ? .change : nil
  }

  private init(_ error: StoreError, file: String, at address: ListAddress?) {
    var reason: String?
    let absence = error == .missing ? (address ?? .file(file)).absence(called: file) : nil
    if error == .locked, let address {
      reason =
        address.isCluster
        ? "another program is writing to the list" : address.holder.map { "\($0) has locked the list" }
    }
    self.init(explained: error, absence?.message ?? reason, file: file)
    isOfLock = error == .locked
    if let absence { hint = absence.hint }
  }

  private init(_ error: StaleConfirmation) {
    let details =
      switch error {
      case .otherOutcome(let shown, let now): Failure.differences(shown, now)
      case .otherColumn(let column, let shown, let now) where shown == now:
        ["now: column \(quoted(column)) has other values"]
      case .otherColumn(let column, let shown, let now):
        [
          "now: \(counted(now, "customer")) \(now == 1 ? "has" : "have") column \(quoted(column)), not \(shown)"
        ]
      case .otherImport: ["now: the import would add, change, or skip other rows"]
      case .otherHistory: ["the list was restored, or a copy of it was put in its place"]
      case .refused(let reason): [printable(reason.description)]
      }
    self = .changedSinceShown(details)
  }

  /// The failure of a confirmed edit, because the list has changed since it was shown.
  static func changedSinceShown(_ details: [String]) -> Failure {
    Failure(
      code: .refused,
      message: "another program changed the list while you were deciding; nothing was changed",
      details: shown(details.map { "     \($0)" }))
  }

  /// What was shown and is no longer true, and what is true now.
  private static func differences(_ shown: EditOutcome, _ now: EditOutcome) -> [String] {
    let (old, new) = (
      TextPresenter(shown, isDryRun: true).lines, TextPresenter(now, isDryRun: true).lines
    )
    let (oldSet, newSet) = (Set(old), Set(new))
    let lines =
      old.filter { !newSet.contains($0) }.map { "shown: \($0)" }
      + new.filter { !oldSet.contains($0) }.map { "now: \($0)" }
    guard lines.isEmpty else { return lines }
    // As many rows as before, but others.
    let ids = { (ids: Set<CustomerID>) in ids.map(\.rawValue).sorted().map { "@\($0)" } }
    return ids(shown.deleted.subtracting(now.deleted)).map { "shown: customer \($0)" }
      + ids(now.deleted.subtracting(shown.deleted)).map { "now: customer \($0)" }
  }

  private init(_ error: FieldConflict) {
    self.init(
      code: .refused,
      message: "another program changed the customer while you were editing; nothing was changed",
      details: error.fields.map { "     \(printable($0.title)) is now \(quoted(error.theirs[$0].text))" })
  }

  private init(_ error: FileError) {
    code = error.operation == .open && error.reason.isMissing ? .notFound : .failed
    let name = error.path == "-" ? "standard input" : quoted(error.path)
    message = "can't \(error.operation.words) \(name): \(error.reason)"
    if error.operation == .keepTemporaryFile, error.reason.isFull {
      hint = "set $TMPDIR to a folder with more space"
    }
  }
}

extension ExitCode {
  /// The exit code for a kind of error.
  fileprivate init(_ kind: ErrorKind) { self = ExitCode(rawValue: kind.exitCode) ?? .failed }
}

extension Remedy {
  /// What to do about a file; `customer` is the word that names the customer, if it is not the id.
  fileprivate func hint(_ file: String, _ customer: String?) -> String {
    switch self {
    case .advice(let words): words
    case .run(let command, let purpose): "to \(purpose): customers \(command.line(customer, file))"
    case .seeHistory(let when): "when the \(when) again, customers history shows what was done"
    case .chooseAnotherList: "name another file: --db PATH"
    case .chooseAnotherFileOrReplace: "name another file or add --yes to replace it"
    case .suspectJournal:
      "find out who put \(printable(file))-journal there. If you don't know, move it away and restore a backup; "
        + "if another database was changed together with the list, open both with sqlite3 first"
    case .emptySection: "move or delete its rows first, or add --with-customers"
    }
  }
}

extension Remedy.Command {
  fileprivate func line(_ customer: String?, _ file: String) -> String {
    switch self {
    case .addSection: "section add Customers"
    case .check: "check"
    case .checkFile: "check --db \(file.isEmpty ? "FILE" : typed(file))"
    case .repair: "check --repair"
    case .restore: "restore FILE"
    case .exportPartial: "export --partial FILE"
    case .upgrade: "check --upgrade"
    case .allowEditing(let id): "edit \(customer ?? "@\(id.rawValue)") --allow edit"
    case .allowMoving(let id): "edit \(customer ?? "@\(id.rawValue)") --allow move"
    case .edit(let id): "edit @\(id.rawValue)"
    case .history: "history"
    case .historyOf(let id): "history @\(id.rawValue)"
    }
  }
}

extension Failure {
  /// The failure when words name no row or section, with candidates and a hint.
  init(_ error: SelectionError) {
    self = Failure.selection(error, quoted(error.text))
    if case .noRow = error.reason, hint == nil, PhoneDigits.areFound(by: error.word) {
      hint = "to search for it: customers list --text \(typed(error.word))"
    }
    offendingArgument = error.word
  }

  private static func selection(_ error: SelectionError, _ text: String) -> Failure {
    switch error.reason {
    case .empty: .usage("the name of a row is empty")
    case .malformed:
      .usage(
        "\(text) is not a valid row",
        hint: "for example: 3, 2,5-7, 5-, @17, first, leads/2, leads/1-3, or \"Ann Lee\"")
    case .backward(let first, let last):
      .usage("the range \(first)-\(last) is backward", hint: didYouMean("\(last)-\(first)"))
    case .notOne(let count): .usage("expected one row, but \(text) names \(count)")
    case .repeated(let name, let id):
      .usage("\(name.isEmpty ? "customer @\(id.rawValue)" : quoted(name)) is named twice")
    case .emptyList: .notFound("the list is empty")
    case .noCustomer(let id):
      .notFound(
        id.rawValue == .max ? "no customer has so large an id" : "there is no customer @\(id.rawValue)")
    case .noRow(let row, let count, nil):
      .notFound(
        count > 0 ? Invocation.outOfRange("row", row, count) : "the list is empty",
        hint: count > 0 ? nil : "to add a customer: customers add NAME")
    case .noRow(let row, let count, let title?):
      .notFound(
        count > 0
          ? "\(Invocation.outOfRange("row", row, count)) in section \(quoted(title))"
          : "section \(quoted(title)) has no rows")
    case .noName(let near):
      .notFound(
        "no customer matches \(text)", candidates: near.map { [Candidates.json($0)] } ?? [],
        hint: near.map { "did you mean \(quoted($0.name)) (row \($0.position), @\($0.id.rawValue))?" }
          ?? (text.contains(",")
            ? "write a space between names: Ann Bob; numbers and ids may be in a list: 2,5-7" : nil))
    case .severalNames(let matches, let count): severalNames(matches, count, text)
    case .onlyPart(let match):
      .notFound(
        "\(text) matches only part of a word in \(quoted(match.name)) (row \(match.position), @\(match.id.rawValue))",
        hint: "use a whole word, the row number, or @\(match.id.rawValue)")
    case .onlyPartOfTitle(let section):
      .notFound(
        "\(text) matches only part of \(quoted(section.title)) (section \(section.order), @\(section.id.rawValue))",
        hint: "use the full title, the number, or @\(section.id.rawValue)")
    case .noTitle(let titles):
      .notFound("no section matches \(text)", hint: knownSections(titles, instead: error.text))
    case .severalTitles(let sections):
      .notFound(
        "\(sections.count) sections match \(text)",
        details: sections.map { "     \($0.order)  @\($0.id.rawValue)  \(printable($0.title))" },
        candidates: sections.map(Candidates.json),
        hint: "use the section number or the id")
    }
  }

  private static func severalNames(
    _ matches: [SelectionError.Match], _ count: Int, _ text: String
  ) -> Failure {
    var details = matches.map { match in
      let digits = String(match.position)
      let position = String(repeating: " ", count: max(0, 6 - digits.count)) + digits
      return "\(position)  \(padded("@\(match.id.rawValue)", to: 4)) \(printable(match.name))"
    }
    if count > matches.count { details.append("     … and \(count - matches.count) more") }
    return .notFound(
      "\(count) customers match \(text)", details: details, candidates: matches.map(Candidates.json),
      hint: "use the row number or the id")
  }
}

extension Failure {
  /// The failure for an invalid question of `--where`.
  init(_ error: FilterError) {
    let lists = "to list the extra columns: customers columns"
    let hint = if case .noSuchField(_, nil) = error.reason { lists } else { error.hint }
    self = .usage("--where: \(error.description)", hint: hint)
    offendingArgument = error.word
  }
}

extension Failure {
  /// Makes the command lines in hints those that can be typed: for the same list, and without the name of the program in
  /// a script.
  mutating func makeTypable(db: String?) {
    if let db, let hint, !hint.contains(GlobalOptions.list.name) {
      self.hint = Failure.replacingCommands(in: hint) { command, _ in
        command.name == Command.help.name
          ? nil : "customers \(GlobalOptions.list.name) \(typed(db)) \(command.name)"
      }
    }
    for index in problems.indices {
      problems[index].hint = problems[index].hint.map { hint in
        Failure.replacingCommands(in: hint) { command, rest in
          // What only lists is no edit.
          command.editing == nil || rest.isEmpty || rest == " list" ? nil : command.name
        }
      }
    }
  }

  /// A hint whose command lines begin with other words, where there are any.
  private static func replacingCommands(
    in hint: String, by words: (_ command: Command, _ rest: Substring) -> String?
  ) -> String {
    let parts = hint.split(separator: "customers ", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      let name = String(part.prefix { $0.isLetter })
      // Not the end of another line, such as `ssh HOST customers mcp`.
      let begins = text.isEmpty || text.hasSuffix(": ") || text.hasSuffix("\n      ")
      let command = begins ? Command.all.first { $0.name == name } : nil
      let rest = part.dropFirst(name.count)
      return text + (command.flatMap { words($0, rest) } ?? "customers \(name)") + rest
    }
  }

  /// The lines for people on standard error.
  var lines: [String] {
    problems.flatMap(\.lines) + ["customers: \(sentence)"] + details + [outcome].compactMap(\.self)
      + (hint.map { ["hint: \($0)"] } ?? [])
  }

  /// The message, and what was done nevertheless.
  var sentence: String { done.map { "\($0.rawValue), but then: \(message)" } ?? message }

  /// The object for a program on standard error.
  var json: JSON {
    var error: [(String, JSON)] = [("code", .int(Int(code.rawValue))), ("message", .string(sentence))]
    if done != nil { error.append(("done", .bool(true))) }
    if !details.isEmpty { error.append(("details", .array(details.map(JSON.string)))) }
    if !candidates.isEmpty { error.append(("candidates", .array(candidates))) }
    if let outcome { error.append(("outcome", .string(outcome))) }
    if let hint { error.append(("hint", .string(hint))) }
    if !problems.isEmpty { error.append(("problems", .array(problems.map(\.json)))) }
    return .object([("error", .object(error))])
  }
}

extension ScriptDiagnostic {
  fileprivate var lines: [String] {
    ["\(printable(file)):\(line): \(message)"] + excerpt + details + (hint.map { ["hint: \($0)"] } ?? [])
  }

  fileprivate var json: JSON {
    var problem: [(String, JSON)] = [("file", .string(file)), ("line", .int(line))]
    if let range { problem.append(("column", .int(range.lowerBound + 1))) }
    problem += [("code", .int(Int(code.rawValue))), ("message", .string(message))]
    if !details.isEmpty { problem.append(("details", .array(details.map(JSON.string)))) }
    if !candidates.isEmpty { problem.append(("candidates", .array(candidates))) }
    if let hint { problem.append(("hint", .string(hint))) }
    return .object(problem)
  }
}
