internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// A copy that follows the list: each step is sent to it as it is made.
///
/// The copy is the file of the list, page for page. A step is sent as the pages that have changed, which the other side puts
/// into a new file, verifies, and renames. So the copy is at any time the whole list as of some step, however either side
/// ends. Steps that are made while one is sent are sent together.
struct Standby {
  static let follow = Option.flag("--follow", "send each step to FILE as it is made, until Ctrl-C")
  fileprivate static let verifies = Option.flag("--verify", "check the file, too")

  private let session: Session
  private let place: Place
  private let name: String
  private let signals = SignalSet.ending

  private enum Place {
    case here(String)
    case there(SSHAddress)
  }

  /// - Parameters:
  ///   - session: the run.
  ///   - target: where it is.
  ///   - option: the option that names it, for errors.
  /// - Throws: a `Failure` with code `usage`.
  init(_ session: Session, at target: ListAddress, for option: any DeclaredOption = Standby.follow) throws {
    self.session = session
    switch target {
    case .file(let path):
      guard !Folder.isFolder(path) else { throw Failure.usage("\(option.name) needs a file name") }
      (place, name) = (.here(path), path)
    case .ssh(let machine): (place, name) = (.there(machine), machine.text)
    case .cluster, .memory:
      throw Failure.usage("\(option.name): a standby is no cluster", hint: "name a file instead")
    }
    guard try session.list.address.path != nil else {
      throw Failure.usage(
        "\(option.name) needs a list in a file of this machine", hint: "run it where the list is")
    }
  }

  private var isElsewhere: Bool { if case .there = place { true } else { false } }

  /// Sends steps until a signal arrives.
  func run() throws -> ExitCode {
    if case .here(let path) = place {
      try CustomerStore.validateBackup(mayBeAt: path, ofListAt: session.list.path)
    }
    return try signals.held {
      var (sent, stamp, store) = (PageImage?.none, UInt32?.none, CustomerStore?.none)
      var pause = 1
      var isFirst = true
      var told: String?
      while true {
        do {
          let list = try store ?? session.openList(creating: false)
          store = list
          let now = try list.read { try $0.stamp() }
          if now != stamp { try send(from: &sent) }
          (stamp, pause, isFirst, told) = (now, 1, false, nil)
        } catch {
          if signals.isPending { break }
          let failure = session.failure(error)
          // A connection that is lost was there.
          guard !isFirst || isElsewhere && failure.code == .failed, !failure.isLasting else { throw failure }
          (store, stamp) = (nil, nil)
          if told != failure.message {
            try session.writeAside("note: \(printable(failure.message)); trying again")
            for line in failure.details { try session.writeAside(line) }
            told = failure.message
          }
        }
        try session.output.flush()
        try session.errors.flush()
        if signals.wait(for: store == nil ? .seconds(pause) : .milliseconds(250)) { return .done }
        if store == nil { pause = min(2 * pause, 30) }
      }
      signals.take()
      return .done
    }
  }

  /// Sends the list as it is now.
  private func send(from sent: inout PageImage?) throws {
    let copy = try EditableFile([], suffix: ".sqlite")
    defer { copy.remove() }
    let store = try session.openList(creating: false)
    let made = try store.backUp(to: copy.path, replacing: true) {
      if signals.isPending { throw Failure.failed("interrupted") }
    }
    guard !made.violations.isOfDamage else {
      throw Failure(
        code: .damaged, message: "the list is damaged, so it was not sent",
        hint: Failure.checkHint(), isLasting: true)
    }
    let image = try PageImage(copy.path)
    guard image.digest != sent?.digest else { return }
    do { try send(image, copy, from: &sent, store) } catch let error as StoreError {
      var failure = Failure(error, file: name)
      failure.hint = "name another file, or remove this one"
      throw failure
    } catch let error as BackupError {
      throw Failure(error, file: name)
    }
    try session.tellOfCopy(of: made.count, at: name)
  }

  /// Sends an image of the list, as the pages that the standby does not have.
  private func send(
    _ image: PageImage, _ copy: EditableFile, from sent: inout PageImage?, _ store: CustomerStore
  ) throws {
    let isApplied = try sent.map { try apply($0, digest: $0.digest, image, copy) } ?? false
    if !isApplied {
      sent = nil
      let state = try state()
      if let state { try store.read { list in try refuseUnlessOlder(state, in: list) } }
      guard try state?.digest == image.digest || apply(nil, digest: state?.digest, image, copy) else {
        throw Failure.failed("another program writes to \(quoted(name))")
      }
    }
    sent = image
  }

