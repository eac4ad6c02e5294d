/// What the steps create, for a program that wants to know whether a file has something else.
///
/// In bytes, not characters: every command that writes asks, and starts in a millisecond.
public struct SchemaObjects: Sendable {
  /// The names of the tables and views.
  public private(set) var tables: Set<String> = []
  /// The text of each trigger, as `sqlite_schema` keeps it: to its `END`, without the semicolon.
  public private(set) var triggers: Set<String> = []

  /// Reads the steps of `Migrations`, in which each of these statements begins a line.
  public init() {
    for step in Migrations.steps {
      var trigger: Int?
      for line in step.split(separator: 0x0a) {
        if line.starts(with: "CREATE TRIGGER ".utf8) {
          trigger = line.startIndex
        } else if let start = trigger, line.elementsEqual("END;".utf8) {
          triggers.insert(String(decoding: step[start..<line.endIndex - 1], as: UTF8.self))
          trigger = nil
        } else if line.starts(with: "CREATE TABLE ".utf8) || line.starts(with: "CREATE VIEW ".utf8) {
          tables.insert(String(decoding: line.split(separator: 0x20)[2], as: UTF8.self))
        }
      }
    }
  }
}
