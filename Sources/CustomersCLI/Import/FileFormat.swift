internal import CustomersFiles
internal import CustomersFormats
internal import CustomersTerminalText

/// The format of a file of customers, from its name.
enum FileFormat {
  /// The format for a file name extension; CSV without one.
  ///
  /// - Throws: a `Failure` with code `usage` for an unknown extension.
  static func named(by path: String?, among formats: [Format]) throws -> Format {
    let name = path?.split(separator: "/").last ?? ""
    guard let dot = name.dropFirst().lastIndex(of: ".") else { return .csv }
    let end = name[name.index(after: dot)...].lowercased()
    switch end {
    case "csv", "txt": return .csv
    case "tsv", "tab": return .tsv
    case "json": return .json
    case "ndjson", "jsonl": return .ndjson
    case "vcf", "vcard": return .vcard
    case "md" where formats.contains(.markdown): return .markdown
    default:
      throw Failure.usage(
        "\(quoted(path ?? "")): .\(printable(end)) is not the name of a format",
        hint: "add --format \(formats.map(\.rawValue).joined(separator: "|"))",
        offendingArgument: path)
    }
  }
}

extension Session {
  /// The format of a file: from `--format`, otherwise from its name.
  func fileFormat(of path: String?) throws -> Format {
    try namedFormat() ?? FileFormat.named(by: path, among: invocation.command?.formats ?? Format.ofFiles)
  }
}

extension FileContent {
  /// Checks that the content may have a format.
  ///
  /// - Throws: a `Failure` with the format of the content.
  func prove(_ format: Format, of name: String, at path: String) throws {
    switch self {
    case .json where format != .json && format != .ndjson:
      throw Failure.usage("\(name) is JSON, not \(format)", hint: "add --format json")
    case .vcard where format != .vcard:
      throw Failure.usage("\(name) is a vCard, not \(format)", hint: "add --format vcard")
    case .foreign(let kind):
      let file = path == "-" ? "FILE" : printable(path)
      let hint =
        self == .database
        ? "of a customers file: customers export --db \(file) | customers import -"
        : "save it as CSV, and import that"
      throw Failure(code: .failed, message: "\(name) is \(kind), not \(format)", hint: hint)
    case .text, .json, .vcard: break
    }
  }
}
