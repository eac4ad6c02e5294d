/// A value bound to a parameter of a statement.
public enum SQLiteValue: Equatable, Sendable {
  /// `NULL`.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A text; its length is counted in bytes, so it may contain NULs.
  case text(String)

  /// A whole number.
  public static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
  /// 0 or 1.
  public static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}
