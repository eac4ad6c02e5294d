/// Searches for words in the fields of customers; case and accents are ignored.
public struct TextSearch: Hashable, Sendable {
  /// The words, folded.
  package let words: [String]
  /// The fields to search; nil for all, including extra columns.
  let fields: Set<CustomerField>?
  /// Whether a word must match the beginning of a word in a field.
  let atWordStarts: Bool

  /// Creates a search for all words of a text, in all fields or some, anywhere or only at the beginning of
  /// words.
  ///
  /// A text without words finds every customer.
  public init(_ text: String, in fields: Set<CustomerField>? = nil, atWordStarts: Bool = false) {
    words = text.split(whereSeparator: \.isWhitespace).map { searchFolded(String($0)) }
    self.fields = fields
    self.atWordStarts = atWordStarts
  }

  /// Whether there are no words to search for.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether each word occurs in some field.
  public func matches(_ customer: Customer) -> Bool {
    // No word contains a line feed, so none matches across two fields.
    let text = searchFolded(texts(of: customer).map(\.text).joined(separator: "\n"))
    return words.allSatisfy { text.has($0, atWordStart: atWordStarts) }
  }

  /// The fields in which a word occurs, in display order.
  public func matchingFields(of customer: Customer) -> [CustomerField] {
    texts(of: customer).filter { _, text in
      let text = searchFolded(text)
      return words.contains { text.has($0, atWordStart: atWordStarts) }
    }.map(\.field)
  }

  /// The ranges of a text that match a word, in order, without overlaps.
  ///
  /// - Complexity: O(letters of the text × words).
  public func ranges(in text: String) -> [Range<String.Index>] {
    var letters: [Character] = []
    var starts: [String.Index] = []
    for index in text.indices {
      for letter in searchFolded(String(text[index])) {
        letters.append(letter)
        starts.append(index)
      }
    }
    var isFound = [Bool](repeating: false, count: letters.count)
    for word in words.map(Array.init) where !word.isEmpty && word.count <= letters.count {
      for start in 0...letters.count - word.count
      where letters[start..<start + word.count].elementsEqual(word)
        && !(atWordStarts && start > 0 && letters[start - 1].isInWord)
      {
        for index in start..<start + word.count { isFound[index] = true }
      }
    }
    var ranges: [Range<String.Index>] = []
    for (index, start) in starts.enumerated() where isFound[index] {
      let end = text.index(after: start)
      if let last = ranges.last, last.upperBound >= start {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        ranges.append(start..<end)
      }
    }
    return ranges
  }

  private func texts(of customer: Customer) -> [(field: CustomerField, text: String)] {
    guard fields == nil else {
      let all = CustomerField.standard
      let extra = fields?.filter { !all.contains($0) }.sorted { $0.column < $1.column } ?? []
      return (all.filter { fields?.contains($0) == true } + extra).map { ($0, customer.fields[$0].text) }
    }
    let extra = customer.fields.extra == "{}" ? [] : customer.fields.extraColumns.columns
    return Array(zip(CustomerField.texts, customer.fields.texts))
      + extra.map { (.extra($0.name), $0.value.text) }
  }
}

extension Character {
  /// Whether the letter is part of a word, not a separator.
  var isInWord: Bool { isLetter || isNumber }
}

extension String {
  /// Whether a text contains a word; both are folded.
  func has(_ word: String, atWordStart: Bool = false) -> Bool {
    guard atWordStart else { return contains(word) }
    return ranges(of: word).contains { range in
      range.lowerBound == startIndex || !self[index(before: range.lowerBound)].isInWord
    }
  }
}
