/// Inspects the text of a statement before it is sent over a network.
public enum SQLText {
  /// The first word, in uppercase.
  public static func keyword(_ sql: String) -> String {
    let start = sql.utf8.drop { !isLetter($0) }
    return String(decoding: start.prefix(while: isLetter).map { $0 & 0xdf }, as: UTF8.self)
  }

  /// Whether one of our statements returns rows; those that write never do.
  static func returnsRows(_ sql: String) -> Bool {
    switch keyword(sql) {
    case "SELECT", "WITH", "VALUES": true
    case "PRAGMA": !sql.utf8.contains(UInt8(ascii: "="))
    default: false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
