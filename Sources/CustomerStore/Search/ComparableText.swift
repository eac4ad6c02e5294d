/// A string as it compares with others: as a number, a date, or a string in which digits count by their value.
struct ComparableText: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case number(DecimalNumber)
    /// A day such as 2026-11-22, which compares like a string.
    case date
    case text
  }

  let kind: Kind
  /// The text with the digits in an order of their value.
  let key: String

  /// - Parameter text: a string, folded.
  init(_ text: String) {
    key = ComparableText.key(text)
    if let number = DecimalNumber(text) {
      kind = .number(number)
    } else {
      kind = CalendarDay(text) == nil ? .text : .date
    }
  }

  /// Whether it comes before another one.
  func precedes(_ other: ComparableText) -> Bool {
    if case .number(let own) = kind, case .number(let other) = other.kind { return own < other }
    return key < other.key
  }

  /// The text in which each number is preceded by the number of its digits, so that comparing letters compares
  /// numbers: `row 2` before `row 10`.
  static func key(_ text: String) -> String {
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return text }
    var key: [UInt8] = []
    writeKey(of: text.utf8, to: &key)
    return String(decoding: key, as: UTF8.self)
  }

  /// Writes the bytes of the key of a string.
  static func writeKey(of text: some Collection<UInt8>, to key: inout [UInt8]) {
    var rest = text[...]
    while let byte = rest.first {
      guard (0x30...0x39).contains(byte) else {
        key.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let end = rest.firstIndex { !(0x30...0x39).contains($0) } ?? rest.endIndex
      let number = rest[..<end].drop { $0 == 0x30 }
      rest = rest[end...]
      var count = number.count
      // Nine is written as 9 and what is left of it, so that more digits always come later.
      while count >= 9 {
        key.append(0x39)
        count -= 9
      }
      key.append(0x30 + UInt8(count))
      key.append(contentsOf: number)
    }
  }
}

/// The text without case differences, for comparing: Unicode's simple case folding, which is the same in
/// every language.
///
/// The standard library has no folding table, but the lowercase form of a letter's uppercase form is its
/// folding; the only exception is the dotless ı, whose uppercase is that of i.
package func caseFolded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var folded = String.UnicodeScalarView()
  for scalar in text.unicodeScalars { folded.append(caseFolded(scalar)) }
  return String(folded)
}

/// The folding of a single letter.
func caseFolded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  let index = Int(scalar.value)
  return index < knownFoldings.count ? knownFoldings[index] : searchedFolding(scalar)
}

/// The foldings of Latin, Greek, and Cyrillic letters, which most lists have.
private let knownFoldings = (0..<0x530).map { searchedFolding(Unicode.Scalar(UInt16($0)) ?? " ") }

private func searchedFolding(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  let properties = scalar.properties
  guard properties.changesWhenUppercased || properties.changesWhenLowercased, scalar != "ı" else {
    return scalar
  }
  let capital = single(scalar.properties.uppercaseMapping) ?? scalar
  return single(capital.properties.lowercaseMapping) ?? scalar
}

/// The text as a single scalar; nil if it has more.
private func single(_ text: String) -> Unicode.Scalar? {
  text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
}

/// The text as searches compare it: without case differences and accents, so that `muller` finds Müller, and with the
/// letters that people write for others, so that `strasse` finds Straße.
///
/// An ASCII text stays ASCII. Any string with a byte beyond ASCII is folded before it is compared, so comparing
/// bytes never misses one.
package func searchFolded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var folded = String.UnicodeScalarView()
  for scalar in text.unicodeScalars where !isAccent(scalar) {
    switch scalar {
    case "ß", "ẞ": folded.append(contentsOf: "ss".unicodeScalars)
    case "æ", "Æ": folded.append(contentsOf: "ae".unicodeScalars)
    case "œ", "Œ": folded.append(contentsOf: "oe".unicodeScalars)
    default: folded.append(AccentFolding.folded(scalar))
    }
  }
  return String(folded)
}

