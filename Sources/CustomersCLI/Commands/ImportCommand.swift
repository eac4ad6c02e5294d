internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersTerminalText

extension Command {
  static let importCommand = Command(
    name: "import", summary: "import customers from a file",
    description: [
      "The format is taken from --format, otherwise from the file name extension; the default is csv.",
      "Columns are matched to fields by name. Use --map for the rest, once or more, as in",
      "--map ContactName=name --map Fax=-,Town=extra.City (- drops a column, extra keeps it as an extra",
      "column, extra.NAME under that name). The fields are name,",
      CustomerField.texts.map(\.column).joined(separator: ", ") + ", is_favorite, section.",
      "Other columns are kept as extra columns. Either all customers are imported or none; -n shows a",
      "preview. Customers are added at the end of the section named in the file, unless you give a place.",
      "",
      "--on-duplicate recognizes existing customers by e-mail address, or by the column that --key names",
      "(or, in a file written with --ids, by id plus name or that column). update changes only the fields",
      "present in the file. Importing the same file again asks first.",
    ],
    operands: [.one(.file(.read, "FILE|-"))],
    options: ImportWords.groups,
    examples: [
      CommandExample("See what an import would do:", "customers import contacts.csv --dry-run"),
      CommandExample("Import a file into a section:", "customers import contacts.csv --section leads"),
      CommandExample(
        "Update customers that are already in the list:",
        "customers import contacts.csv --on-duplicate update"),
    ],
    seeAlso: ["export", "undo", "formats"],
    formats: .ofFile(FileFormat.readable),
    run: { session in
      let options = try ImportOptions(session)
      let path = session.invocation.operands[0]
      let placement = try Placement(session.invocation, number: session.invocation[ImportWords.number])
      let rejectsPath = session.invocation[ImportWords.rejects]
      if let rejectsPath, !session.isDryRun {
        guard try session.mayWrite(rejectsPath, besides: [path]) else { return .declined }
      }
      let progress = ProgressBar(session)
      defer { progress.erase() }
      try session.announceTyping(path)
      let input = try session.context.files.open(path)
      let importer = try CustomerImporter(input, options)
      importer.onProgress = { progress.advance(to: $0, of: $1) }
      guard try session.mayImport(importer, input.name) else { return .declined }
      let rejects = try Rejects(rejectsPath, in: session.context.files, isDryRun: session.isDryRun)
      importer.onRejectedRow = rejects.add
      func failure(_ error: TransferError, _ value: String? = nil) -> Failure {
        Failure(error, file: input.name, path: path, details: rejects.details, value: value)
      }
      do {
        _ = try importer.columns()
        try session.report(creating: true) { list in
          let target = try placement.target(RowResolver(list, takesParts: false), in: list)
          let summary: ImportSummary
          do {
            summary = try list.importCustomers(from: importer, at: target?.destination, in: target?.section)
          } catch let error as TransferError {
            guard case .protected(_, let id) = error else { throw error }
            throw failure(error, try list.customer(id).name)
          }
          try rejects.sync()
          progress.erase()
          var report = Report(summary, rejects, total: try list.count(), isDryRun: session.isDryRun)
          report.remark = summary.remark(options, isDryRun: session.isDryRun)
          return report
        }
      } catch let error as TransferError {
        throw failure(error, importer.ambiguousValue)
      }
      try rejects.finish(session)
      return .done
    })
}

extension Session {
  /// Says that the program waits for input at the terminal.
  func announceTyping(_ path: String) throws {
    guard path == "-", context.input.isTerminal else { return }
    try errors.write("Reading from the terminal; press Ctrl-D at the start of a line to end.\n")
    try errors.flush()
  }

  /// Asks before the same file is imported again, which would duplicate its customers.
  ///
  /// - Returns: whether to import it.
  /// - Throws: a `Failure` with code `refused` if nobody can be asked.
  fileprivate func mayImport(_ importer: CustomerImporter, _ name: String) throws -> Bool {
    guard importer.options.duplicates == .add, !options.saysYes,
      try read(mayBeMissing: true, { try $0.hasImports() })
    else { return true }
    // The list is not locked while a long file is read.
    _ = try importer.digest()
    guard let step = try read({ list in try list.lastImport(of: importer) }) else { return true }
    let told = "\(name) was already imported (history step \(step.id))"
    guard !isDryRun else {
      try errors.write("note: \(told)\n")
      return true
    }
    return try confirm("\(told). Import it again?", to: "importing \(name) again")
  }
}

extension Report {
  fileprivate init(_ summary: ImportSummary, _ rejects: Rejects, total: Int, isDryRun: Bool) {
    let delimiter = summary.delimiter.flatMap { $0 == "," ? nil : $0 }
    let separator = delimiter.map { $0 == "\t" ? "tab" : "'\($0)'" }
    preview =
      (separator.map { ["Fields are separated by \($0)."] } ?? [])
      + summary.columns.map { printable("\($0.name) → \($0.target)") }
    let others = [(Verb.update, summary.updated), (.skip, summary.skipped)].filter { $0.1 > 0 }
    let more = others.map { ", " + Sentence($0.0, "\($0.1)").clause(isDryRun: isDryRun) }.joined()
    let list = "the list \(isDryRun ? "would have" : "has") \(rowCount(total))"
    lines = [
      Sentence(.import, "\(customerCount(summary.added))\(more); \(list)").text(isDryRun: isDryRun)
    ]
    json = [
      ("op", .string("import")), ("imported", .int(summary.added)), ("updated", .int(summary.updated)),
      ("skipped", .int(summary.skipped)), ("rejected", .int(summary.rejected)), ("count", .int(total)),
      (
        "columns",
        .array(
          summary.columns.map {
            .object([("name", .string($0.name)), ("goes_to", .string($0.target.word))])
          })
      ),
      ("kept_columns", .array(summary.keptColumns.map(JSON.string))),
    ]
    if let delimiter { json.append(("delimiter", .string(String(delimiter)))) }
    if summary.rejected > 0 { json.append(("rejected_rows", rejects.json)) }
  }
}

extension ImportSummary {
  /// The names of the columns that are kept as extra columns.
  fileprivate var keptColumns: [String] { columns.filter(\.target.isExtra).map(\.name) }

  /// Notes on what a person may not expect: columns that match no field, and customers that can't be
  /// recognized.
  fileprivate func remark(_ options: ImportOptions, isDryRun: Bool) -> String? {
    let targets = columns.map(\.target)
    if options.duplicates != .add, options.key == nil, !targets.contains(.field(.email)),
      !targets.contains(.id)
    {
      return
        "note: the file has no e-mail column, so duplicates could not be recognized; use --key for another column"
    }
    // A dry run has shown the target of each column.
    let kept = keptColumns
    guard !isDryRun, !kept.isEmpty else { return nil }
    let names = kept.prefix(10).map(printable).joined(separator: ", ") + (kept.count > 10 ? ", …" : "")
    return "note: kept as extra columns: \(names)"
  }
}
