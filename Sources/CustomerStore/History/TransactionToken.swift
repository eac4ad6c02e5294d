/// A name for a transaction, chosen before it starts, so that its outcome can be looked up later.
///
/// After an error in `COMMIT`, or a broken connection, only the file shows whether the edits are in it:
/// `CustomerList.outcome(of:)` looks up the token.
public struct TransactionToken: RawRepresentable, Hashable, Sendable {
  /// 32 hexadecimal digits: 12 for the milliseconds since 1970, 20 at random.
  public var rawValue: String

  /// Creates a token from a saved one.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a new token.
  public init() {
    let milliseconds = LocalSystem.milliseconds
    let random = (UInt16.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    rawValue =
      Self.hexadecimal(UInt64(max(0, milliseconds)), digits: 12)
      + Self.hexadecimal(UInt64(random.0), digits: 4)
      + Self.hexadecimal(random.1, digits: 16)
  }

  /// When the token was created, in milliseconds since 1970; nil for a token of a different form.
  var milliseconds: Int64? { Int64(rawValue.prefix(12), radix: 16) }

  /// The token of the transaction that settles this one.
  var settlement: TransactionToken { TransactionToken(rawValue: rawValue + "-settled") }

  private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// The outcome of a transaction.
public enum TransactionOutcome: Hashable, Sendable {
  /// Its edits are in the file.
  case committed
  /// It changed nothing.
  case notCommitted
  /// The file has dropped the receipts of that time, so the outcome is unknown.
  case unknown
}
