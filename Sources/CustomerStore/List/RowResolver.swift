internal import CustomersSQLite

/// Finds the rows and sections that a user names.
package final class RowResolver {
  /// What was found by only a part of a word, so that something else may be meant.
  package enum Guess: Equatable, Sendable {
    case customer(SelectionError.Match)
    case section(CustomerSection)
  }

  /// What has been read so far.
  package private(set) var found: FoundRows
  /// What was found by only a part of a word.
  package private(set) var guesses: [Guess] = []
  /// The values that a filter could not compare.
  package let skipped = SkippedValues()
  private let connection: Connection
  /// Moves that are not written yet.
  private let plan: MovePlan?
  /// The customers that were named by id.
  package private(set) var namedByID: Set<CustomerID> = []
  private let takesParts: Bool

  /// Creates a resolver for the current list, or for the list as a plan leaves it.
  ///
  /// With `takesParts` a customer or section may be named by a part of a word of the name: to show it, or if the
  /// person confirms `guesses` before anything is changed.
  ///
  /// It reads all sections, unless `isWhole` says that this transaction has verified that they are there (`outline`):
  /// then it reads them only for a name that needs them, because a script has a resolver for each line.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if a section is missing, `StoreError`.
  package init(
    _ list: borrowing CustomerList, plan: MovePlan? = nil, takesParts: Bool = true, isWhole: Bool = false
  ) throws {
    found = FoundRows(outline: isWhole ? nil : try plan?.outline ?? list.outline())
    connection = list.connection
    (self.plan, self.takesParts) = (plan, takesParts)
  }

  /// The outline of the list, or as the plan leaves it. O(sections) the first time
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if a section is missing, `StoreError`.
  package var outline: ListOutline {
    get throws {
      if let outline = found.outline { return outline }
      let outline = try plan?.outline ?? CustomerList(connection: connection).outline()
      found.outline = outline
      return outline
    }
  }

  /// The section named.
  ///
  /// - Throws: `SelectionError`.
  /// - Complexity: O(log sections) for an exact title, a number, or an `@id`; O(sections) for any other name.
  package func section(titled text: String) throws -> CustomerSection {
    if found.outline == nil, let section = try exactSection(text) { return section }
    let (section, fit) = try outline.found(text, upTo: takesParts ? .part : .words)
    if !fit.isSure { guesses.append(.section(section)) }
    return section
  }

  /// What `ListOutline.found` finds by an `@id`, an exact title, or a number, in this order.
  private func exactSection(_ text: String) throws -> CustomerSection? {
    guard let section = try CustomerList(connection: connection).section(named: text) else { return nil }
    return try plan?.section(section.id) ?? section
  }

  /// The one row named.
  ///
  /// - Throws: `SelectionError`.
  package func row(_ selectors: RowSelectors, in list: borrowing CustomerList) throws -> Customer {
    let rows = try rows(selectors, in: list)
    guard rows.count == 1 else {
      throw SelectionError(.notOne(rows.count), selectors.rows.first?.word ?? "")
    }
    return rows[0]
  }

  /// The rows named, in the order given, or those that match a filter, in list order.
  ///
  /// - Throws: `SelectionError`.
  package func rows(
    _ selectors: RowSelectors, matching filter: RowFilter? = nil, in list: borrowing CustomerList
  ) throws -> [Customer] {
    var rows: [Customer] = []
    try forEach(selectors, filter, in: list) { rows.append($0) }
    found.customers.add(rows)
    return rows
  }

  /// The ids of the same rows, after each row was passed to `body`.
  ///
  /// - Throws: `SelectionError`, or what `body` throws.
  package func ids(
    _ selectors: RowSelectors, matching filter: RowFilter? = nil, in list: borrowing CustomerList,
    _ body: (Customer) throws -> Void
  ) throws -> [CustomerID] {
    var ids: [CustomerID] = []
    try forEach(selectors, filter, in: list) { customer in
      try body(customer)
      found.customers.add(customer)
      ids.append(customer.id)
    }
    return ids
  }

  private func forEach(
    _ selectors: RowSelectors, _ filter: RowFilter?, in list: borrowing CustomerList,
    _ body: (Customer) throws -> Void
  ) throws {
    if let filter {
      precondition(plan == nil, "a filter finds rows where the list has them")
      return try list.forEach(matching: filter, noting: skipped) { customer in
        try body(customer)
        return true
      }
    }
    var seen: Set<CustomerID> = []
    for (selector, word) in selectors.rows {
      try forEach(selector, word, in: list) { customer in
        // Rows of one range are different ones.
        guard selectors.rows.count == 1 || seen.insert(customer.id).inserted else {
          throw SelectionError(.repeated(name: customer.name, id: customer.id), word)
        }
        if case .id = selector { namedByID.insert(customer.id) }
        try body(customer)
      }
    }
  }

  /// Gives up the customers that were found, so that an edit has them only as long as it needs them.
  package func takeFound() -> FoundRows {
    defer { found.customers = FoundCustomers() }
    return found
  }

  /// Rows in the order of the list.
  package func inOrder(_ rows: [Customer]) throws -> [Customer] {
    guard rows.count > 1 else { return rows }
    let outline = try outline
    return rows.sorted { outline.position(of: $0.place) < outline.position(of: $1.place) }
  }

  /// Passes the rows that a word names to `body`.
  private func forEach(
    _ selector: RowSelector, _ word: String, in list: borrowing CustomerList,
    _ body: (Customer) throws -> Void
  ) throws {
    switch selector {
    case .rows(let span):
      guard let range = try range(of: span, count: outline.count, title: nil, word) else { return }
      try forEach(at: Range(range), in: list, body)
    case .inSection(let title, let span, let text):
      guard let section = try section(titled: title, else: text, word, in: list) else {
        return try body(named(text, word, in: list))
      }
      guard let range = try range(of: span, count: section.count, title: section.title, word) else { return }
      let start = try outline.position(of: CustomerPlace(section: section.id, order: range.lowerBound))
      try forEach(at: start..<start + range.count, in: list, body)
    case .id(let id):
      let customer: Customer
      do { customer = try self.customer(id, in: list) } catch ListError.noSuchCustomer {
        try list.requireNoPlace(of: id)
        throw SelectionError(.noCustomer(id), word)
      }
      try body(customer)
    case .name(let text): try body(named(text, word, in: list))
    }
  }

  /// Passes the rows at existing positions to `body`.
  private func forEach(
    at positions: Range<Int>, in list: borrowing CustomerList, _ body: (Customer) throws -> Void
  ) throws {
    if let plan { return try plan.customers(at: positions, of: list).forEach(body) }
    try list.forEach(numbered: positions, of: outline, body)
  }

  /// The section with a title; nil if there is none and the whole text may be the name of a customer.
  private func section(
    titled title: String, else text: String, _ word: String, in list: borrowing CustomerList
  ) throws -> CustomerSection? {
    do {
      return try section(titled: title)
    } catch var noSection as SelectionError {
      do {
        _ = try named(text, word, in: list)
        return nil
      } catch let noCustomer as SelectionError where noCustomer.reason == .noName(near: nil) {
        noSection.word = word
        throw noSection
      }
    }
  }

  /// The row numbers, out of `count` rows; nil for no rows of an empty list.
  ///
  /// - Throws: `SelectionError` if one of them does not exist.
  private func range(
    of span: RowSelector.Span, count: Int, title: String?, _ word: String
  ) throws(SelectionError) -> ClosedRange<Int>? {
    func refuse(_ row: Int) -> SelectionError {
      SelectionError(.noRow(row, count: count, section: title), word)
    }
    let range: ClosedRange<Int>
    switch span {
    case .range(let rows): range = rows
    case .from(let row) where row <= count: range = row...count
    case .from(let row): throw refuse(row)
    case .first, .last:
      guard count > 0 else { throw title == nil ? SelectionError(.emptyList, word) : refuse(1) }
      range = span == .first ? 1...1 : count...count
    }
    for end in [range.upperBound, range.lowerBound] where end < 1 || end > count { throw refuse(end) }
    return range
  }

  private func named(_ text: String, _ word: String, in list: borrowing CustomerList) throws -> Customer {
    var search = NameSearch(text)
    if let only = try search.only(in: list) {
      let customer: Customer
      do { customer = try self.customer(only.id, in: list) } catch ListError.noSuchCustomer {
        // Its record was found, but no place.
        throw try list.lack()
      }
      if !only.isSure {
        let guess = SelectionError.Match(
          position: try outline.position(of: customer.place), id: customer.id, name: customer.name)
        guard takesParts else { throw SelectionError(.onlyPart(guess), text, in: word) }
        guesses.append(.customer(guess))
      }
      return customer
    }
    let outline = try outline
    for section in outline.sections {
      try forEach(in: section.id, of: list) { customer in
        search.consider(customer, at: outline.position(of: customer.place))
        return true
      }
    }
    throw SelectionError(search.reason, text, in: word)
  }

  private func customer(_ id: CustomerID, in list: borrowing CustomerList) throws -> Customer {
    try plan?.customer(id, in: list) ?? list.customer(id)
  }

  private func forEach(
    in section: SectionID, of list: borrowing CustomerList, _ body: (Customer) throws -> Bool
  ) throws {
    if let plan { return try plan.forEach(from: 1, in: section, of: list, body) }
    try list.forEach(in: section, body)
  }
}

