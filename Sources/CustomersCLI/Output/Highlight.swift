internal import CustomerStore

/// Marks words where they are in a text; case is ignored.
struct Highlight: Sendable {
  private let words: [[String]]

  init(_ words: [String]) {
    self.words = words.map { $0.map { caseFolded(String($0)) } }.filter { !$0.isEmpty }
  }

  /// The text with each place of a word in the color of matches, and the rest in a style.
  func marked(_ text: String, _ style: Style?) -> String {
    let letters = text.map { String($0) }
    let folded = letters.map(caseFolded)
    var isMatch = [Bool](repeating: false, count: letters.count)
    for word in words where word.count <= folded.count {
      for start in 0...(folded.count - word.count)
      where folded[start..<(start + word.count)].elementsEqual(word) {
        for index in start..<(start + word.count) { isMatch[index] = true }
      }
    }
    var marked = ""
    var start = 0
    while start < letters.count {
      let end = isMatch[start...].firstIndex { $0 != isMatch[start] } ?? letters.count
      marked += styled(letters[start..<end].joined(), isMatch[start] ? .match : style, if: true)
      start = end
    }
    return marked
  }
}
