/// Searches for words in the fields of customers; case and accents are ignored.
///
/// Six digits or more are also found in a phone number that is written with other spaces and signs.
public struct TextSearch: Hashable, Sendable {
  /// The words, folded.
  package let words: [String]
  /// The fields to search; nil for all, including extra columns.
  let fields: Set<CustomerField>?
  /// Whether a word must match the beginning of a word in a field.
  let atWordStarts: Bool
  /// For each word the digits by which it is found in phone numbers, if any.
  let numbers: [String?]

  /// Creates a search for all words of a string, in all fields or some, anywhere or only at the beginning of
  /// words.
  ///
  /// A string without words finds every customer.
  public init(_ text: String, in fields: Set<CustomerField>? = nil, atWordStarts: Bool = false) {
    words = text.split(whereSeparator: \.isWhitespace).map { searchFolded(String($0)) }
    self.fields = fields
    self.atWordStarts = atWordStarts
    // A phone number may be typed in several words.
    let digits = fields?.contains(.phone) == false ? nil : PhoneDigits(text).number
    numbers = words.map { word in
      digits ?? (fields?.contains(.phone) == false ? nil : PhoneDigits(word).number)
    }
  }

  /// Whether there are no words to search for.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether each word occurs in some field.
  public func matches(_ customer: Customer) -> Bool { matches(searchedText(of: customer)) }

  /// What a search in these fields looks at.
  func searchedText(of customer: Customer) -> SearchedText {
    // No word contains a line feed, so none matches across two fields.
    SearchedText(
      folded: searchFolded(texts(of: customer).joined(separator: "\n")),
      phones: customer.fields.phoneNumbers)
  }

  /// Whether each word occurs in a customer's values.
  func matches(_ text: SearchedText) -> Bool {
    words.allSatisfy { text.folded.has($0, atWordStart: atWordStarts) }
      || numbers.contains { $0 != nil } && matches(text.folded, PhoneDigits(text.phones))
  }

  /// Whether every string that matches also matches another search; false if that is not certain.
  func narrows(_ other: TextSearch) -> Bool {
    guard fields == other.fields, atWordStarts == other.atWordStarts else { return false }
    return zip(other.words, other.numbers).allSatisfy { word, number in
      zip(words, numbers).contains { longer, digits in
        longer.extends(word, atStart: atWordStarts)
          // Digits may match a phone number in which the word does not occur.
          && digits.map { digits in number.map { digits.extends($0, atStart: atWordStarts) } ?? false }
            ?? true
      }
    }
  }

  /// Whether each word occurs in the text or as digits of the phone number.
  private func matches(_ text: String, _ phone: PhoneDigits) -> Bool {
    zip(words, numbers).allSatisfy { word, number in
      text.has(word, atWordStart: atWordStarts) || phone.has(number, atStart: atWordStarts)
    }
  }

  /// The fields in which a word occurs, in display order.
  public func matchingFields(of customer: Customer) -> [CustomerField] {
    var fields: [CustomerField] = []
    for (field, _) in matchingTexts(of: customer) where fields.last != field { fields.append(field) }
    return fields
  }

  /// The fields in which a word occurs, in display order, with their values.
  package func matchingTexts(of customer: Customer) -> [(field: CustomerField, text: String)] {
    values(of: customer).filter { field, text in
      let folded = searchFolded(text)
      if words.contains(where: { folded.has($0, atWordStart: atWordStarts) }) { return true }
      guard field == .phone || field == .otherContacts, numbers.contains(where: { $0 != nil }) else {
        return false
      }
      let phone = PhoneDigits(text)
      return numbers.contains { phone.has($0, atStart: atWordStarts) }
    }
  }

  /// The ranges of a string that match a word, in order, without overlaps.
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

  private func texts(of customer: Customer) -> [String] {
    guard fields == nil else { return values(of: customer).map(\.text) }
    let texts = customer.fields.texts.dropLast(CustomerField.lists.count)
    return texts + CustomerField.lists.flatMap(customer.fields.values) + columns(of: customer).map(\.text)
  }

  /// The values that are searched, in display order; a line of a field with several is one of its own.
  private func values(of customer: Customer) -> [(field: CustomerField, text: String)] {
    guard let fields else {
      // Other addresses and numbers are in the lines of other contacts, with their labels.
      return CustomerField.texts.flatMap { field in
        let values = field.kind == .lines ? customer.fields.values(of: field) : [customer.fields[field].text]
        return values.map { (field, $0) }
      } + columns(of: customer)
    }
    let standard = CustomerField.standard.filter(fields.contains).flatMap { field in
      customer.fields.values(of: field).map { (field, $0) }
    }
    return standard
      + columns(of: customer).filter { fields.contains($0.field) }.sorted {
        $0.field.column < $1.field.column
      }
  }

  private func columns(of customer: Customer) -> [(field: CustomerField, text: String)] {
    // Once for all columns: each look-up by name parses them all.
    let extra = customer.fields.extra == "{}" ? [] : customer.fields.extraColumns.columns
    return extra.map { (field: CustomerField.extra($0.name), text: $0.value.text) }
  }
}

extension Character {
  /// Whether the letter is part of a word, not a separator.
  var isInWord: Bool { isLetter || isNumber }
}

extension String {
  /// Whether every string that has this word has another one.
  fileprivate func extends(_ word: String, atStart: Bool) -> Bool { atStart ? hasPrefix(word) : has(word) }

  /// Whether a string contains a word; both are folded.
  func has(_ word: String, atWordStart: Bool = false) -> Bool {
    guard atWordStart else { return hasASCII(word) ?? contains(word) }
    return ranges(of: word).contains { range in
      range.lowerBound == startIndex || !self[index(before: range.lowerBound)].isInWord
    }
  }

  /// Whether a string contains a word, compared byte by byte, which is much faster; nil if bytes do not decide.
  ///
  /// A byte of ASCII is a character, except in a line break of two, which no word has, and possibly beside one
  /// beyond ASCII, which may belong to the same character.
  private func hasASCII(_ word: String) -> Bool? {
    unsafe utf8.withContiguousStorageIfAvailable { text in
      unsafe word.utf8.withContiguousStorageIfAvailable { word -> Bool? in
        guard let first = unsafe word.first else { return nil }
        guard unsafe word.allSatisfy({ $0 < 0x80 }) else {
          return unsafe text.allSatisfy { $0 < 0x80 } ? false : nil
        }
        var isDecided = true
        for start in 0..<max(0, text.count - word.count + 1) {
          let end = start + word.count
          guard unsafe text[start] == first, unsafe text[start..<end].elementsEqual(word) else { continue }
          if unsafe (start == 0 || text[start - 1] < 0x80) && (end == text.count || text[end] < 0x80) {
            return true
          }
          isDecided = false
        }
        return isDecided ? false : nil
      } ?? nil
    } ?? nil
  }
}

extension [(field: CustomerField, text: String)] {
  /// Those whose text is not part of what is shown already, with their titles; empty for none.
  package func described(besides shown: [String]) -> String {
    filter { found in !shown.contains { $0.contains(found.text) } }
      .map { "\($0.field.title): \($0.text)" }.joined(separator: ", ")
  }
}
