internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

extension Command {
  static let export = Command(
    name: "export", summary: "write the list to a file or a pipe",
    description: [
      "Writes to standard output if FILE is omitted or -. The format comes from --format, else from the",
      "name of FILE, else it is csv. Options of `customers list` choose rows and columns. A file that is",
      "there is replaced only after you confirm, and only when the new one is complete.",
      "",
      "From json and ndjson, `customers import` rebuilds the whole list, except ids and the history, which",
      "`customers backup` keeps. csv, tsv, and xlsx have no empty sections and footers.",
      "",
      "--ids adds what `customers take` needs to find out what was changed in the file: id and version, and next and",
      "log, if a customer has a next date or a log.",
      "",
      "If rows of a damaged list are lost, export fails and writes nothing. --partial writes what can be",
      "read, names the ids of the others, and exits with code 7.",
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
      CommandExample("Write all customers to a file", "customers export customers.csv"),
      CommandExample("Cards of a section", "customers export leads.vcf --section leads"),
      CommandExample(
        "Some rows and columns",
        "customers export books.csv --where company~books --fields name,email"),
      CommandExample("For another program", "customers export --format json | head -3"),
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
        let exported = try session.readAtLength(rows: request.rowsRead()) { list in
          try session.export(list, request, to: file?.stream ?? session.output) {
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
  /// The number of rows.
  var count: Int
  /// What could not be read, with `--partial`.
  var readable: ReadableRows?

  /// That the list is damaged, and which rows are missing.
  var failure: Failure? {
    guard let readable, readable.isDamaged || readable.missingCount > 0 else { return nil }
    let known = readable.missingRanges.map { ids in
      ids.count == 1 ? "@\(ids.lowerBound)" : "@\(ids.lowerBound)–@\(ids.upperBound)"
    }
    let others = readable.missingCount - readable.missing.count
    let names = known + (others > 0 ? ["\(others) whose id can't be read"] : [])
    let lack = ListError.incomplete(missing: readable.missingCount, of: readable.count)
    return Failure(
      code: .incomplete,
      message: names.isEmpty
        ? "the list is damaged; all its rows were written, perhaps in another order"
        : "\(lack): \(listed(names, "and"))",
      hint: "to make a backup and repair the list: customers check --repair", isFinding: true)
  }
}

extension Session {
  fileprivate func export(
    _ list: borrowing CustomerList, _ request: ExportRequest, to stream: Stream,
    onProgress: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) throws -> Exported {
    guard !invocation[ExportWords.partial] else {
      let readable = try list.readableRows()
      if !isDryRun {
        try export(stream) { shown, write in
          try list.exportCustomers(
            readable, request.fileOptions, shown: shown, onProgress: onProgress, to: write)
        }
      }
      return Exported(count: readable.rows.count, readable: readable)
    }
    let rows = try request.rows(list)
    let count =
      isDryRun
      ? try list.count(rows)
      : try export(list, rows, request.options(list), to: stream, onProgress: onProgress)
    try tell(rows.skipped)
    return Exported(count: count)
  }

  fileprivate func tell(_ exported: Exported, to path: String?) throws {
    if try format() == .json {
      let lack: [(String, JSON)] =
        exported.readable.map { readable in
          [
            ("missing_count", .int(readable.missingCount)),
            ("missing", .array(readable.missing.map { .int(Int($0.rawValue)) })),
          ]
        } ?? []
      try answer(
        [("op", .string("export")), ("file", .string(path ?? "-")), ("count", .int(exported.count))] + lack)
    } else {
      try tell(Sentence(.export, "\(rowCount(exported.count)) to \(path.map(quoted) ?? "standard output")"))
    }
  }
}

/// The options of `export` for the file.
private enum ExportWords {
  static let crlf = Option.flag("--crlf", "end lines with CR LF instead of LF (csv, tsv)")
  static let spreadsheetSafe = Option.flag(
    "--spreadsheet-safe", "no text is a formula there (csv, tsv)")
  static let vCardVersion = Option.value(
    "--vcard-version", Argument<VCardVersion>.choice(), "vCard version (default: 4)")

  static let withLog = Option.flag("--with-log", "with next date and log (vcard)")

  static let partial = Option.flag("--partial", "write the rows that can be read of a damaged list")

  /// What chooses rows and columns, as in `list`, whose page explains it.
  static func ofList(_ groups: [OptionGroup]) -> OptionGroup {
    .many(
      "-s -w -f -l --sort …", help: "choose rows and columns, as in customers help list",
      groups.flatMap(\.options))
  }

  static let groups: [OptionGroup] = [.optional(Listing.noHeader), .optional(Listing.ids)] + ofFile

  static let ofPartial: [OptionGroup] = [.optional(Listing.noHeader)] + ofFile

  private static let ofFile: [OptionGroup] = [
    .optional(crlf), .optional(spreadsheetSafe), .optional(vCardVersion), .optional(withLog),
  ]
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
    options.usesCRLF = invocation[ExportWords.crlf]
    options.isSpreadsheetSafe = invocation[ExportWords.spreadsheetSafe]
    options.vCardVersion = invocation[ExportWords.vCardVersion] ?? .version4
    options.includesLog = invocation[ExportWords.withLog]
    return options
  }
}

extension Session {
  /// - Throws: a `Failure` with code `usage` if an option is given that a file in the format has no use for.
  func refuse(_ format: FileFormat) throws {
    if !format.isTable { try refuse([Listing.ids]) }
    let isText = { (format: FileFormat) in format.isTable && !format.isBinary }
    if !isText(format) { try refuse([ExportWords.crlf, ExportWords.spreadsheetSafe], unless: isText) }
    for (option, formats) in [
      (Listing.fields as any DeclaredOption, FileFormat.writable.filter(\.hasColumns)),
      (ExportWords.vCardVersion, [.vcard]), (ExportWords.withLog, [.vcard]),
    ] where invocation.has(option) && !formats.contains(format) {
      throw Failure.usage(
        "\(option.name) only works with \(listed(formats.map(\.name), "and"))", offendingArgument: option.name
      )
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