extension ListOutline {
  /// The section that a user names: by `@id`, title, or section number, or by a part of a title that fits no
  /// other one as well.
  ///
  /// The least fit that is enough is `limit`: `part` to look at the section, `words` to change it.
  ///
  /// - Throws: `SelectionError`.
  package func section(
    titled text: String, upTo limit: Name.Fit
  ) throws(SelectionError) -> CustomerSection { try found(text, upTo: limit).section }

  /// The section and how well the name fits its title.
  func found(
    _ text: String, upTo limit: Name.Fit
  ) throws(SelectionError) -> (section: CustomerSection, fit: Name.Fit) {
    if let id = SectionID(named: text), let found = section(id) { return (found, .exact) }
    if let found = sections.first(where: { $0.hasTitle(text) }) { return (found, .exact) }
    // The list of sections shows the number, and a 2 may be in any title.
    if let order = wholeNumber(text[...]), order >= 1, order <= sections.count {
      return (sections[order - 1], .exact)
    }
    guard let best = Name(text).best(of: sections, upTo: .part, by: { [$0.title] }) else {
      throw SelectionError(.noTitle(among: sections.map(\.title).filter { !$0.isEmpty }), text)
    }
    guard best.elements.count == 1 else { throw SelectionError(.severalTitles(best.elements), text) }
    guard best.fit <= limit else { throw SelectionError(.onlyPartOfTitle(best.elements[0]), text) }
    return (best.elements[0], best.fit)
  }
}

