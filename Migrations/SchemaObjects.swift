/// What the steps leave in a file, for a program that wants to know whether it has something else.
///
/// In bytes, not characters: a command that writes needs it, and starts in a millisecond.
struct SchemaObjects {
  /// The names of the tables and views, in small letters.
  private(set) var tables: Set<String> = []
  /// The text of each trigger, as `sqlite_schema` keeps it.
  var triggers: Set<String> { Set(triggersByName.values.map(\.text)) }

  private var triggersByName: [String: (table: String, text: String)] = [:]

  /// Reads steps in which each of these statements begins a line, and a trigger ends with the line `END;`.
  ///
  /// A table or view takes its triggers with it when it is dropped.
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

  /// Takes a trigger in; the word after `ON` is the table that it is on.
  private mutating func add(trigger: ArraySlice<UInt8>) {
    let words = trigger.prefix(400).split(omittingEmptySubsequences: true) { $0 == 0x20 || $0 == 0x0a }
    guard let on = words.firstIndex(where: { $0.elementsEqual("ON".utf8) }), on + 1 < words.endIndex else {
      return
    }
    let table = String(decoding: words[on + 1], as: UTF8.self)
    triggersByName[Self.word(2, of: trigger)] = (table, String(decoding: trigger, as: UTF8.self))
  }

  /// A word of a statement, without the semicolon that may end it.
  private static func word(_ index: Int, of line: ArraySlice<UInt8>) -> String {
    let words = line.split(maxSplits: index + 1) { $0 == 0x20 || $0 == 0x0a }
    guard words.indices.contains(index) else { return "" }
    return String(decoding: words[index].filter { $0 != 0x3b }, as: UTF8.self)
  }
}
