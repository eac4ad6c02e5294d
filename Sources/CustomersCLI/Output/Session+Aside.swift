extension Session {
  /// Writes a line on standard error.
  ///
  /// On a terminal, the word before its colon is colored.
  func writeAside(_ line: String) throws {
    try errors.write(styledMessage(line, if: hasColor(errors)) + "\n")
  }
}

/// The line of a message, with its first word (error, warning or hint) in color.
func styledMessage(_ line: String, if isOn: Bool) -> String {
  let kinds: [(String, Style)] = [
    ("customers:", .error), ("warning:", .warning), ("note:", .warning), ("hint:", .hint),
  ]
  guard let (word, style) = kinds.first(where: { line.hasPrefix($0.0 + " ") }) else { return line }
  return styled(word, style, if: isOn) + line.dropFirst(word.count)
}
