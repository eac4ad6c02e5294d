/// The digits of a phone number, however it is written: `030-0074321` and `(0300) 074 321` have the same.
struct PhoneDigits {
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

  /// Whether the phone number has these digits.
  func has(_ number: String?, atStart: Bool) -> Bool {
    guard let number else { return false }
    let digits = String(digits)
    return atStart ? digits.split(separator: "\n").contains { $0.hasPrefix(number) } : digits.contains(number)
  }
}
