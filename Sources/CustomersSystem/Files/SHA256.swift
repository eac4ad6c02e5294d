/// The SHA-256 digest (FIPS 180-4) of a stream of bytes.
public struct SHA256: Sendable {
  private var state: InlineArray<8, UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes of an incomplete block of 64.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Creates the digest of no bytes.
  public init() {}

  /// Adds the next bytes.
  public mutating func update(_ bytes: [UInt8]) {
    count += UInt64(bytes.count)
    var start = 0
    let constants = SHA256.constants.span
    if !rest.isEmpty {
      start = min(64 - rest.count, bytes.count)
      rest += bytes[..<start]
      guard rest.count == 64 else { return }
      let block = rest
      rest = []
      compress(block.span, 0, constants)
    }
    let span = bytes.span
    while start + 64 <= bytes.count {
      compress(span, start, constants)
      start += 64
    }
    rest += bytes[start...]
  }

  /// The digest of all bytes so far, as 64 hexadecimal digits.
  public var hexadecimal: String {
    var copy = self
    let bits = count &* 8
    let padding = 1 + (119 - Int(count % 64)) % 64
    copy.update([0x80] + [UInt8](repeating: 0, count: padding - 1))
    copy.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) })
    return (0..<8).map { index in
      let digits = String(copy.state[index], radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Takes a block of 64 bytes, with the loops and operators that a debug build runs fastest.
  ///
  /// `start + 64` must not be past the end: the indexes are not checked.
  private mutating func compress(_ bytes: Span<UInt8>, _ start: Int, _ constants: Span<UInt32>) {
    var schedule = InlineArray<64, UInt32>(repeating: 0)
    var index = 0
    while index < 16 {
      let at = start &+ 4 &* index
      unsafe schedule[unchecked: index] =
        UInt32(bytes[unchecked: at]) &<< 24 | UInt32(bytes[unchecked: at &+ 1]) &<< 16 | UInt32(
          bytes[unchecked: at &+ 2]) &<< 8
        | UInt32(bytes[unchecked: at &+ 3])
      index &+= 1
    }
    while index < 64 {
      let near = unsafe schedule[unchecked: index &- 2], far = unsafe schedule[unchecked: index &- 15]
      let small0 = rotate(far, 7) ^ rotate(far, 18) ^ far &>> 3
      let small1 = rotate(near, 17) ^ rotate(near, 19) ^ near &>> 10
      unsafe schedule[unchecked: index] =
        schedule[unchecked: index &- 16] &+ small0 &+ schedule[unchecked: index &- 7] &+ small1
      index &+= 1
    }
    var a = state[0], b = state[1], c = state[2], d = state[3]
    var e = state[4], f = state[5], g = state[6], h = state[7]
    func word(_ index: Int) -> UInt32 {
      unsafe constants[unchecked: index] &+ schedule[unchecked: index]
    }
    index = 0
    // After a round, each of the eight takes the name of the next; after eight rounds, all have their own again.
    while index < 64 {
      mix(a, b, c, &d, e, f, g, &h, word(index))
      mix(h, a, b, &c, d, e, f, &g, word(index &+ 1))
      mix(g, h, a, &b, c, d, e, &f, word(index &+ 2))
      mix(f, g, h, &a, b, c, d, &e, word(index &+ 3))
      mix(e, f, g, &h, a, b, c, &d, word(index &+ 4))
      mix(d, e, f, &g, h, a, b, &c, word(index &+ 5))
      mix(c, d, e, &f, g, h, a, &b, word(index &+ 6))
      mix(b, c, d, &e, f, g, h, &a, word(index &+ 7))
      index &+= 8
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private static let constants: [UInt32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ]
}

/// One round: the other six of the eight stay as they are.
///
/// The rotations by 6, 11, and 25 are made as one by 14, then 5, then 6; those by 2, 13, and 22 as 9, 11, 2.
@inline(always) private func mix(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
  _ h: inout UInt32, _ word: UInt32
) {
  let sum = h &+ rotate(rotate(rotate(e, 14) ^ e, 5) ^ e, 6) &+ ((f ^ g) & e ^ g) &+ word
  d = d &+ sum
  h = sum &+ rotate(rotate(rotate(a, 9) ^ a, 11) ^ a, 2) &+ (a & b | c & (a | b))
}

/// Inlined in a debug build too, where calls would take most of the time.
@inline(always) private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
  word &>> bits | word &<< (32 &- bits)
}
