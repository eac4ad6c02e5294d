internal import CustomersSQLite

/// A new customer, with its protection.
public struct NewCustomer: Hashable, Sendable {
  /// The fields.
  public var fields: CustomerFields
  /// Whether the customer may be edited and deleted.
  public var canEdit: Bool
  /// Whether the customer may be moved.
  public var canMove: Bool

  /// Creates a customer; by default it may be edited and moved.
  public init(_ fields: CustomerFields, canEdit: Bool = true, canMove: Bool = true) {
    self.fields = fields
    self.canEdit = canEdit
    self.canMove = canMove
  }
}

extension CustomerList {
  /// Inserts customers one after another.
  ///
  /// - Returns: the number of customers.
  /// - Throws: the same errors as `insert`; none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list.
  @discardableResult
  public mutating func insert(
    contentsOf customers: some Sequence<CustomerFields>, at destination: Destination = .last,
    in section: SectionID? = nil
  ) throws -> Int {
    var rest = customers.makeIterator()
    return try insert(at: destination, in: section) { rest.next() }
  }

  /// Inserts many customers one after another, calling `next` until it returns nil.
  ///
  /// - Returns: the number of customers.
  /// - Throws: the same errors as `insert` and what `next` throws; none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list; memory for one.
  @discardableResult
  public mutating func insert(
    at destination: Destination = .last, in section: SectionID? = nil,
    contentsOf next: () throws -> CustomerFields?
  ) throws -> Int {
    try insertCustomers(at: destination, in: section) { try next().map { NewCustomer($0) } }
  }

  /// Inserts many customers with their protection, one after another, calling `next` until it returns nil.
  ///
  /// - Returns: the number of customers.
  /// - Throws: the same errors as `insert` and what `next` throws; none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list; memory for one.
  @discardableResult
  package mutating func insertCustomers(
    at destination: Destination = .last, in section: SectionID? = nil,
    contentsOf next: () throws -> NewCustomer?
  ) throws -> Int {
    try insertRows(at: opening(destination, in: section), next)
  }

  /// Inserts many customers one after another, with consecutive ids.
  func insertRows(at place: CustomerPlace, _ next: () throws -> NewCustomer?) throws -> Int {
    var place = place
    let size = try runSize()
    return try atomically {
      var total = 0
      var count = 0
      repeat {
        let first = try nextID(in: "customer_record")
        count = try addRecords(size, next)
        // A single row is placed four times as fast by itself.
        let asOne = try count != 1 && (count >= size.least || partCount(place.section) < 16)
        try placeRecords(from: first, count, at: place, asOne: asOne)
        place.order += count
        total += count
      } while count == size.most
      return total
    }
  }

  /// The number of rows placed by one statement.
  ///
  /// At most eight chapters, because SQLite keeps the old pages of a statement in memory until it ends. At
  /// least a few blocks if the section has many parts, because rows placed together get their own part, and a
  /// list of many small parts is slow.
  private func runSize() throws -> RunSize {
    let sql = "SELECT block_rows, 4 * block_rows, 8 * chapter_rows FROM filled"
    return try connection.fetchOne(sql) { ($0.int(0), $0.int(1), $0.int(2)) }
      ?? (1, 1, 1)
  }

  private typealias RunSize = (block: Int, least: Int, most: Int)

  private func partCount(_ section: SectionID) throws -> Int {
    let sql = "SELECT count(*) FROM node WHERE parent = -?"
    return try connection.fetchOne(sql, [.id(section)]) { $0.int(0) } ?? 0
  }

  /// Writes the records of one run of customers, which have no places yet.
  ///
  /// Each record gets the block that it will have if the section does not have to be cut for the run;
  /// `put_rows` rewrites the others.
  ///
  /// - Returns: the number of customers.
  private func addRecords(_ size: RunSize, _ next: () throws -> NewCustomer?) throws -> Int {
    let firstBlock = try connection.fetchOne("SELECT ifnull(max(id), 0) + 1 FROM node") { $0.int(0) } ?? 1
    var count = 0
    var parameters = CustomerParameters()
    return try connection.executeMany(
      "INSERT INTO customer_record (\(CustomerParameters.columns)) VALUES (\(CustomerParameters.places))"
    ) { statement in
      guard count < size.most, let customer = try next() else { return false }
      try parameters.bind(customer, block: firstBlock + count / size.block, to: statement)
      count += 1
      return true
    }
  }

  /// Gives consecutive places to records with consecutive ids.
  private func placeRecords(from first: Int64, _ count: Int, at place: CustomerPlace, asOne: Bool) throws {
    if asOne {
      try edit(
        "INSERT INTO logged_insert_rows VALUES (?, ?, ?, ?)",
        [.integer(first), .integer(count), .id(place.section), .integer(place.order)]
      ) { _ in nil }
    } else {
      try connection.execute("UPDATE customer_record SET block = NULL WHERE id >= ?", [.integer(first)])
      for index in 0..<count {
        try edit(
          "INSERT INTO logged_insert VALUES (?, ?, ?)",
          [.integer(first + Int64(index)), .id(place.section), .integer(place.order + index)]
        ) { _ in nil }
      }
    }
  }
}
