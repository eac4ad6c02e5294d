/// The first line and the headers of a request.
package struct RequestHead: Equatable, Sendable {
  /// One line of the headers.
  package struct Header: Equatable, Sendable {
    /// In lowercase.
    package let name: String
    /// Without the spaces around it.
    package let value: String
  }

  /// Such as `GET`, as it was sent.
  package let method: String
  /// A path and possibly a query: `/` and visible ASCII characters.
  package let target: String
  /// Whether the peer has sent HTTP/1.1; otherwise it is HTTP/1.0.
  package let isVersion11: Bool
  /// In the order in which they were sent.
  package let headers: [Header]
  /// The number of bytes of the body; 0 if none is announced.
  package let contentLength: Int

  /// The value of a header, by its name in lowercase; of several, the first.
  package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The target without the query.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// Whether the peer waits for a word before it sends the body.
  var expectsContinue: Bool { isVersion11 && self["expect"] != nil }

  /// Whether the connection may carry another request.
  var keepsAlive: Bool {
    isVersion11
      && !headers.contains { header in
        header.name == "connection"
          && header.value.lowercased().split(whereSeparator: { ", \t".contains($0) }).contains("close")
      }
  }
}

package struct Request: Sendable {
  package let head: RequestHead
  package let body: [UInt8]
}

/// Why a request is refused before anything looks at what it asks for.
package struct RequestError: Error, Equatable {
  /// The status of the answer.
  package let status: Int
  /// What is wrong, without anything that was sent.
  package let message: String

  static func malformed(_ message: String) -> RequestError { RequestError(status: 400, message: message) }
}

/// Reads the head of a request byte by byte and accepts only what can mean one thing.
///
/// libevent's reader was tried and rejected: it cuts a `Host` at a NUL and joins two `Content-Length` before a guard
/// sees them. What a proxy could read in another way is refused here, even where RFC 9112 lets a server guess: line
/// ends without a carriage return, folded lines, a space before a colon, a target that is not a path, and two headers
/// of which only one can count.
package struct HeadParser: Sendable {
  /// The maximum number of bytes of a head.
  package static let longestHead = 16_384
  /// The maximum number of headers.
  package static let mostHeaders = 100

  private typealias RequestLine = (method: String, target: String, isVersion11: Bool)

  /// The line so far.
  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var count = 0
  private var requestLine: RequestLine?
  private var headers: [RequestHead.Header] = []

  package init() {}

  /// Whether no byte of a head was read yet.
  var isAtStart: Bool { count == 0 }

  /// Reads the next byte.
  ///
  /// - Returns: the head, if this was its last byte; then the parser is ready for another one.
  package mutating func take(_ byte: UInt8) throws(RequestError) -> RequestHead? {
    count += 1
    guard count <= HeadParser.longestHead else {
      throw RequestError(status: 431, message: "The head is longer than \(HeadParser.longestHead) bytes.")
    }
    switch (byte, isAfterReturn) {
    case (UInt8(ascii: "\n"), true):
      isAfterReturn = false
      defer { line.removeAll(keepingCapacity: true) }
      return try takeLine()
    case (_, true): throw .malformed("A line does not end with CR LF.")
    case (UInt8(ascii: "\r"), false): isAfterReturn = true
    case (0..<0x20, false) where byte != UInt8(ascii: "\t"), (0x7f, false):
      throw .malformed("There is a control character in the head.")
    default: line.append(byte)
    }
    return nil
  }

  private mutating func takeLine() throws(RequestError) -> RequestHead? {
    guard let requestLine else {
      requestLine = try HeadParser.requestLine(line)
      return nil
    }
    guard line.isEmpty else {
      guard headers.count < HeadParser.mostHeaders else {
        throw RequestError(status: 431, message: "There are more than \(HeadParser.mostHeaders) headers.")
      }
      headers.append(try HeadParser.header(line))
      return nil
    }
    let head = try HeadParser.head(requestLine, headers)
    self = HeadParser()
    return head
  }

  private static func requestLine(_ line: [UInt8]) throws(RequestError) -> RequestLine {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]) else { throw .malformed("The first line is not a request.") }
    guard words[1].first == UInt8(ascii: "/"), words[1].allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .malformed("The target is not a path.")
    }
    let version = text(words[2])
    guard ["HTTP/1.1", "HTTP/1.0"].contains(version) else {
      guard version.hasPrefix("HTTP/") else { throw .malformed("The first line is not a request.") }
      throw RequestError(status: 505, message: "The version is not HTTP/1.1 or HTTP/1.0.")
    }
    return (text(words[0]), text(words[1]), version == "HTTP/1.1")
  }

  private static func header(_ line: [UInt8]) throws(RequestError) -> RequestHead.Header {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
      throw .malformed("A line is not a header.")
    }
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let value = line[(colon + 1)...].drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    return RequestHead.Header(name: text(line[..<colon]).lowercased(), value: text(value))
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Whether bytes are a token (RFC 9110, §5.6.2): a name without spaces, and nothing that could end it.
  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension HeadParser {
  /// The headers of which two could be read in two ways.
  private static let single: Set = [
    "host", "content-length", "content-type", "authorization", "origin", "sec-fetch-site", "expect",
  ]

  private static func head(
    _ line: RequestLine, _ headers: [RequestHead.Header]
  ) throws(RequestError) -> RequestHead {
    var seen: Set<String> = []
    var length = 0
    for header in headers {
      guard !single.contains(header.name) || seen.insert(header.name).inserted else {
        throw .malformed("A header is there twice.")
      }
      switch header.name {
      case "transfer-encoding":
        throw RequestError(status: 400, message: "A body must have a Content-Length.")
      case "expect" where header.value.lowercased() != "100-continue":
        throw RequestError(status: 417, message: "Only 100-continue can be expected.")
      case "content-length":
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !header.value.isEmpty, header.value.utf8.allSatisfy(digits.contains) else {
          throw .malformed("The Content-Length is not a number.")
        }
        // A number that does not fit is beyond any limit.
        length = Int(header.value) ?? .max
      default: break
      }
    }
    guard seen.contains("host") else { throw .malformed("There is no Host.") }
    return RequestHead(
      method: line.method, target: line.target, isVersion11: line.isVersion11, headers: headers,
      contentLength: length)
  }
}

/// What a peer may use, in size, number, and time.
///
/// The limits of a head are in `HeadParser`.
package struct Limits: Sendable {
  /// The maximum number of bytes of a body.
  package var body = 1 << 20
  /// The maximum number of bytes that wait for the reader of a stream.
  package var unsent = 4 << 20
  /// The maximum number of connections, without those whose last answer is sent: of them, a quarter of this.
  package var connections = 200
  /// How long a new connection keeps its place in a crowd without a request that was authorized.
  package var firstTime = Duration.milliseconds(300)
  /// How long a head may take.
  package var headTime = Duration.seconds(10)
  /// How long a body may take after its head.
  package var bodyTime = Duration.seconds(30)
  /// How long a connection may stay open without another request.
  package var idleTime = Duration.seconds(60)
  /// How long the peer may take to receive an answer.
  package var answerTime = Duration.seconds(30)
  /// How long to read on after the last answer, so that it is not lost with what the peer was still sending.
  package var lingerTime = Duration.seconds(2)
  /// How long a stream may be silent.
  package var heartbeatTime = Duration.seconds(15)
  /// How long requests that are being answered may take when the server stops.
  package var stopTime = Duration.seconds(1)

  package init() {}
}
