/// What is wrong with JSON that someone has sent, as a sentence.
package struct JSONMistake: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension JSON {
  /// Reads a value with all that is in it: any JSON, and nothing else (RFC 8259).
  ///
  /// - Throws: `JSONMistake` if the bytes are no JSON in UTF-8, if it is nested more than 64 levels deep, or if an object
  ///   has a name twice.
  package init(reading bytes: [UInt8]) throws(JSONMistake) {
    var scanner = JSONScanner(ByteInput(readChunk: onePiece(bytes)))
    do {
      self = try scanner.value()
      guard try scanner.peekPastSpace() == nil else { throw scanner.input.problem("text after the value") }
    } catch let error as ParseError {
      let column = error.column.map { ", column \($0)" } ?? ""
      throw JSONMistake("This is not JSON (line \(error.line)\(column)): \(error.message).")
    } catch {
      throw JSONMistake("This is not JSON: \(error).")
    }
  }

  /// The same value, with the members of each object in the order of their names.
  package var sorted: JSON {
    switch self {
    case .array(let values): .array(values.map(\.sorted))
    case .object(let members): .object(members.map { ($0, $1.sorted) }.sorted { $0.0 < $1.0 })
    case .string, .int, .bool, .raw: self
    }
  }

  /// A number of 64 bits, however it is written: `1`, `1.0`, or `1e0`; nil for any other value.
  fileprivate var integer: Int? {
    switch self {
    case .int(let number): number
    case .raw(let text): Double(text).flatMap { Int(exactly: $0) }
    case .string, .bool, .array, .object: nil
    }
  }
}

/// The members of a JSON object that someone has sent.
///
/// Whatever is wrong with one is named by its path: `edits[0].move.to`.
package struct JSONMembers: Sendable {
  private let members: [String: JSON]
  /// The path of the object, with a period at its end.
  private let path: String

  /// Takes an object apart.
  ///
  /// - Parameters:
  ///   - json: the value.
  ///   - path: where it is, without a period at the end; empty for the whole.
  /// - Throws: `JSONMistake` for a value that is no object.
  package init(_ json: JSON, path: String = "") throws(JSONMistake) {
    guard case .object(let members) = json else {
      throw JSONMistake(path.isEmpty ? "An object is needed." : "The member \"\(path)\" needs an object.")
    }
    self.path = path.isEmpty ? "" : path + "."
    // No name is twice in an object, but two may be the same text in Unicode.
    self.members = Dictionary(members) { first, _ in first }
  }

  /// The names of the members, in alphabetical order.
  package var names: [String] { members.keys.sorted() }

  package func has(_ name: String) -> Bool { members[name] != nil }

  /// A member as it is; nil if it is missing.
  package subscript(name: String) -> JSON? { members[name] }

  /// - Throws: `JSONMistake` for any other member.
  package func allow(_ names: some Sequence<String>) throws(JSONMistake) {
    let known = Set(names)
    guard let other = self.names.first(where: { !known.contains($0) }) else { return }
    throw JSONMistake("There is no member \"\((path + other).shortened)\".")
  }

  package func value(_ name: String) throws(JSONMistake) -> JSON {
    guard let value = members[name] else { throw JSONMistake("The member \"\(path)\(name)\" is missing.") }
    return value
  }

  package func text(_ name: String) throws(JSONMistake) -> String {
    guard case .string(let text) = try value(name) else { throw wrong(name, "a text") }
    return text
  }

  package func number(_ name: String) throws(JSONMistake) -> Int {
    guard let number = try value(name).integer else { throw wrong(name, "a number without a fraction") }
    return number
  }

  package func flag(_ name: String) throws(JSONMistake) -> Bool {
    guard case .bool(let flag) = try value(name) else { throw wrong(name, "true or false") }
    return flag
  }

  package func object(_ name: String) throws(JSONMistake) -> JSONMembers {
    try JSONMembers(value(name), path: path + name)
  }

  package func numbers(_ name: String) throws(JSONMistake) -> [Int] {
    guard case .array(let values) = try value(name) else { throw wrong(name, "a list of numbers") }
    var numbers: [Int] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      guard let number = value.integer else { throw wrong(name, "a list of numbers") }
      numbers.append(number)
    }
    return numbers
  }

  package func texts(_ name: String) throws(JSONMistake) -> [String] {
    guard case .array(let values) = try value(name) else { throw wrong(name, "a list of texts") }
    var texts: [String] = []
    for value in values {
      guard case .string(let text) = value else { throw wrong(name, "a list of texts") }
      texts.append(text)
    }
    return texts
  }

  package func objects(_ name: String) throws(JSONMistake) -> [JSONMembers] {
    guard case .array(let values) = try value(name) else { throw wrong(name, "a list of objects") }
    var objects: [JSONMembers] = []
    for (index, value) in values.enumerated() {
      objects.append(try JSONMembers(value, path: "\(path)\(name)[\(index)]"))
    }
    return objects
  }

  /// A member that may be missing.
  package func given<Value>(
    _ name: String, _ read: (String) throws(JSONMistake) -> Value
  ) throws(JSONMistake) -> Value? {
    has(name) ? try read(name) : nil
  }

  /// What is wrong with a member.
  package func wrong(_ name: String, _ needed: String) -> JSONMistake {
    JSONMistake("The member \"\((path + name).shortened)\" needs \(needed).")
  }
}

extension String {
  /// Its beginning, for a message.
  fileprivate var shortened: String { count > 80 ? prefix(80) + "…" : self }
}
