internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let importCommand = Command(
    name: "import", summary: "import customers from a file",
    description: [
      "The format comes from --format, else from the name of FILE, else it is csv. Either all customers are",
      "added or none, at the end of the section named in the file, unless you give a place. It asks before",
      "it takes a first line for a customer, takes missing last values for empty, adds customers that are",
      "in the list already, or imports the same file again.",
    ],
    operands: [.one(.file(.read, "FILE|-"))],
    options: ImportWords.groups,
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("The valid rows", "customers import contacts.csv --rejects rejected.csv"),
      CommandExample("Known by e-mail", "customers import contacts.csv --on-duplicate update"),
    ],
    topics: ImportPages.all, seeAlso: ["export", "undo", "formats"],
    formats: .ofFile(FileFormat.readable), rewritesMuch: true,
    run: { session in
      let options = try ImportOptions(session)
      let path = session.invocation.operands[0]
      let placement = try Placement(session.invocation)
      let rejectsPath = session.invocation[ImportWords.rejects]
      guard rejectsPath != "-" else { throw Failure.usage("\(ImportWords.rejects.name) needs a file name") }
      if let rejectsPath, !session.isDryRun {
        guard try session.mayWrite(rejectsPath, besides: [path]) else { return .declined }
      }
      return try FileImport(session, path, options, at: placement, rejects: rejectsPath).run()
    })
}

/// The import of a file, from its first byte to the report.
struct FileImport {
  private let session: Session
  private let path: String
  private let options: ImportOptions
  /// Where new rows go; nil for the sections named in the file.
  private var placement: Placement?
  private var rejectsPath: String?
  /// Whether each conflict between the list and a file that was handed out may be asked about.
  private var mayAskForEach = false

  init(
    _ session: Session, _ path: String, _ options: ImportOptions, at placement: Placement? = nil,
    rejects: String? = nil, mayAskForEach: Bool = false
  ) {
    (self.session, self.path, self.options, self.placement) = (session, path, options, placement)
    (rejectsPath, self.mayAskForEach) = (rejects, mayAskForEach)
  }

  /// Imports the file, after the questions that it raises.
  func run() throws -> ExitCode {
    let progress = ProgressBar(session)
    defer { progress.erase() }
    try session.announceTyping(path)
    let input = try session.context.files.open(path)
    let importer = try CustomerImporter(input, options)
    importer.onProgress = { progress.advance(to: $0, of: $1) }
    var asksForEach = mayAskForEach
    if options.duplicates == .add, try session.mayTakeBack(importer, input.name) {
      importer.options.takeBack()
      asksForEach = true
    }
    guard try session.mayImport(importer, input.name),
      try session.maySkipHeader(importer, input.name, path)
    else { return .declined }
    var accepted = 0
    for attempt in 1... {
      let rejects = try Rejects(rejectsPath, in: session.context.files, isDryRun: session.isDryRun)
      importer.onRejectedRow = rejects.add
      do {
        _ = try importer.columns()
        // The list is not locked while the file is read, unless other programs add columns all the time.
        if attempt < 4 { try session.prepare(importer) }
        if session.mayAskForWays, !importer.openKinds.isEmpty {
          progress.erase()
          guard try session.chooseWays(importer) else { return .declined }
          continue
        }
        try session.report(creating: true) { list in
          let report = try report(importer, input.name, rejects, into: &list)
          if importer.options.takesWhatIsKnown, !session.options.saysYes, !session.isDryRun {
            let deleted = ManyDeletions(count: report.summary.missing.count, left: report.count)
            if let deleted, deleted.count > accepted { throw deleted }
          }
          try rejects.sync()
          progress.erase()
          return report
        }
      } catch TransferError.outdated where attempt < 4 {
        continue
      } catch TransferError.partOfList where importer.options.takesWhatIsKnown {
        importer.options.deletesMissing = false
        continue
      } catch let error as ManyDeletions {
        progress.erase()
        guard try session.confirm(error.question, to: "taking in \(quoted(input.name))") else {
          return .declined
        }
        accepted = error.count
        continue
      } catch let error as ImportedKindError where session.mayAskForWays && !error.ways.isEmpty {
        progress.erase()
        guard let way = try session.choose(among: error.ways, "\(input.name): \(error).") else {
          return .declined
        }
        importer.options.kinds +=
          ColumnKindChoice(column: error.column, word: error.ways[way]).map { [$0] } ?? []
        continue
      } catch let error as ImportedKindError where importer.options.takesWhatIsKnown {
        progress.erase()
        let form = error.isOfNumbers ? "" : "write such values as 2026-12-24; or "
        throw Failure.usage(
          "\(input.name): \(error)",
          hint: "\(form)take the values alone: \(updateCommand) \(error.choices)"
        )
      } catch let error as TransferError {
        progress.erase()
        if case .conflicts = error, asksForEach, session.mayBeAsked {
          let open = importer.conflicts.filter { importer.options.conflictSides[$0.key] == nil }
          guard !open.isEmpty else {
            throw Failure.usage(
              "these are too many conflicts to be asked about",
              hint: "\(ImportWords.onConflict.name) ours, or theirs")
          }
          guard let sides = try session.choose(open.map { ($0.key, $0.line, nil) }) else { return .declined }
          importer.options.conflictSides.merge(sides) { _, last in last }
          continue
        }
        guard let isWanted = try session.shouldContinue(after: error, rejects.rows, importer, input.name)
        else {
          throw failure(error, importer, input.name, rejects, importer.ambiguousValue)
        }
        guard isWanted else { return .declined }
        continue
      }
      try rejects.finish(session)
      break
    }
    return .done
  }

