/// Strings, numbers, and words.
extension JSONScanner {
  /// Reads the string that starts here.
  ///
  /// - Returns: its value, with escapes resolved.
  mutating func string() throws -> String {
    let unclosed = input.problem("a string begins here and never ends")
    var text: [UInt8] = []
    var checker = UTF8Checker()
    try take()
    while let byte = try input.peek() {
      guard checker.accepts(byte) else { throw input.problem("not UTF-8") }
      switch byte {
      case UInt8(ascii: "\""):
        try take()
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try escape()).utf8)
      case 0..<0x20:
        throw input.problem("control character in a string; write \\n, \\t, \\u…")
      case 0x20..<0x80:
        let run = try input.run { 0x20..<0x80 ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        text.append(contentsOf: run)
        try keep(run)
      default:
        text.append(byte)
        try take()
      }
      try checkSize(text.count)
    }
    throw unclosed
  }

  /// Reads an escape; of two UTF-16 units if it starts a surrogate pair.
  private mutating func escape() throws -> Unicode.Scalar {
    let alone = input.problem("unpaired surrogate")
    try take()
    guard try input.peek() == UInt8(ascii: "u") else { return try letterEscape() }
    let unit = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), try input.peek() == UInt8(ascii: "\\") else { throw alone }
    try take()
    guard try input.peek() == UInt8(ascii: "u") else { throw alone }
    let second = try hexadecimalUnit()
    let pair = 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(second & 0x3ff))
    guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(pair) else { throw alone }
    return scalar
  }

  private mutating func letterEscape() throws -> Unicode.Scalar {
    let scalar: Unicode.Scalar
    switch try input.peek() {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{c}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    default: throw wrong("expected one of \" \\ / b f n r t u after \\")
    }
    try take()
    return scalar
  }

  /// Reads `u` and four digits.
  private mutating func hexadecimalUnit() throws -> UInt16 {
    try take()
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = try input.peek().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw wrong("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
      try take()
    }
    return unit
  }

  /// Reads a number, which stays as written, however many digits it has.
  mutating func number() throws {
    if try input.peek() == UInt8(ascii: "-") { try take() }
    if try input.peek() == UInt8(ascii: "0") { try take() } else { try digits() }
    if try input.peek() == UInt8(ascii: ".") {
      try take()
      try digits()
    }
    if let byte = try input.peek(), byte | 0x20 == UInt8(ascii: "e") {
      try take()
      if let sign = try input.peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { try take() }
      try digits()
    }
  }

  private mutating func digits() throws {
    let belongs = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    guard let first = try input.peek(), belongs(first) else { throw wrong("expected a digit") }
    while let byte = try input.peek(), belongs(byte) { try keep(input.run(where: belongs)) }
  }

  /// Reads `true`, `false`, or `null`.
  mutating func word(_ word: StaticString) throws {
    for byte in word.description.utf8 {
      guard try input.peek() == byte else { throw wrong("expected \(word)") }
      try take()
    }
  }
}
