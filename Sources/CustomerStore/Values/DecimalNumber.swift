/// A decimal number with all of its digits, as in `-12.50` or `1e6`.
///
/// Unlike a floating-point number it is exact: 12345678901234567890 and 12345678901234567891 differ.
struct DecimalNumber: Hashable, Comparable, Sendable {
  private var isNegative: Bool
  /// The digits from the first to the last that is not 0; none for zero.
  private var digits: [UInt8]
  /// The number is 0.digits times ten to this.
  private var exponent: Int

  /// Parses a string; nil if it is not a number.
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    func takeDigits() -> [UInt8] {
      let found = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[found.endIndex...]
      return Array(found)
    }
    let whole = takeDigits()
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits()
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var shift = 0
    if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
      guard let number = Int(String(rest.dropFirst()) ?? ""), number.magnitude < 1 << 32 else { return nil }
      (shift, rest) = (number, rest[rest.endIndex...])
    }
    guard rest.isEmpty else { return nil }
    let all = whole + fraction
    let start = all.firstIndex { $0 != 0x30 } ?? all.count
    let end = all.lastIndex { $0 != 0x30 }.map { $0 + 1 } ?? start
    digits = Array(all[start..<end])
    exponent = digits.isEmpty ? 0 : whole.count - start + shift
    if digits.isEmpty { isNegative = false }
  }

  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
  }

  /// Bytes in the order of the numbers, the same for the same number; those of no number begin those of another.
  var sortKey: [UInt8] {
    guard !digits.isEmpty else { return [2] }
    let scale = UInt64(bitPattern: Int64(exponent)) ^ 1 << 63
    let size = (0..<8).map { UInt8(truncatingIfNeeded: scale >> (56 - 8 * $0)) } + digits + [0]
    // Of two negative numbers, the one with more digits comes first.
    return isNegative ? [1] + size.map { ~$0 } : [3] + size
  }

  /// Whether it is nearer to zero.
  private func isSmaller(than other: DecimalNumber) -> Bool {
    guard !digits.isEmpty, !other.digits.isEmpty else { return digits.isEmpty && !other.digits.isEmpty }
    return exponent == other.exponent
      ? digits.lexicographicallyPrecedes(other.digits) : exponent < other.exponent
  }
}

/// How a decimal number is written: with a point or a comma before the fraction.
package enum DecimalStyle: CaseIterable, Hashable, Sendable {
  case point, comma

  /// The number in plain decimal digits, such as `-1200.50` for `−1.200,50`; nil if the text is no number of this style.
  ///
  /// Groups of three digits may have spaces, apostrophes, or the other sign between them, and in India groups of two.
  package func plain(_ text: String) -> String? {
    guard text.utf8.count < 64 else { return nil }
    if isPlain(text) { return text }
    // Languages written from right to left put invisible marks around the sign.
    var letters = text.unicodeScalars.filter { !"\u{200E}\u{200F}\u{61C}".unicodeScalars.contains($0) }[...]
    var plain = ""
    if let sign = letters.first, "-+\u{2212}".unicodeScalars.contains(sign) {
      if sign != "+" { plain = "-" }
      letters.removeFirst()
    }
    let signs: Set<Unicode.Scalar> = self == .point ? [".", "\u{66B}"] : [",", "\u{66B}"]
    let whole = letters.prefix { !signs.contains($0) }
    guard let wholeDigits = ungrouped(whole) else { return nil }
    plain += wholeDigits
    guard whole.count < letters.count else { return wholeDigits.isEmpty ? nil : plain }
    let fraction = letters[whole.endIndex...].dropFirst().map(DecimalStyle.digit)
    guard !fraction.isEmpty, !fraction.contains(nil) else { return nil }
    return plain + (wholeDigits.isEmpty ? "0." : ".")
      + String(String.UnicodeScalarView(fraction.compactMap(\.self)))
  }

  /// Whether a text is plain digits already, as most are.
  private func isPlain(_ text: String) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let fraction = digits.drop(while: isDigit)
    guard let sign = fraction.first else { return !digits.isEmpty }
    return self == .point && sign == UInt8(ascii: ".") && fraction.startIndex > digits.startIndex
      && fraction.count > 1 && fraction.dropFirst().allSatisfy(isDigit)
  }

  /// The digits without the signs between groups; nil if these are not in their places.
  private func ungrouped(_ text: some Collection<Unicode.Scalar>) -> String? {
    var groups: [String] = [""]
    var sign: Unicode.Scalar?
    for scalar in text {
      if let digit = DecimalStyle.digit(scalar) {
        groups[groups.count - 1].unicodeScalars.append(digit)
      } else {
        guard isBetweenGroups(scalar), scalar == sign ?? scalar else { return nil }
        sign = scalar
        groups.append("")
      }
    }
    guard groups.count > 1 else { return groups[0] }
    let (first, last, middle) = (groups[0], groups[groups.count - 1], groups.dropFirst().dropLast())
    let areThrees = middle.allSatisfy { $0.utf8.count == 3 } && (1...3).contains(first.utf8.count)
    let areTwos =
      sign == "," && middle.allSatisfy { $0.utf8.count == 2 } && (1...2).contains(first.utf8.count)
    // No number begins with a 0 that a sign follows.
    guard last.utf8.count == 3, areThrees || areTwos, first.utf8.first != 0x30 else { return nil }
    return groups.joined()
  }

  private func isBetweenGroups(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\u{A0}", "\u{202F}", "\u{2009}", "'", "\u{2019}", "\u{66C}": true
    case ",": self == .point
    case ".": self == .comma
    default: false
    }
  }

  /// The ASCII digit of a digit of any script.
  static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return ("0"..."9").contains(scalar) ? scalar : nil }
    guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue
    else {
      return nil
    }
    return Unicode.Scalar(0x30 + UInt8(value))
  }
}