/// Whether a scalar is a combining accent.
private func isAccent(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
  default: false
  }
}

/// Letters without their accents, by their names in Unicode: LATIN SMALL LETTER E WITH ACUTE is an e.
private enum AccentFolding {
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if ("A"..."Z").contains(scalar) { return Unicode.Scalar(UInt8(scalar.value) + 32) }
    if scalar.isASCII { return scalar }
    // Looking up names is slow. Letters of Latin, Greek, and Cyrillic are in most lists; few others have such names.
    switch Int(scalar.value) {
    case let index where index < known.count: return known[index]
    case 0x1D00..<0x2200, 0x2C60..<0x2C80, 0xA640..<0xAC00: return searched(scalar)
    default: return caseFolded(scalar)
    }
  }

  /// The letters below U+0530.
  private static let known: [Unicode.Scalar] = {
    var plain: [Unicode.Scalar: Unicode.Scalar] = [:]
    for word in marked.split(separator: " ") {
      for letter in word.unicodeScalars.dropFirst() { plain[letter] = word.unicodeScalars.first }
    }
    return knownFoldings.map { plain[$0] ?? $0 }
  }()

  /// Each letter before those whose name is its own WITH something, which would take ten milliseconds to look up, and
  /// before others that are the same with a mark.
  private static let marked = """
    ;\u{37E} aàáâãäåāăąǎǟǡǻȁȃȧⱥ bƀƃɓ cçćĉċčƈȼɕ dďđƌȡɖɗ eèéêëēĕėęěȅȇȩɇ fƒ gĝğġģǥǧǵɠ hĥħȟɦ iìíîïĩīĭįİǐȉȋɨ jĵǰɉʝ kķƙǩ \
    lĺļľŀłƚȴɫɬɭ mɱ nñńņňƞǹȵɲɳ oòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱ pƥ qɋʠ rŕŗřȑȓɍɼɽɾ sśŝşšșȿʂ tţťŧƫƭțȶʈⱦ \
    uùúûüũūŭůűųưǔǖǘǚǜȕȗ vʋ wŵ yýÿŷƴȳɏ zźżžƶȥɀʐʑ αά εέ ηή ιΐίϊ οό υΰϋύ ωώ аӑӓ гѓґғҕӷӻ еѐёӗ жҗӂӝ зҙӟ ийҋѝӣӥ \
    кќқҝҟӄ лӆԓԡԯ мӎ нңӈӊԣԩ оӧ пҧԥ рҏ сҫ тҭ уўӯӱӳ хҳӽӿ чҷҹӵ ыӹ эӭ ії
    """

  private static func searched(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let small = caseFolded(scalar)
    // A grave accent, by its name for Greek.
    if small == "\u{1FEF}" { return "`" }
    guard let name = small.properties.name, let end = name.firstRange(of: " WITH ") else { return small }
    return letters[String(name[..<end.lowerBound])] ?? small
  }

  /// The letters of the scripts that have accents, by name; uppercase ones, too, for those without a
  /// lowercase form.
  private static let letters: [String: Unicode.Scalar] = {
    var letters: [String: Unicode.Scalar] = [:]
    for range in ["A"..."Z", "a"..."z", "Α"..."Ω", "α"..."ω", "А"..."Я", "а"..."я"]
      as [ClosedRange<Unicode.Scalar>]
    {
      for value in range.lowerBound.value...range.upperBound.value {
        if let letter = Unicode.Scalar(value), let name = letter.properties.name {
          letters[name] = caseFolded(letter)
        }
      }
    }
    return letters
  }()
}

