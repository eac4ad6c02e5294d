internal import CustomersSQLite

extension CustomerList {
  /// Inserts a customer; the rows from its place on shift down.
  ///
  /// - Parameters:
  ///   - fields: the fields of the customer.
  ///   - destination: the place it has after the edit; by default the end of the section.
  ///   - section: the section or nil for the first one. It is ignored for `before` and `after`, which use
  ///     that customer's section.
  /// - Returns: the customer, with its id and place.
  /// - Throws: `ListError.placeOutOfRange`, `noSuchSection`, `noSections`, `noSuchCustomer` (for `before` and
  ///   `after`).
  /// - Complexity: independent of the length of the list.
  @discardableResult
  public mutating func insert(
    _ fields: CustomerFields, at destination: Destination = .last, in section: SectionID? = nil
  ) throws -> Customer {
    let place = try opening(destination, in: section)
    let id = try insertRow(fields, at: place)
    return Customer(id: id, place: place, fields: fields, canEdit: true, canMove: true)
  }

  func insertRow(_ fields: CustomerFields, at place: CustomerPlace) throws -> CustomerID {
    let id = CustomerID(rawValue: try nextID(in: "customer_record"))
    let values = fields.values
    try edit(
      """
      INSERT INTO customers (id, section, "order", \(CustomerFields.columns))
      VALUES (?, ?, ?\(String(repeating: ", ?", count: values.count)))
      """, [.id(id), .id(place.section), .integer(place.order)] + values
    ) { _ in nil }
    return id
  }

  /// Stages customers, in order, for the procedures in `Migrations` that place many rows at once.
  func stage(_ customers: [CustomerID]) throws {
    try connection.executeMany("INSERT INTO staged VALUES (?, ?)", for: customers.enumerated()) {
      statement, customer in
      try statement.bind(Int64(customer.offset + 1), at: 1)
      try statement.bind(customer.element.rawValue, at: 2)
    }
  }

  /// The place for a new row.
  func opening(_ destination: Destination, in section: SectionID?) throws -> CustomerPlace {
    switch destination {
    case .before(let id): return try place(of: id)
    case .after(let id):
      let place = try place(of: id)
      return CustomerPlace(section: place.section, order: place.order + 1)
    case .first, .last, .place:
      let section = try self.section(section)
      let order = try destination.order(1...section.count + 1)
      return CustomerPlace(section: section.id, order: order)
    }
  }

  /// The section, by default the first one.
  func section(_ id: SectionID?) throws -> CustomerSection {
    if let id { return try section(id) }
    guard let first = try sections(from: #"sections WHERE "order" = 1"#).first else {
      throw ListError.noSections
    }
    return first
  }
}

extension Destination {
  /// The place for `first`, `last`, or a number, within the allowed range.
  func order(_ allowed: ClosedRange<Int>) throws -> Int {
    switch self {
    case .first: return allowed.lowerBound
    case .last: return allowed.upperBound
    case .place(let order) where allowed.contains(order): return order
    case .place(let order):
      throw ListError.placeOutOfRange(
        asked: order, allowed: allowed.lowerBound..<allowed.upperBound + 1)
    case .before, .after: preconditionFailure("a place beside a customer has no number of its own")
    }
  }
}

/// A new customer, with its protection.
public struct NewCustomer: Hashable, Sendable {
  /// The fields.
  package var fields: CustomerFields
  /// Whether the customer may be edited and deleted.
  package var canEdit: Bool
  /// Whether the customer may be moved.
  package var canMove: Bool
  /// The lines of its log that another copy of the list, or a file of it, has; their customer does not count.
  package var log: [LogLine] = []

  /// Creates a customer; by default it may be edited and moved.
  public init(_ fields: CustomerFields, canEdit: Bool = true, canMove: Bool = true) {
    self.fields = fields
    self.canEdit = canEdit
    self.canMove = canMove
  }
}

