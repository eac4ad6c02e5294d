@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// The grammar of questions, with random ones: a model prints them, decides them, and reads what it printed.
@Suite(.onThreads) struct FilterGrammarTests {
  private static let rounds = isLong ? 100_000 : 500

  @Test func `what is printed is read again, however it is written`() throws {
    var generator = QuestionGenerator(seed: 1)
    for _ in 0..<Self.rounds {
      let question = generator.question()
      let text = generator.printed(question)
      let read = try FilterExpression(text).alternatives.map { $0.map(ModelTerm.init) }
      try #require(read == question, "\(text)")
    }
  }

  @Test func `any string is read or refused, and what was read means the same in quotes`() throws {
    var generator = QuestionGenerator(seed: 2)
    var readCount = 0
    for _ in 0..<Self.rounds {
      let text = generator.garbage()
      guard let read = try? FilterExpression(text).alternatives.map({ $0.map(ModelTerm.init) }) else {
        continue
      }
      readCount += 1
      let quoted = read.map { $0.map(\.quoted).joined(separator: " ") }.joined(separator: " or ")
      try #require(
        try FilterExpression(quoted).alternatives.map { $0.map(ModelTerm.init) } == read, "\(text)")
    }
    #expect(readCount > Self.rounds / 50)
  }

  @Test func `a model decides each term of each customer alike`() throws {
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
        let expected = rows.indices.filter { row in
          question.contains { $0.allSatisfy { $0.holds(of: rows[row][$0.name] ?? "") } }
        }.map { Int64($0 + 1) }
        try #require(found == expected, "\(text)")
      }
    }
  }
}

/// A term as the model has it.
private struct ModelTerm: Equatable {
  var name: String
  var sign: String
  var values: [String]

  init(name: String, sign: String, values: [String]) {
    (self.name, self.sign, self.values) = (name, sign, values)
  }

  init(_ term: FilterTerm) {
    self.init(name: term.name, sign: term.comparison.rawValue, values: term.values.map(\.text))
  }

  private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

  var quoted: String { Self.quoted(name) + sign + values.map(Self.quoted).joined(separator: ",") }

  func holds(of text: String) -> Bool {
    let text = text.lowercased()
    let values = values.map { $0.lowercased() }
    switch sign {
    case "=": return values.contains(text)
    case "!=": return !values.contains(text)
    case "~": return values.contains { text.contains($0) }
    case "!~": return !values.contains { text.contains($0) }
    default: break
    }
    guard !text.isEmpty else { return false }
    let limit = values[0]
    let order: Int
    switch (Double(text), Double(limit)) {
    case (let own?, let other?): order = own < other ? -1 : own > other ? 1 : 0
    case (nil, _?): return false
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

  mutating func question() -> [[ModelTerm]] {
    (0..<below(3) + 1).map { _ in
      (0..<below(3) + 1).map { _ in
        let sign = one(of: Self.signs)
        let most = sign.hasPrefix("<") || sign.hasPrefix(">") ? 1 : 3
        var values = (0..<below(most) + 1).map { _ in one(of: Self.words) }
        if sign == "=" || sign == "!=", below(4) == 0 { values[0] = "" }
        return ModelTerm(name: one(of: Self.fields), sign: sign, values: values)
      }
    }
  }

  /// The question as a person might write it.
  mutating func printed(_ question: [[ModelTerm]]) -> String {
    question.map { $0.map { printed($0) }.joined(separator: one(of: [" ", "  "])) }
      .joined(separator: one(of: [" or ", "  OR ", " Or "]))
  }

  private mutating func printed(_ term: ModelTerm) -> String {
    let name = below(4) == 0 ? "\"\(term.name)\"" : term.name
    let values = term.values.map { value in
      let isPlain =
        !value.isEmpty && value.allSatisfy { $0.isLetter || $0.isNumber || ".- ".contains($0) }
        && !value.split(separator: " ").contains { ["or", "and"].contains($0) } && !value.hasPrefix(" ")
      guard !isPlain || below(3) == 0 else { return value }
      return value.isEmpty && term.values.count == 1 ? "" : "\"\(value.replacing("\"", with: "\"\""))\""
    }
    // Without a value, a space would be that before the next term.
    return name + one(of: ["", " "]) + term.sign + one(of: ["", " "])
      + values.joined(separator: one(of: [",", ", ", " ,"]))
  }

  mutating func garbage() -> String {
    let pieces = ["a", "b", "or", " ", " ", "=", "=", "!", "<", ">", "~", "\"", ",", "1", "and", "é"]
    return (0..<below(12)).map { _ in one(of: pieces) }.joined()
  }

  private mutating func below(_ number: Int) -> Int { Int.random(in: 0..<number, using: &random) }
  private mutating func one(of texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
}
