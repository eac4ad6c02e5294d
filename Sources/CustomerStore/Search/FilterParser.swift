internal import CustomersText

/// Reads terms: each is a name, an operator, and values with commas between them.
///
/// Spaces or `and` separate terms, `not` is before one, and parentheses are around several. Words that begin no term belong
/// to the value before them, so `City=New York` needs no quotes. In double quotes, a comma, a space, an operator, `and`,
/// `or`, `not`, or a parenthesis is a part of the value, and `""` is a quote.
struct FilterParser {
  private let text: [Character]
  private var index = 0
  /// How many parentheses are open.
  private var depth = 0

  /// The most that may be open.
  private static let mostDepth = 20

  init(_ text: String) { self.text = Array(text) }

  /// Reads the whole text.
  mutating func question() throws(FilterError) -> FilterExpression.Terms {
    let terms = try alternatives(from: 0)
    guard index == text.count else { throw error(.parenthesis, from: index) }
    return terms
  }

  /// Reads terms up to the end or the parenthesis that closes them.
  private mutating func alternatives(from start: Int) throws(FilterError) -> FilterExpression.Terms {
    var alternatives: [[FilterExpression.Terms]] = [[]]
    while true {
      skipSpaces()
      let isFirst = alternatives[alternatives.count - 1].isEmpty
      if isOr(at: index) {
        guard !isFirst else { throw error(.malformed, from: index) }
        index += 2
        alternatives.append([])
      } else if !isFirst, isAnd(at: index) {
        index += 3
      } else if index == text.count || text[index] == ")" {
        guard !isFirst else { throw error(.malformed, from: start) }
        return .any(alternatives.map { .all($0) })
      } else {
        alternatives[alternatives.count - 1].append(try factor(isFirst: isFirst))
      }
    }
  }

  /// Reads a term or several in parentheses, perhaps after `not`.
  private mutating func factor(isFirst: Bool) throws(FilterError) -> FilterExpression.Terms {
    let start = index
    var negations = 0
    while isNot(at: index) {
      index += 3
      skipSpaces()
      guard index < text.count, text[index] != ")", !isOr(at: index), negations < FilterParser.mostDepth
      else {
        throw error(.malformed, from: start)
      }
      negations += 1
    }
    let terms = try positive(isFirst: isFirst)
    return negations % 2 == 1 ? terms.negated : terms
  }

