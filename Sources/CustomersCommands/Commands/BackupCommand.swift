internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let backup = Command(
    name: "backup", summary: "make a verified copy, even while the file is in use",
    description: [
      "The copy is verified before it replaces FILE, and readable only by you. FILE may be on another",
      "machine (ssh://host/path) or a cluster without a list (dqlite://…/customers). --every keeps running",
      "and makes a copy whenever the list has changed, such as copy-20261122T093000Z.sqlite for FILE",
      "copy.sqlite, after the time in UTC. --follow keeps running and sends each step to FILE, a standby,",
      "which `customers restore FILE` makes the list when this machine is lost.",
    ],
    forms: [
      .plain([.one(.file(.write))]),
      .plain(
        [.one(.file(.write))],
        [.required(RepeatedBackup.every)] + CopyRetention.options.map { .optional($0) }),
      .plain([.one(.file(.write))], [.required(Standby.follow)]),
      .plain([.one(.file(.write, "FILE|FOLDER"))], [.required(CopyQuestion.list)]),
      .plain(
        [.one(.file(.write, "FILE|FOLDER"))],
        [.required(CopyQuestion.latest), .optional(CopyQuestion.maxAge)]),
    ],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("With the date", "customers backup \"customers-$(date +%F).sqlite\""),
      CommandExample("The copies of --every", "customers backup copy.sqlite --list"),
    ],
    seeAlso: ["restore", "check", "ssh"],
    need: { invocation in
      let isLocal = [RepeatedBackup.every, Standby.follow, CopyQuestion.list, CopyQuestion.latest]
        .contains { (option: any DeclaredOption) in invocation.has(option) }
      switch try ListAddress(invocation.operands[0]) {
      case .ssh: return .typist
      case .cluster: return isLocal ? .typist : .cluster
      case .file, .memory: return isLocal ? .typist : .list
      }
    },
    run: { session in
      let path = session.invocation.operands[0]
      guard !["", "-"].contains(path) else { throw Failure.usage("backup needs a file name") }
      if session.invocation[CopyQuestion.list] { return try session.listCopies(of: path) }
      if session.invocation[CopyQuestion.latest] { return try session.printNewestCopy(of: path) }
      do { return try session.backUp(to: path) } catch let error as BackupError {
        throw Failure(error, file: path)
      }
    })
}

extension Session {
  fileprivate func backUp(to path: String) throws -> ExitCode {
    var target = try ListAddress(path)
    if let interval = invocation[RepeatedBackup.every] {
      let series = try RepeatedBackup(self, to: target, every: interval)
      if !isDryRun { return try series.run() }
    }
    if invocation[Standby.follow] { return try Standby(self, at: target).run() }
    if case .ssh(let machine) = target { return try backUp(on: machine) }
    var path = path
    if context.caller == nil, case .file(let folder) = target, Folder.isFolder(folder) {
      // With the time in its name, as those of --every.
      path = BackupSeries(
        try Folder(path).path(ofFile: list.name.split(separator: "/").last ?? "customers.sqlite")
      ).next()
      target = .file(path)
    }
    let store = try openList(creating: false)
    var count: Int
    var problems: [ListViolation] = []
    if isDryRun {
      if context.caller == nil, case .file = target { try refuseToLose(path, replacedBy: store) }
      count = try store.read { list in try list.count() }
    } else if case .cluster = target {
      count = try holdingOutput { try store.load(toCluster: path) }
    } else {
      let target = WriteTarget(path: path, list: try list.address.path, isBackup: true)
      let consent = try context.files.consent(to: target, in: self) {
        try refuseToLose(path, replacedBy: store)
      }
      guard consent != .declined else { return .declined }
      // The interrupt key is handled between pages, so that no partial copy is left.
      let interrupts = SignalSet.ending
      let copy = try interrupts.held {
        let copy = try context.files.place(backup: path, replacing: consent == .toReplace) {
          path, isReplacing in
          try store.backUp(to: path, replacing: isReplacing) {
            if interrupts.isPending { throw Failure.failed("interrupted") }
          }
        }
        note(.file)
        return copy
      }
      if let error = copy.diskError { try warn(ofDisk: error) }
      count = copy.count
      problems = copy.violations
    }
    try tellOfCopy(of: count, at: path, isDamaged: !problems.isEmpty)
    // For a copy on another machine, the program there has checked it and says so.
    if context.caller != nil { return problems.isOfDamage ? .damaged : .done }
    if problems.isOfDamage {
      throw Failure(
        code: .damaged, message: "the list is damaged, and so is its copy", hint: Failure.checkHint(),
        isFinding: true)
    }
    if try format() != .json { try noteProblems(problems) }
    return .done
  }

  /// Refuses to replace a copy of the list that was edited on its own.
  func refuseToLose(_ path: String, replacedBy store: CustomerStore) throws {
    guard BackupSeries.wouldLose(path, replacedBy: store) else { return }
    throw Failure.refused(
      "\(quoted(path)) has edits that the list lacks",
      hint: "to take them in: customers take \(typed(path)); or name another file")
  }

  /// Says that a copy was made.
  func tellOfCopy(of count: Int, at name: String, isDamaged: Bool = false) throws {
    try answer("backup", [("file", .string(name)), ("count", .int(count)), ("ok", .bool(!isDamaged))]) {
      try tell(Sentence(.backUp, "\(counted(count, "row")) to \(quoted(name))"))
    }
  }
}

extension Session {
  /// Says that a backup has the problems of its list.
  func noteProblems(_ problems: [ListViolation]) throws {
    guard !isQuiet, !problems.isEmpty else { return }
    let what =
      problems.isOfDamage
      ? "the list is damaged, and so is its copy"
      : "the list has texts that can't be read, and so has its copy"
    try writeAside("note: \(what); \(Failure.checkHint())")
  }
}
