internal import CCustomersSystem

/// The SHA-256 digest (FIPS 180-4) of a stream of bytes.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes of an incomplete block of 64.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Creates the digest of no bytes.
  package init() {}

  /// Adds the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    count += UInt64(bytes.count)
    let all = rest.isEmpty ? bytes : rest + bytes
    let blocks = all.count / 64
    unsafe csystem_sha256(&state, all, blocks)
    rest = Array(all[(64 * blocks)...])
  }

  /// The digest of a text, as 64 hexadecimal digits.
  package static func hexadecimal(of text: String) -> String {
    var digest = SHA256()
    digest.update(Array(text.utf8))
    return digest.hexadecimal
  }

  /// The digest of all bytes so far, as 64 hexadecimal digits.
  package var hexadecimal: String {
    words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// The first 64 bits of the digest of all bytes so far.
  package var start: UInt64 { UInt64(words[0]) << 32 | UInt64(words[1]) }

  private var words: [UInt32] {
    var copy = self
    let bits = count &* 8
    let padding = 1 + (119 - Int(count % 64)) % 64
    copy.update([0x80] + [UInt8](repeating: 0, count: padding - 1))
    copy.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) })
    return copy.state
  }
}