/// The digits of a phone number, however it is written: `030-0074321` and `(0300) 074 321` have the same.
package struct PhoneDigits {
  /// Fewer digits are an extension or not a phone number.
  static let least = 6

  /// The digits; a line feed where something else than the signs of phone numbers was.
  private var digits = String.UnicodeScalarView()
  private var isNumber = true

  init(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9": digits.append(scalar)
      case " ", "\u{A0}", "+", "-", "/", ".", "(", ")": continue
      default:
        digits.append("\n")
        isNumber = false
      }
    }
  }

  /// Whether a text may be a phone number, and can be found as one.
  package static func areFound(by text: String) -> Bool { PhoneDigits(text).number != nil }

  /// Whether a text is a piece of a phone number, and too short to be found as one.
  package static func areTooFew(_ text: String) -> Bool {
    let digits = PhoneDigits(text)
    return digits.isNumber && (3..<least).contains(digits.digits.count)
  }

  /// The digits to look for, if the text is a phone number and nothing else.
  var number: String? { isNumber && digits.count >= PhoneDigits.least ? String(digits) : nil }

  /// What to look for, if the text is a phone number and nothing else.
  static func wanted(_ text: String, asTyped isAsTyped: Bool) -> Wanted? {
    PhoneDigits(text).number.map { digits in
      isAsTyped
        ? Wanted(digits: digits, national: nil)
        : Wanted(digits, namesCountry: text.first { !$0.isWhitespace } == "+")
    }
  }

  /// The digits by which a phone number is looked for.
  struct Wanted: Hashable, Sendable {
    /// Those that the number has at any place.
    private(set) var digits: String
    /// Those that are dialed within the country, without a zero at their start, if the number names one: they are all that
    /// a number without a country has.
    private(set) var national: String?

    init(digits: String, national: String?) { (self.digits, self.national) = (digits, national) }

    /// A number with + and a country lacks the zeros at the start of others; 00 is how most countries dial the plus sign.
    init(_ typed: String, namesCountry: Bool) {
      let rest = String(typed.drop { $0 == "0" })
      (digits, national) = (rest.count < PhoneDigits.least ? typed : rest, nil)
      guard namesCountry || typed.hasPrefix("00") else { return }
      let code = rest.prefix(PhoneDigits.lengthOfCountry(rest))
      // Some write the zero, too: +44 (0)20 7946 0018.
      let inCountry = String(rest.dropFirst(code.count).drop { $0 == "0" })
      if inCountry.count >= PhoneDigits.least { (digits, national) = (code + inCountry, inCountry) }
    }

    /// Whether each number in which these are found has the other ones, too.
    func extends(_ other: Wanted, atStart: Bool) -> Bool {
      let isLonger = atStart ? digits.hasPrefix(other.digits) : digits.contains(other.digits)
      return isLonger && (national.map { other.national.map($0.hasPrefix) ?? false } ?? true)
    }
  }

  /// How many digits the code of a country has at the start of a number.
  ///
  /// Source: ITU-T E.164, list of assigned country codes; all others have three.
  private static func lengthOfCountry(_ digits: String) -> Int {
    if digits.hasPrefix("1") || digits.hasPrefix("7") { return 1 }
    return codesOfTwo.contains(digits.prefix(2)) ? 2 : 3
  }

  private static let codesOfTwo = Set(
    """
    20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92
    93 94 95 98
    """.split(whereSeparator: \.isWhitespace))

  /// What all spellings of a phone number have in common: `+32 470 99 98 88`, `0032470999888`, and `tel:+32-470-999888`;
  /// of any other text, the text without differences in case.
  package static func identity(of text: String) -> String {
    let plain = text.lowercased().hasPrefix("tel:") ? String(text.dropFirst(4)) : text
    guard let digits = PhoneDigits(plain).number else { return searchFolded(plain) }
    // 00 is how most countries dial the plus sign.
    return digits.hasPrefix("00") ? String(digits.dropFirst(2)) : digits
  }

  /// Whether the phone number has these digits.
  func has(_ wanted: Wanted?, atStart: Bool) -> Bool {
    guard let wanted else { return false }
    let digits = String(digits)
    func begins(with number: String) -> Bool {
      digits.split(separator: "\n").contains { $0.hasPrefix(number) }
    }
    if atStart ? begins(with: wanted.digits) : digits.contains(wanted.digits) { return true }
    return wanted.national.map { digits.contains("0" + $0) || begins(with: $0) } ?? false
  }
}
