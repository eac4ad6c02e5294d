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

  /// Whether a word is a name, without `name:` before it, and no number, id, or place.
  ///
  /// So is a range of numbers backward, such as 555-0100, what begins as no number does, such as 0151-5550100, and a condition
  /// with a date, such as Due<12/31/2026.
  package static func isName(_ word: String) -> Bool {
    guard !word.hasPrefix("name:") else { return false }
    if word.contains(where: "<>=~".contains) { return true }
    let digits = word.utf8.prefix(2)
    if digits.first == UInt8(ascii: "0"), digits.last.map({ (0x30...0x39).contains($0) }) == true,
      digits.count == 2, word.utf8.allSatisfy({ (0x2d...0x39).contains($0) })
    {
      return true
    }
    do {
      return try parse(word).contains { if case .name = $0 { true } else { false } }
    } catch {
      switch error.reason {
      case .empty, .backward: return true
      case .malformed: return PhoneDigits.areFound(by: word)
      default: return false
      }
    }
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

  /// Whether it can name only one row.
  package var isOneRow: Bool {
    guard rows.count == 1 else { return false }
    switch rows[0].selector {
    case .id, .rows(.first), .rows(.last), .inSection(_, .first, _), .inSection(_, .last, _): return true
    case .rows(.range(let numbers)), .inSection(_, .range(let numbers), _): return numbers.count == 1
    case .name: return true
    case .rows(.from), .inSection(_, .from, _): return false
    }
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

/// A name as a user writes it: of a customer, a section, a column, or a word of the program.
///
/// There is one rule for all of them. The exact name comes first. Otherwise case, accents, spaces, `-`, and `_` are
/// ignored. Where something is changed, whole words of a name may be enough, but a part of a word never is, unless
/// the user confirms what was found.
package struct Name: Sendable {
  /// How well a name fits another, best first.
  package enum Fit: Int, CaseIterable, Comparable, Sendable {
    /// It is the same text.
    case exact
    /// It is the same but for case, accents, spaces, `-`, and `_`.
    case folded
    /// Its words are whole words of the other name, in sequence.
    case words
    /// The other name begins with it.
    case beginning
    /// It is any part of the other name.
    case part

    package static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }

    /// Whether it is certain, unlike a part of a word.
    var isSure: Bool { self <= .words }
  }

  package let text: String
  /// The words, folded, with single spaces between them.
  let words: String
  /// The words without the spaces: the same for names that differ only in what is ignored.
  package let key: String

  package init(_ text: String) {
    self.text = text
    let parts = searchFolded(text).split { $0.isWhitespace || $0 == "-" || $0 == "_" }
    words = parts.joined(separator: " ")
    key = parts.joined()
  }

  /// How well the name fits a string; nil if not at all.
  package func fit(_ other: String) -> Fit? {
    if other.utf8.elementsEqual(text.utf8) { return text.isEmpty ? nil : .exact }
    guard !key.isEmpty else { return nil }
    let other = Name(other)
    if other.key == key { return .folded }
    if other.words.hasWords(words) { return .words }
    if other.words.hasPrefix(words) { return .beginning }
    return other.words.contains(words) ? .part : nil
  }

  /// The elements that the name fits best and how well; nil if it fits none at least as well as `limit`.
  package func best<Element>(
    of elements: some Sequence<Element>, upTo limit: Fit = .folded, by names: (Element) -> [String]
  ) -> (fit: Fit, elements: [Element])? {
    var best: (fit: Fit, elements: [Element])?
    for element in elements {
      guard let fit = names(element).compactMap(fit).min(), fit <= limit, fit <= best?.fit ?? fit else {
        continue
      }
      if fit == best?.fit { best?.elements.append(element) } else { best = (fit, [element]) }
    }
    return best
  }

  /// The word of the program that is meant; nil if none or several are.
  package func only<Word>(of words: some Sequence<Word>, by name: (Word) -> String) -> Word? {
    let found = best(of: words) { [name($0)] }
    return found?.elements.count == 1 ? found?.elements[0] : nil
  }

  /// A section's title, as the list compares titles: no two sections have titles that differ only in case or in
  /// spaces at the ends.
  package static func title(_ text: String) -> String { caseFolded(String(text.trimmingBlanks)) }
}

extension String {
  /// Whether the text contains the words as whole words in sequence.
  fileprivate func hasWords(_ words: String) -> Bool {
    ranges(of: words).contains { range in
      (range.lowerBound == startIndex || !self[index(before: range.lowerBound)].isInWord)
        && (range.upperBound == endIndex || !self[range.upperBound].isInWord)
    }
  }
}

/// A list of names of fields that can't be understood.
package struct FieldNamesError: Error, CustomStringConvertible {
  package let name: String
  /// A similar name of a field.
  package let near: String?
  /// Whether the field was already named.
  package let isRepeated: Bool

  package var description: String {
    if isRepeated { return "\"\(name)\" was given twice" }
    return "there is no field \"\(name)\"" + (near.map { "; did you mean \($0)?" } ?? "")
  }
}

extension StringProtocol {
  /// The names in a list of names that are separated by commas.
  ///
  /// One with a comma is in quotes, after its minus if it has one; two quotes in it are one.
  fileprivate var listedNames: [String] {
    var names: [String] = []
    var rest = self[...]
    while true {
      let word = rest.drop(while: \.isWhitespace)
      let quoted = word.dropFirst(word.first == "-" ? 1 : 0)
      let end: Index
      if quoted.first == "\"", let (name, after) = quoted.quotedName {
        names.append((word.first == "-" ? "-" : "") + name)
        end = after
      } else {
        end = rest.firstIndex(of: ",") ?? endIndex
        names.append(String(String(rest[..<end]).trimmingBlanks))
      }
      guard end < endIndex else { return names }
      rest = self[index(after: end)...]
    }
  }

  /// The name in quotes with which a text begins, and the comma or the end after it; nil if there is none.
  private var quotedName: (name: String, end: Index)? {
    var name = ""
    var next = index(after: startIndex)
    while next < endIndex {
      let character = self[next]
      next = index(after: next)
      if character == "\"" {
        guard next < endIndex, self[next] == "\"" else {
          let end = self[next...].firstIndex { !$0.isWhitespace } ?? endIndex
          return end == endIndex || self[end] == "," ? (name, end) : nil
        }
        next = index(after: next)
      }
      name.append(character)
    }
    return nil
  }
}

extension CustomerList {
  /// The fields that a string names, separated by commas; `field` looks up each.
  ///
  /// One with a comma is in quotes.
  ///
  /// - Throws: `FieldNamesError` for an unknown or repeated name and what `field` throws.
  package func named<Field: Equatable>(
    _ names: String, _ field: (String) throws -> Field?
  ) throws -> [Field] {
    var fields: [Field] = []
    for name in names.listedNames {
      guard let found = try field(name) else {
        throw FieldNamesError(name: name, near: try fieldName(near: name), isRepeated: false)
      }
      guard !fields.contains(found) else { throw FieldNamesError(name: name, near: nil, isRepeated: true) }
      fields.append(found)
    }
    return fields
  }

  /// The columns that a string names, in its order, separated by commas.
  ///
  /// - Throws: `FieldNamesError`, `ListError.ambiguousColumn`.
  package func columns(named names: String) throws -> [ListColumn] { try named(names) { try found($0) } }

  /// The column with a name.
  ///
  /// - Throws: `FieldNamesError`, `ListError.ambiguousColumn`.
  package func column(named name: String) throws -> ListColumn {
    guard let found = try found(name) else {
      throw FieldNamesError(name: name, near: try fieldName(near: name), isRepeated: false)
    }
    return found
  }

  private func found(_ name: String) throws -> ListColumn? {
    try column(named: name, or: ListColumn.notFields.map { ($0.name, $0) }, ListColumn.field)
  }

  /// The order by the fields that a string names, separated by commas; one with a minus before it goes the other way.
  ///
  /// - Throws: what `columns(named:)` throws.
  package func sortOrder(by names: String, isDescending: Bool = false) throws -> SortOrder {
    func key(_ name: String) throws -> SortOrder.Key? {
      try column(named: name, or: [("name", .name)]) { .field($0) }
    }
    var reversed: Set<SortOrder.Key> = []
    let keys: [SortOrder.Key] = try named(names) { name in
      let found = try key(name)
      // Signs make no difference in a name, unless a column has exactly this one.
      guard name.hasPrefix("-"), found != .field(.extra(name)), let named = try key(String(name.dropFirst()))
      else {
        return found
      }
      reversed.insert(named)
      return named
    }
    var order = SortOrder(by: keys, isDescending: isDescending)
    order.reversed = reversed
    return order
  }
}

extension ListColumn {
  /// Those that are no fields.
  fileprivate static let notFields = all.filter { CustomerField(column: $0.name) == nil }
}

/// Why words do not name a row or section.
package struct SelectionError: Error, Equatable {
  /// What is wrong.
  package enum Reason: Equatable {
    /// Only whitespace.
    case empty
    /// Not a valid way to name a row in any list.
    case malformed
    /// A range of row numbers whose end is before its start.
    case backward(first: String, last: String)
    /// One row is needed, but this many are named.
    case notOne(Int)
    /// The customer with this name was named before.
    case repeated(name: String, id: CustomerID)
    /// The list has no rows.
    case emptyList
    case noCustomer(CustomerID)
    /// The list, or the section with this title, has no such row, only `count` rows.
    case noRow(Int, count: Int, section: String?)
    /// No name contains the text; `near` is similar.
    case noName(near: Match?)
    /// Several names contain the text; these are the first of them.
    case severalNames([Match], count: Int)
    /// The text is only a part of this name, which is not enough without a confirmation.
    case onlyPart(Match)
    /// The text is only a part of the title of this section, which is not enough here.
    case onlyPartOfTitle(CustomerSection)
    /// No title contains the text; these are all titles.
    case noTitle(among: [String])
    /// Several titles contain the text.
    case severalTitles([CustomerSection])
  }

  /// A customer whose name contains a string or is similar to it.
  package struct Match: Equatable, Sendable {
    /// The position in the whole list.
    package var position: Int
    package var id: CustomerID
    package var name: String
  }

  package var reason: Reason
  /// The text that names nothing or too much.
  package var text: String
  /// The word at fault, as typed, which contains the text.
  package var word: String

  package init(_ reason: Reason, _ text: String, in word: String? = nil) {
    (self.reason, self.text, self.word) = (reason, text, word ?? text)
  }
}
