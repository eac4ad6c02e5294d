/// A condition on customers as a person writes it: a field, an operator and a value, as in `City=Berlin`.
///
/// `=` compares the whole value, `~` looks for a part of it, `!=` and `!~` are the opposites, and `<` and `>`
/// compare as numbers if both values are numbers, otherwise as texts. Case and accents are ignored.
package struct FilterTerm: Hashable, Sendable {
  package enum Comparison: String, CaseIterable, Sendable {
    case differs = "!="
    case lacks = "!~"
    case equals = "="
    case contains = "~"
    case less = "<"
    case greater = ">"
  }

  package let name: String
  package let comparison: Comparison
  package let text: String
  /// The term as typed.
  package let word: String

  /// Parses a word.
  ///
  /// - Throws: an error if it is not a term.
  package init(_ word: String) throws(FilterError) {
    let sign = word.firstIndex { "=~<>!".contains($0) } ?? word.endIndex
    let rest = word[sign...]
    guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }),
      sign > word.startIndex
    else { throw FilterError(reason: .malformed, word: word) }
    name = String(word[..<sign].trimmingBlanks)
    self.comparison = comparison
    text = String(rest.dropFirst(comparison.rawValue.count).trimmingBlanks)
    self.word = word
  }
}

/// Why a term can't be used.
package struct FilterError: Error, Equatable {
  package enum Reason: Equatable {
    /// There is no operator after a name.
    case malformed
    /// The list has no such field; `near` has a similar name.
    case noSuchField(near: String?)
    /// A mark can only be compared with yes or no.
    case notAMark
  }

  package var reason: Reason
  /// The term, as typed.
  package var word: String

  init(reason: Reason, word: String) { (self.reason, self.word) = (reason, word) }

  init(_ reason: Reason, _ term: FilterTerm) { self.init(reason: reason, word: term.word) }
}

extension FilterTerm {
  /// The value in a condition on a mark.
  func mark() throws -> Bool {
    guard comparison == .equals || comparison == .differs,
      case .flag(let isSet)? = try? CustomerField.isFavorite.value(parsing: text)
    else { throw FilterError(.notAMark, self) }
    return isSet == (comparison == .equals)
  }

  /// The sections that match: the one with this whole title, or those with a part of a title.
  func sections(in outline: ListOutline) throws -> Set<SectionID> {
    let all = Set(outline.sections.map(\.id))
    switch comparison {
    case .equals: return [try outline.section(titled: text, upTo: .folded).id]
    case .differs: return all.subtracting([try outline.section(titled: text, upTo: .folded).id])
    case .contains, .lacks:
      let part = searchFolded(text)
      let found = Set(outline.sections.filter { searchFolded($0.title).contains(part) }.map(\.id))
      return comparison == .contains ? found : all.subtracting(found)
    case .less, .greater: throw FilterError(.malformed, self)
    }
  }
}

extension StringProtocol {
  /// Without whitespace at the ends.
  package var trimmingBlanks: SubSequence {
    let start = drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex
    return start[..<end]
  }
}
