import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// Sets of ids, against sets of single numbers.
@Suite(.onThreads) struct IDRangesTests {
  @Test func `unions, intersections, parts, and gaps are those of the numbers`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      func ranges() -> [Range<Int64>] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          let start = Int64.random(in: 0...20, using: &random)
          return start..<start + Int64.random(in: 0...6, using: &random)
        }
      }
      let (some, others) = (ranges(), ranges())
      let (set, other) = (IDRanges(joining: some), IDRanges(joining: others))
      let (numbers, otherNumbers) = (Set(some.joined()), Set(others.joined()))
      #expect(Array(set.ranges.joined()) == numbers.sorted())
      #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      #expect(Set(set.intersection(other).ranges.joined()) == numbers.intersection(otherNumbers))
      #expect(
        Array(set.subtracting(otherNumbers.sorted()).ranges.joined())
          == numbers.subtracting(otherNumbers).sorted())
      #expect((0..<30).allSatisfy { set.contains($0) == numbers.contains($0) })
      for range in others {
        #expect(Array(set.parts(of: range).joined()) == range.filter(numbers.contains))
        #expect(Array(set.gaps(in: range).joined()) == range.filter { !numbers.contains($0) })
      }
    }
  }
}
