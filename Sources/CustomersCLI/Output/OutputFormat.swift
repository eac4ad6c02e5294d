internal import CustomerStore
internal import CustomerTransfer

/// The form of what a command prints.
enum OutputFormat: Hashable, Sendable {
  case table, markdown, ids, mutt, json, ndjson
  /// Rows as in a file of a format.
  case file(FileFormat)

  /// The forms of a list of rows.
  static let ofLists: [OutputFormat] = [
    .table, .markdown, .file(.csv), .file(.tsv), .json, .ndjson, .file(.vcard), .file(.ldif), .ids, .mutt,
  ]

  /// The name, as `--format` takes it, and its use in a sentence or two.
  var manual: (name: String, summary: String) {
    switch self {
    case .table: ("table", "Aligned columns, for people. On a terminal they are cut to its width.")
    case .ids: ("ids", "One id per line, which other commands read with `-` as ROW.")
    case .mutt: ("mutt", "E-mail addresses, for mutt: set query_command=\"customers find --format mutt %s\"")
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
  var areUnusual: Bool { names != ["table", "json"] }

  /// The names and uses of all formats, in the order of help.
  static let manual: [(name: String, summary: String)] = {
    let files = FileFormat.writable.filter { $0 != .markdown }.map(OutputFormat.file)
    return ([.table, .markdown] + files + [.ids, .mutt]).map(\.manual)
  }()
}
