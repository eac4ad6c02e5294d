/// What the steps create, for a program that wants to know whether a file has something else.
///
/// In bytes, not characters: a command that writes needs it, and starts in a millisecond.
struct SchemaObjects {
  private(set) var tables: Set<String> = []
  private(set) var triggers: Set<String> = []

  /// Reads steps in which each of these statements begins a line.
  init(_ steps: [String]) {
    for step in steps {
      let bytes = Array(step.utf8)
      var trigger: Int?
      for line in bytes.split(separator: 0x0a) {
        if line.starts(with: "CREATE TRIGGER ".utf8) {
          trigger = line.startIndex
        } else if let start = trigger, line.elementsEqual("END;".utf8) {
          triggers.insert(String(decoding: bytes[start..<line.endIndex - 1], as: UTF8.self))
          trigger = nil
        } else if line.starts(with: "CREATE TABLE ".utf8) || line.starts(with: "CREATE VIEW ".utf8) {
          tables.insert(String(decoding: line.split(separator: 0x20)[2], as: UTF8.self))
        }
      }
    }
  }
}
