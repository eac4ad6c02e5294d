internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let check = Command(
    name: "check", summary: "verify, repair, or upgrade the file",
    description: [
      "It can't see corruption inside a value, so keep backups. digest also prints the SHA-256 of the list,",
      "without ids. --repair builds a new list from all that can be read, and keeps the damaged file beside",
      "it. It says what would be lost and asks; --yes does not accept a loss. Triggers of other programs",
      "are removed after you confirm. --upgrade changes the format, which older versions can't open; the",
      "old file stays as NAME.before-upgrade.",
    ],
    forms: [
      .plain(
        [],
        [.optional(CheckRun.repairs), .optional(CheckRun.acceptsLoss), .optional(CheckRun.digest)]),
      .verb("digest"),
      .plain([], [.required(CheckRun.upgrades)]),
    ],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("See what a repair would do", "customers check --repair -n")
    ],
    seeAlso: ["backup", "status"],
    need: { invocation in
      guard invocation[CheckRun.repairs] else { return .list }
      let instead = "copy the list to a file with customers backup FILE, and repair the copy"
      return .file("check --repair", instead: instead, leavesFile: true)
    },
    run: { session in
      try session.invocation[CheckRun.upgrades] ? session.upgradeList() : CheckRun(session).run()
    })
}

struct CheckRun {
  static let repairs = Option.flag(
    "--repair", "build a new list from what can be read")
  static let acceptsLoss = Option.flag("--accept-loss", "with --repair: give up what can't be read")
  static let upgrades = Option.flag("--upgrade", "give the list the format of this version")
  static let digest = Option.flag("--digest", earlier: "check digest")

  /// A damaged page can spoil every row.
  private static let shownProblems = 20

  let session: Session
  private let repairs: Bool
  /// The file before it was opened, if its journal may have to be kept, too.
  let original: OriginalFiles?
  let isJSON: Bool
  private let hasDigest: Bool

  init(_ session: Session) throws {
    self.session = session
    hasDigest = session.invocation[CheckRun.digest] || !session.invocation.operands.isEmpty
    repairs = session.invocation[CheckRun.repairs]
    isJSON = try session.format() == .json
    guard !session.invocation[CheckRun.acceptsLoss] || repairs else {
      throw Failure.usage("--accept-loss needs --repair")
    }
    original = repairs && !session.isDryRun ? try? OriginalFiles(session.list.path) : nil
  }

  func run() throws -> ExitCode {
    do { return try finish(open()) } catch let error as StoreError
      where repairs && (error.isOfDamage || error == .notACustomersFile)
    {
      // It can't even be checked.
      guard let repair = try repair() else { return .declined }
      guard !session.isDryRun else {
        try tellPlan(repair, for: error)
        var failure = failure(error, hint: CheckRun.repairHint)
        failure.isFinding = true
        throw failure
      }
      return try finish(open(), repaired: repair)
    } catch let error as StoreError where error.isOfDamage {
      throw failure(
        error, hint: "\(CheckRun.repairHint); to save what can be read: customers export --partial FILE")
    }
  }

  /// Says what a repair would do with a list that can't be opened, beside what it would lose.
  private func tellPlan(_ repair: CheckRepair, for error: StoreError) throws {
    let problem = JSON.object([("message", .string(error.description))])
    let answer = try [("ok", .bool(false)), ("violations", .array([problem]))] + repair.json(session)
    try session.answer("check", answer) {
      guard !session.isQuiet, repair.report?.losses.isEmpty ?? true else { return }
      try session.output.write("Would repair the list, and lose nothing.\n")
    }
  }

  private static let repairHint = "to keep the file and repair the list: customers check --repair"

