/// Reads terms: each is a name, an operator, and values with commas between them.
///
/// Spaces separate terms. Words that begin no term belong to the value before them, so `City=New York` needs no
/// quotes. In double quotes, a comma, a space, an operator, or `or` is a part of the value, and `""` is a quote.
struct FilterParser {
  private let text: [Character]
  private var index = 0

  init(_ text: String) { self.text = Array(text) }

  /// Reads the whole text.
  mutating func alternatives() throws(FilterError) -> [[FilterTerm]] {
    var alternatives: [[FilterTerm]] = [[]]
    while true {
      skipSpaces()
      let isFirst = alternatives[alternatives.count - 1].isEmpty
      if isOr(at: index) {
        guard !isFirst else { throw error(.malformed, from: index) }
        index += 2
        alternatives.append([])
      } else if index == text.count {
        guard !isFirst else { throw error(.malformed, from: 0) }
        return alternatives
      } else {
        alternatives[alternatives.count - 1].append(try term(isFirst: isFirst))
      }
    }
  }

  /// Reads a term; the name of the first one may have spaces.
  private mutating func term(isFirst: Bool) throws(FilterError) -> FilterTerm {
    let start = index
    let name = try name(isFirst: isFirst)
    skipSpaces()
    let comparison = try comparison(from: start)
    var term = FilterTerm(name: name, comparison: comparison, values: [], word: "")
    term.values = try values(from: start)
    term.word = word(from: start)
    if comparison != .equals, comparison != .differs, term.values.contains(where: { $0.text.isEmpty }) {
      throw FilterError(reason: .noValue, word: term.word)
    }
    if comparison.isOfOrder, term.values.count > 1 {
      throw FilterError(reason: .severalValues(comparison.rawValue), word: term.word)
    }
    return term
  }

  private mutating func name(isFirst: Bool) throws(FilterError) -> String {
    let start = index
    let name: String
    if text[index] == "\"" {
      name = try quoted()
    } else {
      while index < text.count, !isOperator(at: index), isFirst || !text[index].isWhitespace { index += 1 }
      name = String(String(text[start..<index]).trimmingBlanks)
    }
    guard !name.isEmpty else { throw error(.malformed, from: start) }
    return name
  }

  private mutating func comparison(from start: Int) throws(FilterError) -> FilterTerm.Comparison {
    let first = index
    while isOperator(at: index) { index += 1 }
    let sign = String(text[first..<index])
    guard !sign.isEmpty else { throw error(.malformed, from: start) }
    guard let comparison = FilterTerm.Comparison(rawValue: sign) else {
      throw error(.unknownOperator(sign, meant: FilterParser.meant[sign]), from: start)
    }
    return comparison
  }

  /// The operators of other languages.
  private static let meant = [
    "==": "=", "===": "=", "<>": "!=", "!==": "!=", "!": "!=", "=!": "!=", "=~": "~", "~=": "~", "~~": "~",
    "=<": "<=", "=>": ">=", "~!": "!~", "!=~": "!~",
  ]

  // MARK: Values

  private mutating func values(from start: Int) throws(FilterError) -> [FilterTerm.Value] {
    var values: [FilterTerm.Value] = []
    // What follows the operator without a space can't be the next term.
    var isNext = index < text.count && !text[index].isWhitespace
    while true {
      skipSpaces()
      values.append(try value(isCertain: isNext, from: start))
      skipSpaces()
      guard index < text.count, text[index] == "," else { break }
      index += 1
      isNext = index < text.count && !text[index].isWhitespace
    }
    guard values.count == 1 || values.allSatisfy({ $0.isQuoted || !$0.text.isEmpty }) else {
      throw error(.noValue, from: start)
    }
    return values
  }

  /// Reads a value, which ends before a comma, `or`, or the next term.
  private mutating func value(isCertain: Bool, from start: Int) throws(FilterError) -> FilterTerm.Value {
    let first = index
    if index < text.count, text[index] == "\"", isCertain || !beginsTerm(at: index) {
      let value = FilterTerm.Value(try quoted(), isQuoted: true)
      guard index == text.count || text[index].isWhitespace || text[index] == "," else {
        throw error(.quote, from: start)
      }
      return value
    }
    var end = index
    var words = 0
    while index < text.count, text[index] != "," {
      if words > 0 || !isCertain, isOr(at: index) { break }
      if words > 0 || !isCertain, beginsTerm(at: index) {
        try refuseConjunction(before: end, from: first, words)
        break
      }
      while index < text.count, text[index] != ",", !text[index].isWhitespace { index += 1 }
      words += 1
      end = index
      skipSpaces()
    }
    return FilterTerm.Value(String(text[first..<end]))
  }

  /// Refuses a value whose last word joins terms in other languages.
  private func refuseConjunction(before end: Int, from first: Int, _ words: Int) throws(FilterError) {
    guard words > 1, let last = String(text[first..<end]).split(whereSeparator: \.isWhitespace).last,
      let meant = ["and": "a space", "&&": "a space", "&": "a space", "||": "or", "|": "or"][
        last.lowercased()]
    else { return }
    throw error(.unknownConjunction(String(last), meant: meant), from: first)
  }

  /// Reads a string in quotes, in which two quotes are one.
  private mutating func quoted() throws(FilterError) -> String {
    let start = index
    var found = ""
    index += 1
    while index < text.count {
      if text[index] != "\"" {
        found.append(text[index])
      } else if index + 1 < text.count, text[index + 1] == "\"" {
        found.append("\"")
        index += 1
      } else {
        index += 1
        return found
      }
      index += 1
    }
    throw error(.quote, from: start)
  }

  // MARK: Looking ahead

  /// Whether the word here is the name of a term: an operator follows, perhaps after spaces.
  private func beginsTerm(at start: Int) -> Bool {
    var ahead = self
    ahead.index = start
    if text[start] == "\"" {
      guard (try? ahead.quoted()) != nil else { return false }
    } else {
      while ahead.index < text.count, !ahead.isOperator(at: ahead.index), text[ahead.index] != ",",
        !text[ahead.index].isWhitespace
      {
        ahead.index += 1
      }
    }
    ahead.skipSpaces()
    return isOperator(at: ahead.index)
  }

  private func isOr(at start: Int) -> Bool {
    start + 2 <= text.count && String(text[start..<start + 2]).lowercased() == "or"
      && (start + 2 == text.count || text[start + 2].isWhitespace)
  }

  private func isOperator(at index: Int) -> Bool { index < text.count && "=~<>!".contains(text[index]) }

  private mutating func skipSpaces() { while index < text.count, text[index].isWhitespace { index += 1 } }

  private func word(from start: Int) -> String {
    String(String(text[start..<min(index, text.count)]).trimmingBlanks)
  }

  /// An error about a term that begins at `start`, with the rest of the text.
  private func error(_ reason: FilterError.Reason, from start: Int) -> FilterError {
    FilterError(reason: reason, word: String(String(text[start...]).trimmingBlanks))
  }
}
