internal import CustomerStore
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersHTTP
internal import CustomersListAPI
internal import CustomersPlatform
internal import CustomersTerminal
internal import CustomersTerminalText
internal import CustomersWeb
internal import Dispatch

extension Session {
  /// Serves the page of the list until a signal ends the program.
  func serveWeb() throws -> ExitCode {
    if isDryRun {
      throw Failure.usage(
        "web and \(GlobalOptions.dryRun.name) can't be combined",
        hint: "\(WebOptions.readOnly.name) refuses all changes", offendingArgument: GlobalOptions.dryRun.name)
    }
    let (list, place) = try listForWeb()
    let door = try WebDoor(self, of: place)
    let server = HTTPServer(
      of: list, on: door.listeners, hosts: door.hosts, token: door.token, log: { note($0) })
    let signals = SignalSet.ending.heeded
    // Blocked before there is another thread, which would not block them.
    return try signals.held {
      try announce(door)
      let hasEnded = DispatchSemaphore(value: 0)
      DispatchQueue(label: "customers.web").async {
        server.run()
        hasEnded.signal()
      }
      let page = BrowserPage(of: door, environment)
      if invocation[WebOptions.open] { try page?.open(self) }
      let signal = signals.next()
      server.stop()
      // Whatever keeps the server: this program ends.
      _ = hasEnded.wait(timeout: .now() + .milliseconds(1500))
      page?.remove()
      // Ends the program when the signals are no longer held.
      raise(signal)
      return .done
    }
  }

  /// Reports what the server says, while it runs.
  private func note(_ line: String) {
    try? writeAside("note: \(line)")
    try? errors.flush()
  }

  /// The list, and the text by which its port and key are kept.
  private func listForWeb() throws -> (list: any ListService, place: String) {
    switch try list.address {
    case .file(let path): (try listAPI(), try Folder.resolve(path))
    case .memory: throw StoreError.missing
    case .ssh(let machine): (try ListElsewhere(self, on: machine), machine.text)
    case .cluster: (try listAPI(), try list.text)
    }
  }

  /// What a page can read and do with a list that this program opens.
  func listAPI() throws -> ListAPI {
    let isReadOnly = invocation[WebOptions.readOnly] || context.offer?.isReadOnly == true
    var options = try storeOptions(creating: !isReadOnly && !list.isNamed)
    options.isReadOnly = isReadOnly
    options.program = HistoryStep.webProgram
    // Requests wait as long as their browsers do, and the page shows who has locked the list.
    options.whileWaiting = { _ in true }
    // Others read until an import is committed, unless it needs more memory than this.
    options.memoryForChanges = 256_000_000
    // A page reads a few hundred rows at once, wherever it is scrolled to.
    options.memoryForReading = 500_000
    let address = try list.address
    return ListAPI(
      store: try context.openStore(address, options), isReadOnly: isReadOnly, program: version,
      build: PageFiles.own.build, listName: String(Folder.name(ofFile: try list.text)),
      policy: TableFace.policy(isReadOnly: isReadOnly), isOnCluster: address.isCluster,
      lockHolder: { address.holder })
  }

  /// Draws the address for a phone, which is not on this machine.
  private func draw(_ door: WebDoor) throws {
    guard door.isBehindProxy, output.isTerminal, environment["TERM"] != "dumb",
      let code = QRCode(door.url), code.width <= screen.columns
    else { return }
    for line in code.lines { try output.write(line + "\n") }
  }

  private func announce(_ door: WebDoor) throws {
    if try format() == .json {
      var members: [(String, JSON)] = [("op", .string("web")), ("url", .string(door.url))]
      if let port = door.port { members.append(("port", .int(Int(port)))) }
      if let socket = invocation[WebOptions.socket] { members.append(("socket", .string(socket))) }
      try output.write(JSON.object(members).text + "\n")
    } else {
      try output.write(door.url + "\n")
      try draw(door)
      if !isQuiet { try output.write("Press Ctrl-C to stop.\n") }
    }
    try output.flush()
    try errors.flush()
  }
}
