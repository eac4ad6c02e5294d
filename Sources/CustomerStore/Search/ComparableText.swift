/// A string as it compares with others: as a number, a date, or a string in which digits count by their value.
struct ComparableText: Hashable, Sendable {
  /// What the text is.
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

  /// Whether the two can be compared in a condition: `Age<30` says nothing about an age of "unknown".
  func isComparable(with limit: ComparableText) -> Bool {
    switch (kind, limit.kind) {
    case (_, .text): true
    case (.number, .number), (.date, .date), (.date, .number): true
    case (.text, _), (.number, .date): false
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
    var key = String.UnicodeScalarView()
    var digits: [Unicode.Scalar] = []
    func writeNumber() {
      guard !digits.isEmpty else { return }
      let number = digits.drop { $0 == "0" }
      var count = number.count
      // Nine is written as 9 and what is left of it, so that more digits always come later.
      while count >= 9 {
        key.append("9")
        count -= 9
      }
      key.append(Unicode.Scalar(UInt8(0x30 + count)))
      key.append(contentsOf: number)
      digits = []
    }
    for scalar in text.unicodeScalars {
      if ("0"..."9").contains(scalar) {
        digits.append(scalar)
      } else {
        writeNumber()
        key.append(scalar)
      }
    }
    writeNumber()
    return String(key)
  }
}

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

  /// Whether it is nearer to zero.
  private func isSmaller(than other: DecimalNumber) -> Bool {
    guard !digits.isEmpty, !other.digits.isEmpty else { return digits.isEmpty && !other.digits.isEmpty }
    return exponent == other.exponent
      ? digits.lexicographicallyPrecedes(other.digits) : exponent < other.exponent
  }
}
