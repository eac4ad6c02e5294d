internal import CustomerStore
internal import Formats

extension Command {
  static let export = Command(
    name: "export", summary: "write the list to a file or a pipe",
    description: [
      "Without FILE, or for -, to standard output. The format is that of --format, else of the file's",
      "name, else csv. customers import reads it as it was: in this order, with the columns that fit no",
      "field, and, where they say something, sections and rights. A file that is there is replaced only",
      "when all is written, and asked about before.",
    ],
    operands: [.optional(.file("FILE|-"))],
    options: [
      .value("--section", .section, "only this section, by title or @id"),
      .flag("--no-header", "csv and tsv without the line of column names"),
      .flag("--spreadsheet-safe", "csv and tsv: nothing is a formula to a spreadsheet"),
    ],
    examples: [
      CommandExample("Write all customers to a file:", "customers export customers.csv"),
      CommandExample("Make address cards of one section:", "customers export leads.vcf --section leads"),
      CommandExample("Give the list to another program:", "customers export --format json | head -3"),
    ],
    seeAlso: ["import", "backup", "formats"],
    formats: Format.ofExports, formatIsOfFile: true,
    run: { session in
      let path = session.invocation.operands.first.flatMap { $0 == "-" ? nil : $0 }
      let format = session.invocation.has("--json") ? .json : try session.fileFormat(of: path)
      if let path, !session.isDryRun {
        guard try session.mayWrite(path) else { return .declined }
      }
      let file = try session.isDryRun ? nil : path.map { try FileStream($0) }
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
        try session.tell(["Exported \(rowCount(count)) to \(path.map(quoted) ?? "standard output")."])
      }
      return .done
    })
}

extension Session {
  fileprivate func export(
    _ list: borrowing CustomerList, _ format: Format, to stream: Stream, _ progress: ProgressBar
  ) throws -> Int {
    let outline = try list.outline()
    let only = try invocation.value("--section").map(outline.section(titled:))
    let sections = outline.sections.filter { only == nil || $0.id == only?.id }
    let total = sections.reduce(0) { $0 + $1.count }
    guard !isDryRun else { return total }
    let layout = try ExportLayout(
      used: list.usedColumns(in: only?.id), namesSections: only == nil && outline.needsTitles)
    let writer = ExportWriter(self, format, layout, stream)
    try writer.begin()
    var count = 0
    for section in sections {
      try list.forEach(in: section.id) { customer in
        count += 1
        do { try writer.write(customer, section.title) } catch is ExportWriter.NotCarried {
          throw Failure(
            code: .failed,
            message:
              "row \(outline.position(of: customer.place)) has a NUL character, which \(format) can't carry",
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

extension Outline {
  /// Whether the sections say more than that of a new list does.
  fileprivate var needsTitles: Bool { sections.count > 1 || sections.contains { $0.title != "Customers" } }
}
