package import CustomerStore
internal import CustomersSystem

/// Why a file can't be imported or exported.
///
/// It names places, columns, and fields, but never quotes a person's data.
package enum TransferError: Error, Hashable, Sendable {
  /// The file is damaged, or a value is not valid, at a place.
  case malformed(FilePlace, reason: String)
  /// Rows in the file can't be imported, and where the first is and what is wrong with it;
  /// `CustomerImporter.onRejectedRow` receives each.
  case rejectedRows(count: Int, first: String?)
  /// The first line is rather a customer than the names of the columns; see `ImportOptions.hasHeader`. A mapping
  /// by names says that it is not.
  case noHeader
  /// The file has no bytes.
  case emptyFile
  /// The file has no customers, perhaps only columns.
  case noCustomers(columns: [String])
  /// The file is in another format, as in "the file is JSON".
  case otherFormat(FileFormat, kind: String, expected: FileFormat)
  /// The file is in a format that no import reads, as in "the file is a PDF".
  case foreignFormat(kind: String, expected: FileFormat)
  /// A part of a spreadsheet, or all of it, is damaged, or what no spreadsheet needs to be, and what helps.
  case spreadsheet(String, in: String? = nil, remedy: String? = nil)
  /// The spreadsheet has no sheet with a name or number, only these.
  case noSuchSheet(String, sheets: [String])
  /// The format is only written.
  case unreadableFormat(FileFormat)
  /// The format is only read.
  case unwritableFormat(FileFormat)
  /// No format has the extension of the file's name.
  case unknownExtension
  /// The file must not be replaced.
  case reserved(String)
  /// The delimiter is not one ASCII character other than a line end or a quote.
  case invalidDelimiter
  /// No column matches a field; see `ImportOptions.acceptsUnmatchedColumns`.
  case noMatchingColumn([String])
  /// The options name a column that the file does not have; perhaps another one was meant.
  case noSuchColumn(String, near: String?, in: ColumnUse)
  /// The options name a column by a name that matches several.
  case ambiguousColumn(String, [String], in: ColumnUse)
  /// The same column was mapped twice.
  case columnMappedTwice(String)
  /// Two columns were mapped to the same target.
  case targetMappedTwice(ColumnTarget)
  /// A column was mapped to the name of another column of the file.
  case nameTaken(String)
  /// The key is a column without a single value.
  case notAKey(String, ColumnTarget)
  /// Several customers in the list have the value of a customer of the file in the key.
  case severalMatches(FilePlace, CustomerField)
  /// A customer of the list can't be updated, because its `canEdit` is false.
  case protected(FilePlace, CustomerID)
  /// The list and the file were both changed; `CustomerImporter.conflicts` has the first conflicts.
  case conflicts(count: Int)
  /// The list has customers in the file already; see `ImportOptions.refusesKnown`.
  case knownCustomers(count: Int)
  /// Two rows in the file have the same id.
  case repeatedID(FilePlace, CustomerID)
  /// A row of a file that was handed out has the id of a customer who was not in it.
  case strangeID(FilePlace, CustomerID)
  /// A row of such a file has lost all its values.
  case emptied(FilePlace, CustomerID)
  /// The options need a file that was exported with `ExportOptions.includesIDs`.
  case noVersion
  /// The order and the missing rows of a file are unknown: its rows are from several versions, or from one to which
  /// the history does not reach back.
  case noCommonVersion
  /// The file was written by a copy of the list that was edited on its own, or before an older backup was restored: the
  /// same id may be another customer.
  case otherCopy
  /// What is missing in a file is unknown, because it was written with some rows only.
  case partOfList
  /// The list has got other extra columns since the file was prepared; prepare it again.
  case outdated
  /// A row of the list has a string that the format can't hold; no row if it is the name of a column.
  case notCarried(row: Int?, FileFormat)
  /// A row of the list has bytes that are not UTF-8.
  case unreadable(row: Int, CustomerID, column: String)

  /// The option that names a column.
  package enum ColumnUse: Sendable {
    /// `ImportOptions.map(_:to:)`.
    case mapping
    /// `ImportOptions.key`.
    case key
  }
}

/// A place in a file that is imported.
package struct FilePlace: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package var line: Int
  /// The byte of the line as UTF-8, from 1; nil if it would not help.
  package var column: Int?
  /// The number of the customer in the file, from 1, if lines mean little in its format.
  package var customer: Int?

  /// The place in words, as in "line 12, byte 3".
  package var description: String {
    if let customer { return "customer \(customer)" }
    return "line \(line)" + (column.map { ", byte \($0)" } ?? "")
  }
}

