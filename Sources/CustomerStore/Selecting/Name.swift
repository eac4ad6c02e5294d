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
