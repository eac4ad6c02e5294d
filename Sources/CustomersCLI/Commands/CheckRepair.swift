internal import CustomerStore
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersPlatform
internal import CustomersTerminalText
internal import CustomersWording

/// The result of a repair; empty if there was nothing to repair.
struct CheckRepair {
  var report: RepairReport?

  /// Its members in the answer of `check`.
  func json(_ session: Session) throws -> [(String, JSON)] {
    guard let report else { return [("repaired", .array([]))] }
    func list(_ lines: [String]) -> JSON { .array(lines.map(JSON.string)) }
    return [("repaired", .array(report.moves.map(\.json)))]
      + (report.losses.isEmpty ? [] : [("lost", list(report.losses))])
      + (report.changes.isEmpty ? [] : [("changed", list(report.changes))])
      + (try report.backup.map { [("backup", .string(try session.list.name(ofFileAt: $0)))] } ?? [])
  }
}

extension CheckRun {
  /// The user does not want the repair.
  private struct Declined: Error {}

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
      throw Failure(
        code: .refused, message: "a repair would lose what can't be read; nothing was changed",
        details: lines.map { "     \($0)" },
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
    return Failure(
      code: .failed,
      message: "can't lock \(list): SQLite does not recognize it; the repaired list is in \(new)",
      hint: "to put it in place when no program has the list open: mv \(new) \(list)")
  }

  /// Reports what the repair did, and the rows that have got other places by name as far as it can be read.
  private func tell(_ report: RepairReport) throws {
    if session.isDryRun {
      for trigger in report.removedTriggers {
        try session.tell(Sentence(.remove, "the trigger \(printable(trigger))"))
      }
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

extension StoreError {
  /// Whether a list that can't be opened for this reason may be one that can be repaired.
  var mayBeRepaired: Bool { isOfDamage || self == .notACustomersFile }

  /// Whether it is a list, but can't be read.
  var isOfDamage: Bool {
    switch self {
    case .damaged, .upgradeFailed: true
    case .failed(let reason): reason.contains("schema")
    default: false
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
