internal import CustomerStore
internal import CustomersHTTP
internal import CustomersSystem
internal import CustomersTerminal
internal import CustomersText
internal import CustomersWeb
internal import Dispatch

extension Command {
  static let web = Command(
    name: "web", summary: "show the list in a browser, until Ctrl-C",
    description: [
      "The page shows every change at once, whichever program makes it. Only programs on this machine reach",
      "it, and only with the key after the # in the address: anyone who has the address can change the",
      "list. Port and key stay the same; --read-only has its own.",
      "",
      "For a phone or another machine, use `ssh -L`, or a proxy with TLS. people add gives NAME a key of",
      "their own, if there is a page, and prints the link once. calendar prints an address for calendar",
      "programs, once; calendar new replaces it. address prints that of the page again. See",
      "Documentation/sharing.md.",
    ],
    forms: [
      .plain(
        [],
        [
          .optional(WebOptions.port), .optional(WebOptions.socket), .optional(WebOptions.allowedHost),
          .optional(WebOptions.readOnly), .optional(WebOptions.open), .optional(WebOptions.log),
        ]),
      .verb(
        "calendar", [Operand(value: .choice(["new"]), isOptional: true)],
        [.optional(WebOptions.allowedHost), .optional(WebOptions.readOnly)]),
      .verb("address", [], [.optional(WebOptions.allowedHost), .optional(WebOptions.readOnly)]),
    ] + PeopleCommand.forms,
    common: [GlobalOptions.list, GlobalOptions.dryRun, GlobalOptions.quiet, GlobalOptions.json],
    examples: [
      CommandExample("Show the list in a browser", "customers web --open"),
      CommandExample("A key to read", "customers web people add Ann --read-only --allow-host list.example"),
    ],
    seeAlso: ["table", "watch", "ssh", "api"], need: { _ in .typist },
    run: { session in
      switch session.invocation.operands.first {
      case nil: try session.serveWeb()
      case "calendar": try session.makeCalendar(of: session.placeOfPage())
      case "address": try session.printAddress(of: session.placeOfPage())
      default: try PeopleCommand(session, of: session.placeOfPage()).run()
      }
    })
}

enum WebOptions {
  static let port = Option.value(
    "--port", .file(.write, "N|PATH"), "listen on this port, and keep it; or on a Unix socket")
  static let socket = Option.spelling(
    "--socket", Argument.file(.write, "PATH").type, of: port, "--port PATH"
  ) { $0.contains("/") ? $0 : "./\($0)" }
  static let allowedHost = Option.values(
    "--allow-host", .text("NAME"), "answer to this name of a proxy with TLS (repeatable)")
  static let readOnly = Option.flag("--read-only", "refuse all changes")
  static let open = Option.flag("--open", "open the page in a browser")
  static let log = Option.value(
    "--log", .file(.write, "FILE"), "add a line for each request, or print it (-)")

  /// The log of `--log`.
  ///
  /// - Throws: a `Failure` if its file can't be written, or is that of a list.
  static func log(_ session: Session) throws -> AccessLog? {
    guard let path = session.invocation[log] else { return nil }
    guard path != "-" else { return AccessLog(.standardOutput) }
    _ = try WriteTarget(path: path, list: session.list.address.path).replacesFile()
    return AccessLog(
      try FileError.attributing(.write, path) { () throws(SystemError) in try .openToAppend(path) })
  }

  /// The names of `--allow-host`.
  ///
  /// - Throws: a `Failure` with code `usage` if one can't be the name of a host, with or without a port.
  static func names(_ invocation: Invocation) throws -> [String] {
    let names = invocation[allowedHost]
    for name in names {
      guard name.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.\-]*[A-Za-z0-9])?(:[0-9]{1,5})?/) != nil else {
        throw Failure.usage(
          "\(allowedHost.name) must be a name such as list.example, not \(quoted(name))",
          offendingArgument: name)
      }
    }
    return names
  }

  /// The failure if neither a host nor a port says where the page is.
  static func noPage(_ what: String) -> Failure {
    .refused(
      "the list has no page yet, so \(what) is unknown",
      hint: "start it first: customers web; or name its host: \(allowedHost.name) NAME")
  }

  /// The port of `--port`.
  ///
  /// - Throws: a `Failure` with code `usage` if there is no such port.
  static func port(_ invocation: Invocation) throws -> UInt16? {
    guard let word = invocation[port], !word.contains("/") else { return nil }
    guard let port = UInt16(word), port > 0 else {
      throw Failure.usage(
        "\(WebOptions.port.name) must be 1–65535, or a path with a /, not \(quoted(word))",
        offendingArgument: WebOptions.port.name)
    }
    return port
  }

  /// The path of the Unix socket that `--port` names.
  static func socket(_ invocation: Invocation) -> String? {
    invocation[port].flatMap { !$0.contains("/") ? nil : $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
  }
}

