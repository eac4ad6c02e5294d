public import CustomerStore

/// Fields of a form that belong together.
public struct FormSection: Hashable, Sendable {
  /// The text above the fields; empty for none.
  public var caption: String
  /// The fields, in display order.
  public var fields: [CustomerField]

  /// Creates a section.
  public init(_ caption: String = "", fields: [CustomerField]) {
    (self.caption, self.fields) = (caption, fields)
  }
}

extension FormState {
  /// The sections with their lines, in display order; a line for the place is in the last one.
  public var sections: [(caption: String, lines: Range<Int>)] {
    var start = 0
    var sections = options.sections.map { section in
      defer { start += section.fields.count }
      return (caption: section.caption, lines: start..<start + section.fields.count)
    }
    if start < fields.count {
      let last = sections.popLast() ?? ("", start..<start)
      sections.append((last.caption, last.lines.lowerBound..<fields.count))
    }
    return sections
  }
}
