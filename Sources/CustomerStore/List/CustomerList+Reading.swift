internal import CustomersSQLite

extension CustomerList {
  /// The number of customers in all sections. O(sections)
  package func count() throws -> Int {
    try connection.fetchOne("SELECT coalesce(sum(count), 0) FROM sections") { $0.int(0) } ?? 0
  }

  /// The customer with an id.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  public func customer(_ id: CustomerID) throws -> Customer {
    let sql = """
      SELECT \(Customer.columns), section, "order" FROM customers WHERE id = ?
      """
    guard let found = try connection.fetchOne(sql, [.id(id)], { Customer($0) }) else {
      throw ListError.noSuchCustomer(id)
    }
    return found
  }

  /// The place of a customer.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  package func place(of id: CustomerID) throws -> CustomerPlace {
    let sql = #"SELECT section, "order" FROM customers WHERE id = ?"#
    let found = try connection.fetchOne(sql, [.id(id)]) { row in
      CustomerPlace(section: SectionID(rawValue: row.integer(0)), order: row.int(1))
    }
    guard let found else { throw ListError.noSuchCustomer(id) }
    return found
  }

  /// What a customer is called in every copy of the list, and no one in another list: a UUID, whose first half is that of
  /// the list, and the second one the uid.
  ///
  /// It is empty in a list of format 10 without a history, which has no identity until it is upgraded.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  package func uuid(of id: CustomerID) throws -> String {
    let sql = "SELECT \(Self.uuidDigits) FROM customer_uid CROSS JOIN list_identity WHERE id = ?"
    guard let digits = try connection.fetchOne(sql, [.id(id)], { Array($0.text(0)) }) else {
      throw ListError.noSuchCustomer(id)
    }
    guard digits.count == 32 else { return "" }
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(digits[$0]) }.joined(separator: "-")
  }

  /// The digits of a UUID, by `list_identity` and `customer_uid`.
  private static let uuidDigits = "substr(list_id, 1, 16) || printf('%016x', customer_uid.uid)"

  /// The digits with which the UUIDs of all customers of this list begin.
  package func uuidStart() throws -> String { String(try identity().list.prefix(16)) }

  /// The customers by the digits of their UUIDs.
  ///
  /// - Complexity: O(customers).
  package func customersByUUID() throws -> [String: CustomerID] {
    let sql = """
      SELECT id, \(Self.uuidDigits)
      FROM customer_uid JOIN customer_record USING (id) CROSS JOIN list_identity WHERE deleted_by IS NULL
      """
    var customers: [String: CustomerID] = [:]
    try connection.query(sql) { row in
      while try row.step() { customers[row.text(1)] = CustomerID(rawValue: row.integer(0)) }
    }
    return customers
  }

  /// The section that every copy of the list knows by a uid; nil if it was deleted.
  package func section(withUID uid: Int64) throws -> SectionID? {
    let sql = "SELECT id FROM section_uid WHERE uid = ? AND id IN (SELECT id FROM sections)"
    return try connection.fetchOne(sql, [.integer(uid)]) { SectionID(rawValue: $0.integer(0)) }
  }

  /// The uid by which every copy of the list knows a section.
  ///
  /// - Throws: `ListError.noSuchSection`.
  package func uid(of section: SectionID) throws -> Int64 {
    let sql = "SELECT uid FROM section_uid WHERE id = ? AND id IN (SELECT id FROM sections)"
    guard let uid = try connection.fetchOne(sql, [.integer(section.rawValue)], { $0.integer(0) }) else {
      throw ListError.noSuchSection(section)
    }
    return uid
  }

  /// The customers with these ids; ids that are not in the list are omitted.
  package func customers(_ ids: some Sequence<CustomerID>) throws -> [CustomerID: Customer] {
    var found: [CustomerID: Customer] = [:]
    try forEachRow(of: ids, Customer.columns) { row in
      let customer = Customer(row)
      found[customer.id] = customer
    }
    return found
  }

  /// The places of the customers with these ids; ids that are not in the list are omitted.
  package func places(of ids: some Sequence<CustomerID>) throws -> [CustomerID: CustomerPlace] {
    var found: [CustomerID: CustomerPlace] = [:]
    try forEachRow(of: ids, "id") { row in
      found[CustomerID(rawValue: row.integer(0))] =
        CustomerPlace(section: SectionID(rawValue: row.integer(1)), order: row.int(2))
    }
    return found
  }

  /// Passes columns of the customers with these ids, and then their places, to `body`.
  private func forEachRow(
    of ids: some Sequence<CustomerID>, _ columns: String, _ body: (borrowing Statement) throws -> Void
  ) throws {
    // Over a network each statement is a round trip.
    let most = connection.isRemote ? 100 : 1
    var rest = Array(ids)[...]
    while !rest.isEmpty {
      let some = rest.prefix(most)
      rest = rest.dropFirst(most)
      let sql = """
        SELECT \(columns), section, "order" FROM customers
        WHERE id IN (?\(String(repeating: ", ?", count: some.count - 1)))
        """
      try connection.query(sql, some.map { .id($0) }) { row in while try row.step() { try body(row) } }
    }
  }

  /// The customer at place `order` (from 1) of a section.
  ///
  /// - Throws: `ListError.placeOutOfRange` beyond the section's rows, `noSuchSection`; `incomplete` or `damaged` if the
  ///   place may be that of another one.
  package func customer(at order: Int, in section: SectionID) throws -> Customer {
    if let found = try row(at: CustomerPlace(section: section, order: order), isNamed: true) { return found }
    let count = try self.section(section).count
    throw ListError.placeOutOfRange(asked: order, allowed: 1..<count + 1)
  }

  /// Up to `limit` customers of a section from place `order` (from 1) on; fewer at its end, none beyond it.
  ///
  /// - Throws: `ListError.placeOutOfRange` for a place before the first, `noSuchSection`.
  /// - Complexity: O(limit), wherever the page is.
  public func page(from order: Int, limit: Int, in section: SectionID) throws -> [Customer] {
    var found: [Customer] = []
    if order >= 1, limit > 0 {
      try forEach(from: order, in: section) { customer in
        found.append(customer)
        return found.count < limit
      }
    }
    if found.isEmpty {
      let count = try self.section(section).count
      guard order >= 1 else { throw ListError.placeOutOfRange(asked: order, allowed: 1..<count + 1) }
    }
    return found
  }

  /// The greatest id that any customer has ever had; 0 in a new list.
  package func largestID() throws -> Int64 { try nextID(in: "customer_record") - 1 }

  /// Whether a customer has the id, or had it: one that was deleted still has a history.
  package func hasHad(_ id: CustomerID) throws -> Bool { try id.rawValue > 0 && id.rawValue <= largestID() }
}

