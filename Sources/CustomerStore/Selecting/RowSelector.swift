/// How a person names rows, before anybody has looked at the list.
package enum RowSelector: Hashable, Sendable {
  /// Positions in the whole list, from 1.
  case positions(ClosedRange<Int>)
  /// The lasting id.
  case id(CustomerID)
  case first
  case last
  /// Row `row` of the section that is called `section`.
  case inSection(section: String, row: Int, text: String)
  /// The name of a customer, or a part of it.
  case name(String)

  /// Takes a text apart; `2,5-7` names several rows.
  package static func parse(_ text: String) throws(SelectionError) -> [RowSelector] {
    // An empty text, and a blank, are a part of names: they would name whatever there is.
    let name = text.hasPrefix("name:") ? text.dropFirst(5) : text[...]
    guard !name.allSatisfy(\.isWhitespace) else { throw SelectionError(.empty, text) }
    if text == "first" { return [.first] }
    if text == "last" { return [.last] }
    if text.hasPrefix("name:") { return [.name(String(name))] }
    if text.allSatisfy({ $0.isASCII && ($0.isNumber || ",-@".contains($0)) }) {
      var rows: [RowSelector] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        rows.append(try element(part, of: text))
      }
      return rows
    }
    if let slash = text.lastIndex(of: "/"), slash > text.startIndex,
      let row = wholeNumber(text[text.index(after: slash)...])
    {
      return [.inSection(section: String(text[..<slash]), row: row, text: text)]
    }
    return [.name(text)]
  }

  private static func element(_ text: Substring, of whole: String) throws(SelectionError) -> RowSelector {
    if text.hasPrefix("@"), let id = digits(text.dropFirst()) { return .id(CustomerID(rawValue: Int64(id))) }
    if let position = wholeNumber(text) { return .positions(position...position) }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(digits)
    guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper else {
      throw SelectionError(.malformed, whole)
    }
    return .positions(lower...upper)
  }

  private static func digits(_ text: Substring) -> Int? {
    text.hasPrefix("-") ? nil : wholeNumber(text)
  }
}

/// A number of digits, maybe after a minus; one too large for any list stays too large.
///
/// `Int` would take a plus sign too.
func wholeNumber(_ text: Substring) -> Int? {
  let isNegative = text.hasPrefix("-")
  let digits = isNegative ? text.dropFirst() : text
  guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text) ?? (isNegative ? .min : .max)
}

/// The words of a person that name rows, understood.
package struct RowSelectors: Sendable {
  /// Each with the word it comes from.
  let rows: [(selector: RowSelector, word: String)]

  /// Takes words apart.
  ///
  /// - Throws: an error if a word can't name a row in any list.
  package init(_ words: [String]) throws(SelectionError) {
    var rows: [(RowSelector, String)] = []
    for word in words { rows += try RowSelector.parse(word).map { ($0, word) } }
    self.rows = rows
  }
}
