/// Keys between keys: numbers from 0 to 1, written with the 62 digits 0…9, A…Z, a…z after the point.
///
/// A key never ends in 0, so that there is always another one before it.
enum FractionalIndex {
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// `count` keys of one length, evenly spread.
  static func keys(_ count: Int) -> [String] {
    var (length, range) = (1, 62)
    while range <= count { (length, range) = (length + 1, range * 62) }
    return (0..<count).map { index in
      var rest = index * (range / count)
      var key: [UInt8] = [31]
      for _ in 0..<length {
        key.append(UInt8(rest % 62))
        rest /= 62
      }
      return text(key.reversed())
    }
  }

  /// A key between two keys, as short as halving allows; nil is an end of the list.
  static func key(between low: String?, and high: String?) -> String {
    let low = low.map(values) ?? []
    var high = high.map(values)
    var key: [UInt8] = []
    while true {
      let least = key.count < low.count ? low[key.count] : 0
      let most = high?[key.count] ?? 62
      if most - least > 1 { return text(key + [(least + most) / 2]) }
      // If they are one digit apart, every key that starts with the lower one is below `high`.
      if most > least { high = nil }
      key.append(least)
    }
  }

  private static func values(_ key: String) -> [UInt8] {
    key.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...: byte - UInt8(ascii: "a") + 36
      case UInt8(ascii: "A")...: byte - UInt8(ascii: "A") + 10
      default: byte - UInt8(ascii: "0")
      }
    }
  }

  private static func text(_ values: [UInt8]) -> String {
    String(decoding: values.map { digits[Int($0)] }, as: UTF8.self)
  }
}