/// The columns from which customers are read, with all of their fields or some; the others are empty then.
struct CustomerColumns {
  static let all = CustomerColumns(CustomerField.stored, hasExtra: true)

  /// The id, the fields, and the rights, for a `SELECT`.
  let sql: String
  let count: Int32
  private let fields: [FieldDescriptor.Storage]
  private let hasExtra: Bool

  /// Some of the fields; for one extra column, all are read.
  init(_ some: Set<CustomerField>) {
    var needed = some
    for case .part in some { needed.formUnion([.address, .addressParts, .otherContacts]) }
    for case .extra(let name) in some where AddressPart(title: name) != nil {
      needed.formUnion([.address, .addressParts])
    }
    self.init(
      CustomerField.stored.filter(needed.contains),
      hasExtra: some.contains { if case .extra = $0 { true } else { false } })
  }

  private init(_ fields: [CustomerField], hasExtra: Bool) {
    (self.fields, self.hasExtra) = (fields.compactMap(\.storage), hasExtra)
    let columns = ["id"] + fields.map(\.column) + (hasExtra ? [Self.extra] : []) + ["can_edit", "can_move"]
    (sql, count) = (columns.joined(separator: ", "), Int32(columns.count))
  }

  /// Reads the columns of a row, which are its first ones.
  func customer(_ row: borrowing Statement, place: CustomerPlace) -> Customer {
    var customer = Customer(id: CustomerID(rawValue: row.integer(0)), place: place, fields: CustomerFields())
    var index: Int32 = 1
    for field in fields {
      switch field {
      case .text(let property): property.set(row.text(index), in: &customer.fields)
      case .flag(let property): property.set(row.bool(index), in: &customer.fields)
      }
      index += 1
    }
    if hasExtra {
      customer.fields.extra = row.text(index)
      index += 1
    }
    (customer.canEdit, customer.canMove) = (row.bool(index), row.bool(index + 1))
    return customer
  }

