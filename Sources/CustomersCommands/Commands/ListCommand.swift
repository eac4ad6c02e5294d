internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

extension Command {
  static let list = Command(
    name: "list", aliases: ["ls"], summary: "show the list, in order",
    description: [
      "The columns for --fields, csv, and JSON are id, section (its id), section_title, order (the number in the",
      "section), position (the row number), name,",
      CustomerField.standard.map(\.column).joined(separator: ", ") + ",",
      "can_edit, can_move, and extra (the extra columns), and the name of each extra column, which",
      "`customers columns` lists. csv and tsv are as `customers export` writes them: section is its title, and each",
      "extra column is a column.",
      "",
      "--template writes values where their names are in braces, as csv has them. {{ is a brace, \\n a line break, \\t a",
      "tab, and \\\\ a backslash. --count-by counts values, the most frequent first; a row counts once for each",
      "of its tags, or other values of one field. --limit and --offset are then for values.",
    ],
    options: Listing.groups + [.optional(Listing.exitCode)],
    examples: [
      CommandExample("Choose the columns after the name:", "customers list --fields phone,email"),
      CommandExample("Print labels:", #"customers list --template '{name}\n{address}\n\n'"#),
      CommandExample("Count the customers with each tag:", "customers list --count-by tag"),
      CommandExample(
        "Show everyone at a bookshop, by last name:",
        "customers list --where company~books --sort last_name"),
    ],
    seeAlso: ["find", "show", "section", "formats"],
    formats: .printed(OutputFormat.ofLists), isPaged: true,
    run: { session in
      let listing = try Listing(session.invocation)
      guard listing.isDue || !session.invocation[Listing.exitCode] else {
        throw Failure.usage("\(Listing.exitCode.name) needs \(Listing.due.name)")
      }
      return try session.write(listing)
    })

  static let find = Command(
    name: "find", summary: "search the customers",
    description: [
      "Shows the customers in which every word of TEXT occurs, in any field or extra column. Case",
      "and accents make no difference. A TEXT such as City=Bonn is a term as after --where, if the list has such a field.",
      "Row numbers are those in the whole list. Finding nothing is not an error.",
    ],
    operands: [.many(.text())],
    options: [.optional(Listing.wordStarts), .optional(Listing.searched)] + Listing.groups,
    examples: [
      CommandExample("Search all fields:", "customers find müller"),
      CommandExample(
        "Move the matches to the top:", "customers find holmes --format ids | customers move - --first"),
      CommandExample(
        "Search one field, at the beginning of words:", "customers find ho --in last_name --word"),
      CommandExample(
        "Make address cards of the matches:", "customers find holmes --format vcard > holmes.vcf"),
    ],
    seeAlso: ["list", "show"],
    formats: .printed(OutputFormat.ofLists), isPaged: true,
    run: { session in
      let text = session.invocation.operands.joined(separator: " ")
      guard !TextSearch(text).isEmpty else { throw Failure.usage("find needs a word to search for") }
      return try session.write(Listing(session.invocation, finding: text))
    })
}

extension Session {
  /// Writes the rows or their number.
  fileprivate func write(_ listing: Listing) throws -> ExitCode {
    try listing.refuseOtherForms(invocation)
    if let column = listing.countedColumn {
      try writeCounts(of: listing, by: column)
      return .done
    }
    let format = try listing.template.map { .file(.template($0)) } ?? format()
    // What a program reads does not depend on settings.
    let takesConfig = format == .table && !invocation[GlobalOptions.noConfig]
    if case .file(let format) = format { try refuse(format) } else { try refuse([Listing.ids]) }
    if listing.isCount {
      let (count, skipped) = try readAtLength(rows: listing.rowsRead) { list in try listing.count(list) }
      let code = count == 0 && invocation[Listing.exitCode] ? ExitCode.notFound : .done
      try tell(skipped)
      if format == .json || format == .ndjson {
        try answer([("count", .int(count))])
      } else {
        try output.write("\(count)\n")
      }
      return code
    }
    let (count, isEmpty) = try readAtLength(rows: listing.rowsRead) { list in
      var listing = listing
      if takesConfig, let key = try listing.take(ListConfig(list), in: list).first, !isQuiet {
        try writeAside(
          "note: the list has the setting \(key.rawValue), but not these columns; to change it: "
            + "customers config \(key.rawValue) FIELD,…")
      }
      return (try listing.write(list, self, format), try list.count() == 0)
    }
    if isEmpty, format.isForPeople, listing.words == nil {
      try sayHowToBegin()
    } else if count == 0, invocation[Listing.limit] != 0, format.isForPeople, !isQuiet {
      if let words = listing.words {
        try errors.write("No customers match \(quoted(words.text)).\n")
      } else if listing.hasQuestions {
        try errors.write("No customers match.\n")
      } else if listing.isDue {
        try errors.write("No one is due.\n")
      }
    }
    return count == 0 && invocation[Listing.exitCode] ? .notFound : .done
  }
}

/// The rows and columns of the list to show and their order.
struct Listing: Sendable {
  private let section: String?
  private let questions: [FilterExpression]
  private let today: CalendarDay
  /// Whether only customers are wanted that are due.
  let isDue: Bool
  /// The text to search for and where.
  let words: (text: String, fields: String?, atWordStarts: Bool)?
  private var sortFields: String?
  private let isReversed: Bool
  let offset: Int
  let limit: Int
  private var columns: String?
  /// Whether only the number of rows is wanted.
  let isCount: Bool
  let hasHeader: Bool
  let includesIDs: Bool
  /// The column whose values are counted.
  let countedColumn: String?
  /// The text for each row.
  let template: RowTemplate?