  private func failure(_ error: StoreError, hint: String) -> Failure {
    var failure = session.failure(error)
    failure.hint = hint
    return failure
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
    let nodes = hasDigest ? try NodeFindings(list) : nil
    if isJSON { try answer(found, nodes, repair) } else { try tell(found, nodes) }
    if let failure = nodes?.failure { throw failure }
    guard found.violations.isEmpty else {
      throw Failure(
        code: .failed, message: "found \(counted(found.violations.count, "problem"))",
        hint: try hint(found.violations),
        isFinding: repair?.report == nil || session.isDryRun)
    }
    return .done
  }

  /// What helps with the problems that are left.
  private func hint(_ problems: [ListViolation]) throws -> String {
    if !problems.isOfDamage || repairs && !session.isDryRun {
      if let hint = problems.lazy.compactMap(\.enteringAgain).first { return hint }
    }
    return try session.list.address.isCluster
      ? "copy the list to a file with customers backup FILE, and repair the copy" : CheckRun.repairHint
  }

  private func open() throws -> CustomerStore {
    do { return try session.openList(creating: false, adoptingDump: repairs) } catch StoreError.missing {
      let list = try session.list
      var failure = Failure(StoreError.missing, file: list.name, at: list.address)
      if !list.address.isCluster {
        failure.hint = "to create the list: customers add NAME; to bring it back: customers restore FILE"
      }
      throw failure
    }
  }

  private func findings(_ store: CustomerStore) throws -> CheckFindings {
    let hasDigest = hasDigest
    return try session.readAtLength(store) { list in try CheckFindings(list, hasDigest: hasDigest) }
  }

  private func answer(_ found: CheckFindings, _ nodes: NodeFindings?, _ repair: CheckRepair?) throws {
    let repaired = try repair.map { try $0.json(session) } ?? []
    try session.answer(
      [
        ("op", .string("check")), ("ok", .bool(found.violations.isEmpty)), ("count", .int(found.count)),
        ("journal", .string(found.usesLog ? "wal" : "delete")),
        ("violations", .array(found.violations.map(\.json))),
        ("misfits", .array(found.misfits.map(\.misfit.json))),
        ("notes", .array(try found.notes(session).map(JSON.string))),
      ] + repaired + (found.digest.map { [("digest", .string($0))] } ?? []) + (nodes?.json ?? []))
  }

  private func tell(_ found: CheckFindings, _ nodes: NodeFindings?) throws {
    if found.violations.isEmpty {
      let sections = counted(found.sections, "section")
      if !session.isQuiet {
        try session.output.write("OK: \(counted(found.count, "row")) in \(sections), numbered 1…n.\n")
      }
    }
    let shown = found.violations.prefix(CheckRun.shownProblems)
    for violation in shown { try session.output.write(violation.line + "\n") }
    let rest = found.violations.count - shown.count
    if rest > 0 { try session.output.write("and \(counted(rest, "problem")) more\n") }
    if let digest = found.digest { try session.output.write("SHA-256: \(digest)\n") }
    for line in nodes?.lines ?? [] { try session.output.write(line + "\n") }
    guard !session.isQuiet else { return }
    for note in try found.notes(session) {
      try session.writeAside("note: \(printable(note))")
      guard note == found.misfitCount.sentence else { continue }
      let more = found.misfitCount.map(\.count).reduce(-found.misfits.count, +)
      for (misfit, position) in found.misfits {
        let who = "\(position)  @\(misfit.customer?.rawValue ?? 0)  \(printable(misfit.name))"
        try session.writeAside(
          "     \(who): \(printable(misfit.column)) \(quoted(cut(misfit.value, to: 40)))")
      }
      if more > 0 { try session.writeAside("     … and \(more) more") }
    }
  }
}

struct CheckFindings: Sendable {
  let violations: [ListViolation]
  let additions: [String]
  let count: Int
  let sections: Int
  let usesLog: Bool
  let mayHaveTraces: Bool
  let digest: String?
  /// The values that are not of the kind of their column: the first, and how many.
  let misfits: [(misfit: PullSummary.Misfit, position: Int)]
  let misfitCount: [SkippedValues.Count]
  /// What columns may be that are not declared.
  let proposals: [ColumnProposal]
  /// How many addresses are not known in parts.
  let addressesWithoutParts: Int

