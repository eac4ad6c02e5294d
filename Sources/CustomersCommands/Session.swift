internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// One run of the program: the command line, the data, and the streams.
struct Session: Sendable {
  var invocation = Invocation()
  /// The options of every command.
  private(set) var options = GlobalOptions(Invocation())
  let context: Context
  /// The list that the command works on or why there is none.
  private(set) var chosen: Result<ChosenList, any Error>
  /// Whether the rows were read from standard input, so that answers can't be.
  var readsRows = false

  /// Creates a run of a command line that is not parsed yet.
  init(in context: Context) {
    self.context = context
    chosen = Result { try ChosenList(Invocation(), in: context) }
  }

  /// Takes the parsed command line, which may name a list.
  mutating func take(_ invocation: Invocation) {
    self.invocation = invocation
    options = GlobalOptions(invocation)
    chosen = Result { try ChosenList(invocation, in: context) }
  }

  var environment: [String: String] { context.environment }
  var progress: RunProgress { context.progress }
  var output: Stream { context.output }
  var errors: Stream { context.errors }
  var isQuiet: Bool { options.isQuiet }
  var isDryRun: Bool { options.isDryRun }

  /// The output format of the command.
  func format() throws -> OutputFormat {
    let name = try formatName()
    if options.isJSON { return .json }
    guard case .printed(let formats)? = invocation.command?.formats else { return .table }
    return formats.first { $0.name == name } ?? .table
  }

  /// The name given by `--format`, if the command supports it.
  func formatName() throws -> String? {
    guard let name = options.format else { return nil }
    let allowed = invocation.command?.formats.names ?? CommandFormats.manual.map(\.name)
    guard let name = Name(name).only(of: allowed, by: \.self) else {
      let names = allowed.joined(separator: ", ")
      throw Failure.usage("unknown format \(quoted(name))", hint: "the formats are \(names)")
    }
    return name
  }

  /// The size of the terminal; `$COLUMNS` overrides the width.
  var screen: Screen {
    let screen = output.screen
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? 0
    return columns > 0 ? Screen(columns: columns, rows: screen.rows) : screen
  }

  /// Sends output longer than the screen to a pager, if there is one.
  func pageOutput() {
    guard !context.isConfined, output.isTerminal, options.usesPager, environment["TERM"] != "dumb" else {
      return
    }
    if let command = Pager.command(environment) { output.page(command, screen) }
  }

