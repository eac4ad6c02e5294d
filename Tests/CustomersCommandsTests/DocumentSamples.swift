import Foundation

/// A document of the project and the samples in it.
struct DocumentSamples {
  /// A fenced block: its language, its lines, and the number of the line after the opening fence, from 0.
  struct Block {
    let language: String
    let lines: [String]
    let start: Int
  }

  /// The documents that have samples for a shell or for SQL.
  static let documents = [
    "README.md", "Documentation/guide.md", "Documentation/import-and-export.md", "Documentation/operating.md",
    "Documentation/scripts.md", "Documentation/sql.md",
  ]

  let path: String
  private(set) var lines: [String]

  init(_ name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    path = root.appending(path: name).path
    lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var open: (language: String, start: Int)?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let (language, start) = open {
        blocks.append(Block(language: language, lines: Array(lines[start..<index]), start: start))
        open = nil
      } else {
        open = (String(line.dropFirst(3)), index + 1)
      }
    }
    return blocks
  }

  /// Replaces the lines of a block and writes the document.
  mutating func record(_ new: [String], in block: Block) throws {
    lines.replaceSubrange(block.start..<block.start + block.lines.count, with: new)
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}