extension Session {
  /// Serves the page of the list until a signal ends the program.
  func serveWeb() throws -> ExitCode {
    if isDryRun {
      throw Failure.usage(
        "web and \(GlobalOptions.dryRun.name) can't be combined",
        hint: "\(WebOptions.readOnly.name) refuses all changes", offendingArgument: GlobalOptions.dryRun.name)
    }
    keepLittleMemory()
    let (list, place) = try listForWeb()
    let door = try WebDoor(self, of: place)
    let log = try WebOptions.log(self)
    let manager = ServiceManager(environment)
    let server = HTTPServer(
      of: list, on: door.listeners, hosts: door.hosts, token: door.token,
      calendar: door.file.map(CalendarKey.init), people: door.people, access: log,
      pulse: manager.patience.map { ($0 / 3, { manager.report("WATCHDOG=1") }) }, log: { note($0) })
    let signals = SignalSet.ending.heeded
    // Blocked before there is another thread, which would not block them.
    return try signals.held {
      try announce(door)
      manager.report("READY=1")
      let hasEnded = DispatchSemaphore(value: 0)
      DispatchQueue(label: "customers.web").async {
        server.run()
        hasEnded.signal()
      }
      let page = BrowserPage(of: door, environment)
      if invocation[WebOptions.open] { try page?.open(self) }
      let signal = signals.next()
      manager.report("STOPPING=1")
      server.stop()
      // Whatever keeps the server: this program ends.
      _ = hasEnded.wait(timeout: .now() + .milliseconds(1500))
      log?.flush()
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
    guard case .ssh(let machine) = try list.address else { return (try listAPI(), try placeOfPage()) }
    return (try ListElsewhere(self, on: machine), machine.text)
  }

  /// The text by which the port and the keys of the list's page are kept.
  fileprivate func placeOfPage() throws -> String {
    switch try list.address {
    case .file(let path): try Folder.resolve(path)
    case .memory: throw StoreError.missing
    case .ssh(let machine): machine.text
    case .cluster: try list.text
    }
  }

  /// What a page, or another program, can read and do with a list that this program opens.
  func listAPI(isReadOnly: Bool? = nil, program: String = HistoryStep.webProgram) throws -> ListAPI {
    let isReadOnly = isReadOnly ?? invocation[WebOptions.readOnly] || context.offer?.isReadOnly == true
    var options = try storeOptions(creating: !isReadOnly && !list.isNamed)
    options.isReadOnly = isReadOnly
    options.program = program
    // Requests wait as long as their browsers do, and the page shows who has locked the list.
    options.whileWaiting = { _ in true }
    // Others read until an import is committed, unless it needs more memory than this.
    options.memoryForChanges = 256_000_000
    // A page reads a few hundred rows at once, wherever it is scrolled to.
    options.memoryForReading = 500_000
    let address = try list.address
    let store = try upgradingIfNeeded {
      let store = try context.openStore(address, options)
      if !isReadOnly { try store.refuseOlderFormat() }
      return store
    }
    return ListAPI(
      store: store, isReadOnly: store.isReadOnly, program: CustomersCommands.version,
      build: PageFiles.own.build, listName: String(Folder.name(ofFile: try list.text)),
      policy: TableFace.policy(isReadOnly: store.isReadOnly), isOnCluster: address.isCluster,
      lockHolder: { address.holder },
      settled: { [self] edit, list in
        try keepConfirmed(edit, in: list)
        guard case .done = edit else { return edit }
        let rule = try doneRule(ListConfig(list), mayAsk: false)
        return try edit.following(rule, RowResolver(list, takesParts: false), list)
      })
  }

  /// Draws the address for a phone, which is not on this machine.
  func draw(_ url: String) throws {
    guard output.isTerminal, environment["TERM"] != "dumb", let code = QRCode(url),
      code.width <= screen.columns
    else { return }
    for line in code.lines { try output.write(line + "\n") }
  }

  private func announce(_ door: WebDoor) throws {
    if try format() == .json {
      var members: [(String, JSON)] = [("op", .string("web")), ("url", .string(door.url))]
      if let port = door.port { members.append(("port", .int(Int(port)))) }
      if let socket = WebOptions.socket(invocation) { members.append(("socket", .string(socket))) }
      try output.write(JSON.object(members).text + "\n")
    } else if ServiceManager(environment).isThere {
      let port = door.port.map { " on port \($0)" } ?? ""
      try output.write(
        "The page is served\(port). For its address, which has the key: customers web address\n")
    } else {
      try output.write(door.url + "\n")
      if door.isBehindProxy { try draw(door.url) }
      if !isQuiet { try output.write("Press Ctrl-C to stop.\n") }
    }
    try output.flush()
    try errors.flush()
  }
}
