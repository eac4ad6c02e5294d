internal import CCustomersFiles

extension Manual {
  /// `Documentation/guide.md`, as `customers help guide` shows it.
  static let guide = Page(
    "guide", title: "A day with the list", "a day with the list, step by step", blocks(ofMarkdown: guideText))

  private static var guideText: String { unsafe String(cString: customers_guide()) }

  /// A command line with `--json`, and in the next line what it prints, again and again.
  static var jsonExamples: String { unsafe String(cString: customers_json_examples()) }

  /// The blocks of a document after its title: headings, paragraphs, lists, and blocks of code.
  private static func blocks(ofMarkdown text: String) -> [Page.Block] {
    var blocks: [Page.Block] = []
    var (paragraph, code) = ([Substring](), [Substring]?.none)
    func endParagraph() {
      if !paragraph.isEmpty { blocks.append(.paragraph(plain(paragraph.joined(separator: " ")))) }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
      if line.hasPrefix("```") {
        endParagraph()
        if let lines = code { blocks.append(.lines(lines.joined(separator: "\n"))) }
        code = code == nil ? [] : nil
      } else if code != nil {
        code?.append(line)
      } else if line.hasPrefix("## ") {
        endParagraph()
        blocks.append(.heading(String(line.dropFirst(3))))
      } else {
        if line.isEmpty || line.hasPrefix("- ") { endParagraph() }
        if !line.isEmpty { paragraph.append(line.drop { $0 == " " }) }
      }
    }
    endParagraph()
    return blocks
  }

  /// Text without the marks of links and bold words.
  private static func plain(_ text: String) -> String {
    var (plain, rest) = ("", text.replacing("**", with: "")[...])
    // "[Keys](keys.md)" is cut at its brackets.
    while let middle = rest.firstRange(of: "]("), let start = rest[..<middle.lowerBound].lastIndex(of: "["),
      let end = rest[middle.upperBound...].firstIndex(of: ")")
    {
      plain += rest[..<start] + rest[rest.index(after: start)..<middle.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return plain + rest
  }
}