  /// The extra columns as a JSON object, whatever another program wrote; `char(8230)` is `…`, because the hash of
  /// SQL that is not ASCII takes as long as reading several rows.
  static let extra = """
    CASE
      WHEN extra = '{}' THEN extra
      WHEN length(extra) > \(Statement.longestText) THEN json_object('extra', substr(extra, 1, 1000) || char(8230))
      WHEN json_valid(extra) AND json_type(extra) = 'object' THEN json(extra)
      ELSE json_object('extra', extra) END
    """
}

extension Customer {
  /// The columns that `init` reads, before section and place.
  static let columns = CustomerColumns.all.sql

  static let columnCount = CustomerColumns.all.count

  /// Decodes a row of `columns`, section, and `"order"`.
  init(_ row: borrowing Statement) {
    let count = Customer.columnCount
    self.init(
      row,
      place: CustomerPlace(section: SectionID(rawValue: row.integer(count)), order: row.int(count + 1)))
  }

  /// Decodes a row of `columns`.
  init(_ row: borrowing Statement, place: CustomerPlace) {
    self = CustomerColumns.all.customer(row, place: place)
  }
}

extension SQLiteValue {
  static func id(_ id: CustomerID) -> SQLiteValue { .integer(id.rawValue) }
  static func id(_ id: SectionID) -> SQLiteValue { .integer(id.rawValue) }
}

extension CustomerList {
  /// Passes the customers of a section to `body`, in order from place `order` (from 1) on, until it returns
  /// false.
  ///
  /// It reads block by block: the first row is found equally fast wherever it is. Needs memory for one row.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` as soon as a row is missing, perhaps after others were passed;
  ///   `StoreError` or what `body` throws.
  package func forEach(
    from order: Int = 1, in section: SectionID, _ body: (Customer) throws -> Bool
  ) throws {
    try forEach(from: order, in: section, count: nil, .all, body)
  }

  /// The same for a section that counts a known number of rows; nil to look it up.
  func forEach(
    from order: Int = 1, in section: SectionID, count: Int?, _ columns: CustomerColumns = .all,
    _ body: (Customer) throws -> Bool
  ) throws {
    let first = max(order, 1)
    var (next, isAtEnd) = (first, true)
    try forEachGroup(from: first, in: section) { blocks in
      isAtEnd = try forEachRow(of: blocks, from: first, in: section, nil, columns) { customer in
        guard customer.place.order == next else { throw try lack() }
        next += 1
        return try body(customer)
      }
      return isAtEnd
    }
    if isAtEnd { try requireEnd(before: next, from: first, in: section, count) }
  }

  /// Verifies that a section which was read up to a place has no more rows.
  private func requireEnd(before next: Int, from first: Int, in section: SectionID, _ known: Int?) throws {
    let sql = "SELECT count FROM sections WHERE id = ?"
    let count = try known ?? connection.fetchOne(sql, [.id(section)]) { $0.int(0) } ?? 0
    guard next == max(first, count.saturatingAdding(1)) else { throw try lack() }
  }

