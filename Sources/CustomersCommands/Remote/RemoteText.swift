internal import CustomersText

/// Text from another machine on its way to a stream.
///
/// Text for people has the styles of this program, its progress bar and its lines; all else that could steer a terminal
/// is shown as a visible escape, even in a pipe, because `cat` and `less -R` pass it on. A format for programs is
/// checked only on a terminal: elsewhere it has the bytes that the list has.
struct RemoteText {
  private let stream: Stream
  private let isChecked: Bool
  /// The beginning of a sequence whose end has not arrived.
  private var waiting: ArraySlice<UInt8> = []
  /// The first byte of the line so far; nil for an empty one.
  private var lineStart: UInt8?
  /// Whether the cursor has just gone back to it.
  private var hasReturned = false
  /// The first error of writing the stream, after which nothing more is written; thrown by `end`.
  private var failure: (any Error)?

  /// - Parameters:
  ///   - stream: the stream.
  ///   - isText: whether it is for people, not for another program.
  init(_ stream: Stream, isText: Bool) {
    self.stream = stream
    isChecked = stream.isTerminal || isText
  }

  /// Writes what arrives, except the beginning of a sequence.
  mutating func write(_ bytes: [UInt8]) {
    guard isChecked else { return pass(bytes) }
    waiting += bytes
    var checked: [UInt8] = []
    while let count = RemoteText.length(of: waiting) {
      let (run, next) = (waiting.prefix(count), waiting.dropFirst(count).first)
      checked += RemoteText.shown(run, mayReturn: mayReturn(before: next))
      note(run)
      waiting = waiting.dropFirst(count)
    }
    pass(checked)
  }

  /// Writes the rest.
  mutating func end() throws {
    pass(RemoteText.shown(waiting, mayReturn: false))
    waiting = []
    if let failure { throw failure }
  }

  /// Whether the cursor may go back to the start of the line: at its end or to replace a progress bar.
  private func mayReturn(before next: UInt8?) -> Bool {
    switch next {
    case UInt8(ascii: "\n"): true
    case UInt8(ascii: "["), 0x1b: lineStart == nil || lineStart == UInt8(ascii: "[")
    default: false
    }
  }

  /// Notes how the current line begins.
  private mutating func note(_ run: ArraySlice<UInt8>) {
    guard run.first != 0x0d else { return hasReturned = true }
    guard run.first != 0x1b else {
      // The line is erased, and not only its end.
      if hasReturned, run.elementsEqual("\u{1b}[K".utf8) { lineStart = nil }
      return
    }
    hasReturned = false
    let line = run.lastIndex(of: 0x0a).map { run[($0 + 1)...] } ?? run
    if line.startIndex > run.startIndex { lineStart = nil }
    if lineStart == nil { lineStart = line.first }
  }

  private mutating func pass(_ bytes: [UInt8]) {
    guard failure == nil, !bytes.isEmpty else { return }
    do {
      try stream.write { $0 += bytes }
      try stream.flush()
    } catch {
      failure = error
    }
  }

  /// The number of bytes up to the end of the first run of plain text, character, or sequence; nil if that has
  /// not arrived.
  private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    let plain = bytes.prefix(while: isPlain).count
    if plain > 0 { return plain }
    switch first {
    case 0x1b:
      // A style or the end of a line erased: `ESC [`, numbers, a letter.
      guard bytes.count > 1 else { return nil }
      guard bytes.dropFirst().first == UInt8(ascii: "[") else { return 1 }
      let numbers = bytes.dropFirst(2).prefix(8).prefix { "0123456789;".utf8.contains($0) }.count
      return bytes.count > numbers + 2 ? numbers + 3 : nil
    case 0x0d: return bytes.count > 1 ? 1 : nil
    case 0xc2...0xf4:
      let count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
      let rest = bytes.dropFirst().prefix(count - 1)
      let valid = rest.prefix { $0 & 0xc0 == 0x80 }.count
      return valid < rest.count || valid == count - 1 ? valid + 1 : nil
    default: return 1
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7f).contains(byte) || [0x09, 0x0a].contains(byte)
  }

  /// What a terminal gets of a run, a character, or a sequence.
  private static func shown(_ bytes: ArraySlice<UInt8>, mayReturn: Bool) -> [UInt8] {
    if bytes.allSatisfy(isPlain) { return Array(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    switch text {
    // The end of a line or the progress bar or nothing in place of the line.
    case "\r" where mayReturn: return [0x0d]
    case "\u{1b}[K": return Array(bytes)
    case _ where Style.isSequence(text): return Array(bytes)
    default:
      return Array(
        text.escapingUnsafe { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }.utf8)
    }
  }
}
