internal import SQLite

/// A customer that comes in, with its rights.
public struct NewCustomer: Hashable, Sendable {
  /// What people wrote down.
  public var fields: CustomerFields
  /// Whether the fields may change and the customer may be deleted.
  public var canEdit: Bool
  /// Whether the customer may be moved.
  public var canMove: Bool

  /// Makes a customer that everything may be done with, unless said otherwise.
  public init(_ fields: CustomerFields, canEdit: Bool = true, canMove: Bool = true) {
    self.fields = fields
    self.canEdit = canEdit
    self.canMove = canMove
  }
}

extension NewCustomer {
  /// Binds the values of `CustomerFields.columns` and the rights.
  ///
  /// Field by field, because an array of values for each customer makes an import slow.
  fileprivate func bind(to statement: borrowing Statement) throws {
    try statement.bind(fields.firstName, at: 1)
    try statement.bind(fields.lastName, at: 2)
    try statement.bind(fields.company, at: 3)
    try statement.bind(fields.email, at: 4)
    try statement.bind(fields.phone, at: 5)
    try statement.bind(fields.address, at: 6)
    try statement.bind(fields.note, at: 7)
    try statement.bind(fields.isFavorite ? 1 : 0, at: 8)
    try statement.bind(fields.extra, at: 9)
    try statement.bind(canEdit ? 1 : 0, at: 10)
    try statement.bind(canMove ? 1 : 0, at: 11)
  }
}

extension CustomerList {
  /// Inserts customers in a row.
  ///
  /// - Returns: how many.
  /// - Throws: as `insert`; then none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list.
  @discardableResult
  public mutating func insert(
    contentsOf customers: some Sequence<CustomerFields>, at destination: Destination = .last,
    in section: SectionID? = nil
  ) throws -> Int {
    var rest = customers.makeIterator()
    return try insert(at: destination, in: section) { rest.next() }
  }

  /// Inserts many customers in a row, as `next` gives them until it returns nil.
  ///
  /// - Returns: how many.
  /// - Throws: as `insert`, and what `next` throws; then none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list; memory for one.
  @discardableResult
  public mutating func insert(
    at destination: Destination = .last, in section: SectionID? = nil,
    contentsOf next: () throws -> CustomerFields?
  ) throws -> Int {
    try insertCustomers(at: destination, in: section) { try next().map { NewCustomer($0) } }
  }

  /// Inserts many customers in a row with their rights, as `next` gives them until it returns nil.
  ///
  /// - Returns: how many.
  /// - Throws: as `insert`, and what `next` throws; then none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list; memory for one.
  @discardableResult
  public mutating func insertCustomers(
    at destination: Destination = .last, in section: SectionID? = nil,
    contentsOf next: () throws -> NewCustomer?
  ) throws -> Int {
    try insertRows(at: opening(destination, in: section), next)
  }

  /// Inserts many customers in a row; their ids follow each other.
  func insertRows(at place: Place, _ next: () throws -> NewCustomer?) throws -> Int {
    var place = place
    let size = try runSize()
    return try atomically {
      var total = 0
      var count = 0
      repeat {
        let first = try nextID(in: "customer_record")
        count = try addRecords(size.most, next)
        let asOne = try count >= size.least || partCount(place.section) < 16
        try placeRecords(from: first, count, at: place, asOne: asOne)
        place.order += count
        total += count
      } while count == size.most
      return total
    }
  }

  /// How many rows are placed by one statement.
  ///
  /// At most what fills eight chapters: SQLite keeps the old pages of a statement in memory until it ends.
  /// At least some blocks, where the section has many parts: rows placed together get one of their own, and
  /// a list of many small parts is slow.
  private func runSize() throws -> (least: Int, most: Int) {
    let sql = "SELECT 4 * block_rows, 8 * chapter_rows FROM filled"
    return try connection.fetchOne(sql) { ($0.int(0), $0.int(1)) } ?? (1, 1)
  }

  private func partCount(_ section: SectionID) throws -> Int {
    let sql = "SELECT count(*) FROM node WHERE parent = -?"
    return try connection.fetchOne(sql, [.id(section)]) { $0.int(0) } ?? 0
  }

  /// Writes the records of at most `limit` customers, which have no places yet.
  ///
  /// - Returns: how many.
  private func addRecords(_ limit: Int, _ next: () throws -> NewCustomer?) throws -> Int {
    var left = limit
    return try connection.executeMany(
      """
      INSERT INTO customer_record (\(CustomerFields.columns), can_edit, can_move)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement in
      guard left > 0, let customer = try next() else { return false }
      left -= 1
      try customer.bind(to: statement)
      return true
    }
  }

  /// Gives records, whose ids follow each other, places that do too.
  private func placeRecords(from first: Int64, _ count: Int, at place: Place, asOne: Bool) throws {
    if asOne {
      try edit(
        "INSERT INTO logged_insert_rows VALUES (?, ?, ?, ?)",
        [.integer(first), .integer(count), .id(place.section), .integer(place.order)]
      ) { _ in nil }
    } else {
      for index in 0..<count {
        try edit(
          "INSERT INTO logged_insert VALUES (?, ?, ?)",
          [.integer(first + Int64(index)), .id(place.section), .integer(place.order + index)]
        ) { _ in nil }
      }
    }
  }
}
