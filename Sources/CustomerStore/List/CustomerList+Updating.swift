internal import CustomersMigrations
internal import CustomersSQLite

extension CustomerList {
  /// Changes fields of a customer; fields that `change` leaves alone are not written.
  ///
  /// The label of an e-mail address, a phone number, or a postal address that is replaced goes to the new one, unless
  /// `change` changes the other contacts, too. Values are stored as they are: `apply(.update)` reads a next date and those of
  /// columns with a kind, and refuses what is none.
  ///
  /// - Returns: the customer after the edit.
  /// - Throws: `ListError.noSuchCustomer`, `editForbidden`, or what `change` throws.
  @discardableResult
  public mutating func update(
    _ id: CustomerID, _ change: (inout CustomerFields) throws -> Void
  ) throws -> Customer {
    try revise(customer(id)) { try change(&$0.fields) }
  }

  /// Allows or forbids editing and deleting, or moving, a customer; nil leaves a right unchanged.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  package mutating func protect(_ id: CustomerID, canEdit: Bool? = nil, canMove: Bool? = nil) throws {
    _ = try revise(customer(id)) { $0.protect(canEdit: canEdit, canMove: canMove) }
  }

  /// Changes fields or rights of a customer that was just read.
  func revise(_ customer: Customer, _ change: (inout Customer) throws -> Void) throws -> Customer {
    let (revised, values) = try revision(of: customer, change)
    let changed = zip(Self.valueColumns, values).filter { $1 != .null }
    guard !changed.isEmpty else { return revised }
    let assignments = changed.map { "\($0.0) = ?" }.joined(separator: ", ")
    try edit(
      "UPDATE customers SET \(assignments) WHERE id = ?", changed.map(\.1) + [.id(customer.id)]
    ) { $0 == .protected ? .editForbidden(customer.id) : nil }
    return revised
  }

  /// The same for several customers, all of them or none.
  ///
  /// - Complexity: O(customers), written once.
  func revise(_ customers: consuming [Customer], _ change: (inout Customer) throws -> Void) throws {
    guard customers.count > 1 else { return try customers.forEach { _ = try revise($0, change) } }
    var rest = customers
    try atomically {
      guard rest.count >= ManyRows.fewest else { return try rest.forEach { _ = try revise($0, change) } }
      try writeValues(of: &rest) { try revision(of: $0, change).values }
    }
  }

  /// The same for customers of whom some were found already: many are read a few at a time.
  ///
  /// - Parameters:
  ///   - ids: the customers.
  ///   - found: what was found; it lets go of many.
  ///   - check: throws an error for a customer who must not be changed; it is called for all before one is.
  ///   - change: changes one.
  /// - Throws: `ListError.noSuchCustomer`, or what the closures throw.
  func revise(
    _ ids: [CustomerID], takenFrom found: inout FoundRows?, check: (Customer) throws -> Void = { _ in },
    change: (inout Customer) throws -> Void
  ) throws {
    if let customers = try customers(ids, takenFrom: &found) {
      try customers.forEach(check)
      return try revise(consume customers, change)
    }
    var rest = ids[...]
    var records: [Customer] = []
    try atomically {
      try writeValues {
        if records.isEmpty {
          records = try self.records(of: rest.prefix(FoundCustomers.few)).reversed()
          rest = rest.dropFirst(FoundCustomers.few)
        }
        return records.popLast()
      } values: { customer in
        try check(customer)
        return try revision(of: customer, change).values
      }
    }
  }

  /// Customers in the order of their ids, without their places.
  private func records(of ids: ArraySlice<CustomerID>) throws -> [Customer] {
    var records: [CustomerID: Customer] = [:]
    try forEachRecord(of: Set(ids), arePresent: true) { records[$0.id] = $0 }
    return try ids.map { id in
      guard let customer = records[id] else { throw ListError.noSuchCustomer(id) }
      return customer
    }
  }

  /// Gives customers other values, whether or not they may be edited; must be run `atomically`.
  ///
  /// - Parameters:
  ///   - customers: the customers, as they are.
  ///   - change: changes one; what it leaves as it is is not written.
  /// - Throws: `ListError`, or what `change` throws.
  func overwrite(_ customers: consuming [Customer], _ change: (inout Customer) throws -> Void) throws {
    var rest = customers
    try writeValues(of: &rest) { customer in
      var revised = customer
      try change(&revised)
      return try values(of: revised, changedFrom: customer)
    }
  }

  /// Writes values of customers, who are let go before the list is written, which takes memory, too.
  private func writeValues(
    of customers: inout [Customer], _ values: (Customer) throws -> [SQLiteValue]
  ) throws {
    customers.reverse()
    try writeValues(
      next: {
        if customers.isEmpty { customers = [] }
        return customers.popLast()
      }, values: values)
  }

  /// Writes values of customers: those of `valueColumns`, `null` for those that stay.
  private func writeValues(
    next: () throws -> Customer?, values: (Customer) throws -> [SQLiteValue]
  ) throws {
    try Migrations.manyRows.begin(connection)
    let columns = ["customer"] + Self.valueColumns
    let count = try connection.executeMany(
      """
      INSERT OR IGNORE INTO staged_value (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """
    ) { statement in
      while let customer = try next() {
        let values = try values(customer)
        guard values.contains(where: { $0 != .null }) else { continue }
        try statement.bind(customer.id.rawValue, at: 1)
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 2)) }
        return true
      }
      return false
    }
    if count > 0 { try edit({ _ in nil }) { try Migrations.manyRows.update(connection) } }
  }

  private static let valueColumns = CustomerFields.columnNames + ["can_edit", "can_move"]

  /// A customer after a change, and the values to write to `valueColumns`; `null` for those that stay.
  private func revision(
    of customer: Customer, _ change: (inout Customer) throws -> Void
  ) throws -> (customer: Customer, values: [SQLiteValue]) {
    var revised = customer
    try change(&revised)
    if revised.fields != customer.fields { revised.fields.settle(from: customer.fields) }
    return (revised, try values(of: revised, changedFrom: customer))
  }

  /// The values to write to `valueColumns`; `null` for those that stay.
  private func values(of revised: Customer, changedFrom customer: Customer) throws -> [SQLiteValue] {
    var written = revised
    if written.fields.extra != customer.fields.extra {
      written.fields.extra = try json(
        written.fields.extraColumns, changedFrom: customer.fields.extraColumns, of: customer.id)
    }
    return zip(written.values, customer.values).map { $0 == $1 ? .null : $0 }
  }
}

