internal import CustomerStore
internal import CustomersFiles
internal import CustomersTerminalText
internal import CustomersWording

extension Failure {
  /// The failure for an error of any layer, about a file or the list at an address.
  init(_ error: any Error, file: String, at address: ListAddress? = nil) {
    switch StoreError.ofStore(error) {
    case let failure as Failure: self = failure
    case let error as SelectionError: self.init(error)
    case let error as FilterError: self.init(error)
    case let error as ListError where error.isLack: self.init(lack: error, file: file)
    case let error as ListError: self.init(error)
    case let error as StaleConfirmation: self.init(error)
    case let error as BackupError: self.init(error, to: file)
    case let error as RestoreError: self.init(error, from: file)
    case let error as LoadError: self.init(error)
    case let error as RepairError: self.init(error, file: file)
    case let error as FieldConflict: self.init(error)
    case BatchError.refused(_, let reason): self.init(reason)
    case let error as StoreError: self.init(error, file: file, at: address)
    case let error as CommitError: self.init(error, file: file)
    case let error as FileError: self.init(error)
    case is CancellationError: self.init(code: .failed, message: "interrupted; nothing was changed")
    default: self.init(code: .failed, message: printable("\(error)"))
    }
  }

  /// The failure for an error about the list; `label` is how the user named the customer.
  init(_ error: ListError, _ label: CustomerLabel? = nil) {
    message = label.map { error.description(naming: $0.title) } ?? error.description
    switch error {
    case .noSuchCustomer, .noSuchSection, .noSuchColumn: code = .notFound
    case .placeOutOfRange(let asked, _):
      code = .notFound
      message = message.replacing("number \(asked)", with: Invocation.spelled("number", asked))
    case .ambiguousColumn(let name, _):
      code = .notFound
      message = printable(message)
      hint = "write the name exactly"
      offendingArgument = name
    case .noSections:
      code = .notFound
      hint = "to add a section: customers section add Customers"
    case .editForbidden(let id):
      code = .refused
      hint = "to allow editing: customers protect \(label?.word ?? "@\(id.rawValue)") --allow-edit"
    case .moveForbidden(let id):
      code = .refused
      hint = "to allow moving: customers protect \(label?.word ?? "@\(id.rawValue)") --allow-move"
    case .moveConflict, .orderChanged, .contentChanged, .tooLongAgo, .otherHistory, .otherStep, .columnsOverlap:
      code = .refused
    case .historyDiffers:
      code = .refused
      hint = "to look for damage: customers check"
    case .titleInUse:
      code = .refused
      message = printable(message)
    case .sectionNotEmpty:
      code = .refused
      hint = "move or delete its rows first, or add --with-customers"
    case .duplicateID, .arrangementDiffers, .untitledSection: code = .usage
    case .damaged:
      code = .failed
      hint = "to keep the file and repair the list: customers check --repair"
    case .incomplete:
      code = .failed
      hint = Failure.hintForDamage
    }
  }

  /// The failure of reading a list in which rows are missing.
  private init(lack: ListError, file: String) {
    self.init(lack)
    message = "can't read \(quoted(file)): \(message)"
  }

  /// What to do with a damaged file.
  private static let hintForDamage =
    "to see what is wrong: customers check; to save the other rows: customers export --partial FILE; "
    + "to go back to a backup: customers restore FILE"

  private init(_ error: StaleConfirmation) {
    let details =
      switch error {
      case .otherOutcome(let shown, let now): Failure.differences(shown, now)
      case .otherColumn(let column, let shown, let now) where shown == now:
        ["now: column \(quoted(column)) has other values"]
      case .otherColumn(let column, let shown, let now):
        ["now: \(customerCount(now)) \(now == 1 ? "has" : "have") column \(quoted(column)), not \(shown)"]
      case .otherImport: ["now: the import would add, change, or skip other rows"]
      case .otherHistory: ["the list was restored or repaired, or its history was erased"]
      case .refused(let reason): [printable(reason.description)]
      }
    self = .changedSinceShown(details)
  }

  /// The failure of a confirmed edit, because the list has changed since it was shown.
  static func changedSinceShown(_ details: [String]) -> Failure {
    Failure(
      code: .refused,
      message: "another program changed the list while you were deciding; nothing was changed",
      details: shown(details.map { "     \($0)" }))
  }

  /// What was shown and is no longer true, and what is true now.
  private static func differences(_ shown: EditOutcome, _ now: EditOutcome) -> [String] {
    let (old, new) = (
      TextPresenter(shown, isDryRun: true).lines, TextPresenter(now, isDryRun: true).lines
    )
    let (oldSet, newSet) = (Set(old), Set(new))
    let lines =
      old.filter { !newSet.contains($0) }.map { "shown: \($0)" }
      + new.filter { !oldSet.contains($0) }.map { "now: \($0)" }
    guard lines.isEmpty else { return lines }
    // As many rows as before, but others.
    let ids = { (ids: Set<CustomerID>) in ids.map(\.rawValue).sorted().map { "@\($0)" } }
    return ids(shown.deleted.subtracting(now.deleted)).map { "shown: customer \($0)" }
      + ids(now.deleted.subtracting(shown.deleted)).map { "now: customer \($0)" }
  }

