internal import CustomersFormats

/// A request of the page, without HTTP.
package struct APIRequest: Sendable {
  /// `GET` or `POST`.
  package var method: String
  /// The path, such as `/api/rows`.
  package var path: String
  /// The parameters after the question mark, decoded.
  package var query: [String: String]
  /// The content: JSON or a piece of a file; empty for `GET`.
  package var body: [UInt8]

  package init(method: String, path: String, query: [String: String] = [:], body: [UInt8] = []) {
    (self.method, self.path, self.query, self.body) = (method, path, query, body)
  }
}

/// The answer to a request.
package struct APIAnswer: Sendable {
  /// What the body is.
  package enum MediaType: String, CaseIterable, Sendable {
    case json = "application/json"
    case bytes = "application/octet-stream"
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
  }

  /// The status code of HTTP.
  package var status: Int
  package var type: MediaType
  /// JSON is in UTF-8.
  package var body: [UInt8]

  package init(status: Int, type: MediaType = .json, body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  init(_ status: Int, _ json: JSON) { self.init(status: status, body: Array(json.text.utf8)) }
}

/// An event of the stream.
package struct APIEvent: Hashable, Sendable {
  /// The kind, such as `edit`.
  package var name: String
  /// JSON in one line.
  package var data: String

  /// All kinds.
  package static let names: Set = ["hello", "edit", "reload", "trouble", "well"]

  package init(name: String, data: String) { (self.name, self.data) = (name, data) }

  init(_ name: String, _ members: [(String, JSON)] = []) {
    self.init(name: name, data: JSON.object(members).text)
  }
}
