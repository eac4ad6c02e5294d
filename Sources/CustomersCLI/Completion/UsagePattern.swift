/// Which words may stand where behind the name of a command, as its usage says: `A B`, `A | B`, `[A]`,
/// `(A)` and `A…`.
///
/// Options may stand anywhere, so they are left out.
indirect enum UsagePattern {
  case word(String)
  case sequence([UsagePattern])
  case choice([UsagePattern])
  case optional(UsagePattern)
  /// Once or more.
  case repeated(UsagePattern)

  init(_ usage: String) {
    var reader = UsageReader(usage)
    self = reader.choice()
  }

  /// The words that may come behind `operands`: names of what is to be filled in, in capital letters,
  /// and words that stand for themselves.
  func expected(after operands: [String]) -> [String] {
    var found: [String] = []
    for word in UsagePattern.next([self], operands[...]) where !found.contains(word) { found.append(word) }
    return found
  }

  private static func next(_ patterns: [UsagePattern], _ operands: ArraySlice<String>) -> [String] {
    guard let first = patterns.first else { return [] }
    let rest = Array(patterns.dropFirst())
    switch first {
    case .word(let word):
      guard let operand = operands.first else { return [word] }
      let fits = word.first?.isUppercase == true || word == operand
      return fits ? next(rest, operands.dropFirst()) : []
    case .sequence(let parts): return next(parts + rest, operands)
    case .choice(let patterns): return patterns.flatMap { next([$0] + rest, operands) }
    case .optional(let pattern): return next([pattern] + rest, operands) + next(rest, operands)
    case .repeated(let pattern):
      guard !pattern.isEmpty else { return next(rest, operands) }
      return next([pattern, .optional(first)] + rest, operands)
    }
  }

  /// Whether nothing but options stood here.
  private var isEmpty: Bool {
    switch self {
    case .word: false
    case .sequence(let patterns), .choice(let patterns): patterns.allSatisfy(\.isEmpty)
    case .optional(let pattern), .repeated(let pattern): pattern.isEmpty
    }
  }
}

/// Reads a usage from left to right.
private struct UsageReader {
  private var rest: Substring.UnicodeScalarView
  private static let signs = "[]()|… "

  init(_ usage: String) { rest = usage[...].unicodeScalars }

  mutating func choice() -> UsagePattern {
    var patterns = [sequence()]
    while skip("|") { patterns.append(sequence()) }
    return patterns.count == 1 ? patterns[0] : .choice(patterns)
  }

  private mutating func sequence() -> UsagePattern {
    var parts: [UsagePattern] = []
    while let part = part() { parts.append(skip("…") ? .repeated(part) : part) }
    return .sequence(parts)
  }

  /// The next part; nil at the end of a sequence.
  private mutating func part() -> UsagePattern? {
    while skip(" ") {}
    if skip("[") { return .optional(choice(until: "]")) }
    if skip("(") { return choice(until: ")") }
    let word = word()
    guard word.hasPrefix("-") else { return word.isEmpty ? nil : .word(word) }
    // What an option takes is no operand; a lone `-` takes nothing.
    if skip(" "), word != "-" { _ = self.word() }
    return .sequence([])
  }

  private mutating func choice(until end: Unicode.Scalar) -> UsagePattern {
    defer { _ = skip(end) }
    return choice()
  }

  private mutating func word() -> String {
    let word = rest.prefix { !UsageReader.signs.unicodeScalars.contains($0) }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == sign else { return false }
    rest.removeFirst()
    return true
  }
}
