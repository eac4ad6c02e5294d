public import CustomerStore

/// What an export writes, and how.
public struct ExportOptions: Sendable {
  /// The format of the file.
  public var format: FileFormat
  /// The only section to export; nil for all.
  public var section: SectionID?
  /// The customers to export; nil for all.
  public var filter: RowFilter?
  /// Whether the first line of a table names the columns.
  public var hasHeader = true
  /// Whether the lines of a table end with CR LF instead of LF.
  public var usesCRLF = false
  /// Whether spreadsheets are prevented from treating texts of a table as formulas; an import restores them.
  public var isSpreadsheetSafe = false
  /// Whether the first column of a table has the ids, by which an import into the same list can recognize the
  /// customers.
  public var includesIDs = false

  /// Creates the options of a format.
  public init(format: FileFormat = .csv) { self.format = format }
}
