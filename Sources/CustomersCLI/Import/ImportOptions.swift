internal import Formats

/// What the command line says about an import.
struct ImportOptions {
  /// What happens with a customer of the file that the list has already.
  enum OnDuplicate: String, CaseIterable { case add, skip, update }

  let context: Context
  let path: String
  let format: Format
  let encoding: TextEncoding?
  /// What stands between two fields of csv and tsv.
  let separator: Character
  let hasHeader: Bool
  let map: ColumnMap
  /// The text that stands for no value.
  let null: String?
  let onDuplicate: OnDuplicate
  /// Where rows go that are none.
  let rejects: String?

  static let groups: [OptionGroup] = [
    .value("--map", .columnMap, "which field a column goes to"),
    .flag("--no-header", "csv and tsv: the first line is a customer; columns are called 1, 2, …"),
    .value(
      "--encoding", .choice(TextEncoding.allCases.map(\.rawValue), "NAME"), "what the file is written in"),
    .value("--delimiter", .text("CHARACTER"), "what stands between two fields of csv, as ';'"),
    .value("--null", .text(), "the text that stands for no value, as NULL"),
    .value(
      "--on-duplicate", .choice(OnDuplicate.allCases.map(\.rawValue), "WHAT"),
      "what happens with a customer that is there"),
    .value("--rejects", .file(), "take the good rows, and write the bad ones here"),
  ]

  init(_ session: Session) throws {
    let invocation = session.invocation
    context = session.context
    path = invocation.operands[0]
    format = try session.fileFormat(of: path)
    encoding = invocation.value("--encoding").flatMap(TextEncoding.init(rawValue:))
    hasHeader = !invocation.has("--no-header")
    separator = try ImportOptions.separator(invocation) ?? (format == .tsv ? "\t" : ",")
    map = try ColumnMap(invocation.value("--map"))
    null = invocation.value("--null")
    onDuplicate = invocation.value("--on-duplicate").flatMap(OnDuplicate.init(rawValue:)) ?? .add
    rejects = invocation.value("--rejects")
    if format != .csv, format != .tsv,
      let option = ["--rejects", "--no-header", "--delimiter"].first(where: invocation.has)
    {
      throw Failure.usage("\(option) works with csv and tsv", offendingArgument: option)
    }
  }

  /// The delimiter that is given: one byte that is no part of a line end or a quote.
  private static func separator(_ invocation: Invocation) throws -> Character? {
    guard let text = invocation.value("--delimiter") else { return nil }
    guard text.utf8.count == 1, let separator = text.first, !"\"\n\r".contains(separator) else {
      throw Failure.usage(
        "--delimiter takes one ASCII character, not \(quoted(text))", offendingArgument: text)
    }
    return separator
  }
}

extension Session {
  /// The format of a file: what `--format` says, else the end of its name, else CSV.
  func fileFormat(of path: String?) throws -> Format {
    if let format = try namedFormat() { return format }
    let name = path?.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return .csv }
    return switch name[name.index(after: dot)...].lowercased() {
    case "tsv", "tab": .tsv
    case "json": .json
    case "ndjson", "jsonl": .ndjson
    case "vcf", "vcard": .vcard
    default: .csv
    }
  }
}