  private mutating func positive(isFirst: Bool) throws(FilterError) -> FilterExpression.Terms {
    let start = index
    guard text[index] == "(" else { return .term(try term(isFirst: isFirst)) }
    guard depth < FilterParser.mostDepth else { throw error(.parenthesis, from: start) }
    index += 1
    depth += 1
    let terms = try alternatives(from: start)
    guard index < text.count else { throw error(.parenthesis, from: start) }
    index += 1
    depth -= 1
    return terms
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
      guard
        index == text.count || text[index].isWhitespace || text[index] == ","
          || depth > 0 && text[index] == ")"
      else {
        throw error(.quote, from: start)
      }
      return value
    }
    var end = index
    var words = 0
    // What closes a parenthesis of the value does not close that of the terms.
    var unclosed = 0
    while index < text.count, text[index] != "," {
      if depth > 0, unclosed == 0, text[index] == ")" { break }
      if words > 0 || !isCertain, isOr(at: index) || isAnd(at: index) { break }
      if words > 0 || !isCertain, beginsTerm(at: index) {
        try refuseConjunction(before: end, from: first, words)
        break
      }
      while index < text.count, text[index] != ",", !text[index].isWhitespace {
        if text[index] == "(" { unclosed += 1 }
        if text[index] == ")" {
          guard unclosed > 0 else {
            guard depth > 0 else { throw error(.parenthesis, from: start) }
            break
          }
          unclosed -= 1
        }
        index += 1
      }
      words += 1
      end = index
      skipSpaces()
    }
    let isLast = index == text.count || text[index] == ")"
    guard !isLast || words < 2 || !["and", "not"].contains(lastWord(before: end, from: first)?.lowercased())
    else { throw error(.malformed, from: first) }
    return FilterTerm.Value(String(text[first..<end]))
  }

  /// Refuses a value whose last word joins terms in other languages.
  private func refuseConjunction(before end: Int, from first: Int, _ words: Int) throws(FilterError) {
    guard words > 1, let last = lastWord(before: end, from: first),
      let meant = ["&&": "and", "&": "and", "||": "or", "|": "or"][last]
    else { return }
    throw error(.unknownConjunction(last, meant: meant), from: first)
  }

  private func lastWord(before end: Int, from first: Int) -> String? {
    String(text[first..<end]).split(whereSeparator: \.isWhitespace).last.map(String.init)
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

  /// Whether the word here is the name of a term, perhaps after `not` or a parenthesis: an operator follows, perhaps after
  /// spaces.
  private func beginsTerm(at start: Int) -> Bool {
    var ahead = self
    ahead.index = start
    var signs = 0
    while ahead.index < text.count {
      // So many are refused when they are read.
      guard signs <= FilterParser.mostDepth else { return true }
      signs += 1
      if text[ahead.index] == "(" {
        ahead.index += 1
      } else if isNot(at: ahead.index) {
        ahead.index += 3
      } else {
        break
      }
      ahead.skipSpaces()
    }
    guard ahead.index < text.count else { return false }
    if text[ahead.index] == "\"" {
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

  private func isOr(at start: Int) -> Bool { isWord("or", at: start) }

  /// Whether `and` is here, and a term after it.
  private func isAnd(at start: Int) -> Bool {
    guard isWord("and", at: start), let next = text[(start + 3)...].firstIndex(where: { !$0.isWhitespace })
    else {
      return false
    }
    return beginsTerm(at: next)
  }

  /// Whether `not` is here, and not as the name of a field.
  private func isNot(at start: Int) -> Bool {
    guard isWord("not", at: start) else { return false }
    let next = text[(start + 3)...].first { !$0.isWhitespace }
    return next.map { !"=~<>!".contains($0) } ?? true
  }

  private func isWord(_ word: String, at start: Int) -> Bool {
    let end = start + word.count
    return end <= text.count && String(text[start..<end]).lowercased() == word
      && (end == text.count || text[end].isWhitespace || "()".contains(text[end]))
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

/// A condition on customers as a user writes it: a field, an operator, and values, as in `City=Berlin,Bonn`.
///
/// `=` compares the whole value with each of the values, `~` looks for one of them as a part; `!=` and `!~` are the
/// opposites. `<`, `<=`, `>` and `>=` have one value, and compare by the kind of the column. Case and accents are
/// ignored.
package struct FilterTerm: Hashable, Sendable {
  package enum Comparison: String, CaseIterable, Sendable {
    case equals = "="
    case differs = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case contains = "~"
    case lacks = "!~"

    /// Whether the value is compared as a number, a date, or a string by which is greater.
    var isOfOrder: Bool {
      switch self {
      case .less, .atMost, .greater, .atLeast: true
      case .equals, .differs, .contains, .lacks: false
      }
    }
  }

  /// A value, without its quotes.
  package struct Value: Hashable, Sendable {
    package var text: String
    /// Whether it was written in quotes, so that it means itself.
    package var isQuoted = false

    package init(_ text: String, isQuoted: Bool = false) { (self.text, self.isQuoted) = (text, isQuoted) }
  }

  package var name: String
  package var comparison: Comparison
  /// Whether `not` is before it.
  package var isNegated = false
  /// At least one; an empty one means an empty field.
  package var values: [Value]
  /// The term as typed.
  package var word: String

  package init(name: String, comparison: Comparison, values: [Value], word: String) {
    (self.name, self.comparison, self.values, self.word) = (name, comparison, values, word)
  }
}

/// A question about customers as a user writes it in one argument: terms that must all hold or others after `or`.
///
///     City=Bonn,Köln not (Age>=18 or favorite=yes)
package struct FilterExpression: Hashable, Sendable {
  package typealias Terms = Joined<FilterTerm>

  package var terms: Terms

  /// Parses an argument.
  ///
  /// - Throws: an error if it has a mistake; nothing is guessed.
  package init(_ text: String) throws(FilterError) {
    var parser = FilterParser(text)
    terms = try parser.question()
  }
}

/// Terms of which one or all must hold.
package indirect enum Joined<Term: Hashable & Sendable>: Hashable, Sendable {
  case term(Term)
  case all([Joined])
  case any([Joined])

  /// The terms, in order.
  package var terms: [Term] {
    switch self {
    case .term(let term): [term]
    case .all(let parts), .any(let parts): parts.flatMap(\.terms)
    }
  }

  func map<Result>(_ transform: (Term) throws -> Result) rethrows -> Joined<Result> {
    switch self {
    case .term(let term): .term(try transform(term))
    case .all(let parts): .all(try parts.map { try $0.map(transform) })
    case .any(let parts): .any(try parts.map { try $0.map(transform) })
    }
  }
}

extension Joined<FilterTerm> {
  /// The opposite: `not` of terms that must all hold is one of which one must not.
  fileprivate var negated: Joined {
    switch self {
    case .term(var term):
      term.isNegated.toggle()
      return .term(term)
    case .all(let parts): return .any(parts.map(\.negated))
    case .any(let parts): return .all(parts.map(\.negated))
    }
  }
}

/// Why a question can't be used.
package struct FilterError: Error, Equatable {
  package enum Reason: Equatable {
    /// There is no field, or no operator after it.
    case malformed
    /// An operator of other languages; perhaps this one was meant.
    case unknownOperator(String, meant: String?)
    /// A sign of other languages between two terms.
    case unknownConjunction(String, meant: String)
    /// A parenthesis that is not closed, or closes nothing; or too many of them.
    case parenthesis
    /// A quote without an end or something right after its end.
    case quote
    /// This operator needs a value, or there is none between commas.
    case noValue
    /// This operator takes one value.
    case severalValues(String)
    /// The list has no such field; `near` has a similar name.
    case noSuchField(String, near: String?)
    /// This field is yes or no and can only be compared with one of them.
    case notYesOrNo(field: String, found: String)
    /// The value is not of the kind of the column, or the kind has no order.
    case kind(KindError)
  }

  package var reason: Reason
  /// The term, as typed.
  package var word: String

  init(reason: Reason, word: String) { (self.reason, self.word) = (reason, word) }

  init(_ reason: Reason, _ term: FilterTerm) { self.init(reason: reason, word: term.word) }
}

extension FilterError: ExplainedError {
  /// What is wrong with the term, in one line.
  package var description: String {
    let word = CustomersText.quoted(word)
    return switch reason {
    case .malformed: "\(word) is not a valid term"
    case .unknownOperator(let sign, _): "\(word): there is no operator \(sign)"
    case .unknownConjunction(let sign, _): "\(word): \(quoted(sign)) does not join terms"
    case .parenthesis: "\(word): a parenthesis is not in its place, or there are too many"
    case .quote: "\(word): a quote must be around a whole value"
    case .noValue: "\(word): a value is missing"
    case .severalValues(let sign): "\(word): \(sign) takes one value"
    case .noSuchField(let name, _): "there is no field or column \(quoted(name))"
    case .notYesOrNo(let field, let found): "\(printable(field)) must be yes or no, not \(quoted(found))"
    case .kind(let error): "\(printable(error.column)): \(printable(error.problem))"
    }
  }

  /// What a valid term is like; nil if no other term is near.
  package var hint: String? {
    switch reason {
    case .malformed:
      "for example: City=Berlin, note~tea, City!=Bonn, Age<30, email= (is empty), not (City=Bonn or favorite=yes)"
    case .unknownOperator(_, let meant):
      (meant.map { "write \($0)" } ?? "the operators are = != < <= > >= ~ !~")
        + "; put a value that begins with such a sign in quotes: note~\"<b>\""
    case .unknownConjunction(_, let meant): "write \(meant)"
    case .parenthesis:
      "for example: 'City=Bonn not (Age<30 or note~tea)'; put a value with parentheses in quotes"
    case .quote: "for example: City=\"Paris, Texas\", or note~\"a \"\"quote\"\"\""
    case .noValue: "an empty value is \"\", as in City=Bonn,\"\""
    case .severalValues: "write a value with a comma in quotes"
    case .noSuchField(_, let near): near.map { "did you mean \(quoted($0))?" }
    case .notYesOrNo: nil
    case .kind(let error): printable(error.hint)
    }
  }

  package var explanation: Explanation {
    Explanation(kind: .usage, reason: description, remedies: hint.map { [.advice($0)] } ?? [])
  }
}

extension FilterTerm {
  /// The values of a yes/no field that satisfy the term.
  func marks() throws -> Set<Bool> {
    let marks = try values.map { value in
      guard comparison == .equals || comparison == .differs,
        case .flag(let isSet)? = try? CustomerField.isFavorite.value(parsing: value.text)
      else {
        let found = comparison == .equals || comparison == .differs ? "" : comparison.rawValue
        throw FilterError(.notYesOrNo(field: name, found: found + value.text), self)
      }
      return isSet
    }
    return (comparison == .equals) != isNegated ? Set(marks) : Set([true, false]).subtracting(marks)
  }

  /// The sections that match: those with these whole titles or those with a part of a title.
  func sections(in outline: ListOutline) throws -> Set<SectionID> {
    let all = Set(outline.sections.map(\.id))
    let found: Set<SectionID>
    switch comparison {
    case .equals, .differs:
      found = Set(
        try values.map { value throws in try outline.section(titled: value.text, upTo: .folded).id })
    case .contains, .lacks:
      let parts = values.map { searchFolded($0.text) }
      found = Set(
        outline.sections.filter { section in
          parts.contains { searchFolded(section.title).contains($0) }
        }.map(\.id))
    case .less, .atMost, .greater, .atLeast: throw FilterError(.malformed, self)
    }
    return (comparison == .equals || comparison == .contains) != isNegated ? found : all.subtracting(found)
  }
}

extension StringProtocol {
  /// Without whitespace at the ends.
  package var trimmingBlanks: SubSequence {
    let letters: ClosedRange<Unicode.Scalar> = "!"..."~"
    // Most texts need no look at their characters.
    if let first = unicodeScalars.first, let last = unicodeScalars.last, letters.contains(first),
      letters.contains(last)
    {
      return self[...]
    }
    let start = drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex
    return start[..<end]
  }
}
