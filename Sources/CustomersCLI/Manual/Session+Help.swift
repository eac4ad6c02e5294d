extension Session {
  /// Writes a page of help; on a terminal its headings, which start at the left and end in a colon, are bold.
  func writeHelp(_ page: String) throws {
    guard hasColor(output) else { return try output.write(page) }
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let usage = "Usage:"
      if line.hasPrefix(usage) { return styled(usage, .heading, if: true) + line.dropFirst(usage.count) }
      return styled(String(line), line.hasSuffix(":") && !line.hasPrefix(" ") ? .heading : nil, if: true)
    }
    try output.write(lines.joined(separator: "\n"))
  }
}
