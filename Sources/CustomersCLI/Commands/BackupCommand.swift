internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersFormats
internal import CustomersPlatform
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let backup = Command(
    name: "backup", summary: "make a verified copy, even while the file is in use",
    description: [
      "The copy is a consistent snapshot, verified before it replaces FILE, and readable only by you.",
      "backup replaces an existing file only after you confirm. FILE may be on another machine:",
      "ssh://host/path. If it is the address of a cluster without a list, dqlite://HOST:PORT,…/customers,",
      "backup copies the list and its history there.",
      "",
      "With --every, backup keeps running and makes a copy whenever the list has changed. For FILE",
      "copy.sqlite, the copies have names such as copy-20261122T093000Z.sqlite, after the time in UTC. If a",
      "copy fails, backup tries again after the same interval. If the very first copy fails, the command",
      "stops.",
    ],
    forms: [
      .plain([.one(.file(.write))]),
      .plain(
        [.one(.file(.write))],
        [
          .required(RepeatedBackup.every), .optional(RepeatedBackup.keep),
        ]),
    ],
    examples: [
      CommandExample("Copy the list:", "customers backup copy.sqlite"),
      CommandExample("Make a copy with today's date:", "customers backup \"customers-$(date +%F).sqlite\""),
    ],
    seeAlso: ["restore", "export", "check", "ssh", "cluster"],
    need: { invocation in
      switch try ListAddress(invocation.operands[0]) {
      case .ssh: return .typist
      case .cluster: return invocation.has(RepeatedBackup.every) ? .typist : .cluster
      case .file, .memory: return invocation.has(RepeatedBackup.every) ? .typist : .list
      }
    },
    run: { session in
      let path = session.invocation.operands[0]
      guard !["", "-"].contains(path) else { throw Failure.usage("backup needs a file name") }
      do { return try session.backUp(to: path) } catch let error as BackupError {
        throw Failure(error, to: path)
      }
    })
}

extension Session {
  fileprivate func backUp(to path: String) throws -> ExitCode {
    let target = try ListAddress(path)
    if let interval = invocation[RepeatedBackup.every] {
      let series = try RepeatedBackup(self, to: target, every: interval)
      if !isDryRun { return try series.run() }
    }
    if case .ssh(let machine) = target { return try RemoteBackup(self, machine).run() }
    let store = try openList(creating: false)
    var count: Int
    var isDamaged = false
    if isDryRun {
      count = try store.read { list in try list.count() }
    } else if case .cluster = target {
      count = try holdingOutput { try store.load(toCluster: path) }
    } else {
      let target = WriteTarget(path: path, list: try list.address.path, isBackup: true)
      let consent = try context.files.consent(to: target, in: self)
      guard consent != .declined else { return .declined }
      // The interrupt key is handled between pages, so that no partial copy is left.
      let interrupts = SignalSet.ending
      let copy = try interrupts.held {
        let copy = try context.files.place(backup: path, replacing: consent == .toReplace) {
          path, isReplacing in
          try store.backUp(to: path, replacing: isReplacing) {
            if interrupts.isPending { throw Failure(code: .failed, message: "interrupted") }
          }
        }
        note(.file)
        return copy
      }
      if let error = copy.diskError { try warn(ofDisk: error) }
      count = copy.count
      isDamaged = !copy.violations.isEmpty
    }
    if try format() == .json {
      try answer([
        ("op", .string("backup")), ("file", .string(path)), ("count", .int(count)),
        ("ok", .bool(!isDamaged)),
      ])
    } else {
      try tell(Sentence(.backUp, "\(rowCount(count)) to \(quoted(path))"))
      // For a copy on another machine, the program there has checked it and says so.
      if isDamaged, context.caller == nil { try noteDamage() }
    }
    return .done
  }
}

extension Session {
  /// Says that a backup has the problems of its list.
  func noteDamage() throws {
    guard !isQuiet else { return }
    try writeAside("note: the list is damaged, and so is its copy; to see what is wrong: customers check")
  }
}
