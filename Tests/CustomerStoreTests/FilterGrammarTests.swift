@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// The grammar of questions, with random ones: a model prints them, decides them, and reads what it printed.
@Suite(.onThreads) struct FilterGrammarTests {
  /// As many as a person may mean; more would end in a stack that is too small.
  @Test(arguments: [1, 2, 19, 20, 21, 30_000]) func `not may be repeated a few times`(count: Int) throws {
    let nots = String(repeating: "not ", count: count)
    for text in [nots + "name=Ann", "note~x " + nots + "(name=Ann or name=Bob)"] {
      guard count <= 20 else {
        let error = #expect(throws: FilterError.self) { try FilterExpression(text) }
        #expect(error?.reason == .malformed)
        continue
      }
      let plain = count % 2 == 0 ? "" : "not "
      let same = text.replacing(nots, with: plain)
      let found = try [text, same].map { try FilterExpression($0).terms.map { "\($0.name) \($0.isNegated)" } }
      #expect(found[0] == found[1])
    }
  }

  private static let rounds = isLong ? 100_000 : 500

  @Test func `what is printed is read again, however it is written`() throws {
    var generator = QuestionGenerator(seed: 1)
    for _ in 0..<Self.rounds {
      let question = generator.question()
      let text = generator.printed(question)
      let read = try FilterExpression(text).terms.terms.map(ModelTerm.init)
      try #require(read == question.terms(), "\(text)")
    }
  }

  @Test func `any string is read or refused, and what was read means the same in quotes`() throws {
    var generator = QuestionGenerator(seed: 2)
    var readCount = 0
    for _ in 0..<Self.rounds {
      let text = generator.garbage()
      guard let read = try? FilterExpression(text).terms else { continue }
      readCount += 1
      try #require(try FilterExpression(Self.quoted(read)).terms.terms == read.terms.map(\.quoted), "\(text)")
    }
    #expect(readCount > Self.rounds / 50)
  }

  private static func quoted(_ terms: FilterExpression.Terms) -> String {
    switch terms {
    case .term(let term): (term.isNegated ? "not " : "") + term.quoted.word
    case .all(let parts): "(\(parts.map(quoted).joined(separator: " ")))"
    case .any(let parts): "(\(parts.map(quoted).joined(separator: " or ")))"
    }
  }

  @Test func `a model decides each question about each customer alike`() throws {
    var generator = QuestionGenerator(seed: 3)
    let store = try CustomerStore.inMemory()
    var rows: [[String: String]] = []
    try store.write { list in
      for number in 1...40 as ClosedRange<Int64> {
        try list.insert(CustomerFields(name: "P\(number)"))
        var values: [String: String] = [:]
        for field in QuestionGenerator.fields { values[field] = generator.value() }
        try list.update(CustomerID(rawValue: number)) { fields in
          fields.note = values["note"] ?? ""
          for field in ["City", "Age"] { fields.extraColumns[field] = .text(values[field] ?? "") }
        }
        rows.append(values)
      }
    }
    try store.read { list in
      for _ in 0..<(isLong ? 20_000 : 60) {
        let question = generator.question()
        let text = generator.printed(question)
        let found = try list.customers(matching: RowFilter([FilterExpression(text)], in: list)).map(
          \.id.rawValue)
        let expected = rows.indices.filter { question.holds(of: rows[$0]) == true }.map { Int64($0 + 1) }
        try #require(found == expected, "\(text)")
      }
    }
  }
}

extension FilterTerm {
  /// The term with its values in quotes, and the text that is read as it.
  fileprivate var quoted: FilterTerm {
    var term = self
    term.values = values.map { Value($0.text, isQuoted: true) }
    term.word =
      ModelTerm.quoted(name) + comparison.rawValue
      + values.map { ModelTerm.quoted($0.text) }.joined(separator: ",")
    return term
  }
}

/// A term as the model has it.
private struct ModelTerm: Equatable {
  var name: String
  var sign: String
  var values: [String]
  var isNegated = false

  init(name: String, sign: String, values: [String]) {
    (self.name, self.sign, self.values) = (name, sign, values)
  }

  init(_ term: FilterTerm) {
    self.init(name: term.name, sign: term.comparison.rawValue, values: term.values.map(\.text))
    isNegated = term.isNegated
  }

  static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

