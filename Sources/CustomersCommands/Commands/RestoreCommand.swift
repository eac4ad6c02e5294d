internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let restore = Command(
    name: "restore", summary: "replace the list with a backup",
    description: [
      "FILE is verified, and replaces the list after you confirm. Programs that have the list open see the",
      "change. The old list stays in a file beside it. A restore is no step: the history becomes that of",
      "the backup. --latest takes what `backup --every` was given, or a folder.",
    ],
    forms: [
      .plain([.one(.file(.read))]),
      .plain([.one(.file(.read, "FILE|FOLDER"))], [.required(CopyQuestion.restored)]),
    ],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("Go back to a backup", "customers backup copy.sqlite\ncustomers restore copy.sqlite")
    ],
    seeAlso: ["backup", "check"],
    need: { invocation in
      if invocation[CopyQuestion.restored] { return .typist }
      return .file(
        "restore",
        instead: "copy the backup to a list of another name on the cluster and use that one from then on: "
          + "customers --db FILE backup dqlite://…/NAME")
    },
    run: { session in
      let path = session.invocation.operands[0]
      guard !["", "-"].contains(path) else { throw Failure.usage("restore needs a file name") }
      if session.invocation[CopyQuestion.restored] { return try session.restoreNewest(of: path) }
      do {
        return try session.restore(session.context.files.fetch(path), named: path)
      } catch RestoreError.failed(let reason) {
        // The backup is copied beside the list, and the old list is kept there.
        throw Failure.failed("can't write \(quoted(try session.list.name)): \(printable(reason))")
      } catch let error as RestoreError {
        throw Failure(error, file: path)
      }
    })
}

extension Session {
  /// Restores a file that the user named `path`.
  fileprivate func restore(_ file: FetchedFile, named path: String) throws -> ExitCode {
    let list = try list.path
    let isNew = FileIdentity(list) == nil
    // What SQLite rolls back when it opens the list.
    let original = isNew || isDryRun ? nil : try? OriginalFiles(list)
    // An invalid list must be reported before the backup is copied beside it.
    let (store, old, version) = try isNew ? (nil, 0, nil) : openOldList()
    // The copy that is checked stays while the user is asked.
    TemporaryNames.removeAll(atSignals: SignalSet.ending.signals)
    let backup = try checkBackup(file.path, named: path, forListAt: list)
    var kept =
      isNew || isDryRun
      ? nil : CustomerStore.names(beside: list, "before-restore").first { FileIdentity($0) == nil }
    if !isDryRun {
      for violation in backup.violations.prefix(5) { try errors.write(violation.line + "\n") }
      let count = backup.violations.count
      let problems = count == 0 ? "" : ", which has \(counted(count, "problem"))"
      let new = "\(quoted(path)) (\(counted(backup.count, "row")))"
      let old = old.map { "Replace the list (\(counted($0, "row"))) with" } ?? "Replace the damaged list with"
      let question = "\(isNew ? "Make the list from" : old) \(new)\(problems)?"
      guard try confirm(question, to: "restoring \(quoted(path))") else { return .declined }
      // With --yes, nothing was shown that could have changed.
      guard try options.saysYes || store?.read({ list in try list.version() }) == version else {
        throw Failure.changedSinceShown([])
      }
      try upgradingIfNeeded { try store?.refuseOlderFormat() }
      // The interrupt key is handled between pages, so that no partial copy is left.
      let interrupts = SignalSet.ending
      try context.caller?.expectChange(canBeLookedUp: false)
      try interrupts.held {
        func proceed() throws {
          guard !interrupts.isPending else {
            throw Failure.failed("interrupted; nothing was restored")
          }
        }
        do {
          if !isNew, store == nil {
            kept = try CustomerStore.restore(
              backup, overDamagedListAt: list, options: storeOptions(creating: false), original: original,
              proceed: proceed)
          } else {
            try changing(store ?? openList(creating: true)) { store in
              // Another program has made a list since.
              guard !isNew || store.hasCreatedFile else { throw Failure.changedSinceShown([]) }
              kept = try store.restore(backup, keepingListAt: kept, proceed: proceed)
            }
          }
        } catch StoreError.notACustomersFile {
          throw try unrecognized()
        } catch let error as CommitError where error.outcome == .committed {
          try writeAside("warning: \(printable(error.description))")
        }
        note(.change)
      }
    }
    let keptName = try kept.map(self.list.name(ofFileAt:))
    let keptFile = keptName.map { [("kept", JSON.string($0))] } ?? []
    try answer("restore", [("file", .string(path)), ("count", .int(backup.count))] + keptFile) {
      try tell(Sentence(.restore, "\(counted(backup.count, "row")) from \(quoted(path))"))
      if let keptName, !isQuiet {
        try errors.write("The old list is in \(quoted(keptName)); to go back, restore that file.\n")
      }
    }
    return .done
  }

  /// Opens the list that is to be replaced, and reads how many rows it has; only nil if it is damaged.
  private func openOldList() throws -> (CustomerStore?, count: Int?, ListVersion?) {
    do {
      let store = try openList(creating: false)
      let (count, version) = try read(store) { list in (try list.count(), try list.version()) }
      return (store, count, version)
    } catch let error as StoreError where error.isOfDamage {
      return (nil, nil, nil)
    } catch StoreError.notACustomersFile { throw try unrecognized() }
  }

  /// That SQLite does not recognize the file, so it can't be kept and replaced.
  private func unrecognized() throws -> Failure {
    var failure = failure(StoreError.notACustomersFile)
    let name = try list.name
    failure.hint =
      "if it was the list, move it away, and restore then: mv \(quoted(name)) \(quoted(name + ".damaged"))"
    return failure
  }

  private func checkBackup(
    _ file: String, named path: String, forListAt list: String
  ) throws -> CustomerStore.CheckedBackup {
    do {
      return try CustomerStore.checkBackup(at: file, forListAt: list, options: storeOptions(creating: false))
    } catch let error as StoreError where ![.diskFull, .fileTooLarge, .readOnly].contains(error) {
      var failure = Failure(error, file: path)
      // The usual hints are about the list.
      if error == .notACustomersFile {
        failure.hint = "restore needs a file written by customers backup"
      } else if error.isOfDamage {
        failure.hint = Failure.checkHint(path)
      }
      throw failure
    }
  }
}
