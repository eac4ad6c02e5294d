internal import CustomersSQLite

extension CustomerList {
  /// The number of customers in all sections. O(sections)
  public func count() throws -> Int {
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
  public func place(of id: CustomerID) throws -> CustomerPlace {
    let sql = #"SELECT section, "order" FROM customers WHERE id = ?"#
    let found = try connection.fetchOne(sql, [.id(id)]) { row in
      CustomerPlace(section: SectionID(rawValue: row.integer(0)), order: row.int(1))
    }
    guard let found else { throw ListError.noSuchCustomer(id) }
    return found
  }

  /// The customers with these ids; ids that are not in the list are omitted.
  public func customers(_ ids: some Sequence<CustomerID>) throws -> [CustomerID: Customer] {
    var found: [CustomerID: Customer] = [:]
    // Over a network each statement is a round trip.
    let most = connection.isRemote ? 100 : 1
    var rest = Array(ids)[...]
    while !rest.isEmpty {
      let some = rest.prefix(most)
      rest = rest.dropFirst(most)
      let sql = """
        SELECT \(Customer.columns), section, "order" FROM customers
        WHERE id IN (?\(String(repeating: ", ?", count: some.count - 1)))
        """
      for customer in try connection.fetchAll(sql, some.map { .id($0) }, { Customer($0) }) {
        found[customer.id] = customer
      }
    }
    return found
  }

  /// The customer at place `order` (from 1) of a section.
  ///
  /// - Throws: `ListError.placeOutOfRange` beyond the section's rows, `noSuchSection`.
  public func customer(at order: Int, in section: SectionID) throws -> Customer {
    if let found = try row(at: CustomerPlace(section: section, order: order)) { return found }
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

  /// The neighbors of a customer in its section; nil at an end.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  public func neighbors(of id: CustomerID) throws -> (previous: Customer?, next: Customer?) {
    let place = try place(of: id)
    let previous = place.order > 1 ? try page(from: place.order - 1, limit: 1, in: place.section).first : nil
    return (previous, try page(from: place.order + 1, limit: 1, in: place.section).first)
  }

  /// The first customer of a section or nil.
  public func first(in section: SectionID) throws -> Customer? {
    try page(from: 1, limit: 1, in: section).first
  }

  /// The last customer of a section or nil.
  public func last(in section: SectionID) throws -> Customer? {
    try page(from: max(1, self.section(section).count), limit: 1, in: section).first
  }
}

extension Customer {
  /// The columns that `init` reads, before section and place.
  static let columns =
    (["id"] + FieldDescriptor.all.map(\.column) + [extra, "can_edit", "can_move"]).joined(separator: ", ")

  /// The number of `columns`.
  static let columnCount = CustomerFields.columnCount + 3

  /// The extra columns as a JSON object, whatever another program wrote; `char(8230)` is `…`, because the hash of
  /// SQL that is not ASCII takes as long as reading several rows.
  static let extra = """
    CASE
      WHEN extra = '{}' THEN extra
      WHEN length(extra) > \(Statement.longestText) THEN json_object('extra', substr(extra, 1, 1000) || char(8230))
      WHEN json_valid(extra) AND json_type(extra) = 'object' THEN json(extra)
      ELSE json_object('extra', extra) END
    """

  /// Decodes a row of `columns`, section, and `"order"`.
  init(_ row: borrowing Statement) {
    let count = Customer.columnCount
    self.init(
      row,
      place: CustomerPlace(section: SectionID(rawValue: row.integer(count)), order: row.int(count + 1)))
  }

  /// Decodes a row of `columns`.
  init(_ row: borrowing Statement, place: CustomerPlace) {
    id = CustomerID(rawValue: row.integer(0))
    self.place = place
    fields = CustomerFields(row, from: 1)
    let rights = 1 + CustomerFields.columnCount
    canEdit = row.bool(rights)
    canMove = row.bool(rights + 1)
  }
}

extension SQLiteValue {
  static func id(_ id: CustomerID) -> SQLiteValue { .integer(id.rawValue) }
  static func id(_ id: SectionID) -> SQLiteValue { .integer(id.rawValue) }
}
