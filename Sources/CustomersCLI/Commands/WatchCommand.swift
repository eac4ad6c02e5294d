internal import Formats
internal import CustomerStore

extension Command {
  static let watch = Command(
    name: "watch", summary: "print changes as they happen, until Ctrl-C",
    description: [
      "Begins with the list as it is; then a line a change, whichever program makes it, none lost and none",
      "twice. With --json each line is an object.",
    ],
    options: [.value("--limit", .count(), "end after N changes")],
    examples: [
      CommandExample("Wait for the next change:", "customers watch --limit 1"),
      CommandExample(
        "Write the next three changes to a file:", "customers watch --json --limit 3 > changes.ndjson"),
    ],
    seeAlso: ["history", "list"],
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

/// Prints what happens to the customers file, also when another one takes its place.
private struct Watch {
  /// How long a file that is being replaced may be gone, or half there.
  private static let longestTrouble = Duration.seconds(3)

  private let session: Session
  private let isJSON: Bool
  /// How many changes are to be printed yet.
  private var left: Int
  /// Of the file that is open; nil when it was replaced.
  private var feed: ListFeed?
  private var troubleSince: ContinuousClock.Instant?
  private var hasPrintedList = false
  /// Whether some of what this look has found is out.
  private var isPrinting = false

  init(_ session: Session) throws {
    self.session = session
    isJSON = try session.format() == .json
    left = try session.invocation.count("--limit") ?? .max
    feed = try session.openStore(creating: !session.isDryRun).feed(after: nil)
  }

  var isDone: Bool { left == 0 && hasPrintedList }

  /// Prints what is new.
  ///
  /// - Returns: whether there was anything; there is not while the file is locked.
  mutating func look() throws -> Bool {
    isPrinting = false
    do {
      var feed = try feed ?? session.openFile(creating: false).feed(after: nil)
      guard feed.mayHaveNews else { return false }
      let session = session
      let printed = try session.reading {
        try feed.poll { list, edit in (result: true, edit: try print(list, after: edit)) }
      }
      (self.feed, troubleSince, hasPrintedList) = (feed, nil, true)
      return printed ?? false
    } catch StoreError.locked {
      return false
    } catch let error as StoreError where hasPrintedList && !isPrinting {
      let start = troubleSince ?? .now
      guard ContinuousClock.now - start < Self.longestTrouble else { throw error }
      (feed, troubleSince) = (nil, start)
      return false
    }
  }

  /// Prints the changes after an edit, or the list if they are not known; names and fields are of one
  /// moment.
  ///
  /// - Returns: the number of the last edit that is printed.
  private mutating func print(_ list: borrowing CustomerList, after edit: Int64?) throws -> Int64 {
    guard var last = edit, var page = try list.changes(after: last, limit: min(left, 1000)) else {
      isPrinting = true
      return try session.printList(list, isJSON)
    }
    let words = try HistoryWords(list)
    while !page.changes.isEmpty {
      isPrinting = true
      for change in page.changes {
        try session.output.write(
          isJSON ? change.json(list).text + "\n" : words.line(change, in: list) + "\n")
      }
      left -= page.changes.count
      last = page.lastEdit
      page = try list.changes(after: last, limit: min(left, 1000)) ?? ([], last)
    }
    return last
  }
}

extension Session {
  /// Prints the whole list; to a program as one change of kind `list`.
  ///
  /// - Returns: the number of the last edit that it contains.
  fileprivate func printList(_ list: borrowing CustomerList, _ isJSON: Bool) throws -> Int64 {
    if isJSON {
      var json = JSONWriter(output)
      try json.beginObject()
      let sections = JSON.array(try list.sections().map(Record.json))
      try json.members([("op", .string("list")), ("sections", sections)])
      try json.name("customers")
      try Listing().write(list, self, .json, isOneLine: true)
      try json.endObject()
      try output.write("\n")
    } else {
      try Listing().write(list, self, .table)
    }
    return try list.lastEdit()
  }
}
