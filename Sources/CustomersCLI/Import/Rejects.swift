internal import CustomerTransfer
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

/// The rows of an imported file that can't be imported: reported and, on request, written to a file.
final class Rejects {
  private let path: String?
  private let isDryRun: Bool
  /// Opened before the list is locked, because a pipe waits for its reader.
  private let output: FileStream?
  private(set) var rows = RejectedRows()

  /// Sets the file for the rows, if any.
  init(_ path: String?, in files: any NamedFiles, isDryRun: Bool) throws {
    self.path = path
    output = try isDryRun ? nil : path.map { try FileStream($0, in: files) }
    self.isDryRun = isDryRun
  }

  func add(_ row: RejectedRow) throws {
    rows.add(row)
    guard let stream = output?.stream else { return }
    if rows.count == 1 { try stream.write { $0 += row.header } }
    try stream.write { $0 += row.bytes }
  }

  /// Makes the rows durable before the others are in the list.
  func sync() throws { if rows.count > 0 { try output?.sync() } }

  /// Commits the file once the valid rows are in the list, and reports it.
  func finish(_ session: Session) throws {
    guard rows.count > 0, let path else { return }
    try output?.finish(session)
    guard !session.isQuiet, try session.format() != .json else { return }
    let goes = session.isDryRun ? "would be written" : "were written"
    try session.errors.write(
      "customers: \(rowCount(rows.count)) can't be imported and \(goes) to \(quoted(path))\n")
    for line in rows.details { try session.errors.write(line + "\n") }
  }
}

/// The rejected rows so far: the number, and the first ones.
struct RejectedRows: Sendable {
  /// How many rows are reported one by one.
  private static let reportLimit = 1000

  private(set) var count = 0
  private var reported: [(row: RejectedRow, text: String)] = []
  /// How many only have fewer values than there are columns.
  private var shortCount = 0
  /// The encoding that the file rather has, if a row is not UTF-8.
  private(set) var encoding: FileEncoding?

  /// The first row, if all only have fewer values than there are columns.
  var firstShort: (row: RejectedRow, text: String)? { shortCount == count ? reported.first : nil }

  mutating func add(_ row: RejectedRow) {
    count += 1
    if row.isShort { shortCount += 1 }
    encoding = encoding ?? row.encoding
    guard reported.count < RejectedRows.reportLimit else { return }
    let start = row.text.prefix(240).prefix { $0 != 0x0a && $0 != 0x0d }
    reported.append((row, cut(printable(String(decoding: start, as: UTF8.self)), to: 60)))
  }

  /// The bad rows for people, with the start of their text.
  var details: [String] {
    reported.map { "     line \($0.row.place.inMessage): \($0.row.reason): \($0.text)" }
      + (count > reported.count ? ["     … and \(count - reported.count) more"] : [])
  }

  /// The bad rows for a program, up to the reported number.
  var json: JSON {
    .array(
      reported.map { row, text in
        let column = row.place.column.map { [("column", JSON.int($0))] } ?? []
        return .object(
          [("line", .int(row.place.line))] + column
            + [("message", .string(row.reason)), ("text", .string(text))])
      })
  }
}
