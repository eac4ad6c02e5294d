/// Random numbers that are the same for the same seed, so that a failing test can be repeated
/// (https://prng.di.unimi.it/splitmix64.c).
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; any seed works.
  public init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to `count` - 1; 0 if there is no such number.
  public mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

  /// True once in `count` times on average; always for a count below 2.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
