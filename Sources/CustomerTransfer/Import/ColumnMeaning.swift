internal import CustomerStore
internal import CustomersFormats

/// What the name of a column says about its values.
struct ColumnMeaning {
  /// What a whole name means; nil if its words do.
  private(set) var whole: ColumnVocabulary.Whole?
  private(set) var kind: ContactLine.Kind?
  private(set) var part: PostalAddress.Part?
  /// Whether the column has whole addresses, as printed.
  private(set) var isWhole = false
  /// What the values are for, such as `work`.
  private(set) var label = ""
  private(set) var number: Int?
  /// Whether the column has labels for the values of another one.
  private(set) var isType = false
  private(set) var rank = Contacts.Rank.usual
  /// Whether the column has the number of a house, beside one with the street.
  private(set) var isHouseNumber = false
  /// Whether the name has a word for a whole address.
  private(set) var hasAddressWord = false

  /// Understands a name; nil if it may be anything.
  init?(_ column: String) {
    let words = ColumnMeaning.words(column)
    whole = ColumnMeaning.whole(words)
    guard whole == nil else { return }
    guard let meanings = ColumnMeaning.meanings(words, number: &number) else { return nil }
    var (kinds, parts, labels): (Set<ContactLine.Kind>, Set<PostalAddress.Part>, [String]) = ([], [], [])
    for meaning in meanings {
      switch meaning {
      case .kind(let kind): kinds.insert(kind)
      case .part(let part): parts.insert(part)
      case .label(let label): if !labels.contains(label) { labels.append(label) }
      case .whole: isWhole = true
      case .main: rank = .preferred
      case .secondary: rank = .secondary
      case .houseNumber: (isHouseNumber, _) = (true, parts.insert(.street))
      case .type: isType = true
      case .filler: break
      }
    }
    // An e-mail address is no postal address, nor is "country or region" a region, nor "mobile fax" a phone.
    if kinds.count > 1 { kinds.remove(.address) }
    if kinds.count > 1 { kinds.remove(.phone) }
    if parts.contains(.country) { parts.remove(.region) }
    if !parts.isEmpty { kinds.insert(.address) }
    guard kinds.count == 1, let kind = kinds.first, parts.count < 2, !isWhole || kind == .address,
      parts.isEmpty || kind == .address
    else { return nil }
    self.kind = kind
    part = parts.first
    // The number of a company's switchboard.
    if kind == .phone, rank == .preferred, labels == ["work"] { (labels, rank) = (["company"], .secondary) }
    if kind != .phone { labels.removeAll { $0 == "mobile" } }
    label = labels.joined(separator: " ")
    hasAddressWord = meanings.contains(.kind(.address))
  }

  /// A phone number with a label.
  init(phone label: String) { (kind, self.label) = (.phone, label) }

  /// The words in lowercase without accents; a number is a word.
  private static func words(_ column: String) -> [String] {
    var words: [String.UnicodeScalarView] = []
    var last = LetterKind.none
    for scalar in column.unicodeScalars {
      let kind = LetterKind(scalar)
      if kind != .none {
        let isSame =
          last != .none && (last == .digit) == (kind == .digit) && !(last == .lower && kind == .upper)
        if !isSame { words.append(String.UnicodeScalarView()) }
        words[words.count - 1].append(scalar)
      }
      last = kind
    }
    return words.map { searchFolded(String($0)) }
  }

  /// What the words mean together, perhaps after the one that says of whom, as in "Lead Name".
  private static func whole(_ words: [String]) -> ColumnVocabulary.Whole? {
    if let whole = ColumnVocabulary.byWhole[words.joined()] { return whole }
    guard words.count > 1, ColumnVocabulary.owners.contains(words[0]),
      case .field(let field)? = ColumnVocabulary.byWhole[words.dropFirst().joined()]
    else { return nil }
    return .field(field)
  }

  /// The meanings of all words; nil if one is unknown.
  private static func meanings(_ words: [String], number: inout Int?) -> [ColumnVocabulary.Word]? {
    var meanings: [ColumnVocabulary.Word] = []
    var rest = words[...]
    while let first = rest.first {
      if let value = Int(first) {
        guard number == nil else { return nil }
        number = value
        rest.removeFirst()
        continue
      }
      let length = (1...min(rest.count, ColumnVocabulary.phraseLength)).reversed().first {
        ColumnVocabulary.byPhrase[rest.prefix($0).joined(separator: " ")] != nil
      }
      guard let length else { return nil }
      meanings += ColumnVocabulary.byPhrase[rest.prefix(length).joined(separator: " ")] ?? []
      rest.removeFirst(length)
    }
    return meanings
  }
}

extension ColumnMeaning {
  /// What the column is if nothing is known about the columns beside it.
  var target: ColumnTarget {
    switch (whole, kind) {
    case (.field(let field), _): .field(field)
    case (.name, _), (.anyName, _): .name
    case (.phone, _): .field(.phone)
    case (nil, .email): isType ? .extra : .field(.email)
    case (nil, .phone): isType ? .extra : .field(.phone)
    case (nil, .address): isType || part != nil && part != .street ? .extra : .field(.address)
    case (nil, .fax), (nil, .pager): isType ? .extra : .field(.otherContacts)
    case (nil, nil): .extra
    }
  }
}

/// What a character does in a name; quick for ASCII.
private enum LetterKind {
  case none, lower, upper, digit

  init(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "a"..."z", "\u{300}"..."\u{36f}": self = .lower
    case "A"..."Z": self = .upper
    case "0"..."9": self = .digit
    case "\0"..."\u{7f}": self = .none
    default:
      let properties = scalar.properties
      self = !properties.isAlphabetic ? .none : properties.isUppercase ? .upper : .lower
    }
  }
}