extension Customer {
  /// Allows or forbids editing or moving; nil leaves a right unchanged.
  mutating func protect(canEdit: Bool?, canMove: Bool?) {
    (self.canEdit, self.canMove) = (canEdit ?? self.canEdit, canMove ?? self.canMove)
  }

  fileprivate var values: [SQLiteValue] { fields.values + [.bool(canEdit), .bool(canMove)] }
}

extension CustomerList {
  /// Merges several customers into one: the first keeps its place and fields and gets what it lacks from the
  /// others, which are deleted.
  ///
  /// Different e-mail addresses, phone numbers, and postal addresses are kept as other contacts, and tags and logs are
  /// joined.
  /// If it already has another value of any other field, theirs is kept as an extra column: `note 2`, `note 3`.
  ///
  /// - Parameter ids: at least one customer, each once.
  /// - Returns: the customer after the edit.
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `editForbidden` if one of them is protected;
  ///   nothing is changed.
  @discardableResult
  package mutating func merge(_ ids: [CustomerID]) throws -> Customer {
    var seen: Set<CustomerID> = []
    for id in ids where !seen.insert(id).inserted { throw ListError.duplicateID(id) }
    let customers = try ids.map { try customer($0) }
    guard let first = customers.first else { preconditionFailure("no customers to merge") }
    if let forbidden = customers.first(where: { !$0.canEdit }) { throw ListError.editForbidden(forbidden.id) }
    var (merged, columns) = (first.fields, MergedColumns(first.fields.extraColumns))
    for other in customers.dropFirst() {
      try checkCancellation()
      merged.take(from: other.fields, &columns)
    }
    merged.extraColumns = columns.columns
    return try atomically { list in
      for other in ids.dropFirst() { try list.moveLog(of: other, to: first.id) }
      try list.delete(Array(ids.dropFirst()))
      return try list.update(first.id) { $0 = merged }
    }
  }
}