  /// Parses the options; `text` is the text to search for.
  ///
  /// An empty command line means all rows.
  init(_ invocation: Invocation = Invocation(), finding text: String? = nil) throws {
    section = invocation[Listing.section]
    (questions, today, isDue) = (try invocation.questions, invocation.today, invocation[Listing.due])
    words = text.map { ($0, invocation[Listing.searched], invocation[Listing.wordStarts]) }
    sortFields = invocation[Listing.sort]
    isReversed = invocation[Listing.reverse]
    offset = invocation[Listing.offset] ?? 0
    limit = invocation[Listing.limit] ?? .max
    columns = invocation[Listing.fields]
    isCount = invocation[Listing.count]
    hasHeader = !invocation[Listing.noHeader]
    includesIDs = invocation[Listing.ids]
    countedColumn = invocation[Listing.countBy]
    template = try invocation[Listing.template].map(Listing.parse)
  }

  /// Takes what the list says for options that were not given.
  ///
  /// - Returns: the settings that do not fit the list, such as one that names a column which was dropped.
  mutating func take(_ config: ListConfig, in list: borrowing CustomerList) throws -> [ListConfig.Key] {
    var unfit: [ListConfig.Key] = []
    if sortFields == nil, !isReversed, let names = config[.sort] {
      do {
        _ = try list.sortOrder(by: names, isDescending: false, option: Listing.sort)
        sortFields = names
      } catch is Failure { unfit.append(.sort) }
    }
    if columns == nil, let names = config[.columns] {
      do {
        _ = try list.columns(named: names, by: Listing.fields)
        columns = names
      } catch is Failure { unfit.append(.columns) }
    }
    return unfit
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
      let count = try session.export(
        list, rows, exportOptions(list, format), to: session.output, isLenient: true)
      try session.tell(rows.skipped)
      return count
    }
    let writer = try format.listWriter(
      session, list, self, columns: chosenColumns(list), filter: rows.filter, isOneLine: isOneLine)
    try writer.begin()
    let count = try list.forEach(rows, header: writer.header, row: writer.row, footer: writer.footer)
    try writer.end()
    try session.tell(rows.skipped)
    return count
  }

  /// How the rows are written in the format of a file.
  func exportOptions(_ list: borrowing CustomerList, _ format: FileFormat) throws -> ExportOptions {
    var options = ExportOptions(format: format)
    options.columns =
      try template?.names.map { try list.column(named: $0, by: Listing.template) } ?? chosenColumns(list)
    options.hasHeader = hasHeader
    options.includesIDs = includesIDs
    return options
  }

  /// The number of rows, and the values that were left out.
  func count(_ list: borrowing CustomerList) throws -> (rows: Int, skipped: SkippedValues) {
    let rows = try rows(list)
    return (try list.count(rows), rows.skipped)
  }