  private func report(
    _ importer: CustomerImporter, _ name: String, _ rejects: Rejects, into list: inout CustomerList
  ) throws -> ImportReport {
    let target = try placement?.target(RowResolver(list, takesParts: false), in: list)
    do {
      let summary = try list.importCustomers(from: importer, at: target?.destination, in: target?.section)
      return ImportReport(
        summary: summary, options: importer.options, rejects: rejects.rows, count: try list.count())
    } catch let error as TransferError {
      guard case .protected(_, let id) = error else { throw error }
      throw failure(error, importer, name, rejects, try list.customer(id).name)
    }
  }

  private func failure(
    _ error: TransferError, _ importer: CustomerImporter, _ name: String, _ rejects: Rejects,
    _ value: String?
  ) -> Failure {
    if case .knownCustomers(let count) = error, importer.options.takesWhatIsKnown {
      return Failure.refused(
        "\(name): new rows: \(ImportSummary.known(count: count, first: value ?? ""))",
        hint: "to add them again, add \(GlobalOptions.yes.name)")
    }
    if case .noSuchColumn = error, importer.options.takesWhatIsKnown {
      return Failure.refused(
        "\(name) has no column \"id\", so it was not handed out",
        hint:
          "to add its rows: customers import \(typed(path)); to hand out a file: customers export FILE --ids")
    }
    var failure = Failure(
      error, file: name, path: path, format: importer.options.format, rejects: rejects.rows,
      hasValidRows: importer.hasValidRows, value: value, conflicts: importer.conflicts)
    if case .rejectedRows = error, importer.options.takesWhatIsKnown, rejects.rows.firstShort == nil {
      failure.hint =
        "correct these rows in the file; or take the values of the others alone: \(updateCommand) "
        + "\(ImportWords.rejects.name) rejected.csv"
    }
    return failure
  }

  /// The command that takes the values of a file that was handed out, with all options of an import.
  private var updateCommand: String {
    "customers import \(typed(path)) \(ImportWords.onDuplicate.name) update \(ImportWords.key.name) id"
  }
}

/// That a file which comes back would delete more than a tenth of the rows.
private struct ManyDeletions: Error {
  let count: Int
  let total: Int

  init?(count: Int, left: Int) {
    (self.count, total) = (count, count + left)
    guard count * 10 > total else { return nil }
  }

  var question: String { "Take it in, and delete \(counted(count, "row")) of \(total)?" }
}

