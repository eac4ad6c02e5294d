/// SplitMix64 from a fixed seed: every run makes the same lists and the same edits.
struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64 = 0x4375_7374

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
