internal import CustomerStore
internal import CustomerTransfer

/// How a page wants a file to be read.
struct AskedImport: Sendable {
  /// The name of the file that was sent.
  let file: String
  private let name: String
  private let duplicates: ImportOptions.DuplicateHandling
  private let hasHeader: Bool
  /// Whether rows that can't be imported are left out.
  private let leavesOut: Bool

  /// What the user has confirmed; nil if the page does not say.
  let choices: ImportChoices?

  /// The members of a request that it takes.
  static let members = ["file", "name", "duplicates", "header", "leavesOut", "choices"]

  init(_ body: RequestBody) throws {
    file = try body.random("file")
    name = String(try body.text("name").prefix(300))
    guard let duplicates = ImportOptions.DuplicateHandling(rawValue: try body.text("duplicates")) else {
      throw body.wrong("duplicates", "\"add\", \"skip\" or \"update\"")
    }
    self.duplicates = duplicates
    hasHeader = try body.flag("header")
    leavesOut = try body.given("leavesOut", body.flag) ?? false
    choices = try body.given("choices", body.text).flatMap { ImportChoices($0) }
  }

  /// The options for the file.
  ///
  /// - Throws: `APIRefusal` if no import reads files of its kind.
  func options(isPreview: Bool) throws -> ImportOptions {
    let format = try AskedImport.format(ofFile: name)
    var options = ImportOptions(format: format)
    // The preview says how many rows are short.
    (options.duplicates, options.fillsShortRows) = (duplicates, true)
    if format.isTable { options.hasHeader = hasHeader }
    options.skipsRejectedRows = isPreview || leavesOut
    options.countsKnown = isPreview && duplicates == .add
    return options
  }

  /// The format of a file, by its name.
  ///
  /// - Throws: `APIRefusal` if no import reads files of its kind.
  static func format(ofFile name: String) throws -> FileFormat {
    if let format = FileFormat(path: name), format.isReadable { return format }
    let formats = FileFormat.readable.map(\.name).joined(separator: ", ")
    throw APIRefusal(
      409, "refused",
      "\(name.quotedShort) is in none of these formats: \(formats). Save a spreadsheet as CSV.")
  }
}
