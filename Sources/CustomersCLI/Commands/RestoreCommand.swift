internal import CustomerStore
internal import Files
internal import Formats
internal import Platform
internal import TerminalText

extension Command {
  static let restore = Command(
    name: "restore", summary: "replace the list with a backup",
    description: [
      "Verifies FILE, a file that customers backup has written, and writes it into the customers file.",
      "Programs that have the list open see it. The list as it was is kept beside it; to go back, restore",
      "that file. A restore is not a step for undo: the history is that of the backup. Asks first (or use",
      "--yes). If it is interrupted, the list is as it was.",
    ],
    operands: [.one(.file())],
    examples: [
      CommandExample(
        "Go back to a backup:", "customers backup copy.sqlite\ncustomers restore copy.sqlite"),
      CommandExample(
        "See whether a backup can be restored:",
        "customers backup copy.sqlite\ncustomers restore copy.sqlite --dry-run"),
    ],
    seeAlso: ["backup", "check"],
    run: { session in
      let path = session.invocation.operands[0]
      guard !["", "-"].contains(path) else { throw Failure.usage("restore needs the name of a file") }
      guard FileIdentity(path) != nil else { throw Failure.notFound("there is no file \(quoted(path))") }
      try session.refuseCluster(
        "restore", hint: "customers --db FILE backup dqlite://… copies a list to a new cluster")
      let list = try session.dataFile().path
      let isNew = FileIdentity(list) == nil
      let store = try session.openFile(creating: isNew && !session.isDryRun)
      return try session.restore(path, into: store, at: list, isNew: isNew)
    })
}

extension Session {
  fileprivate func restore(_ path: String, into store: CustomerStore, at list: String, isNew: Bool) throws
    -> ExitCode
  {
    let backup: CustomerStore.CheckedBackup
    do { backup = try store.checkBackup(at: path) } catch let error as StoreError {
      var failure = Failure(error, file: path)
      // Another list, as it is said elsewhere, is no help here.
      if error == .notACustomersFile {
        failure.hint = "restore takes a file that customers backup has written"
      }
      throw failure
    }
    let old = try store.read { list in try list.count() }
    let kept =
      isNew || isDryRun ? nil : Session.copies(of: list, before: "restore").first { FileIdentity($0) == nil }
    if !isDryRun {
      let question = "Replace the list (\(rowCount(old))) with \(quoted(path)) (\(rowCount(backup.count)))?"
      guard try confirm(question, to: "restoring \(quoted(path))") else { return .declined }
      // The key that interrupts is heard between pages, so that no part of a copy is left.
      let interrupts = SignalSet([SIGINT, SIGTERM, SIGHUP])
      try interrupts.held {
        try store.restore(backup, keepingListAt: kept) {
          guard !interrupts.isPending else {
            throw Failure(code: .failed, message: "interrupted; nothing was restored")
          }
        }
      }
      progress.noteChange()
    }
    if try format() == .json {
      try answer(
        [("op", .string("restore")), ("file", .string(path)), ("count", .int(backup.count))]
          + (kept.map { [("kept", .string($0))] } ?? []))
    } else {
      try tell(Sentence(.restore, "\(rowCount(backup.count)) from \(quoted(path))"))
      if let kept, !isQuiet {
        try errors.write("The list as it was is in \(quoted(kept)); to go back, restore that file.\n")
      }
    }
    return .done
  }
}