  /// Passes the customers of all sections to `body`, in order, until it returns false.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` as soon as a row is missing, perhaps after others were passed;
  ///   `StoreError` or what `body` throws.
  public func forEach(_ body: (Customer) throws -> Bool) throws {
    var shouldContinue = true
    for section in try wholeSections() where shouldContinue {
      try forEach(in: section.id, count: section.count) { customer in
        shouldContinue = try body(customer)
        return shouldContinue
      }
    }
  }

  /// All sections in order, each with its customers in order.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if a row is missing, `StoreError`.
  /// - Complexity: O(rows), in memory, too.
  package func sectionsWithRows() throws -> [(section: CustomerSection, rows: [Customer])] {
    try wholeSections().map { section in
      var rows: [Customer] = []
      try forEach(in: section.id, count: section.count) { row in
        rows.append(row)
        return true
      }
      return (section, rows)
    }
  }

  /// The customer at a place.
  ///
  /// It takes one statement, wherever the place is.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - isNamed: whether someone names the row by its number, so that it must not be another one.
  /// - Returns: the customer; nil if the list has no such place.
  /// - Throws: `ListError.incomplete` or `damaged` if it may be.
  package func row(at place: CustomerPlace, isNamed: Bool = false) throws -> Customer? {
    guard place.order >= 1 else { return nil }
    let found = try connection.fetchOne(
      """
      WITH \(Self.way(to: "?2", in: "?1"))
      SELECT \(Customer.columns), \(isNamed ? Self.hasNumber : "1") FROM block
      JOIN place ON slot = 64 * number + ?2 - before
      JOIN customer_record ON id = place.customer AND customer_record.block = number
      """, [.id(place.section), .integer(place.order)]
    ) { (customer: Customer($0, place: place), hasNumber: $0.bool(Customer.columnCount)) }
    guard found?.hasNumber ?? true else { throw try lack() }
    return found?.customer
  }

  /// The nodes on the way to a place, as tables of a row each, with the number of rows of the section `before` each.
  static func way(to order: String, in section: String) -> String {
    func step(_ table: String, after parent: String) -> String {
      """
      \(table) AS (
        SELECT node.parent, id AS number, node.start, before + node.start AS before
        FROM \(parent) JOIN node ON node.parent = number
        WHERE before + node.start < \(order) ORDER BY node.start DESC, id DESC LIMIT 1)
      """
    }
    return """
      part AS (
        SELECT parent, id AS number, start, start AS before FROM node WHERE parent = -\(section) AND start < \(order)
        ORDER BY start DESC, id DESC LIMIT 1),
      \(step("chapter", after: "part")),
      \(step("block", after: "chapter"))
      """
  }

  /// The ids of a section's customers in order; empty if there is no such section.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if they are not numbered 1…n, where the section counts n.
  /// - Complexity: O(rows): about 10 ms for 100,000.
  package func ids(in section: SectionID) throws -> [CustomerID] { try ids(in: section, count: nil) }

  /// The same for a section that counts a known number of rows; nil to look it up.
  func ids(in section: SectionID, count: Int?) throws -> [CustomerID] {
    var ids: [CustomerID] = []
    try forEachGroup(from: 1, in: section) { blocks in
      let places = Places(of: blocks)
      try connection.query(
        """
        SELECT customer, \(places.before) + "order" FROM \(places.tables)
        WHERE \(places.condition) ORDER BY \(places.order)
        """, places.values
      ) { row in
        let first = ids.count
        while try row.step() {
          let id = CustomerID(rawValue: row.integer(0))
          guard row.int(1) == ids.count + 1, !ids[first...].contains(id) else { throw try lack() }
          ids.append(id)
        }
      }
      return true
    }
    try requireEnd(before: ids.count + 1, from: 1, in: section, count)
    return ids
  }

