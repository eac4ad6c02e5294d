/// The random identity of a cluster, made when it is founded.
///
/// Every node keeps it in its folder and reports it to whoever asks. Two clusters can have logs with the same
/// indexes and terms, so Raft alone can't keep their nodes apart.
public struct ClusterID: Hashable, Sendable, CustomStringConvertible {
  /// Never zero, which a node reports that has none.
  public let number: UInt64

  /// The identity with a number; nil for zero.
  public init?(_ number: UInt64) {
    guard number != 0 else { return nil }
    self.number = number
  }

  /// Parses 16 hexadecimal digits; nil if the text is anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 16, let number = UInt64(text, radix: 16) else { return nil }
    self.init(number)
  }

  /// A new identity.
  public static func random() -> ClusterID { ClusterID(number: .random(in: 1...UInt64(Int64.max))) }

  private init(number: UInt64) { self.number = number }

  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