extension ImportOptions {
  /// Parses the options of `import`.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(_ session: Session) throws {
    let invocation = session.invocation
    self.init(format: try session.fileFormat(of: invocation.operands[0]))
    encoding = invocation[ImportWords.encoding]
    hasHeader = !invocation[ImportWords.noHeader]
    delimiter = try invocation[ImportWords.delimiter].map(ImportOptions.character)
    for text in invocation[ImportWords.mapping] { try map(text) }
    for word in invocation[ImportWords.kind] { try choose(kinds: word) }
    sheet = invocation[ImportWords.sheet]
    nullTexts = invocation[ImportWords.null]
    duplicates = invocation[ImportWords.onDuplicate] ?? .add
    keys = invocation[ImportWords.key]?.split(separator: ",").map { String(String($0).trimmingBlanks) } ?? []
    conflictWinner = invocation[ImportWords.onConflict]
    takesOrder = invocation[ImportWords.order]
    deletesMissing = invocation[ImportWords.deleteMissing]
    refusesKnown = !session.options.saysYes && !session.isDryRun && !invocation.has(ImportWords.onDuplicate)
    countsKnown = session.isDryRun && !session.options.saysYes && !invocation.has(ImportWords.onDuplicate)
    skipsRejectedRows = invocation.has(ImportWords.rejects)
    acceptsUnmatchedColumns = session.options.saysYes
    fillsShortRows = (session.options.saysYes || session.isDryRun) && !skipsRejectedRows
    let name = ImportWords.onDuplicate.name
    try refuse([ImportWords.key], invocation, unless: duplicates != .add, "\(name) skip or update")
    try refuse(
      [ImportWords.onConflict, ImportWords.order, ImportWords.deleteMissing], invocation,
      unless: duplicates == .update, "\(name) update")
    if !format.canReject { try session.refuse([ImportWords.rejects], unless: \.canReject) }
    if !format.isTable { try session.refuse([ImportWords.noHeader]) }
    if !format.isTable || format.isBinary {
      try session.refuse([ImportWords.delimiter], unless: { $0.isTable && !$0.isBinary })
    }
    if format.isBinary {
      try session.refuse([ImportWords.encoding], unless: { $0.isReadable && !$0.isBinary })
    }
    if !format.isBinary { try session.refuse([ImportWords.sheet], unless: \.isBinary) }
  }

  /// - Throws: a `Failure` with code `usage` if an option is given that only works with another one.
  private func refuse(
    _ options: [any DeclaredOption], _ invocation: Invocation, unless isAllowed: Bool, _ other: String
  ) throws {
    guard !isAllowed, let option = options.first(where: { invocation.has($0) }) else { return }
    throw Failure.usage("\(option.name) needs \(other)", offendingArgument: option.name)
  }

  /// The character given by `--delimiter`.
  private static func character(_ text: String) throws -> Character {
    if text.lowercased() == "tab" { return "\t" }
    guard text.count == 1, let character = text.first, isDelimiter(character) else {
      throw Failure.usage(
        "--delimiter must be one ASCII character or tab, not \(quoted(text))", offendingArgument: text)
    }
    return character
  }

  /// Takes `Due=date,Amount=number` or `Due=day-first`; a comma that does not end a pair belongs to the name of a column
  /// or to a word such as `1,234.5`.
  private mutating func choose(kinds text: String) throws {
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
    var pairs: [String] = []
    for piece in pieces {
      let isNext = pairs.last.map { $0.contains("=") && piece.contains("=") } ?? true
      if isNext { pairs.append(String(piece)) } else { pairs[pairs.count - 1] += "," + piece }
    }
    for pair in pairs { try choose(kind: pair) }
  }

  private mutating func choose(kind word: String) throws {
    let name = ImportWords.kind.name
    guard let sign = word.lastIndex(of: "="), sign > word.startIndex else {
      throw Failure.usage(
        "\(name) must be COLUMN=KIND, not \(quoted(word))", hint: "for example: \(name) Due=date")
    }
    let (column, kind) = (
      String(word[..<sign].trimmingBlanks), String(word[word.index(after: sign)...].trimmingBlanks)
    )
    let choice = try ColumnKindChoice(word: kind, named: name, column)
    guard choice.kind != .choice else {
      throw Failure.usage(
        "\(name): a choice needs its values",
        hint: "first: customers columns choices \(typed(column)) open,done")
    }
    guard !kinds.contains(where: { Name($0.column).key == Name(column).key }) else {
      throw Failure.usage("\(name): \(quoted(column)) was given twice", offendingArgument: word)
    }
    kinds.append(choice)
  }

  /// Adds `A=name,B=-` to the mapping; a comma that does not end a pair belongs to the name of a column.
  private mutating func map(_ text: String) throws {
    var waiting = ""
    var pairs: [(column: String, target: String)] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      waiting += waiting.isEmpty ? piece : "," + piece
      guard let equals = waiting.lastIndex(of: "=") else { continue }
      pairs.append((String(waiting[..<equals]), String(waiting[waiting.index(after: equals)...])))
      waiting = ""
    }
    guard waiting.isEmpty, !pairs.isEmpty else {
      throw Failure.usage("--map must be COLUMN=FIELD, not \(quoted(waiting))")
    }
    for (column, name) in pairs {
      guard let target = ColumnTarget(named: name) else {
        let names = ColumnTarget.targetNames
        throw Failure.usage(
          "--map: there is no field \(quoted(name))",
          hint: nearest(to: name, among: names).map(didYouMean)
            ?? "the fields are \(names.joined(separator: ", ")); as a column of the list: extra.\(printable(name))"
        )
      }
      do { try map(column, to: target) } catch let error as TransferError {
        throw Failure(error, file: "", rejects: RejectedRows())
      }
    }
  }
}

