/// A complete sequence of a key or the mouse: its numbers and its last byte.
struct ControlSequence {
  private let numbers: [Int]
  private let isMouse: Bool
  /// Whether it is a report of the terminal that was not requested.
  private let isAnswer: Bool
  private let hasNumbers: Bool
  private let last: UInt8

  init(_ parameters: ArraySlice<UInt8>, _ last: UInt8) {
    self.last = last
    isMouse = parameters.first == UInt8(ascii: "<")
    isAnswer = !isMouse && (0x3C...0x3F).contains(parameters.first ?? 0)
    hasNumbers = !parameters.isEmpty
    let text = String(decoding: isMouse ? parameters.dropFirst() : parameters, as: UTF8.self)
    // The subparameters after a colon are not needed.
    numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { $0 != ":" }) ?? 0
    }
  }

  private func number(_ index: Int) -> Int { numbers.indices.contains(index) ? numbers[index] : 0 }

  /// The modifiers: xterm counts from 1.
  private var modifiers: KeyModifiers {
    let code = number(1)
    return (1...16).contains(code) ? KeyModifiers(rawValue: (code - 1) & 7) : []
  }

  /// The event; nil if it is not a key.
  var event: InputEvent? {
    if isMouse {
      guard numbers.count == 3, last == UInt8(ascii: "M") || last == UInt8(ascii: "m") else { return nil }
      return InputParser.mouse(number(0), number(1), number(2), isRelease: last == UInt8(ascii: "m"))
    }
    guard !isAnswer else { return nil }
    switch last {
    case UInt8(ascii: "~"): return number(0) == 27 ? character(number(2)) : press(tildeKey, modifiers)
    // rxvt has other last bytes for keys with modifiers.
    case UInt8(ascii: "$"): return press(tildeKey, .shift)
    case UInt8(ascii: "^"): return press(tildeKey, .control)
    case UInt8(ascii: "@"): return press(tildeKey, [.shift, .control])
    case UInt8(ascii: "u"): return character(number(0))
    case UInt8(ascii: "Z"): return press(.tab, .shift)
    case UInt8(ascii: "a")...UInt8(ascii: "d") where !hasNumbers:
      return press(Self.letterKey(last - 32), .shift)
    default: return press(Self.letterKey(last), modifiers)
    }
  }

  /// A key in application mode.
  var applicationKey: InputEvent? {
    switch last {
    case UInt8(ascii: "M"): press(.enter, [])
    case UInt8(ascii: "a")...UInt8(ascii: "d"): press(Self.letterKey(last - 32), .control)
    // Digits and symbols of the number pad.
    case 0x6A...0x79: press(.character(Unicode.Scalar(last - 64)), [])
    default: press(Self.letterKey(last), [])
    }
  }

  private func press(_ key: KeyPress.Key?, _ modifiers: KeyModifiers) -> InputEvent? {
    key.map { .key(KeyPress($0, modifiers)) }
  }

  private static func letterKey(_ letter: UInt8) -> KeyPress.Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 79)
    default: nil
    }
  }

  private var tildeKey: KeyPress.Key? {
    switch number(0) {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case let number where (11...15).contains(number): .function(number - 10)
    case let number where (17...21).contains(number): .function(number - 11)
    case 23, 24: .function(number(0) - 12)
    default: nil
    }
  }

  /// A character with modifiers, by its number.
  private func character(_ code: Int) -> InputEvent? {
    switch code {
    case 13: return press(.enter, modifiers)
    case 9: return press(.tab, modifiers)
    case 27: return press(.escape, modifiers)
    case 8, 127: return press(.backspace, modifiers)
    default:
      // Keys without a character have numbers of the private use area.
      guard code >= 32, !(0xE000...0xF8FF).contains(code),
        let scalar = UInt32(exactly: code).flatMap({ Unicode.Scalar($0) })
      else { return nil }
      return press(.character(scalar), modifiers)
    }
  }
}
