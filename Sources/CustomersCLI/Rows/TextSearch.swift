internal import CustomerStore

/// Looks for words in all fields of customers; capital letters are no matter.
struct TextSearch: Sendable {
  private let words: [String]

  /// - Throws: a `Failure` with code `usage` if there is no word in the texts.
  init(_ texts: [String]) throws {
    words = texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { folded(String($0)) }
    guard !words.isEmpty else { throw Failure.usage("find needs a word to look for") }
  }

  /// Whether each word is a part of some field, or of a column kept from an import.
  func fits(_ customer: Customer) -> Bool {
    var texts = Field.all.map { customer.fields[keyPath: $0.path] }
    texts += ExtraColumns(customer.fields.extra).texts.map(\.value)
    // No word has a line feed in it, so none is found across two fields.
    let text = folded(texts.joined(separator: "\n"))
    return words.allSatisfy(text.contains)
  }
}
