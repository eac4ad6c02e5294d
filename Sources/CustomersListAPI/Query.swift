internal import CustomerStore

/// The parameters of a `GET` request.
struct Query: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// - Throws: `APIRefusal` for any other parameter.
  func allow(_ names: String...) throws {
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
