import CustomersTestSupport
import Testing

@testable import CustomersFuzz

/// A short piece of what `CustomersFuzz` does for as long as one likes.
@Suite(.onThreads) struct FuzzTests {
  @Test(arguments: FuzzedFormat.allCases, [1, 2])
  func `randomly changed files are read the same in chunks and survive a round trip`(
    format: FuzzedFormat, seed: Int
  ) {
    var fuzzing = Fuzzing(format, seed: seed)
    for _ in 0..<(isLong ? 600 : 80) {
      let input = fuzzing.nextInput()
      let fault = fuzzing.fault(input)
      #expect(fault == nil, "seed \(seed): \(String(decoding: input, as: UTF8.self).debugDescription)")
    }
  }
}
