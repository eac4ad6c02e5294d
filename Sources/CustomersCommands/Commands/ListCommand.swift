internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

extension Command {
  static let list = Command(
    name: "list", aliases: ["ls"], summary: "show the list, in order, or search it",
    description: [
      "TEXT finds who has all its words, in any field or column, whatever the case and accents, or six",
      "digits of a phone; City=Bonn is a term as after --where. A TEXT that names a row (3, 2,5-7, @17,",
      "leads/2, first, last) shows that row, and a single one in full.",
      "",
      "Columns are id, section (its id; in csv and tsv the title), section_title, order (in it),",
      "position (the row), name, \(CustomerField.edited.map(\.column).joined(separator: ", ")),",
      "can_edit, can_move, and extra columns by name, one with a comma in quotes, or all as extra. In",
      "--template, {{ is a brace, \\n a line break, and \\t a tab.",
    ],
    operands: [.any(.textOrRow)],
    options: [.optional(Listing.text), .optional(Listing.wordStarts), .optional(Listing.searched)]
      + Listing.groups + [.optional(Listing.exitCode)],
    examples: [
      CommandExample("Search all fields", "customers list müller"),
      CommandExample("By last name", "customers list --where company~books --sort last_name"),
      CommandExample("To the top", "customers list holmes --format ids | customers move - first"),
    ],
    seeAlso: ["rows", "section", "formats"],
    formats: .printed(OutputFormat.ofLists), isPaged: true,
    run: { session in
      let words = try ListWords(session.invocation)
      let listing = try Listing(session.invocation, finding: words.text, named: words.rows)
      guard listing.isDue || !session.invocation[Listing.exitCode] else {
        throw Failure.usage("\(Listing.exitCode.name) needs \(Listing.due.name)")
      }
      do {
        if let row = words.onlyRow { return try session.show(row) }
        return try session.write(listing)
      } catch StoreError.missing where session.invocation[Listing.exitCode] {
        // Its usual code says that no one is due.
        var failure = try Failure(StoreError.missing, file: session.list.name, at: session.list.address)
        failure.code = .unreadable
        throw failure
      } catch let error as SelectionError where words.rows != nil {
        var failure = session.failure(error)
        failure.hint =
          failure.hint
          ?? "to search for it: customers list \(Listing.text.name) \(typed(session.invocation.operands[0]))"
        throw failure
      }
    })

