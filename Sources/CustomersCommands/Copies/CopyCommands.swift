internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// What `backup` and `restore` ask of a series of copies: which there are, and which is the newest.
enum CopyQuestion {
  static let list = Option.flag("--list", "list the copies, oldest first")
  static let latest = Option.flag("--latest", "check the newest copy, and print its name")
  static let maxAge = Option.value(
    "--max-age", .duration, "exit code 11 if it is older and lacks changes")
  /// The option of `restore`.
  static let restored = Option.flag("--latest", "restore the newest of the copies")
  fileprivate static let check = Option.value("--check", .text("NAME"), "check this one only")
}

/// Copies of a series, and where they are.
struct KeptCopies {
  /// The copies, oldest first.
  let copies: [KeptCopy]
  /// The version of the list that the command works on, and its id; nil if it is not there or can't be read.
  fileprivate let list: (version: ListVersion, id: String)?
  private let place: Place

  private enum Place {
    case here(BackupSeries)
    /// On a machine, in a folder by its address.
    case there(SSHAddress, folder: String)
  }

  /// Looks for copies on this machine, or asks the program on another one.
  ///
  /// - Parameters:
  ///   - target: the name of the series, or a folder.
  ///   - session: the run that asks.
  /// - Throws: a `Failure`, or `FileError` if there is no folder.
  fileprivate init(_ target: String, _ session: Session) throws {
    list = session.stateIfReadable()
    switch try ListAddress(target) {
    case .file(let path):
      let series = BackupSeries(path, ofListAt: try? session.list.address.path)
      (place, copies) = (.here(series), try series.copies())
    case .ssh(let machine):
      let answer = try RemoteCopies.ask(machine, session)
      (place, copies) = (.there(machine, folder: answer.folder), answer.copies)
    case .cluster, .memory: throw Failure.usage("copies are files: name one, or a folder")
    }
  }

  /// How many of the copies are known to be of another list.
  var countOfOthers: Int { copies.count { !$0.mayBe(of: list?.id) } }

  /// The newest copy of the list, and of each part of it that was edited apart; of any list if it is not known.
  fileprivate var ends: [KeptCopy] { copies.filter { $0.isEnd && $0.mayBe(of: list?.id) } }

  /// That the copies go apart, with the newest of each.
  fileprivate var parting: (message: String, names: [String]) {
    let lists = Set(ends.compactMap { try? $0.content.get().list }).count
    return (
      lists > 1
        ? "these are copies of \(lists) lists" : "these are copies of one list that were edited apart",
      ends.map { quoted(name(of: $0)) }
    )
  }

  /// Returns the newest copy, after it has been checked; nil if there is none.
  ///
  /// Only a state that the list has had is a copy of it. One that is to be restored may have more, unless copies were edited
  /// apart.
  ///
  /// - Throws: a `Failure`, with code `refused` if it is not known which of several is meant.
  fileprivate func checkedNewest(restoring: Bool, _ session: Session) throws -> KeptCopy? {
    let ends = ends
    let own = copies.filter { $0.mayBe(of: list?.id) }
    var known = ends
    if list != nil, !restoring || ends.count > 1, let had = session.had(restoring ? ends : own),
      !(restoring && had.isEmpty)
    {
      known = had.suffix(1)
    }
    guard known.count < 2 else {
      throw Failure.refused(
        parting.message, details: parting.names.map { "     \($0)" },
        hint: "these are the newest of each; restore one by name: customers restore FILE")
    }
    // One that can't be read may be of any list, and must not be passed over.
    guard let newest = own.last(where: { !$0.isReadable || $0.name == known.first?.name }) else {
      guard ends.isEmpty else {
        throw Failure(
          code: .outdated, message: "the copies there were edited apart from this list",
          details: parting.names.map { "     \($0)" }, hint: "to make one: customers backup FILE",
          isFinding: true)
      }
      return nil
    }
    try refuseFuture()
    switch place {
    case .here(let series): try series.check(newest.name.text)
    case .there(let machine, _): try RemoteCopies.check(newest, machine, session)
    }
    return newest
  }

