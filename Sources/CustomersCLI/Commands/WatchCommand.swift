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
    run: { session in
      let isJSON = try session.format() == .json
      var left = try session.invocation.count("--limit") ?? .max
      let store = try session.openStore(creating: !session.isDryRun)
      var lastEdit = try session.read(store) { list in try session.printList(list, isJSON) }
      try session.output.flush()
      while left > 0 {
        let known = lastEdit
        let limit = min(left, 1000)
        // Changes, names and fields of one moment.
        let (printed, last) = try session.read(store) { list in
          guard let (changes, last) = try list.changes(after: known, limit: limit) else {
            return (0, try session.printList(list, isJSON))
          }
          let words = try HistoryWords(list)
          for change in changes {
            try session.output.write(
              isJSON ? change.json(list).text + "\n" : words.line(change, in: list) + "\n")
          }
          return (changes.count, last)
        }
        lastEdit = last
        left -= printed
        try session.output.flush()
        if printed == 0 { session.output.pause(milliseconds: 50) }
      }
      return .done
    })
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
