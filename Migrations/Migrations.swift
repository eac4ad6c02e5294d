/// The schema of a customers file, step by step.
///
/// A shipped step is never edited: what changes is a step of its own, at the end of the list.
public enum Migrations {
  /// What `PRAGMA application_id` says in a customers file: `Cust`.
  public static let applicationID: Int64 = 0x4375_7374

  /// The steps in order; `PRAGMA user_version` counts those a file has.
  public static let steps: [[UInt8]] = [
    PackageResources._001_tables_sql,
    PackageResources._002_numbering_sql,
    PackageResources._003_history_sql,
    PackageResources._004_customers_sql,
    PackageResources._005_sections_sql,
  ]
}
