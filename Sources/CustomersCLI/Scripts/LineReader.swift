/// Reads a script line by line from a stream of bytes, with memory for one line.
///
/// Lines end in LF or CR LF; a byte order mark at the start is skipped.
struct LineReader {
  /// The longest line, in bytes: no string of a customer is longer than 16,000,000.
  static let limit = 1 << 26

  private let readChunk: () throws -> [UInt8]
  private var piece: ArraySlice<UInt8> = []
  private(set) var number = 0

  init(readChunk: @escaping () throws -> [UInt8]) { self.readChunk = readChunk }

  /// The next line without its end; nil at the end of the file.
  ///
  /// - Throws: a `ScriptDiagnostic` if the line is too long, not UTF-8, or contains a NUL.
  mutating func next() throws -> String? {
    guard var bytes = try nextBytes() else { return nil }
    number += 1
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
      guard line.count <= Self.limit else { throw problem("the line is too long") }
      guard let end else {
        piece = []
        continue
      }
      piece = piece[(end + 1)...]
      return line
    }
  }

  private func problem(_ message: String) -> ScriptDiagnostic {
    ScriptDiagnostic(message: message, line: max(1, number), source: "")
  }
}
