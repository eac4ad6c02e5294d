/// An input event of the terminal.
package enum InputEvent: Hashable, Sendable {
  /// A key.
  case key(KeyPress)
  /// A button or the wheel of the mouse or a drag.
  case mouse(MouseEvent)
  /// A string from the clipboard.
  case paste(String)
}

/// Modifier keys held while another one is pressed.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let shift = KeyModifiers(rawValue: 1)
  package static let alt = KeyModifiers(rawValue: 2)
  package static let control = KeyModifiers(rawValue: 4)
}

/// A key with modifiers.
package struct KeyPress: Hashable, Sendable {
  /// A key, whatever the modifiers.
  package enum Key: Hashable, Sendable {
    /// A letter, digit, or symbol as typed; with control, the lowercase letter.
    case character(Unicode.Scalar)
    case enter, tab, backspace, escape, up, down, left, right, home, end, pageUp, pageDown, insert, delete
    /// F1, and so on.
    case function(Int)
  }

  /// The key.
  package var key: Key
  /// The modifiers.
  package var modifiers: KeyModifiers

  package init(_ key: Key, _ modifiers: KeyModifiers = []) { (self.key, self.modifiers) = (key, modifiers) }
}

/// A mouse event over a cell.
package struct MouseEvent: Hashable, Sendable {
  /// The action of the mouse.
  package enum Action: Hashable, Sendable { case press, release, drag, move, wheelUp, wheelDown }

  /// The action of the mouse.
  package var action: Action
  /// The button, 1 for the left one; 0 for none.
  package var button: Int
  /// The cell, from 0 at the left and top.
  package var column, row: Int
  /// The modifiers.
  package var modifiers: KeyModifiers

  package init(_ action: Action, button: Int, column: Int, row: Int, modifiers: KeyModifiers = []) {
    (self.action, self.button, self.column, self.row) = (action, button, column, row)
    self.modifiers = modifiers
  }
}

