internal import CustomersSystem
internal import Synchronization

/// Sends messages to another program and receives its own, over two pipes or a socket.
///
/// A message is its kind, the number of its bytes in four bytes (big-endian), and the bytes.
final class Channel: Sendable {
  private static let longestLine = 1 << 16

  private let input: FileDescriptor
  private let output: FileDescriptor
  /// The rest of a partly written message.
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
      let bytes = unsent + message.encoded
      unsent = []
      try output.write(bytes)
    }
  }

  /// Writes a message, or its start, if that is possible without waiting; the rest then precedes the next message.
  ///
  /// - Returns: whether it did.
  func sendWithoutWaiting(_ message: Message) throws(SystemError) -> Bool {
    try unsent.withLock { (unsent) throws(SystemError) in
      unsent.removeFirst(try output.writeWithoutWaiting(unsent))
      guard unsent.isEmpty else { return false }
      let encoded = message.encoded
      let written = try output.writeWithoutWaiting(encoded)
      if written > 0 { unsent = Array(encoded.dropFirst(written)) }
      return written > 0
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
        guard received.count < Channel.longestLine, try fill(&received) else { return nil }
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
      guard let header = try take(5, from: &received) else { return nil }
      let count = try Message.decoded(header.dropFirst())
      guard let kind = Message.Kind(rawValue: header[0]), count <= kind.longest else {
        throw Message.Malformed()
      }
      return try take(count, from: &received).map { Message(kind, bytes: $0) }
    }
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
    if received.isEmpty { received = bytes[...] } else { received += bytes }
    return !bytes.isEmpty
  }
}

/// A message between the program that the user runs (the caller) and the one on the machine of the list.
///
/// The caller sends a request. The program there runs the command and sends its output. It may ask for the one file
/// that the command line names for reading, write the one that it names for writing, and ask the user. Before a change, it
/// waits until the caller knows of that: so the caller can say what became of it when the connection is lost. The exit code
/// is last.
struct Message: Sendable {
  /// The version of the protocol; both programs must have the same.
  static let protocolNumber = 4

  enum Kind: UInt8, Sendable {
    /// From the caller: the command to run, as a `RemoteRequest`.
    case request = 1
    /// The answer to the last question or the failure to answer it.
    case reply, failure
    /// A piece of the file that the command reads and the end of the file.
    case data, end
    /// To the caller: text for its standard output and standard error.
    case output = 32, errors
    /// Asks for the file that the command line names, a line from the user, or an edited text.
    case open, readLine, edit
    /// Asks the user's consent to write the file that the command line names; creates it, writes to it, makes it
    /// durable, renames it.
    case mayWrite, create, write, sync, finish
    /// Announces a change and asks the caller to confirm the message.
    case willChange
    /// The exit code of the command.
    case exit
    /// A request of a page in a browser there, or what answers it.
    case page

    /// The maximum number of bytes of a message.
    var longest: Int {
      switch self {
      // The lines of a long list in an editor.
      case .edit, .reply: 1 << 30
      default: 1 << 24
      }
    }
  }

  var kind: Kind
  var bytes: [UInt8]

  init(_ kind: Kind, bytes: [UInt8] = []) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Creates a message of several strings, and possibly other bytes after them.
  init(_ kind: Kind, _ texts: [String], body: [UInt8]? = nil) {
    self.init(kind)
    for part in texts.map({ Array($0.utf8) }) + [body].compactMap(\.self) {
      bytes += Message.encoded(part.count) + part
    }
  }

  /// The strings and other bytes of the message.
  var parts: [ArraySlice<UInt8>] {
    get throws {
      var parts: [ArraySlice<UInt8>] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try Message.decoded(rest.prefix(4))
        rest = rest.dropFirst(4)
        guard count <= rest.count else { throw Malformed() }
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      return parts
    }
  }

  var texts: [String] { get throws { try parts.map(Message.text) } }

  /// - Throws: `Malformed` if the bytes are not UTF-8.
  static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
    return text
  }

  struct Malformed: Error, CustomStringConvertible {
    var description: String { "the message of the other program can't be read" }
  }

  fileprivate var encoded: [UInt8] { [kind.rawValue] + Message.encoded(bytes.count) + bytes }

  private static func encoded(_ count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  fileprivate static func decoded(_ bytes: some Collection<UInt8>) throws -> Int {
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
