/// The customers of a CSV file whose first row names the columns.
public struct CSVRecords: RecordReader {
  private var reader: CSVReader
  /// The names of the columns.
  public let columns: [String]
  /// The row that names the columns, as it is in the file; empty if there is none.
  public let header: [UInt8]
  /// The first customer, if it was read to count the columns.
  private var waiting: CSVReader.Row?

  /// Reads the row that names the columns.
  ///
  /// - Parameters:
  ///   - dialect: how fields are separated and protected.
  ///   - hasHeader: whether there is such a row; if not, the columns are called `1`, `2`, …
  ///   - readChunk: returns the next bytes of UTF-8, none at the end.
  /// - Throws: `ParseError`, or what reading throws.
  public init(
    _ dialect: TableDialect = .csv, hasHeader: Bool = true, readChunk: @escaping () throws -> [UInt8]
  ) throws {
    reader = CSVReader(dialect, readChunk: readChunk)
    let first: CSVReader.Row?
    do { first = try reader.next() } catch let row as MalformedRow { throw row.problem }
    let fields = first?.fields ?? []
    columns = hasHeader ? fields : fields.indices.map { String($0 + 1) }
    header = hasHeader ? Array(reader.rowBytes) : []
    waiting = hasHeader ? nil : first
    guard columns.count <= customerColumnLimit else {
      throw ParseError(line: first?.line ?? 1, message: "more than \(customerColumnLimit) columns")
    }
    try proveNames(line: first?.line ?? 1)
  }

  /// The bytes of the last row, with its line end.
  public var rowBytes: ArraySlice<UInt8> { reader.rowBytes }

  /// The next customer, or nil after the last.
  ///
  /// - Throws: `MalformedRow` for a row that does not have one field per column or is not CSV; `ParseError`
  ///   if reading can't go on.
  public mutating func next() throws -> Record? {
    let first = waiting
    waiting = nil
    guard let row = try first ?? reader.next() else { return nil }
    guard row.fields.count == columns.count else {
      let fields = columns.count == 1 ? "1 field" : "\(columns.count) fields"
      let problem = ParseError(line: row.line, message: "expected \(fields), found \(row.fields.count)")
      throw MalformedRow(problem: problem, bytes: Array(rowBytes))
    }
    return Record(columns: columns, values: row.fields.map { .text($0) }, line: row.line)
  }

  /// Two columns with the same name could not be distinguished.
  private func proveNames(line: Int) throws {
    var places: [[UInt8]: Int] = [:]
    for (index, name) in columns.enumerated() {
      guard let first = places.updateValue(index + 1, forKey: Array(name.utf8)) else { continue }
      let name = name.isEmpty ? "no name" : "the same name"
      throw ParseError(line: line, message: "columns \(first) and \(index + 1) have \(name)")
    }
  }
}
