internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

/// How a file is read, and where its customers go.
struct AskedImport: Sendable {
  /// The name of the file that was sent in pieces; nil if the request has the content.
  let file: String?
  let content: [UInt8]
  private let name: String
  private let duplicates: DuplicateHandling
  private let hasHeader: Bool
  /// Whether rows that can't be imported are left out.
  private let leavesOut: Bool
  /// What columns become that are not to be recognized.
  private let mapping: [ImportedColumn]
  private let kinds: [ColumnKindChoice]
  /// The place of all customers; nil for the one that the file names, or else the end.
  let destination: Destination?
  let section: SectionID?
  /// Whose change counts in a file that was handed out, for all conflicts and for some.
  private let winner: ConflictSide?
  private let sides: [String: ConflictSide]
  /// Whether the rows of such a file move as they lie there, and those that it lacks are deleted.
  private let takesOrder: Bool, deletesMissing: Bool
  /// What the user has confirmed; nil if the request does not say.
  let choices: ImportChoices?

  init(_ body: JSONMembers) throws {
    guard body.has("file") != body.has("content") else {
      throw body.wrong("content", "the content of a file, or \"file\" instead")
    }
    file = try body.given("file", body.file)
    content = Array((try body.given("content", body.text) ?? "").utf8)
    name = String(try body.text("name").prefix(300))
    let handling = try body.given("duplicates", body.text) ?? "add"
    guard let duplicates = DuplicateHandling(rawValue: handling) else {
      throw body.wrong("duplicates", "\"add\", \"skip\" or \"update\"")
    }
    self.duplicates = duplicates
    hasHeader = try body.given("header", body.flag) ?? true
    leavesOut = try body.given("leave_out", body.flag) ?? false
    var (mapping, kinds): ([ImportedColumn], [ColumnKindChoice]) = ([], [])
    for column in try body.given("columns", body.objects) ?? [] {
      try column.allow(Route.importColumn.members.map(\.name))
      let name = try column.text("name")
      if let word = try column.given("to", column.text) {
        guard let target = ColumnTarget(named: word) else { throw column.wrong("to", "a field, or -") }
        if case .field(.extra(let title)) = target { try ListEdit.checkTitles([title]) }
        mapping.append(ImportedColumn(name: name, target: target))
      }
      if let word = try column.given("kind", column.text) {
        guard let choice = ColumnKindChoice(column: name, word: word) else {
          throw column.wrong("kind", "a kind, or how its values are read")
        }
        kinds.append(choice)
      }
    }
    (self.mapping, self.kinds) = (mapping, kinds)
    destination = try body.given("to", body.destination)
    section = try body.given("section", body.number).map { SectionID(rawValue: Int64($0)) }
    winner = try body.given("resolve", body.conflictSide)
    sides = try body.sides()
    (takesOrder, deletesMissing) = (
      try body.given("order", body.flag) ?? false, try body.given("delete_missing", body.flag) ?? false
    )
    choices = try body.given("choices", body.text).flatMap { ImportChoices($0) }
  }

  /// Returns a function that reads all of it, piece by piece.
  func reader(_ file: KeptFiles.File?) -> () throws -> [UInt8] {
    file?.reader() ?? onePiece(content)
  }

  /// The options for the file.
  ///
  /// - Throws: `APIError` if no import reads files of its kind, or two columns would be the same field.
  func options(isPreview: Bool) throws -> ImportOptions {
    let format = try format()
    var options = ImportOptions(format: format)
    // The preview says how many rows are short.
    (options.duplicates, options.fillsShortRows) = (duplicates, true)
    if format.isTable { (options.hasHeader, options.kinds) = (hasHeader, kinds) }
    for column in mapping {
      do { try options.map(column.name, to: column.target) } catch TransferError.targetMappedTwice(let target)
      {
        throw APIError(.invalid, "Two columns are imported as \(target.title).")
      } catch let error as TransferError {
        throw APIError(.invalid, "\(error)".sentence)
      }
    }
    options.skipsRejectedRows = leavesOut
    (options.takesOrder, options.deletesMissing) = (takesOrder, deletesMissing)
    options.countsKnown = isPreview && duplicates == .add
    (options.conflictWinner, options.conflictSides) = (isPreview ? winner ?? .ours : winner, sides)
    return options
  }

  /// The format of the file.
  ///
  /// - Throws: `APIError` if no import reads files of its kind.
  func format() throws -> FileFormat { try AskedImport.format(ofFile: name) }

  /// The format of a file, by its name.
  ///
  /// - Throws: `APIError` if no import reads files of its kind.
  static func format(ofFile name: String) throws -> FileFormat {
    if let format = FileFormat(path: name), format.isReadable { return format }
    let formats = FileFormat.readable.map(\.name).joined(separator: ", ")
    throw APIError(
      .invalid,
      "\(name.quotedShort) is in none of these formats: \(formats). Save a spreadsheet as xlsx or CSV.")
  }
}

extension ColumnTarget {
  /// What people call it.
  fileprivate var title: String {
    switch self {
    case .field(let field): field.title
    case .name: "Name"
    case .section: "Section"
    default: description
    }
  }
}

extension JSONMembers {
  /// Whose change counts.
  func conflictSide(_ name: String) throws(JSONMistake) -> ConflictSide {
    guard let side = ConflictSide(rawValue: try text(name)) else {
      throw wrong(name, "\"ours\" or \"theirs\"")
    }
    return side
  }

  /// Whose change counts in the conflicts that are decided one by one, by their keys.
  func sides() throws(JSONMistake) -> [String: ConflictSide] {
    var sides: [String: ConflictSide] = [:]
    for choice in try given("sides", objects) ?? [] {
      try choice.allow(Route.choice.members.map(\.name))
      sides[try choice.text("key")] = try choice.conflictSide("side")
    }
    return sides
  }
}

