internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let export = Command(
    name: "export", summary: "write the list to a file or a pipe",
    description: [
      "Without FILE, or for -, it writes to standard output. The format comes from --format, else from the",
      "name of FILE, else it is csv. A file that is there is replaced only after you confirm. json and",
      "ndjson hold the whole list but ids and the history, which `customers backup` keeps; csv, tsv, and",
      "xlsx have no empty sections and footers. If rows of a damaged list are lost, nothing is written;",
      "--partial writes the others, names the ids of those, and exits with 7.",
    ],
    forms: [
      .plain(
        [.optional(.file(.write, "FILE|-"))], [ExportWords.ofList(Listing.choosing)] + ExportWords.groups),
      .plain(
        [.one(.file(.write, "FILE|-")), .many(.row)],
        [ExportWords.ofList([.optional(Listing.fields)])] + ExportWords.groups),
      .plain([.one(.file(.write, "FILE|-"))], [.required(ExportWords.partial)] + ExportWords.ofPartial),
    ],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("Cards of a section", "customers export leads.vcf --section leads"),
      CommandExample("Some rows", "customers export books.csv --where company~books --fields name,email"),
    ],
    seeAlso: ["import", "backup", "formats"],
    formats: .ofFile(FileFormat.writable),
    run: { session in
      let path = session.invocation.operands.first.flatMap { $0 == "-" ? nil : $0 }
      if let path, !session.isDryRun {
        guard try session.mayWrite(path) else { return .declined }
      }
      let request = try ExportRequest(session, to: path)
      if path == nil, session.output.isTerminal, !session.isDryRun, request.format.isBinary {
        throw Failure.usage(
          "\(request.format) is not for a terminal",
          hint: "for example: customers export customers.\(request.format.fileExtensions[0])")
      }
      let progress = ProgressBar(session)
      defer { progress.erase() }
      func write() throws -> Exported {
        let file = try session.isDryRun ? nil : path.map { try FileStream($0, in: session.context.files) }
        let exported = try session.reading(request) { list, readable in
          try session.export(list, readable, request, to: file?.stream ?? session.output) {
            progress.advance(to: $0, of: $1)
          }
        }
        try file?.finish(session)
        if file != nil { session.note(.file) }
        return exported
      }
      // The interrupt key is handled between rows, so that no partial file is left. A pipe may be waited for.
      let isHere =
        session.context.caller == nil && path.map { FileIdentity($0)?.isRegular ?? true } ?? false
      let exported = try isHere ? SignalSet.ending.held(write) : write()
      progress.erase()
      if path != nil || session.isDryRun { try session.tell(exported, to: path) }
      if let failure = exported.failure { throw failure }
      return .done
    })
}

/// What an export has written.
private struct Exported: Sendable {
  /// The number of rows, or of events.
  var count: Int
  var areEvents = false
  /// What could not be read, with `--partial`.
  var readable: ReadableRows?
  /// The values that were written only as far as they can be read.
  var texts: [ListViolation] = []
  /// The same of a list that can't be opened, each in one line.
  var losses: [String]?
  /// What was deleted and was written, because the history does not say so anymore, each in one line.
  var restored: [String] = []

  /// That the list is damaged, and which rows are missing.
  var failure: Failure? {
    let hint = "to make a backup and repair the list: customers check --repair"
    func details(_ lines: [String]) -> [String] {
      let more = lines.count > 20 ? ["and \(lines.count - 20) more"] : []
      return (lines.prefix(20).map(printable) + more).map { "     \($0)" }
    }
    if let losses, !losses.isEmpty {
      return Failure(
        code: .incomplete, message: "the list is damaged; this can't be read:",
        details: details(losses) + details(restored), hint: hint, isFinding: true)
    }
    guard let readable, readable.isDamaged || readable.missingCount > 0 else {
      return texts.isEmpty
        ? nil
        : Failure(
          code: .incomplete, message: "some values were written only as far as they can be read:",
          details: details(texts.map(\.line)), hint: "to see them: customers check", isFinding: true)
    }
    let known = readable.missingNames
    let others = readable.missingCount - readable.missing.count
    let names = known + (others > 0 ? ["\(others) whose id can't be read"] : [])
    let lack = ListError.incomplete(missing: readable.missingCount, of: readable.count)
    return Failure(
      code: .incomplete,
      message: names.isEmpty
        ? "the list is damaged; all its rows were written, perhaps in another order"
        : "\(lack): \(listed(names, "and"))",
      hint: hint, isFinding: true)
  }
}

/// That rows of a damaged list can't be read, or what belongs to them.
private struct MissingRows: Error {
  let read: ReadableRows
}

