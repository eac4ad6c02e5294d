internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersSystem
internal import CustomersText

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
    common: GlobalOptions.ofEditing,
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
        throw Failure(error, file: path)
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

/// Makes a backup after each interval in which the list has changed.
struct RepeatedBackup {
  static let every = Option.value(
    "--every", .duration,
    "make a copy after each TIME in which the list changed, until Ctrl-C")
  static let keep = Option.value("--keep", .count(), "keep only the last N copies")

  private let session: Session
  private let place: Place
  private let interval: Duration
  private let spelledInterval: String
  private let keep: Int?
  /// The signals that end the program, between copies or between the pages of one.
  private let signals = SignalSet.ending

  /// Where the copies go.
  private enum Place {
    case here(BackupSeries)
    case there(SSHAddress)
  }

  init(_ session: Session, to target: ListAddress, every interval: Duration) throws {
    self.session = session
    switch target {
    case .file(let path): place = .here(BackupSeries(path))
    case .ssh(let machine): place = .there(machine)
    case .cluster, .memory:
      throw Failure.usage(
        "backup \(RepeatedBackup.every.name) can't copy to a cluster", hint: "name a file instead")
    }
    self.interval = interval
    spelledInterval = session.invocation.word(of: RepeatedBackup.every) ?? ""
    keep = session.invocation[RepeatedBackup.keep]
    guard keep != 0 else {
      let name = RepeatedBackup.keep.name
      throw Failure.usage("\(name) must be 1 or more, not 0", offendingArgument: name)
    }
  }

  /// Makes copies until a signal arrives.
  func run() throws -> ExitCode {
    try signals.held {
      if case .here(let series) = place { series.removeUnfinished() }
      var known: String?
      var isFirst = true
      while true {
        let code = try round(&known)
        if signals.isPending { break }
        if code != .done {
          if isFirst { return code }
          if !session.isQuiet { try session.writeAside("note: trying again in \(spelledInterval)") }
        }
        isFirst = false
        try session.output.flush()
        try session.errors.flush()
        if signals.wait(for: interval) { return .done }
      }
      signals.take()
      return .done
    }
  }

  /// Makes a copy if the list has changed since the last one.
  private func round(_ known: inout String?) throws -> ExitCode {
    let before = TextSink()
    let code = try session.run(Invocation(.revision), to: Stream(before))
    guard code == .done else { return code }
    guard before.text != known else { return .done }
    let made = try copy(unless: before.text)
    // If the list was edited while the copy was made, the copy may lack the edit; then the next round makes another.
    let after = TextSink()
    if made == .done { _ = try session.run(Invocation(.revision), to: Stream(after)) }
    known = made == .done && after.text == before.text ? after.text : nil
    return made
  }

  /// Makes a copy unless the last one has this revision.
  private func copy(unless revision: String) throws -> ExitCode {
    switch place {
    case .here(let series): try copy(to: series, unless: revision)
    case .there(let machine): try RemoteBackup(session, machine, keep: keep, isSeries: true).run()
    }
  }

  private func copy(to series: BackupSeries, unless revision: String) throws -> ExitCode {
    guard series.lastRevision() != revision else { return .done }
    let globals = [GlobalOptions.quiet, GlobalOptions.noInput].filter { session.invocation[$0] }
    let json = try session.format() == .json ? [GlobalOptions.json] : []
    let code = try session.run(
      Invocation(.backup, [series.next()], flags: globals + json), to: session.output)
    if code == .done, let keep { try series.removeAllButLast(keep) }
    return code
  }
}

extension Session {
  /// Runs another command on the same list, with its standard output going to `output`.
  func run(_ invocation: Invocation, to output: Stream) throws -> ExitCode {
    let code = perform(invocation, in: context.starting(on: try list, output: output)).code
    try? output.flush()
    return code
  }
}

/// Copies of one list, named after the time in UTC: `copy-20261122T093000Z.sqlite` for `copy.sqlite`.
struct BackupSeries {
  private let folder: Folder
  /// The beginning of the names, before the time.
  private let start: String
  /// The end of the names: the extension.
  private let end: String
  /// What the series may use; nil for all that the account may.
  private let offer: Offer?

  init(_ path: String, offer: Offer? = nil) {
    self.offer = offer
    folder = Folder(ofFile: path)
    let name = path.split(separator: "/").last ?? ""
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    (start, end) = (name[..<dot] + "-", String(name[dot...]))
  }

  /// Returns an unused path for a copy made now; waits if there is already one from this second.
  func next() -> String {
    while true {
      let path = path(of: "\(start)\(BackupSeries.time())\(end)")
      guard FileIdentity(path) != nil else { return path }
      usleep(50_000)
    }
  }

  /// Returns the paths of the existing copies, oldest first; a link is none.
  func copies() throws -> [String] {
    try folder.names().filter(isCopy).sorted().map(path).filter(BackupSeries.isRegular)
  }

  /// Removes the copies that a killed program has left unfinished.
  func removeUnfinished() { AtomicFile.removeAbandoned(in: folder) { isCopy(String($0)) } }

  /// Returns the revision of the last copy; nil if there is none, or if it can't be read.
  func lastRevision() -> String? {
    guard let last = try? copies().last else { return nil }
    return try? BackupSeries.revision(of: last, offer: offer)
  }

  /// Returns the revision of the list in a file.
  ///
  /// - Throws: `StoreError` if the file has no list.
  static func revision(of path: String, offer: Offer? = nil) throws -> String {
    var options = CustomerStore.Options()
    options.createsFile = false
    options = offer?.limit(options) ?? options
    return try CustomerStore(path: path, options: options).read { list in try list.version().text }
  }

  /// Removes the oldest copies and keeps the last `count`.
  ///
  /// Who may use lists only removes lists only.
  func removeAllButLast(_ count: Int) throws {
    for path in try copies().dropLast(count) {
      if offer?.isLimited == true, (try? BackupSeries.revision(of: path, offer: offer)) == nil { continue }
      try Folder.removeFile(path)
    }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func path(of name: String) -> String { folder.path == "/" ? "/\(name)" : "\(folder.path)/\(name)" }

  private func isCopy(_ name: String) -> Bool {
    guard name.hasPrefix(start), name.hasSuffix(end),
      name.utf8.count == start.utf8.count + 16 + end.utf8.count
    else { return false }
    let time = name.utf8.dropFirst(start.utf8.count).prefix(16)
    return zip(time, "00000000T000000Z".utf8).allSatisfy {
      $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1
    }
  }

  /// Returns the time in UTC, as in `20261122T093000Z`.
  private static func time() -> String {
    var seconds = time_t(currentNanoseconds() / 1_000_000_000)
    var date = unsafe tm()
    unsafe gmtime_r(&seconds, &date)
    let numbers = unsafe [
      date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
    ].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return numbers[..<3].joined() + "T" + numbers[3...].joined() + "Z"
  }
}

extension ListVersion {
  /// The version as `customers __revision` prints it.
  var text: String { "\(mark) \(edit)" }
}
