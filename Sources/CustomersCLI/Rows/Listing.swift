internal import CustomerStore

/// The rows and columns of the list to show, and their order.
struct Listing: Sendable {
  private let section: String?
  private let questions: [FilterExpression]
  /// The text to search for, and where.
  let words: (text: String, fields: String?, atWordStarts: Bool)?
  private let sortFields: String?
  private let isReversed: Bool
  private let offset: Int
  private let limit: Int
  private let columns: String?
  /// Whether only the number of rows is wanted.
  let isCount: Bool
  let hasHeader: Bool
  let includesIDs: Bool

  /// Parses the options; `text` is the text to search for.
  ///
  /// An empty command line means all rows.
  init(_ invocation: Invocation = Invocation(), finding text: String? = nil) throws {
    section = invocation[Listing.section]
    questions = try invocation.questions
    words = text.map { ($0, invocation[Listing.searched], invocation[Listing.wordStarts]) }
    sortFields = invocation[Listing.sort]
    isReversed = invocation[Listing.reverse]
    offset = invocation[Listing.offset] ?? 0
    limit = invocation[Listing.limit] ?? .max
    columns = invocation[Listing.fields]
    isCount = invocation[Listing.count]
    hasHeader = !invocation[Listing.noHeader]
    includesIDs = invocation[Listing.ids]
  }

  /// Whether rows are chosen by questions.
  var hasQuestions: Bool { !questions.isEmpty }

  /// Writes the rows.
  ///
  /// - Returns: the number of rows.
  @discardableResult
  func write(
    _ list: borrowing CustomerList, _ session: Session, _ format: OutputFormat, isOneLine: Bool = false
  ) throws -> Int {
    let outline = try list.outline()
    let filter = try filter(list, outline)
    let columns = try columns.map { try list.columns(named: $0, by: Listing.fields) }
    let writer = try format.listWriter(
      session, list, self, columns: columns, filter: filter, isOneLine: isOneLine)
    try writer.begin()
    let count =
      sortFields != nil || isReversed
      ? try writeSorted(list, filter, writer) : try writeInOrder(list, outline, filter, writer)
    try writer.end()
    return count
  }

  /// The number of rows.
  func count(_ list: borrowing CustomerList) throws -> Int {
    let count = try list.count(matching: filter(list, list.outline()))
    return max(0, min(count - min(offset, count), limit))
  }

  /// How many rows are read at most.
  func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    let outline = try list.outline()
    let rows = try onlySection(outline)?.count ?? outline.count
    guard words == nil, !hasQuestions else { return rows }
    if isCount { return 0 }
    return sortFields != nil || isReversed ? rows : min(rows, limit)
  }

  private func onlySection(_ outline: ListOutline) throws -> CustomerSection? {
    try section.map { title throws in try outline.section(titled: title, upTo: .part) }
  }

  private func filter(_ list: borrowing CustomerList, _ outline: ListOutline) throws -> RowFilter {
    var search: TextSearch?
    if let words {
      let fields: [CustomerField]? = try words.fields.map { names in
        // The name consists of two fields.
        try list.named(names, by: Listing.searched) { name in
          try list.column(named: name, or: [("name", [.firstName, .lastName])]) { [$0] }
        }.flatMap(\.self)
      }
      search = TextSearch(words.text, in: fields.map(Set.init), atWordStarts: words.atWordStarts)
    }
    return try RowFilter(questions, section: onlySection(outline)?.id, search: search, in: list)
  }

  /// The rows in the order of the list, under their sections.
  private func writeInOrder(
    _ list: borrowing CustomerList, _ outline: ListOutline, _ filter: RowFilter, _ writer: any ListWriter
  ) throws -> Int {
    guard filter.takesAll else { return try writeMatches(list, outline, filter, writer) }
    var skip = offset
    var count = 0
    for section in outline.sections where filter.section == nil || filter.section == section.id {
      guard count < limit else { break }
      // Skipped rows need not be read.
      let first = min(skip, section.count)
      skip -= first
      guard first < section.count || first == 0 else { continue }
      try writer.header(section)
      try list.forEach(from: first + 1, in: section.id) { customer in
        try writer.row(customer)
        count += 1
        return count < limit
      }
      try writer.footer(section)
    }
    return count
  }

  /// The rows that match, in the order of the list, under the sections that have some.
  private func writeMatches(
    _ list: borrowing CustomerList, _ outline: ListOutline, _ filter: RowFilter,
    _ writer: any ListWriter
  ) throws -> Int {
    guard limit > 0 else { return 0 }
    var skip = offset
    var count = 0
    var open: CustomerSection?
    try list.forEach(matching: filter) { customer in
      if skip > 0 {
        skip -= 1
        return true
      }
      if customer.place.section != open?.id {
        if let open { try writer.footer(open) }
        open = outline.section(customer.place.section)
        if let open { try writer.header(open) }
      }
      try writer.row(customer)
      count += 1
      return count < limit
    }
    if let open { try writer.footer(open) }
    return count
  }

  /// The rows in sorted order, without sections.
  private func writeSorted(
    _ list: borrowing CustomerList, _ filter: RowFilter, _ writer: any ListWriter
  ) throws -> Int {
    var rows = try list.customers(matching: filter)
    if let sortFields {
      let order = try list.sortOrder(by: sortFields, isDescending: isReversed, option: Listing.sort)
      rows = order.sorted(rows)
    } else {
      rows.reverse()
    }
    let shown = rows.dropFirst(offset).prefix(limit)
    for customer in shown { try writer.row(customer) }
    return shown.count
  }
}
