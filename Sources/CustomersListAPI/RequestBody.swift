internal import CustomersFormats
internal import CustomersTerminalText

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

  /// A text.
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

  /// An object.
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
