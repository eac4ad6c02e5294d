/// The objects of a schema, to find out whether a file has others.
///
/// It works on bytes, not characters, and in a plain loop: every command that writes needs it, and must start in a
/// millisecond, in a debug build too.
struct SchemaObjects {
  /// The names of the tables and views, in lowercase.
  private(set) var tables: Set<String> = []
  /// The text of each trigger, as `sqlite_schema` keeps it: to its `END`, without the semicolon.
  private(set) var triggers: Set<String> = []

  /// Reads a schema in which each such statement starts a line and a trigger ends with the line `END;`.
  init(_ schema: [UInt8]) {
    // Growing them would hash each string several times.
    tables.reserveCapacity(256)
    triggers.reserveCapacity(256)
    var trigger = 0
    var start = 0
    while start < schema.count {
      var end = start
      while end < schema.count, schema[end] != 0x0a { end += 1 }
      // The first letters of CREATE and END; most lines begin with another one.
      if schema[start] == 0x43 || schema[start] == 0x45 {
        let line = schema[start..<end]
        if line.starts(with: "CREATE TRIGGER ".utf8) {
          trigger = start
        } else if line.elementsEqual("END;".utf8) {
          triggers.insert(String(decoding: schema[trigger..<end - 1], as: UTF8.self))
        } else {
          for verb in ["CREATE TABLE ", "CREATE VIEW "] where line.starts(with: verb.utf8) {
            let name = line.dropFirst(verb.utf8.count).prefix { $0 != 0x20 && $0 != 0x28 }
            tables.insert(String(decoding: name, as: UTF8.self))
          }
        }
      }
      start = end + 1
    }
  }
}