  private init(_ error: FieldConflict) {
    self.init(
      code: .refused,
      message: "another program changed the customer while you were editing; nothing was changed",
      details: error.fields.map { "     \(printable($0.title)) is now \(quoted(error.theirs[$0].text))" })
  }

  /// The failure of a backup to the file named `path`.
  init(_ error: BackupError, to path: String) {
    message = "can't back up to \(quoted(path)): \(printable(error.description))"
    switch error {
    case .exists:
      code = .refused
      hint = "name another file or add --yes to replace it"
    case .isReserved, .hasJournal:
      code = .refused
      hint = "name another file"
    case .differs, .failed: code = .failed
    }
  }

  /// The failure of a restore from the file named `path`.
  init(_ error: RestoreError, from path: String) {
    message = "can't restore \(quoted(path)): \(printable(error.description))"
    switch error {
    case .isReserved: code = .refused
    case .isDamaged:
      code = .failed
      outcome = Failure.nothingChanged
      hint = "to see what is wrong: customers check --db FILE"
    case .isBusy, .failed: code = .failed
    }
  }

  private init(_ error: RepairError, file: String) {
    message = "can't repair \(quoted(file)): \(printable(error.description))"
    code = .failed
    outcome = Failure.nothingChanged
    switch error {
    case .isBusy: hint = "try again when the other programs have finished"
    case .noCopy: hint = "free some space"
    case .isDamaged: hint = "to save what can be read: customers export --partial FILE"
    case .loss: code = .refused
    }
  }

  private init(_ error: LoadError) {
    message = "can't copy the list to the cluster: \(error)"
    code = error == .isOccupied ? .refused : .failed
    if case .isDamaged = error { hint = "to see what is wrong: customers check" }
  }

  private init(_ error: FileError) {
    code = error.operation == .open && error.reason.isMissing ? .notFound : .failed
    let name = error.path == "-" ? "standard input" : quoted(error.path)
    message = "can't \(error.operation.words) \(name): \(error.reason)"
    if error.operation == .keepTemporaryFile, error.reason.isFull {
      hint = "set $TMPDIR to a folder with more space"
    }
  }

  private init(_ error: CommitError, file: String) {
    let isDone = error.outcome == .committed
    done = isDone ? .change : nil
    code = isDone ? .incomplete : .unknown
    message =
      "can't write \(quoted(file)): \(printable(isDone ? error.reason.description : error.description))"
    hint =
      "when the \(error.isOnCluster ? "cluster answers" : "disk works") again, "
      + "customers history shows what was done"
  }

  private init(_ error: StoreError, file: String, at address: ListAddress?) {
    code = error == .missing ? .notFound : .failed
    var reason = printable(error.description)
    switch error {
    case .missing:
      guard let absence = address?.absence(called: file) else { break }
      (reason, hint) = absence
    case .unreachable: hint = "try again when most nodes of the cluster are running"
    case .notACustomersFile: hint = "name another file: --db PATH"
    case .reloadedDump: hint = "to make it a customers file again: customers check --repair"
    case .unknownTriggers: hint = "to remove them: customers check --repair"
    case .locked:
      if let holder = address?.holder { reason = "\(holder) has locked the file" }
      if address?.isCluster == true { reason = "another program is writing to the list" }
      hint = "try again when the other program has finished"
    case .noCopy: hint = "set $SQLITE_TMPDIR to a folder with more space"
    case .diskFull: hint = "free some space"
    case .fileTooLarge: hint = "to see the limit: ulimit -f"
    case .diskError: hint = "check the disk and make a backup"
    case .plantedJournal:
      hint =
        "find out who put \(printable(file))-journal there. If you don't know, move it away and restore a backup; "
        + "if another database was changed together with the list, open both with sqlite3 first"
    case .foreignJournal:
      hint =
        "find out who put it there and move it away; keep the list in a folder that only you can write to"
    case .damaged: hint = Failure.hintForDamage
    default: break
    }
    message = "can't \(error.verb) \(quoted(file)): \(reason)"
    switch error {
    case .unreachable, .diskFull, .fileTooLarge, .diskError, .foreignJournal: outcome = Failure.nothingChanged
    default: break
    }
  }
}

extension ListError {
  /// Whether rows are missing in the file.
  fileprivate var isLack: Bool { if case .incomplete = self { true } else { false } }
}

extension StoreError {
  /// The verb in "can't open" the list.
  fileprivate var verb: String {
    switch self {
    case .readOnly, .diskFull, .fileTooLarge, .tooLong, .unknownTriggers: "write"
    case .damaged, .diskError, .replaced: "read"
    case .noCopy: "copy"
    case .unreachable: "reach"
    default: "open"
    }
  }
}

extension FileError.Operation {
  /// The verb in "can't open" the file.
  fileprivate var words: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .readAll: "read all of"
    case .write: "write"
    case .makeTemporaryFile: "create a file in"
    case .keepTemporaryFile: "write a temporary file in"
    }
  }
}