  /// Whether it holds; nil if that is not known.
  ///
  /// A limit that is a number is written as one.
  func holds(of text: String) -> Bool? {
    let text = text.lowercased()
    let values = values.map { $0.lowercased() }
    switch sign {
    case "~": return values.contains { text.contains($0) }
    case "!~": return !values.contains { text.contains($0) }
    case _ where text.isEmpty && !values.contains(""): return nil
    case "=": return values.contains(text)
    case "!=": return !values.contains(text)
    default: break
    }
    let limit = values[0]
    let order: Int
    switch (Double(text), Double(limit)) {
    case (let own?, let other?): order = own < other ? -1 : own > other ? 1 : 0
    case (nil, _?): return nil
    default: order = ModelTerm.order(ModelTerm.parts(text), ModelTerm.parts(limit))
    }
    return ["<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0][sign] ?? false
  }

  /// Letters one by one, and numbers by their value.
  private static func parts(_ text: String) -> [(letter: Character, number: Int)] {
    var parts: [(Character, Int)] = []
    var rest = text[...]
    while let letter = rest.first {
      let digits = rest.prefix { $0.isNumber }
      parts.append(digits.isEmpty ? (letter, 0) : ("0", Int(digits) ?? 0))
      rest = digits.isEmpty ? rest.dropFirst() : rest[digits.endIndex...]
    }
    return parts
  }

  private static func order(
    _ left: [(letter: Character, number: Int)], _ right: [(letter: Character, number: Int)]
  ) -> Int {
    for (left, right) in zip(left, right) where left != right {
      return left.letter == right.letter
        ? (left.number < right.number ? -1 : 1) : (left.letter < right.letter ? -1 : 1)
    }
    return left.count - right.count
  }
}

/// A question as the model has it.
private indirect enum ModelQuestion {
  case term(ModelTerm)
  case not(ModelQuestion)
  case all([ModelQuestion])
  case any([ModelQuestion])

  /// The terms, of which those under an odd number of `not` are negated.
  func terms(_ isNegated: Bool = false) -> [ModelTerm] {
    switch self {
    case .term(var term):
      term.isNegated = isNegated
      return [term]
    case .not(let part): return part.terms(!isNegated)
    case .all(let parts), .any(let parts): return parts.flatMap { $0.terms(isNegated) }
    }
  }

  /// Whether it holds; nil if that is not known.
  func holds(of row: [String: String]) -> Bool? {
    switch self {
    case .term(let term): return term.holds(of: row[term.name] ?? "")
    case .not(let part): return part.holds(of: row).map { !$0 }
    case .all(let parts):
      let found = parts.map { $0.holds(of: row) }
      return found.contains(false) ? false : found.contains(nil) ? nil : true
    case .any(let parts):
      let found = parts.map { $0.holds(of: row) }
      return found.contains(true) ? true : found.contains(nil) ? nil : false
    }
  }
}

/// Makes questions, and values that are like questions.
private struct QuestionGenerator {
  static let fields = ["note", "City", "Age"]
  private static let signs = ["=", "!=", "<", "<=", ">", ">=", "~", "!~"]
  private static let words = [
    "Bonn", "koln", "7", "10", "9.5", "row 2", "row 10", "a,b", "x or y", "or", "say \"hi\"", "<b>", "a=b",
    " pad ",
    "New York", "and", "-3", "b", "\"", ",", "!", "Tea and", "r7a",
  ]

  private var random: SplitMix64

  init(seed: Int) { random = SplitMix64(seed: seed) }

  mutating func value() -> String { one(of: Self.words + [""]) }

  mutating func question() -> ModelQuestion { question(depth: 2) }

  private mutating func question(depth: Int) -> ModelQuestion {
    .any((0..<below(3) + 1).map { _ in .all((0..<below(3) + 1).map { _ in factor(depth: depth) }) })
  }

  private mutating func factor(depth: Int) -> ModelQuestion {
    if depth > 0, below(6) == 0 { return .not(factor(depth: depth - 1)) }
    if depth > 0, below(6) == 0 { return question(depth: depth - 1) }
    let sign = one(of: Self.signs)
    let most = sign.hasPrefix("<") || sign.hasPrefix(">") ? 1 : 3
    var values = (0..<below(most) + 1).map { _ in one(of: Self.words) }
    if sign == "=" || sign == "!=", below(4) == 0 { values[0] = "" }
    return .term(ModelTerm(name: one(of: Self.fields), sign: sign, values: values))
  }

  /// The question as a person might write it.
  mutating func printed(_ question: ModelQuestion) -> String {
    switch question {
    case .term(let term): return printed(term)
    case .not(let part): return one(of: ["not ", "NOT  "]) + factor(part)
    case .all(let parts):
      return parts.map { factor($0) }.joined(separator: one(of: [" ", "  ", " and ", " AND "]))
    case .any(let parts):
      return parts.map { printed($0) }.joined(separator: one(of: [" or ", "  OR ", " Or "]))
    }
  }

  private mutating func factor(_ question: ModelQuestion) -> String {
    if case .any = question { return "(" + printed(question) + one(of: [")", " )"]) }
    return printed(question)
  }

  private mutating func printed(_ term: ModelTerm) -> String {
    let isOfOrder = term.sign.hasPrefix("<") || term.sign.hasPrefix(">")
    let name = below(4) == 0 ? "\"\(term.name)\"" : term.name
    let values = term.values.map { value in
      let isPlain =
        !value.isEmpty && value.allSatisfy { $0.isLetter || $0.isNumber || ".- ".contains($0) }
        && !value.split(separator: " ").contains { ["or", "and", "not"].contains($0) }
        && !value.hasPrefix(" ")
      let isNumber = Double(value) != nil
      guard !isPlain || (isOfOrder ? !isNumber : below(3) == 0) else { return value }
      return value.isEmpty && term.values.count == 1 ? "" : "\"\(value.replacing("\"", with: "\"\""))\""
    }
    // Without a value, a space would be that before the next term.
    return name + one(of: ["", " "]) + term.sign + one(of: ["", " "])
      + values.joined(separator: one(of: [",", ", ", " ,"]))
  }

  mutating func garbage() -> String {
    let pieces = [
      "a", "b", "or", "not", "(", ")", " ", " ", "=", "=", "!", "<", ">", "~", "\"", ",", "1", "and", "é",
    ]
    return (0..<below(12)).map { _ in one(of: pieces) }.joined()
  }

  private mutating func below(_ number: Int) -> Int { Int.random(in: 0..<number, using: &random) }
  private mutating func one(of texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
}
