internal import CustomerStore
internal import CustomersTerminalText

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

  /// The store of the list.
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
      return Failure(
        code: .refused, message: "\(printable(list?.name ?? "")) is offered for reading only")
    }
    return Failure(error, file: list?.name ?? "", at: list?.address)
  }
}
