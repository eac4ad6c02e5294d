internal import CustomerStore
internal import CustomersText

extension Command {
  static let watch = Command(
    name: "watch", summary: "print steps as they happen, until Ctrl-C",
    description: [
      "It prints the list, then one line for each change, whichever program makes it; none is missed or",
      "repeated. --exec hands each step to CMD, which a shell runs here, at least once; if CMD fails, again",
      "after 1, 2, 4, … up to 60 seconds. watch ends with exit code 4 if the history no longer has the",
      "steps that follow.",
    ],
    forms: [
      .plain([], [.optional(Watch.limit)]),
      .plain(
        [], [.required(StepRunner.exec), .required(StepRunner.cursor), .optional(Watch.limit)]),
    ],
    examples: [
      CommandExample("Keep three steps", "customers watch --json --limit 3 > changes.ndjson"),
      CommandExample(
        "Hand the next step to a program",
        "customers watch --cursor taken --exec 'cat >> steps.ndjson' --limit 1"),
    ],
    seeAlso: ["history", "list", "json"],
    need: { $0.has(StepRunner.exec) ? .typist : .list },
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

/// Prints the changes of the customers file, even when another file takes its place, or hands them to a program.
private struct Watch {
  static let limit = Option.value("--limit", .count(), "stop after N steps")

  private let session: Session
  private let isJSON: Bool
  /// Larger changes are not followed step by step.
  private static let longestBurst = 10_000
  /// How many steps are handed to a program before the next are read.
  private static let handful = 100

  /// How many steps are still to be printed.
  private var left: Int
  private var feed: ListFeed
  private var hasPrintedList = false
  private var isMissing = false
  /// The program that gets the steps, if they are not printed.
  private var runner: StepRunner?

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
    left = session.invocation[Watch.limit] ?? .max
    let isNamed = try session.list.isNamed
    let open: @Sendable () throws -> CustomerStore = { try session.openList(creating: false) }
    if let command = session.invocation[StepRunner.exec], let cursor = session.invocation[StepRunner.cursor] {
      if case .ssh = try session.list.address {
        throw Failure.usage(
          "\(StepRunner.exec.name) needs a list on this machine",
          hint: "run it on the other one, or read customers watch --json here",
          offendingArgument: StepRunner.exec.name)
      }
      let store = try open()
      let runner = try StepRunner(session, command, cursor: cursor, store)
      (self.runner, hasPrintedList) = (runner, true)
      feed = ListFeed(store, after: runner.version, opening: open)
      return
    }
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

  /// Prints the news, or hands them to the program.
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
      try deliver(news)
      (left, hasPrintedList, isMissing) = (left - news.count, true, false)
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

  /// Prints steps, or hands them to the program: only after the reading, which is repeated if it fails at its end.
  private mutating func deliver(_ steps: [StepPresenter]) throws {
    guard var runner else {
      for line in steps.flatMap({ isJSON ? [$0.json().text] : $0.changes }) {
        try session.output.write(line + "\n")
      }
      return
    }
    defer { self.runner = runner }
    for step in steps { try runner.hand(step) }
    // More may be waiting, although the file is unchanged since.
    guard !steps.isEmpty, let store = feed.store else { return }
    feed = ListFeed(store, after: runner.version) { [session] in try session.openList(creating: false) }
  }

  /// Reads the steps after a version; prints the list if they are unknown or too many.
  ///
  /// - Returns: the steps and the version after their last edit.
  private func read(
    _ list: borrowing CustomerList, after version: ListVersion?
  ) throws -> (result: [StepPresenter], version: ListVersion) {
    guard let version, let steps = try steps(list, after: version) else {
      if let runner { throw try runner.lost() }
      do {
        if hasPrintedList { try explainReprint(isSameHistory: version != nil) }
        return ([], try session.printList(list, isJSON))
      } catch {
        throw PrintingStopped(reason: error)
      }
    }
    return (steps, steps.last?.step.version ?? version)
  }

  /// Says why the list is printed once more.
  private func explainReprint(isSameHistory: Bool) throws {
    let reason =
      isSameHistory
      ? "there were too many changes to list" : "the list was restored or replaced, or its history erased"
    try session.writeAside("note: \(reason); this is the list now")
    try session.errors.flush()
  }

  /// The next steps after a version or the rest of them; nil if they can't bring a copy of the list up to
  /// date.
  private func steps(_ list: borrowing CustomerList, after version: ListVersion) throws -> [StepPresenter]? {
    let (edit, now) = (version.edit, try list.version())
    guard now.edit >= edit, runner != nil || now.edit - edit <= Self.longestBurst else { return nil }
    // A printed list may have been that of a file that was not there yet.
    if runner != nil, try !list.has(version) { return nil }
    var steps = try list.history(after: edit)
    for index in steps.indices { steps[index].omit(through: edit) }
    // A missing number is a forgotten edit or a repair.
    guard steps.reduce(0, { $0 + $1.editCount }) == now.edit - edit else { return nil }
    steps = Array(steps.prefix(runner == nil ? left : min(left, Self.handful)))
    let outcomes = try list.outcomes(of: steps, limit: runner == nil ? 1000 : .max)
    let shown = zip(steps, outcomes).map(StepPresenter.init)
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