  /// Fails if a copy is from the future, unless it is known to be of another list.
  ///
  /// - Throws: a `Failure` with code `outdated`.
  func refuseFuture() throws {
    if let early = copies.first(where: { $0.name.isOfFuture && $0.mayBe(of: list?.id) }) {
      throw Failure(ofFuture: name(of: early))
    }
  }

  /// Fails if a copy is too old; one that has what the list has never is.
  ///
  /// - Throws: a `Failure` with code `outdated`.
  func refuse(_ copy: KeptCopy, olderThan age: Duration, _ spelledAge: String) throws {
    let now = currentNanoseconds() / 1_000_000_000
    guard now - copy.name.seconds > age.components.seconds else { return }
    if let version = try? copy.content.get().version, version == list?.version { return }
    throw Failure(
      code: .outdated,
      message:
        "the newest copy is from \(localTime(copy.name.time)), more than \(spelledAge) ago: \(quoted(name(of: copy)))",
      hint: "to see whether the list changed since: customers history", isFinding: true)
  }

  /// The name of a copy, for a command on this machine.
  func name(of copy: KeptCopy) -> String {
    switch place {
    case .here(let series): series.path(of: copy.name)
    case .there(_, let folder): "\(folder)/\(copy.name.text)"
    }
  }
}

/// The copies in a folder of another machine, in lines of tabs: the folder by its address, then each copy.
private enum RemoteCopies {
  static func ask(_ machine: SSHAddress, _ session: Session) throws -> (folder: String, copies: [KeptCopy]) {
    let answer = try session.answer(of: machine, Invocation(.copies, [machine.text]))
    var lines = answer.split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard let folder = lines.popFirst(), folder.hasPrefix(machine.text(of: "/")) else {
      throw Failure.malformedAnswer(of: machine)
    }
    let copies = lines.compactMap(copy)
    guard copies.count == lines.count else { throw Failure.malformedAnswer(of: machine) }
    return (String(folder), copies)
  }

  static let checked = "checked"

  /// Lets the program there check a copy.
  static func check(_ copy: KeptCopy, _ machine: SSHAddress, _ session: Session) throws {
    var asking = Invocation(.copies, [machine.text])
    try asking.set(CopyQuestion.check, to: copy.name.text)
    guard try session.answer(of: machine, asking) == checked else {
      throw Failure.malformedAnswer(of: machine)
    }
  }

  static func line(_ copy: KeptCopy) -> String {
    let (count, version, rest) =
      switch copy.content {
      case .success(let content): ("\(content.count)", content.version.text, content.list)
      case .failure(let error): ("", "", copy.problem(error))
      }
    let texts = [copy.name.text, "\(copy.bytes)", copy.isEnd ? "end" : "", count, version, rest]
    return texts.map { $0.split { $0.isNewline || $0 == "\t" }.joined(separator: " ") }.joined(
      separator: "\t")
  }

  private static func copy(_ line: Substring) -> KeptCopy? {
    let texts = line.split(separator: "\t", omittingEmptySubsequences: false)
    // The name is put after the folder, and into a line of a shell by whoever reads it.
    guard texts.count == 6, let name = CopyName(String(texts[0])), !name.text.contains("/"),
      let bytes = Int(texts[1]), bytes >= 0
    else { return nil }
    guard let count = Int(texts[3]), let version = ListVersion(texts[4]) else {
      let failure = Failure.failed(String(texts[5]))
      return KeptCopy(name: name, bytes: bytes, content: .failure(failure))
    }
    return KeptCopy(
      name: name, bytes: bytes,
      content: .success(.init(count: count, version: version, list: String(texts[5]))),
      isEnd: texts[2] == "end")
  }
}

extension Failure {
  /// The failure for an answer that no program of this version gives.
  static func malformedAnswer(of machine: SSHAddress) -> Failure {
    Failure.failed("the program on \(quoted(machine.host)) has not answered as it should")
  }

  /// The failure that a program on another machine reports in its words.
  init(saidBy machine: SSHAddress, _ words: String, _ code: ExitCode) {
    let lines = words.split(whereSeparator: \.isNewline).map { printable(String($0)) }
    let (start, hint) = ("customers: ", "hint: ")
    let message = lines.first.map { $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : $0 }
    self.init(
      code: code == .done ? .failed : code,
      message: message ?? "the program on \(quoted(machine.host)) has failed",
      details: lines.dropFirst().filter { !$0.hasPrefix(hint) },
      hint: lines.first { $0.hasPrefix(hint) }.map { String($0.dropFirst(hint.count)) })
  }
}

