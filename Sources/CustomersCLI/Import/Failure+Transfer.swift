internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersTransferWording
internal import CustomersWording

extension Failure {
  /// The failure of an import or export, with the options that help.
  ///
  /// - Parameters:
  ///   - error: the error of the library.
  ///   - file: the name of the file in messages.
  ///   - path: its path on the command line; `-` for standard input.
  ///   - rejects: the rows that can't be imported.
  ///   - hasValidRows: whether there are others.
  ///   - value: the value that several customers have, or the name of one.
  ///   - conflicts: the first conflicts between the list and the file.
  init(
    _ error: TransferError, file: String, path: String = "-", rejects: RejectedRows,
    hasValidRows: Bool = true, value: String? = nil, conflicts: [ImportConflict] = []
  ) {
    switch error {
    case .malformed(let place, let reason):
      self.init(
        code: .failed, message: "\(file):\(place.inMessage): \(reason)", outcome: Failure.nothingImported)
    case .rejectedRows(let count):
      let hint =
        if let encoding = rejects.encoding {
          "add --encoding \(encoding.rawValue)"
        } else if !hasValidRows, rejects.firstShort == nil {
          "no row is valid; check the format and --delimiter"
        } else if rejects.firstShort != nil {
          "if their last values are empty, add --yes; to write the rows to a file instead, add --rejects FILE"
        } else {
          "to import the valid rows and write the others to FILE, add --rejects FILE"
        }
      self.init(
        code: .failed, message: "\(file): \(rowCount(count)) can't be imported", details: rejects.details,
        outcome: Failure.nothingImported, hint: hint)
    case .noHeader:
      self.init(
        code: .refused, message: "\(file): \(error)",
        hint: "to import it as a customer, add --no-header; if it names the columns, use --map COLUMN=FIELD")
    case .emptyFile: self.init(code: .failed, message: "\(file): \(error)")
    case .noCustomers(let columns):
      self.init(
        code: .failed, message: "\(file): \(error)",
        hint: columns.isEmpty ? nil : "the first line names the columns, unless --no-header is given")
    case .otherFormat(let found, let kind, let expected):
      self = .usage("can't read \(file) as \(expected): it is \(kind)", hint: "add --format \(found)")
    case .foreignFormat(let kind, let expected):
      let name = path == "-" ? "FILE" : printable(path)
      let hint =
        kind == FileContent.database
        ? "if it is a customers file: customers export --db \(name) | customers import -"
        : "save it as CSV and import that"
      self.init(code: .failed, message: "can't read \(file) as \(expected): it is \(kind)", hint: hint)
    case .noMatchingColumn(let columns):
      let shown = columns.prefix(10).map(quoted).joined(separator: ", ") + (columns.count > 10 ? ", …" : "")
      self.init(
        code: .refused, message: "\(file): no column matches a field",
        details: ["     the columns are \(shown)"],
        hint:
          "name the field of a column: --map COLUMN=name; if the first line is a customer, add --no-header; "
          + "to keep a column as an extra column: --map COLUMN=extra")
    case .noSuchColumn(let name, let near, let use):
      self = .usage(
        "\(use.option): the file has no column \(quoted(name))", hint: near.map(didYouMean),
        offendingArgument: use == .key ? name : nil)
    case .ambiguousColumn(let name, let columns, let use):
      self = .usage(
        "\(use.option): \(quoted(name)) may be \(listed(columns.map(quoted)))",
        hint: "write the name exactly as in the file")
    case .columnMappedTwice(let name): self = .usage("--map: \(quoted(name)) was given twice")
    case .targetMappedTwice, .nameTaken: self = .usage("--map: \(printable(error.description))")
    case .notAKey: self = .usage("--key: \(printable(error.description))")
    case .severalMatches(let place, let field):
      self.init(
        code: .notFound,
        message: "\(file)\(place.afterName): several customers in the list have the \(field.column) "
          + quoted(value ?? ""),
        outcome: Failure.nothingImported,
        hint: "to find them: customers duplicates; or name another column: --key COLUMN")
    case .protected(let place, let id):
      self.init(
        code: .refused,
        message: "\(file)\(place.afterName): \(quoted(value ?? "")) (@\(id.rawValue)) is protected",
        outcome: Failure.nothingImported,
        hint: "to allow editing: customers protect @\(id.rawValue) --allow-edit")
    case .conflicts(let count):
      let more = count > conflicts.count ? ["     … and \(count - conflicts.count) more"] : []
      self.init(
        code: .refused, message: "\(file): \(error)", details: conflicts.map(\.line) + more,
        outcome: Failure.nothingImported,
        hint:
          "to keep the list: \(ImportWords.onConflict.name) ours; to take the file: \(ImportWords.onConflict.name) theirs"
      )
    case .knownCustomers:
      self.init(
        code: .refused,
        message: "\(file): \(ImportSummary.known(count: error.knownCount, first: value ?? ""))",
        outcome: Failure.nothingImported,
        hint: "to skip them: --on-duplicate skip; to update them: --on-duplicate update; "
          + "to add them again: --on-duplicate add")
    case .repeatedID(let place, let id):
      self.init(
        code: .failed, message: "\(file)\(place.afterName): customer @\(id.rawValue) is in the file twice",
        outcome: Failure.nothingImported, hint: "leave the id of a new customer empty")
    case .noVersion:
      self.init(
        code: .refused, message: "\(file): \(error)",
        hint: "to hand out a file: customers export FILE --ids")
    case .noCommonVersion:
      self.init(
        code: .refused, message: "\(file): \(error)",
        outcome: Failure.nothingImported, hint: "to take its changes only, omit --order and --delete-missing")
    case .partOfList:
      self.init(
        code: .refused, message: "\(file): \(error)",
        outcome: Failure.nothingImported,
        hint: "name the rows: customers delete ROW; or hand out a whole section")
    case .outdated:
      self.init(code: .refused, message: "\(file): \(error)", outcome: Failure.nothingImported)
    case .notCarried:
      let others = FileFormat.all.filter { !$0.isTable && $0.isComplete }.map(\.name)
      self.init(code: .failed, message: "\(error)", hint: "export it as \(listed(others))")
    case .unreadable(_, let id, _):
      self.init(
        code: .failed, message: "\(error)",
        outcome: "Nothing was exported.",
        hint: "to re-enter that value: customers edit @\(id.rawValue)")
    case .unreadableFormat, .unwritableFormat, .invalidDelimiter: self = .usage("\(file): \(error)")
    }
  }
}

extension TransferError {
  /// How many customers in the file the list has already.
  fileprivate var knownCount: Int { if case .knownCustomers(let count) = self { count } else { 0 } }
}

extension ImportConflict {
  /// The conflict in a line.
  fileprivate var line: String {
    let customer = "     \(place.map { "line \($0.line): " } ?? "")\(quoted(name)) (@\(id.rawValue))"
    return switch kind {
    case .value(let column, let ours, let theirs):
      "\(customer): \(printable(column)) is \(shown(ours)) here, \(shown(theirs)) in the file"
    case .deletedFromList: "\(customer) was deleted here and changed in the file"
    case .deletedFromFile: "\(customer) is missing in the file and was changed here"
    case .moved: "\(customer) was moved here, and elsewhere in the file"
    }
  }

  private func shown(_ text: String) -> String { text.isEmpty ? "empty" : quoted(cut(text, to: 40)) }
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
