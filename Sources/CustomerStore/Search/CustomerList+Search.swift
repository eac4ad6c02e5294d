internal import CustomersSQLite

extension CustomerList {
  /// The customers whose fields contain all words of a string, in list order; case and accents are ignored.
  ///
  /// - Parameters:
  ///   - text: words, each of which must occur in some field. A string without words finds every customer.
  ///   - fields: the fields to search; nil for all, including extra columns.
  ///   - limit: the maximum number of customers.
  /// - Returns: the customers, each with its place.
  /// - Throws: `StoreError`.
  /// - Complexity: O(rows up to the last customer that is returned).
  public func search(
    _ text: String, in fields: Set<CustomerField>? = nil, limit: Int = .max
  ) throws -> [Customer] {
    try customers(matching: RowFilter(search: TextSearch(text, in: fields)), limit: limit)
  }

  /// The customers that match a filter, in list order; notes the values that are not of their kind.
  ///
  /// - Complexity: O(rows up to the last customer that is returned).
  package func customers(
    matching filter: RowFilter, limit: Int = .max, noting skipped: SkippedValues? = nil
  ) throws -> [Customer] {
    var found: [Customer] = []
    guard limit > 0 else { return found }
    try forEach(matching: filter, reading: .all, noting: skipped) { customer in
      found.append(customer)
      return found.count < limit
    }
    return found
  }

