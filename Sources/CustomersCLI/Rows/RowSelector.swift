/// How a person names rows on the command line, before anybody has looked at the list.
enum RowSelector: Hashable, Sendable {
  /// Positions in the whole list, from 1.
  case positions(ClosedRange<Int>)
  /// The lasting id.
  case id(Int64)
  case first
  case last
  /// Row `row` of the section that is called `section`.
  case inSection(section: String, row: Int, text: String)
  /// The name of a customer, or a part of it.
  case name(String)

  /// Takes an operand apart; `2,5-7` names several.
  static func parse(_ text: String) throws -> [RowSelector] {
    // An empty text, and a blank, are a part of names: they would name whatever there is.
    let name = text.hasPrefix("name:") ? text.dropFirst(5) : text[...]
    guard !name.allSatisfy(\.isWhitespace) else { throw Failure.usage("the name of a row is empty") }
    if text == "first" { return [.first] }
    if text == "last" { return [.last] }
    if text.hasPrefix("name:") { return [.name(String(name))] }
    if text.allSatisfy({ $0.isASCII && ($0.isNumber || ",-@".contains($0)) }) {
      return try text.split(separator: ",", omittingEmptySubsequences: false).map {
        try element($0, of: text)
      }
    }
    if let slash = text.lastIndex(of: "/"), slash > text.startIndex {
      let row = String(text[text.index(after: slash)...])
      if Invocation.isNumber(row) {
        return [.inSection(section: String(text[..<slash]), row: Int(row) ?? .max, text: text)]
      }
    }
    return [.name(text)]
  }

  private static func element(_ text: Substring, of whole: String) throws -> RowSelector {
    if text.hasPrefix("@"), let id = number(text.dropFirst()) { return .id(Int64(id)) }
    if Invocation.isNumber(String(text)) {
      let position = Int(text) ?? (text.hasPrefix("-") ? .min : .max)
      return .positions(position...position)
    }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(number)
    guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper else {
      throw Failure.usage(
        "\(quoted(whole)) names no row",
        hint: "rows are named as in 3, 2,5-7, @17, first, leads/2, \"Ann Lee\"")
    }
    return .positions(lower...upper)
  }

  /// Digits as a number; one too large for any list stays too large.
  private static func number(_ digits: Substring) -> Int? {
    guard !digits.hasPrefix("-"), Invocation.isNumber(String(digits)) else { return nil }
    return Int(digits) ?? .max
  }
}

/// The operands of a command that name rows, understood.
struct RowSelectors: Sendable {
  /// Each with the operand it stands in.
  let names: [(name: RowSelector, operand: String)]

  /// - Throws: a `Failure` with code `usage` if an operand can't name a row in any list.
  init(_ operands: [String]) throws {
    names = try operands.flatMap { operand in
      try Failure.attributing(operand) { try RowSelector.parse(operand).map { ($0, operand) } }
    }
  }
}
