internal import Formats

/// What an object in the output of `--json` has in it: from this table come the objects, the page that
/// describes them, and the test that compares the two.
struct JSONShape<Value>: Sendable {
  /// A name in the object, and what of a value it has.
  struct Member: Sendable {
    let type: JSONObjectType.Member
    /// nil where it is left out.
    let value: @Sendable (Value) -> JSON?
  }

  let type: JSONObjectType
  private let members: [Member]

  init(_ name: String, _ meaning: String, _ members: [Member]) {
    self.members = members
    type = JSONObjectType(name: name, meaning: meaning, members: members.map(\.type))
  }

  /// The object of a value.
  func json(_ value: Value) -> JSON { .object(pairs(value)) }

  /// The names and values in it.
  func pairs(_ value: Value) -> [(String, JSON)] {
    members.compactMap { member in member.value(value).map { (member.type.name, $0) } }
  }
}

extension JSONShape.Member {
  /// A member that every object has.
  static func always(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: false, meaning: meaning), value: { value($0) })
  }

  /// A member that is left out where it means nothing.
  static func optional(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON?
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: true, meaning: meaning), value: value)
  }
}

/// What a value in JSON can be.
indirect enum JSONType: Sendable {
  case text, number, flag
  /// Any value, such as what an import kept.
  case any
  case list(JSONType)
  case object(JSONObjectType)

  /// As the reference calls it.
  var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .flag: "true or false"
    case .any: "any value"
    case .list(let type): "[\(type.name)]"
    case .object(let type): type.name
    }
  }
}

/// An object as the reference describes it.
struct JSONObjectType: Sendable {
  struct Member: Sendable {
    let name: String
    let type: JSONType
    let isOptional: Bool
    let meaning: String

    static func always(_ name: String, _ type: JSONType, _ meaning: String) -> Member {
      Member(name: name, type: type, isOptional: false, meaning: meaning)
    }

    static func optional(_ name: String, _ type: JSONType, _ meaning: String) -> Member {
      Member(name: name, type: type, isOptional: true, meaning: meaning)
    }
  }

  let name: String
  let meaning: String
  let members: [Member]
}
