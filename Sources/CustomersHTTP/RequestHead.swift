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

/// A whole request.
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
