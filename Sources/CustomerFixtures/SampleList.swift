public import CustomerStore

/// A list for a test: its start or its expected result.
///
/// As a string literal it is written `"Ann Lee, Bob | Leads: Cid"`: commas separate names, bars separate
/// sections, and a colon follows a section's title. A backslash escapes any of these characters. The last of
/// several words of a name is the last name.
public struct SampleList: Hashable, Sendable {
  /// A section and its rows.
  public struct Section: Hashable, Sendable {
    /// The title; nil matches any title.
    public var title: String?
    /// The rows in order.
    public var customers: [CustomerFields]

    /// Creates a section.
    public init(title: String? = nil, customers: [CustomerFields] = []) {
      self.title = title
      self.customers = customers
    }
  }

  /// The sections in order.
  public var sections: [Section]

  /// Creates a list of sections.
  public init(sections: [Section]) { self.sections = sections }

  /// The number of customers in all sections.
  public var count: Int { sections.reduce(0) { $0 + $1.customers.count } }
}

extension SampleList: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Parses the one-line form.
  public init(stringLiteral text: String) { self.init(text) }

  /// Parses the one-line form; every string is a valid list.
  public init(_ text: String) {
    var sections = [Section()]
    var name = ""
    var isEscaped = false
    func add(_ name: inout String) {
      let trimmed = String(name.trimmingBlanks)
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
        sections[sections.count - 1].title = String(name.trimmingBlanks)
        name = ""
      default: name.append(character)
      }
    }
    add(&name)
    self.init(sections: sections)
  }

  /// The one-line form, with names and titles only.
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
}
