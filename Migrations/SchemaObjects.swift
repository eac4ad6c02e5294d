/// The schema objects that the steps create, to find out whether a file has others.
///
/// It works on bytes, not characters, and in plain loops: every command that writes needs it, and must start in a
/// millisecond, in a debug build too.
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
      var trigger: Int?
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != 0x0a { end += 1 }
        // The first letters of CREATE, DROP and END; most lines begin with another one.
        if bytes[start] >= 0x43, bytes[start] <= 0x45 {
          let line = bytes[start..<end]
          if line.starts(with: "CREATE TRIGGER ".utf8) {
            trigger = start
          } else if let first = trigger, line.elementsEqual("END;".utf8) {
            add(trigger: bytes[first..<end - 1])
            trigger = nil
          } else {
            read(line)
          }
        }
        start = end + 1
      }
    }
  }

  /// Applies a line that creates or drops a table or view, or drops a trigger.
  private mutating func read(_ line: ArraySlice<UInt8>) {
    var words = Words(line)
    let (verb, kind, name) = (words.next(), words.next(), words.next())
    switch (verb, kind) {
    case ("CREATE", "TABLE"), ("CREATE", "VIEW"): tables.insert(name)
    case ("DROP", "TRIGGER"): triggersByName[name] = nil
    case ("DROP", "TABLE"), ("DROP", "VIEW"):
      tables.remove(name)
      triggersByName = triggersByName.filter { $0.value.table != name }
    default: break
    }
  }

  /// Adds a trigger; the word after `ON` is its table.
  private mutating func add(trigger: ArraySlice<UInt8>) {
    var words = Words(trigger)
    _ = (words.next(), words.next())
    let name = words.next()
    while true {
      let word = words.next()
      guard !word.isEmpty else { return }
      if word == "ON" { break }
    }
    triggersByName[name] = (words.next(), String(decoding: trigger, as: UTF8.self))
  }
}

/// Reads the words of a statement one by one, without a trailing semicolon; after the last, empty ones.
private struct Words {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, index) = (bytes, bytes.startIndex) }

  mutating func next() -> String {
    while index < bytes.endIndex, isBetweenWords { index += 1 }
    let start = index
    while index < bytes.endIndex, !isBetweenWords { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private var isBetweenWords: Bool {
    let byte = bytes[index]
    return byte == 0x20 || byte == 0x0a || byte == 0x3b
  }
}
