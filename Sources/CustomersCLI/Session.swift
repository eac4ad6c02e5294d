internal import Formats
internal import CustomerStore
internal import Platform
internal import TerminalText

/// One run of the program: the command line, the data and the streams.
struct Session: Sendable {
  var invocation: Invocation
  let context: Context
  /// The words after the program's name.
  var words: [String] = []
  /// Whether the rows were read from standard input, so that answers can't be.
  var readsRows = false

  var environment: [String: String] { context.environment }
  var progress: RunProgress { context.progress }
  var output: Stream { context.output }
  var errors: Stream { context.errors }
  var isQuiet: Bool { invocation.has("--quiet") }
  var isDryRun: Bool { invocation.has("--dry-run") }

  /// The output format of the command.
  func format() throws -> Format {
    let named = try namedFormat()
    if invocation.has("--json") { return .json }
    return invocation.command?.formatIsOfFile == true ? .table : named ?? .table
  }

  /// The format given by `--format`, if the command supports it.
  func namedFormat() throws -> Format? {
    guard let name = invocation.value("--format") else { return nil }
    let allowed = invocation.command?.formats ?? Format.allCases
    guard let format = Format(rawValue: name), allowed.contains(format) else {
      let names = allowed.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("unknown format \(quoted(name))", hint: "the formats of this command are \(names)")
    }
    return format
  }

  /// The size of the terminal; `$COLUMNS` overrides the width.
  var screen: Screen {
    let screen = output.screen
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? 0
    return columns > 0 ? Screen(columns: columns, rows: screen.rows) : screen
  }

  /// Sends output longer than the screen to a pager, if there is one.
  func pageOutput() {
    guard output.isTerminal, !invocation.has("--no-pager"), environment["TERM"] != "dumb" else { return }
    if let command = Pager.command(environment) { output.page(command, screen) }
  }