extension CustomerList {
  /// The section with an `@id`, exact title, or section number, in this order, as `ListOutline.found` finds it; nil
  /// if another kind of name is meant.
  ///
  /// - Complexity: O(log sections).
  fileprivate func section(named text: String) throws -> CustomerSection? {
    func sections(_ condition: String, _ value: SQLiteValue) throws -> [CustomerSection] {
      try self.sections(from: "present_section WHERE \(condition)", value)
    }
    if let id = SectionID(named: text), let found = try sections("id = ?", .id(id)).first { return found }
    let sameTitle = try sections("title_key = lower(trim(?))", .text(text)).first { $0.hasTitle(text) }
    if let sameTitle { return sameTitle }
    return try wholeNumber(text[...]).flatMap { try sections(#""order" = ?"#, .integer($0)).first }
  }
}

extension SectionID {
  /// The id in `@17`.
  fileprivate init?(named text: String) {
    guard text.hasPrefix("@"), !text.hasPrefix("@-"), let id = wholeNumber(text.dropFirst()) else {
      return nil
    }
    self.init(rawValue: Int64(id))
  }
}

extension CustomerSection {
  /// Whether the title is this text, byte for byte.
  fileprivate func hasTitle(_ text: String) -> Bool { !text.isEmpty && title.utf8.elementsEqual(text.utf8) }
}

/// Customers to list or to export: which ones and in which order.
package struct ListedRows: Sendable {
  package enum Order: Sendable {
    /// That of the list or from its end.
    case list, reversed
    /// By their fields.
    case sorted(SortOrder)
  }

  /// The rows, unless they are named.
  package var filter: RowFilter
  /// Rows that were named one by one, in this order.
  package var named: [Customer]?
  /// The order of the rows of a filter.
  package var order = Order.list
  /// How many of the first rows are left out.
  package var offset = 0
  /// How many rows there are at most.
  package var limit = Int.max
  /// The values that the filter could not compare, once the rows were read.
  package let skipped: SkippedValues

  /// The rows of a filter, in the order of the list.
  package init(_ filter: RowFilter = RowFilter()) { (self.filter, skipped) = (filter, SkippedValues()) }

  /// Named rows, and the values that were left open when they were found.
  package init(_ customers: [Customer], skipped: SkippedValues = SkippedValues()) {
    (filter, named, self.skipped) = (RowFilter(), customers, skipped)
  }

  /// Whether they are all rows in the list, or of a section, in order.
  package var areWhole: Bool {
    guard case .list = order else { return false }
    return named == nil && filter.takesAll && offset == 0 && limit == .max
  }
}

extension CustomerList {
  /// Passes rows to functions, in the order of the list under their sections.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - header: begins a section.
  ///   - row: takes a row.
  ///   - footer: ends a section.
  /// - Returns: the number of rows.
  /// - Throws: `ListError.incomplete` or `damaged` as soon as a row is missing, `StoreError`, or what the functions
  ///   throw.
  /// - Complexity: O(rows up to the last one); memory for one, and in another order for the ids and the values to sort by.
  package func forEach(
    _ rows: ListedRows, header: (CustomerSection) throws -> Void = { _ in },
    row: (Customer) throws -> Void, footer: (CustomerSection) throws -> Void = { _ in }
  ) throws -> Int {
    switch (rows.named, rows.order) {
    case (let named?, _): try forEach(of: named, rows, row)
    case (nil, .list) where rows.filter.takesAll: try forEachInOrder(rows, header, row, footer)
    case (nil, .list): try forEachMatch(rows, header, row, footer)
    case (nil, .reversed): try forEach(of: found(rows, in: nil), rows, row)
    case (nil, .sorted(let order)): try forEach(of: found(rows, in: order), rows, row)
    }
  }

  package func count(_ rows: ListedRows) throws -> Int {
    let count = try rows.named?.count ?? count(matching: rows.filter, noting: rows.skipped)
    return max(0, min(count - min(rows.offset, count), rows.limit))
  }

  /// Rows in another order than that of the list, in 16 bytes each.
  private struct FoundRows {
    var ids: [CustomerID]
    /// The positions in the whole list.
    var positions: [UInt32]
    /// The numbers of the rows, from 0, in the order in which they are shown.
    var order: [UInt32]
  }

  /// The rows that match a filter, sorted or, without an order, from the end of the list.
  private func found(_ rows: ListedRows, in order: SortOrder?) throws -> FoundRows {
    let outline = try outline()
    var positions: [UInt32] = []
    var values = SortedValues(order ?? SortOrder(by: []), try columnKinds())
    try forEach(
      matching: rows.filter, reading: CustomerColumns(order?.fields ?? []), noting: rows.skipped
    ) { customer in
      positions.append(UInt32(clamping: outline.position(of: customer.place)))
      values.append(customer)
      return true
    }
    return FoundRows(
      ids: values.ids, positions: positions,
      order: order == nil ? positions.indices.map(UInt32.init).reversed() : values.sortedIndices())
  }

  /// Reads rows that were found, a few at a time, because a customer may be large.
  private func forEach(
    of found: FoundRows, _ rows: ListedRows, _ row: (Customer) throws -> Void
  ) throws -> Int {
    let outline = try outline()
    let shown = found.order.dropFirst(rows.offset).prefix(rows.limit)
    var rest = shown
    while !rest.isEmpty {
      let some = rest.prefix(20).map(Int.init)
      rest = rest.dropFirst(20)
      let records = try records(of: some.map { found.ids[$0] })
      for number in some {
        guard var customer = records[found.ids[number]],
          let place = outline.place(at: Int(found.positions[number]))
        else { throw try lack() }
        customer.place = place
        try row(customer)
      }
    }
    return shown.count
  }

  /// The records of customers, without their places.
  private func records(of ids: [CustomerID]) throws -> [CustomerID: Customer] {
    let sql = """
      SELECT \(Customer.columns) FROM customer_record
      WHERE id IN (?\(String(repeating: ", ?", count: ids.count - 1)))
      """
    let nowhere = CustomerPlace(section: SectionID(rawValue: 0), order: 0)
    let records = try connection.fetchAll(sql, ids.map { .id($0) }) { Customer($0, place: nowhere) }
    return Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
  }

  private func forEach(
    of customers: some Sequence<Customer>, _ rows: ListedRows, _ row: (Customer) throws -> Void
  ) throws -> Int {
    let shown = Array(customers.dropFirst(rows.offset).prefix(rows.limit))
    for customer in shown { try row(customer) }
    return shown.count
  }

  private func forEachInOrder(
    _ rows: ListedRows, _ header: (CustomerSection) throws -> Void, _ row: (Customer) throws -> Void,
    _ footer: (CustomerSection) throws -> Void
  ) throws -> Int {
    var skip = rows.offset
    var count = 0
    for section in try wholeSections() where section.id == rows.filter.section ?? section.id {
      guard count < rows.limit else { break }
      // Skipped rows need not be read.
      let first = min(skip, section.count)
      skip -= first
      guard first < section.count || first == 0 else { continue }
      try header(section)
      try forEach(from: first + 1, in: section.id, count: section.count) { customer in
        try row(customer)
        count += 1
        return count < rows.limit
      }
      try footer(section)
    }
    return count
  }

  /// The rows that match, under the sections that have some.
  private func forEachMatch(
    _ rows: ListedRows, _ header: (CustomerSection) throws -> Void, _ row: (Customer) throws -> Void,
    _ footer: (CustomerSection) throws -> Void
  ) throws -> Int {
    guard rows.limit > 0 else { return 0 }
    let outline = try outline()
    var skip = rows.offset
    var count = 0
    var begun: CustomerSection?
    try forEach(matching: rows.filter, reading: .all, noting: rows.skipped) { customer in
      if skip > 0 {
        skip -= 1
        return true
      }
      if customer.place.section != begun?.id {
        if let begun { try footer(begun) }
        begun = outline.section(customer.place.section)
        if let begun { try header(begun) }
      }
      try row(customer)
      count += 1
      return count < rows.limit
    }
    if let begun { try footer(begun) }
    return count
  }
}
