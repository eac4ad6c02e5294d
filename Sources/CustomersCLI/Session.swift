internal import Formats
internal import CustomerStore
internal import Platform
internal import TerminalText

/// One run of the program: what was asked, where the data are, and where words go.
struct Session: Sendable {
  var invocation: Invocation
  let context: Context
  let progress = RunProgress()
  /// Whether the rows were read from standard input, so that no answer is to be had there.
  var readsRows = false

  var environment: [String: String] { context.environment }
  var output: Stream { context.output }
  var errors: Stream { context.errors }
  var isQuiet: Bool { invocation.has("--quiet") }
  var isDryRun: Bool { invocation.has("--dry-run") }

  /// What the command prints in.
  func format() throws -> Format {
    let named = try namedFormat()
    if invocation.has("--json") { return .json }
    return invocation.command?.formatIsOfFile == true ? .table : named ?? .table
  }

  /// The format that `--format` says, if the command knows it.
  func namedFormat() throws -> Format? {
    guard let name = invocation.value("--format") else { return nil }
    let allowed = invocation.command?.formats ?? Format.allCases
    guard let format = Format(rawValue: name), allowed.contains(format) else {
      let names = allowed.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("unknown format \(quoted(name))", hint: "the formats of this command are \(names)")
    }
    return format
  }

  /// The size of the terminal; `$COLUMNS` says so, if it says anything.
  var screen: Screen {
    let screen = output.screen
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? 0
    return columns > 0 ? Screen(columns: columns, rows: screen.rows) : screen
  }

  /// Lets the person read what is longer than the screen in a pager, if there is one to be used.
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
  /// Tells a program what is now true, or would be.
  func answer(_ json: [(String, JSON)]) throws {
    let dryRun: [(String, JSON)] = isDryRun ? [("dry_run", .bool(true))] : []
    try output.write(JSON.object(json + dryRun).text + "\n")
  }

  /// Tells a person what is now true, or would be.
  func tell(_ lines: [String]) throws {
    // What a dry run says is what was asked for, also with --quiet.
    guard !isQuiet || isDryRun else { return }
    for line in lines { try output.write(line + "\n") }
  }

  /// The same, of one thing.
  func tell(_ sentence: Sentence) throws { try tell([sentence.text(isDryRun: isDryRun)]) }

  /// Makes the edits of `body` in one transaction; with `--dry-run` they are taken back.
  func write<Result: Sendable>(
    creating: Bool, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    let store = try openStore(creating: creating)
    return try holdingOutput { isDryRun ? try store.dryRun(body) : try write(store, body) }
  }

  /// Writes, and takes note if something was changed; an error after the commit is only a warning.
  private func write<Result: Sendable>(
    _ store: CustomerStore, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    var written: (result: Result, isChange: Bool)?
    do {
      try store.write(action: invocation.action) { list in
        written = (try body(&list), list.hasEdits)
      }
    } catch let error as CommitError where error.outcome == .committed {
      try writeAside("warning: \(printable(error.description))")
    }
    guard let written else { preconditionFailure("a transaction was committed that did not run") }
    if written.isChange { progress.noteChange() }
    return written.result
  }

  /// Reads the list; who will make a missing file reads an empty one.
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
  /// The key that suspends programs is heard when the list is free again.
  func reading<Result>(_ transaction: () throws -> Result) throws -> Result {
    try SignalSet([SIGTSTP, SIGTTIN, SIGTTOU]).held { try holdingOutput(transaction) }
  }

  /// Runs a transaction, which waits for nobody who reads what is written in the meantime.
  func holdingOutput<Result>(_ transaction: () throws -> Result) throws -> Result {
    try output.held { try errors.held(transaction) }
  }

  /// The store of the customers file; an empty list in memory if there is none, and none is to be made, in
  /// the usual place or where one may be missing.
  ///
  /// - Throws: `StoreError.missing` if a person has named a file that is not there, or none can be made.
  func openStore(creating: Bool, mayBeMissing: Bool = false) throws -> CustomerStore {
    let makesFile = creating && !isDryRun
    // Not where one could not be made: what is written into memory would be lost.
    let standsForEmpty = try !makesFile && (creating || mayBeMissing || !dataFile().isNamed)
    do {
      return try openFile(creating: makesFile)
    } catch StoreError.missing where standsForEmpty {
      return try CustomerStore.inMemory()
    }
  }

  /// The store of the customers file.
  func openFile(creating: Bool, adoptingDump: Bool = false) throws -> CustomerStore {
    var options = CustomerStore.Options()
    options.createsFile = creating
    options.adoptsDump = adoptingDump
    options.createsFolders = try !dataFile().isNamed
    options.program = "customers"
    let path = try dataFile().path
    // Nodes that elect a leader may take longer than a program that writes.
    if CustomerStore.isClusterAddress(path) { options.busyTimeout = .seconds(30) }
    let waiting = Waiting(for: path, telling: isQuiet ? nil : errors, atMost: options.busyTimeout)
    options.whileWaiting = { waiting.goesOn(after: $0) }
    // An import may be longer than memory is large.
    if invocation.command?.name == Command.importCommand.name { options.memoryForChanges = 2_000_000 }
    return try context.openStore(path, options)
  }

  /// Refuses what only a file can have done to it, with the way that there is.
  func refuseCluster(_ what: String, hint: String) throws {
    guard CustomerStore.isClusterAddress(try dataFile().path) else { return }
    throw Failure(code: .refused, message: "\(what) can't be done on a cluster", hint: hint)
  }

  /// The path of the customers file, what said so, and whether a person has named it.
  func dataFile() throws -> (path: String, source: String, isNamed: Bool) {
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