  /// Lets the other side make one image of another.
  ///
  /// - Returns: false if it has something else.
  private func apply(_ base: PageImage?, digest: String?, _ image: PageImage, _ copy: EditableFile) throws
    -> Bool
  {
    let changes = try EditableFile([], suffix: ".pages")
    defer { changes.remove() }
    try PageChanges.write(from: base, digest: digest, to: image, ofFileAt: copy.path, changes)
    let input = try InputFile(changes.path)
    switch place {
    case .here(let path): return try StandbyFile(path).apply(input)
    case .there(let machine):
      let answer = try answer(of: machine, Invocation(.stand, [machine.text, "-"]), input: input)
      guard ["applied", "other"].contains(answer) else { throw Failure.malformedAnswer(of: machine) }
      return answer == "applied"
    }
  }

  /// What the standby has; nil if there is none yet.
  private func state(verifying: Bool = false) throws -> StandbyState? {
    switch place {
    case .here(let path): return try StandbyFile(path).state(verifying: verifying)
    case .there(let machine):
      let flags = verifying ? [Standby.verifies] : []
      let answer = try answer(of: machine, Invocation(.standing, [machine.text], flags: flags))
      guard answer != "none" else { return nil }
      guard let state = StandbyState(answer) else { throw Failure.malformedAnswer(of: machine) }
      return state
    }
  }

  /// What the program on the other machine prints.
  private func answer(
    of machine: SSHAddress, _ invocation: Invocation, input: InputFile? = nil
  ) throws -> String {
    do { return try session.answer(of: machine, invocation, input: input) } catch var failure as Failure {
      failure.isLasting =
        failure.isLasting || [.usage, .notFound, .refused, .damaged].contains(failure.code)
      throw failure
    }
  }

  /// Refuses to replace anything but an earlier state of the list.
  ///
  /// - Throws: a `Failure` that is lasting.
  private func refuseUnlessOlder(_ state: StandbyState, in list: borrowing CustomerList) throws {
    guard try list.identity().list == state.list else {
      throw Failure(
        code: .refused, message: "\(quoted(name)) is a copy of another list", hint: "name another file",
        isLasting: true)
    }
    guard try list.has(state.version) else {
      throw Failure(
        code: .refused, message: "\(quoted(name)) was edited on its own, or the list was restored since",
        hint: "to take in what was done there: customers take \(shellQuoted(name)); then name another file",
        isLasting: true)
    }
  }

  /// What the standby lacks of the list; it has been checked, and is nil if there is none.
  ///
  /// - Throws: a `Failure` with code `outdated` if it is none of this list.
  func gap() throws -> Gap? {
    guard let state = try state(verifying: true) else { return nil }
    return try session.openList(creating: false).read { list in
      do { try refuseUnlessOlder(state, in: list) } catch var failure as Failure {
        failure.code = .outdated
        throw failure
      }
      guard try list.version() != state.version else { return Gap(name: name) }
      let steps = try list.history(after: state.version.edit)
      return Gap(name: name, steps: max(1, steps.count), since: steps.first?.time)
    }
  }

  /// What a standby lacks.
  struct Gap {
    let name: String
    /// The number of steps.
    var steps = 0
    /// When the first of them was made, in UTC; nil if there is none, or the history has forgotten it.
    var since: String?

    var text: String {
      let what =
        steps == 0
        ? "has all steps"
        : "lacks \(counted(steps, "step"))\(since.map { ", the first of \(localTime($0))" } ?? "")"
      return "\(what): \(name)"
    }

    /// Whether it lacks a step that is older than this.
    func isLonger(than age: Duration) -> Bool {
      guard steps > 0, let since else { return steps > 0 }
      let now = currentNanoseconds() / 1_000_000_000
      return since < CopyName(ofSeries: "", at: now - age.components.seconds).time
    }
  }
}

/// What a standby has, in one line for the other machine.
private struct StandbyState {
  /// The SHA-256 of its file.
  let digest: String
  /// The id of its list.
  let list: String
  let version: ListVersion

