public import CustomerStore

extension SampleList {
  /// Six customers in one section, with all fields.
  public static let small = SampleList(sections: [Section(customers: (1...6).map { .generated($0, seed: 0) })]
  )

  /// Three sections, of five, three, and no rows.
  public static let sections = SampleList(sections: [
    Section(title: "Customers", customers: (1...5).map { .generated($0, seed: 1) }),
    Section(title: "Leads", customers: (6...8).map { .generated($0, seed: 1) }),
    Section(title: "Archive"),
  ])

  /// Names that programs get wrong: empty and equal names, quotes, separators, line breaks, characters that
  /// start a formula, an option, an id, or a number, control characters, other scripts, and directions,
  /// composed and decomposed letters, wide letters, and joined emoji, SQL, and long names.
  public static let awkward = SampleList(sections: [
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
  public static func generated(_ count: Int, sections: Int = 1, seed: Int = 0) -> SampleList {
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
  public static func generated(_ number: Int, seed: Int = 0) -> CustomerFields {
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
