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
