/// What the steps leave in a file, for a program that wants to know whether it has something else.
///
/// In bytes, not characters, and in plain loops: a command that writes needs it, and starts in a millisecond.
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

  /// Takes in what a line does to tables and views, or drops a trigger.
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

  /// Takes a trigger in; the word after `ON` is the table that it is on.
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

/// The words of a statement, one after the other, without the semicolon that may end it; then empty ones.
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