extension Session {
  /// Runs a command of the program on another machine, and returns what it prints.
  ///
  /// - Throws: a `Failure` with its exit code and what it said.
  func answer(of machine: SSHAddress, _ invocation: Invocation, input: InputFile? = nil) throws -> String {
    let (answer, words) = (TextSink(), TextSink())
    let context = context.starting(
      on: ChosenList(on: machine), input: input.map { StandardInput($0.descriptor, isTerminal: false) },
      output: Stream(answer), errors: Stream(words))
    var asking = Session(in: context)
    asking.take(invocation)
    let code = try RemoteRun(asking, on: machine).run()
    try asking.output.flush()
    try asking.errors.flush()
    guard code == .done else { throw Failure(saidBy: machine, words.text, code) }
    return answer.text
  }
}

extension Command {
  static let copies = Command(
    name: "__copies", summary: "list the copies of a series for another machine",
    operands: [.one(.text("FILE"))],
    options: [.optional(CopyQuestion.check)],
    need: { _ in .copies },
    run: { session in
      let address = try SSHAddress(session.invocation.operands[0])
      let named = address.path(inHome: session.environment["HOME"])
      let offer = session.context.offer
      let path = try offer?.admitCopies(named, called: address.text) ?? named
      let series = BackupSeries(path, offer: offer)
      if let name = session.invocation[CopyQuestion.check] {
        try series.check(name)
        try session.output.write(RemoteCopies.checked)
        return .done
      }
      let folder = Folder.isFolder(path) ? Folder(path).path : Folder(ofFile: path).path
      try session.output.write("\(address.text(of: folder))\n")
      for copy in try series.copies() { try session.output.write("\(RemoteCopies.line(copy))\n") }
      return .done
    })
}

extension KeptCopy {
  /// Why it can't be read.
  fileprivate func problem(_ error: any Error) -> String {
    if let failure = error as? Failure { return failure.message }
    if let error = error as? any ExplainedError { return Failure(error, file: name.text).message }
    return "\(error)"
  }

  fileprivate func json(called file: String) -> JSON { JSONShapes.copy.json((file, self)) }
}

extension JSONShapes {
  static let copy = JSONShape<(file: String, copy: KeptCopy)>(
    "copy", "A copy that `customers backup --every` has made.",
    [
      .always("file", .text, "the file, for `customers restore`") { .string($0.file) },
      .always("time", .text, "when it was made, in UTC") { .string($0.copy.name.time) },
      .always("bytes", .number, "its size") { .int($0.copy.bytes) },
      .optional("count", .number, "how many rows it has") {
        (try? $0.copy.content.get()).map { .int($0.count) }
      },
      .optional("version", .text, "the version of the list in it") {
        (try? $0.copy.content.get()).map { .string($0.version.text) }
      },
      .optional("list", .text, "the id of the list, which all of its copies have") {
        (try? $0.copy.content.get()).map { .string($0.list) }
      },
      .optional("problem", .text, "why it can't be read") {
        if case .failure(let error) = $0.copy.content { .string($0.copy.problem(error)) } else { nil }
      },
    ])
}

extension Session {
  /// Lists the copies of a series.
  func listCopies(of target: String) throws -> ExitCode {
    let kept = try KeptCopies(target, self)
    if try format() == .json {
      try output.write(JSON.array(kept.copies.map { $0.json(called: kept.name(of: $0)) }).text + "\n")
      try kept.refuseFuture()
      return .done
    }
    let table = table([
      TableColumn(title: "Copy", importance: .name), TableColumn(title: "Made", importance: .fixed),
      TableColumn(title: "Rows", importance: .fixed), TableColumn(title: "Size", importance: .fixed),
    ])
    for copy in kept.copies {
      let count = try? copy.content.get().count
      try table.row([
        TableCell(kept.name(of: copy)), TableCell(localTime(copy.name.time)),
        count.map { TableCell($0) } ?? TableCell("?"), TableCell(spelledSize(copy.bytes), .detail),
      ])
    }
    try table.end()
    if kept.copies.isEmpty, !isQuiet {
      try writeAside(
        "note: there are no copies of --every at \(quoted(target)); a copy of another name is restored by its name"
      )
    }
    let others = kept.countOfOthers
    if others > 0, !isQuiet {
      try writeAside(
        "note: \(others == 1 ? "1 of these is a copy" : "\(others) of these are copies") of another list")
    }
    if kept.ends.count > 1, !isQuiet {
      let (message, names) = kept.parting
      try writeAside("note: \(message); the newest of each: \(names.joined(separator: ", "))")
    }
    for copy in kept.copies {
      guard !isQuiet, case .failure(let error) = copy.content else { continue }
      try writeAside("note: \(printable(copy.problem(error)))")
    }
    try kept.refuseFuture()
    return .done
  }

