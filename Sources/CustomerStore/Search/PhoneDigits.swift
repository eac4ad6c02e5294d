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

  /// The digits to look for, if the text is a phone number and nothing else.
  var number: String? { isNumber && digits.count >= PhoneDigits.least ? String(digits) : nil }

  /// What all spellings of a phone number have in common: `+32 470 99 98 88`, `0032470999888`, and `tel:+32-470-999888`;
  /// of any other text, the text without differences in case.
  package static func identity(of text: String) -> String {
    let plain = text.lowercased().hasPrefix("tel:") ? String(text.dropFirst(4)) : text
    guard let digits = PhoneDigits(plain).number else { return searchFolded(plain) }
    // 00 is how most countries dial the plus sign.
    return digits.hasPrefix("00") ? String(digits.dropFirst(2)) : digits
  }

  /// Whether the phone number has these digits.
  func has(_ number: String?, atStart: Bool) -> Bool {
    guard let number else { return false }
    let digits = String(digits)
    return atStart ? digits.split(separator: "\n").contains { $0.hasPrefix(number) } : digits.contains(number)
  }
}
