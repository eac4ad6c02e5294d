internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let export = Command(
    name: "export", summary: "write the list to a file or a pipe",
    description: [
      "Writes to standard output if FILE is omitted or -. The format is taken from --format, otherwise",
      "from the file name extension; the default is csv. All fields come first, then the title of the",
      "section, then all extra columns. From json and ndjson, customers import restores the same list; csv",
      "and tsv hold all but empty sections, section footers and the types of JSON values. An existing file is",
      "replaced only after you confirm, and only once the export is complete. With --json the result is",
      "JSON, and so is the list on standard output, unless --format is given. In tsv, a tab, line break or",
      "backslash inside a field is written \\t, \\n, \\r or \\\\.",
    ],
    operands: [.optional(.file(.write, "FILE|-"))],
    options: [
      .optional(ExportOptions.only), .optional(RowChoice.option), .optional(ExportOptions.noHeader),
      .optional(ExportOptions.crlf),
      .optional(ExportOptions.spreadsheetSafe), .optional(Listing.ids),
    ],
    examples: [
      CommandExample("Write all customers to a file:", "customers export customers.csv"),
      CommandExample("Make address cards of one section:", "customers export leads.vcf --section leads"),
      CommandExample("Write some of the customers:", "customers export books.csv --where company~books"),
      CommandExample("Print the list for another program:", "customers export --format json | head -3"),
    ],
    seeAlso: ["import", "backup", "formats"],
    formats: .ofFile(FileFormat.writable),
    run: { session in
      let path = session.invocation.operands.first.flatMap { $0 == "-" ? nil : $0 }
      if let path, !session.isDryRun {
        guard try session.mayWrite(path) else { return .declined }
      }
      let options = try session.exportOptions(to: path)
      let progress = ProgressBar(session)
      defer { progress.erase() }
      func write() throws -> Int {
        let file = try session.isDryRun ? nil : path.map { try FileStream($0, in: session.context.files) }
        let count = try session.readAtLength(rows: session.rowsRead) { list in
          try session.export(list, options, to: file?.stream ?? session.output, progress)
        }
        try file?.finish(session)
        if file != nil { session.progress.noteFile() }
        return count
      }
      // The interrupt key is handled between rows, so that no partial file is left. A pipe may be waited for.
      let isHere =
        session.context.caller == nil && path.map { FileIdentity($0)?.isRegular ?? true } ?? false
      let count = try isHere ? SignalSet.ending.held(write) : write()
      progress.erase()
      guard path != nil || session.isDryRun else { return .done }
      if try session.format() == .json {
        let file = JSON.string(path ?? "-")
        try session.answer([("op", .string("export")), ("file", file), ("count", .int(count))])
      } else {
        let target = path.map(quoted) ?? "standard output"
        try session.tell(Sentence(.export, "\(rowCount(count)) to \(target)"))
      }
      return .done
    })
}

extension ExportOptions {
  fileprivate static let only = Option.onlySection()
  fileprivate static let noHeader = Option.flag("--no-header", "omit the header line (csv, tsv)")
  fileprivate static let crlf = Option.flag("--crlf", "end lines with CR LF instead of LF (csv, tsv)")
  fileprivate static let spreadsheetSafe = Option.flag(
    "--spreadsheet-safe", "prevent spreadsheets from treating text as formulas (csv, tsv)")
}

extension Session {
  /// The options of the file; on standard output its format is that of the result, unless `--format` is given.
  fileprivate func exportOptions(to path: String?) throws -> ExportOptions {
    let isJSON = try formatName() == nil && path == nil && self.options.isJSON
    var options = ExportOptions(format: isJSON ? .json : try fileFormat(of: path))
    if !options.format.isTable {
      try refuse([ExportOptions.noHeader, ExportOptions.crlf, ExportOptions.spreadsheetSafe, Listing.ids])
    }
    options.hasHeader = !invocation[ExportOptions.noHeader]
    options.usesCRLF = invocation[ExportOptions.crlf]
    options.isSpreadsheetSafe = invocation[ExportOptions.spreadsheetSafe]
    options.includesIDs = invocation[Listing.ids]
    return options
  }

  /// How many rows are read at most.
  fileprivate func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    let outline = try list.outline()
    return try onlySection(outline)?.count ?? outline.count
  }

  private func onlySection(_ outline: ListOutline) throws -> CustomerSection? {
    try invocation[ExportOptions.only].map { title throws in
      try outline.section(titled: title, upTo: .part)
    }
  }

  fileprivate func export(
    _ list: borrowing CustomerList, _ options: ExportOptions, to stream: Stream, _ progress: ProgressBar
  ) throws -> Int {
    let only = try onlySection(list.outline())
    let filter = try RowFilter(invocation.questions, section: only?.id, in: list)
    guard !isDryRun else { return try list.count(matching: filter) }
    var options = options
    options.section = only?.id
    options.filter = filter.takesAll ? nil : filter
    let shown = ShownText(stream)
    do {
      let count = try list.exportCustomers(
        options, shown: shown.text, onProgress: { progress.advance(to: $0, of: $1) }
      ) { bytes in try stream.write { $0 += bytes } }
      try shown.sayIfChanged(self)
      return count
    } catch let error as TransferError {
      throw Failure(error, file: "", rejects: RejectedRows())
    }
  }
}
