import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Any rows at once, by SQL, against an array.
@Suite(.onThreads) struct RawRowsTests {
  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 5))
  func `every set of rows is deleted, and moved to every place, and back`(capacity: Capacity) throws {
    for size in 0...7 {
      let connection = try Connection.newList(capacity)
      try connection.append(size)
      // Outside a transaction: after a rollback of the tables, SQLite would read the schema again.
      try NewList.manyRows.begin(connection)
      let rows = try connection.ids()
      for set in sampled(1..<max(1, 1 << size), oneIn: size < 5 ? 1 : 8) {
        let leaving = rows.indices.filter { set & 1 << $0 != 0 }.map { rows[$0] }
        let staying = rows.filter { !leaving.contains($0) }
        try expect(staying, connection, leaving.map { ($0, nil) })
        for gap in 0...staying.count {
          var expected = staying
          expected.insert(contentsOf: leaving, at: gap)
          try expect(expected, connection, leaving.enumerated().map { ($1, gap + 1 + $0) })
        }
      }
    }
  }

  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 5))
  func `every order of rows is made, and the one before`(capacity: Capacity) throws {
    for size in 0...5 {
      let connection = try Connection.newList(capacity)
      try connection.append(size)
      try NewList.manyRows.begin(connection)
      let rows = try connection.ids()
      for order in sampled(permutations(rows), oneIn: size < 5 ? 1 : 3) where order != rows {
        let moved = order.indices.filter { order[$0] != rows[$0] }
        try expect(order, connection) {
          try connection.arrange(moved.map { (order[$0], (rows.firstIndex(of: order[$0]) ?? 0) + 1, $0 + 1) })
        }
      }
    }
  }

  private func permutations(_ rows: [Int64]) -> [[Int64]] {
    guard !rows.isEmpty else { return [[]] }
    return rows.indices.flatMap { index in
      var rest = rows
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  @Test func `every set of rows gets a value, and the one before`() throws {
    for size in 0...7 {
      let connection = try Connection.newList()
      try connection.append(size)
      let notes = "SELECT note FROM customers ORDER BY id"
      for set in sampled(1..<max(1, 1 << size), oneIn: size < 5 ? 1 : 8) {
        let chosen = (0..<size).map { set & 1 << $0 != 0 }
        try connection.rolledBack {
          try NewList.manyRows.begin(connection)
          try connection.execute(
            "INSERT INTO staged_value (customer, note) SELECT id, 'x' FROM customers WHERE ? & (1 << (id - 1))",
            [.integer(set)])
          try NewList.manyRows.update(connection)
          #expect(try connection.fetchAll(notes) { $0.text(0) } == chosen.map { $0 ? "x" : "" })
          let edits = try connection.fetchOne("SELECT id FROM last_edit") { $0.integer(0) } ?? 0
          for edit in 0..<Int64(chosen.count { $0 }) {
            try NewList.manyRows.revert(edit: edits - edit, connection)
          }
          #expect(try connection.fetchAll(notes) { $0.text(0) } == chosen.map { _ in "" })
        }
      }
    }
  }

  /// Makes an edit of the staged rows, undoes it, and redoes it.
  private func expect(
    _ expected: [Int64], _ connection: Connection, _ changes: [(id: Int64, order: Int?)]
  ) throws {
    try expect(expected, connection) {
      try connection.stage(changes)
      try NewList.manyRows.write(connection)
    }
  }

  private func expect(_ expected: [Int64], _ connection: Connection, _ edit: () throws -> Void) throws {
    let before = try connection.ids()
    try connection.rolledBack {
      try edit()
      for list in [expected, before, expected] {
        #expect(try connection.ids() == list, "\(before) to \(expected)")
        #expect(try connection.brokenInvariants() == [])
        try connection.revertLastEdit()
      }
    }
  }

  /// Two runs that look like one by their numbers.
  @Test func `rows of two sections come together in a third`() throws {
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2'), ('3')")
    try connection.append(4, to: 1)
    try connection.append(9, to: 2)
    try NewList.manyRows.begin(connection)
    for id in 1...4 as ClosedRange<Int64> {
      try connection.execute(
        "INSERT INTO staged_row (customer, to_section, to_order) VALUES (?1, 3, ?1), (?1 + 8, 3, ?1 + 4)",
        [.integer(id)])
    }
    let before = try connection.contents()
    try NewList.manyRows.write(connection)
    #expect(try connection.ids(in: 1) == [])
    #expect(try connection.ids(in: 2) == [5, 6, 7, 8, 13])
    #expect(try connection.ids(in: 3) == [1, 2, 3, 4, 9, 10, 11, 12])
    #expect(try connection.brokenInvariants() == [])
    try connection.revertLastEdit()
    #expect(try connection.contents() == before)
  }

  @Test func `another client learns who can undo such an edit`() throws {
    let connection = try Connection.newList()
    try connection.append(3)
    try connection.step {
      try connection.stage([(1, nil), (2, nil)])
      try NewList.manyRows.write(connection)
    }
    let before = try connection.dump()
    #expect(
      connection.refusal(of: "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step") == "rows")
    #expect(try connection.dump() == before)
  }

  @Test func `an edit that fails changes no row, and its staged rows are gone`() throws {
    let connection = try Connection.newList()
    try connection.append(3)
    for _ in 0..<2 {
      #expect(throws: SQLiteError.self) {
        try connection.savepoint {
          try connection.stage([(1, 3), (2, 9)])
          try NewList.manyRows.write(connection)
        }
      }
      #expect(try connection.ids() == [1, 2, 3])
    }
    try connection.stage([(1, 3)])
    try NewList.manyRows.write(connection)
    #expect(try connection.ids() == [2, 3, 1])
  }
}

extension Connection {
  fileprivate func revertLastEdit() throws {
    let last = try fetchOne("SELECT id FROM last_edit") { $0.integer(0) }
    try savepoint { try NewList.manyRows.revert(edit: last ?? 0, self) }
  }
}