extension Session {
  /// Reads the list for an export; with `--partial`, as a repair would make it if that has more rows.
  fileprivate func reading(
    _ request: ExportRequest, _ body: (borrowing CustomerList, ReadableRows?) throws -> Exported
  ) throws -> Exported {
    guard invocation[ExportWords.partial] else {
      return try readAtLength(rows: request.rowsRead()) { try body($0, nil) }
    }
    do {
      return try readAtLength { list in
        let rows = try list.readableRows()
        guard rows.missingCount == 0, !rows.isDamaged else { throw MissingRows(read: rows) }
        return try body(list, rows)
      }
    } catch let error as MissingRows {
      // Whatever hinders a repair, these rows can be read.
      var hasBegun = false
      do {
        return try readingRebuiltList(after: error.read) {
          hasBegun = true
          return try body($0, $1)
        }
      } catch let failure where !hasBegun && !(failure is CancellationError) {}
      return try readAtLength { try body($0, error.read) }
    } catch let error as StoreError where error.isOfDamage || error == .notACustomersFile {
      return try readingRebuiltList(after: nil, body)
    }
  }

  /// Reads the list as a repair would make it.
  ///
  /// - Parameters:
  ///   - found: what can be read of the list itself.
  ///   - body: writes the rows.
  /// - Returns: what was written.
  /// - Throws: `MissingRows` if the other one has no more rows; what a repair throws.
  private func readingRebuiltList(
    after found: ReadableRows?, _ body: (borrowing CustomerList, ReadableRows?) throws -> Exported
  ) throws -> Exported {
    try CustomerStore.withRebuiltList(ofFileAt: list.path, options: storeOptions(creating: false)) {
      var rows = try $0.readableRows()
      if let found {
        // Of one with all rows, what belongs to them may be missing.
        let isBetter = rows.rows.count > found.rows.count - (found.missingCount == 0 ? 1 : 0)
        guard isBetter else { throw MissingRows(read: found) }
        rows.note(stillMissing: found.missing)
      } else {
        rows.note(stillMissing: $1.lostCustomers)
      }
      rows.isDamaged = true
      var exported = try body($0, rows)
      (exported.losses, exported.restored) = ($1.losses, $1.restored)
      return exported
    }
  }

  fileprivate func export(
    _ list: borrowing CustomerList, _ readable: ReadableRows?, _ request: ExportRequest, to stream: Stream,
    onProgress: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) throws -> Exported {
    if let readable {
      if !isDryRun {
        try export(stream) { shown, write in
          try list.exportCustomers(
            readable, request.fileOptions, shown: shown, onProgress: onProgress, to: write)
        }
      }
      // A list that can't be read to its end says so itself.
      let texts = (try? list.unreadableTexts()) ?? []
      return Exported(count: readable.rows.count, readable: readable, texts: texts)
    }
    let rows = try request.rows(list)
    let areEvents = request.format == .ics
    let count =
      !isDryRun
      ? try export(list, rows, request.options(list), to: stream, onProgress: onProgress)
      : areEvents ? try list.exportCustomers(rows, request.options(list)) { _ in } : try list.count(rows)
    try tell(rows.skipped)
    return Exported(count: count, areEvents: areEvents)
  }

  fileprivate func tell(_ exported: Exported, to path: String?) throws {
    let lack: [(String, JSON)] =
      exported.readable.map { readable in
        [
          ("missing_count", .int(readable.missingCount)),
          ("missing", .array(readable.missing.map { .int(Int($0.rawValue)) })),
        ]
      } ?? []
    try answer("export", [("file", .string(path ?? "-")), ("count", .int(exported.count))] + lack) {
      let count = counted(exported.count, exported.areEvents ? "event" : "row")
      try tell(Sentence(.export, "\(count) to \(path.map(quoted) ?? "standard output")"))
    }
  }
}

/// The options of `export` for the file.
private enum ExportWords {
  /// How a file may be written that programs read which can't read the usual form.
  enum Style: String, CaseIterable {
    case crlf, vcard3, vcard4, log
    case noFormulas = "no-formulas"

    /// The formats that may be written so.
    var formats: [FileFormat] {
      switch self {
      case .crlf, .noFormulas: [.csv, .tsv]
      case .vcard3, .vcard4, .log: [.vcard]
      }
    }
  }

  static let style = Option.values(
    "--style", Argument<Style>.choices("STYLE,…"),
    "crlf (lines end in CR LF), no-formulas (csv, tsv: no text is one), vcard3, or log (vcard: next date and log)"
  )

  private static let earlier: [any DeclaredOption] = [
    Option.spelling("--crlf", of: style, "--style crlf") { _ in "crlf" },
    Option.spelling("--spreadsheet-safe", of: style, "--style no-formulas") { _ in "no-formulas" },
    Option.spelling("--with-log", of: style, "--style log") { _ in "log" },
    Option.spelling("--vcard-version", .choice(["3", "4"]), of: style, "--style vcard3") { "vcard\($0)" },
  ]