extension Failure {
  /// What helps with files of other programs, by the extension of their names.
  fileprivate static let remedies: [String: String] = {
    let sheets = ["xls", "xlsm", "ods", "numbers"].map { ($0, "save it as xlsx or CSV, and import that") }
    let packed = ["gz", "zip", "xz", "bz2", "7z"].map { ($0, "unpack it and import the file in it") }
    let lists = ["sqlite", "sqlite3", "db"].map {
      ($0, "if it is a customers file: customers export --db FILE | customers import -")
    }
    return Dictionary(uniqueKeysWithValues: sheets + packed + lists)
  }()
}

extension Session {
  /// The format of a file: from `--format`, otherwise from its name.
  ///
  /// - Throws: a `Failure` with code `usage` for an extension that is unknown, or of a format that the command doesn't take.
  func fileFormat(of path: String?) throws -> FileFormat {
    if let named = try formatName().flatMap(FileFormat.init(named:)) { return named }
    let path = path ?? ""
    let (command, names) = (invocation.command?.name ?? "", invocation.command?.formats.names ?? [])
    let format = FileFormat(path: path)
    if let format, names.contains(format.name) { return format }
    let end = FileFormat.fileExtension(of: path) ?? ""
    let hint: String? =
      switch command {
      case "import": Failure.remedies[end]
      case "take" where format != nil: "to add its rows: customers import \(typed(path))"
      default: nil
      }
    throw Failure.usage(
      format.map { "\(command) can't use \($0.name), the format of \(quoted(path))" }
        ?? "can't tell the format of \(quoted(path)) from .\(printable(end))",
      hint: hint ?? "add --format \(names.joined(separator: "|"))", offendingArgument: path)
  }

  /// - Throws: a `Failure` with code `usage` if an option is given that only works with some formats: tables, unless
  ///   others are named.
  func refuse(
    _ options: [any DeclaredOption], unless hasOption: (FileFormat) -> Bool = { $0.isTable },
    hint: String? = nil
  ) throws {
    guard let option = options.first(where: { invocation.has($0) }) else { return }
    let formats = FileFormat.all.filter(hasOption).map(\.name)
    throw Failure.usage(
      "\(option.name) only works with \(listed(formats, "and"))", hint: hint, offendingArgument: option.name)
  }
}

