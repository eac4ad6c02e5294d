/// A condition on customers as a user writes it: a field, an operator, and values, as in `City=Berlin,Bonn`.
///
/// `=` compares the whole value with each of the values, `~` looks for one of them as a part; `!=` and `!~` are the
/// opposites. `<`, `<=`, `>` and `>=` have one value, and compare numbers with numbers, dates with dates, and values.
/// Case and accents are ignored.
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
///     City=Bonn,Köln Age>=18 or favorite=yes
package struct FilterExpression: Hashable, Sendable {
  /// One of these must hold, with all of its terms.
  package var alternatives: [[FilterTerm]]

  package init(alternatives: [[FilterTerm]]) { self.alternatives = alternatives }

  /// Parses an argument.
  ///
  /// - Throws: an error if it has a mistake; nothing is guessed.
  package init(_ text: String) throws(FilterError) {
    var parser = FilterParser(text)
    alternatives = try parser.alternatives()
  }
}

/// Why a question can't be used.
package struct FilterError: Error, Equatable {
  package enum Reason: Equatable {
    /// There is no field, or no operator after it.
    case malformed
    /// An operator of other languages; perhaps this one was meant.
    case unknownOperator(String, meant: String?)
    /// `and` or a sign of other languages between two terms.
    case unknownConjunction(String, meant: String)
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
  }

  package var reason: Reason
  /// The term, as typed.
  package var word: String

  init(reason: Reason, word: String) { (self.reason, self.word) = (reason, word) }

  init(_ reason: Reason, _ term: FilterTerm) { self.init(reason: reason, word: term.word) }
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
    return comparison == .equals ? Set(marks) : Set([true, false]).subtracting(marks)
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
    return comparison == .equals || comparison == .contains ? found : all.subtracting(found)
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
