/// Parses the bytes that a terminal sends into events, whatever the terminal and however the bytes are split.
///
/// The bytes of an Escape key look like the start of a sequence. The reader calls `flush` when nothing has
/// followed for a few hundredths of a second.
public struct InputParser: Sendable {
  private var bytes: [UInt8] = []
  /// The text that is being pasted.
  private var pasted: [UInt8]?

  /// Longer sequences are not keys.
  private static let longestSequence = 64
  /// Longer strings come as several pastes.
  private static let longestPaste = 1 << 20
  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  /// Creates a parser without input.
  public init() {}

  /// Whether a sequence has started that may continue.
  public var isWaiting: Bool { !bytes.isEmpty }

  /// Whether an Escape has come, and nothing since that says whether it is the key.
  var hasLoneEscape: Bool { bytes == [0x1B] }

  /// Parses bytes.
  ///
  /// - Returns: the events that they complete.
  public mutating func parse(_ new: some Sequence<UInt8>) -> [InputEvent] {
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

  /// Ends the input so far: an Escape is the key, and an incomplete sequence is dropped.
  public mutating func flush() -> [InputEvent] {
    guard pasted == nil, let first = bytes.first else { return [] }
    let isEscape = bytes.count == 1 && first == 0x1B
    bytes = []
    return isEscape ? [.key(KeyPress(.escape))] : []
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