  /// A block and the number of rows of its section before it.
  struct Block {
    var id: Int64
    var rowsBefore: Int
  }

  /// The parts of a statement that reads the places of some blocks in order; see the table `place`.
  private struct Places {
    var tables = "place"
    var condition = "slot BETWEEN 64 * ?1 AND 64 * ?1 + 63"
    /// Whether a record is of a customer that is there; another page could have a record with this id.
    var isRecord = "customer_record.block = ?1 AND deleted_by IS NULL"
    /// The number of rows before the block.
    var before = "?2"
    var order = "slot"
    let values: [SQLiteValue]

    init(of blocks: [Block]) {
      values = blocks.flatMap { [.integer($0.id), .integer($0.rowsBefore)] }
      // One block, as in a file, needs no sorting.
      guard blocks.count > 1 else { return }
      let rows = Array(repeating: "(?, ?)", count: blocks.count).joined(separator: ", ")
      tables = """
        (SELECT 0 AS number, 0 AS before WHERE 0 UNION ALL VALUES \(rows)) AS block CROSS JOIN place
        """
      condition = "slot BETWEEN 64 * number AND 64 * number + 63"
      isRecord = "customer_record.block = number AND deleted_by IS NULL"
      (before, order) = ("before", "before, slot")
    }
  }

  /// Passes the blocks of a section to `body`, as `forEachBlock` does, in groups to be read by one statement.
  ///
  /// Over a network each statement is a round trip, so the groups grow; a file is read block by block.
  func forEachGroup(
    from order: Int, in section: SectionID, _ body: ([Block]) throws -> Bool
  ) throws {
    guard connection.isRemote else {
      return try forEachBlock(from: order, in: section) { block in try body([block]) }
    }
    var (group, size, shouldContinue) = ([Block](), 4, true)
    try forEachBlock(from: order, in: section) { block in
      group.append(block)
      guard group.count == size else { return true }
      shouldContinue = try body(group)
      (group, size) = ([], min(size * 4, 32))
      return shouldContinue
    }
    if shouldContinue, !group.isEmpty { _ = try body(group) }
  }

  /// Passes the blocks of a section to `body`, from the one with place `order` on, until it returns false.
  func forEachBlock(
    from order: Int, in section: SectionID, _ body: (Block) throws -> Bool
  ) throws {
    _ = try forEachChild(of: 0 &- section.rawValue, from: order, before: 0) { part, before in
      try forEachChild(of: part, from: order, before: before) { chapter, before in
        try forEachChild(of: chapter, from: order, before: before) { block, before in
          try body(Block(id: block, rowsBefore: before))
        }
      }
    }
  }

  /// Passes the children of a node to `body`, from the one with place `order` of the section on, with the
  /// number of rows of the section before each, until it returns false.
  ///
  /// A damaged file may have any numbers, so sums wrap around instead of trapping.
  ///
  /// - Returns: whether it reached the end.
  private func forEachChild(
    of parent: Int64, from order: Int, before: Int, _ body: (_ id: Int64, _ before: Int) throws -> Bool
  ) throws -> Bool {
    try connection.query(
      """
      SELECT id, start FROM node
      WHERE parent = ?1
        AND start >= ifnull((SELECT max(start) FROM node WHERE parent = ?1 AND start < ?2), start)
      ORDER BY start, id
      """, [.integer(parent), .integer(order &- before)]
    ) { child in
      while try child.step() {
        guard try body(child.integer(0), before &+ child.int(1)) else { return false }
      }
      return true
    }
  }

