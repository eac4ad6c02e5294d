internal import CustomersSQLite

extension CustomerList {
  /// Merges several customers into one: the first keeps its place and fields and gets what it lacks from the
  /// others, which are deleted.
  ///
  /// Different e-mail addresses, phone numbers, and postal addresses are kept as other contacts, and tags are joined.
  /// If it already has another value of any other field, theirs is kept as an extra column: `note 2`, `note 3`.
  ///
  /// - Parameter ids: at least one customer, each once.
  /// - Returns: the customer after the edit.
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `editForbidden` if one of them is protected;
  ///   nothing is changed.
  @discardableResult
  public mutating func merge(_ ids: [CustomerID]) throws -> Customer {
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
    addContacts(of: other)
    for tag in other.tags.split(whereSeparator: \.isNewline) { tags.addLine(String(tag)) }
    for field in CustomerField.texts where ![.firstName, .lastName].contains(field) {
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
    return columns
  }

  /// Takes the column of another customer, under another name if there is one with another value.
  mutating func add(_ name: String, _ value: FieldValue) {
    guard let own = values[Array(name.utf8)] else { return set(name, value) }
    if !own.isSame(as: value) { number(name, value) }
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
