internal import CustomerStore
internal import CustomersText

/// A request, without HTTP.
package struct APIRequest: Sendable {
  /// `GET` or `POST`.
  package var method: String
  /// The path, such as `/v1/rows`.
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
    case events = "text/event-stream"
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

  /// The answer that all went well.
  init(_ members: [(String, JSON)]) { self.init(200, .object(members)) }
}

/// An event of the stream.
package struct APIEvent: Hashable, Sendable {
  /// The kind, such as `edit`.
  package var name: String
  /// JSON in one line.
  package var data: String

  /// All kinds.
  package static let names: Set = ["hello", "edit", "reload", "presence", "trouble", "well"]

  package init(name: String, data: String) { (self.name, self.data) = (name, data) }

  init(_ name: String, _ members: [(String, JSON)] = []) {
    self.init(name: name, data: JSON.object(members).text)
  }
}

/// The parameters of a `GET` request.
struct Query: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// - Throws: `APIError` for any other parameter.
  func allow(_ names: [String]) throws {
    if let other = values.keys.filter({ !names.contains($0) }).min() {
      throw APIError(.badRequest, "There is no parameter \(other.quotedShort).")
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// A number; nil if it is not given.
  func number(_ name: String, in range: ClosedRange<Int> = .min ... .max) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let least = range.lowerBound == .min ? "" : " from \(range.lowerBound)"
      let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw APIError(.badRequest, "The parameter \(name) must be a whole number\(least)\(most).")
    }
    return number
  }

  /// The id of a customer; nil if it is not given.
  func customer(_ name: String) throws -> CustomerID? {
    try number(name, in: 1...Int.max).map { CustomerID(rawValue: Int64($0)) }
  }

  /// The ids of customers, with commas; none if it is not given.
  func customers(_ name: String) throws -> [CustomerID] {
    guard let parts = values[name]?.split(separator: ","), !parts.isEmpty else { return [] }
    let ids = parts.compactMap { Int64($0) }.filter { $0 > 0 }
    guard ids.count == parts.count, ids.count <= 1_000 else {
      throw APIError(.badRequest, "The parameter \(name) needs up to 1000 ids, with commas.")
    }
    return ids.map(CustomerID.init(rawValue:))
  }

  /// A day; nil if it is not given.
  func day(_ name: String) throws -> CalendarDay? {
    try values[name].map { text in
      guard let day = CalendarDay(due: text) else {
        throw APIError(.badRequest, "The parameter \(name) needs a day such as 2026-12-24, or today.")
      }
      return day
    }
  }

  /// A version of the list; nil if it is not given.
  func version(_ name: String) throws -> ListVersion? {
    guard let text = values[name] else { return nil }
    guard let version = ListVersion(text) else {
      throw APIError(.badRequest, "The parameter \(name) needs a version that the list has named.")
    }
    return version
  }

  /// True or false; nil if it is not given.
  func flag(_ name: String) throws -> Bool? {
    guard let text = values[name] else { return nil }
    guard let flag = Bool(text) else {
      throw APIError(.badRequest, "The parameter \(name) must be true or false.")
    }
    return flag
  }
}

extension String {
  /// The text in quotes, cut, for a message.
  var quotedShort: String { quoted(String(prefix(60))) }

  /// A reason as a sentence.
  var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix("?") ? "" : ".") }
}
