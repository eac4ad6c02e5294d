/// The way a user names rows, before looking at the list.
package enum RowSelector: Hashable, Sendable {
  /// Consecutive rows.
  package enum Span: Hashable, Sendable {
    /// The rows with these numbers, from 1.
    case range(ClosedRange<Int>)
    /// All rows from a number on.
    case from(Int)
    case first
    case last
  }

  /// Rows by their numbers in the whole list.
  case rows(Span)
  /// Rows by their numbers in the section named `section`; or the customer named `text`.
  case inSection(section: String, Span, text: String)
  /// The permanent id.
  case id(CustomerID)
  /// The name of a customer or a part of it.
  case name(String)

  /// Parses a string; `2,5-7` names several rows.
  package static func parse(_ text: String) throws(SelectionError) -> [RowSelector] {
    // An empty text or a space is part of many names: it would match anything.
    let name = text.hasPrefix("name:") ? text.dropFirst(5) : text[...]
    guard !name.allSatisfy(\.isWhitespace) else { throw SelectionError(.empty, text) }
    if text.hasPrefix("name:") { return [.name(String(name))] }
    let word = text.trimmingBlanks
    var rows: [RowSelector] = []
    var section: Substring?
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      guard let row = try element(part, &section, of: text) else {
        guard word.allSatisfy({ $0.isASCII && ($0.isNumber || ",-@#".contains($0)) }) else {
          return [.name(text)]
        }
        throw SelectionError(.malformed, text)
      }
      rows.append(row)
    }
    return rows
  }

  /// Parses one part of a word; returns nil if it is not a row number, so that the word is a name.
  ///
  /// A section applies to the parts after it, too: `leads/1,3` is two rows of it.
  private static func element(
    _ part: Substring, _ section: inout Substring?, of whole: String
  ) throws(SelectionError) -> RowSelector? {
    if part.hasPrefix("@"), let id = digits(part.dropFirst()) { return .id(CustomerID(rawValue: Int64(id))) }
    var part = part
    if let slash = part.lastIndex(of: "/"), slash > part.startIndex {
      section = part[..<slash]
      part = part[part.index(after: slash)...]
    }
    guard let span = try span(part, of: whole) else { return nil }
    guard let section else { return .rows(span) }
    return .inSection(section: String(section), span, text: whole)
  }

  private static func span(_ text: Substring, of whole: String) throws(SelectionError) -> Span? {
    if text == "first" { return .first }
    if text == "last" { return .last }
    let text = text.hasPrefix("#") ? text.dropFirst() : text
    if let number = wholeNumber(text) { return .range(number...number) }
    if text.hasSuffix("-"), let number = digits(text.dropLast()) { return .from(number) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let ends = parts.map(digits)
    guard ends.count == 2, let lower = ends[0], let upper = ends[1] else { return nil }
    guard lower <= upper else {
      throw SelectionError(.backward(first: String(parts[0]), last: String(parts[1])), whole)
    }
    return .range(lower...upper)
  }

  private static func digits(_ text: Substring) -> Int? {
    text.hasPrefix("-") ? nil : wholeNumber(text)
  }
}

/// A number of digits, perhaps after a minus; one too large for any list stays too large.
///
/// `Int` would accept a plus sign, too.
func wholeNumber(_ text: Substring) -> Int? {
  let isNegative = text.hasPrefix("-")
  let digits = isNegative ? text.dropFirst() : text
  guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text) ?? (isNegative ? .min : .max)
}

/// Parsed words that name rows.
package struct RowSelectors: Sendable {
  /// Each selector with its word.
  let rows: [(selector: RowSelector, word: String)]

  /// The id, if one customer is named by it.
  package var onlyID: CustomerID? {
    guard rows.count == 1, case .id(let id) = rows[0].selector else { return nil }
    return id
  }

  /// How many rows of a list are read at most to find these: all of them for a name.
  package func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    var count = 0
    for (selector, _) in rows {
      switch selector {
      case .id, .rows(.first), .rows(.last): count += 1
      case .rows(.range(let numbers)):
        count = count.saturatingAdding(numbers.upperBound - numbers.lowerBound).saturatingAdding(1)
      case .rows(.from), .inSection, .name: return try list.count()
      }
    }
    return count
  }

  /// Parses words.
  ///
  /// - Throws: an error if a word can't name a row in any list.
  package init(_ words: [String]) throws(SelectionError) {
    var rows: [(RowSelector, String)] = []
    for word in words { rows += try RowSelector.parse(word).map { ($0, word) } }
    self.rows = rows
  }
}
