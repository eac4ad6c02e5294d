internal import CustomerStore

/// Highlights matches of a search in a text.
struct Highlight: Sendable {
  let search: TextSearch

  /// The text with matches in their color, and the rest in a style.
  func marked(_ text: String, _ style: Style?) -> String {
    var marked = ""
    var index = text.startIndex
    for range in search.ranges(in: text) {
      marked += styled(String(text[index..<range.lowerBound]), style, if: true)
      marked += styled(String(text[range]), .match, if: true)
      index = range.upperBound
    }
    return marked + styled(String(text[index...]), style, if: true)
  }
}
