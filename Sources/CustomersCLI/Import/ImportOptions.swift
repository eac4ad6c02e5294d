internal import Formats

/// What the command line says about an import.
struct ImportOptions {
  /// What happens with a customer of the file that the list has already.
  enum OnDuplicate: String, CaseIterable { case add, skip, update }

  let path: String
  let format: Format
  let encoding: TextEncoding?
  let hasHeader: Bool
  let map: ColumnMap
  /// The text that stands for no value.
  let null: String?
  let onDuplicate: OnDuplicate
  /// Where rows go that are none.
  let rejects: String?

  static let options: [Option] = [
    .value("--map", "COLUMN=FIELD,…", "which field a column goes to"),
    .flag("--no-header", "csv and tsv: the first line is a customer; columns are called 1, 2, …"),
    .value(
      "--encoding", "NAME", choices: TextEncoding.allCases.map(\.rawValue), "what the file is written in"),
    .value("--null", "TEXT", "the text that stands for no value, as NULL"),
    .value(
      "--on-duplicate", "WHAT", choices: OnDuplicate.allCases.map(\.rawValue),
      "what happens with a customer that is there"),
    .value("--rejects", "FILE", "take the good rows, and write the bad ones here"),
    .value("--at", "N", "from row N on"),
  ]

  init(_ session: Session) throws {
    let invocation = session.invocation
    path = invocation.operands[0]
    format = try session.fileFormat(of: path)
    encoding = invocation.value("--encoding").flatMap(TextEncoding.init(rawValue:))
    hasHeader = !invocation.has("--no-header")
    map = try ColumnMap(invocation.value("--map"))
    null = invocation.value("--null")
    onDuplicate = invocation.value("--on-duplicate").flatMap(OnDuplicate.init(rawValue:)) ?? .add
    rejects = invocation.value("--rejects")
    guard rejects == nil || format == .csv || format == .tsv else {
      throw Failure.usage("--rejects works with csv and tsv")
    }
    guard hasHeader || format == .csv || format == .tsv else {
      throw Failure.usage("--no-header works with csv and tsv")
    }
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
