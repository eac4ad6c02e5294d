internal import CustomerStore
internal import CustomerTransfer

/// The rows and columns of the list to show and their order.
struct Listing: Sendable {
  private let section: String?
  private let questions: [FilterExpression]
  /// The text to search for and where.
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

  /// Writes the rows in a form for people or as JSON.
  ///
  /// - Returns: the number of rows.
  @discardableResult
  func write(
    _ list: borrowing CustomerList, _ session: Session, _ format: OutputFormat, isOneLine: Bool = false
  ) throws -> Int {
    let rows = try rows(list)
    if case .file(let format) = format {
      // A list shows everything, even what no other program could read.
      return try session.export(
        list, rows, exportOptions(list, format), to: session.output, isLenient: true)
    }
    let writer = try format.listWriter(
      session, list, self, columns: chosenColumns(list), filter: rows.filter, isOneLine: isOneLine)
    try writer.begin()
    let count = try list.forEach(rows, header: writer.header, row: writer.row, footer: writer.footer)
    try writer.end()
    return count
  }

  /// How the rows are written in the format of a file.
  func exportOptions(_ list: borrowing CustomerList, _ format: FileFormat) throws -> ExportOptions {
    var options = ExportOptions(format: format)
    options.columns = try chosenColumns(list)
    options.hasHeader = hasHeader
    options.includesIDs = includesIDs
    return options
  }

  /// The number of rows.
  func count(_ list: borrowing CustomerList) throws -> Int { try list.count(rows(list)) }

  /// How many rows are read at most.
  func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    let outline = try list.outline()
    let rows = try onlySection(outline)?.count ?? outline.count
    guard words == nil, !hasQuestions else { return rows }
    if isCount { return 0 }
    return sortFields != nil || isReversed ? rows : min(rows, limit)
  }

  /// The rows and their order.
  func rows(_ list: borrowing CustomerList) throws -> ListedRows {
    var rows = try ListedRows(filter(list, list.outline()))
    if let sortFields {
      rows.order = .sorted(
        try list.sortOrder(by: sortFields, isDescending: isReversed, option: Listing.sort))
    } else if isReversed {
      rows.order = .reversed
    }
    (rows.offset, rows.limit) = (offset, limit)
    return rows
  }

  /// The columns, if they were chosen.
  func chosenColumns(_ list: borrowing CustomerList) throws -> [ListColumn]? {
    try columns.map { try list.columns(named: $0, by: Listing.fields) }
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
}
