internal import CustomerStore
internal import CustomersText

extension Command {
  static let watch = Command(
    name: "watch", summary: "print steps as they happen, until Ctrl-C",
    description: [
      "Prints the list, then one line for each change, whichever program makes it. It misses no change and",
      "repeats none. With --json, prints one object per line: the list, then each step as in `customers",
      "history --json`. If the file is moved or deleted, watch says so and waits for another file in its",
      "place. After a restore, it says so and prints the list again.",
    ],
    options: [.optional(Watch.limit)],
    examples: [
      CommandExample("Wait for the next step:", "customers watch --limit 1"),
      CommandExample(
        "Write the next three steps to a file:", "customers watch --json --limit 3 > changes.ndjson"),
    ],
    seeAlso: ["history", "list", "json"],
    run: { session in
      var watch = try Watch(session)
      while !watch.isDone {
        let hasNews = try watch.look()
        try session.output.flush()
        if !hasNews { session.output.pause(milliseconds: 50) }
      }
      return .done
    })
}

/// Prints the changes of the customers file, even when another file takes its place.
private struct Watch {
  static let limit = Option.value("--limit", .count(), "stop after N steps")

  private let session: Session
  private let isJSON: Bool
  /// Larger changes are not followed step by step.
  private static let longestBurst = 10_000

  /// How many steps are still to be printed.
  private var left: Int
  private var feed: ListFeed
  private var hasPrintedList = false
  private var isMissing = false

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
    left = session.invocation[Watch.limit] ?? .max
    let isNamed = try session.list.isNamed
    let open: @Sendable () throws -> CustomerStore = { try session.openList(creating: false) }
    do {
      feed = ListFeed(try open(), after: nil, opening: open)
    } catch StoreError.missing where !isNamed {
      // The edits in the file will come after those of the empty list that stands for it.
      let version = try CustomerStore.inMemory().read { [session, isJSON] list in
        try session.printList(list, isJSON)
      }
      feed = ListFeed(after: version, opening: open)
      hasPrintedList = true
    }
    feed.readsList = true
  }

  var isDone: Bool { left == 0 && hasPrintedList }

  /// Prints the news.
  ///
  /// - Returns: whether there was any; there is none while the file is locked.
  mutating func look() throws -> Bool {
    guard feed.mayHaveNews else { return false }
    do {
      var feed = feed
      // Until the list has been printed, nothing is waited for but a lock.
      let news = try session.reading { [hasPrintedList] in
        hasPrintedList ? try feed.follow(read) : try feed.poll(read)
      }
      self.feed = feed
      guard let news else { return false }
      for line in news.lines { try session.output.write(line + "\n") }
      (left, hasPrintedList, isMissing) = (left - news.steps, true, false)
      return true
    } catch StoreError.missing where hasPrintedList {
      if !isMissing {
        let name = printable(try session.list.name)
        try session.writeAside("note: \(name) is no longer there; waiting for a file of this name")
        try session.errors.flush()
      }
      isMissing = true
      return false
    } catch StoreError.locked {
      return false
    } catch let stop as PrintingStopped {
      throw stop.reason
    }
  }

  /// What a reading has found.
  private struct News {
    var steps = 0
    /// What is still to be printed: only after the reading, which is repeated if it fails at its end.
    var lines: [String] = []
  }

  /// Reads the steps after a version; prints the list if they are unknown or too many.
  ///
  /// - Returns: the steps and the version after their last edit.
  private func read(
    _ list: borrowing CustomerList, after version: ListVersion?
  ) throws -> (result: News, version: ListVersion) {
    guard let version, let steps = try steps(list, after: version.edit) else {
      do {
        if hasPrintedList { try explainReprint(isSameHistory: version != nil) }
        return (News(), try session.printList(list, isJSON))
      } catch {
        throw PrintingStopped(reason: error)
      }
    }
    let lines = steps.flatMap { isJSON ? [$0.json().text] : $0.changes }
    let last = steps.last.map { $0.step.edits.upperBound - 1 } ?? version.edit
    return (News(steps: steps.count, lines: lines), try list.version().at(last))
  }

  /// Says why the list is printed once more.
  private func explainReprint(isSameHistory: Bool) throws {
    let reason =
      isSameHistory
      ? "there were too many changes to list" : "the list was restored or replaced, or its history erased"
    try session.writeAside("note: \(reason); this is the list now")
    try session.errors.flush()
  }

  /// The next steps after an edit or the rest of them; nil if they can't bring a copy of the list up to
  /// date.
  private func steps(_ list: borrowing CustomerList, after edit: Int64) throws -> [StepPresenter]? {
    let last = try list.lastEdit()
    var steps = try list.history(after: edit)
    guard last >= edit, last - edit <= Self.longestBurst else { return nil }
    for index in steps.indices { steps[index].omit(through: edit) }
    // A missing number is a forgotten edit or a repair.
    guard steps.reduce(0, { $0 + $1.editCount }) == last - edit else { return nil }
    steps = Array(steps.prefix(left))
    let shown = zip(steps, try list.outcomes(of: steps)).map(StepPresenter.init)
    return isJSON && shown.contains { $0.outcome.omitted > 0 } ? nil : shown
  }
}

/// An error after some of the list may have been printed, so that reading it again would repeat it.
private struct PrintingStopped: Error {
  let reason: any Error
}

extension HistoryStep {
  /// Omits the edits up to a number.
  fileprivate mutating func omit(through edit: Int64) {
    let edits = edits.clamped(to: edit + 1..<max(edit + 1, edits.upperBound))
    (firstEdit, editCount) = (edits.lowerBound, edits.count)
  }
}

extension Session {
  /// Prints the whole list; for a program, as one change of kind `list`.
  fileprivate func printList(_ list: borrowing CustomerList, _ isJSON: Bool) throws -> ListVersion {
    if isJSON {
      var json = JSONWriter(output)
      try json.beginObject()
      let sections = JSON.array(try list.outline().sections.map(JSONShapes.section.json))
      try json.members([("op", .string("list")), ("sections", sections)])
      try json.name("customers")
      try Listing().write(list, self, .json, isOneLine: true)
      try json.endObject()
      try output.write("\n")
    } else {
      try Listing().write(list, self, .table)
    }
    return try list.version()
  }
}
