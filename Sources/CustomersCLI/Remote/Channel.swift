internal import Files
internal import Platform
internal import Synchronization

/// Messages to and from a program, over two pipes or a socket.
///
/// A message is written in frames: its kind, the number of bytes in four, and the bytes. All but the last
/// frame of a message have the highest bit of the kind set.
final class Channel: Sendable {
  private static let longestFrame = 1 << 16
  private static let longestMessage = 1 << 30
  private static let moreFollows: UInt8 = 0x80

  private let input: FileDescriptor
  private let output: FileDescriptor
  /// Bytes of a frame of which a part is written.
  private let unsent = Mutex<[UInt8]>([])
  /// Bytes that have come, and are not yet taken.
  private let received = Mutex<ArraySlice<UInt8>>([])

  init(input: FileDescriptor, output: FileDescriptor) {
    self.input = input
    self.output = output
  }

  /// Writes a message, however long that takes.
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

  /// Writes as much of a message as can be written without waiting, and is a message of its own.
  ///
  /// - Returns: how many of its bytes that are.
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

  /// The next line, before the first message; nil at the end of the input, or if there are too many bytes
  /// without a line.
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

  /// Calls `pause` with what is to be read, if none of it is here.
  func wait(_ pause: (FileDescriptor) -> Void) {
    if received.withLock(\.isEmpty) { pause(input) }
  }

  /// The next message; nil at the end of the input.
  ///
  /// - Throws: `Message.Garbled` if what comes is no message, `SystemError` if nothing can be read.
  func receive() throws -> Message? {
    try received.withLock { received in
      var message: Message?
      while true {
        guard let header = try take(5, from: &received) else { return nil }
        let count = try Message.decoded(header.dropFirst())
        guard let kind = Message.Kind(rawValue: header[header.startIndex] & ~Channel.moreFollows),
          message.map({ $0.kind == kind }) ?? true, count <= Channel.longestFrame,
          message?.bytes.count ?? 0 <= Channel.longestMessage
        else { throw Message.Garbled() }
        guard let bytes = try take(count, from: &received) else { return nil }
        if message == nil { message = Message(kind, bytes: bytes) } else { message?.bytes += bytes }
        if header[header.startIndex] & Channel.moreFollows == 0 { return message }
      }
    }
  }

  private static func header(_ kind: Message.Kind, _ count: Int, moreFollows: Bool) -> [UInt8] {
    [kind.rawValue | (moreFollows ? Channel.moreFollows : 0)] + Message.encoded(count)
  }

  /// The next bytes, exactly so many; nil if the input ends before.
  private func take(_ count: Int, from received: inout ArraySlice<UInt8>) throws -> [UInt8]? {
    while received.count < count { guard try fill(&received) else { return nil } }
    defer { received = received.dropFirst(count) }
    return Array(received.prefix(count))
  }

  /// Reads more.
  ///
  /// - Returns: whether there was more.
  private func fill(_ received: inout ArraySlice<UInt8>) throws -> Bool {
    let bytes = try input.read()
    received = received.isEmpty ? bytes[...] : (Array(received) + bytes)[...]
    return !bytes.isEmpty
  }
}
