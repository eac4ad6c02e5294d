import CustomersSQLite
import CustomersTestSupport
import Testing

/// Every edit of every short list, by SQL, against an array.
@Suite(.onThreads) struct RawExhaustiveTests {
  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 4))
  func `in SQL, one row is deleted from and inserted at every place`(capacity: Capacity) throws {
    for size in 0...7 {
      let connection = try Connection.newList(capacity)
      try connection.append(size)
      let rows = try connection.ids()
      for place in 1...size + 1 {
        try connection.rolledBack {
          try connection.execute(#"INSERT INTO customers ("order") VALUES (?)"#, [.integer(place)])
          var expected = rows
          expected.insert(Int64(size + 1), at: place - 1)
          #expect(try connection.ids() == expected, "size \(size), insert at \(place)")
          #expect(try connection.brokenInvariants() == [])
        }
      }
      for (index, id) in rows.enumerated() {
        try connection.rolledBack {
          try connection.execute("DELETE FROM customers WHERE id = ?", [.integer(id)])
          #expect(try connection.ids() == rows.filter { $0 != id }, "size \(size), delete \(index + 1)")
          #expect(try connection.brokenInvariants() == [])
        }
        for place in 1...size {
          try connection.rolledBack {
            try connection.execute(
              #"UPDATE customers SET "order" = ? WHERE id = ?"#, [.integer(place), .integer(id)])
            var expected = rows
            expected.insert(expected.remove(at: index), at: place - 1)
            #expect(try connection.ids() == expected, "size \(size), from \(index + 1) to \(place)")
            #expect(try connection.brokenInvariants() == [])
          }
        }
      }
    }
  }

  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 3))
  func `in SQL, one row moves to every place of another section`(capacity: Capacity) throws {
    for (size, otherSize) in sampled((0...7).flatMap({ size in (0...7).map { (size, $0) } }), oneIn: 4) {
      let connection = try Connection.newList(capacity)
      try connection.execute("INSERT INTO sections (title) VALUES ('2')")
      try connection.append(size, to: 1)
      try connection.append(otherSize, to: 2)
      let (rows, others) = (try connection.ids(in: 1), try connection.ids(in: 2))
      for id in rows {
        for place in 1...otherSize + 1 {
          try connection.rolledBack {
            try connection.execute(
              #"UPDATE customers SET section = 2, "order" = ? WHERE id = ?"#, [.integer(place), .integer(id)])
            var expected = others
            expected.insert(id, at: place - 1)
            #expect(try connection.ids(in: 2) == expected, "\(id) of \(size) to \(place) of \(otherSize)")
            #expect(try connection.ids(in: 1) == rows.filter { $0 != id })
            #expect(try connection.brokenInvariants() == [])
          }
        }
      }
    }
  }

  @Test func `sections can be deleted and inserted at every place`() throws {
    for size in 1...5 {
      let connection = try Connection.newList()
      for number in 1..<size {
        try connection.execute("INSERT INTO sections (title) VALUES (?)", [.text("\(number)")])
      }
      let sections = try connection.sectionIDs()
      for (index, id) in sections.enumerated() {
        try connection.rolledBack {
          try connection.execute("DELETE FROM sections WHERE id = ?", [.integer(id)])
          #expect(try connection.sectionIDs() == sections.filter { $0 != id })
          #expect(try connection.brokenInvariants() == [])
        }
        for place in 1...size {
          try connection.rolledBack {
            try connection.execute(
              #"UPDATE sections SET "order" = ? WHERE id = ?"#, [.integer(place), .integer(id)])
            var expected = sections
            expected.insert(expected.remove(at: index), at: place - 1)
            #expect(try connection.sectionIDs() == expected, "from \(index + 1) to \(place) of \(size)")
            #expect(try connection.brokenInvariants() == [])
          }
        }
      }
    }
  }
}

extension Connection {
  /// Runs `body` and rolls back its changes.
  func rolledBack(_ body: () throws -> Void) throws {
    try execute("BEGIN")
    defer { #expect(throws: Never.self) { try execute("ROLLBACK") } }
    try body()
  }

  fileprivate func sectionIDs() throws -> [Int64] {
    try fetchAll(#"SELECT id FROM sections ORDER BY "order""#) { $0.integer(0) }
  }
}
