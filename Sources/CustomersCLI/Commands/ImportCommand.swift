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
      let placement = try Placement(session.invocation, place: session.invocation[ImportWords.number])
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
        Failure(error, file: input.name, path: path, details: rejects.rows.details, value: value)
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
          return ImportReport(
            summary: summary, options: options, rejects: rejects.rows, count: try list.count())
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
