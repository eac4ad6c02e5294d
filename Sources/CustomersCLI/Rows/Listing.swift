internal import CustomerStore

/// The rows and columns of the list to show, and their order.
struct Listing: Sendable {
  private var section: String?
  private var terms: [FilterTerm] = []
  private var words: (text: String, fields: String?, atWordStarts: Bool)?
  private var sortFields: String?
  private var isReversed = false
  private var offset = 0
  private var limit = Int.max
  private var columns: String?

  static let groups: [OptionGroup] = [
    .value("--section", short: "-s", .section, "only this section, by title or @id"),
    .optional(RowChoice.option),
    .value("--fields", short: "-f", .columns, "show these columns, in a table after the name"),
    .value("--sort", .fields, "sort the output by these fields; the list is not changed"),
    .flag("--reverse", "in descending order"),
    .value("--limit", short: "-l", .count(), "at most N rows"),
    .value("--offset", .count(), "skip the first N rows"),
    .flag("--count", "print only the number of rows"),
    .flag("--no-header", "omit the header line"),
    .flag("--ids", "put the id of each customer first (csv, tsv)"),
  ]

  /// All rows.
  init() {}

  /// Parses the options; `text` is the text to search for.
  init(_ invocation: Invocation, finding text: String? = nil) throws {
    section = invocation.value("--section")
    terms = try invocation.filterTerms
    words = text.map { ($0, invocation.value("--in"), invocation.has("--word")) }
    sortFields = invocation.value("--sort")
    isReversed = invocation.has("--reverse")
    offset = try invocation.count("--offset") ?? 0
    limit = try invocation.count("--limit") ?? .max
    columns = invocation.value("--fields")
  }

  /// Writes the rows.
  ///
  /// - Returns: the number of rows.
  @discardableResult
  func write(
    _ list: borrowing CustomerList, _ session: Session, _ format: OutputFormat, isOneLine: Bool = false
  ) throws -> Int {
    let outline = try list.outline()
    let filter = try filter(list, outline)
    let columns = try columns.map { try OutputColumn.parse($0, in: list) }
    let writer = try format.listWriter(
      session, list, columns: columns, filter: filter, isOneLine: isOneLine)
    try writer.begin()
    let count =
      sortFields != nil || isReversed
      ? try writeSorted(list, filter, writer) : try writeInOrder(list, outline, filter, writer)
    try writer.end()
    return count
  }

  /// The number of rows.
  func count(_ list: borrowing CustomerList) throws -> Int {
    let filter = try filter(list, list.outline())
    var count = 0
    if filter.takesAll {
      count = try list.sections().reduce(0) { $0 + ($1.id == filter.section ?? $1.id ? $1.count : 0) }
    } else {
      try list.forEach(matching: filter) { _ in
        count += 1
        return true
      }
    }
    return max(0, min(count - min(offset, count), limit))
  }

  private func filter(_ list: borrowing CustomerList, _ outline: ListOutline) throws -> RowFilter {
    var search: TextSearch?
    if let words {
      let fields: [CustomerField]? = try words.fields.map { names in
        // The name consists of two fields.
        try list.named(names, by: "--in") { name in
          try list.column(named: name, or: [("name", [.firstName, .lastName])]) { [$0] }
        }.flatMap(\.self)
      }
      search = TextSearch(words.text, in: fields.map(Set.init), atWordStarts: words.atWordStarts)
    }
    let only = try section.map { title throws in try outline.section(titled: title, upTo: .part) }
    return try RowFilter(terms, section: only?.id, search: search, in: list)
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
      rows = try list.sortOrder(by: sortFields, isDescending: isReversed, option: "--sort").sorted(rows)
    } else {
      rows.reverse()
    }
    let shown = rows.dropFirst(offset).prefix(limit)
    for customer in shown { try writer.row(customer) }
    return shown.count
  }
}
