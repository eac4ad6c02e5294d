internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

/// A shell that completes command lines.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// - Throws: a `Failure` with code `usage` for an unknown shell.
  init(named name: String) throws {
    guard let shell = Shell(rawValue: name) else {
      let names = Shell.allCases.map(\.rawValue)
      throw Failure.usage(
        "unknown shell \(quoted(name))",
        hint: nearest(to: name, among: names).map(didYouMean)
          ?? "the shells are \(listed(names, "and"))",
        offendingArgument: name)
    }
    self = shell
  }

  /// The completions at the cursor, as the lines that the shell's script reads: an empty line for files.
  ///
  /// bash passes the line up to the cursor and its word breaks; the others pass the words without quotes, the
  /// last one incomplete.
  func lines(for words: [String], _ session: Session) -> [String] {
    switch self {
    case .bash:
      guard words.count == 2, let line = BashLine(words[0], breaks: words[1]) else { return [] }
      var completer = Completer(typed: line.typed, session: session)
      return lines(completer.complete(after: Array(line.words.dropFirst())), line.inserted)
    case .zsh, .fish:
      var completer = Completer(typed: words.last ?? "", session: session)
      return lines(completer.complete(after: words.dropLast())) { candidate in
        self == .zsh
          ? "\(Shell.described(candidate.word)):\(candidate.about)" : "\(candidate.word)\t\(candidate.about)"
      }
    }
  }

  private func lines(_ completion: Completion, _ line: (Candidate) -> String?) -> [String] {
    switch completion {
    case .words(let candidates): candidates.compactMap(line)
    case .files: [""]
    }
  }

  /// A word for zsh's `_describe`: a colon ends the word, a backslash escapes a character.
  private static func described(_ word: String) -> String {
    var text = String.UnicodeScalarView()
    for letter in word.unicodeScalars {
      if letter == ":" || letter == "\\" { text.append("\\") }
      text.append(letter)
    }
    return String(text)
  }
}
