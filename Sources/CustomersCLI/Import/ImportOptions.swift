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
    .value("--encoding", "NAME", "utf-8, utf-16, latin1 or windows-1252"),
    .value("--null", "TEXT", "the text that stands for no value, as NULL"),
    .value("--on-duplicate", "WHAT", "add (always), skip or update a customer that is there"),
    .value("--rejects", "FILE", "take the good rows, and write the bad ones here"),
    .value("--at", "N", "from row N on"),
  ]

  init(_ session: Session) throws {
    let invocation = session.invocation
    path = invocation.operands[0]
    format = try session.fileFormat(of: path)
    encoding = try invocation.choice("--encoding", TextEncoding.self)
    hasHeader = !invocation.has("--no-header")
    map = try ColumnMap(invocation.value("--map"))
    null = invocation.value("--null")
    onDuplicate = try invocation.choice("--on-duplicate", OnDuplicate.self) ?? .add
    rejects = invocation.value("--rejects")
    guard rejects == nil || format == .csv || format == .tsv else {
      throw Failure.usage("--rejects works with csv and tsv")
    }
    guard hasHeader || format == .csv || format == .tsv else {
      throw Failure.usage("--no-header works with csv and tsv")
    }
  }
}

extension Invocation {
  /// The value of an option that takes one of some words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: String, _: Choice.Type
  ) throws -> Choice? {
    guard let text = value(option) else { return nil }
    guard let choice = Choice(rawValue: text.lowercased()) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("\(option) takes one of \(names), not \(quoted(text))")
    }
    return choice
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
