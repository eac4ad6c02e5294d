internal import CustomerStore
internal import CustomersTerminalText

/// Where the customers file is, and how it is opened.
extension Session {
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
