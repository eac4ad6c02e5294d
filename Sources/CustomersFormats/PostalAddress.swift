/// A postal address in the parts that address books have (RFC 6350, section 6.3.1).
public struct PostalAddress: Sendable {
  /// A part, in the order of a vCard.
  public enum Part: Int, CaseIterable, Sendable {
    case poBox, extended, street, city, region, code, country
  }

  private var parts: [String]

  /// Creates an address from the parts of a vCard; those after the seventh are lines at its end.
  public init(_ components: [String] = []) {
    parts = components + Array(repeating: "", count: max(0, Part.allCases.count - components.count))
  }

  /// A part.
  public subscript(part: Part) -> String {
    get { parts[part.rawValue] }
    set { parts[part.rawValue] = newValue }
  }

  /// The parts of an address whose text is this one; nil if the text says something else.
  ///
  /// A string that ends with these parts has the street before them.
  func matching(_ text: String) -> PostalAddress? {
    if self.text == text { return self }
    var whole = self
    let end = "\n" + self.text
    guard self[.street].isEmpty, text.utf8.count > end.utf8.count, text.hasSuffix(end) else { return nil }
    whole[.street] = String(text.dropLast(end.count))
    return whole.text == text ? whole : nil
  }

  /// The value of the property of a vCard.
  var property: String { parts.map { VCardText.escape(VCardText.carried($0)) }.joined(separator: ";") }

  /// The lines of an envelope; a street alone stays as it is.
  public var text: String {
    let (region, code) = (self[.region], self[.code])
    let place =
      region.isEmpty
      ? [code, self[.city]].filter { !$0.isEmpty }.joined(separator: " ")
      : [self[.city], [region, code].filter { !$0.isEmpty }.joined(separator: " ")]
        .filter { !$0.isEmpty }.joined(separator: ", ")
    return
      ([self[.poBox], self[.extended], self[.street], place, self[.country]]
      + parts.dropFirst(Part.allCases.count))
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
