internal import Platform

/// What two programs say to each other when a command runs on the machine of the list.
struct Message: Sendable {
  /// The number of what is said here; programs with another number don't understand each other.
  static let protocolNumber = 1

  enum Kind: UInt8, Sendable {
    /// The caller's, who sits with the person: what is to be done, with `Request`.
    case request = 1
    /// An answer to what was asked last, and why there is none.
    case reply, failure
    /// A piece of a file, and its end.
    case data, end
    /// To the caller: text for its standard output and standard error.
    case output = 32, errors
    /// Asks for a file that the command line names, for a backup, for a line that the person types, for an edited text.
    case open, fetch, readLine, edit
    /// Asks whether a file may be written, begins it, writes to it, brings it to the disk, gives it its name.
    case mayWrite, create, write, sync, finish
    /// Asks before the list is changed for the caller to take note.
    case willChange
    /// How the command ended.
    case exit
  }

  var kind: Kind
  var bytes: [UInt8]

  init(_ kind: Kind, bytes: [UInt8] = []) {
    self.kind = kind
    self.bytes = bytes
  }

  /// A message of several texts.
  init(_ kind: Kind, _ texts: [String]) {
    self.init(kind)
    for text in texts {
      bytes += Message.encoded(text.utf8.count)
      bytes += text.utf8
    }
  }

  /// The texts of a message.
  var texts: [String] {
    get throws {
      var texts: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try Message.decoded(rest.prefix(4))
        rest = rest.dropFirst(4)
        guard count <= rest.count, let text = String(validating: rest.prefix(count), as: UTF8.self) else {
          throw Garbled()
        }
        texts.append(text)
        rest = rest.dropFirst(count)
      }
      return texts
    }
  }

  /// What came makes no sense.
  struct Garbled: Error {}

  static func encoded(_ count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  static func decoded(_ bytes: some Collection<UInt8>) throws -> Int {
    guard bytes.count == 4 else { throw Garbled() }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
