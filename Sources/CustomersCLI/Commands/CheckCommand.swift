internal import Files
internal import Formats
internal import CustomerStore

extension Command {
  static let check = Command(
    name: "check", summary: "check that the file is whole, or repair it",
    description: [
      "Checks the file, its schema, the numbering and the texts. --repair makes a backup next to the file,",
      "then restores the schema and renumbers the rows in the order that can still be recognized. Triggers",
      "that another program put on the tables are removed after you confirm. Bits that flipped inside a",
      "text are not noticed: keep backups.",
    ],
    options: [
      .flag("--repair", "make a backup, then repair the file"),
      .flag("--digest", "also print the SHA-256 of the list, without ids"),
    ],
    examples: [
      CommandExample("Check the file:", "customers check"),
      CommandExample("Repair it, if there is something to repair:", "customers check --repair"),
    ],
    seeAlso: ["backup", "info"],
    run: { session in try CheckRun(session).run() })
}

/// One run of `check`.
private struct CheckRun {
  private let session: Session
  private let store: CustomerStore
  private let isJSON: Bool

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
    do {
      store = try session.openFile(creating: false, adoptingDump: session.invocation.has("--repair"))
    } catch StoreError.missing {
      let file = try session.dataFile().path
      throw Failure.notFound(
        "\(printable(file)): there is no list yet", hint: "customers add NAME makes one")
    }
  }

  func run() throws -> ExitCode {
    var repair: Repaired?
    if session.invocation.has("--repair") {
      guard let repaired = try self.repair() else { return .declined }
      repair = repaired
    }
    let hasDigest = session.invocation.has("--digest")
    let found = try session.read(store) { list in try Findings(list, hasDigest: hasDigest) }
    if isJSON { try answer(found, repair) } else { try tell(found) }
    guard found.violations.isEmpty else {
      let count = found.violations.count
      throw Failure(
        code: .failed, message: "\(count) thing\(count == 1 ? " is" : "s are") not as promised",
        hint: "customers check --repair makes a backup, then renumbers the rows and loses no customer")
    }
    return .done
  }

  /// What a repair did.
  private struct Repaired {
    var places: [Repair] = []
    /// Where the file is as it was; nil if there was nothing to repair.
    var backup: String?
  }

  /// Repairs what is wrong, after a backup.
  ///
  /// - Returns: what was done; nil if the person said no.
  private func repair() throws -> Repaired? {
    let (isWell, foreign) = try session.read(store) { list in
      (try list.check().isEmpty, try list.foreignTriggers())
    }
    guard !isWell else { return Repaired() }
    if session.isDryRun {
      let repairs = try store.dryRunOfRepair(removingForeignTriggers: true)
      if !isJSON {
        try session.tell(foreign.map { "Remove the trigger \(printable($0))" } + repairs.map(\.line))
      }
      return Repaired(places: repairs)
    }
    if !foreign.isEmpty {
      let names = foreign.map(printable).joined(separator: ", ")
      let question = "Remove the triggers of another program (\(names))?"
      guard try session.confirm(question, to: "removing triggers") else { return nil }
    }
    let backup = try backUp()
    let repairs = try store.repair(removingForeignTriggers: !foreign.isEmpty)
    if !isJSON { try session.tell(repairs.map(\.line)) }
    return Repaired(places: repairs, backup: backup)
  }

  /// Copies the file as it is to a name that is free.
  private func backUp() throws -> String {
    let file = try session.dataFile().path
    for number in 1... {
      let path = "\(file).before-repair" + (number == 1 ? "" : "-\(number)")
      do {
        try store.backUp(to: path)
        if !session.isQuiet { try session.writeAside("note: the file as it was is \(quoted(path))") }
        return path
      } catch BackupError.exists where number < 1000 {}
    }
    preconditionFailure("there are more numbers")
  }

  private func answer(_ found: Findings, _ repair: Repaired?) throws {
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
        ("notes", .array(try notes(found).map(JSON.string))),
      ] + repaired + (found.digest.map { [("digest", .string($0))] } ?? []))
  }

  private func tell(_ found: Findings) throws {
    if found.violations.isEmpty {
      let sections = found.sections == 1 ? "1 section" : "\(found.sections) sections"
      if !session.isQuiet {
        try session.output.write("All is well: \(rowCount(found.count)) in \(sections), numbered 1…n.\n")
      }
    }
    for violation in found.violations { try session.output.write(violation.line + "\n") }
    if let digest = found.digest { try session.output.write("SHA-256: \(digest)\n") }
    guard !session.isQuiet else { return }
    for note in try notes(found) { try session.writeAside("note: \(printable(note))") }
  }

  /// What is no fault, but good to know.
  private func notes(_ found: Findings) throws -> [String] {
    var notes =
      found.additions.isEmpty ? [] : ["other programs have added \(found.additions.joined(separator: ", "))"]
    if found.usesLog {
      notes.append("another program keeps the file in write-ahead-log mode; copy its -wal file too")
    }
    if found.mayHaveTraces {
      notes.append(
        "another program has changed this list; what it deleted may still be in the file until "
          + "`customers history --forget`")
    }
    if let mode = FileAccess(try session.dataFile().path), mode.isOpenToOthers {
      notes.append("other users of this computer can open the file (mode \(mode)); `chmod 600` ends that")
    }
    return notes
  }
}

/// What `check` finds.
private struct Findings: Sendable {
  let violations: [Violation]
  let additions: [String]
  let count: Int
  let sections: Int
  let usesLog: Bool
  let mayHaveTraces: Bool
  let digest: String?

  init(_ list: borrowing CustomerList, hasDigest: Bool) throws {
    violations = try list.check()
    additions = try list.additions()
    // Where tables are missing, there is nothing to count.
    let outline = violations.isEmpty ? try list.outline() : try? list.outline()
    (count, sections) = (outline?.count ?? 0, outline?.sections.count ?? 0)
    usesLog = try list.usesWriteAheadLog()
    mayHaveTraces = (try? list.mayHaveTraces()) ?? false
    digest = hasDigest ? try list.digest() : nil
  }
}

extension Repair {
  fileprivate var line: String {
    let from = from.map { "\($0.section.rawValue)/\($0.order)" } ?? "nowhere"
    return "@\(customer.rawValue): \(from) → \(to.section.rawValue)/\(to.order)"
  }

  fileprivate var json: JSON {
    let from = from.map { [("from", $0.json)] } ?? []
    return .object([("id", .int(Int(customer.rawValue)))] + from + [("to", to.json)])
  }
}

extension Place {
  fileprivate var json: JSON {
    .object([("section", .int(Int(section.rawValue))), ("order", .int(order))])
  }
}

extension Violation {
  /// Where, as far as it is known.
  private var place: [(String, JSON)] {
    var place: [(String, JSON)] = []
    if let section { place.append(("section", .int(Int(section.rawValue)))) }
    if let order { place.append(("order", .int(order))) }
    if let customer { place.append(("customer", .int(Int(customer.rawValue)))) }
    return place
  }

  fileprivate var json: JSON { .object([("message", .string(message))] + place) }

  fileprivate var line: String {
    let words = place.map { "\($0.0) \($0.1.text)" }
    return (words.isEmpty ? "" : words.joined(separator: ", ") + ": ") + printable(message)
  }
}
