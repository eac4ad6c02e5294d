internal import CustomersSystem
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

/// A message between the program that the user runs (the caller) and the one on the machine of the list.
struct Message: Sendable {
  /// The version of the protocol; both programs must have the same.
  static let protocolNumber = 3

  enum Kind: UInt8, Sendable {
    /// From the caller: the command to run, as a `RemoteRequest`.
    case request = 1
    /// The answer to the last question or the failure to answer it.
    case reply, failure
    /// A piece of a file and the end of the file.
    case data, end
    /// From the caller: a request of a page in a browser there.
    case pageRequest
    /// To the caller: text for its standard output and standard error.
    case output = 32, errors
    /// Asks for a file that the command line names, a backup, a line from the user, or an edited text.
    case open, fetch, readLine, edit
    /// Asks the user's consent to write a file; creates it, writes to it, makes it durable, renames it.
    case mayWrite, create, write, sync, finish
    /// Announces a change and asks the caller to confirm the message.
    case willChange
    /// The exit code of the command.
    case exit
    /// To the caller: requests of a page are answered from now on; an answer and an event.
    case pageReady, pageAnswer, pageEvent

    /// The bytes of the longest message of the kind.
    var longest: Int {
      switch self {
      // The system's limit for the words of a command and more.
      case .request, .pageRequest: 1 << 22
      case .pageReady, .pageAnswer, .pageEvent: 1 << 24
      // Such as the lines of a long list in an editor.
      default: 1 << 30
      }
    }
  }

  var kind: Kind
  var bytes: [UInt8]

  init(_ kind: Kind, bytes: [UInt8] = []) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Creates a message of several strings.
  init(_ kind: Kind, _ texts: [String]) {
    self.init(kind)
    for text in texts {
      bytes += Message.encoded(text.utf8.count)
      bytes += text.utf8
    }
  }

  var texts: [String] {
    get throws {
      var texts: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try Message.decoded(rest.prefix(4))
        rest = rest.dropFirst(4)
        guard count <= rest.count, let text = String(validating: rest.prefix(count), as: UTF8.self) else {
          throw Malformed()
        }
        texts.append(text)
        rest = rest.dropFirst(count)
      }
      return texts
    }
  }

  /// Creates a message of several texts and other bytes.
  init(_ kind: Kind, _ texts: [String], body: [UInt8]) {
    let head = Message(kind, texts).bytes
    self.init(kind, bytes: Message.encoded(head.count) + head + body)
  }

  /// The texts and the other bytes of the message.
  var parts: (texts: [String], body: [UInt8]) {
    get throws {
      let count = try Message.decoded(bytes.prefix(4))
      guard count <= bytes.count - 4 else { throw Malformed() }
      let texts = try Message(kind, bytes: Array(bytes[4..<4 + count])).texts
      return (texts, Array(bytes[(4 + count)...]))
    }
  }

  struct Malformed: Error, CustomStringConvertible {
    var description: String { "the message of the other program can't be read" }
  }

  static func encoded(_ count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  static func decoded(_ bytes: some Collection<UInt8>) throws -> Int {
    guard bytes.count == 4 else { throw Malformed() }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Message {
  /// Creates the message that reports a failure to the other machine.
  init(_ failure: Failure) {
    self.init(.failure, ["\(failure.code.rawValue)", failure.sentence, failure.hint ?? ""] + failure.details)
  }
}

extension Failure {
  /// Creates the failure that a message reports.
  ///
  /// - Throws: `Message.Malformed` if the message is malformed.
  init(_ message: Message) throws {
    let texts = try message.texts
    guard texts.count >= 3, let code = Int32(texts[0]).flatMap(ExitCode.init) else {
      throw Message.Malformed()
    }
    self.init(
      code: code, message: texts[1], details: Array(texts[3...]), hint: texts[2].isEmpty ? nil : texts[2])
  }
}
