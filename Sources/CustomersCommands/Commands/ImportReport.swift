internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

struct ImportReport: Report {
  let summary: ImportSummary
  let options: ImportOptions
  let rejects: RejectedRows
  /// The number of rows in the list.
  let count: Int

  func text(isDryRun: Bool) -> TextReport {
    let made = summary.sentence(options, count: count, isDryRun: isDryRun)
    return TextReport(preview: isDryRun ? preview : [], lines: [made], remark: remark(isDryRun: isDryRun))
  }

  private var preview: [String] {
    let separator = delimiter.map { $0 == "\t" ? "tab" : "'\($0)'" }
    return (separator.map { ["Fields are separated by \($0)."] } ?? [])
      + ImportPreview(summary, options).lines
  }

  var json: [(String, JSON)] {
    let columns = summary.columns.map { column in
      let kind = summary.kind(of: column)?.rawValue
      return JSON.object(
        [("name", .string(column.name)), ("goes_to", .string(column.target.word))]
          + (kind.map { [("kind", .string($0))] } ?? []))
    }
    var json: [(String, JSON)] = [
      ("op", .string("import")), ("imported", .int(summary.added)), ("updated", .int(summary.updated)),
      ("skipped", .int(summary.skipped)), ("rejected", .int(summary.rejected)), ("count", .int(count)),
      ("columns", .array(columns)), ("kept_columns", .array(keptColumns.map(JSON.string))),
    ]
    if options.takesOrder { json.append(("moved", .int(summary.moved.count))) }
    if options.deletesMissing { json.append(("deleted", .int(summary.missing.count))) }
    if summary.reformedCount > 0 { json.append(("reformed", .int(summary.reformedCount))) }
    if let delimiter { json.append(("delimiter", .string(String(delimiter)))) }
    if summary.rejected > 0 { json.append(("rejected_rows", rejects.json)) }
    return json
  }

  /// The delimiter, if it is not a comma.
  private var delimiter: Character? { summary.delimiter.flatMap { $0 == "," ? nil : $0 } }

  /// The names of the columns that are kept as extra columns.
  private var keptColumns: [String] {
    summary.keptColumns(in: options.format).map { $0.isWithoutName ? nameInList(of: $0) : $0.name }
  }

  /// The names that those of them have in the list which it did not declare.
  private var newNames: [String] {
    summary.keptColumns(in: options.format).filter { !summary.declaredColumns.contains($0.name) }
      .map(nameInList)
  }

  private func nameInList(of column: ImportedColumn) -> String {
    if case .field(.extra(let name)) = column.target { name } else { column.name }
  }

  /// Notes on what a user may not expect: columns that match no field and customers that may not be
  /// recognized.
  private func remark(isDryRun: Bool) -> String? {
    let onKinds =
      summary.kinds.filter { !$0.open.isEmpty }.map(remark(onOpen:))
      + summary.kinds.filter { $0.otherCount > 0 }.map(remark(onOthers:))
      + summary.kinds.flatMap(remarks(on:))
    let remarks =
      remarksOnShape + [remarkOnColumns(isDryRun: isDryRun), remarkOnNames, isDryRun ? remarkOnKnown : nil]
      + remarksOnReturned
      + summary.similarColumns.map(remark(onSimilar:)) + onKinds
    return remarks.allSatisfy { $0 == nil } ? nil : remarks.compactMap(\.self).joined(separator: "\n")
  }

  /// Notes on what the program took the bytes of the file for.
  private var remarksOnShape: [String?] {
    let notes = summary.notes.filter { !$0.isEmpty && !$0.lowercased().hasPrefix("sep=") }
    let nulls = summary.nullTexts.map(quoted)
    return [
      summary.encoding.map {
        "note: the file was read as \($0.rawValue); if letters are wrong, undo it and add --encoding NAME, such as "
          + ($0 == .macRoman ? "windows-1252, " : "")
          + "windows-1250 for Polish or Czech, or windows-1251 for Cyrillic"
      },
      notes.isEmpty
        ? nil
        : "note: skipped before the names of the columns: "
          + notes.map { quoted(cut($0, to: 40)) }.joined(separator: ", "),
      summary.firstFilledLine.map {
        "note: \(counted(summary.filledRows, "row")) had too few values, the first in line \($0); the last ones are empty"
      },
      summary.emptyRows == 0 ? nil : "note: skipped \(counted(summary.emptyRows, "row")) without a value",
      summary.repeatedHeaders == 0
        ? nil : "note: skipped \(counted(summary.repeatedHeaders, "row")) with the names of the columns",
      summary.groups == 0
        ? nil
        : "note: skipped \(counted(summary.groups, "group")), which only name others",
      nulls.isEmpty
        ? nil
        : "note: \(listed(nulls, "and")) \(nulls.count == 1 ? "is" : "are") imported as text; to leave "
          + "\(nulls.count == 1 ? "it" : "one") out: --null \(summary.nullTexts[0])",
    ]
  }

