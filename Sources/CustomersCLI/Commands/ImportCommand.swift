internal import CustomerStore
internal import Formats

extension Command {
  static let importCommand = Command(
    name: "import", summary: "import customers from a file",
    description: [
      "The format is that of --format, else of the file's name, else csv. Columns are matched to the",
      "fields by name; --map says where others go, as in --map ContactName=name,Fax=- (- leaves a column",
      "out, extra keeps it beside the fields). The fields are name,",
      CustomerField.texts.map(\.column).joined(separator: ", ") + ", is_favorite, section.",
      "A column that fits no field is kept with the customer. All customers go in, or none; -n shows what",
      "would. Each goes to the end of the section that the file names, or where a place is given.",
      "",
      "--on-duplicate knows a customer by the e-mail address; in a file from customers list also by the",
      "id, if the name or the address is the same too. An update changes what the file has columns for.",
    ],
    operands: [.one(.file("FILE|-"))],
    options: ImportOptions.groups + Placement.groups(.value("--at", .number(), "from row N on")),
    examples: [
      CommandExample("See what an import would do:", "customers import contacts.csv --dry-run"),
      CommandExample("Import a file into a section:", "customers import contacts.csv --section leads"),
      CommandExample(
        "Update the customers that are there already:", "customers import contacts.csv --on-duplicate update"),
    ],
    seeAlso: ["export", "undo", "formats"],
    formats: Format.ofFiles, formatIsOfFile: true,
    run: { session in
      let options = try ImportOptions(session)
      let placement = try Placement(session.invocation, number: session.invocation.number("--at"))
      if let path = options.rejects, !session.isDryRun {
        guard try session.mayWrite(path, besides: [options.path]) else { return .declined }
      }
      let rejects = try Rejects(options.rejects, isDryRun: session.isDryRun)
      let progress = ProgressBar(session)
      defer { progress.erase() }
      try ImportFile.naming(options.path) {
        let rows = try ImportRows(options, rejects, progress)
        try session.report(creating: true) { list in
          let target = try placement.target(RowResolver(list), in: list)
          var importer = try Importer(rows, options, to: target, in: list)
          let counts = try importer.run(on: &list)
          try rejects.prove(rows.file)
          try rejects.sync()
          progress.erase()
          var report = Report(counts, rows, rejected: rejects.count, total: try list.count())
          report.remark = rows.remark(options)
          return report
        }
      }
      try rejects.finish(session)
      return .done
    })
}

extension Report {
  fileprivate init(_ counts: Importer.Counts, _ rows: ImportRows, rejected: Int, total: Int) {
    let kept = rows.columns.filter { $0.target == .extra || $0.target == .extras }.map(\.name)
    preview = rows.columns.map { "\(printable($0.name)) → \($0.target)" }
    let customers = counts.added == 1 ? "1 customer" : "\(counts.added) customers"
    let others = [(counts.updated, "updated"), (counts.skipped, "skipped")].filter { $0.0 > 0 }
    let more = others.map { ", \($0.1) \($0.0)" }.joined()
    lines = ["Imported \(customers)\(more); the list has \(rowCount(total))."]
    json = [
      ("op", .string("import")), ("imported", .int(counts.added)), ("updated", .int(counts.updated)),
      ("skipped", .int(counts.skipped)), ("rejected", .int(rejected)), ("count", .int(total)),
      (
        "columns",
        .array(
          rows.columns.map {
            .object([("name", .string($0.name)), ("goes_to", .string($0.target.description))])
          })
      ),
      ("kept_columns", .array(kept.map(JSON.string))),
    ]
  }
}

extension ImportRows {
  /// What a person may not have meant: a file whose columns are none of the fields, or customers that
  /// can't be known.
  fileprivate func remark(_ options: ImportOptions) -> String? {
    let targets = columns.map(\.target)
    guard targets.contains(where: \.isField) else {
      if columns.count == 1, let other = columns[0].name.first(where: ";\t|".contains) {
        return "note: there is one column; --delimiter \(other == "\t" ? "$'\\t'" : "'\(other)'") parts it"
      }
      return "note: no column fits a field, all are kept beside; --map COLUMN=FIELD says where one goes"
    }
    guard options.onDuplicate != .add, !targets.contains(ColumnTarget(column: "email")) else { return nil }
    return targets.contains(.id) ? nil : "note: no column is the e-mail address, so no customer was known"
  }
}

extension ImportFile {
  /// Runs `body` and tells what is wrong with the file, by name and place.
  fileprivate static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let name = path == "-" ? "standard input" : printable(path)
    do {
      return try body()
    } catch let problem as ParseError {
      throw Failure(
        code: .failed, message: "\(name):\(problem.place): \(problem.message)", hint: "nothing was imported")
    }
  }
}
