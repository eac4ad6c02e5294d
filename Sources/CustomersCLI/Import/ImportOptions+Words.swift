internal import CustomerStore
internal import CustomerTransfer
internal import CustomersTerminalText
internal import CustomersTransferWording
internal import CustomersWording

extension ImportOptions {
  /// Parses the options of `import`.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(_ session: Session) throws {
    let invocation = session.invocation
    self.init(format: try session.fileFormat(of: invocation.operands[0]))
    encoding = invocation[ImportWords.encoding]
    hasHeader = !invocation[ImportWords.noHeader]
    delimiter = try invocation[ImportWords.delimiter].map(ImportOptions.character)
    for text in invocation[ImportWords.mapping] { try map(text) }
    nullTexts = invocation[ImportWords.null]
    duplicates = invocation[ImportWords.onDuplicate] ?? .add
    keys = invocation[ImportWords.key]?.split(separator: ",").map { String(String($0).trimmingBlanks) } ?? []
    conflictWinner = invocation[ImportWords.onConflict]
    takesOrder = invocation[ImportWords.order]
    deletesMissing = invocation[ImportWords.deleteMissing]
    refusesKnown = !session.options.saysYes && !session.isDryRun && !invocation.has(ImportWords.onDuplicate)
    countsKnown = session.isDryRun && !session.options.saysYes && !invocation.has(ImportWords.onDuplicate)
    skipsRejectedRows = invocation.has(ImportWords.rejects)
    acceptsUnmatchedColumns = session.options.saysYes
    fillsShortRows = (session.options.saysYes || session.isDryRun) && !skipsRejectedRows
    let name = ImportWords.onDuplicate.name
    try refuse([ImportWords.key], invocation, unless: duplicates != .add, "\(name) skip or update")
    try refuse(
      [ImportWords.onConflict, ImportWords.order, ImportWords.deleteMissing], invocation,
      unless: duplicates == .update, "\(name) update")
    if !format.canReject { try session.refuse([ImportWords.rejects], unless: \.canReject) }
    if !format.isTable { try session.refuse([ImportWords.noHeader, ImportWords.delimiter]) }
  }

  /// - Throws: a `Failure` with code `usage` if an option is given that only works with another one.
  private func refuse(
    _ options: [any DeclaredOption], _ invocation: Invocation, unless isAllowed: Bool, _ other: String
  ) throws {
    guard !isAllowed, let option = options.first(where: { invocation.has($0) }) else { return }
    throw Failure.usage("\(option.name) needs \(other)", offendingArgument: option.name)
  }

  /// The character given by `--delimiter`.
  private static func character(_ text: String) throws -> Character {
    if text.lowercased() == "tab" { return "\t" }
    guard text.count == 1, let character = text.first, isDelimiter(character) else {
      throw Failure.usage(
        "--delimiter must be one ASCII character or tab, not \(quoted(text))", offendingArgument: text)
    }
    return character
  }

  /// Adds `A=name,B=-` to the mapping; a comma that does not end a pair belongs to the name of a column.
  private mutating func map(_ text: String) throws {
    var waiting = ""
    var pairs: [(column: String, target: String)] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      waiting += waiting.isEmpty ? piece : "," + piece
      guard let equals = waiting.lastIndex(of: "=") else { continue }
      pairs.append((String(waiting[..<equals]), String(waiting[waiting.index(after: equals)...])))
      waiting = ""
    }
    guard waiting.isEmpty, !pairs.isEmpty else {
      throw Failure.usage("--map must be COLUMN=FIELD, not \(quoted(waiting))")
    }
    for (column, name) in pairs {
      guard let target = ColumnTarget(named: name) else {
        let names = ColumnTarget.targetNames
        throw Failure.usage(
          "--map: there is no field \(quoted(name))",
          hint: nearest(to: name, among: names).map(didYouMean)
            ?? "the fields are \(names.joined(separator: ", ")); to keep it as an extra column: extra.NAME")
      }
      do { try map(column, to: target) } catch let error as TransferError {
        throw Failure(error, file: "", rejects: RejectedRows())
      }
    }
  }
}

extension Failure {
  /// What helps with files of other programs, by the extension of their names.
  fileprivate static let remedies: [String: String] = {
    let sheets = ["xlsx", "xls", "xlsm", "ods", "numbers"].map { ($0, "save it as CSV and import that") }
    let packed = ["gz", "zip", "xz", "bz2", "7z"].map { ($0, "unpack it and import the file in it") }
    let lists = ["sqlite", "sqlite3", "db"].map {
      ($0, "if it is a customers file: customers export --db FILE | customers import -")
    }
    return Dictionary(uniqueKeysWithValues: sheets + packed + lists)
  }()
}

extension Session {
  /// The format of a file: from `--format`, otherwise from its name.
  ///
  /// - Throws: a `Failure` with code `usage` for an unknown extension.
  func fileFormat(of path: String?) throws -> FileFormat {
    if let named = try formatName().flatMap(FileFormat.init(named:)) { return named }
    let path = path ?? ""
    guard let format = FileFormat(path: path), invocation.command?.formats.names.contains(format.name) == true
    else {
      let name = FileFormat.fileExtension(of: path) ?? ""
      throw Failure.usage(
        "can't tell the format of \(quoted(path)) from .\(printable(name))",
        hint: (invocation.command?.name == "import" ? Failure.remedies[name] : nil)
          ?? "add --format \(invocation.command?.formats.names.joined(separator: "|") ?? "")",
        offendingArgument: path)
    }
    return format
  }

  /// - Throws: a `Failure` with code `usage` if an option is given that only works with some formats: tables, unless
  ///   others are named.
  func refuse(
    _ options: [any DeclaredOption], unless hasOption: (FileFormat) -> Bool = { $0.isTable }
  ) throws {
    guard let option = options.first(where: { invocation.has($0) }) else { return }
    let formats = FileFormat.all.filter(hasOption).map(\.name)
    throw Failure.usage(
      "\(option.name) only works with \(listed(formats, "and"))", offendingArgument: option.name)
  }
}
