/// Bytes that wait for a peer to take them; what it has taken needs no memory for long.
struct Outbox {
  private var bytes: [UInt8] = []
  private var sent = 0

  /// The number of bytes that were not sent.
  var count: Int { bytes.count - sent }
  var isEmpty: Bool { count == 0 }

  mutating func add(_ more: [UInt8]) { if bytes.isEmpty { bytes = more } else { bytes += more } }

  /// Passes on what was not sent.
  func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  /// Forgets bytes that were sent.
  mutating func drop(_ number: Int) {
    sent += number
    if isEmpty {
      (bytes, sent) = ([], 0)
    } else if sent > bytes.count / 2 {
      // A large answer is not moved again and again.
      (bytes, sent) = (Array(bytes[sent...]), 0)
    }
  }
}
