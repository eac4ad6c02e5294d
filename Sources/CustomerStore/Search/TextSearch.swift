/// Looks for words in the fields of customers; case is ignored.
public struct TextSearch: Hashable, Sendable {
  /// The words, folded.
  package let words: [String]
  /// The fields to look in; nil for all, extra columns with them.
  let fields: Set<CustomerField>?

  /// Makes a search for all words of a text, in all fields or some.
  ///
  /// A text without a word finds every customer.
  public init(_ text: String, in fields: Set<CustomerField>? = nil) {
    words = text.split(whereSeparator: \.isWhitespace).map { caseFolded(String($0)) }
    self.fields = fields
  }

  /// Whether there is no word to look for.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether each word is a part of some field.
  public func matches(_ customer: Customer) -> Bool {
    let texts: [String]
    if let fields {
      texts = fields.map { customer.fields[$0].text }
    } else {
      let extra = customer.fields.extra == "{}" ? [] : customer.fields.extraColumns.columns
      texts = customer.fields.texts + extra.map(\.value.text)
    }
    // No word has a line feed in it, so none is found across two fields.
    let text = caseFolded(texts.joined(separator: "\n"))
    return words.allSatisfy(text.contains)
  }
}
