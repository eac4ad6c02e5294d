internal import CustomersPlatform

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

  /// The strings of the message.
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

  /// The error of a malformed message.
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
