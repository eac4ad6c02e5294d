/// The schema of a customers file, step by step.
///
/// A shipped step is never edited: what changes is a step of its own, at the end of the list.
public enum Migrations {
  /// What `PRAGMA application_id` says in a customers file: `Cust`.
  public static let applicationID: Int64 = 0x4375_7374

  /// The steps in order; `PRAGMA user_version` counts those a file has.
  public static let steps: [String] = [
    text(PackageResources._001_tables_sql),
    text(PackageResources._002_numbering_sql),
    text(PackageResources._003_customers_sql),
    text(PackageResources._004_sections_sql),
  ]

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

/// What the steps create, for a program that wants to know whether a file has something else; found
/// once, because every edit asks.
extension Migrations {
  /// The names of the tables and views.
  public static let tables: Set<String> = Set(
    lines.compactMap { line in
      guard line.hasPrefix("CREATE TABLE ") || line.hasPrefix("CREATE VIEW ") else { return nil }
      return String(line.split(separator: " ")[2])
    })

  /// The text of each trigger, as `sqlite_schema` keeps it: to its `END`, without the semicolon.
  public static let triggers: Set<String> = {
    var found: Set<String> = []
    var text = ""
    for line in lines {
      if line.hasPrefix("CREATE TRIGGER ") {
        text = String(line)
      } else if !text.isEmpty {
        text += "\n" + (line == "END;" ? "END" : line)
      }
      if line == "END;" {
        found.insert(text)
        text = ""
      }
    }
    return found
  }()

  private static var lines: [Substring] {
    steps.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
  }
}