  init(digest: String, list: String, version: ListVersion) {
    (self.digest, self.list, self.version) = (digest, list, version)
  }

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let version = ListVersion(words[2]) else { return nil }
    self.init(digest: String(words[0]), list: String(words[1]), version: version)
  }

  var text: String { "\(digest) \(list) \(version.text)" }
}

/// The file of a standby on this machine.
private struct StandbyFile {
  let path: String
  let offer: Offer?

  init(_ path: String, offer: Offer? = nil) { (self.path, self.offer) = (path, offer) }

  /// What it has; nil if there is no file.
  ///
  /// - Throws: `StoreError` if it has no list; a `Failure` if it is damaged, and that is looked at.
  func state(verifying: Bool) throws -> StandbyState? {
    guard FileIdentity(path) != nil else { return nil }
    if verifying {
      do {
        if let first = try CustomerStore.checkCopy(at: path).first(where: { !$0.isUnreadableText }) {
          throw Failure(code: .damaged, message: "the standby is damaged: \(first.line)")
        }
      } catch let error as StoreError {
        var failure = Failure(error, file: path)
        if error.isOfDamage { failure.code = .damaged }
        throw failure
      }
    }
    let (list, version) = try BackupSeries.identity(of: path, offer: offer)
    return StandbyState(digest: try PageImage(path).digest, list: list, version: version)
  }

  /// Makes what has been sent of it, verifies that, and puts it in its place.
  ///
  /// - Returns: false if the file is not the one that the changes are for; it stays.
  /// - Throws: a `Failure` if the changes are not whole; `BackupError` and `StoreError`; the file stays.
  func apply(_ changes: InputFile) throws -> Bool {
    do {
      let input = BufferedInput(changes)
      let header = try PageChanges(try input.line())
      let isThere = FileIdentity(path) != nil
      guard isThere == (header.base != nil) else { return false }
      // Who may use lists only may replace lists only.
      if isThere { _ = try BackupSeries.version(of: path, offer: offer) }
      let old = isThere ? try InputFile(path) : nil
      let file = try AtomicFile(path)
      guard try header.apply(to: old, input, { try file.write($0) }) else { return false }
      guard try CustomerStore.checkCopy(at: file.temporaryPath).isEmpty else { throw PageImage.Malformed() }
      try file.commit(replacing: isThere)
      return true
    } catch is PageImage.Malformed {
      throw Failure.failed("what was sent for \(quoted(path)) is not whole; it stays as it was")
    } catch let error as SystemError {
      guard !error.isLasting else {
        throw Failure(
          code: error.isMissing ? .notFound : .refused, message: "can't write \(quoted(path)): \(error)",
          isLasting: true)
      }
      throw BackupError.failed(error.description)
    }
  }
}

extension Command {
  static let standing = Command(
    name: "__standing", summary: "tell what a standby for another machine has",
    operands: [.one(.text("FILE"))], options: [.optional(Standby.verifies)],
    need: { _ in .copies },
    run: { session in
      let (path, _) = try session.standby()
      let state = try StandbyFile(path, offer: session.context.offer).state(
        verifying: session.invocation[Standby.verifies])
      try session.output.write(state?.text ?? "none")
      return .done
    })

  static let stand = Command(
    name: "__stand", summary: "take the changes of a standby from another machine",
    operands: [.one(.text("FILE")), .one(.file(.read, "-"))],
    need: { _ in .copy },
    run: { session in
      let (path, address) = try session.standby()
      try CustomerStore.validateBackup(mayBeAt: path, ofListAt: nil)
      let changes = try session.context.files.open("-")
      do {
        let isApplied = try StandbyFile(path, offer: session.context.offer).apply(changes)
        try session.output.write(isApplied ? "applied" : "other")
      } catch let error as BackupError {
        throw Failure(error, file: address.text)
      }
      return .done
    })
}

extension SystemError {
  /// Whether someone has to make the folder or let this account write to it.
  fileprivate var isLasting: Bool { [ENOENT, ENOTDIR, EACCES, EPERM, EROFS].contains(code) }
}

extension Session {
  /// The path of the standby that a command of another machine names, without links.
  fileprivate func standby() throws -> (path: String, address: SSHAddress) {
    let (path, address) = try placeOfCopy()
    guard !Folder.isFolder(path) else { throw Failure.usage("a standby needs a file name") }
    return (path, address)
  }
}
