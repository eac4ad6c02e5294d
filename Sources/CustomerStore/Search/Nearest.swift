/// The known word nearest to a mistyped one, if it is near enough.
///
/// For the program's own words, the only one with this beginning is near, and so is one with a single wrong
/// letter, however short. For people's names, fewer than a third of the letters may be wrong.
package func nearest(to word: String, among known: [String], areNames: Bool = false) -> String? {
  if !areNames, !word.isEmpty {
    let longer = known.filter { $0.hasPrefix(word) }
    if longer.count == 1 { return longer[0] }
  }
  let ranked = known.map { (distance: editDistance(word, $0), word: $0) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  let limit = areNames ? (word.count - 1) / 3 : max(1, word.count / 3)
  return best.distance <= limit ? best.word : nil
}

/// The number of letters that must be inserted, deleted, replaced, or swapped with their neighbor (optimal
/// string alignment).
package func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var twoBack: [Int] = []
  var previous = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, twoBack[j - 1] + 1)
      }
      row.append(best)
    }
    twoBack = previous
    previous = row
  }
  return previous[right.count]
}