  /// Whether text for a person on `stream` carries colors.
  func hasColor(_ stream: Stream) -> Bool {
    switch invocation.value("--color") {
    case "always": true
    case "never": false
    default:
      stream.isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}

extension Session {
  /// Reports the result to a program.
  func answer(_ json: [(String, JSON)]) throws {
    let dryRun: [(String, JSON)] = isDryRun ? [("dry_run", .bool(true))] : []
    try output.write(JSON.object(json + dryRun).text + "\n")
  }

  /// Reports the result to a person.
  func tell(_ lines: [String]) throws {
    // The report of a dry run is its result, so it is printed even with --quiet.
    guard !isQuiet || isDryRun else { return }
    for line in lines { try output.write(line + "\n") }
  }

  /// The same, for one sentence.
  func tell(_ sentence: Sentence) throws { try tell([sentence.text(isDryRun: isDryRun)]) }

  /// Makes the edits of `body` in one transaction, which `--dry-run` rolls back.
  func write<Result: Sendable>(
    creating: Bool, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    let store = try openStore(creating: creating)
    return try holdingOutput { isDryRun ? try store.dryRun(body) : try write(store, body) }
  }

  /// Writes, and records whether something changed; an error after the commit is only a warning.
  private func write<Result: Sendable>(
    _ store: CustomerStore, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    var written: (result: Result, isChange: Bool)?
    try context.caller?.expectChange(canBeLookedUp: true)
    let token = context.caller?.token
    var step: HistoryStep.ID?
    do {
      try store.write(action: invocation.action, token: token ?? TransactionToken()) { list in
        if let token { try list.refuseIfSettled(token) }
        written = (try body(&list), list.hasEdits)
        if context.noteStep != nil { step = try list.currentStep()?.id }
      }
    } catch let error as CommitError where error.outcome == .committed {
      try writeAside("warning: \(printable(error.description))")
    }
    guard let written else { preconditionFailure("a transaction was committed that did not run") }
    if written.isChange { progress.noteChange() }
    if let step { context.noteStep?(step) }
    return written.result
  }

  /// Reads the list; if the command would create a missing file, reads an empty one.
  func read<Result: Sendable>(
    mayBeMissing: Bool = false, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try read(openStore(creating: false, mayBeMissing: mayBeMissing), body)
  }

  /// Reads a store.
  func read<Result: Sendable>(
    _ store: CustomerStore, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try reading { try store.read(body) }
  }

  /// Runs a transaction that reads.
  ///
  /// The suspend key is handled when the list is unlocked.
  func reading<Result>(_ transaction: () throws -> Result) throws -> Result {
    try SignalSet([SIGTSTP, SIGTTIN, SIGTTOU]).held { try holdingOutput(transaction) }
  }

  /// Runs a transaction, which does not wait for the reader of its output.
  func holdingOutput<Result>(_ transaction: () throws -> Result) throws -> Result {
    try output.held { try errors.held(transaction) }
  }

  /// The store of the customers file; an empty list in memory if there is none and none will be created.
  ///
  /// - Throws: `StoreError.missing` if a file was named that does not exist, or can't be created.
  func openStore(creating: Bool, mayBeMissing: Bool = false) throws -> CustomerStore {
    let makesFile = creating && !isDryRun
    // Not for commands that write: what is written to memory would be lost.
    let standsForEmpty = try !makesFile && (creating || mayBeMissing || !dataFile().isNamed)
    do {
      return try openFile(creating: makesFile)
    } catch StoreError.missing where standsForEmpty {
      return try CustomerStore.inMemory()
    }
  }

  /// The store of the customers file.
  func openFile(creating: Bool, adoptingDump: Bool = false) throws -> CustomerStore {
    let options = try storeOptions(creating: creating, adoptingDump: adoptingDump)
    return try context.openStore(dataFile().path, options)
  }

  /// How the customers file is opened.
  func storeOptions(creating: Bool, adoptingDump: Bool = false) throws -> CustomerStore.Options {
    var options = CustomerStore.Options()
    options.createsFile = creating
    options.adoptsDump = adoptingDump
    options.createsFolders = try !dataFile().isNamed
    options.program = "customers"
    let path = try dataFile().path
    // An election may take longer than another program's write.
    if CustomerStore.isClusterAddress(path) { options.busyTimeout = .seconds(30) }
    let waiting = Waiting(for: path, telling: isQuiet ? nil : errors, atMost: options.busyTimeout)
    options.whileWaiting = { waiting.goesOn(after: $0) }
    // An import may be larger than memory.
    if invocation.command?.name == Command.importCommand.name { options.memoryForChanges = 2_000_000 }
    return options
  }

  /// Refuses a command that needs a file if the list is on a cluster; `hint` says what to do instead.
  func refuseCluster(_ what: String, hint: String) throws {
    guard CustomerStore.isClusterAddress(try dataFile().path) else { return }
    throw Failure(code: .refused, message: "\(what) can't be done on a cluster", hint: hint)
  }

  /// The path of the customers file on this machine, its source, and whether a person has named it.
  ///
  /// - Throws: a `Failure`, for example if the file is on another machine.
  func dataFile() throws -> (path: String, source: String, isNamed: Bool) {
    var file = try namedFile()
    guard SSHAddress.isMeant(by: file.path) else { return file }
    let address = try SSHAddress(file.path)
    guard context.isAtList else {
      throw Failure(code: .failed, message: "the list is on the machine \(quoted(address.host))")
    }
    file.path = address.path(inHome: environment["HOME"])
    return file
  }

  /// The machine to run the command on; nil for this one.
  func otherMachine() throws -> SSHAddress? {
    guard !context.isAtList, case let file = try namedFile().path, SSHAddress.isMeant(by: file) else {
      return nil
    }
    return try SSHAddress(file)
  }

  /// Returns the name of a file beside the customers file, for a person who may be at another machine.
  func name(ofFileAt path: String) throws -> String {
    guard context.caller != nil else { return path }
    return try SSHAddress(namedFile().path).text(of: path)
  }

  /// The name of the customers file in errors; empty if there is none.
  var fileName: String { (try? name(ofFileAt: dataFile().path)) ?? "" }

  private func namedFile() throws -> (path: String, source: String, isNamed: Bool) {
    if let path = invocation.value("--db") { return (try checked(path, "--db"), "--db", true) }
    if let path = environment["CUSTOMERS_DB"], !path.isEmpty { return (path, "$CUSTOMERS_DB", true) }
    let file = "customers/customers.sqlite"
    if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") {
      return ("\(home)/\(file)", "$XDG_DATA_HOME", false)
    }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw Failure(code: .failed, message: "no home folder is known", hint: "name the file: --db PATH")
    }
    return ("\(home)/.local/share/\(file)", "default location", false)
  }

  private func checked(_ path: String, _ option: String) throws -> String {
    guard !path.isEmpty else { throw Failure.usage("\(option) needs a path") }
    return path
  }
}
