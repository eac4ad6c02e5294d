@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Every edit of every short list, through the repository, against an array.
@Suite(.onThreads) struct ExhaustiveTests {
  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 2))
  func `one row is deleted from and inserted at every place`(capacity: Capacity) throws {
    for size in 0...7 {
      try withList(capacity, size) { list, rows in
        for place in 1...size + 1 {
          try list.takingBack { list in
            let new = try list.insert(CustomerFields(), at: .place(place)).id
            var expected = rows
            expected.insert(new, at: place - 1)
            try list.expect(expected, in: 1, "insert at \(place) of \(size)")
          }
        }
        for (index, id) in rows.enumerated() {
          try list.takingBack { list in
            try list.delete([id])
            try list.expect(rows.filter { $0 != id }, in: 1, "delete \(index + 1) of \(size)")
          }
          for place in 1...size {
            try list.takingBack { list in
              try list.move([id], to: .place(place))
              var expected = rows
              expected.insert(expected.remove(at: index), at: place - 1)
              try list.expect(expected, in: 1, "move \(index + 1) to \(place) of \(size)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 0))
  func `one row moves to every place of another section`(capacity: Capacity) throws {
    for (size, otherSize) in sampled((0...7).flatMap({ size in (0...7).map { (size, $0) } }), oneIn: 4) {
      try withList(capacity, size, otherSize) { list, rows in
        let others = try list.ids(in: 2)
        for id in rows {
          for place in 1...otherSize + 1 {
            try list.takingBack { list in
              try list.move([id], to: .place(place), in: SectionID(rawValue: 2))
              var expected = others
              expected.insert(id, at: place - 1)
              try list.expect(expected, in: 2, "\(id) of \(size) to \(place) of \(otherSize)")
              try list.expect(rows.filter { $0 != id }, in: 1, "\(id) of \(size) left")
            }
          }
        }
      }
    }
  }

  @Test(arguments: sampled(Capacity.allCases, oneIn: 3, salt: 1))
  func `any rows move as a block to every place`(capacity: Capacity) throws {
    for size in 0...6 {
      try withList(capacity, size, 2) { list, rows in
        let others = try list.ids(in: 2)
        for subset in sampled(1..<(1 << size), oneIn: size < 5 ? 1 : 3) {
          let moving = rows.indices.filter { subset >> $0 & 1 == 1 }.map { rows[$0] }
          let staying = rows.filter { !moving.contains($0) }
          for index in 0...staying.count {
            var destinations: [Destination] = [.place(index + 1)]
            if index == 0 { destinations.append(.first) }
            if index == staying.count { destinations.append(.last) }
            if index > 0 { destinations.append(.after(staying[index - 1])) }
            if index < staying.count { destinations.append(.before(staying[index])) }
            for destination in destinations {
              try list.takingBack { list in
                // In which order they are named does not matter.
                try list.move(moving.reversed(), to: destination)
                var expected = staying
                expected.insert(contentsOf: moving, at: index)
                try list.expect(expected, in: 1, "\(moving) to \(destination) of \(size)")
              }
            }
          }
          for index in 0...others.count {
            try list.takingBack { list in
              try list.move(moving, to: .place(index + 1), in: SectionID(rawValue: 2))
              var expected = others
              expected.insert(contentsOf: moving, at: index)
              try list.expect(expected, in: 2, "\(moving) of \(size) to \(index + 1) of another section")
              try list.expect(staying, in: 1, "\(moving) of \(size) left")
            }
          }
        }
      }
    }
  }

  /// Lends a list with some rows in section 1 and some in section 2, and the ids of the first.
  private func withList(
    _ capacity: Capacity, _ size: Int, _ otherSize: Int = 0,
    _ body: (inout CustomerList, [CustomerID]) throws -> Void
  ) throws {
    let connection = try Connection.newList(capacity)
    var list = CustomerList(connection: connection)
    try list.connection.execute("BEGIN")
    _ = try list.addSection(title: "2")
    try list.connection.append(size, to: 1)
    try list.connection.append(otherSize, to: 2)
    try body(&list, try list.ids(in: 1))
  }
}

extension CustomerList {

  fileprivate func expect(_ expected: [CustomerID], in section: SectionID, _ edit: String) throws {
    let found = try ids(in: section)
    #expect(found == expected, "\(edit)")
  }

  /// Runs `body` and rolls back its changes.
  fileprivate mutating func takingBack(_ body: (inout CustomerList) throws -> Void) throws {
    try connection.execute("SAVEPOINT attempt")
    try body(&self)
    let broken = try connection.brokenInvariants()
    #expect(broken == [])
    try connection.execute("ROLLBACK TO attempt")
    try connection.execute("RELEASE attempt")
  }
}
