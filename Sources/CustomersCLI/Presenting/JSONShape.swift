internal import CustomersFormats

/// The members of an object in the output of `--json`: the source of the objects, of the page that describes
/// them, and of the test that compares the two.
struct JSONShape<Value>: Sendable {
  /// A member of the object and how to get its value.
  struct Member: Sendable {
    let type: JSONObjectType.Member
    /// nil if it is omitted.
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

  /// Its members.
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

  /// A member that is omitted if it does not apply.
  static func optional(
    _ name: String, _ type: JSONType, _ meaning: String, _ value: @escaping @Sendable (Value) -> JSON?
  ) -> Self {
    Self(type: .init(name: name, type: type, isOptional: true, meaning: meaning), value: value)
  }
}

/// The type of a JSON value.
indirect enum JSONType: Sendable {
  case text, number, flag
  /// Any value, such as what an import kept.
  case any
  case list(JSONType)
  case object(JSONObjectType)

  /// Its name in the reference.
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

/// The description of an object in the reference.
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