  /// How many rows are read at most.
  func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    let outline = try list.outline()
    let rows = try onlySection(outline)?.count ?? outline.count
    guard words == nil, !hasQuestions, !isDue else { return rows }
    if isCount { return 0 }
    return sortFields != nil || isReversed ? rows : min(rows, limit)
  }

  /// The rows and their order.
  func rows(_ list: borrowing CustomerList) throws -> ListedRows {
    var rows = try allRows(list)
    if let sortFields {
      rows.order = .sorted(
        try list.sortOrder(by: sortFields, isDescending: isReversed, option: Listing.sort))
    } else if isReversed {
      rows.order = .reversed
    }
    (rows.offset, rows.limit) = (offset, limit)
    return rows
  }

  /// The rows that are chosen, however many are wanted, in the order of the list.
  func allRows(_ list: borrowing CustomerList) throws -> ListedRows {
    try ListedRows(filter(list, list.outline()))
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
    var questions = questions
    if let words, words.fields == nil, !words.atWordStarts,
      let question = try RowFilter.question(typed: words.text, today: today, in: list)
    {
      questions.append(question)
    } else if let words {
      let fields: [CustomerField]? = try words.fields.map { names in
        // The name consists of two fields.
        try list.named(names, by: Listing.searched) { name in
          try list.column(named: name, or: [("name", [.firstName, .lastName])]) { [$0] }
        }.flatMap(\.self)
      }
      search = TextSearch(words.text, in: fields.map(Set.init), atWordStarts: words.atWordStarts)
    }
    var filter = try RowFilter(
      questions, section: onlySection(outline)?.id, search: search, today: today, in: list)
    filter.due = isDue ? today : nil
    return filter
  }
}

extension Listing {
  fileprivate static func parse(_ text: String) throws -> RowTemplate {
    do { return try RowTemplate(text) } catch {
      switch error {
      case .openBrace:
        throw Failure.usage("\(template.name): a { has no }", hint: "for a brace itself, write {{")
      case .escape(let escape):
        throw Failure.usage(
          "\(template.name): \(quoted(escape)) means nothing",
          hint: #"the escapes are \n, \t, and \\ for a backslash"#, offendingArgument: escape)
      }
    }
  }

  /// - Throws: a `Failure` with code `usage` if an option has no use beside another.
  fileprivate func refuseOtherForms(_ invocation: Invocation) throws {
    let unused: [(any DeclaredOption, [any DeclaredOption])] = [
      (
        Listing.template,
        [GlobalOptions.format, GlobalOptions.json, Listing.fields, Listing.noHeader, Listing.ids]
      ),
      (Listing.countBy, [Listing.fields, Listing.sort, Listing.reverse, Listing.ids]),
    ]
    for (option, others) in unused where invocation.has(option) {
      guard let other = others.first(where: { invocation.has($0) }) else { continue }
      throw Failure.contradictory(option, other)
    }
  }
}

/// The options of `list`, `find` and, but for the number of rows, `export`.
extension Listing {
  static let section = Option.onlySection()
  static let fields = Option.value(
    "--fields", short: "-f", .columns, "show these columns (a table always shows the name)")
  static let sort = Option.value(
    "--sort", .fields, "sort the output, not the list, by these fields (-FIELD: descending)")
  static let reverse = Option.flag("--reverse", "in descending order")
  static let limit = Option.value("--limit", short: "-l", .count(), "at most N rows")
  static let offset = Option.value("--offset", .count(), "skip the first N rows")
  static let due = Option.flag("--due", "only customers that are due (help next)")
  static let exitCode = Option.flag("--exit-code", "with --due: exit with 3 if no one is")
  static let count = Option.flag("--count", "print only the number of rows")
  static let noHeader = Option.flag("--no-header", "omit the header line")
  static let ids = Option.flag(
    "--ids",
    "put the id of each customer and the version of the list first, to import the file again (csv, tsv, xlsx)"
  )

  /// The options that choose rows and columns, also of `export`.
  static let choosing: [OptionGroup] = [
    .optional(section), .optional(RowChoice.option), .optional(due), .optional(fields), .optional(sort),
    .optional(reverse),
    .optional(limit), .optional(offset),
  ]

  static let groups =
    choosing + [.oneOf([count, countBy, template]), .optional(noHeader), .optional(ids)]

  static let countBy = Option.value(
    "--count-by", .column, "print the values of a field and how many rows have each")
  static let template = Option.value(
    "--template", .text(), "write TEXT for each row, with values for names in braces: '{name}\\n'")

  // What only a search has.
  static let wordStarts = Option.flag("--word", "match only the beginning of words")
  static let searched = Option.value("--in", .fields, "search only these fields")
}

extension Option where Value == String? {
  /// The option that limits a command to one section.
  static func onlySection() -> Option {
    .value("--section", short: "-s", .section, "only this section: title, number, or @id")
  }
}