/// The pages of help about an import.
private enum ImportPages {
  static let all = [
    Page(
      "import columns", title: "Columns", "how columns become fields",
      [
        .paragraph(
          """
          import matches columns to fields by name: those of Google Contacts, Outlook, Thunderbird, Mailchimp, \
          HubSpot, and LinkedIn, and the usual words in seven languages. The first e-mail address, phone, and postal \
          address become the field. Others, and fax numbers, become lines of other_contacts. The parts of an address \
          become the address, and --where City=Bonn finds it by them. Birthday, job title, website, and the like are one \
          column each, whatever they are called; birthdays of three columns are joined. Other columns become extra columns. \
          Columns that only the exporting program needs are left out, and named.
          """),
        .paragraph(
          """
          --map names the target of a column, as in --map ContactName=name,Fax=-. The target is a field, - (drop the \
          column), extra (keep it as an extra column), or extra.NAME (keep it under that name). The fields are name, \
          \(CustomerField.texts.map(\.column).joined(separator: ", ")), is_favorite, next, and section.
          """),
        .paragraph(
          """
          A value that is not of the kind which the list has declared, or --kind names, keeps its row from being imported; \
          a date column keeps the day of a time. \
          In csv, tsv, and xlsx, the values of an extra column that is new to the list say what it is: numbers, dates, times, \
          yes or no, links, or else text. All of them must be readable in one way. If two ways are left, as for \
          11/12/2026, another column of dates decides, or the column stays text, and import says so; --kind Due=day-first, or \
          month-first, decides. --kind \
          Due=text keeps it as it is. In xlsx, cells that are all dates, numbers, or yes or no say it themselves.
          """),
        .paragraph(
          """
          With --no-header, columns of csv and tsv are recognized by their values, or named 1, 2, …; the extra column of the \
          first one is "Column 1".
          """
        ),
      ]),
    Page(
      "import encodings", title: "Encodings and delimiters", "how a file is read",
      [
        .paragraph(
          """
          The encoding and the delimiter of a file are recognized. --encoding names another: \
          \(listed(FileEncoding.allCases.map(\.rawValue))). --delimiter names another character between the values \
          of csv, such as ';' or tab. --null names a text that means "no value", such as NULL.
          """),
        .paragraph(
          "Others can edit the list while the file is read, but not while its customers are written."),
      ]),
    Page(
      "import update", title: "Updates", "how to update customers from a file",
      [
        .paragraph(
          """
          --on-duplicate recognizes existing customers by any of their e-mail addresses, or else by name and phone \
          number, or by name if they and the row have neither; with --key, by all columns it names. update changes only \
          what the file states: a value replaces the one of the same field and label, a card adds its numbers and \
          addresses to the others, and an empty value changes nothing.
          """),
        .paragraph(
          """
          To hand out a list, export it with --ids: customers take brings back what was done in the file. With \
          --key id, import takes its values and new rows alone, and reports rows that were moved or are missing. Where \
          both changed the same, it changes nothing unless --on-conflict says which side wins: ours keeps the value of \
          the list, theirs takes that of the file.
          """),
      ]),
  ]
}

/// The options of `import`.
enum ImportWords {
  static let mapping = Option.values("--map", .columnMap, "import a column as a field")
  static let kind = Option.values(
    "--kind", .text("COLUMN=KIND"), "what a column is, such as Due=date")
  static let noHeader = Option.flag(
    "--no-header", "(csv, tsv, xlsx) take the first line for a customer")
  static let encoding = Option.value(
    "--encoding", Argument<FileEncoding>.choice("NAME"), "file encoding (default: recognized)")
  static let delimiter = Option.value(
    "--delimiter", .text("CHARACTER"), "csv field separator (default: detected)")
  static let sheet = Option.value(
    "--sheet", .text("NAME|N"), "the sheet of an xlsx file (default: the first)")
  static let null = Option.values("--null", .text(), "text that means \"no value\", such as NULL")
  static let onDuplicate = Option.value(
    "--on-duplicate", Argument<DuplicateHandling>.choice("WHAT"),
    "customers already in the list")
  static let key = Option.value(
    "--key", .fileColumns, "recognize customers by these (default: e-mail)")
  static let onConflict = Option.value(
    "--on-conflict", Argument<ConflictSide>.choice("SIDE"),
    "which side wins a conflict")
  static let order = Option.flag("--order", earlier: "take FILE")
  static let deleteMissing = Option.flag("--delete-missing", earlier: "take FILE")
  static let rejects = Option.value(
    "--rejects", .file(.write), "import valid rows, write the others to FILE")

  static let groups: [OptionGroup] =
    [
      .many(
        "OPTION",
        [
          mapping, kind, noHeader, encoding, delimiter, sheet, null, onDuplicate, key, onConflict, order,
          deleteMissing,
          rejects,
        ])
    ] + Placement.groups
}