/// The first rows of a table that is to be imported, as they are in the file, and what its columns become.
struct ImportedTable {
  private static let rowCount = 5
  private let columns: [ImportedColumn]
  private let rows: [[String]]

  /// Reads them; nil if the file is no table.
  ///
  /// - Throws: `TransferError` or what reading throws.
  init?(_ importer: CustomerImporter) throws {
    guard importer.options.format.isTable else { return nil }
    do { columns = try importer.columns() } catch TransferError.noMatchingColumn(let names) {
      columns = names.map { ImportedColumn(name: $0, target: .extra) }
    }
    rows = try importer.head(ImportedTable.rowCount)
  }

  /// The table as JSON.
  ///
  /// - Parameter summary: what the import would do; nil if it would be refused.
  /// - Returns: the JSON.
  func json(_ summary: ImportSummary?) -> JSON {
    let columns = (summary?.columns ?? columns).map { column in
      let (target, kind) = (column.target, summary?.kinds.first { $0.header == column.name })
      // That of a column which the list has declared is fixed.
      let mayChoose = target.isExtra && kind?.isNew != false
      return JSON.object(
        [("name", .string(column.name)), ("means", .string(target.description))]
          + (ColumnTarget(named: target.word) == target ? [("to", .string(target.word))] : [])
          + (mayChoose ? [("kind", .string((kind?.open == [] ? kind?.kind : nil)?.rawValue ?? "text"))] : [])
          + (kind?.open.isEmpty == false ? [("readings", .array(kind?.open.map(JSON.string) ?? []))] : []))
    }
    return .object([
      ("columns", .array(columns)), ("rows", .array(rows.map { .array($0.map(JSON.string)) })),
      ("is_returned", .bool(self.columns.contains { $0.target == .version })),
    ])
  }

  /// The reference of it.
  static let type = JSONObjectType(
    "imported_table", "The start of a table that is to be imported.",
    [
      .always(
        "columns",
        .list(
          .object(
            "imported_column", "A column of a file, and what it becomes.",
            [
              .always("name", .text, "its name in the file"),
              .always("means", .text, "what it becomes, in words"),
              .optional("to", .text, "the same as a request names it, if it can"),
              .optional("kind", .text, "of an extra column: what its values are"),
              .optional("readings", .list(.text), "the ways to read its values, if there are several"),
            ])), "the columns, in their order"),
      .always("rows", .list(.list(.text)), "the first rows, as they are in the file"),
      .always("is_returned", .flag, "whether an export with ids wrote the file"),
    ])
}

/// What an import did that was rolled back.
struct ImportTrial: Sendable {
  let summary: ImportSummary
  /// As a sentence.
  let text: String
  let lines: [String]
  /// How the file is read, so that the import does the same.
  let read: JSON
  /// What a file has that was handed out.
  let more: [(String, JSON)]
}

extension CustomerImporter {
  /// Imports the file, in a transaction that is rolled back.
  func trial(
    in list: inout CustomerList, _ asked: AskedImport, _ rejects: RejectedRows
  ) throws -> ImportTrial {
    let earlier = try list.lastImport(of: self)
    try list.refuse(asked.section, beside: asked.destination)
    let summary = try list.importCustomers(from: self, at: asked.destination, in: asked.section)
    let preview = ImportPreview(summary, options)
    var notes: [String] = []
    if options.format.isTable, !options.hasHeader { notes.append("\(TransferError.noHeader)".sentence) }
    if let earlier { notes.append("This file was already imported (history step \(earlier.id)).") }
    if summary.known > 0 {
      notes.append(ImportSummary.known(count: summary.known, first: summary.firstKnownName) + ".")
    }
    if let line = summary.firstFilledLine {
      notes.append("\(counted(summary.filledRows, "row")) end with empty values, the first in line \(line).")
    }
    notes += summary.kinds.flatMap(\.notes).map(\.sentence)
    if rejects.count > 0 {
      notes.append("\(counted(rejects.count, "row")) can't be imported and would be left out:")
      notes += rejects.details
    }
    return ImportTrial(
      summary: summary, text: summary.sentence(options, count: try list.count(), isDryRun: true),
      lines: notes + (options.format.isTable ? preview.linesBelowColumns : preview.lines),
      read: .object([
        ("header", .bool(options.hasHeader)), ("leave_out", .bool(rejects.count > 0)),
        ("choices", .string(choices.text)),
      ]), more: conflictMembers + returned(summary))
  }

  /// What both the list and a returned file changed, in an answer; nothing if there is nothing.
  var conflictMembers: [(String, JSON)] {
    conflicts.isEmpty ? [] : [("conflicts", .array(conflicts.map(\.answer)))]
  }

  private func returned(_ summary: ImportSummary) -> [(String, JSON)] {
    [("moved", summary.moved.count), ("missing", summary.missing.count)].filter { $0.1 > 0 }
      .map { ($0, .int($1)) }
  }
}

extension ImportConflict {
  fileprivate var answer: JSON {
    var values: (column: JSON, ours: JSON, theirs: JSON) = (.null, .null, .null)
    if case .value(let column, let ours, let theirs) = kind {
      values = (.string(column), .string(ours), .string(theirs))
    }
    return .object([
      ("key", .string(key)), ("text", .string(words)), ("id", .int(Int(id.rawValue))),
      ("name", .string(name)),
      ("column", values.column), ("ours", values.ours), ("theirs", values.theirs),
    ])
  }
}