/// A number with what it counts before or after it: `12,50 €`, `CHF 1'200`, `12%`.
package struct MeasuredNumber {
  package let unit: String
  /// The number as written.
  package let number: String

  /// Understands a text; nil without a unit, or if there is anything else.
  package init?(_ text: String) {
    var number = text.trimmingBlanks
    let sign = number.prefix { "-+\u{2212}".contains($0) }
    number = number.dropFirst(sign.count)
    let isBefore = number.first.map(MeasuredNumber.isOfUnit) ?? false
    let unit =
      isBefore
      ? String(number.prefix(while: MeasuredNumber.isOfUnit))
      : String(number.reversed().prefix(while: MeasuredNumber.isOfUnit).reversed())
    number = (isBefore ? number.dropFirst(unit.count) : number.dropLast(unit.count)).trimmingBlanks
    guard (1...5).contains(unit.count), sign.count < 2, let first = number.first, let last = number.last,
      first.isNumber || isBefore && sign.isEmpty && "-\u{2212}".contains(first), last.isNumber
    else { return nil }
    (self.unit, self.number) = (unit, String(sign + number))
  }

  private static func isOfUnit(_ character: Character) -> Bool {
    character.isLetter || character.isCurrencySymbol || character == "%"
  }
}

/// What a number is that was written without saying in which style.
package enum TypedNumber: Equatable, Sendable {
  /// The number in plain decimal digits.
  case number(String)
  /// Two numbers that it may be.
  case either(String, String)
  case none

  /// Understands a number in either style: `1.200` is one or the other.
  init(_ text: String) {
    let text = String(text.trimmingBlanks)
    switch (DecimalStyle.point.plain(text), DecimalStyle.comma.plain(text)) {
    case (let one?, let other?):
      self =
        one == other
        ? .number(one) : .either(TypedNumber.unmistakable(one), TypedNumber.unmistakable(other))
    case (let one?, nil), (nil, let one?): self = .number(one)
    case (nil, nil): self = .none
    }
  }

  /// Understands what a program writes: a number in plain digits is what it says.
  init(exact text: String) {
    let text = String(text.trimmingBlanks)
    if DecimalNumber(text) != nil, let plain = DecimalStyle.point.plain(text) {
      self = .number(plain)
    } else {
      self.init(text)
    }
  }

  /// The number with so many digits that it can't be taken for another one: `1.2` for `1.200`, and `1.2340` for `1.234`.
  private static func unmistakable(_ plain: String) -> String {
    guard let point = plain.firstIndex(of: ".") else { return plain }
    var fraction = plain[point...]
    while fraction.last == "0" { fraction.removeLast() }
    if fraction.count == 4 { fraction += "0" }
    return String(plain[..<point] + (fraction.count == 1 ? "" : fraction))
  }
}
