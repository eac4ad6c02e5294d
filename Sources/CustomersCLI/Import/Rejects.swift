internal import Formats

/// The rows of an imported file that are none: told, and if asked for, written to a file.
final class Rejects {
  private let path: String?
  private let isDryRun: Bool
  /// Opened before the list is locked, since a pipe waits for its reader then.
  private let output: FileStream?
  private(set) var count = 0
  private var told: [String] = []

  /// Has a file take the rows; without one, a bad row keeps all others out.
  init(_ path: String?, isDryRun: Bool) throws {
    self.path = path
    output = try isDryRun ? nil : path.map { try FileStream($0) }
    self.isDryRun = isDryRun
  }

  /// Whether the other rows still go in.
  var letsOthersIn: Bool { count == 0 || path != nil }

  func add(_ row: MalformedRow, of file: ImportFile) throws {
    count += 1
    if told.count < 20 { told.append("line \(row.problem.place): \(row.problem.message)") }
    guard let stream = output?.stream else { return }
    if count == 1 { try stream.write { $0 += file.head } }
    try stream.write { $0 += file.encoded(row.bytes) }
  }

  /// The lines that were bad, for a person.
  var details: [String] {
    told.map { "     \($0)" } + (count > told.count ? ["     … and \(count - told.count) more"] : [])
  }

  /// Expects that the rows which are none keep no others out.
  func prove(_ file: ImportFile) throws {
    guard !letsOthersIn else { return }
    throw Failure(
      code: .failed, message: "\(file.name): \(rowCount(count)) can't be taken", details: details,
      hint: "nothing was imported; --rejects FILE takes the good rows and puts the bad ones into FILE")
  }

  /// Brings the rows to the disk before the others are in the list.
  func sync() throws { if count > 0 { try output?.sync() } }

  /// Puts the file in its place, once the good rows are in the list, and says so.
  func finish(_ session: Session) throws {
    guard count > 0, let path else { return }
    try output?.finish()
    guard !session.isQuiet else { return }
    let goes = session.isDryRun ? "would go" : "went"
    try session.errors.write(
      "customers: \(rowCount(count)) could not be taken and \(goes) to \(quoted(path))\n")
    for line in details { try session.errors.write(line + "\n") }
  }
}

extension ParseError {
  /// `12`, or `12:3` with the column.
  var place: String { "\(line)" + (column.map { ":\($0)" } ?? "") }
}
