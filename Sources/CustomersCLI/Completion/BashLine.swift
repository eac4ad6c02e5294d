/// A command line up to the cursor, parsed as in bash, but without running or expanding anything.
///
/// readline replaces only a part of the word at the cursor: what comes after an open quote or after the last
/// unquoted letter of `COMP_WORDBREAKS`. Letters are Unicode scalars here, because a quote with an accent is
/// still a quote to bash.
struct BashLine {
  /// The whole words, without quotes.
  private(set) var words: [String] = []
  private var word = String.UnicodeScalarView()
  /// The quote that is open at the cursor.
  private var quote: Unicode.Scalar?
  /// The number of letters of `word` before the part that is replaced.
  private var kept = 0
  private var hasQuotes = false
  /// Whether `word` has only literal letters and quotes only at its end.
  private var isPlain = true

  /// The word at the cursor so far, without quotes.
  var typed: String { String(word) }

  /// Nil if the word at the cursor is not plain text or has closed quotes.
  init?(_ line: String, breaks: String) {
    var rest = line.unicodeScalars[...]
    while let letter = rest.popFirst() {
      if let quote {
        take(letter, in: quote, &rest)
      } else {
        take(letter, breaks, &rest)
      }
    }
    guard isPlain, !hasQuotes || quote != nil else { return nil }
  }

  private mutating func take(
    _ letter: Unicode.Scalar, _ breaks: String, _ rest: inout Substring.UnicodeScalarView
  ) {
    switch letter {
    case " ", "\t", "\n":
      if !word.isEmpty || hasQuotes { words.append(typed) }
      (word, kept, hasQuotes, isPlain) = ("".unicodeScalars, 0, false, true)
    case "'", "\"":
      isPlain = isPlain && !hasQuotes
      (quote, hasQuotes, kept) = (letter, true, word.count)
    case "\\":
      if let next = rest.popFirst() { word.append(next) } else { isPlain = false }
    default:
      isPlain = isPlain && !"$`<>()|&;".unicodeScalars.contains(letter)
      word.append(letter)
      // bash includes this break in the replaced part, because of its own completions.
      if breaks.unicodeScalars.contains(letter) { kept = letter == "@" ? word.count - 1 : word.count }
    }
  }

  private mutating func take(
    _ letter: Unicode.Scalar, in open: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) {
    if letter == open {
      quote = nil
    } else if open == "\"", letter == "\\", let next = rest.first, BashLine.special.contains(next) {
      word.append(rest.removeFirst())
    } else {
      isPlain = isPlain && (open == "'" || !"$`".unicodeScalars.contains(letter))
      word.append(letter)
    }
  }

  /// The characters with a meaning between double quotes.
  private static let special = "\"\\$`".unicodeScalars
}

extension BashLine {
  /// What readline inserts for a candidate, quoted so that bash does not run or expand anything; nil if
  /// impossible.
  func inserted(_ candidate: Candidate) -> String? {
    let letters = candidate.word.unicodeScalars
    guard String(letters.prefix(kept)).lowercased() == String(word.prefix(kept)).lowercased() else {
      return nil
    }
    let rest = letters.dropFirst(kept)
    // Between quotes, ! can't be escaped from history expansion.
    if quote == "\"", rest.contains("!") { return nil }
    switch quote {
    case "'": return rest.contains("'") ? nil : String(rest)
    case nil: return escaped(rest) { !BashLine.isHarmless($0) }
    default:
      // readline closes the quote, unless it takes the last letter for the closing one.
      return escaped(rest) { BashLine.special.contains($0) } + (rest.last == "\"" ? "\"" : "")
    }
  }

  private static func isHarmless(_ letter: Unicode.Scalar) -> Bool {
    !letter.isASCII || letter.properties.isAlphabetic || letter.properties.numericType != nil
      || "_./:=@%+,-".unicodeScalars.contains(letter)
  }

  private func escaped(
    _ letters: Substring.UnicodeScalarView, _ needsIt: (Unicode.Scalar) -> Bool
  ) -> String {
    var text = String.UnicodeScalarView()
    for letter in letters {
      if needsIt(letter) { text.append("\\") }
      text.append(letter)
    }
    return String(text)
  }
}