  /// Whether text for people on `stream` carries colors.
  func hasColor(_ stream: Stream) -> Bool {
    switch options.color {
    case .always: true
    case .never: false
    case .auto:
      stream.isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}

extension Session {
  /// Makes the edits of `body` in one transaction, which `--dry-run` rolls back.
  ///
  /// The interrupt key ends the transaction at once and takes effect when it is rolled back.
  func write<Result: Sendable>(
    creating: Bool, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try upgradingIfNeeded {
      try SignalSet.ending.held {
        try changing(openStore(creating: creating)) { store in
          try holdingOutput { isDryRun ? try dryRun(store, body) : try write(store, body) }
        }
      }
    }
  }

  /// Writes and records whether something changed; an error after the commit is only a warning.
  private func write<Result: Sendable>(
    _ store: CustomerStore, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    var written: (result: Result, isChange: Bool)?
    try store.refuseOlderFormat()
    try context.caller?.expectChange(canBeLookedUp: true)
    let token = context.caller?.token
    var step: HistoryStep.ID?
    var (before, after): (ListConfig?, ListConfig?)
    do {
      try store.write(action: invocation.action, token: token ?? TransactionToken()) { list in
        if let token { try list.refuseIfSettled(token) }
        if mayRenameSections { before = try ListConfig(list) }
        written = (try body(&list), list.hasEdits)
        if mayRenameSections { after = try ListConfig(list) }
        if context.noteStep != nil { step = try list.currentStep()?.id }
      }
    } catch let error as CommitError where error.outcome == .committed {
      try writeAside("warning: \(printable(error.description))")
    }
    guard let written else { preconditionFailure("a transaction was committed that did not run") }
    if written.isChange { note(.change) }
    if let before, let after { try keepConfirmed(before, as: after) }
    if let step { context.noteStep?(step) }
    return written.result
  }

  /// Notes what was done; from now on, a reader of the report that goes away does not end the program.
  func note(_ done: RunProgress.Done) {
    progress.note(done)
    outliveReaders()
  }

  /// From now on, what readers that have gone away would have read is dropped.
  func outliveReaders() {
    output.outliveReader()
    errors.outliveReader()
  }

  /// Makes the edits of `body` and rolls them back; those that may take long, in a copy of the list.
  func dryRun<Result: Sendable>(
    _ store: CustomerStore, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    guard let command = invocation.command else { return try store.dryRun(body) }
    if command.rewritesMuch { return try store.dryRun(rows: nil, body) }
    guard command.takesManyRows, let choice = try? RowChoice(invocation, operands: invocation.rowOperands)
    else {
      return try store.dryRun(body)
    }
    return try store.dryRun(rows: choice.rowsRead, body)
  }

  /// Reads the list; if the command would create a missing file, reads an empty one.
  func read<Result: Sendable>(
    mayBeMissing: Bool = false, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try read(openStore(creating: false, mayBeMissing: mayBeMissing), body)
  }

  func read<Result: Sendable>(
    _ store: CustomerStore, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try reading { try store.read(body) }
  }

  /// Reads many rows in the list; no one waits for that.
  ///
  /// - Parameters:
  ///   - store: the list; nil for that of the command.
  ///   - rows: how many rows `body` reads at most; nil for all.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError` or what `body` throws.
  func readAtLength<Result: Sendable>(
    _ store: CustomerStore? = nil, rows: ((borrowing CustomerList) throws -> Int)? = nil,
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    let store = try store ?? openStore(creating: false)
    return try reading { try store.readAtLength(rows: rows, body) }
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
}

extension Session {
  /// On a terminal, explains how to fill an empty list; on standard error, because it is not part of the
  /// list.
  func sayHowToBegin() throws {
    guard output.isTerminal, !isQuiet else { return }
    try errors.write(
      """
      The list is empty. To begin:
        customers add NAME      add a customer
        customers import FILE   import customers from a file
        customers demo          try a sample list

      """)
  }
}

/// How the list is opened.
extension Session {
  /// The list that the command works on.
  ///
  /// - Throws: a `Failure` if its address is invalid.
  var list: ChosenList { get throws { try chosen.get() } }

  /// The store of the list; an empty list in memory if there is none and none will be created.
  ///
  /// - Throws: `StoreError.missing` if a file was named that does not exist or can't be created.
  func openStore(creating: Bool, mayBeMissing: Bool = false) throws -> CustomerStore {
    let makesFile = creating && !isDryRun
    // Not for commands that write: what is written to memory would be lost.
    let standsForEmpty = try !makesFile && (creating || mayBeMissing || !list.isNamed)
    do {
      return try openList(creating: makesFile)
    } catch StoreError.missing where standsForEmpty {
      return try ListAddress.memory.open(CustomerStore.Options())
    }
  }

  func openList(creating: Bool, adoptingDump: Bool = false) throws -> CustomerStore {
    let options = try storeOptions(creating: creating, adoptingDump: adoptingDump)
    return try context.openStore(list.address, options)
  }

  /// How the list is opened.
  func storeOptions(creating: Bool, adoptingDump: Bool = false) throws -> CustomerStore.Options {
    let list = try list
    var options = CustomerStore.Options()
    options.createsFile = creating
    options.adoptsDump = adoptingDump
    options.createsFolders = !list.isNamed
    options.program = HistoryStep.ownProgram
    options.busyTimeout = context.busyTimeout ?? list.address.busyTimeout
    if invocation.command?.name == Command.status.name, case .file = list.address {
      // Who watches a list wants an answer.
      options.busyTimeout = min(options.busyTimeout, .seconds(5))
    }
    let waiting = Waiting(for: list.address, within: options.busyTimeout, telling: isQuiet ? nil : errors)
    options.whileWaiting = { waiting.shouldContinue(after: $0) }
    let progress = ProgressBar(self)
    options.whileConverting = { done, total in
      progress.advance(to: done, of: total)
      if done == total { progress.erase() }
    }
    options.isCancelled = { SignalSet.ending.isPending }
    // An import may be larger than memory.
    if invocation.command?.name == Command.importCommand.name { options.memoryForChanges = 2_000_000 }
    return options
  }

  /// Passes `body` a store that was opened to be changed; if it throws, removes the file created for it.
  func changing<Result>(_ store: CustomerStore, _ body: (CustomerStore) throws -> Result) throws -> Result {
    do {
      return try body(store)
    } catch let error where !(error is CommitError) {
      store.removeNewFile()
      throw error
    }
  }

  /// The failure for an error, in the terms of the list.
  func failure(_ error: any Error) -> Failure {
    let list = try? list
    if case StoreError.readOnly = error, context.offer?.isReadOnly == true {
      return Failure.refused("\(printable(list?.name ?? "")) is offered for reading only")
    }
    return Failure(error, file: list?.name ?? "", at: list?.address)
  }
}