  init(_ list: borrowing CustomerList, hasDigest: Bool) throws {
    violations = try list.check()
    additions = try list.additions()
    // If tables are missing, there is nothing to count.
    let outline = violations.isEmpty ? try list.outline() : try? list.outline()
    (count, sections) = (outline?.count ?? 0, outline?.sections.count ?? 0)
    let found = violations.isEmpty ? try list.misfits() : nil
    misfitCount = found?.counts.counts ?? []
    misfits = found?.first.map { ($0.misfit, outline?.position(of: $0.place) ?? 0) } ?? []
    proposals = violations.isEmpty ? try list.openProposals() : []
    addressesWithoutParts = violations.isEmpty ? try list.addressesWithoutParts() : 0
    usesLog = try list.usesWriteAheadLog()
    mayHaveTraces = (try? list.mayHaveTraces()) ?? false
    digest = !hasDigest ? nil : violations.isEmpty ? try list.digest() : try? list.digest()
  }

  /// Notes on what is not a problem.
  func notes(_ session: Session) throws -> [String] {
    var notes =
      additions.isEmpty ? [] : ["other programs have added \(additions.joined(separator: ", "))"]
    if let sentence = misfitCount.sentence { notes.append(sentence) }
    notes += proposals.map(\.note)
    if addressesWithoutParts > 0 {
      let one = addressesWithoutParts == 1
      notes.append(
        "\(one ? "1 address is" : "\(addressesWithoutParts) addresses are") not known in parts, so a question such as "
          + "City=Bonn does not find \(one ? "it" : "them")")
    }
    if usesLog {
      notes.append("another program keeps the file in write-ahead-log mode; copy its -wal file too")
    }
    if mayHaveTraces {
      notes.append(
        "another program has changed this list; what it deleted may still be in the file until "
          + "`customers history --forget`")
    }
    if let mode = try session.list.address.path.flatMap(FileAccess.init), mode.isOpenToOthers {
      notes.append(
        "other users on this computer can read the file (mode \(mode)); to prevent that: chmod 600 FILE")
    }
    return notes
  }
}

extension ListViolation {
  /// The location, if known.
  private var place: [(String, JSON)] {
    var place: [(String, JSON)] = []
    if let section { place.append(("section", .int(Int(section.rawValue)))) }
    if let order { place.append(("order", .int(order))) }
    if let customer { place.append(("customer", .int(Int(customer.rawValue)))) }
    return place
  }

  /// How the user enters a text again that can't be read.
  fileprivate var enteringAgain: String? {
    switch unreadableText {
    case .customer?:
      return "to enter an unreadable text again: customers edit @\(customer?.rawValue ?? 0)"
    case .section?: return "to enter the text of a section again: customers section rename, or section footer"
    case .entry?: return "to enter it again: customers config, or columns"
    case .line(let uid)?:
      return "to delete an unreadable line by SQL: DELETE FROM log_lines WHERE uid = \(uid)"
    case nil: return nil
    }
  }

  var json: JSON { .object([("message", .string(message))] + place) }

  var line: String {
    let counted = ["the section's number", "the section's count", "the part", "the chapter", "the block"]
    if let section, counted.contains(where: message.hasPrefix) {
      let number = order.map { "row \($0): " } ?? ""
      return "the numbering of section @\(section.rawValue) is damaged (\(number)\(printable(message)))"
    }
    let words = place.map { "\($0.0) \($0.1.text)" }
    return (words.isEmpty ? "" : words.joined(separator: ", ") + ": ") + printable(message)
  }
}

/// The result of a repair; empty if there was nothing to repair.
struct CheckRepair {
  var report: RepairReport?

