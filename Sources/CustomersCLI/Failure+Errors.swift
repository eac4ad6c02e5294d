internal import CustomerStore
internal import Files
internal import TerminalText

extension Failure {
  /// What an error of any layer means to the person at the shell.
  init(_ error: any Error, file: String) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SelectionError: self.init(error)
    case let error as FilterError: self.init(error)
    case let error as ListError: self.init(error)
    case let error as BackupError: self.init(error)
    case let error as RestoreError: self.init(error)
    case let error as LoadError: self.init(error)
    case let error as FieldConflict: self.init(error)
    case BatchError.refused(_, let reason): self.init(reason)
    case let error as StoreError: self.init(error, file: file)
    case let error as CommitError: self.init(error, file: file)
    case let error as FileError: self.init(error)
    default: self.init(code: .failed, message: printable("\(error)"))
    }
  }

  private init(_ error: ListError) {
    message = error.description
    switch error {
    case .noSuchCustomer, .noSuchSection, .noSuchColumn: code = .notFound
    case .placeOutOfRange(let asked, _):
      code = .notFound
      message = message.replacing("place \(asked):", with: "place \(Invocation.spelled(asked)):")
    case .noSections:
      code = .notFound
      hint = "customers section add Customers"
    case .editForbidden(let id):
      code = .refused
      hint = "customers protect @\(id.rawValue) --allow-edit allows it"
    case .moveForbidden(let id):
      code = .refused
      hint = "customers protect @\(id.rawValue) --allow-move allows it"
    case .moveConflict, .orderChanged, .contentChanged, .tooLongAgo, .otherStep, .historyDiffers, .titleInUse,
      .columnExists:
      code = .refused
    case .sectionNotEmpty:
      code = .refused
      hint = "move or delete its rows first, or add --with-customers"
    case .duplicateID, .arrangementDiffers, .untitledSection: code = .usage
    case .damaged:
      code = .failed
      hint = "customers check --repair makes a backup, then renumbers the rows and loses no customer"
    }
  }

  private init(_ error: FieldConflict) {
    self.init(
      code: .refused, message: "another program changed the customer meanwhile",
      details: error.fields.map { "     \(printable($0.title)) is now \(quoted(error.theirs[$0].text))" },
      hint: "nothing was changed")
  }

  private init(_ error: BackupError) {
    message = printable("can't back up: \(error)")
    switch error {
    case .exists:
      code = .refused
      hint = "name another file, or add --yes to replace it"
    case .isReserved, .hasJournal:
      code = .refused
      hint = "name another file"
    case .differs, .failed: code = .failed
    }
  }

  private init(_ error: RestoreError) {
    message = printable("can't restore: \(error)")
    switch error {
    case .isReserved: code = .refused
    case .isDamaged:
      code = .failed
      hint = "nothing was changed; customers check --db FILE shows what is wrong"
    case .isBusy, .failed: code = .failed
    }
  }

  private init(_ error: LoadError) {
    message = "can't copy the list to the cluster: \(error)"
    code = error == .isOccupied ? .refused : .failed
    if case .isDamaged = error { hint = "customers check shows what is wrong" }
  }

  private init(_ error: FileError) {
    code = error.operation == .open && error.reason.isMissing ? .notFound : .failed
    let name = error.path == "-" ? "standard input" : quoted(error.path)
    message = "can't \(error.operation.words) \(name): \(error.reason)"
    if error.operation == .keepTemporaryFile, error.reason.isFull {
      hint = "$TMPDIR may name a folder with more room"
    }
  }

  private init(_ error: CommitError, file: String) {
    isDone = error.outcome == .committed
    code = isDone ? .failed : .unknown
    message = "\(printable(file)): \(isDone ? error.reason.description : error.description)"
    hint =
      "when the \(error.isOnCluster ? "cluster answers" : "disk works") again, "
      + "customers history shows what was done"
  }

  private init(_ error: StoreError, file: String) {
    code = error == .missing ? .notFound : .failed
    message = "\(printable(file)): \(printable(error.description))"
    switch error {
    case .missing where CustomerStore.isClusterAddress(file):
      message = "\(printable(file)): there is no list on the cluster yet"
      hint = "customers add NAME makes one; customers --db FILE backup \(printable(file)) copies one there"
    case .unreachable: hint = "nothing was changed; try again when most nodes of the cluster run"
    case .notACustomersFile: hint = "name another file: --db PATH"
    case .reloadedDump: hint = "customers check --repair makes it a customers file again"
    case .unknownTriggers: hint = "customers check --repair removes them, after a question"
    case .locked: hint = "try again when the other program is done"
    case .diskFull: hint = "free some space; nothing was changed"
    case .fileTooLarge: hint = "see `ulimit -f`; nothing was changed"
    case .diskError: hint = "nothing was changed; see what the system says of the disk, and make a backup"
    case .plantedJournal:
      hint =
        "who put \(printable(file))-journal there? If you don't know, move it away and restore a backup; "
        + "if another database was changed together with the list, open both with sqlite3 first"
    case .damaged:
      hint = "customers check shows what is wrong; to go back to a backup: customers restore FILE"
    default: break
    }
  }
}

extension FileError.Operation {
  /// As in "can't open" the file.
  fileprivate var words: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .readAll: "read all of"
    case .write: "write"
    case .makeTemporaryFile: "make a file in"
    case .keepTemporaryFile: "keep what has to wait in"
    }
  }
}
