public import CustomerStore

/// A list for a test: what it begins with, or what it is expected to be.
///
/// In one line it is `"Ann Lee, Bob | Leads: Cid"`: names with commas between, sections with bars
/// between, a section's title before a colon. A backslash takes the meaning from any of them. The last
/// word of a name is the last name, if there are several.
public struct SampleList: Hashable, Sendable {
  /// A section and its rows.
  public struct Section: Hashable, Sendable {
    /// The title; nil stands for any.
    public var title: String?
    /// The rows in order.
    public var customers: [CustomerFields]

    /// Makes a section.
    public init(title: String? = nil, customers: [CustomerFields] = []) {
      self.title = title
      self.customers = customers
    }
  }

  /// The sections in order.
  public var sections: [Section]

  /// Makes a list of sections.
  public init(sections: [Section]) { self.sections = sections }

  /// The number of customers in all sections.
  public var count: Int { sections.reduce(0) { $0 + $1.customers.count } }
}

extension SampleList: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Reads the form in one line.
  public init(stringLiteral text: String) { self.init(text) }

  /// Reads the form in one line; every text is a list.
  public init(_ text: String) {
    var sections = [Section()]
    var name = ""
    var isEscaped = false
    func add(_ name: inout String) {
      let trimmed = SampleList.trimmed(name)
      if !trimmed.isEmpty { sections[sections.count - 1].customers.append(CustomerFields(name: trimmed)) }
      name = ""
    }
    for character in text {
      switch character {
      case _ where isEscaped:
        name.append(character)
        isEscaped = false
      case "\\": isEscaped = true
      case ",": add(&name)
      case "|":
        add(&name)
        sections.append(Section())
      case ":"
      where sections[sections.count - 1].title == nil && sections[sections.count - 1].customers.isEmpty:
        sections[sections.count - 1].title = SampleList.trimmed(name)
        name = ""
      default: name.append(character)
      }
    }
    add(&name)
    self.init(sections: sections)
  }

  /// The form in one line, with names and titles only.
  public var description: String {
    sections.map { section in
      let names = section.customers.map { SampleList.escaped($0.name) }.joined(separator: ", ")
      return section.title.map { "\(SampleList.escaped($0)): \(names)" } ?? names
    }.joined(separator: " | ")
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\,|:".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
  }
}