  /// A note on customers without names, which a column that is not understood may have.
  private var remarkOnNames: String? {
    let names = summary.addedNames
    guard options.format.isTable, !names.isEmpty, names.allSatisfy(\.isEmpty), !newNames.isEmpty else {
      return nil
    }
    return "note: no customer has a name; if a column has it: \(ImportWords.mapping.name) COLUMN=name"
  }

  private var remarkOnKnown: String? {
    summary.known > 0
      ? "note: \(ImportSummary.known(count: summary.known, first: summary.firstKnownName))" : nil
  }

  /// Notes on what is different in a file that was handed out and was not taken over.
  private var remarksOnReturned: [String?] {
    func names(_ some: ImportSummary.NamedCount) -> String {
      let more = some.count - some.names.count
      return listed(some.names.map(quoted) + (more > 0 ? ["\(more) more"] : []), "and")
    }
    func isOne(_ some: ImportSummary.NamedCount) -> Bool { some.count == 1 }
    let (moved, missing) = (summary.moved, summary.missing)
    return [
      remarkOnForms,
      moved.count == 0 || options.takesOrder
        ? nil
        : "note: \(names(moved)) \(isOne(moved) ? "has another place" : "have other places") in the file; to move "
          + "\(isOne(moved) ? "it" : "them"): customers take FILE",
      missing.count == 0 || options.deletesMissing
        ? nil
        : "note: \(names(missing)) \(isOne(missing) ? "is" : "are") missing in the file; to delete "
          + "\(isOne(missing) ? "it" : "them"): customers take FILE",
    ]
  }

  /// A note on values that a spreadsheet has written in its own way.
  private var remarkOnForms: String? {
    let count = summary.reformedCount
    guard count > 0 else { return nil }
    let shown = summary.reformed.map {
      "\(printable($0.column)) stays \(quoted($0.old)), though the file has \(quoted($0.new))"
    }
    let more = count - shown.count
    return
      "note: \(count == 1 ? "1 value differs" : "\(count) values differ") only in how a spreadsheet writes "
      + "\(count == 1 ? "it" : "them"): \(shown.joined(separator: "; "))\(more > 0 ? "; and \(more) more" : ""); "
      + "to take \(count == 1 ? "it" : "them") from the file: \(ImportWords.onConflict.name) theirs"
  }

  /// A note on columns that a user may take for one.
  private func remark(onSimilar columns: [String]) -> String? {
    "note: \(listed(columns.map(quoted), "and")) are \(columns.count) columns; to join two: "
      + "customers columns rename \(quoted(columns[columns.count - 1])) \(quoted(columns[0]))"
  }

  /// A note on a column that stays text because its values can be read in several ways.
  private func remark(onOpen column: ImportedKind) -> String {
    let ways = column.open.map { $0.replacing(" ", with: "-") }
    return
      "note: the values of \(quoted(column.column)) may be \(column.kind.plural) in \(ways.count) ways, so they stay text; "
      + "to say which: \(listed(ways.map { "\(ImportWords.kind.name) \(typed("\(column.column)=\($0)"))" }))"
  }

  /// Notes on what a user may not expect of the values of a column, with the option that changes it.
  private func remarks(on column: ImportedKind) -> [String] {
    var choice: String?
    if case .kind(let kind, _, _, _, _)? = column.nearly { choice = "to say so: \(chosen(column, kind))" }
    if column.mayBeVersions { choice = "for dates: \(chosen(column, .date))" }
    if column.mayBePast, column.kind == .text {
      choice = "for days at most 20 years from now: \(chosen(column, .date))"
    }
    if column.leavesOutTimes, column.isNew { choice = "to keep them: \(chosen(column, .time))" }
    return column.notes.map { note in
      "note: \(printable(note))" + (note == column.notes.last ? choice.map { "; \($0)" } ?? "" : "")
    }
  }

  private func chosen(_ column: ImportedKind, _ kind: ColumnKind) -> String {
    "\(ImportWords.kind.name) \(typed("\(column.header)=\(kind.rawValue)"))"
  }

  /// A note on values that are not of the kind of their column.
  private func remark(onOthers column: ImportedKind) -> String {
    let count = column.otherCount
    let shown = column.others.map { quoted(cut($0, to: 40)) } + (count > 3 ? ["\(count - 3) more"] : [])
    let what =
      count == 1
      ? "is not \(column.kind.noun) and stays as it is" : "are no \(column.kind.plural) and stay as they are"
    return "note: \(quoted(column.column)): \(listed(shown, "and")) \(what)"
  }

