/// The indices of a longest increasing subsequence. O(n log n)
package func longestIncreasingSubsequence(_ numbers: [Int]) -> [Int] {
  // For each length, the subsequence with the smallest last number, and the predecessor of each number.
  var ends: [Int] = []
  var previous: [Int?] = []
  for (place, number) in numbers.enumerated() {
    var range = 0..<ends.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = numbers[ends[middle]] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    previous.append(range.lowerBound > 0 ? ends[range.lowerBound - 1] : nil)
    if range.lowerBound == ends.count { ends.append(place) } else { ends[range.lowerBound] = place }
  }
  var chosen: [Int] = []
  var place = ends.last
  while let present = place {
    chosen.append(present)
    place = previous[present]
  }
  return chosen
}
