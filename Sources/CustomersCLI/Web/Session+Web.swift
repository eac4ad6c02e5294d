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
    let path = try pathForWeb()
    let api = try webAPI(path)
    let door = try WebDoor(self, of: Folder.resolve(path))
    let server = HTTPServer(of: api, on: door.listeners, hosts: door.hosts, token: door.token)
    let signals = SignalSet.ending.heeded
    // Blocked before there is another thread, which would not block them.
    return try signals.held {
      try announce(door)
      let hasEnded = DispatchSemaphore(value: 0)
      DispatchQueue(label: "customers.web").async {
        server.run()
        hasEnded.signal()
      }
      let page = BrowserPage(of: door)
      if invocation[WebOptions.open] { try page?.open(self) }
      let signal = signals.next()
      server.stop()
      hasEnded.wait()
      page?.remove()
      // Ends the program when the signals are no longer held.
      raise(signal)
      return .done
    }
  }

  /// The path of the list.
  ///
  /// - Throws: a `Failure` with code `refused` if it is not in a file of this machine.
  private func pathForWeb() throws -> String {
    switch try list.address {
    case .file(let path): return path
    case .memory: throw StoreError.missing
    case .ssh(let machine):
      throw Failure(
        code: .refused, message: "web shows only lists on this machine",
        hint: "there: customers web --socket PATH; here: ssh -L 8080:PATH \(printable(machine.host))")
    case .cluster: throw Failure(code: .refused, message: "web can't show a list on a cluster yet")
    }
  }

  private func webAPI(_ path: String) throws -> ListAPI {
    let isReadOnly = invocation[WebOptions.readOnly]
    var options = try storeOptions(creating: !isReadOnly && !list.isNamed)
    options.isReadOnly = isReadOnly
    options.program = HistoryStep.webProgram
    // Requests wait as long as their browsers do, and the page shows who has locked the list.
    options.whileWaiting = { _ in true }
    let address = try list.address
    return ListAPI(
      store: try context.openStore(address, options), isReadOnly: isReadOnly, program: version,
      build: PageFiles.own.build, listName: String(Folder.name(ofFile: path)),
      policy: TableFace.policy(isReadOnly: isReadOnly), lockHolder: { address.holder })
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
