internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

/// The result of a repair.
struct CheckRepair {
  var places: [ListRepair] = []
  /// The path of the backup; nil if there was nothing to repair.
  var backup: String?
}

extension CheckRun {
  /// Makes a backup and repairs the file.
  ///
  /// - Returns: the result; nil if the user declined.
  func repair() throws -> CheckRepair? {
    let foreign = try session.read(store) { list in try list.foreignTriggers() }
    if session.isDryRun {
      let repairs = try store.dryRunOfRepair(removingForeignTriggers: true)
      if !isJSON {
        for trigger in foreign { try session.tell(Sentence(.remove, "the trigger \(printable(trigger))")) }
        try tell(repairs)
      }
      return CheckRepair(places: repairs)
    }
    if !foreign.isEmpty {
      let names = foreign.map(printable).joined(separator: ", ")
      let question = "Remove the triggers that another program added (\(names))?"
      guard try session.confirm(question, to: "removing triggers") else { return nil }
    }
    let backup = try backUp()
    try session.context.caller?.expectChange(canBeLookedUp: false)
    let repairs = try repair(removing: foreign)
    session.note(.change)
    if !isJSON { try tell(repairs) }
    return CheckRepair(places: repairs, backup: backup)
  }

  /// Repairs the file and removes only the triggers that the user has agreed to.
  private func repair(removing triggers: [String]) throws -> [ListRepair] {
    do {
      return try store.repair(removing: triggers.contains)
    } catch StoreError.unknownTriggers(let others) where !triggers.isEmpty {
      throw Failure.changedSinceShown(others.map { "now: trigger \(printable($0))" })
    }
  }

  /// Reports the rows that have got other places, by name as far as it can be read.
  private func tell(_ repairs: [ListRepair]) throws {
    guard !repairs.isEmpty else { return }
    let (titles, names) = try session.read(store) { list in
      let sections = (try? list.sections()) ?? []
      return (
        Dictionary(sections.map { ($0.id, printable($0.title)) }) { first, _ in first },
        repairs.map { (try? list.customer($0.customer))?.fields.title($0.customer) }
      )
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

  /// Copies the file as it is to an unused name.
  private func backUp() throws -> String {
    for path in Session.copies(of: try session.list.path, before: "repair") {
      do {
        try store.backUp(to: path)
        let name = try session.list.name(ofFileAt: path)
        if !session.isQuiet { try session.writeAside("note: copied the damaged file to \(quoted(name))") }
        return name
      } catch BackupError.exists {}
    }
    preconditionFailure("there are more numbers")
  }
}

extension ListRepair {
  var json: JSON {
    let from = from.map { [("from", $0.json)] } ?? []
    return .object([("id", .int(Int(customer.rawValue)))] + from + [("to", to.json)])
  }
}

extension CustomerPlace {
  fileprivate var json: JSON {
    .object([("section", .int(Int(section.rawValue))), ("order", .int(order))])
  }
}
