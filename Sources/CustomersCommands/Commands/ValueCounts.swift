internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

extension Session {
  /// Writes the values of the column that `--count-by` names, and how many rows have each.
  func writeCounts(of listing: Listing, by name: String) throws {
    let format = try format()
    guard ValueCounts.formats.contains(format) else {
      throw Failure.usage(
        "\(Listing.countBy.name) only works with \(listed(ValueCounts.formats.map(\.name), "and"))",
        offendingArgument: format.name)
    }
    let (column, counts) = try readAtLength { list in
      let named = try list.column(named: name, by: Listing.countBy)
      // The id means little, and a file has the title, too.
      let column = named == .section ? .sectionTitle : named
      let rows = try listing.allRows(list)
      let counts = try list.valueCounts(of: column, in: rows)
      try tell(rows.skipped)
      return (column, counts)
    }
    let wanted = counts.dropFirst(listing.offset).prefix(listing.limit)
    try ValueCounts(column: column, hasHeader: listing.hasHeader, counts: wanted).write(format, self)
  }
}

/// The values of a column and how many rows have each.
private struct ValueCounts {
  static let formats: [OutputFormat] = [.table, .markdown, .file(.csv), .file(.tsv), .json, .ndjson]

  let column: ListColumn
  let hasHeader: Bool
  let counts: ArraySlice<(value: String, count: Int)>

  func write(_ format: OutputFormat, _ session: Session) throws {
    switch format {
    case .json, .ndjson:
      let objects = counts.map(JSONShapes.valueCount.json)
      let text =
        format == .json ? JSON.array(objects).text + "\n" : objects.map { $0.text + "\n" }.joined()
      try session.output.write(text)
    case .file(let format): try writeFile(CSVWriter(format == .tsv ? .tsv : .csv), session)
    default:
      let columns = [
        TableColumn(title: column.title, importance: .name), TableColumn(title: "Count", importance: .fixed),
      ]
      let table = session.table(columns, in: format, hasHeader: hasHeader)
      for (value, count) in counts {
        try table.row([value.isEmpty ? TableCell("(empty)", .detail) : TableCell(value), TableCell(count)])
      }
      try table.end()
    }
  }

  private func writeFile(_ rows: CSVWriter, _ session: Session) throws {
    let shown = ShownText(session.output)
    try session.output.write { bytes in
      if hasHeader { _ = rows.append(["value", "count"], to: &bytes) }
      for (value, count) in counts {
        _ = rows.append([shown.text.map { $0(value) } ?? value, String(count)], to: &bytes)
      }
    }
    try shown.sayIfChanged(session)
  }
}

extension JSONShapes {
  static let valueCount = JSONShape<(value: String, count: Int)>(
    "count", "A value and how many rows have it, as `customers list --count-by` counts.",
    [
      .always("value", .text, "the value; empty for the rows without one") { .string($0.value) },
      .always("count", .number, "how many rows have it") { .int($0.count) },
    ])
}