  /// The newest copy, which has been checked, and where it is.
  ///
  /// - Throws: a `Failure`, with code `outdated` if there is none.
  func newestCopy(of target: String, restoring: Bool = false) throws -> (copy: KeptCopy, kept: KeptCopies) {
    do {
      let kept = try KeptCopies(target, self)
      if let copy = try kept.checkedNewest(restoring: restoring, self) { return (copy, kept) }
      throw Failure.notFound(
        "there is no copy of \(kept.list == nil ? "a" : "this") list at \(quoted(target))",
        hint:
          "to see the copies there: customers backup FILE \(CopyQuestion.list.name); to make some: customers backup "
          + "FILE \(RepeatedBackup.every.name) TIME")
    } catch {
      var failure = failure(error)
      // Without a folder, there is no copy either.
      if failure.code == .notFound { failure.code = .outdated }
      throw failure
    }
  }

  /// Prints the name of the newest copy, which has been checked.
  func printNewestCopy(of target: String) throws -> ExitCode {
    let (copy, kept) = try newestCopy(of: target)
    let name = kept.name(of: copy)
    if let age = invocation[CopyQuestion.maxAge] {
      try kept.refuse(copy, olderThan: age, invocation.word(of: CopyQuestion.maxAge) ?? "")
    }
    if try format() == .json {
      try output.write(copy.json(called: name).text + "\n")
    } else if !isQuiet {
      try output.write(printable(name) + "\n")
    }
    return .done
  }

  /// The version of the list and its id; nil if it is not there or can't be read.
  func stateIfReadable() -> (version: ListVersion, id: String)? {
    let parts = answerIfReadable(to: Invocation(.revision))?.split(separator: " ") ?? []
    guard parts.count == 3, let edit = Int64(parts[1]) else { return nil }
    return (ListVersion(mark: String(parts[0]), edit: edit), String(parts[2]))
  }

  /// What a command prints of the list, wherever that is; nil if it fails, which is not said.
  func answerIfReadable(to invocation: Invocation) -> String? {
    let text = TextSink()
    guard let list = try? list else { return nil }
    let context = context.starting(on: list, output: Stream(text), errors: Stream(TextSink()))
    return perform(invocation, in: context).code == .done ? text.text : nil
  }

  /// Returns those of the copies whose states the list has had; nil if it can't be read.
  fileprivate func had(_ copies: [KeptCopy]) -> [KeptCopy]? {
    // As many as a line of a shell can name.
    let versions = copies.compactMap { try? $0.content.get().version.text }.suffix(500)
    guard let answer = answerIfReadable(to: Invocation(.had, Array(versions))) else { return nil }
    let had = Set(answer.split(separator: "\n").map(String.init))
    return copies.filter { copy in (try? copy.content.get()).map { had.contains($0.version.text) } ?? false }
  }

  /// Restores the newest copy of a series, wherever the list is.
  func restoreNewest(of target: String) throws -> ExitCode {
    let (copy, kept) = try newestCopy(of: target, restoring: true)
    let globals = [GlobalOptions.quiet, GlobalOptions.yes, GlobalOptions.noInput, GlobalOptions.dryRun]
    let json = try format() == .json ? [GlobalOptions.json] : []
    return try run(
      Invocation(.restore, [kept.name(of: copy)], flags: globals.filter { invocation[$0] } + json),
      to: output)
  }
}
