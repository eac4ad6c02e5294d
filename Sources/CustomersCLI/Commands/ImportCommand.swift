internal import CustomerStore
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
      "(or, in a file written by customers list, by id plus name or that column). update changes only the",
      "fields present in the file. Importing the same file again asks first.",
    ],
    operands: [.one(.file(.read, "FILE|-"))],
    options: ImportOptions.groups + Placement.groups(.value("--at", .number(), "from row N on")),
    examples: [
      CommandExample("See what an import would do:", "customers import contacts.csv --dry-run"),
      CommandExample("Import a file into a section:", "customers import contacts.csv --section leads"),
      CommandExample(
        "Update customers that are already in the list:",
        "customers import contacts.csv --on-duplicate update"),
    ],
    seeAlso: ["export", "undo", "formats"],
    formats: Format.ofFiles, formatIsOfFile: true,
    run: { session in
      let options = try ImportOptions(session)
      let path = session.invocation.operands[0]
      let placement = try Placement(session.invocation, number: session.invocation.number("--at"))
      if let rejects = options.rejects, !session.isDryRun {
        guard try session.mayWrite(rejects, besides: [path]) else { return .declined }
      }
      let progress = ProgressBar(session)
      defer { progress.erase() }
      try session.announceTyping(path)
      let source = try ImportSource(session.context.files.open(path))
      guard try session.mayImport(source, options) else { return .declined }
      let rejects = try Rejects(options.rejects, in: session.context.files, isDryRun: session.isDryRun)
      try ImportFile.naming(source.name) {
        let rows = try ImportRows(source, options, rejects, progress)
        try session.report(creating: true) { list in
          let target = try placement.target(RowResolver(list, takesParts: false), in: list)
          var importer = try Importer(rows, options, to: target, in: list)
          let counts = try importer.run(on: &list)
          try rejects.prove(rows.file)
          try rejects.sync()
          try list.recordImport(digest: source.digest)
          progress.erase()
          var report = Report(
            counts, rows, rejects, total: try list.count(), isDryRun: session.isDryRun)
          report.remark = rows.remark(options, isDryRun: session.isDryRun)
          return report
        }
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
  fileprivate func mayImport(_ source: ImportSource, _ options: ImportOptions) throws -> Bool {
    guard options.onDuplicate == .add, !options.isConfirmed,
      try read(mayBeMissing: true, { try $0.hasImports() })
    else { return true }
    let digest = try source.wholeDigest()
    guard let step = try read({ list in try list.lastImport(ofDigest: digest) }) else { return true }
    let told = "\(source.name) was already imported (history step \(step.id))"
    guard !isDryRun else {
      try errors.write("note: \(told)\n")
      return true
    }
    return try confirm("\(told). Import it again?", to: "importing \(source.name) again")
  }
}

extension Report {
  fileprivate init(
    _ counts: Importer.Counts, _ rows: ImportRows, _ rejects: Rejects, total: Int, isDryRun: Bool
  ) {
    let kept = rows.columns.filter(\.target.isExtra).map(\.name)
    let delimiter = rows.file.recognizedDelimiter.flatMap { $0 == "," ? nil : $0 }
    preview =
      (delimiter.map { ["Fields are separated by \(Delimiter.name($0))."] } ?? [])
      + rows.columns.map { "\(printable($0.name)) → \($0.target)" }
    let others = [(Verb.update, counts.updated), (.skip, counts.skipped)].filter { $0.1 > 0 }
    let more = others.map { ", " + Sentence($0.0, "\($0.1)").clause(isDryRun: isDryRun) }.joined()
    let list = "the list \(isDryRun ? "would have" : "has") \(rowCount(total))"
    lines = [
      Sentence(.import, "\(customerCount(counts.added))\(more); \(list)").text(isDryRun: isDryRun)
    ]
    json = [
      ("op", .string("import")), ("imported", .int(counts.added)), ("updated", .int(counts.updated)),
      ("skipped", .int(counts.skipped)), ("rejected", .int(rejects.count)), ("count", .int(total)),
      (
        "columns",
        .array(
          rows.columns.map {
            .object([("name", .string($0.name)), ("goes_to", .string($0.target.word))])
          })
      ),
      ("kept_columns", .array(kept.map(JSON.string))),
    ]
    if let delimiter { json.append(("delimiter", .string(String(delimiter)))) }
    if rejects.count > 0 { json.append(("rejected_rows", rejects.json)) }
  }
}

extension ImportRows {
  /// Notes on what a person may not expect: columns that match no field, and customers that can't be
  /// recognized.
  fileprivate func remark(_ options: ImportOptions, isDryRun: Bool) -> String? {
    let targets = columns.map(\.target)
    if options.onDuplicate != .add, options.key == nil, !targets.contains(.field(.email)),
      !targets.contains(.id)
    {
      return
        "note: the file has no e-mail column, so duplicates could not be recognized; use --key for another column"
    }
    // A dry run has shown the target of each column.
    let kept = columns.filter(\.target.isExtra).map(\.name)
    guard !isDryRun, !kept.isEmpty else { return nil }
    let names = kept.prefix(10).map(printable).joined(separator: ", ") + (kept.count > 10 ? ", …" : "")
    return "note: kept as extra columns: \(names)"
  }
}

extension ImportFile {
  /// Runs `body` and reports problems of the file with its name and the position.
  fileprivate static func naming<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as ParseError {
      throw Failure(
        code: .failed, message: "\(name):\(problem.place): \(problem.message)", hint: "nothing was imported")
    }
  }
}
