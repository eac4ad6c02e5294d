/// Unique names of columns: repeated names are numbered with `:2`, `:3` and so on.
///
/// A colon ends the name of a vCard property, so such a number can't be part of it.
struct UniqueNames {
  private var used: Set<[UInt8]> = []
  private var counts: [[UInt8]: Int] = [:]

  /// The name that `take` would return.
  func candidate(_ name: String) -> (name: String, number: Int) {
    let bytes = Array(name.utf8)
    var number = counts[bytes, default: 0] + 1
    while used.contains(UniqueNames.numbered(bytes, number)) { number += 1 }
    return (String(decoding: UniqueNames.numbered(bytes, number), as: UTF8.self), number)
  }

  /// Returns the name, numbered if it is in use, and marks it as used.
  @discardableResult mutating func take(_ name: String) -> String {
    let (unique, number) = candidate(name)
    used.insert(Array(unique.utf8))
    counts[Array(name.utf8)] = number
    return unique
  }

  /// The name without the number.
  static func withoutNumber(_ name: String) -> String {
    guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
    let number = name[name.utf8.index(after: colon)...]
    return number.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      ? String(name[..<colon]) : name
  }

  private static func numbered(_ name: [UInt8], _ number: Int) -> [UInt8] {
    number == 1 ? name : name + ":\(number)".utf8
  }
}