extension CustomerList {
  /// Inserts many customers one after another, calling `next` until it returns nil.
  ///
  /// - Returns: the number of customers.
  /// - Throws: the same errors as `insert` and what `next` throws; none is inserted.
  /// - Complexity: O(number of customers), independent of the length of the list; memory for one.
  @discardableResult
  package mutating func insert(
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
  mutating func insertRows(at place: CustomerPlace, _ next: () throws -> NewCustomer?) throws -> Int {
    var place = place
    let size = try runSize()
    return try atomically { list in
      var total = 0
      var count = 0
      var logged: [(id: CustomerID, log: [LogLine], canEdit: Bool)] = []
      repeat {
        let first = try list.nextID(in: "customer_record")
        var id = CustomerID(rawValue: first - 1)
        count = try list.addRecords(size) {
          guard var customer = try next() else { return nil }
          id.rawValue += 1
          guard !customer.log.isEmpty else { return customer }
          logged.append((id, customer.log, customer.canEdit))
          // It is protected when it has its log.
          customer.canEdit = true
          return customer
        }
        // A single row is placed four times as fast by itself.
        let asOne = try count != 1 && (count >= size.least || list.partCount(place.section) < 16)
        try list.placeRecords(from: first, count, at: place, asOne: asOne)
        place.order += count
        total += count
        for row in logged {
          try list.addLines(row.log, to: row.id)
          if !row.canEdit { try list.protect(row.id, canEdit: false) }
        }
        logged = []
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

  /// Writes the records of some customers, which have no places yet.
  func addRecords(_ customers: [NewCustomer]) throws -> [CustomerID] {
    guard !customers.isEmpty else { return [] }
    let first = try nextID(in: "customer_record")
    var rest = customers.makeIterator()
    let count = try addRecords((1, 1, .max)) { rest.next() }
    try connection.execute(Self.unplace, [.integer(first)])
    return CustomerID(rawValue: first).following(count)
  }

  /// Makes new records, from an id on, rows that are placed one by one; only rows that are placed together share a uid.
  private static let unplace =
    "UPDATE customer_record SET block = NULL, uid = random() | (1 << 63) WHERE id >= ?"

  /// Gives consecutive places to records with consecutive ids.
  private func placeRecords(from first: Int64, _ count: Int, at place: CustomerPlace, asOne: Bool) throws {
    if asOne {
      try edit(
        "INSERT INTO logged_insert_rows VALUES (?, ?, ?, ?)",
        [.integer(first), .integer(count), .id(place.section), .integer(place.order)]
      ) { _ in nil }
    } else {
      try connection.execute(Self.unplace, [.integer(first)])
      for index in 0..<count {
        try edit(
          "INSERT INTO logged_insert VALUES (?, ?, ?)",
          [.integer(first + Int64(index)), .id(place.section), .integer(place.order + index)]
        ) { _ in nil }
      }
    }
  }
}

extension CustomerList {
  /// Records in the history which file the step of this transaction was imported from.
  ///
  /// Without an edit there is no step, and nothing to record.
  ///
  /// - Parameter digest: the SHA-256 of the file.
  /// - Throws: `StoreError`.
  package mutating func recordImport(digest: String) throws {
    try connection.execute(
      "UPDATE history_step SET digest = ? WHERE id = (SELECT max(id) FROM history_step) AND is_open",
      [.text(digest)])
  }

  /// Whether the history has an import that is not undone.
  package func hasImports() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM history_step WHERE digest IS NOT NULL AND state = 'done')"
    return try connection.fetchOne(sql) { $0.bool(0) } ?? false
  }

  /// The last import of a file that was not undone; nil if the history has none.
  package func lastImport(ofDigest digest: String) throws -> HistoryStep? {
    try connection.fetchOne(
      "\(HistoryStep.query) WHERE digest = ? AND state = 'done' ORDER BY step.id DESC LIMIT 1",
      [.text(digest)]
    ) { HistoryStep($0) }
  }
}

extension CustomerID {
  /// A number of consecutive ids, starting with this one; none for a negative number.
  func following(_ count: Int) -> [CustomerID] {
    (0..<Int64(max(0, count))).map { CustomerID(rawValue: rawValue &+ $0) }
  }
}
