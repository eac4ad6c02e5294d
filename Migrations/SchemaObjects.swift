/// The schema objects that the steps create, to find out whether a file has others.
///
/// It works on bytes, not characters: every command that writes needs it, and must start in a millisecond.
struct SchemaObjects {
  /// The names of the tables and views, in lowercase.
  private(set) var tables: Set<String> = []
  /// The text of each trigger, as `sqlite_schema` keeps it.
  var triggers: Set<String> { Set(triggersByName.values.map(\.text)) }

  private var triggersByName: [String: (table: String, text: String)] = [:]

  /// Reads steps in which each such statement starts a line and a trigger ends with the line `END;`.
  ///
  /// Dropping a table or view drops its triggers, too.
  init(_ steps: [String]) {
    for step in steps {
      let bytes = Array(step.utf8)
      var start: Int?
      for line in bytes.split(separator: 0x0a) {
        if line.starts(with: "CREATE TRIGGER ".utf8) {
          start = line.startIndex
        } else if let first = start, line.elementsEqual("END;".utf8) {
          add(trigger: bytes[first..<line.endIndex - 1])
          start = nil
        } else if line.starts(with: "CREATE TABLE ".utf8) || line.starts(with: "CREATE VIEW ".utf8) {
          tables.insert(Self.word(2, of: line))
        } else if line.starts(with: "DROP TRIGGER ".utf8) {
          triggersByName[Self.word(2, of: line)] = nil
        } else if line.starts(with: "DROP TABLE ".utf8) || line.starts(with: "DROP VIEW ".utf8) {
          let table = Self.word(2, of: line)
          tables.remove(table)
          triggersByName = triggersByName.filter { $0.value.table != table }
        }
      }
    }
  }

  /// Adds a trigger; the word after `ON` is its table.
  private mutating func add(trigger: ArraySlice<UInt8>) {
    let words = trigger.prefix(400).split(omittingEmptySubsequences: true) { $0 == 0x20 || $0 == 0x0a }
    guard let on = words.firstIndex(where: { $0.elementsEqual("ON".utf8) }), on + 1 < words.endIndex else {
      return
    }
    let table = String(decoding: words[on + 1], as: UTF8.self)
    triggersByName[Self.word(2, of: trigger)] = (table, String(decoding: trigger, as: UTF8.self))
  }

  /// A word of a statement, without a trailing semicolon.
  private static func word(_ index: Int, of line: ArraySlice<UInt8>) -> String {
    let words = line.split(maxSplits: index + 1) { $0 == 0x20 || $0 == 0x0a }
    guard words.indices.contains(index) else { return "" }
    return String(decoding: words[index].filter { $0 != 0x3b }, as: UTF8.self)
  }
}
