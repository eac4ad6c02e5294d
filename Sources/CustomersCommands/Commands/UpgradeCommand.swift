internal import CustomerStore
internal import CustomersText

extension Command {
  static let upgrade = Command(
    name: "upgrade", summary: "upgrade a list of an older version to edit it", earlier: "check --upgrade",
    common: GlobalOptions.ofEditing, run: { session in try session.upgradeList() })
}

/// The user has answered no to a question that an edit asked on its way.
struct Declined: Error {}

extension Session {
  /// Runs what edits the list; if that has an older format, after an upgrade to which the user agrees.
  ///
  /// Nothing else asks for it.
  ///
  /// - Throws: `Declined`, and what `edit` throws.
  func upgradingIfNeeded<Result>(_ edit: () throws -> Result) throws -> Result {
    do { return try edit() } catch StoreError.needsUpgrade(_, let format) {
      try agreeToUpgrade(format)
      let done = try upgrade()
      if let done, !isQuiet {
        try writeAside(
          "note: upgraded the list from format \(done.format) to \(format)\(try told(of: done.backup))")
      }
      return try edit()
    }
  }

  private func agreeToUpgrade(_ format: Int) throws {
    var session = self
    // Answers are not read from where the rows come from.
    if invocation.operands.contains("-") { session.readsRows = true }
    let old = CustomerStore.lastOlderVersion
    do {
      let isAgreed = try session.confirm(
        "Upgrade the list to format \(format)? Version \(old) can't open it afterward.",
        to: "upgrading the list to format \(format), which version \(old) can't open,")
      guard isAgreed else { throw Declined() }
    } catch var failure as Failure where failure.code == .refused {
      failure.hint = "add \(GlobalOptions.yes.name), or run: customers check \(CheckRun.upgrades.name)"
      throw failure
    }
  }

  /// Upgrades the list.
  ///
  /// - Returns: what was done; nil if another program has done it.
  private func upgrade() throws -> ListUpgrade? {
    try SignalSet.ending.held {
      try context.caller?.expectChange(canBeLookedUp: false)
      var options = try storeOptions(creating: false)
      options.upgrades = true
      return try context.openStore(list.address, options).upgrade
    }
  }

  private func told(of backup: String?) throws -> String {
    try backup.map { "; the file as it was is in \(quoted(try list.name(ofFileAt: $0)))" } ?? ""
  }

  func upgradeList() throws -> ExitCode {
    let new = CustomerStore.formatVersion
    let store = try openList(creating: false)
    var (old, backup) = (try store.format(), String?.none)
    // Fails if it can't be converted; on a cluster, that is not tried.
    if old < new, isDryRun, store.engine == nil { _ = try read(store) { list in try list.count() } }
    if old < new, !isDryRun, let done = try upgrade() {
      note(.change)
      (old, backup) = (done.format, done.backup)
    }
    if try format() == .json {
      try answer(
        [("op", .string("upgrade")), ("from", .int(old)), ("to", .int(new))]
          + (try backup.map { [("kept", .string(try list.name(ofFileAt: $0)))] } ?? []))
    } else if old < new {
      try tell(Sentence(.upgrade, "the list from format \(old) to \(new)"))
      if let backup, !isQuiet {
        try errors.write("The file as it was is in \(quoted(try list.name(ofFileAt: backup))).\n")
      }
    } else if !isQuiet {
      try writeAside("The list has format \(new) already; nothing was changed.")
    }
    return .done
  }
}
