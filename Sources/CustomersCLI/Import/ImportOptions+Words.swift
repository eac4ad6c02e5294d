internal import CustomerStore
internal import CustomerTransfer
internal import CustomersTerminalText

extension ImportOptions {
  static let groups: [OptionGroup] = [
    .values("--map", .columnMap, "import a column as a field"),
    .flag("--no-header", "(csv, tsv) the first line is a customer; columns are named 1, 2, …"),
    .value("--encoding", .choice(FileEncoding.allCases.map(\.rawValue), "NAME"), "file encoding"),
    .value("--delimiter", .text("CHARACTER"), "csv field separator, such as ';' or tab (default: detected)"),
    .value("--null", .text(), "text that means \"no value\", such as NULL"),
    .value(
      "--on-duplicate", .choice(DuplicateHandling.allCases.map(\.rawValue), "WHAT"),
      "what to do with customers already in the list"),
    .value("--key", .fileColumn, "recognize customers by this column (default: email)"),
    .value("--rejects", .file(.write), "import the valid rows and write the rejected ones to FILE"),
  ]

  /// Parses the options of `import`.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(_ session: Session) throws {
    let invocation = session.invocation
    self.init(format: try session.fileFormat(of: invocation.operands[0]))
    encoding = invocation.value("--encoding").flatMap(FileEncoding.init(rawValue:))
    hasHeader = !invocation.has("--no-header")
    delimiter = try invocation.value("--delimiter").map(ImportOptions.delimiter)
    for text in invocation.values("--map") { try map(text) }
    nullText = invocation.value("--null")
    duplicates = invocation.value("--on-duplicate").flatMap(DuplicateHandling.init(rawValue:)) ?? .add
    key = invocation.value("--key")
    skipsRejectedRows = invocation.has("--rejects")
    acceptsUnmatchedColumns = invocation.has("--yes")
    if key != nil, duplicates == .add {
      throw Failure.usage("--key only works with --on-duplicate skip or update", offendingArgument: "--key")
    }
    if !format.isTable { try session.refuse(["--rejects", "--no-header", "--delimiter"]) }
  }

  /// The character given by `--delimiter`.
  private static func delimiter(_ text: String) throws -> Character {
    if text.lowercased() == "tab" { return "\t" }
    guard text.count == 1, let character = text.first, isDelimiter(character) else {
      throw Failure.usage(
        "--delimiter needs one ASCII character or tab, not \(quoted(text))", offendingArgument: text)
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
      throw Failure.usage("--map needs COLUMN=FIELD, not \(quoted(waiting))")
    }
    for (column, name) in pairs {
      guard let target = ColumnTarget(named: name) else {
        let names = ColumnTarget.targetNames
        throw Failure.usage(
          "--map: there is no field \(quoted(name))",
          hint: nearest(to: name, among: names).map { "did you mean '\($0)'?" }
            ?? "the fields are \(names.joined(separator: ", ")); extra.NAME keeps the column under that name")
      }
      do { try map(column, to: target) } catch let error as TransferError {
        throw Failure(error, file: "", details: [])
      }
    }
  }
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
      throw Failure.usage(
        "\(quoted(path)): .\(printable(FileFormat.fileExtension(of: path) ?? "")) is not the name of a format",
        hint: "add --format \(invocation.command?.formats.names.joined(separator: "|") ?? "")",
        offendingArgument: path)
    }
    return format
  }

  /// - Throws: a `Failure` with code `usage` if an option is given that only works with tables.
  func refuse(_ options: [String]) throws {
    guard let option = options.first(where: invocation.has) else { return }
    let tables = FileFormat.all.filter(\.isTable).map(\.name)
    throw Failure.usage("\(option) only works with \(listed(tables, "and"))", offendingArgument: option)
  }
}