  private func remarkOnColumns(isDryRun: Bool) -> String? {
    let targets = summary.columns.map(\.target)
    if summary.added > 0, options.duplicates != .add, options.keys.isEmpty,
      !targets.contains(where: { $0.isValue(of: .email) }), !targets.contains(.id), !targets.contains(.uid)
    {
      return
        "note: the file has no e-mail column, so only the name and the phone number were compared; use \(ImportWords.key.name) for another column"
    }
    // A dry run has shown the target of each column.
    guard !isDryRun else { return nil }
    func names(_ all: [String]) -> String {
      all.prefix(10).map(printable).joined(separator: ", ") + (all.count > 10 ? ", …" : "")
    }
    let kept = newNames.filter { $0 != ExtraColumns.card }
    let dropped = summary.programColumns
    let notes = [
      kept.isEmpty ? nil : "note: columns without a field, kept as extra columns: \(names(kept))",
      dropped.first.map {
        "note: left out, because only a program needs them: \(names(dropped)); to keep one: "
          + "\(ImportWords.mapping.name) \(typed("\($0)=extra"))"
      },
    ].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "\n")
  }
}

/// The rows of an imported file that can't be imported: reported and, on request, written to a file.
final class Rejects {
  private let path: String?
  private let isDryRun: Bool
  /// Opened before the list is locked, because a pipe waits for its reader.
  private let output: FileStream?
  private(set) var rows = RejectedRows()

  /// Sets the file for the rows, if any.
  init(_ path: String?, in files: NamedFiles, isDryRun: Bool) throws {
    self.path = path
    output = try isDryRun ? nil : path.map { try FileStream($0, in: files) }
    self.isDryRun = isDryRun
  }

  func add(_ row: RejectedRow) throws {
    rows.add(row)
    guard let stream = output?.stream else { return }
    if rows.count == 1 { try stream.write { $0 += row.header } }
    try stream.write { $0 += row.bytes }
  }

  /// Makes the rows durable before the others are in the list.
  func sync() throws { if rows.count > 0 { try output?.sync() } }

  /// Commits the file once the valid rows are in the list and reports it.
  func finish(_ session: Session) throws {
    guard rows.count > 0, let path else { return }
    try output?.finish(session)
    guard !session.isQuiet, try session.format() != .json else { return }
    let goes = session.isDryRun ? "would be written" : "\(rows.count == 1 ? "was" : "were") written"
    try session.errors.write(
      "customers: \(counted(rows.count, "row")) can't be imported and \(goes) to \(quoted(path))\n")
    for line in rows.details { try session.errors.write(line + "\n") }
  }
}

