internal import CustomersFormats
internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let check = Command(
    name: "check", summary: "verify or repair the file",
    description: [
      "Verifies the file, its schema, the numbering, and the values. --repair builds a new list from all",
      "that can be read, keeps the damaged file beside it, and puts the new one in its place. What other",
      "programs have added stays, but for triggers on the tables: those are removed after you confirm.",
      "",
      "If something can't be read, --repair says what would be lost and asks; --yes does not accept that,",
      "--accept-loss does. check can't detect corruption inside a value, so keep backups.",
    ],
    options: [
      .optional(CheckRun.repairs), .optional(CheckRun.acceptsLoss), .optional(CheckRun.digest),
    ],
    examples: [
      CommandExample("Check the file:", "customers check"),
      CommandExample("Repair it, if necessary:", "customers check --repair"),
      CommandExample("See what a repair would do:", "customers check --repair -n"),
    ],
    seeAlso: ["backup", "info"],
    need: { invocation in
      guard invocation[CheckRun.repairs] else { return .list }
      let instead = "copy the list to a file with customers backup FILE, and repair the copy"
      return .file("check --repair", instead: instead, leavesFile: true)
    },
    run: { session in try CheckRun(session).run() })
}

/// One run of `check`.
struct CheckRun {
  static let repairs = Option.flag(
    "--repair", "keep the damaged file, then build the list from what can be read")
  static let acceptsLoss = Option.flag("--accept-loss", "with --repair: give up what can't be read")
  static let digest = Option.flag(
    "--digest", "also print the SHA-256 of the list, without ids, and compare a cluster's nodes")

  /// A damaged page can spoil every row.
  private static let shownProblems = 20

  let session: Session
  private let repairs: Bool
  /// The file before it was opened, if its journal may have to be kept, too.
  let original: OriginalFiles?
  let isJSON: Bool

  init(_ session: Session) throws {
    self.session = session
    repairs = session.invocation[CheckRun.repairs]
    isJSON = try session.format() == .json
    guard !session.invocation[CheckRun.acceptsLoss] || repairs else {
      throw Failure.usage("--accept-loss needs --repair")
    }
    original = repairs && !session.isDryRun ? try? OriginalFiles(session.list.path) : nil
  }

  func run() throws -> ExitCode {
    do { return try finish(open()) } catch let error as StoreError where repairs && error.mayBeRepaired {
      // It can't even be checked.
      guard let repair = try repair() else { return .declined }
      guard !session.isDryRun else { throw error }
      return try finish(open(), repaired: repair)
    } catch let error as StoreError where error.isOfDamage {
      var failure = session.failure(error)
      failure.hint =
        "to keep the file and repair the list: customers check --repair; "
        + "to save what can be read: customers export --partial FILE"
      throw failure
    }
  }

  /// Checks the list, and repairs it if necessary.
  private func finish(_ list: CustomerStore, repaired: CheckRepair? = nil) throws -> ExitCode {
    // On a cluster it is a copy.
    let store = try list.forChecking()
    var found = try findings(store)
    var repair = repaired ?? (repairs ? CheckRepair() : nil)
    if repairs, repaired == nil, !found.violations.isEmpty {
      guard let done = try self.repair() else { return .declined }
      repair = done
      if !session.isDryRun { found = try findings(store) }
    }
    let nodes = session.invocation[CheckRun.digest] ? try NodeFindings(list) : nil
    if isJSON { try answer(found, nodes, repair) } else { try tell(found, nodes) }
    if let failure = nodes?.failure { throw failure }
    guard found.violations.isEmpty else {
      var hint = "to re-enter an unreadable value: customers edit @ID"
      if !repairs || session.isDryRun {
        hint =
          try session.list.address.isCluster
          ? "copy the list to a file with customers backup FILE, and repair the copy"
          : "to keep the file and repair the list: customers check --repair"
      }
      throw Failure(
        code: .failed, message: "found \(problemCount(found.violations.count))", hint: hint, isFinding: true)
    }
    return .done
  }

  private func open() throws -> CustomerStore {
    do { return try session.openList(creating: false, adoptingDump: repairs) } catch StoreError.missing {
      throw Failure.notFound(
        "can't open \(quoted(try session.list.name)): no such file",
        hint: "to create the list: customers add NAME")
    }
  }

  private func findings(_ store: CustomerStore) throws -> CheckFindings {
    let hasDigest = session.invocation[CheckRun.digest]
    return try session.readAtLength(store) { list in try CheckFindings(list, hasDigest: hasDigest) }
  }

  private func answer(_ found: CheckFindings, _ nodes: NodeFindings?, _ repair: CheckRepair?) throws {
    let repaired = try repair.map { try $0.json(session) } ?? []
    try session.answer(
      [
        ("op", .string("check")), ("ok", .bool(found.violations.isEmpty)), ("count", .int(found.count)),
        ("journal", .string(found.usesLog ? "wal" : "delete")),
        ("violations", .array(found.violations.map(\.json))),
        ("notes", .array(try found.notes(session).map(JSON.string))),
      ] + repaired + (found.digest.map { [("digest", .string($0))] } ?? []) + (nodes?.json ?? []))
  }

  private func tell(_ found: CheckFindings, _ nodes: NodeFindings?) throws {
    if found.violations.isEmpty {
      let sections = found.sections == 1 ? "1 section" : "\(found.sections) sections"
      if !session.isQuiet {
        try session.output.write("OK: \(rowCount(found.count)) in \(sections), numbered 1…n.\n")
      }
    }
    let shown = found.violations.prefix(CheckRun.shownProblems)
    for violation in shown { try session.output.write(violation.line + "\n") }
    let rest = found.violations.count - shown.count
    if rest > 0 { try session.output.write("and \(problemCount(rest)) more\n") }
    if let digest = found.digest { try session.output.write("SHA-256: \(digest)\n") }
    for line in nodes?.lines ?? [] { try session.output.write(line + "\n") }
    guard !session.isQuiet else { return }
    for note in try found.notes(session) { try session.writeAside("note: \(printable(note))") }
  }
}
