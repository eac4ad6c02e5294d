internal import CustomerStore

/// One command from start to end, against the `sqlite3` shell that runs one equivalent statement on the
/// same file, as durably.
///
/// Its figures are meaningful for the static release binary only.
func measureColdCommands(_ lists: ListFactory, _ rows: Int) throws {
  // It uses its own list, because the other parts count the customers that they add.
  let sample = try ListFactory(folder: lists.folder).list(rows: rows)
  for command in ColdCommand.allCases {
    var watch = Stopwatch()
    for _ in 0..<100 {
      let (shell, ours) = (sample.randomID().rawValue, sample.randomID().rawValue)
      try watch.time(.baseline) {
        try Program.run(["sqlite3", sample.path, command.statement(shell, sample.randomPlace())])
      }
      try watch.time(.whole) {
        try Program.run([Program.customers, "--db", sample.path] + command.words(ours, sample.randomPlace()))
      }
    }
    watch.printLine("cold \(command)", rows, .whole, .atMost(1.5))
  }
}

/// A command, and the statement that does the same.
private enum ColdCommand: CaseIterable {
  case show, move, add, edit

  func words(_ id: Int64, _ place: Int) -> [String] {
    switch self {
    case .show: ["show", "@\(id)"]
    case .move: ["move", "@\(id)", "--to", "\(place)"]
    case .add: ["add", "Ann Lee", "--at", "\(place)"]
    case .edit: ["edit", "@\(id)", "--note", "\(place)"]
    }
  }

  func statement(_ id: Int64, _ place: Int) -> String {
    let durably = "PRAGMA synchronous = EXTRA; "
    return switch self {
    case .show: "SELECT * FROM customers WHERE id = \(id)"
    case .move: durably + "UPDATE customers SET \"order\" = \(place) WHERE id = \(id)"
    case .add:
      durably + "INSERT INTO customers (first_name, last_name, \"order\") VALUES ('Ann', 'Lee', \(place))"
    case .edit: durably + "UPDATE customers SET note = '\(place)' WHERE id = \(id)"
    }
  }
}
