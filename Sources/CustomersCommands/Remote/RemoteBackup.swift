internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The option by which a machine is asked to keep a backup as one of a series.
private let ofSeries = Option.flag("--series", "name it after the time")

extension Session {
  /// Makes a verified copy here and sends it to the other machine, which verifies it again and keeps it.
  ///
  /// - Parameters:
  ///   - address: the address of the copy.
  ///   - isSeries: whether it is one of a series, named after its time.
  /// - Returns: the exit code of the command there.
  /// - Throws: a `Failure` if the machine can't be reached or the copy can't be made.
  func backUp(on address: SSHAddress, isSeries: Bool = false) throws -> ExitCode {
    guard try list.address != .ssh(address) else {
      throw Failure(BackupError.isReserved(.list), file: address.text)
    }
    let input: InputFile
    do {
      let copy = try EditableFile([], suffix: ".sqlite")
      // Before it is sent, which takes long: if this program is killed then, nothing is left.
      defer { copy.remove() }
      let making = Invocation(.backup, [copy.path], flags: [GlobalOptions.yes, GlobalOptions.quiet])
      let code = try run(making, to: output)
      guard code == .done else { return code }
      input = try InputFile(copy.path)
    }
    let context = self.context.starting(
      on: ChosenList(on: address), input: StandardInput(input.descriptor, isTerminal: false))
    var taking = Session(in: context)
    taking.take(try keeping(address, isSeries: isSeries))
    return try RemoteRun(taking, on: address).run()
  }

  /// The command for the other machine, which reads the copy from standard input.
  private func keeping(_ address: SSHAddress, isSeries: Bool) throws -> Invocation {
    let globals = [GlobalOptions.quiet, GlobalOptions.yes, GlobalOptions.noInput, GlobalOptions.dryRun]
    var keeping = Invocation(
      .keepBackup, [address.text, "-"], flags: globals.filter { invocation[$0] })
    try keeping.set(GlobalOptions.format, to: format().name)
    if isSeries { try keeping.set(ofSeries) }
    for option in CopyRetention.options {
      for word in invocation.words(of: option) { try keeping.set(option, to: word) }
    }
    return keeping
  }
}

extension Command {
  static let keepBackup = Command(
    name: "__keep", summary: "keep a backup received from another machine",
    operands: [.one(.text("FILE")), .one(.file(.read, "-"))],
    options: [.optional(ofSeries)] + CopyRetention.options.map { .optional($0) },
    need: { _ in .copy },
    run: { session in
      let (path, address) = try session.placeOfCopy()
      let copy = try FetchedFile(copying: session.context.files.open("-"))
      return try session.keep(copy, at: path, called: address)
    })

  /// The command by which a program finds out whether a list has changed since a backup.
  static let revision = Command(
    name: "__revision", summary: "print what differs after any edit",
    run: { session in
      try session.output.write(
        try session.openList(creating: false).read { list in
          try list.version().text(of: list.identity().list)
        })
      return .done
    })

  /// The command by which a program finds out which copies are those of a list.
  static let had = Command(
    name: "__had", summary: "print which of the versions the list has had",
    operands: [.any(.text("VERSION"))],
    run: { session in
      let versions = session.invocation.operands
      let had = try session.openList(creating: false).read { list in
        var had: [String] = []
        for text in versions {
          if let version = ListVersion(text), try list.has(version) { had.append(text) }
        }
        return had
      }
      for version in had { try session.output.write("\(version)\n") }
      return .done
    })
}

extension Session {
  /// The path of a copy that a command of another machine names first, without links.
  ///
  /// - Throws: a `Failure` if it is not offered.
  func placeOfCopy() throws -> (path: String, address: SSHAddress) {
    let address = try SSHAddress(invocation.operands[0])
    let named = ListAddress.file(address.path(inHome: environment["HOME"]))
    let place = try context.offer?.admit(named, called: address.text) ?? named
    guard let path = place.path else { throw Failure.usage("a copy needs a path") }
    return (path, address)
  }

  fileprivate func keep(_ copy: FetchedFile, at path: String, called address: SSHAddress) throws -> ExitCode {
    let series = invocation[ofSeries] ? BackupSeries(path, offer: context.offer) : nil
    // A copy has this state.
    let received = try BackupSeries.identity(of: copy.path)
    if let series, series.has(revision: received.version.text(of: received.list)) { return .done }
    let store = try CustomerStore(path: copy.path)
    let target = series?.next() ?? path
    let replaces = try WriteTarget(path: target, isBackup: true).replacesFile()
    if replaces, !isDryRun, !options.saysYes { throw BackupError.exists }
    if replaces, BackupSeries.wouldLose(target, replacedBy: store, offer: context.offer) {
      throw Failure.refused(
        "\(quoted(address.text(of: target))) has edits that the copy lacks; it may be the list itself",
        hint: "name another file")
    }
    // Who may use lists only may replace lists only.
    if replaces, context.isConfined { _ = try BackupSeries.version(of: target, offer: context.offer) }
    let count =
      try isDryRun ? store.read { try $0.count() } : store.backUp(to: target, replacing: replaces).count
    if !isDryRun, let series, let retention = try CopyRetention(invocation) {
      try series.remove(by: retention, sparing: target)
    }
    try tellOfCopy(of: count, at: address.text(of: target))
    return .done
  }
}

extension Session {
  /// Checks a backup that another machine has sent, as a backup of a list on this machine is checked.
  ///
  /// - Throws: a `Failure` if it is none, before it gets its name.
  func checkReceived(_ file: any NamedOutput) throws {
    guard let file = file as? OutputFile, let path = file.temporaryPath else { return }
    do {
      let problems = try CustomerStore.checkCopy(at: path)
      if problems.isOfDamage, file.replacesFile {
        throw Failure(BackupError.isDamaged(problems.count), file: file.path)
      }
      if file.replacesFile { try refuseToLose(file.path, replacedBy: CustomerStore(path: path)) }
      try noteProblems(problems)
    } catch let error as StoreError {
      throw Failure.failed("the other machine has sent no backup: \(error)")
    }
  }
}
