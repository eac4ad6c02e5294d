internal import CustomersFormats
internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let check = Command(
    name: "check", summary: "verify or repair the file",
    description: [
      "Verifies the file, its schema, the numbering, and the values. --repair makes a backup beside the",
      "file, then restores the schema and rebuilds the numbering from what is left of the order. After you",
      "confirm, it removes triggers that another program put on the tables. check can't detect corruption",
      "inside a value, so keep backups.",
    ],
    options: [
      .optional(CheckRun.repairs), .optional(CheckRun.digest),
    ],
    examples: [
      CommandExample("Check the file:", "customers check"),
      CommandExample("Repair it, if necessary:", "customers check --repair"),
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
  static let repairs = Option.flag("--repair", "make a backup, then repair the file")
  static let digest = Option.flag(
    "--digest", "also print the SHA-256 of the list, without ids, and compare a cluster's nodes")

  let session: Session
  private let repairs: Bool
  /// The list as it was opened.
  private let list: CustomerStore
  /// The list to check, which may be a copy.
  let store: CustomerStore
  let isJSON: Bool

  init(_ session: Session) throws {
    self.session = session
    repairs = session.invocation[CheckRun.repairs]
    isJSON = try session.format() == .json
    do {
      list = try session.openList(creating: false, adoptingDump: repairs)
      store = try list.forChecking()
    } catch StoreError.missing {
      throw Failure.notFound(
        "can't open \(quoted(try session.list.name)): no such file",
        hint: "to create the list: customers add NAME")
    }
  }

  func run() throws -> ExitCode {
    var found = try findings()
    var repair = repairs ? CheckRepair() : nil
    if repair != nil, !found.violations.isEmpty {
      guard let repaired = try self.repair() else { return .declined }
      repair = repaired
      if !session.isDryRun { found = try findings() }
    }
    let nodes = session.invocation[CheckRun.digest] ? try NodeFindings(list) : nil
    if isJSON { try answer(found, nodes, repair) } else { try tell(found, nodes) }
    if let failure = nodes?.failure { throw failure }
    guard found.violations.isEmpty else {
      var hint = "to re-enter an unreadable value: customers edit @ID"
      if repair == nil || session.isDryRun {
        hint =
          try session.list.address.isCluster
          ? "copy the list to a file with customers backup FILE, and repair the copy"
          : "to make a backup and repair the list: customers check --repair"
      }
      throw Failure(
        code: .failed, message: "found \(problemCount(found.violations.count))", hint: hint, isFinding: true)
    }
    return .done
  }

  private func findings() throws -> CheckFindings {
    let hasDigest = session.invocation[CheckRun.digest]
    return try session.readAtLength(store) { list in try CheckFindings(list, hasDigest: hasDigest) }
  }

  private func answer(_ found: CheckFindings, _ nodes: NodeFindings?, _ repair: CheckRepair?) throws {
    var repaired: [(String, JSON)] = []
    if let repair {
      repaired.append(("repaired", .array(repair.places.map(\.json))))
      if let backup = repair.backup { repaired.append(("backup", .string(backup))) }
    }
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
    for violation in found.violations { try session.output.write(violation.line + "\n") }
    if let digest = found.digest { try session.output.write("SHA-256: \(digest)\n") }
    for line in nodes?.lines ?? [] { try session.output.write(line + "\n") }
    guard !session.isQuiet else { return }
    for note in try found.notes(session) { try session.writeAside("note: \(printable(note))") }
  }
}
