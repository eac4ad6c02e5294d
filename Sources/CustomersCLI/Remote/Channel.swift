internal import CustomersFiles
internal import CustomersPlatform
internal import Synchronization

/// Sends messages to another program and receives its own, over two pipes or a socket.
///
/// A message is one or more frames: its kind, the number of bytes in four bytes (big-endian), and the bytes.
/// The highest bit of the kind is set in all frames of a message except the last.
final class Channel: Sendable {
  private static let longestFrame = 1 << 16
  private static let moreFollows: UInt8 = 0x80

  private let input: FileDescriptor
  private let output: FileDescriptor
  /// The rest of a partly written frame.
  private let unsent = Mutex<[UInt8]>([])
  /// The received bytes that no message has used yet.
  private let received = Mutex<ArraySlice<UInt8>>([])

  init(input: FileDescriptor, output: FileDescriptor) {
    self.input = input
    self.output = output
  }

  /// Writes a message and waits until all of it is written.
  func send(_ message: Message) throws(SystemError) {
    try unsent.withLock { (unsent) throws(SystemError) in
      var bytes = unsent
      unsent = []
      var rest = message.bytes[...]
      repeat {
        let piece = rest.prefix(Channel.longestFrame)
        rest = rest.dropFirst(piece.count)
        bytes += Channel.header(message.kind, piece.count, moreFollows: !rest.isEmpty) + piece
        try output.write(bytes)
        bytes = []
      } while !rest.isEmpty
    }
  }

  /// Writes as much of a message as possible without waiting; the part written is a complete message.
  ///
  /// - Returns: how many of the bytes were written.
  func sendWithoutWaiting(_ message: Message) throws(SystemError) -> Int {
    try unsent.withLock { (unsent) throws(SystemError) in
      unsent.removeFirst(try output.writeWithoutWaiting(unsent))
      guard unsent.isEmpty else { return 0 }
      let piece = message.bytes.prefix(Channel.longestFrame)
      let frame = Channel.header(message.kind, piece.count, moreFollows: false) + piece
      let written = try output.writeWithoutWaiting(frame)
      if written > 0 { unsent = Array(frame.dropFirst(written)) }
      return written > 0 ? piece.count : 0
    }
  }

  /// Writes a line before the first message.
  func write(line: String) throws(SystemError) { try output.write(Array((line + "\n").utf8)) }

  /// Reads a line before the first message; nil at the end of the input, or if a line is too long.
  func readLine() throws -> String? {
    try received.withLock { received in
      while true {
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          defer { received = received[(end + 1)...] }
          return String(decoding: received[..<end], as: UTF8.self)
        }
        guard received.count < Channel.longestFrame, try fill(&received) else { return nil }
      }
    }
  }

  /// Calls `pause` with the input descriptor, unless bytes are already received.
  func wait(_ pause: (FileDescriptor) -> Void) {
    if received.withLock(\.isEmpty) { pause(input) }
  }

  /// Returns the next message; nil at the end of the input.
  ///
  /// - Throws: `Message.Malformed` if the bytes are not a valid message, `SystemError` if reading fails.
  func receive() throws -> Message? {
    try received.withLock { received in
      var message: Message?
      while true {
        guard let header = try take(5, from: &received) else { return nil }
        let count = try Message.decoded(header.dropFirst())
        guard let kind = Message.Kind(rawValue: header[header.startIndex] & ~Channel.moreFollows),
          message.map({ $0.kind == kind }) ?? true, count <= Channel.longestFrame,
          message?.bytes.count ?? 0 <= kind.longest
        else { throw Message.Malformed() }
        guard let bytes = try take(count, from: &received) else { return nil }
        if message == nil { message = Message(kind, bytes: bytes) } else { message?.bytes += bytes }
        if header[header.startIndex] & Channel.moreFollows == 0 { return message }
      }
    }
  }

  private static func header(_ kind: Message.Kind, _ count: Int, moreFollows: Bool) -> [UInt8] {
    [kind.rawValue | (moreFollows ? Channel.moreFollows : 0)] + Message.encoded(count)
  }

  /// Returns the next `count` bytes; nil if the input ends earlier.
  private func take(_ count: Int, from received: inout ArraySlice<UInt8>) throws -> [UInt8]? {
    while received.count < count { guard try fill(&received) else { return nil } }
    defer { received = received.dropFirst(count) }
    return Array(received.prefix(count))
  }

  /// Reads more bytes.
  ///
  /// - Returns: whether there were any.
  private func fill(_ received: inout ArraySlice<UInt8>) throws -> Bool {
    let bytes = try input.read()
    received = received.isEmpty ? bytes[...] : (Array(received) + bytes)[...]
    return !bytes.isEmpty
  }
}