extension TransferError: ExplainedError {
  package var explanation: Explanation {
    switch self {
    case .malformed(let place, let reason): .failed("\(place): \(reason)", nothing: "imported")
    case .rejectedRows(let count, let first):
      .failed(
        "\(counted(count, "row")) of the file can't be imported"
          + (first.map { "; \(count == 1 ? "" : "the first is ")\($0)" } ?? ""),
        nothing: "imported")
    case .noHeader: .refused("the first line looks like a customer, not like the names of columns")
    case .emptyFile: .failed("the file is empty")
    case .noCustomers: .failed("there are no customers in the file")
    case .otherFormat(_, let kind, let expected): .usage("the file is \(kind), not \(expected)")
    case .foreignFormat(let kind, let expected): .failed("the file is \(kind), not \(expected)")
    case .spreadsheet(let reason, let part, let remedy):
      .failed(
        "\(part.map { "\($0): " } ?? "")\(reason)",
        .advice(remedy ?? "open it in a spreadsheet program, and save it as xlsx again"), nothing: "imported")
    case .noSuchSheet(let name, let sheets):
      .usage("there is no sheet \"\(name)\"; the sheets are \(listed(sheets.map { "\"\($0)\"" }, "and"))")
    case .unreadableFormat(let format): .usage("\(format) can't be imported")
    case .unwritableFormat(let format): .usage("\(format) can't be written")
    case .unknownExtension:
      .usage(
        "the extension is none of these: \(listed(FileFormat.writable.map { $0.fileExtensions[0] }, "and"))")
    case .reserved(let reason): .refused("the file can't be written: \(reason)")
    case .invalidDelimiter: .usage("a delimiter must be one ASCII character other than a line end or a quote")
    case .noMatchingColumn: .refused("no column of the file matches a field")
    case .noSuchColumn(let name, _, _): .usage("the file has no column \"\(name)\"")
    case .ambiguousColumn(let name, let columns, _):
      .usage("\"\(name)\" may be \(columns.count) columns of the file")
    case .columnMappedTwice(let name): .usage("column \"\(name)\" is mapped twice")
    case .targetMappedTwice(let target): .usage("two columns are imported as \(target)")
    case .nameTaken(let name): .usage("the file already has a column \"\(name)\"")
    case .notAKey(let name, let target): .usage("column \"\(name)\" is \(target), which is not one value")
    case .severalMatches(let place, let field):
      .notFound("\(place): several customers in the list have this \(field.column)", nothing: "imported")
    case .protected(let place, let id):
      .refused(
        "\(place): customer @\(id.rawValue) is protected against editing",
        .run(.allowEditing(id), to: "allow editing"), nothing: "imported")
    case .conflicts(let count):
      .refused("\(counted(count, "conflict")) between the list and the file", nothing: "imported")
    case .knownCustomers(let count):
      .refused("the list already has \(count) of the customers", nothing: "imported")
    case .repeatedID(let place, let id):
      .failed(
        "\(place): customer @\(id.rawValue) is in the file twice",
        .advice("leave the id of a new customer empty"), nothing: "imported")
    case .strangeID(let place, let id):
      .refused(
        "\(place): customer @\(id.rawValue) was not in the file when it was handed out",
        .advice("leave the id of a new customer empty"), nothing: "imported")
    case .emptied(let place, let id):
      .refused(
        "\(place): customer @\(id.rawValue) would be left empty",
        .advice("to delete a customer, delete the line"), nothing: "imported")
    case .noVersion: .refused("the file doesn't say which version of the list it is from")
    case .noCommonVersion:
      .refused(
        "the rows in the file are from several versions of the list, or from one that is no longer in the history",
        nothing: "imported")
    case .otherCopy:
      .refused(
        "the file was written by a copy of this list that was edited on its own",
        .advice("export it there again, without ids, and import it by a key such as the e-mail address"),
        nothing: "imported")
    case .partOfList:
      .refused(
        "the file was written with some rows in the list, so what is missing in it is unknown",
        nothing: "imported")
    case .outdated:
      .refused("the columns of the list have changed since the file was read", nothing: "imported")
    case .notCarried(let row, let format):
      .failed(
        "\(row.map { "row \($0)" } ?? "the name of a column") has \(format.limit), which \(format) can't hold",
        .advice("export it as \(listed(FileFormat.all.filter { !$0.isTable && $0.isComplete }.map(\.name)))"))
    case .unreadable(let row, let id, let column):
      .failed(
        "row \(row) has bytes in \(column) that are not UTF-8",
        .run(.edit(id), to: "re-enter that value"), nothing: "exported")
    }
  }
}