extension CustomerFields {
  /// Adds the fields of a duplicate; nothing is lost.
  fileprivate mutating func take(from other: CustomerFields, _ columns: inout MergedColumns) {
    if firstName.isEmpty, lastName.isEmpty {
      (firstName, lastName) = (other.firstName, other.lastName)
    } else {
      let name = CustomerFields(firstName: other.firstName, lastName: other.lastName).name
      columns.keep(name, beside: CustomerFields(firstName: firstName, lastName: lastName).name, as: "name")
    }
    let hadAddress = !address.isEmpty
    let known = addressesInParts + other.addressesInParts
    addContacts(of: other)
    if !hadAddress, address == other.address { addressParts = other.addressParts }
    if !known.isEmpty { keepParts(of: known) }
    for tag in other.tags.split(whereSeparator: \.isNewline) { tags.addLine(String(tag)) }
    for field in CustomerField.texts + [.next] where ![.firstName, .lastName].contains(field) {
      guard field.kind != .lines, field.contactKind == nil else { continue }
      let (own, theirs) = (self[field].text, other[field].text)
      if own.isEmpty {
        self[field] = .text(theirs)
      } else {
        columns.keep(theirs, beside: own, as: field.column)
      }
    }
    isFavorite = isFavorite || other.isFavorite
    for (name, value) in other.extraColumns.columns { columns.add(name, value) }
  }
}

/// The extra columns of a customer that takes those of others, and what fields of others do not fit into its own.
private struct MergedColumns {
  private let original: ExtraColumns
  private var added: [(name: String, value: FieldValue)] = []
  /// The cards of all, if several have different ones.
  private var card: JoinedCard?
  /// All values by the bytes of their names, which are compared like that.
  private var values: [[UInt8]: FieldValue] = [:]
  /// The numbered columns `note 2`, `note 3` … that were seen, by their values, and the number after them.
  private var numbered: [String: (byText: [String: Int], next: Int)] = [:]

  init(_ columns: ExtraColumns) {
    original = columns
    for (name, value) in columns.columns { values[Array(name.utf8)] = value }
  }

  /// - Complexity: O(columns).
  var columns: ExtraColumns {
    var columns = original
    columns.set(added)
    if let card { columns.set([(ExtraColumns.card, .text(card.text))]) }
    return columns
  }

  /// Takes the column of another customer, under another name if there is one with another value.
  mutating func add(_ name: String, _ value: FieldValue) {
    guard let own = values[Array(name.utf8)] else { return set(name, value) }
    guard !own.isSame(as: value) else { return }
    guard name == ExtraColumns.card else { return number(name, value) }
    if card == nil { card = JoinedCard(own.text) }
    if let left = card?.take(value.text), !left.isEmpty { number(name, .text(left)) }
  }

  /// Keeps a value as a numbered column, unless it adds nothing.
  mutating func keep(_ value: String, beside own: String, as column: String) {
    let words = [value, own].map { searchFolded($0).split(whereSeparator: \.isWhitespace) }
    guard !words[0].isEmpty, words[0] != words[1] else { return }
    number(column, .text(value))
  }

  /// Sets `column 2`, or the next number that is unused, unless one of them has this value.
  private mutating func number(_ column: String, _ value: FieldValue) {
    var seen = numbered.removeValue(forKey: column) ?? ([:], 2)
    defer { numbered[column] = seen }
    guard seen.byText[value.text] == nil else { return }
    while let taken = values[Array("\(column) \(seen.next)".utf8)] {
      seen.byText[taken.text] = seen.next
      seen.next += 1
      if taken.isSame(as: value) { return }
    }
    set("\(column) \(seen.next)", value)
  }

