/// The query of a target, `?from=1&limit=50`, as names and values.
enum Query {
  /// Returns the values by their names; nil if an escape is wrong, a text is not UTF-8, or a name is there twice.
  static func read(_ target: String) -> [String: String]? {
    guard let start = target.firstIndex(of: "?") else { return [:] }
    var values: [String: String] = [:]
    for part in target[target.index(after: start)...].split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescaped(pair[0]), let value = unescaped(pair.count == 2 ? pair[1] : ""),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return values
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = Substring(rest.prefix(2))
        guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
        else {
          return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
