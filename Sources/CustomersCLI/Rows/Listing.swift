internal import CustomerStore

/// Which rows of the list a person wants to see, and what of them.
struct Listing: Sendable {
  private var section: String?
  private var offset = 0
  private var limit = Int.max
  private var columns: [Column]?
  private var search: TextSearch?

  static let groups: [OptionGroup] = [
    .value("--section", .section, "only this section, by title or @id"),
    .value("--fields", .columns, "these columns; in a table behind the name"),
    .value("--limit", .count(), "at most N rows"),
    .value("--offset", .count(), "leave out the first N rows"),
    .flag("--no-header", "without the line of column names"),
  ]

  /// All rows.
  init() {}

  /// Understands the options; `search` tells the rows that fit.
  init(_ invocation: Invocation, search: TextSearch? = nil) throws {
    section = invocation.value("--section")
    offset = try invocation.count("--offset") ?? 0
    limit = try invocation.count("--limit") ?? .max
    columns = try invocation.value("--fields").map(Column.parse)
    self.search = search
  }

  /// Writes the rows.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func write(
    _ list: borrowing CustomerList, _ session: Session, _ format: Format, isOneLine: Bool = false
  ) throws -> Int {
    let outline = try list.outline()
    let only = try section.map(outline.section(titled:))
    let writer = try ListWriter(session, format, list, columns: columns, search: search, isOneLine: isOneLine)
    try writer.begin()
    var skip = offset
    var count = 0
    for section in outline.sections where only == nil || only?.id == section.id {
      guard count < limit else { break }
      // Without a search the rows to leave out need not be read.
      let first = search == nil ? min(skip, section.count) : 0
      skip -= first
      var isOpen = search == nil && (first < section.count || first == 0)
      if isOpen { try writer.header(section) }
      try list.forEach(from: first + 1, in: section.id) { customer in
        if let search, !search.matches(customer) { return true }
        if skip > 0 {
          skip -= 1
          return true
        }
        if !isOpen { try writer.header(section) }
        isOpen = true
        try writer.row(customer)
        count += 1
        return count < limit
      }
      if isOpen { try writer.footer(section) }
    }
    try writer.end()
    return count
  }
}
