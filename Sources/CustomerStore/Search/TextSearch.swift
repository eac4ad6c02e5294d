/// Searches for words in the fields of customers; case and accents are ignored.
///
/// Six digits or more are also found in a phone number that is written with other spaces and signs.
package struct TextSearch: Hashable, Sendable {
  /// The words, folded.
  package let words: [String]
  /// The fields to search; nil for all, including extra columns.
  let fields: Set<CustomerField>?
  /// Whether a word must match the beginning of a word in a field.
  let atWordStarts: Bool
  /// For each word the digits by which it is found in phone numbers, if any.
  let numbers: [PhoneDigits.Wanted?]

  /// Creates a search for all words of a string, in all fields or some, anywhere or only at the beginning of
  /// words.
  ///
  /// A string without words finds every customer.
  package init(_ text: String, in fields: Set<CustomerField>? = nil, atWordStarts: Bool = false) {
    words = text.split(whereSeparator: \.isWhitespace).map { searchFolded(String($0)) }
    self.fields = fields
    self.atWordStarts = atWordStarts
    // A phone number may be typed in several words.
    func number(_ text: String) -> PhoneDigits.Wanted? {
      fields?.contains(.phone) == false ? nil : PhoneDigits.wanted(text, asTyped: atWordStarts)
    }
    let digits = number(text)
    numbers = words.map { digits ?? number($0) }
  }

  /// Whether there are no words to search for.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether each word occurs in some field.
  package func matches(_ customer: Customer) -> Bool {
    let texts = texts(of: customer)
    if words.allSatisfy({ word in texts.contains { $0.hasUnfolded(word, atWordStart: atWordStarts) } }) {
      return true
    }
    return numbers.contains { $0 != nil } && matches(searchedText(of: customer))
  }

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

  /// The fields in which a word occurs, in display order, with their values.
  package func matchingTexts(of customer: Customer) -> [(field: CustomerField, text: String)] {
    values(of: customer).filter { field, text in
      // Most fields of most customers have no value.
      guard !text.isEmpty else { return false }
      if words.contains(where: { text.hasUnfolded($0, atWordStart: atWordStarts) }) { return true }
      guard field == .phone || field == .otherContacts, numbers.contains(where: { $0 != nil }) else {
        return false
      }
      let phone = PhoneDigits(text)
      return numbers.contains { phone.has($0, atStart: atWordStarts) }
    }
  }

  /// The ranges of a string that match a word, in order, without overlaps.
  ///
  /// - Complexity: O(letters of the text and of the words) for each word.
  package func ranges(in text: String) -> [Range<String.Index>] {
    var letters: [Character] = []
    var starts: [String.Index] = []
    for index in text.indices {
      for letter in searchFolded(String(text[index])) {
        letters.append(letter)
        starts.append(index)
      }
    }
    var isFound = [Bool](repeating: false, count: letters.count)
    for word in words.map(Array.init) {
      var next = 0
      for start in letters.starts(of: word) where !atWordStarts || letters.isWordStart(start) {
        for index in max(next, start)..<start + word.count { isFound[index] = true }
        next = start + word.count
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
    guard customer.fields.extra != "{}" else { return [] }
    let extra = customer.fields.extraColumns
    // In the letters of a photo, any short word occurs.
    return (fields == nil ? extra.shown : extra.columns).map { name, value in
      (field: CustomerField.extra(name), text: value.text)
    }
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
    guard word.utf8.count <= Self.mostTried else {
      let letters = Array(self)
      return letters.starts(of: Array(word)).contains { !atWordStart || letters.isWordStart($0) }
    }
    guard atWordStart else { return hasASCII(word) ?? contains(word) }
    return ranges(of: word).contains { range in
      range.lowerBound == startIndex || !self[index(before: range.lowerBound)].isInWord
    }
  }

  /// The length, in bytes, of words that are tried at each place, which is faster for a short one.
  static let mostTried = 64

  /// Whether a string that is not folded contains a word that is.
  fileprivate func hasUnfolded(_ word: String, atWordStart: Bool) -> Bool {
    if !atWordStart, word.utf8.count <= Self.mostTried, let isFound = hasIgnoringCase(word) { return isFound }
    return searchFolded(self).has(word, atWordStart: atWordStart)
  }

  /// The same, compared byte by byte; nil if one of the two is not ASCII.
  private func hasIgnoringCase(_ word: String) -> Bool? {
    unsafe utf8.withContiguousStorageIfAvailable { text in
      unsafe word.utf8.withContiguousStorageIfAvailable { word -> Bool? in
        guard let first = unsafe word.first, unsafe (word.allSatisfy { $0 < 0x80 }) else { return nil }
        guard unsafe (text.allSatisfy { $0 < 0x80 }) else { return nil }
        var start = 0
        while start + word.count <= text.count {
          var length = 0
          if unsafe text[start].lowercased == first {
            length = 1
            while unsafe length < word.count && text[start + length].lowercased == word[length] {
              length += 1
            }
          }
          if length == word.count { return true }
          start += 1
        }
        return false
      } ?? nil
    } ?? nil
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

extension [Character] {
  /// Where a word begins, which may overlap itself; nowhere if it is empty.
  ///
  /// - Complexity: O(letters of both) (D. Knuth, J. Morris, V. Pratt: Fast pattern matching in strings, 1977).
  fileprivate func starts(of word: [Character]) -> [Int] {
    /// For each part at the start of the word: the length of the longest shorter one that ends it, too.
    var borders = [0]
    var length = 0
    func follow(_ letter: Character) {
      while length > 0, length == word.count || word[length] != letter { length = borders[length - 1] }
      if word[length] == letter { length += 1 }
    }
    guard !word.isEmpty else { return [] }
    for letter in word.dropFirst() {
      follow(letter)
      borders.append(length)
    }
    length = 0
    return indices.compactMap { index in
      follow(self[index])
      return length == word.count ? index + 1 - length : nil
    }
  }

  /// Whether a word may begin at an index.
  fileprivate func isWordStart(_ index: Int) -> Bool { index == 0 || !self[index - 1].isInWord }
}

extension UInt8 {
  /// The lowercase form of a letter of ASCII; any other byte as it is.
  fileprivate var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension [(field: CustomerField, text: String)] {
  /// Those whose text is not part of what is shown already, with their titles; empty for none.
  package func described(besides shown: [String]) -> String {
    filter { found in !shown.contains { $0.has(found.text) } }
      .map { "\($0.field.title): \($0.text)" }.joined(separator: ", ")
  }
}

/// A search for a string in some rows in the list.
package struct SearchScan: Hashable, Sendable {
  /// The text to search for: words or a question such as `City=Berlin`.
  package var text: String
  /// The number of the first row, from 0.
  package var first: Int
  /// The number of the row to stop before.
  package var end: Int
  /// The meaning of the text in this list, if known.
  var filter: RowFilter?
  /// The day on which the customers are due, if only they are wanted.
  var due: CalendarDay?

  /// Creates a scan of rows.
  package init(text: String, first: Int, end: Int) { (self.text, self.first, self.end) = (text, first, end) }

  /// The matches of a search.
  package struct Result: Sendable {
    /// The matches and their row numbers, from 0, in list order.
    package var hits: [(id: CustomerID, row: Int)]
    /// The number of the first row that was not read.
    package var next: Int
    /// The version of the list in which the rows were read.
    package var version: ListVersion
    /// The meaning of the text.
    var filter: RowFilter?
    /// The values of the matches; none if the text is a question.
    var texts: [SearchedText] = []
    /// The values that a question could not compare.
    var skipped: [SkippedValues.Count] = []
    /// What is wrong with a question, which finds no one.
    var problem: String?

    /// Creates a result.
    package init(hits: [(id: CustomerID, row: Int)], next: Int, version: ListVersion) {
      (self.hits, self.next, self.version) = (hits, next, version)
    }
  }

  /// The maximum number of rows read at once: a few hundredths of a second.
  static let slice = 5_000

  /// Searches at most 5,000 rows.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if the first of the scans finds that rows are missing, `StoreError`.
  package func run(_ list: borrowing CustomerList) throws -> Result {
    if self.filter == nil {
      try list.requireRows()
      if due != nil { try list.requireLineIndex() }
    }
    let version = try list.version()
    var filter: RowFilter
    do { filter = try self.filter ?? RowFilter(searching: text, in: list) } catch let error as FilterError {
      var result = Result(hits: [], next: end, version: version)
      result.problem = ([error.description] + (error.hint.map { [$0] } ?? [])).joined(separator: "; ")
      return result
    }
    filter.due = due
    let first = max(0, first)
    let next = min(end, first.saturatingAdding(Self.slice))
    let positions = first.saturatingAdding(1)..<max(first, next).saturatingAdding(1)
    var result = Result(hits: [], next: next, version: version)
    result.filter = filter
    let skipped = SkippedValues()
    try list.forEach(matching: filter, at: positions, of: list.outline(), noting: skipped) {
      customer, position in
      result.hits.append((customer.id, position - 1))
      if let search = filter.onlySearch { result.texts.append(search.searchedText(of: customer)) }
    }
    result.skipped = skipped.counts
    return result
  }
}

/// The matches of a search, in list order.
///
/// The search reads from one row to the end of the list, then the rows above; hence two parts.
package struct SearchHits: Hashable, Sendable {
  /// Matches and their row numbers, ascending.
  struct Part: Hashable, Sendable {
    var ids: [CustomerID] = []
    var rows: [Int] = []

    /// The index of the match in a row. O(log matches)
    func index(of id: CustomerID, row: Int) -> Int? {
      let index = rows.index(from: row)
      return index < rows.count && rows[index] == row && ids[index] == id ? index : nil
    }
  }

  var above = Part()
  var below = Part()

  /// No matches.
  package init() {}

  /// The number of matches.
  package var count: Int { above.ids.count + below.ids.count }

  /// The match with a number from 0; nil for any number outside the matches.
  package subscript(index: Int) -> CustomerID? {
    guard index >= 0, index < count else { return nil }
    return index < above.ids.count ? above.ids[index] : below.ids[index - above.ids.count]
  }

  /// The matches with some numbers.
  package func ids(_ range: Range<Int>) -> [CustomerID] {
    range.clamped(to: 0..<count).compactMap { self[$0] }
  }

  /// The row of the next match below a row, or of the last one above it, from 0; nil if there is none. O(log matches)
  package func row(_ direction: Direction, of row: Int) -> Int? {
    switch direction {
    case .below: [above, below].lazy.compactMap { $0.rows.first(from: row.saturatingAdding(1)) }.first
    case .above: [below, above].lazy.compactMap { $0.rows.last(before: row) }.first
    }
  }

  /// Where to look for a match.
  package enum Direction: Sendable { case below, above }

  package mutating func remove(_ gone: Set<CustomerID>) {
    for path in [\SearchHits.above, \SearchHits.below] {
      let part = self[keyPath: path]
      let kept = part.ids.indices.filter { !gone.contains(part.ids[$0]) }
      self[keyPath: path] = Part(ids: kept.map { part.ids[$0] }, rows: kept.map { part.rows[$0] })
    }
  }

  /// The first match: the next one below the row where the search started.
  package var first: CustomerID? { below.ids.first ?? above.ids.first }

  /// The number of a match, from 0, by its row in the list; nil if the row is not a match. O(log matches)
  package func index(of id: CustomerID, row: Int) -> Int? {
    above.index(of: id, row: row) ?? below.index(of: id, row: row).map { above.ids.count + $0 }
  }

  /// The number of a match, from 0; nil if it is none. O(matches)
  package func index(of id: CustomerID) -> Int? {
    above.ids.firstIndex(of: id) ?? below.ids.firstIndex(of: id).map { above.ids.count + $0 }
  }
}

extension [Int] {
  /// The index of the first number that is not less than another, in ascending order. O(log count)
  fileprivate func index(from number: Int) -> Int { partitionIndex { $0 >= number } }

  fileprivate func first(from number: Int) -> Int? {
    let index = index(from: number)
    return index < count ? self[index] : nil
  }

  fileprivate func last(before number: Int) -> Int? {
    let index = index(from: number)
    return index > 0 ? self[index - 1] : nil
  }
}

/// The values of a customer as a search compares them, kept to compare them again.
struct SearchedText: Sendable {
  /// The values of all fields, folded, one per line.
  let folded: String
  /// The phone numbers, as entered, one per line.
  let phones: String
}