/// Parses the bytes that a terminal sends into events, whatever the terminal and however the bytes are split.
///
/// The bytes of an Escape key look like the start of a sequence. The reader calls `flush` when nothing has
/// followed for a few hundredths of a second.
package struct InputParser: Sendable {
  private var bytes: [UInt8] = []
  /// The text that is being pasted.
  private var pasted: [UInt8]?

  /// Longer sequences are not keys.
  private static let longestSequence = 64
  /// Longer strings come as several pastes.
  private static let longestPaste = 1 << 20
  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  /// Creates a parser without input.
  package init() {}

  /// Whether a sequence has started that may continue.
  package var isWaiting: Bool { !bytes.isEmpty || isPasting }

  /// Whether a paste has begun whose end has not come.
  package var isPasting: Bool { pasted != nil }

  /// Whether an Escape has come, and nothing since that says whether it is the key.
  var hasLoneEscape: Bool { !isPasting && bytes == [0x1B] }

  /// Parses bytes.
  ///
  /// - Returns: the events that they complete.
  package mutating func parse(_ new: some Sequence<UInt8>) -> [InputEvent] {
    bytes += new
    var rest = bytes[...]
    var events: [InputEvent] = []
    while !rest.isEmpty, let taken = pasted == nil ? take(rest) : paste(rest) {
      if let event = taken.event { events.append(event) }
      rest = rest.dropFirst(taken.count)
    }
    bytes = Array(rest)
    return events
  }

  /// Ends the input so far: an Escape is the key, a paste is what has come of it, and an incomplete sequence is
  /// dropped.
  package mutating func flush() -> [InputEvent] {
    defer { (bytes, pasted) = ([], nil) }
    if let pasted { return [.paste(String(decoding: pasted + bytes, as: UTF8.self))] }
    return hasLoneEscape ? [.key(KeyPress(.escape))] : []
  }

  /// The event at the beginning of the bytes and its length; nil if more bytes are needed.
  private typealias Taken = (event: InputEvent?, count: Int)

  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Taken? {
    guard bytes.first == 0x1B else { return Self.character(bytes) }
    let rest = bytes.dropFirst()
    switch rest.first {
    case nil: return nil
    case 0x1B?: return (.key(KeyPress(.escape)), 1)
    case UInt8(ascii: "[")?: return sequence(bytes)
    case UInt8(ascii: "O")?: return Self.applicationKey(bytes)
    default:
      guard let (event, count) = Self.character(rest) else { return nil }
      guard case .key(var press)? = event else { return (nil, count + 1) }
      // The Linux console sends this for Shift-Tab.
      press.modifiers = press.key == .tab ? .shift : press.modifiers.union(.alt)
      return (.key(press), count + 1)
    }
  }

  private mutating func paste(_ bytes: ArraySlice<UInt8>) -> Taken? {
    let end = Self.endOfPaste
    var count = 0
    while count < bytes.count {
      let rest = bytes.dropFirst(count).prefix(end.count)
      if rest.elementsEqual(end) {
        let text = String(decoding: (pasted ?? []) + bytes.prefix(count), as: UTF8.self)
        pasted = nil
        return (.paste(text), count + end.count)
      }
      // The end may have begun.
      if rest.count < end.count, end.starts(with: rest) { break }
      count += 1
    }
    guard count > 0 else { return nil }
    pasted?.append(contentsOf: bytes.prefix(count))
    guard let text = pasted, text.count >= Self.longestPaste else { return (nil, count) }
    // A character at the seam is not cut in two.
    let seam = text.lastIndex { $0 & 0xC0 != 0x80 } ?? text.endIndex
    pasted = Array(text[seam...])
    return (.paste(String(decoding: text[..<seam], as: UTF8.self)), count)
  }

  /// `ESC [`, parameters, and a last byte that says what it is.
  private mutating func sequence(_ bytes: ArraySlice<UInt8>) -> Taken? {
    let body = bytes.dropFirst(2)
    if body.first == UInt8(ascii: "M") {
      guard body.count >= 4 else { return nil }
      let values = body.dropFirst().prefix(3).map { Int($0) - 32 }
      return (Self.mouse(values[0], values[1], values[2], isRelease: values[0] & 3 == 3 && values[0] < 64), 6)
    }
    if body.first == UInt8(ascii: "[") {
      // Function keys of the Linux console.
      guard let last = body.dropFirst().first else { return nil }
      let number = Int(last) - 64
      return ((1...5).contains(number) ? .key(KeyPress(.function(number))) : nil, 4)
    }
    let part = body.prefix(Self.longestSequence)
    guard let end = part.firstIndex(where: { !(0x20...0x3F).contains($0) || $0 == UInt8(ascii: "$") }) else {
      return part.count == Self.longestSequence ? (nil, 2 + Self.longestSequence) : nil
    }
    let last = body[end]
    // Anything else ends the sequence and is parsed by itself.
    guard (0x40...0x7E).contains(last) || last == UInt8(ascii: "$") else {
      return (nil, end - bytes.startIndex)
    }
    let count = end - bytes.startIndex + 1
    let parameters = body[..<end]
    if last == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) {
      pasted = []
      return (nil, count)
    }
    return (ControlSequence(parameters, last).event, count)
  }

  /// `ESC O` and one byte: keys in application mode.
  private static func applicationKey(_ bytes: ArraySlice<UInt8>) -> Taken? {
    guard let last = bytes.dropFirst(2).first else { return nil }
    // Alt-O, and then something else.
    guard (0x40...0x7E).contains(last) else { return (.key(KeyPress(.character("O"), .alt)), 2) }
    return (ControlSequence([], last).applicationKey, 3)
  }

  /// A character or a key that sends one byte.
  private static func character(_ bytes: ArraySlice<UInt8>) -> Taken? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x0D: return (.key(KeyPress(.enter)), 1)
    case 0x09: return (.key(KeyPress(.tab)), 1)
    case 0x7F, 0x08: return (.key(KeyPress(.backspace)), 1)
    case 0x1B: return (.key(KeyPress(.escape)), 1)
    case 0x00: return (.key(KeyPress(.character(" "), .control)), 1)
    case 0x01...0x1A: return (.key(KeyPress(.character(Unicode.Scalar(first + 96)), .control)), 1)
    case 0x1C...0x1F: return (.key(KeyPress(.character(Unicode.Scalar(first + 64)), .control)), 1)
    case 0x20..<0x80: return (.key(KeyPress(.character(Unicode.Scalar(first)))), 1)
    default: return scalar(bytes)
    }
  }

  private static func scalar(_ bytes: ArraySlice<UInt8>) -> Taken? {
    guard let first = bytes.first, (0xC2...0xF4).contains(first) else { return (nil, 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let part = bytes.prefix(length)
    let tail = part.dropFirst().prefix { $0 & 0xC0 == 0x80 }
    // Interrupted by something else.
    guard tail.count == part.count - 1 else { return (nil, 1 + tail.count) }
    guard part.count == length else { return nil }
    guard let text = String(validating: part, as: UTF8.self), let scalar = text.unicodeScalars.first else {
      return (nil, 1)
    }
    return (.key(KeyPress(.character(scalar))), length)
  }

  static func mouse(_ code: Int, _ column: Int, _ row: Int, isRelease: Bool) -> InputEvent? {
    guard code >= 0, column >= 1, row >= 1 else { return nil }
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let button = code & 3 == 3 ? 0 : (code & 3) + 1
    let action: MouseEvent.Action
    switch code & ~0x1F {
    case 64 where code & 3 < 2: action = code & 3 == 0 ? .wheelUp : .wheelDown
    case 32: action = button == 0 ? .move : .drag
    case 0: action = isRelease ? .release : .press
    default: return nil
    }
    let isWheel = action == .wheelUp || action == .wheelDown
    return .mouse(
      MouseEvent(action, button: isWheel ? 0 : button, column: column - 1, row: row - 1, modifiers: modifiers)
    )
  }
}

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