  private mutating func set(_ name: String, _ value: FieldValue) {
    values[Array(name.utf8)] = value
    added.append((name, value))
  }
}

/// Customers that may be the same.
package struct DuplicateGroup: Hashable, Sendable {
  /// The properties that customers have in common.
  package enum Reason: String, CaseIterable, Sendable {
    /// The full name, or the company if there is no name.
    case name
    /// An e-mail address.
    case email
    /// The digits of a phone number.
    case phone
  }

  /// The properties that all of them have in common: at least one.
  package var reasons: [Reason]
  /// The customers in list order, at least two.
  package var customers: [CustomerID]
}

extension CustomerList {
  /// The customers that have an e-mail address, the digits of a phone number or the name in common with another
  /// one; case, accents, and whitespace are ignored.
  ///
  /// - Returns: groups in the order of their first customers; a customer may be in several.
  /// - Complexity: O(customers) time and memory.
  package func duplicates() throws -> [DuplicateGroup] {
    var ids: [CustomerID] = []
    var owners: [DuplicateGroup.Reason: [String: [Int]]] = [:]
    try forEach { customer in
      for reason in DuplicateGroup.Reason.allCases {
        for key in reason.keys(of: customer.fields) {
          owners[reason, default: [:]][key, default: []].append(ids.count)
        }
      }
      ids.append(customer.id)
      return true
    }
    var reasons: [[Int]: [DuplicateGroup.Reason]] = [:]
    for reason in DuplicateGroup.Reason.allCases {
      for group in owners[reason, default: [:]].values where group.count > 1 {
        // They may have two addresses in common.
        if reasons[group]?.last != reason { reasons[group, default: []].append(reason) }
      }
    }
    return reasons.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { group, reasons in
      DuplicateGroup(reasons: reasons, customers: group.map { ids[$0] })
    }
  }
}

extension CustomerList {
  /// The customers that have exactly the same fields, columns, other contacts, and tags as one before them, in list
  /// order.
  ///
  /// One with a log is the same as no other.
  ///
  /// - Complexity: O(customers) time and memory.
  package func exactDuplicates() throws -> [CustomerID] {
    var known: Set<[String]> = []
    var found: [CustomerID] = []
    let logged = try customersWithLog()
    try forEach { customer in
      guard !logged.contains(customer.id) else { return true }
      let fields = customer.fields
      let extra = fields.extraColumns.columns.map { [$0.name, $0.value.text] }
      let key =
        fields.texts + [fields.isFavorite ? "1" : "0", fields.next, fields.addressParts]
        + extra.sorted { $0[0] < $1[0] }.joined()
      if !known.insert(key).inserted { found.append(customer.id) }
      return true
    }
    return found
  }
}

extension CustomerFields {
  /// Whether the two have the name, an e-mail address, or the digits of a phone number in common.
  package func mayBeSamePerson(as other: CustomerFields) -> Bool {
    DuplicateGroup.Reason.allCases.contains { reason in
      !reason.keys(of: self).isDisjoint(with: reason.keys(of: other))
    }
  }
}

extension DuplicateGroup.Reason {
  /// The keys of which such customers share one.
  fileprivate func keys(of fields: CustomerFields) -> Set<String> {
    switch self {
    case .name:
      keys([fields.name]) { searchFolded($0).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    case .email: keys(fields.values(of: .email)) { searchFolded($0).filter { !$0.isWhitespace } }
    case .phone:
      keys(fields.values(of: .phone), least: PhoneDigits.least) { phone in
        String(phone.unicodeScalars.filter { ("0"..."9").contains($0) })
      }
    }
  }

  private func keys(_ values: [String], least: Int = 1, _ key: (String) -> String) -> Set<String> {
    Set(values.map(key).filter { $0.utf8.count >= least })
  }
}
