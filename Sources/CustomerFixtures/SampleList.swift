package import CustomerStore

/// A list for a test: its start or its expected result.
///
/// As a string literal it is written `"Ann Lee, Bob | Leads: Cid"`: commas separate names, bars separate
/// sections, and a colon follows a section's title. A backslash escapes any of these characters. The last of
/// several words of a name is the last name.
public struct SampleList: Hashable, Sendable {
  /// A section and its rows.
  package struct Section: Hashable, Sendable {
    /// The title; nil matches any title.
    package var title: String?
    /// The rows in order.
    package var customers: [CustomerFields]

    /// Creates a section.
    package init(title: String? = nil, customers: [CustomerFields] = []) {
      self.title = title
      self.customers = customers
    }
  }

  /// The sections in order.
  package var sections: [Section]

  /// Creates a list of sections.
  package init(sections: [Section]) { self.sections = sections }

  /// The number of customers in all sections.
  package var count: Int { sections.reduce(0) { $0 + $1.customers.count } }
}

extension SampleList: ExpressibleByStringLiteral {
  /// Parses the one-line form.
  public init(stringLiteral text: String) { self.init(text) }

  /// Parses the one-line form; every string is a valid list.
  package init(_ text: String) {
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
  package var text: String {
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

extension SampleList {
  /// Six customers in one section, with all fields.
  package static let small = SampleList(sections: [
    Section(customers: (1...6).map { .generated($0, seed: 0) })
  ]
  )

  /// Three sections, of five, three, and no rows.
  package static let sections = SampleList(sections: [
    Section(title: "Customers", customers: (1...5).map { .generated($0, seed: 1) }),
    Section(title: "Leads", customers: (6...8).map { .generated($0, seed: 1) }),
    Section(title: "Archive"),
  ])

  /// Names that programs get wrong: empty and equal names, quotes, separators, line breaks, characters that
  /// start a formula, an option, an id, or a number, control characters, other scripts, and directions,
  /// composed and decomposed letters, wide letters, and joined emoji, SQL, and long names.
  package static let awkward = SampleList(sections: [
    Section(
      customers: [
        "", " ", "Ann", "Ann", "ann", "O'Brien", "\"Quoted\"", "Comma, Inc.", "Semi; Colon", "Tab\tbed",
        "Two\nLines", "Carriage\r\nReturn", "=1+1", "+49 30", "-1", "@17", "--last", "3", "first", "last",
        "a/2", "NULL", "Robert'); DROP TABLE customers;--", "%_%", "\\", "\u{1B}[31mred", "\u{7}bell",
        "\u{202E}drawkcab", "zero\u{200B}width", "nul\u{0}inside", "Zoë", "Zoe\u{308}", "İstanbul",
        "STRASSE", "straße", "山田 明", "محمد", "👩‍👩‍👧‍👦", "🇩🇪", "e" + String(repeating: "\u{301}", count: 200),
        String(repeating: "long ", count: 1000),
      ].map { CustomerFields(firstName: $0) })
  ])

  /// A list of `count` customers, dealt to the sections in turn; the same for the same seed.
  ///
  /// If there are several sections, at most 10,000, they are called `Section 1`, `Section 2`, and so on. Needs
  /// memory for all of the customers.
  package static func generated(_ count: Int, sections: Int = 1, seed: Int = 0) -> SampleList {
    var list = SampleList(
      sections: (1...min(max(1, sections), 10_000)).map {
        Section(title: sections > 1 ? "Section \($0)" : nil)
      })
    for number in 0..<max(0, count) {
      list.sections[number % list.sections.count].customers.append(.generated(number + 1, seed: seed))
    }
    return list
  }
}

extension CustomerFields {
  /// Customer `number` of a generated list: a person with all fields, the same for the same seed.
  ///
  /// The e-mail address is unique; names repeat in long lists, as they do in life.
  package static func generated(_ number: Int, seed: Int = 0) -> CustomerFields {
    var random = SplitMix64(seed: seed &* 1_000_003 &+ number)
    let first = firstNames[random.below(firstNames.count)]
    let last = lastNames[random.below(lastNames.count)]
    let place = places[random.below(places.count)]
    return CustomerFields(
      firstName: first, lastName: last,
      company: random.oneIn(3)
        ? "" : "\(lastNames[random.below(lastNames.count)]) \(trades[random.below(trades.count)])",
      email: "customer\(number)@example.com", phone: "+1-555-\(1000 + random.below(9000))",
      address: "\(1 + random.below(99)) \(last) Street\n\(place)",
      note: random.oneIn(2) ? "" : "Met in \(place)", isFavorite: random.oneIn(10))
  }

  private static let firstNames = [
    "Ada", "Björn", "Carmen", "Dmitri", "Elif", "Fatima", "Grace", "Hiro", "Inês", "José", "Kwame", "Lina",
    "Maë", "Nuria", "Olga", "Pavel", "Qiu", "Rosa", "Søren", "Tariq", "Ursula", "Věra", "Wei", "Ximena",
    "Yusuf",
    "Zoë",
  ]

  private static let lastNames = [
    "Adler", "Brandt", "Castillo", "Demir", "Eriksson", "Fischer", "García", "Haddad", "Ivanova", "Jensen",
    "Kaya", "Larsen", "Müller", "Nguyen", "Okafor", "Petrova", "Quispe", "Rossi", "Šimek", "Tanaka", "Ueda",
    "Varga", "Wójcik", "Xu", "Yılmaz", "Zhang",
  ]

  private static let trades = ["Books", "Bakery", "Marine", "& Sons", "Films", "Tools", "Tea", "Maps"]

  private static let places = ["Lisbon", "Oslo", "Kraków", "Accra", "Cusco", "Kyoto", "Aleppo", "Leipzig"]
}

/// Random numbers that are the same for the same seed, so that a failing test can be repeated
/// (https://prng.di.unimi.it/splitmix64.c).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; any seed works.
  package init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to `count` - 1; 0 if there is no such number.
  package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

  /// True once in `count` times on average; always for a count below 2.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
