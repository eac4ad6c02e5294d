internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

/// The form of what a command prints.
enum OutputFormat: Hashable, Sendable {
  case table, markdown, ids, mutt, json, ndjson
  /// Rows as in a file of a format.
  case file(FileFormat)

  /// The forms of a list of rows.
  static let ofLists: [OutputFormat] = [
    .table, .markdown, .file(.csv), .file(.tsv), .json, .ndjson, .file(.vcard), .ids, .mutt,
  ]

  /// The name, as `--format` takes it, and its use in a sentence or two.
  var manual: (name: String, summary: String) {
    switch self {
    case .table: ("table", "Aligned columns, for people; on a terminal, cut to its width.")
    case .ids: ("ids", "One id per line, which other commands read with `-` as ROW.")
    case .mutt:
      ("mutt", "E-mail addresses, as query_command of mutt reads them.")
    case .markdown: FileFormat.markdown.manual
    case .json: FileFormat.json.manual
    case .ndjson: FileFormat.ndjson.manual
    case .file(let format): format.manual
    }
  }

  var name: String { manual.name }

  /// Whether it is a table for people.
  var isForPeople: Bool { self == .table || self == .markdown }

  /// A writer of a list in this form.
  ///
  /// - Parameters:
  ///   - session: the run that prints it.
  ///   - list: the list.
  ///   - listing: what is listed and how.
  ///   - columns: the columns; nil for the usual ones of the form.
  ///   - filter: the rows that are written; matches of its search are highlighted on a terminal.
  ///   - isOneLine: whether a JSON array is written on one line.
  /// - Returns: the writer, which has written nothing yet.
  /// - Throws: `StoreError`.
  func listWriter(
    _ session: Session, _ list: borrowing CustomerList, _ listing: Listing, columns: [ListColumn]?,
    filter: RowFilter, isOneLine: Bool
  ) throws -> any ListWriter {
    let outline = try list.outline()
    switch self {
    case .table, .markdown:
      let customers = CustomerColumns(
        outline, largestID: try list.largestID(), columns: columns, search: filter.search)
      let table = session.table(
        customers.tableColumns, in: self, hasHeader: listing.hasHeader, marking: filter.search)
      return TableListWriter(table, customers, hasSections: outline.sections.count > 1)
    case .ids: return IDListWriter(session.output)
    case .json, .ndjson:
      return JSONListWriter(
        session.output, outline, columns, isArray: self == .json, isOneLine: isOneLine)
    case .mutt: return MuttListWriter(session.output)
    case .file: preconditionFailure("an export writes it")
    }
  }
}

extension OutputFormat: CustomStringConvertible {
  var description: String { name }
}

extension FileFormat {
  fileprivate var manual: (name: String, summary: String) { (name, summary) }
}

/// The formats that a command takes with `--format`.
enum CommandFormats: Sendable {
  /// Those of its output.
  case printed([OutputFormat])
  /// Those of the file that it reads or writes; its output is for people or JSON with `--json`.
  case ofFile([FileFormat])

  var names: [String] {
    switch self {
    case .printed(let formats): formats.map(\.name)
    case .ofFile(let formats): formats.map(\.name)
    }
  }

  var areOfFile: Bool { if case .ofFile = self { true } else { false } }

  /// Whether there are others than a table and JSON.
  var areUnusual: Bool { !names.allSatisfy(["table", "json"].contains) }

  /// The names and uses of all formats, in the order of help.
  static let manual: [(name: String, summary: String)] = {
    let files = FileFormat.writable.filter { $0 != .markdown }.map(OutputFormat.file)
    return ([.table, .markdown] + files + [.ids, .mutt]).map(\.manual)
  }()
}

/// A customer in output for programs.
enum OutputRecord {
  static func json(
    _ customer: Customer, _ outline: ListOutline, _ columns: [ListColumn]? = nil
  ) -> JSON {
    columns.map { columns in .object(columns.map { ($0.name, $0.value(customer, outline)) }) }
      ?? JSONShapes.customer.json((customer, outline))
  }
}

/// Writes JSON piece by piece, for arrays that need not fit into memory.
struct JSONWriter {
  private let stream: Stream
  /// The text between two elements of an array, besides the comma.
  private let gap: String
  /// Whether the open array or object is still empty.
  private var isFirst = true

  /// With `isOneLine`, the elements of an array are on one line.
  init(_ stream: Stream, isOneLine: Bool = false) {
    self.stream = stream
    gap = isOneLine ? "" : "\n"
  }

  mutating func beginObject() throws { try begin("{") }

  /// Writes a key; its value comes next.
  mutating func name(_ name: String) throws {
    try stream.write((isFirst ? "" : ",") + JSON.string(name).text + ":")
    isFirst = false
  }

  mutating func members(_ pairs: [(String, JSON)]) throws {
    for (name, value) in pairs {
      try self.name(name)
      try stream.write(value.text)
    }
  }

  mutating func endObject() throws { try end("}") }

  mutating func beginArray() throws { try begin("[") }

  mutating func element(_ value: JSON) throws {
    try stream.write((isFirst ? "" : ",") + gap + value.text)
    isFirst = false
  }

  mutating func endArray() throws { try end(gap + "]") }

  private mutating func begin(_ sign: String) throws {
    try stream.write(sign)
    isFirst = true
  }

  private mutating func end(_ sign: String) throws {
    try stream.write(sign)
    isFirst = false
  }
}
