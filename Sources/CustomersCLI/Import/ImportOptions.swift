internal import Formats

/// What the command line says about an import.
struct ImportOptions {
  /// What happens with a customer of the file that the list has already.
  enum OnDuplicate: String, CaseIterable { case add, skip, update }

  let format: Format
  let encoding: TextEncoding?
  /// How a table is written; nil if that is to be recognized.
  let dialect: TableDialect?
  let hasHeader: Bool
  let map: ColumnMap
  /// The text that stands for no value.
  let null: String?
  let onDuplicate: OnDuplicate
  /// The column by which customers are recognized; the e-mail address if there is none.
  let key: String?
  /// Where rows go that can't be imported.
  let rejects: String?
  /// Whether a person has said yes to everything.
  let isConfirmed: Bool

  static let groups: [OptionGroup] = [
    .values("--map", .columnMap, "import a column as a field"),
    .flag("--no-header", "csv and tsv: the first line is a customer; columns are called 1, 2, …"),
    .value("--encoding", .choice(TextEncoding.allCases.map(\.rawValue), "NAME"), "file encoding"),
    .value("--delimiter", .text("CHARACTER"), "csv field separator, as ';' or tab (default: recognized)"),
    .value("--null", .text(), "the text that means \"no value\", as NULL"),
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

  /// Of a file without names of columns nothing can be recognized.
  private static func dialect(_ invocation: Invocation, _ format: Format) throws -> TableDialect? {
    if let text = invocation.value("--delimiter") { return .separated(by: try Delimiter.named(text)) }
    if format == .tsv { return .tsv }
    return invocation.has("--no-header") ? .csv : nil
  }
}
