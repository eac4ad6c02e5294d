internal import CustomerStore
internal import CustomersText

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

/// The parameters of a `GET` request.
struct Query: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// - Throws: `APIRefusal` for any other parameter.
  func allow(_ names: String...) throws { try allow(names) }

  /// - Throws: `APIRefusal` for any other parameter.
  func allow(_ names: [String]) throws {
    if let other = values.keys.filter({ !names.contains($0) }).min() {
      throw APIRefusal.bad("There is no parameter \(other.quotedShort).")
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// A number; nil if it is not given.
  func number(_ name: String, in range: ClosedRange<Int> = .min ... .max) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let most = range.upperBound == .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
      throw APIRefusal.bad("The parameter \(name) must be a whole number\(most).")
    }
    return number
  }

  /// The id of a customer; nil if it is not given.
  func customer(_ name: String) throws -> CustomerID? {
    try number(name).map { CustomerID(rawValue: Int64($0)) }
  }

  /// A parameter that must be given.
  func needed<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw APIRefusal.bad("The parameter \(name) is missing.") }
    return value
  }
}

/// A JSON object that a page has sent, or that is in one; whatever is wrong with it is named by its path.
struct RequestBody: Sendable {
  private let members: [String: Record.Value]
  /// The path of the object, with a period at its end: `edit.`.
  private let path: String

  /// Reads the body of a request.
  ///
  /// - Throws: `APIRefusal` if it is not an object in strict JSON and UTF-8 or nested too deeply.
  init(_ body: [UInt8]) throws {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw APIRefusal.bad("The request is not UTF-8.")
    }
    try self.init(text, path: "")
  }

  private init(_ text: String, path: String) throws {
    self.path = path
    do {
      let columns = try JSON.columns(ofObject: text, keepsNull: true)
      // No name is twice in an object, but two may be the same text in Unicode.
      members = Dictionary(columns.map { ($0.name, $0.value) }) { first, _ in first }
    } catch let error as ParseError {
      throw APIRefusal.bad("Not the JSON that is needed: \(error.message).")
    }
  }

  /// The names of the members.
  var names: [String] { members.keys.sorted() }

  func has(_ name: String) -> Bool { members[name] != nil }

  /// - Throws: `APIRefusal` for any other member.
  func allow(_ names: String...) throws { try allow(names) }

  /// - Throws: `APIRefusal` for any other member.
  func allow(_ names: [String]) throws {
    if let other = self.names.first(where: { !names.contains($0) }) {
      throw APIRefusal.bad("There is no member \((path + other).quotedShort).")
    }
  }

  func text(_ name: String) throws -> String {
    guard case .text(let text) = try value(name) else { throw wrong(name, "a text") }
    return text
  }

  /// A number of 64 bits.
  func number(_ name: String) throws -> Int64 {
    guard let number = Int64(try json(name)) else { throw wrong(name, "a number without a fraction") }
    return number
  }

  /// True or false.
  func flag(_ name: String) throws -> Bool {
    guard let flag = Bool(try json(name)) else { throw wrong(name, "true or false") }
    return flag
  }

  func object(_ name: String) throws -> RequestBody {
    let json = try json(name)
    guard json.utf8.first == UInt8(ascii: "{") else { throw wrong(name, "an object") }
    return try RequestBody(json, path: "\(path)\(name).")
  }

  /// Numbers, at least `fewest` and at most `most`.
  func numbers(_ name: String, fewest: Int = 1, most: Int) throws -> [Int64] {
    let json = try json(name)
    guard json.utf8.first == UInt8(ascii: "[") else { throw wrong(name, "a list of numbers") }
    // The list is valid JSON, so a comma in anything but a list of numbers leaves a part that is not a number.
    let parts = json.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
    if fewest == 0, parts.count == 1, parts[0].allSatisfy({ $0 == " " }) { return [] }
    guard parts.count <= most else { throw wrong(name, "at most \(most) numbers") }
    return try parts.map { part in
      guard let number = Int64(part.filter { $0 != " " }) else { throw wrong(name, "a list of numbers") }
      return number
    }
  }

  /// A text or the word for true or false.
  func entry(_ name: String) throws -> String {
    switch try value(name) {
    case .text(let text): return text
    case .json(let json) where Bool(json) != nil: return json
    case .json: throw wrong(name, "a text, true or false")
    }
  }

  /// An optional member.
  func given<Value>(_ name: String, _ read: (String) throws -> Value) rethrows -> Value? {
    has(name) ? try read(name) : nil
  }

  /// The refusal of a member.
  func wrong(_ name: String, _ needed: String) -> APIRefusal {
    .bad("The member \((path + name).quotedShort) needs \(needed).")
  }

  private func json(_ name: String) throws -> String {
    guard case .json(let text) = try value(name) else { throw wrong(name, "no quotes") }
    return text
  }

  private func value(_ name: String) throws -> Record.Value {
    guard let value = members[name] else {
      throw APIRefusal.bad("The member \((path + name).quotedShort) is missing.")
    }
    return value
  }
}

extension String {
  /// The text in quotes, cut, for a message.
  var quotedShort: String { quoted(String(prefix(60))) }
}