  /// Its members in the answer of `check`.
  func json(_ session: Session) throws -> [(String, JSON)] {
    guard let report else { return [("repaired", .array([]))] }
    func list(_ lines: [String]) -> JSON { .array(lines.map(JSON.string)) }
    return [("repaired", .array(report.moves.map(\.json)))]
      + (report.removedTriggers.isEmpty ? [] : [("removed_triggers", list(report.removedTriggers))])
      + (report.losses.isEmpty ? [] : [("lost", list(report.losses))])
      + (report.changes.isEmpty ? [] : [("changed", list(report.changes))])
      + (try report.backup.map { [("backup", .string(try session.list.name(ofFileAt: $0)))] } ?? [])
  }
}

extension CheckRun {
  /// Repairs the file, unless it is a dry run, and reports what is done.
  ///
  /// - Returns: the result; nil if the user declined.
  func repair() throws -> CheckRepair? {
    let (path, options) = (try session.list.path, try session.storeOptions(creating: false))
    guard !session.isDryRun else {
      let report = try CustomerStore.dryRunOfRepair(fileAt: path, options: options)
      if !isJSON { try tell(report) }
      return CheckRepair(report: report)
    }
    // The copies that are made stay whole or disappear.
    TemporaryNames.removeAll(atSignals: [SIGINT, SIGTERM, SIGHUP])
    try session.context.caller?.expectChange(canBeLookedUp: false)
    var agreed: RepairReport?
    let report: RepairReport
    do {
      report = try CustomerStore.repair(fileAt: path, options: options, original: original) { report in
        if let agreed { try refuseOther(report, agreed) }
        try ask(about: report)
        agreed = report
      }
    } catch is Declined { return nil }
    if let replacement = report.replacement { throw try failure(replacement) }
    session.note(.change)
    if let backup = report.backup, !session.isQuiet {
      let name = try session.list.name(ofFileAt: backup)
      try session.writeAside("note: copied the damaged file to \(quoted(name))")
    }
    if !isJSON { try tell(report) }
    return CheckRepair(report: report)
  }

  /// Asks whether triggers may be removed, and whether what can't be read may be lost.
  private func ask(about report: RepairReport) throws {
    if !report.removedTriggers.isEmpty {
      let names = report.removedTriggers.map(printable).joined(separator: ", ")
      let question = "Remove the triggers that another program added (\(names))?"
      guard try session.confirm(question, to: "removing triggers") else { throw Declined() }
    }
    guard !report.losses.isEmpty, !session.invocation[CheckRun.acceptsLoss] else { return }
    let lines = report.losses.map(printable)
    guard session.canAsk, !isJSON else {
      throw Failure.refused(
        "a repair would lose what can't be read; nothing was changed", details: lines.map { "     \($0)" },
        hint: "to repair the list without it: customers check --repair --accept-loss")
    }
    try session.errors.write("This can't be read:\n\(lines.map { "     \($0)\n" }.joined())")
    guard try session.ask("Repair the list without it? [y/N]", default: false) else { throw Declined() }
  }

  /// Refuses a repair that is no longer the one that was agreed to.
  private func refuseOther(_ report: RepairReport, _ agreed: RepairReport) throws {
    let triggers = report.removedTriggers.filter { !agreed.removedTriggers.contains($0) }
    let losses = report.losses.filter { !agreed.losses.contains($0) }
    guard triggers.isEmpty, losses.isEmpty else {
      throw Failure.changedSinceShown(
        triggers.map { "now: trigger \(printable($0))" } + losses.map { "now lost: \(printable($0))" })
    }
  }

  /// SQLite takes the damaged file for none of its own, so no lock would keep other programs out.
  private func failure(_ replacement: String) throws -> Failure {
    let (list, new) = (quoted(try session.list.name), quoted(try session.list.name(ofFileAt: replacement)))
    return Failure.failed(
      "can't lock \(list): SQLite does not recognize it; the repaired list is in \(new)",
      hint: "to put it in place when no program has the list open: mv \(new) \(list)")
  }

