internal import Formats
internal import CustomerStore
internal import TerminalText

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
struct CheckRun {
  let session: Session
  let store: CustomerStore
  let isJSON: Bool

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
    if session.invocation.has("--repair") {
      try session.refuseCluster(
        "check --repair", hint: "customers backup FILE copies the list to a file, and check repairs that")
    }
    do {
      let store = try session.openFile(creating: false, adoptingDump: session.invocation.has("--repair"))
      // The leader's copy is checked here.
      self.store = store.isOnCluster ? try store.copyInMemory() : store
    } catch StoreError.missing {
      let file = try session.dataFile().path
      throw Failure.notFound(
        "\(printable(file)): there is no list yet", hint: "customers add NAME makes one")
    }
  }

  func run() throws -> ExitCode {
    var repair: CheckRepair?
    if session.invocation.has("--repair") {
      guard let repaired = try self.repair() else { return .declined }
      repair = repaired
    }
    let hasDigest = session.invocation.has("--digest")
    let found = try session.read(store) { list in try CheckFindings(list, hasDigest: hasDigest) }
    if isJSON { try answer(found, repair) } else { try tell(found) }
    guard found.violations.isEmpty else {
      let count = found.violations.count
      throw Failure(
        code: .failed, message: "\(count) thing\(count == 1 ? " is" : "s are") not as promised",
        hint: "customers check --repair makes a backup, then renumbers the rows and loses no customer")
    }
    return .done
  }

  private func answer(_ found: CheckFindings, _ repair: CheckRepair?) throws {
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
      ] + repaired + (found.digest.map { [("digest", .string($0))] } ?? []))
  }

  private func tell(_ found: CheckFindings) throws {
    if found.violations.isEmpty {
      let sections = found.sections == 1 ? "1 section" : "\(found.sections) sections"
      if !session.isQuiet {
        try session.output.write("All is well: \(rowCount(found.count)) in \(sections), numbered 1…n.\n")
      }
    }
    for violation in found.violations { try session.output.write(violation.line + "\n") }
    if let digest = found.digest { try session.output.write("SHA-256: \(digest)\n") }
    guard !session.isQuiet else { return }
    for note in try found.notes(session) { try session.writeAside("note: \(printable(note))") }
  }
}
