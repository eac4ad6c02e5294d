internal import CustomersFormats

/// The options of an import.
struct ImportOptions {
  /// The action for a customer that is already in the list.
  enum OnDuplicate: String, CaseIterable { case add, skip, update }

  let format: Format
  let encoding: TextEncoding?
  /// The dialect of a table; nil to detect it.
  let dialect: TableDialect?
  let hasHeader: Bool
  let map: ColumnMap
  /// The text that means "no value".
  let null: String?
  let onDuplicate: OnDuplicate
  /// The column by which customers are recognized; by default the e-mail address.
  let key: String?
  /// The file for rows that can't be imported.
  let rejects: String?
  /// Whether `--yes` is given.
  let isConfirmed: Bool

  static let groups: [OptionGroup] = [
    .values("--map", .columnMap, "import a column as a field"),
    .flag("--no-header", "(csv, tsv) the first line is a customer; columns are named 1, 2, …"),
    .value("--encoding", .choice(TextEncoding.allCases.map(\.rawValue), "NAME"), "file encoding"),
    .value("--delimiter", .text("CHARACTER"), "csv field separator, such as ';' or tab (default: detected)"),
    .value("--null", .text(), "text that means \"no value\", such as NULL"),
    .value(
      "--on-duplicate", .choice(OnDuplicate.allCases.map(\.rawValue), "WHAT"),
      "what to do with customers already in the list"),
    .value("--key", .fileColumn, "recognize customers by this column (default: email)"),
    .value("--rejects", .file(.write), "import the valid rows and write the rejected ones to FILE"),
  ]

  init(_ session: Session) throws {
    let invocation = session.invocation
    format = try session.fileFormat(of: invocation.operands[0])
    encoding = invocation.value("--encoding").flatMap(TextEncoding.init(rawValue:))
    hasHeader = !invocation.has("--no-header")
    dialect = try ImportOptions.dialect(invocation, format)
    map = try ColumnMap(invocation.values("--map"))
    null = invocation.value("--null")
    onDuplicate = invocation.value("--on-duplicate").flatMap(OnDuplicate.init(rawValue:)) ?? .add
    key = invocation.value("--key")
    rejects = invocation.value("--rejects")
    isConfirmed = invocation.has("--yes")
    if key != nil, onDuplicate == .add {
      throw Failure.usage("--key only works with --on-duplicate skip or update", offendingArgument: "--key")
    }
    if format != .csv, format != .tsv,
      let option = ["--rejects", "--no-header", "--delimiter"].first(where: invocation.has)
    {
      throw Failure.usage("\(option) only works with csv and tsv", offendingArgument: option)
    }
  }

  /// Nothing can be recognized in a file without column names.
  private static func dialect(_ invocation: Invocation, _ format: Format) throws -> TableDialect? {
    if let text = invocation.value("--delimiter") { return .separated(by: try Delimiter.named(text)) }
    if format == .tsv { return .tsv }
    return invocation.has("--no-header") ? .csv : nil
  }
}
