internal import CustomersSQLite
internal import Glibc

/// The objects of a schema, to find out whether a file has others.
///
/// It leaves each byte to functions that are compiled for it: every command that writes needs it, and must start in a
/// millisecond, in a debug build too.
struct SchemaObjects {
  /// The text of each, in their order, as `sqlite_schema` keeps it: without the semicolon.
  private var statements: [ArraySlice<UInt8>] = []
  /// The text of each trigger, in their order.
  private(set) var triggers: [String] = []

  var all: [SchemaObject] { statements.map { SchemaObject($0) } }

  /// The names of the tables and views, in lowercase.
  var tables: Set<String> { Set(all.filter { ["table", "view"].contains($0.type) }.map(\.name)) }

  /// Reads a schema in which each such statement starts a line and ends with a semicolon at the end of one, a trigger with
  /// the line `END;`.
  init(_ schema: [UInt8]) {
    var statement: Int?
    var isTrigger = false
    var start = 0
    while start < schema.count {
      let end = SchemaObjects.end(ofLineAt: start, schema)
      // The first letter of CREATE; most lines begin with another one.
      if statement == nil, schema[start] == 0x43 {
        let line = String(decoding: schema[start..<end], as: UTF8.self)
        statement = line.hasPrefix("CREATE ") ? start : nil
        isTrigger = line.hasPrefix("CREATE TRIGGER ")
      }
      // A semicolon, of a trigger that after the first letter of END.
      if let first = statement, end > start, schema[end - 1] == 0x3b, !isTrigger || schema[start] == 0x45 {
        statements.append(schema[first..<end - 1])
        if isTrigger { triggers.append(String(decoding: schema[first..<end - 1], as: UTF8.self)) }
        statement = nil
      }
      start = end + 1
    }
  }

  private static func end(ofLineAt start: Int, _ text: [UInt8]) -> Int {
    unsafe text.withUnsafeBytes { bytes in
      guard let line = bytes.baseAddress, let end = unsafe memchr(line + start, 0x0a, text.count - start)
      else { return text.count }
      return unsafe UnsafeRawPointer(end) - line
    }
  }
}

extension SchemaObject {
  /// The object that a statement creates: `CREATE INDEX name ON table`, or another type.
  fileprivate init(_ statement: ArraySlice<UInt8>) {
    // Blanks, line ends, and parentheses; the columns of a trigger may be many.
    let words = statement.prefix(1000).split { $0 == 0x20 || $0 == 0x0a || $0 == 0x28 }
    func text(_ index: Int) -> String { String(decoding: words[index], as: UTF8.self) }
    let isUnique = text(1) == "UNIQUE"
    let (type, name) = (text(isUnique ? 2 : 1).lowercased(), text(isUnique ? 3 : 2))
    let on = type == "table" || type == "view" ? nil : words.firstIndex { $0.elementsEqual("ON".utf8) }
    let table = on.map { text($0 + 1) }
    self.init(
      type: type, name: name, table: table ?? name, sql: String(decoding: statement, as: UTF8.self))
  }
}
