public import CustomerStore

/// What an export writes and how.
public struct ExportOptions: Sendable {
  /// The format of the file.
  public var format: FileFormat
  /// The only section to export; nil for all.
  public var section: SectionID?
  /// The customers to export; nil for all.
  public var filter: RowFilter?
  /// The columns of a table or the members of an object; nil for all that an import needs.
  public var columns: [ListColumn]?
  /// Whether the first line of a table names the columns.
  public var hasHeader = true
  /// Whether the lines of a table end with CR LF instead of LF.
  public var usesCRLF = false
  /// Whether spreadsheets are prevented from treating values of a table as formulas; an import restores them.
  public var isSpreadsheetSafe = false
  /// Whether the first columns of a table are `id` and `version`, by which an import into the same list recognizes the
  /// customers, and what was changed in the file.
  public var includesIDs = false
  /// The version of address cards.
  public var vCardVersion = VCardVersion.version4

  /// Creates the options of a format.
  public init(format: FileFormat = .csv) { self.format = format }
}

/// A version of address cards.
public enum VCardVersion: String, CaseIterable, Sendable {
  /// RFC 2426, for programs that don't read 4.0, such as those of old phones.
  case version3 = "3"
  /// RFC 6350.
  case version4 = "4"
}