  static let find = Command(
    name: "find", summary: "search the customers", earlier: "list TEXT…", operands: [.many(.text())],
    options: [.optional(Listing.wordStarts), .optional(Listing.searched)] + Listing.groups,
    formats: .printed(OutputFormat.ofLists), isPaged: true,
    run: { session in
      try session.write(
        Listing(session.invocation, finding: session.invocation.operands.joined(separator: " ")))
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
    let holdsIDs = { (format: FileFormat) in format.holdsIDs && OutputFormat.ofLists.contains(.file(format)) }
    let file: FileFormat? = if case .file(let format) = format { format } else { nil }
    if file.map(holdsIDs) != true { try refuse([Listing.ids], unless: holdsIDs) }
    if let file { try refuse(file) }
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
      for (key, names) in takesConfig ? try listing.take(ListConfig(list), in: list) : [] where !isQuiet {
        try writeAside(
          "note: no column fits \(listed(names.map(quoted))) in the setting \(key.rawValue); to change it: "
            + "customers config \(key.rawValue) FIELD,…")
      }
      return (try listing.write(list, self, format), try list.count() == 0)
    }
    if isEmpty, format.isForPeople, listing.words == nil {
      try sayHowToBegin()
    } else if count == 0, listing.limit != 0, format.isForPeople, !isQuiet {
      if let words = listing.words {
        try errors.write("No customers match \(quoted(words.text)).\n")
        let titles = try read { list in try list.sections().map(\.title) }
        if let title = titles.first(where: { Name($0).key == Name(words.text).key }) {
          try errors.write("hint: to list a section: customers list --section \(typed(title))\n")
        } else if PhoneDigits.areTooFew(words.text) {
          try errors.write("hint: a phone number is found by six of its digits or more\n")
        }
      } else if listing.hasQuestions || listing.named != nil {
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
  /// The rows, if they were named.
  let named: RowSelectors?
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

  /// Parses the options; `text` is the text to search for, and `named` are rows that were named instead.
  ///
  /// An empty command line means all rows.
  init(
    _ invocation: Invocation = Invocation(), finding text: String? = nil, named: RowSelectors? = nil
  ) throws {
    self.named = named
    if let text, TextSearch(text).isEmpty {
      throw Failure.usage("\(invocation.command?.name ?? "list") needs a word to search for")
    }
    for option in [Listing.wordStarts, Listing.searched] as [any DeclaredOption]
    where text == nil && invocation.has(option) {
      throw Failure.usage("\(option.name) needs a word to search for")
    }
    section = invocation[Listing.section]
    (questions, today, isDue) = (try invocation.questions, invocation.today, invocation[Listing.due])
    words = text.map { ($0, invocation[Listing.searched], invocation[Listing.wordStarts]) }
    sortFields = invocation[Listing.sort]
    isReversed = invocation[Listing.reverse]
    let span = invocation[Listing.limit] ?? Span()
    if span.offset > 0, invocation.has(Listing.offset) {
      throw Failure.contradictory(Listing.limit, Listing.offset)
    }
    (offset, limit) = (invocation[Listing.offset] ?? span.offset, span.limit)
    columns = invocation[Listing.fields]
    isCount = invocation[Listing.count]
    hasHeader = !invocation[Listing.noHeader]
    includesIDs = invocation[Listing.ids]
    countedColumn = invocation[Listing.countBy]
    template = try invocation[Listing.template].map(Listing.parse)
  }

  /// Takes what the list says for options that were not given.
  ///
  /// - Returns: the settings with names that fit no column, such as one that was dropped, and these names.
  mutating func take(
    _ config: ListConfig, in list: borrowing CustomerList
  ) throws -> [(key: ListConfig.Key, names: [String])] {
    var unfit: [(key: ListConfig.Key, names: [String])] = []
    if sortFields == nil, !isReversed {
      let (names, others) = try config.fitting(.sort, in: list)
      sortFields = names
      if !others.isEmpty { unfit.append((.sort, others)) }
    }
    if columns == nil {
      let (names, others) = try config.fitting(.columns, in: list)
      columns = names
      if !others.isEmpty { unfit.append((.columns, others)) }
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
    if let named { return try named.rowsRead(list) }
    let outline = try list.outline()
    let rows = try onlySection(outline)?.count ?? outline.count
    guard words == nil, !hasQuestions, !isDue else { return rows }
    if isCount { return 0 }
    return sortFields != nil || isReversed ? rows : min(rows, limit)
  }

  /// The rows and their order.
  func rows(_ list: borrowing CustomerList) throws -> ListedRows {
    if let named { return ListedRows(try RowResolver(list).rows(named, in: list)) }
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
      let typed = try RowFilter.question(typed: words.text, today: today, in: list)
    {
      questions.append(typed.question)
      search = typed.words.map { TextSearch($0) }
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

/// What the words after `list` name: rows, or else a text to search for.
private struct ListWords {
  let rows: RowSelectors?
  let text: String?
  /// The row, if it is one, and nothing says how to print it but `--json`.
  let onlyRow: RowChoice?

  init(_ invocation: Invocation) throws {
    let words = invocation.operands
    let others = words.filter { RowSelector.isName($0) }
    let text = ListWords.inOrder(others) + (invocation[Listing.text].map { [$0] } ?? [])
    self.text = text.isEmpty ? nil : text.joined(separator: " ")
    guard others.count < words.count || words.isEmpty && invocation.hasPipedRows else {
      (rows, onlyRow) = (nil, nil)
      return
    }
    if let other = text.first, let row = words.first(where: { !others.contains($0) }) {
      throw Failure.usage(
        "\(quoted(row)) names a row, and \(quoted(other)) is a text to search for",
        hint:
          "to search for both: customers list \(Listing.text.name) \(typed((words.filter { !$0.isEmpty }).joined(separator: " ")))",
        offendingArgument: row)
    }
    if let option = ListWords.ofChoosing.first(where: { invocation.has($0) }) {
      throw Failure.contradictory(quoted(words.first ?? "-"), option.name)
    }
    let rows = try RowSelectors(words)
    self.rows = rows
    let isShaped = ListWords.ofShape.contains { invocation.has($0) }
    onlyRow = rows.isOneRow && !isShaped ? try RowChoice(invocation) : nil
  }

  /// The words with those before a term that a shell passed on after it: `City=Bonn bob` is about bob, too.
  private static func inOrder(_ words: [String]) -> [String] {
    func isOfTerm(_ word: String) -> Bool {
      word.contains { "=~<>!()".contains($0) } || ["and", "or", "not"].contains(word.lowercased())
    }
    guard let last = words.lastIndex(where: isOfTerm), last + 1 < words.count,
      words[last].contains(where: { "=~<>".contains($0) }), !"=~<>".contains(words[last].last ?? "=")
    else { return words }
    return Array(words[(last + 1)...] + words[...last])
  }

  /// The options that choose rows, which named rows are already.
  private static let ofChoosing: [any DeclaredOption] = [
    Listing.section, RowChoice.option, Listing.due, Listing.sort, Listing.reverse, Listing.limit,
    Listing.offset,
    Listing.count, Listing.countBy, Listing.wordStarts, Listing.searched, Listing.exitCode,
  ]

  /// The options that say how rows are printed.
  private static let ofShape: [any DeclaredOption] = [
    Listing.fields, Listing.template, Listing.noHeader, Listing.ids, GlobalOptions.format,
  ]
}

/// The options of `list` and, but for the number of rows, `export`.
extension Listing {
  static let section = Option.onlySection()
  static let fields = Option.value(
    "--fields", short: "-f", .columns, "show these columns (a table always shows the name)")
  static let sort = Option.value(
    "--sort", .fields, "sort the output, not the list (-FIELD: descending)")
  static let reverse = Option.flag("--reverse", earlier: "--sort -FIELD")
  static let limit = Option.value(
    "--limit", short: "-l", .span, "at most N rows, or the rows M to N, as in 21-40")
  static let offset = Option.value("--offset", .count(), earlier: "--limit M-N")
  static let due = Option.flag("--due", "due today, overdue, or never called (help next)")
  static let exitCode = Option.flag("--exit-code", "with --due: exit with 3 if no one is")
  static let count = Option.flag("--count", "print only the number of rows")
  static let noHeader = Option.flag("--no-header", "omit the header line")
  static let ids = Option.flag(
    "--ids", "add what take needs (csv, tsv; export: xlsx, json)")

  /// The options that choose rows and columns, also of `export`.
  static let choosing: [OptionGroup] = [
    .optional(section), .optional(RowChoice.option), .optional(due), .optional(fields), .optional(sort),
    .optional(reverse),
    .optional(limit), .optional(offset),
  ]

  static let groups =
    choosing + [.oneOf([count, countBy, template]), .optional(noHeader), .optional(ids)]

  static let countBy = Option.value(
    "--count-by", .column, "print each value and how many rows have it")
  static let template = Option.value(
    "--template", .text(), "write TEXT for each row, such as '{name}\\n'")

  // What only a search has.
  static let text = Option.value("--text", .text(), "search for TEXT, even if it names a row")
  static let wordStarts = Option.flag("--word", "match only the beginning of words")
  static let searched = Option.value("--in", .fields, earlier: "--where FIELD~TEXT")
}

/// Some of the rows that are found: as many as `limit`, after the first ones.
struct Span: Sendable {
  var (offset, limit) = (0, Int.max)
}

extension Argument where Value == Span {
  /// How many, or the first and the last of them by number, `21-40`.
  static var span: Argument {
    Argument(type: ArgumentType("N|M-N", .count)) { word, name in
      let parts = word.split(separator: "-", maxSplits: 1).map(String.init)
      guard parts.count == 2, word.first != "-" else {
        return Span(offset: 0, limit: try Invocation.count(word, for: name))
      }
      let (first, last) = (
        try Invocation.count(parts[0], for: name), try Invocation.count(parts[1], for: name)
      )
      guard 0 < first, first <= last else {
        throw Failure.usage(
          "\(name) must be a number or a range such as 21-40, not \(quoted(word))", offendingArgument: word)
      }
      return Span(offset: first - 1, limit: last - first + 1)
    }
  }
}

extension Option where Value == String? {
  /// The option that limits a command to one section.
  static func onlySection() -> Option {
    .value("--section", short: "-s", .section, "only this section: title, number, or @id")
  }
}
