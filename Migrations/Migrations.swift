/// The schema of a customers file, step by step.
///
/// A shipped step is never edited: a change is a new step at the end of the list.
public enum Migrations {
  /// The `PRAGMA application_id` of a customers file: `Clst`.
  public static let applicationID: Int64 = 0x436C_7374
  /// The `application_id` of files written before version 0.1.0, which can't be read: `Cust`.
  public static let prereleaseApplicationID: Int64 = 0x4375_7374

  /// The steps in order; `PRAGMA user_version` is the number of steps that a file has.
  public static let steps: [String] = [
    text(PackageResources._001_tables_sql),
    text(PackageResources._002_tree_sql),
    text(PackageResources._003_numbering_sql),
    text(PackageResources._004_many_rows_sql),
    text(PackageResources._005_section_numbers_sql),
    text(PackageResources._006_history_sql),
    text(PackageResources._007_logged_edits_sql),
    text(PackageResources._008_undo_sql),
    text(PackageResources._009_customers_sql),
    text(PackageResources._010_sections_sql),
    text(PackageResources._011_format_11_sql),
  ]

  /// The names of the tables and views that the steps create, in lowercase.
  public static let tables = objects.tables

  /// The text of each trigger, as `sqlite_schema` keeps it: to its `END`, without the semicolon.
  public static let triggers = objects.triggers

  private static let objects = SchemaObjects(PackageResources.schema_sql)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
