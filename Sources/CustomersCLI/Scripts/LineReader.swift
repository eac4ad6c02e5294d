/// Reads a script line by line from a stream of bytes, with memory for one line.
///
/// Lines end in LF or CR LF; a byte order mark at the start is skipped.
struct LineReader {
  /// The longest line, in bytes, with those that continue it: no string of a customer is longer than 16,000,000.
  static let limit = 1 << 24

  private let readChunk: () throws -> [UInt8]
  private var piece: ArraySlice<UInt8> = []
  private var isEndless = false
  private(set) var number = 0

  init(readChunk: @escaping () throws -> [UInt8]) { self.readChunk = readChunk }

  /// The next line without its end; nil at the end of the file.
  ///
  /// - Throws: a `ScriptDiagnostic` if the line is too long, which ends the script, not UTF-8, or contains a NUL.
  mutating func next() throws -> String? {
    guard !isEndless else { return nil }
    number += 1
    guard var bytes = try nextBytes() else {
      number -= 1
      return nil
    }
    if number == 1, bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes.removeFirst(3) }
    if bytes.last == 0x0d { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("the line is not UTF-8") }
    guard !bytes.contains(0) else { throw problem("the line has a NUL character") }
    return text
  }

  private mutating func nextBytes() throws -> [UInt8]? {
    var line: [UInt8] = []
    var isFirst = true
    while true {
      if piece.isEmpty {
        piece = try readChunk()[...]
        if piece.isEmpty { return isFirst ? nil : line }
      }
      isFirst = false
      let end = piece.firstIndex(of: 0x0a)
      line += piece[..<(end ?? piece.endIndex)]
      guard line.count <= Self.limit else { throw endless() }
      guard let end else {
        piece = []
        continue
      }
      piece = piece[(end + 1)...]
      return line
    }
  }

  /// The problem with a line that is too long; the next line is not looked for.
  mutating func endless() -> ScriptDiagnostic {
    isEndless = true
    return LineReader.tooLong(number)
  }

  fileprivate static func tooLong(_ line: Int) -> ScriptDiagnostic {
    ScriptDiagnostic(message: "a line of more than \(limit >> 20) MiB begins here", line: line, source: "")
  }

  private func problem(_ message: String) -> ScriptDiagnostic {
    ScriptDiagnostic(message: message, line: max(1, number), source: "")
  }
}

/// Notices a line that is too long while a pipe is copied, which may never end.
struct LineLimit {
  private var number = 1
  private var count = 0
  private var last: UInt8 = 0

  /// Takes the next bytes.
  ///
  /// - Throws: a `ScriptDiagnostic`.
  mutating func take(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0a) {
      // A backslash continues the line.
      let before = end > 0 ? bytes[end - 1] : last
      count = before == UInt8(ascii: "\\") ? count + end - rest.startIndex : 0
      if count == 0 { number += 1 }
      rest = rest[(end + 1)...]
    }
    count += rest.count
    last = bytes.last ?? last
    guard count <= LineReader.limit else { throw LineReader.tooLong(number) }
  }
}