extension Failure {
  /// The failure of an import or export, with the options that help.
  ///
  /// - Parameters:
  ///   - error: the error of the library.
  ///   - file: the name of the file in messages.
  ///   - path: its path on the command line; `-` for standard input.
  ///   - format: the format in which it was read; the hints name no option that this has not.
  ///   - rejects: the rows that can't be imported.
  ///   - hasValidRows: whether there are others.
  ///   - value: the value that several customers have, or the name of one.
  ///   - conflicts: the first conflicts between the list and the file.
  init(
    _ error: TransferError, file: String, path: String = "-", format: FileFormat = .csv,
    rejects: RejectedRows, hasValidRows: Bool = true, value: String? = nil, conflicts: [ImportConflict] = []
  ) {
    self.init(explained: error, file: file)
    let reason = message
    message = "\(file): \(reason)"
    switch error {
    case .malformed(let place, let reason):
      let customer = place.customer.map { "customer \($0): " } ?? ""
      message = "\(file):\(place.inMessage): \(customer)\(reason)"
    case .rejectedRows(let count, _):
      message = "\(file): \(counted(count, "row")) can't be imported"
      details = rejects.details
      hint =
        if let encoding = rejects.encoding {
          "add --encoding \(encoding.rawValue)"
        } else if !hasValidRows, rejects.firstShort == nil {
          "no row is valid; check the format" + (format == .csv ? " and --delimiter" : "")
        } else if rejects.firstShort != nil {
          "if their last values are empty, add --yes; to write the rows to a file instead, add --rejects FILE"
        } else {
          "to import the valid rows and write the others to FILE, add --rejects FILE"
        }
      // Someone at a terminal would have been asked.
      if rejects.encoding == nil, rejects.firstShort != nil { code = .refused }
    case .noHeader:
      hint = "to import it as a customer, add --no-header; if it names the columns, use --map COLUMN=FIELD"
    case .noCustomers(let columns) where !columns.isEmpty:
      hint = "the first line names the columns, unless --no-header is given"
    case .otherFormat(let found, let kind, let expected):
      message = "can't read \(file) as \(expected): it is \(kind)"
      hint = "add --format \(found)"
    case .foreignFormat(let kind, let expected):
      message = "can't read \(file) as \(expected): it is \(kind)"
      let name = path == "-" ? "FILE" : printable(path)
      hint =
        kind == FileContent.database
        ? "if it is a customers file: customers export --db \(name) | customers import -"
        : kind == FileContent.zip
          ? "if it is an xlsx file, add --format xlsx" : "save it as CSV and import that"
    case .noMatchingColumn(let columns):
      let shown = columns.prefix(10).map(quoted).joined(separator: ", ") + (columns.count > 10 ? ", …" : "")
      message = "\(file): no column matches a field"
      details = ["     the columns are \(shown)"]
      hint =
        "name the field of a column: --map COLUMN=name; "
        + (format.isTable ? "if the first line is a customer, add --no-header; " : "")
        + "to keep a column as an extra column: --map COLUMN=extra"
        + (columns.allSatisfy(\.mayBeWronglyDecoded)
          ? "; if letters are wrong, add --encoding NAME, or convert the file with iconv -t UTF-8" : "")
    case .noSuchColumn(let name, let near, let use):
      message = "\(use.option): the file has no column \(quoted(name))"
      hint = near.map(didYouMean)
      offendingArgument = use == .key ? name : nil
    case .ambiguousColumn(let name, let columns, let use):
      message = "\(use.option): \(quoted(name)) may be \(listed(columns.map(quoted)))"
      hint = "write the name exactly as in the file"
    case .columnMappedTwice(let name): message = "--map: \(quoted(name)) was given twice"
    case .targetMappedTwice, .nameTaken: message = "--map: \(reason)"
    case .notAKey: message = "--key: \(reason)"
    case .severalMatches(let place, let field):
      message =
        "\(file)\(place.afterName): several customers in the list have the \(field.column) \(quoted(value ?? ""))"
      hint = "to find them: customers merge; or name another column: --key COLUMN"
    case .protected(let place, let id):
      message = "\(file)\(place.afterName): \(quoted(value ?? "")) (@\(id.rawValue)) is protected"
    case .conflicts(let count):
      let more = count > conflicts.count ? ["     … and \(count - conflicts.count) more"] : []
      details = conflicts.map(\.line) + more
      let option = ImportWords.onConflict.name
      hint = "to keep the list: \(option) ours; to take the file: \(option) theirs"
    case .knownCustomers(let count):
      message = "\(file): \(ImportSummary.known(count: count, first: value ?? ""))"
      hint =
        "to skip them: --on-duplicate skip; to update them: --on-duplicate update; "
        + "to add them again: --on-duplicate add"
    case .repeatedID(let place, let id):
      message = "\(file)\(place.afterName): customer @\(id.rawValue) is in the file twice"
    case .strangeID(let place, let id):
      message =
        "\(file)\(place.afterName): customer @\(id.rawValue) was not in the file when it was handed out"
    case .emptied(let place, let id):
      message = "\(file)\(place.afterName): customer @\(id.rawValue) would be left empty"
    case .noVersion: hint = "to hand out a file: customers export FILE --ids"
    case .noCommonVersion:
      hint = "to take its values alone: customers import FILE --on-duplicate update --key id"
    case .otherCopy:
      message = "\(file) was written by a copy of this list that was edited on its own"
      details = ["There, a number may be another customer."]
      hint = "to import what it has: export it there again, without --ids"
    case .partOfList: hint = "name the rows: customers delete ROW; or hand out a whole section"
    case .notCarried, .unreadable: message = reason
    case .noSuchSheet(let name, let sheets):
      message = "\(file): there is no sheet \(quoted(name))"
      hint = "the sheets are \(listed(sheets.prefix(20).map(quoted), "and"))"
    case .spreadsheet: break
    case .emptyFile, .noCustomers, .outdated, .unreadableFormat, .unwritableFormat, .unknownExtension,
      .reserved,
      .invalidDelimiter:
      break
    }
  }
}

extension ImportConflict {
  /// What both did, in a line.
  var line: String { "     \(place.map { "line \($0.line): " } ?? "")\(words)" }
}

extension FilePlace {
  /// The place after the name of its file.
  fileprivate var afterName: String { customer.map { ": customer \($0)" } ?? ":\(line)" }
}

extension TransferError.ColumnUse {
  fileprivate var option: String {
    switch self {
    case .mapping: ImportWords.mapping.name
    case .key: ImportWords.key.name
    }
  }
}

extension InputFile {
  /// The name of the file in messages.
  var name: String { path == "-" ? "standard input" : printable(path) }
}

extension String {
  /// Whether it has accents and signs of Western languages, as bytes in an encoding that can't be read become.
  fileprivate var mayBeWronglyDecoded: Bool { unicodeScalars.contains { (0x80...0xff).contains($0.value) } }
}
