internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText

extension Command {
  static let export = Command(
    name: "export", summary: "write the list to a file or a pipe",
    description: [
      "Writes to standard output if FILE is omitted or -. The format is taken from --format, otherwise",
      "from the file name extension; the default is csv. All fields come first, then the title of the",
      "section, then all extra columns; customers import restores the same list. An existing file is",
      "replaced only after you confirm, and only once the export is complete. With --json the result is",
      "JSON, and so is the list on standard output, unless --format is given. In tsv, a tab, line break or",
      "backslash inside a field is written \\t, \\n, \\r or \\\\.",
    ],
    operands: [.optional(.file(.write, "FILE|-"))],
    options: [
      .value("--section", .section, "only this section, by title or @id"),
      .flag("--no-header", "omit the header line (csv, tsv)"),
      .flag("--crlf", "end lines with CR LF instead of LF (csv, tsv)"),
      .flag("--spreadsheet-safe", "prevent spreadsheets from treating text as formulas (csv, tsv)"),
    ],
    examples: [
      CommandExample("Write all customers to a file:", "customers export customers.csv"),
      CommandExample("Make address cards of one section:", "customers export leads.vcf --section leads"),
      CommandExample("Print the list for another program:", "customers export --format json | head -3"),
    ],
    seeAlso: ["import", "backup", "formats"],
    formats: Format.ofExports, formatIsOfFile: true,
    run: { session in
      let path = session.invocation.operands.first.flatMap { $0 == "-" ? nil : $0 }
      if let path, !session.isDryRun {
        guard try session.mayWrite(path) else { return .declined }
      }
      let format = try session.exportFormat(to: path)
      let file = try session.isDryRun ? nil : path.map { try FileStream($0, in: session.context.files) }
      let progress = ProgressBar(session)
      defer { progress.erase() }
      let count = try session.read { list in
        try session.export(list, format, to: file?.stream ?? session.output, progress)
      }
      try file?.finish()
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

extension Customer {
  /// Whether a text has the replacement character, which marks unreadable bytes.
  fileprivate var mayBeUnreadable: Bool {
    (fields.texts + [fields.extra]).contains { !$0.utf8.allSatisfy { $0 < 0x80 } && $0.contains("\u{fffd}") }
  }
}

extension Session {
  /// The format of the file: on standard output that of the result, unless `--format` is given.
  fileprivate func exportFormat(to path: String?) throws -> Format {
    let named = try namedFormat()
    let format = try named ?? (path == nil && invocation.has("--json") ? .json : fileFormat(of: path))
    let forTables = ["--no-header", "--crlf", "--spreadsheet-safe"]
    if format != .csv, format != .tsv, let option = forTables.first(where: invocation.has) {
      throw Failure.usage("\(option) only works with csv and tsv", offendingArgument: option)
    }
    return format
  }

  fileprivate func export(
    _ list: borrowing CustomerList, _ format: Format, to stream: Stream, _ progress: ProgressBar
  ) throws -> Int {
    let outline = try list.outline()
    let only = try invocation.value("--section").map { title throws in
      try outline.section(titled: title, upTo: .part)
    }
    let sections = outline.sections.filter { only == nil || $0.id == only?.id }
    let total = sections.reduce(0) { $0 + $1.count }
    guard !isDryRun else { return total }
    let layout = ExportLayout(extra: try list.extraColumns(in: only?.id, withNulls: true).map(\.name))
    let writer = ExportWriter(self, format, layout, stream)
    try writer.begin()
    var count = 0
    for section in sections {
      try list.forEach(in: section.id) { customer in
        count += 1
        if customer.mayBeUnreadable, let column = try list.unreadableColumn(of: customer.id) {
          throw Failure(
            code: .failed,
            message:
              "row \(outline.position(of: customer.place)) has bytes in \(column) that are not UTF-8",
            hint: "nothing was exported; write that field again: customers edit @\(customer.id.rawValue)")
        }
        do { try writer.write(customer, section.title) } catch is ExportWriter.NotCarried {
          throw Failure(
            code: .failed,
            message:
              "row \(outline.position(of: customer.place)) has a NUL character, which \(format) can't hold",
            hint: "export it as json, ndjson or vcard")
        }
        if count.isMultiple(of: 1000) { progress.advance(to: count, of: total) }
        return true
      }
    }
    try writer.end()
    return count
  }
}
