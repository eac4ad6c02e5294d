internal import CustomersFormats
internal import CustomersTerminalText

/// Detects the delimiter of a file from its header row.
enum Delimiter {
  private static let candidates: [Character] = [",", ";", "\t", "|"]

  /// The character with which most columns match a field or, if none do, with which there are most columns.
  ///
  /// - Parameter head: the start of the file in UTF-8.
  /// - Returns: a comma, semicolon, tab or vertical bar.
  static func recognized(in head: [UInt8]) -> Character {
    var best = (character: candidates[0], fitting: 0, count: 1)
    for character in candidates {
      var pieces = [head]
      var reader = CSVReader(.separated(by: character)) { pieces.popLast() ?? [] }
      guard let columns = try? reader.next()?.fields else { continue }
      let fitting = columns.count { ColumnTarget(column: $0).isField }
      if (fitting, columns.count) > (best.fitting, best.count) {
        best = (character, fitting, columns.count)
      }
    }
    return best.character
  }

  /// The character in a message.
  static func name(_ character: Character) -> String { character == "\t" ? "tab" : "'\(character)'" }

  /// The character given by `--delimiter`: one byte other than a line end or a quote.
  static func named(_ text: String) throws -> Character {
    if text.lowercased() == "tab" { return "\t" }
    guard text.utf8.count == 1, let character = text.first, !"\"\n\r".contains(character) else {
      throw Failure.usage(
        "--delimiter needs one ASCII character or tab, not \(quoted(text))", offendingArgument: text)
    }
    return character
  }
}