  /// Reports what the repair did, and the rows that have got other places by name as far as it can be read.
  private func tell(_ report: RepairReport) throws {
    for trigger in report.removedTriggers {
      try session.tell(Sentence(.remove, "the trigger \(printable(trigger))"))
    }
    for loss in report.losses { try session.tell(Sentence(.lose, printable(loss))) }
    if !session.isQuiet {
      for change in report.changes { try session.writeAside("note: \(printable(change))") }
    }
    try tell(report.moves)
  }

  private func tell(_ repairs: [ListRepair]) throws {
    guard !repairs.isEmpty else { return }
    // A list that can't be opened has no names yet.
    var (titles, names): ([SectionID: String], [String?]) = ([:], repairs.map { _ in nil })
    if let store = try? session.openList(creating: false) {
      (titles, names) = try session.read(store) { list in
        let sections = (try? list.sections()) ?? []
        return (
          Dictionary(sections.map { ($0.id, printable($0.title)) }) { first, _ in first },
          repairs.map { (try? list.customer($0.customer))?.fields.title($0.customer) }
        )
      }
    }
    func path(_ place: CustomerPlace) -> String {
      "\(titles[place.section] ?? "@\(place.section.rawValue)")/\(place.order)"
    }
    for (repair, name) in zip(repairs, names) {
      let customer = name ?? "customer @\(repair.customer.rawValue)"
      try session.tell(
        repair.from.map { Sentence(.move, "\(customer) \(path($0)) → \(path(repair.to))") }
          ?? Sentence(.bringBack, "\(customer) as \(path(repair.to))"))
    }
  }
}

extension ListRepair {
  fileprivate var json: JSON {
    let from = from.map { [("from", $0.json)] } ?? []
    return .object([("id", .int(Int(customer.rawValue)))] + from + [("to", to.json)])
  }
}

extension CustomerPlace {
  fileprivate var json: JSON {
    .object([("section", .int(Int(section.rawValue))), ("order", .int(order))])
  }
}

/// What `check digest` finds on the nodes of a cluster.
struct NodeFindings {
  /// What it finds on one node.
  private struct Finding: Equatable {
    let digest: String
    let problems: Int
  }

  /// The leader's first; empty if the list is not on a cluster.
  private let nodes: [(address: String, finding: Finding?)]

  init(_ store: CustomerStore) throws {
    nodes = try store.readEachNode { list in
      Finding(digest: try list.digest(), problems: try list.check().count)
    }.map { ($0.address, $0.result) }
  }

  /// The digest of the leader's list, without which there are no nodes.
  private var expected: Finding? { nodes.first?.finding }

  /// A line for each node.
  var lines: [String] {
    nodes.map { node in
      let words =
        switch node.finding {
        case nil: "no answer"
        case expected?: "the same"
        case let other?: "DIFFERENT: \(other.digest), \(counted(other.problems, "problem"))"
        }
      return "\(printable(node.address)): \(words)"
    }
  }

  /// The same for a program.
  var json: [(String, JSON)] {
    guard !nodes.isEmpty else { return [] }
    let objects = nodes.map { node in
      JSON.object([
        ("address", .string(node.address)),
        ("digest", node.finding.map { .string($0.digest) } ?? .raw("null")),
        ("ok", .bool(node.finding != nil && node.finding == expected)),
      ])
    }
    return [("nodes", .array(objects))]
  }

  /// The failure if a node has another list than the leader.
  var failure: Failure? {
    let others = nodes.filter { $0.finding != nil && $0.finding != expected }.map { printable($0.address) }
    guard !others.isEmpty else { return nil }
    return Failure(
      code: .failed, message: "another list than the leader's is on \(others.joined(separator: ", "))",
      hint: "make a backup; then stop that node, empty its folder, and start it again with --join",
      isFinding: true)
  }
}
