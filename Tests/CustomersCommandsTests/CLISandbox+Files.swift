import Foundation
import Testing

extension CLISandbox {
  /// Writes a file into the folder.
  ///
  /// - Returns: its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// The bytes of the customers file; nil if there is none.
  var bytes: Data? { FileManager.default.contents(atPath: file) }

  /// The names in the folder.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

  /// The files beside the customers file, by their names.
  var otherFiles: [String: Data] {
    get throws {
      let others = try names.filter { "\(folder)/\($0)" != file }
      return Dictionary(
        uniqueKeysWithValues: others.map {
          ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data())
        })
    }
  }

  /// Expects that `body` changes no byte of the customers file, and makes none.
  func expectUntouched<Result>(
    _ body: () throws -> Result, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    let before = bytes
    let result = try body()
    #expect(bytes == before, "the file was touched", sourceLocation: sourceLocation)
    return result
  }

  /// The first names of each section, in order, as another client sees them.
  var order: String {
    get throws { try sqlite(CLISandbox.orderQuery).trimmingCharacters(in: .newlines) }
  }

  /// The query of `order`.
  static let orderQuery = """
    SELECT group_concat(rows, ' | ') FROM (
      SELECT coalesce((
        SELECT group_concat(first_name, ' ') FROM (
          SELECT first_name FROM customers WHERE section = sections.id ORDER BY "order")), '') AS rows
      FROM sections ORDER BY "order");
    """

  /// Expects that the program and SQLite find the file whole.
  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try run("check")
    #expect(
      result.code == 0 && result.output.hasPrefix("OK:"), "\(result)", sourceLocation: sourceLocation
    )
  }
}

/// The folder of the files that tests read.
let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples").path
