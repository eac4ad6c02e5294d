internal import CustomerTransfer
internal import CustomersTerminalText
internal import CustomersTransferWording
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

  /// Commits the file once the valid rows are in the list and reports it.
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
