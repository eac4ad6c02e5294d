/// Splits the lines of a script into words, quoted as in a shell (POSIX.1-2017, Shell Command Language, 2.2),
/// without expansion.
///
/// `'…'`, `"…"` and `$'…'` (with `\n` and the like) end on the line they start on. `\` before the end of a
/// line continues it. `#` at the start of a word starts a comment. An unquoted `$name` names a new row.
struct WordReader {
  private var lines: LineReader
  private var line = ScriptLine(number: 0, sources: [])
  /// The number of bytes of the line with those that continue it.
  private var size = 0
  var scalars: [Unicode.Scalar] = []
  var index = 0

  init(_ lines: LineReader) { self.lines = lines }

  /// The next line that has words or is JSON; nil at the end.
  ///
  /// - Throws: a `ScriptDiagnostic`; the next call goes on with the line after it.
  mutating func next() throws -> ScriptLine? {
    while let source = try lines.next() {
      line = ScriptLine(number: lines.number, sources: [source])
      if line.isJSON { return line }
      size = source.utf8.count
      scalars = Array(source.unicodeScalars)
      index = 0
      while let word = try nextWord() { line.words.append(word) }
      if !line.words.isEmpty { return line }
    }
    return nil
  }

  private mutating func nextWord() throws -> Word? {
    while true {
      while index < scalars.count, scalars[index] == " " || scalars[index] == "\t" { index += 1 }
      guard isAtContinuation else { break }
      try continueLine()
    }
    guard index < scalars.count, scalars[index] != "#" else { return nil }
    var word = Word(line: lines.number, range: index..<index)
    let source = lines.number
    while index < scalars.count, scalars[index] != " ", scalars[index] != "\t" { try take(into: &word) }
    // For a word that continues on the next line, the first part is marked.
    let end = source == lines.number ? index : (line.sources[source - line.number].unicodeScalars.count)
    word.range = word.range.lowerBound..<end
    return word
  }

  private var isAtContinuation: Bool { index == scalars.count - 1 && scalars[index] == "\\" }

  mutating func continueLine() throws {
    guard let source = try lines.next() else {
      throw problem("the last line ends in a backslash, and no line follows", from: index)
    }
    line.sources.append(source)
    size += source.utf8.count
    guard size <= LineReader.limit else { throw lines.endless() }
    scalars = Array(source.unicodeScalars)
    index = 0
  }

  private mutating func take(into word: inout Word) throws {
    let start = index
    switch scalars[index] {
    case "'":
      index += 1
      word.text += try quoted(until: "'", from: start) { _ in nil }
    case "\"":
      index += 1
      word.text += try quoted(until: "\"", from: start) { reader in
        guard reader.index < reader.scalars.count,
          "\"\\$`".unicodeScalars.contains(reader.scalars[reader.index])
        else { return "\\" }
        reader.index += 1
        return String(reader.scalars[reader.index - 1])
      }
    case "$" where index + 1 < scalars.count && scalars[index + 1] == "'":
      index += 2
      word.text += try quoted(until: "'", from: start) { reader in try reader.escape() }
    case "$"
    where word.text.isEmpty && word.range.lowerBound == index
      || word.text.hasPrefix("--") && word.text.hasSuffix("="):
      word.variable = try variable()
    case "\\" where index == scalars.count - 1: try continueLine()
    case "\\":
      word.text.unicodeScalars.append(scalars[index + 1])
      index += 2
    case let scalar:
      word.text.unicodeScalars.append(scalar)
      index += 1
    }
  }

  func problem(_ message: String, from start: Int, hint: String? = nil) -> ScriptDiagnostic {
    ScriptDiagnostic(
      message: message, hint: hint, line: lines.number, source: line.sources.last ?? "",
      range: start..<max(index, start))
  }
}

/// Parses quoted text, escapes in quotes, and names after a `$`.
extension WordReader {
  /// The text up to a closing quote; `escape` returns the meaning of a backslash sequence, nil if it is
  /// literal.
  mutating func quoted(
    until quote: Unicode.Scalar, from start: Int, escape: (inout WordReader) throws -> String?
  ) throws -> String {
    var text = ""
    while index < scalars.count, scalars[index] != quote {
      let scalar = scalars[index]
      if scalar == "\\", quote == "\"", index == scalars.count - 1 {
        try continueLine()
        continue
      }
      index += 1
      if scalar == "\\", let meant = try escape(&self) {
        text += meant
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    guard index < scalars.count else {
      throw problem(
        "this quote is not closed on its line", from: min(start, scalars.count),
        hint: "for a line break write \\n, as in $'first\\nsecond'")
    }
    index += 1
    return text
  }

  /// The meaning of what follows a backslash in `$'…'`.
  mutating func escape() throws -> String {
    guard index < scalars.count else { return "\\" }
    let start = index - 1
    let letter = scalars[index]
    index += 1
    switch letter {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "\\", "'", "\"": return String(letter)
    case "u", "U":
      var digits = ""
      while index < scalars.count, digits.count < (letter == "u" ? 4 : 8),
        scalars[index].properties.isASCIIHexDigit
      {
        digits.unicodeScalars.append(scalars[index])
        index += 1
      }
      if let value = UInt32(digits, radix: 16), value > 0, let scalar = Unicode.Scalar(value) {
        return String(scalar)
      }
    default: break
    }
    throw problem(
      "there is no such escape in $'…'", from: start,
      hint: "the escapes are \\n \\r \\t \\\\ \\' \\\" \\u0041"
    )
  }

  /// The name after a `$`, which ends the word.
  mutating func variable() throws -> String {
    let start = index
    index += 1
    var name = ""
    while index < scalars.count, scalars[index] != " ", scalars[index] != "\t" {
      name.unicodeScalars.append(scalars[index])
      index += 1
    }
    guard isRowVariable(name) else {
      throw problem(
        "$ must be followed by the name of a new row", from: start, hint: "put a value with $ in quotes")
    }
    return name
  }
}

/// Whether a string can be the name that a script gives to a new row: letters, digits, `_`, and `-`, a
/// letter first.
func isRowVariable(_ name: String) -> Bool {
  guard let first = name.unicodeScalars.first, first.properties.isAlphabetic else { return false }
  return name.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-"
  }
}