  /// Passes the rows of some blocks that match a filter to `body`, from place `order` of the section on, until it
  /// returns false.
  ///
  /// - Returns: whether it reached the end.
  func forEachRow(
    of blocks: [Block], from order: Int, in section: SectionID, _ filter: RowCondition?,
    _ columns: CustomerColumns = .all, _ body: (Customer) throws -> Bool
  ) throws -> Bool {
    let places = Places(of: blocks)
    return try connection.query(
      """
      SELECT \(columns.sql), \(places.before) + place."order" FROM \(places.tables)
      CROSS JOIN customer_record ON id = customer AND \(places.isRecord)
      WHERE \(places.condition) AND \(places.before) + "order" >= ? AND \(filter?.sql ?? "1")
      ORDER BY \(places.order)
      """, places.values + [.integer(order)] + (filter?.values ?? [])
    ) { row in
      // The places of a block may lead to one customer twice, instead of another one.
      var seen: [Int64] = []
      while try row.step() {
        guard !seen.contains(row.integer(0)) else { throw try lack() }
        seen.append(row.integer(0))
        let place = CustomerPlace(section: section, order: row.int(columns.count))
        guard try body(columns.customer(row, place: place)) else { return false }
      }
      return true
    }
  }
}

extension CustomerList {
  /// The fields with any number of values in which some customer of a section, or of the list, has one.
  ///
  /// - Complexity: O(rows).
  package func usedLists(in section: SectionID?) throws -> [CustomerField] {
    let lists = CustomerField.lists + [.addressParts]
    // Places are only looked up to find the rows of a section.
    let rows = section == nil ? "customer_record WHERE deleted_by IS NULL" : "customers WHERE section = ?"
    let columns = lists.map { "max(\($0.column) <> '')" }.joined(separator: ", ")
    return try connection.fetchOne("SELECT \(columns) FROM \(rows)", section.map { [.id($0)] } ?? []) { row in
      lists.indices.filter { row.bool(Int32($0)) }.map { lists[$0] }
    } ?? []
  }

  /// The first column of a customer with invalid UTF-8, which reading shows as U+FFFD; nil if there is none.
  ///
  /// Another client wrote it; a program that copies the list must not change it silently.
  package func unreadableColumn(of id: CustomerID) throws -> String? {
    let columns = CustomerFields.columnNames
    let sql =
      "SELECT \(columns.map { "hex(\($0))" }.joined(separator: ", ")) FROM customer_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { row in
      columns.indices.first { !row.text(Int32($0)).isHexadecimalUTF8 }.map { columns[$0] }
    } ?? nil
  }
}

extension String {
  /// Whether the hexadecimal digits encode valid UTF-8.
  fileprivate var isHexadecimalUTF8: Bool {
    let digits = utf8.map { $0 <= 0x39 ? $0 - 0x30 : $0 - 0x41 + 10 }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    return String(validating: bytes, as: UTF8.self) != nil
  }
}

extension CustomerList {
  /// Passes to `body` the customers whose name, company, or e-mail addresses may have the words of a name, or all
  /// customers, with those fields, in no particular order.
  ///
  /// Includes every customer whose name or address contains the words as they are separated here; it may include
  /// others. It reads names only, so it is several times faster on a long list than `forEach`. With `areDeleted`, it passes
  /// those that only the history has. O(rows)
  package func forEachName(
    having name: Name?, areDeleted: Bool = false, _ body: (CustomerID, CustomerFields) throws -> Void
  ) throws {
    // A name is in two columns, so only its single words are in one of them.
    let words = name?.words.split(separator: " ") ?? []
    let columns = ["first_name", "last_name", "company", "email", "other_contacts"]
    let condition = RowCondition.all(words.map { .mayHave(String($0), in: columns) })
    let sql = """
      SELECT id, \(columns.joined(separator: ", ")) FROM customer_record
      WHERE deleted_by IS \(areDeleted ? "NOT " : "")NULL AND \(condition?.sql ?? "1")
      """
    try connection.query(sql, condition?.values ?? []) { row in
      while try row.step() {
        let fields = CustomerFields(
          firstName: row.text(1), lastName: row.text(2), company: row.text(3), email: row.text(4),
          otherContacts: row.text(5))
        try body(CustomerID(rawValue: row.integer(0)), fields)
      }
    }
  }
}