  static let partial = Option.flag("--partial", "write the rows that can be read of a damaged list")

  /// What chooses rows and columns, as in `list`, whose page explains it.
  static func ofList(_ groups: [OptionGroup]) -> OptionGroup {
    .many(
      "-s -w -f -l --sort …", help: "choose rows and columns, as in customers help list",
      groups.flatMap(\.options))
  }

  static let groups: [OptionGroup] = [.optional(Listing.noHeader), .optional(Listing.ids)] + ofFile

  static let ofPartial: [OptionGroup] = [.optional(Listing.noHeader)] + ofFile

  private static let ofFile = ([style] + earlier).map(OptionGroup.optional)
}

/// What an export writes, as the command line says it.
private struct ExportRequest {
  private let listing: Listing
  private let choice: RowChoice?
  let format: FileFormat
  private let invocation: Invocation

  /// On standard output the format is that of the result, unless `--format` is given.
  init(_ session: Session, to path: String?) throws {
    invocation = session.invocation
    let isJSON = try session.formatName() == nil && path == nil && session.options.isJSON
    format = isJSON ? .json : try session.fileFormat(of: path)
    listing = try Listing(invocation)
    let words = Array(invocation.operands.dropFirst())
    choice = words.isEmpty && !invocation.hasPipedRows ? nil : try RowChoice(invocation, operands: words)
    try session.refuse(format)
  }

  /// How many rows are read at most; nil for all.
  func rowsRead() -> ((borrowing CustomerList) throws -> Int)? {
    guard !invocation[ExportWords.partial] else { return nil }
    return { list in try choice?.rowsRead(list) ?? listing.rowsRead(list) }
  }

  func rows(_ list: borrowing CustomerList) throws -> ListedRows {
    guard let choice else { return try listing.rows(list) }
    let resolver = try RowResolver(list, takesParts: false)
    return ListedRows(try choice.rows(resolver, in: list), skipped: resolver.skipped)
  }

  func options(_ list: borrowing CustomerList) throws -> ExportOptions {
    var options = fileOptions
    (options.columns, options.includesIDs) = (try listing.chosenColumns(list), listing.includesIDs)
    return options
  }

  /// How a file is written, whatever the columns are.
  var fileOptions: ExportOptions {
    var options = ExportOptions(format: format)
    options.hasHeader = listing.hasHeader
    let styles = Set(invocation[ExportWords.style].joined())
    options.usesCRLF = styles.contains(.crlf)
    options.isSpreadsheetSafe = styles.contains(.noFormulas)
    options.vCardVersion = styles.contains(.vcard3) ? .version3 : .version4
    options.includesLog = styles.contains(.log)
    return options
  }
}

extension Session {
  /// - Throws: a `Failure` with code `usage` if an option is given that a file in the format has no use for.
  func refuse(_ format: FileFormat) throws {
    if !format.holdsIDs {
      let back = "every card has a UID, by which it comes back: customers import FILE --on-duplicate update"
      try refuse([Listing.ids], unless: \.holdsIDs, hint: format == .vcard ? back : nil)
    }
    let styles = invocation[ExportWords.style].joined().map { style in
      ("\(ExportWords.style.name) \(style.rawValue)", style.formats)
    }
    let columns = FileFormat.writable.filter(\.hasColumns)
    let uses = styles + (invocation.has(Listing.fields) ? [(Listing.fields.name, columns)] : [])
    for (use, formats) in uses where !formats.contains(format) {
      throw Failure.usage(
        "\(use) only works with \(listed(formats.map(\.name), "and"))", offendingArgument: use)
    }
  }

  /// Writes rows as in a file.
  func export(
    _ list: borrowing CustomerList, _ rows: ListedRows, _ options: ExportOptions, to stream: Stream,
    isLenient: Bool = false, onProgress: ((_ done: Int, _ total: Int) throws -> Void)? = nil
  ) throws -> Int {
    try export(stream) { shown, write in
      try list.exportCustomers(
        rows, options, shown: shown, isLenient: isLenient, onProgress: onProgress, to: write)
    }
  }

  /// Writes what `body` passes to a stream.
  private func export<Result>(
    _ stream: Stream,
    _ body: (_ shown: ((String) -> String)?, _ write: ([UInt8]) throws -> Void) throws -> Result
  ) throws -> Result {
    let shown = ShownText(stream)
    do {
      let result = try body(shown.text) { bytes in try stream.write { $0 += bytes } }
      try shown.sayIfChanged(self)
      return result
    } catch let error as TransferError {
      throw Failure(error, file: "", rejects: RejectedRows())
    }
  }
}
