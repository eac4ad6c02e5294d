internal import CustomerStore
internal import CustomersFormats

extension FileFormat {
  /// A table for people; it can't be imported.
  public static let markdown = FileFormat(
    name: "markdown", summary: "A table for GitHub and other Markdown readers.", fileExtensions: ["md"],
    makeWriter: { layout, _ in MarkdownFileWriter(layout: layout) })
}

private struct MarkdownFileWriter: CustomerWriter {
  let layout: ExportLayout

  func begin(_ bytes: inout [UInt8]) -> Bool {
    bytes += Markdown.header(layout.columns).utf8
    return true
  }

  func append(_ customer: Customer, in section: String, to bytes: inout [UInt8]) -> Bool {
    bytes.append(contentsOf: Markdown.line(layout.values(customer, section)).utf8)
    return true
  }
}