  /// The number of customers that match a filter; notes the values that are not of their kind.
  ///
  /// - Complexity: O(rows); O(sections) if there are no conditions.
  func count(matching filter: RowFilter, noting skipped: SkippedValues?) throws -> Int {
    var count = 0
    guard !filter.takesAll else {
      return try sections().reduce(0) { $0 + ($1.id == filter.section ?? $1.id ? $1.count : 0) }
    }
    if let today = filter.onlyDue { return try countDue(on: today) }
    try forEach(matching: filter, reading: .all, noting: skipped) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Passes the customers that match a filter to `body`, in list order, until it returns false.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if there are rows at which it could not look; `StoreError` or what
  ///   `body` throws.
  /// - Complexity: O(rows); memory for one row or for a few hundred.
  package func forEach(
    matching filter: RowFilter, noting skipped: SkippedValues? = nil, _ body: (Customer) throws -> Bool
  ) throws {
    try forEach(matching: filter, reading: .all, noting: skipped, body)
  }

  /// The same with some fields of the customers; a filter with conditions reads all.
  ///
  /// It notes the values that are not of their kind.
  func forEach(
    matching filter: RowFilter, reading columns: CustomerColumns, noting skipped: SkippedValues? = nil,
    _ body: (Customer) throws -> Bool
  ) throws {
    let condition = filter.condition
    let all = try filter.section == nil ? wholeSections() : sections()
    let sections = all.filter { $0.id == filter.section ?? $0.id }
    // Rows that a condition excludes are not passed, so their number can't be seen.
    if condition != nil { try requireRows(in: filter.section) }
    if filter.due != nil { try requireLineIndex() }
    // In storage order, the rows of all sections are read, which is faster only if most of them count.
    let isMost = sections.reduce(0) { $0 + $1.count } >= all.reduce(0) { $0 + $1.count } / 4
    if let condition, isMost, let few = try few(condition) {
      for customer in few where filter.matches(customer, noting: skipped) {
        guard try body(customer) else { return }
      }
      return
    }
    var shouldContinue = true
    for section in sections where shouldContinue {
      try forEach(in: section, condition, filter.takesAll ? columns : .all) { customer in
        if filter.matches(customer, noting: skipped) { shouldContinue = try body(customer) }
        return shouldContinue
      }
    }
  }

  /// The customers that satisfy a condition, in list order; nil if there are many.
  ///
  /// Reading rows in storage order is several times faster than in list order. So places are looked up only
  /// for matches; if there are many matches, they come early in either order.
  private func few(_ condition: RowCondition) throws -> [Customer]? {
    let limit = 256
    let sql = """
      SELECT id FROM customer_record WHERE deleted_by IS NULL AND \(condition.sql) LIMIT \(limit + 1)
      """
    let ids = try connection.fetchAll(sql, condition.values) { CustomerID(rawValue: $0.integer(0)) }
    guard ids.count <= limit else { return nil }
    guard !ids.isEmpty else { return [] }
    let outline = try outline()
    let found = try customers(ids)
    guard found.count == ids.count else { throw try lack() }
    return found.values.sorted {
      outline.position(of: $0.place) < outline.position(of: $1.place)
    }
  }

  /// Passes the customers at positions (from 1) in the whole list that match a filter to `body`, with their
  /// positions; positions outside of the list are omitted.
  ///
  /// - Complexity: O(positions + sections), wherever they are.
  func forEach(
    matching filter: RowFilter, at positions: Range<Int>, of outline: ListOutline,
    noting skipped: SkippedValues,
    _ body: (_ customer: Customer, _ position: Int) throws -> Void
  ) throws {
    let condition = filter.condition
    for section in outline.sections where section.count > 0 {
      let before = outline.position(of: CustomerPlace(section: section.id, order: 1)) - 1
      let end = before.saturatingAdding(section.count)
      let shown = positions.clamped(to: before.saturatingAdding(1)..<end.saturatingAdding(1))
      guard let first = shown.first, let last = shown.last else { continue }
      try forEachGroup(from: first - before, in: section.id) { blocks in
        guard let start = blocks.first?.rowsBefore, start < last - before else { return false }
        return try forEachRow(of: blocks, from: first - before, in: section.id, condition) { customer in
          guard customer.place.order <= last - before else { return false }
          if filter.matches(customer, noting: skipped) { try body(customer, before + customer.place.order) }
          return true
        }
      }
    }
  }

  /// Passes the rows of a section that satisfy a condition, and possibly others.
  private func forEach(
    in section: CustomerSection, _ condition: RowCondition?, _ columns: CustomerColumns,
    _ body: (Customer) throws -> Bool
  ) throws {
    guard let condition else { return try forEach(in: section.id, count: section.count, columns, body) }
    try forEachGroup(from: 1, in: section.id) { blocks in
      try forEachRow(of: blocks, from: 1, in: section.id, condition, columns, body)
    }
  }
}

extension CustomerList {
  /// The name of a customer that some words are, or whole words of; nil if there is none.
  ///
  /// - Complexity: O(rows), of which only those are looked at that may have the words.
  package func name(having words: String) throws -> String? {
    let wanted = Name(words)
    var found: String?
    try forEachName(having: wanted) { _, fields in
      if found == nil, let fit = wanted.fit(fields.name), fit <= .words { found = fields.name }
    }
    return found
  }
}

extension CustomerList {
  /// The deleted customers whose names some words fit best, as the history has them.
  ///
  /// A part of a word fits none of them.
  ///
  /// - Complexity: O(rows and deleted rows).
  package func deletedCustomers(named words: String) throws -> [(id: CustomerID, name: String)] {
    let search = NameSearch(words)
    var best = Name.Fit.words.rawValue
    var found: [(id: CustomerID, name: String)] = []
    try forEachName(having: nil, areDeleted: true) { id, fields in
      guard let rank = search.rank(fields), rank <= best else { return }
      if rank < best { found = [] }
      best = rank
      found.append((id, fields.name))
    }
    return found
  }
}

/// Finds one customer by name.
///
/// The name that fits best comes first, as `Name.Fit` orders them, then a part of an e-mail address; a whole
/// address is as good as a whole name. A customer without a name is found by company. Ambiguous names are never
/// guessed.
package struct NameSearch {
  private let wanted: Name
  /// The text as it is looked for in an address, in which `-` and `_` tell people apart.
  private let folded: String
  private var matches = [[SelectionError.Match]](repeating: [], count: Name.Fit.allCases.count + 1)
  private var counts = [Int](repeating: 0, count: Name.Fit.allCases.count + 1)
  private var near: (distance: Int, match: SelectionError.Match)?

  /// The maximum number of candidates kept for display.
  private static let shown = 10

  package init(_ text: String) {
    wanted = Name(text)
    folded = searchFolded(text)
  }

  /// The one matching customer, found without the order of the list, and whether it is certain; nil if there
  /// is none or several.
  func only(in list: borrowing CustomerList) throws -> (id: CustomerID, isSure: Bool)? {
    var best = try best(in: list, having: wanted)
    // Names that were written in fewer or more words are not among the few that have these words.
    if best?.isSure != true { best = try self.best(in: list, having: nil) }
    return best.flatMap { $0.isOnly ? ($0.id, $0.isSure) : nil }
  }

  private typealias Best = (rank: Int, id: CustomerID, isOnly: Bool, isSure: Bool)

  private func best(in list: borrowing CustomerList, having name: Name?) throws -> Best? {
    var best: Best?
    try list.forEachName(having: name) { id, fields in
      guard let rank = rank(fields), rank <= best?.rank ?? rank else { return }
      best = (rank, id, rank != best?.rank, rank <= Name.Fit.words.rawValue)
    }
    return best
  }

  /// Adds a customer to the candidates for the error.
  mutating func consider(_ customer: Customer, at position: Int) {
    let match = SelectionError.Match(position: position, id: customer.id, name: customer.name)
    guard let rank = rank(customer.fields) else {
      return considerNear(match, searchFolded(customer.name))
    }
    counts[rank] += 1
    if matches[rank].count < Self.shown { matches[rank].append(match) }
  }

  /// Why no single customer matches.
  var reason: SelectionError.Reason {
    guard let rank = counts.firstIndex(where: { $0 > 0 }) else { return .noName(near: near?.match) }
    return .severalNames(matches[rank], count: counts[rank])
  }

  /// How well a customer matches: the number of the fit, or the next one for a part of the address; nil if it
  /// does not.
  fileprivate func rank(_ fields: CustomerFields) -> Int? {
    let emails = fields.values(of: .email).map { searchFolded($0) }
    let fit = wanted.fit(fields.name)
    if emails.contains(folded) { return min(fit ?? .folded, .folded).rawValue }
    return fit?.rawValue ?? (emails.contains { $0.contains(folded) } ? Name.Fit.allCases.count : nil)
  }

  private mutating func considerNear(_ match: SelectionError.Match, _ name: String) {
    // Two mistakes leave hardly anything of a short name; any other name would be as near.
    let limit = min(3, near?.distance ?? .max, (folded.count + 2) / 3)
    guard abs(name.count - folded.count) < limit else { return }
    let distance = editDistance(name, folded)
    if distance < limit { near = (distance, match) }
  }
}
