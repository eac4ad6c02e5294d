/// The customers of a CSV file whose first row names the columns.
public struct CSVRecords: RecordReader {
  private var reader: CSVReader
  /// The names of the columns.
  public let columns: [String]
  /// The row that names the columns, as it is in the file; empty if there is none.
  public let header: [UInt8]
  /// The first customer, if it was read to count the columns.
  private var waiting: CSVReader.Row?
  /// The rows before the one that names the columns.
  public private(set) var notes: [[String]] = []
  /// Whether a row may have fewer fields than columns: the last ones are then empty.
  private let fillsShortRows: Bool
  /// The first row with fewer fields than columns that was filled and how many were.
  public private(set) var filled: (first: Int, count: Int) = (0, 0)

  /// The fields of the row that names the columns; none if they say too little to be recognized.
  private let names: [String]
  /// How many rows were skipped because all their fields are empty.
  public private(set) var emptyRows = 0
  /// How many rows were skipped because they name the columns again.
  public private(set) var repeatedHeaders = 0

  /// Reads the row that names the columns.
  ///
  /// - Parameters:
  ///   - dialect: how fields are separated and protected.
  ///   - hasHeader: whether there is such a row; if not, the columns are called `1`, `2`, …
  ///   - skipping: how many rows come before the names of the columns or the first customer.
  ///   - fillsShortRows: whether a row may have fewer fields than there are columns.
  ///   - readChunk: returns the next bytes of UTF-8, none at the end.
  /// - Throws: `ParseError` or what reading throws.
  public init(
    _ dialect: TableDialect = .csv, hasHeader: Bool = true, skipping: Int = 0, fillsShortRows: Bool = false,
    readChunk: @escaping () throws -> [UInt8]
  ) throws {
    self.fillsShortRows = fillsShortRows
    reader = CSVReader(dialect, readChunk: readChunk)
    let first: CSVReader.Row?
    do {
      for _ in 0..<skipping { if let row = try reader.next() { notes.append(row.fields) } }
      first = try reader.next()
    } catch let row as MalformedRow { throw row.problem }
    let fields = first?.fields ?? []
    var unique = UniqueNames()
    columns = hasHeader ? fields.map { unique.take($0) } : fields.indices.map { String($0 + 1) }
    names = hasHeader && fields.count > 1 ? fields : []
    header = hasHeader ? Array(reader.rowBytes) : []
    waiting = hasHeader ? nil : first
    guard columns.count <= customerColumnLimit else {
      throw ParseError(line: first?.line ?? 1, message: "more than \(customerColumnLimit) columns")
    }
  }

  /// The bytes of the last row, with its line end.
  public var rowBytes: ArraySlice<UInt8> { reader.rowBytes }

  /// The next customer or nil after the last.
  ///
  /// - Throws: `MalformedRow` for a row that does not have one field per column or is not CSV; `ParseError`
  ///   if reading can't go on.
  public mutating func next() throws -> Record? {
    while true {
      let first = waiting
      waiting = nil
      guard var row = try first ?? reader.next() else { return nil }
      if row.fields.count > 1, row.fields.allSatisfy(\.isEmpty) {
        emptyRows += 1
        continue
      }
      if !names.isEmpty, row.fields[0] == names[0], row.fields == names {
        repeatedHeaders += 1
        continue
      }
      if row.fields.count != columns.count { try fill(&row) }
      return Record(columns: columns, values: row.fields.map { .text($0) }, line: row.line)
    }
  }

  /// Allows the empty last fields that a row leaves out or removes those that it has too many.
  private mutating func fill(_ row: inout CSVReader.Row) throws {
    if row.fields.dropFirst(columns.count).allSatisfy(\.isEmpty), row.fields.count > columns.count {
      row.fields.removeLast(row.fields.count - columns.count)
      return
    }
    let missing = columns.count - row.fields.count
    guard missing > 0, fillsShortRows else {
      let fields = columns.count == 1 ? "1 field" : "\(columns.count) fields"
      let problem = ParseError(line: row.line, message: "expected \(fields), found \(row.fields.count)")
      throw MalformedRow(problem: problem, bytes: Array(rowBytes), isShort: missing > 0)
    }
    filled = (filled.count == 0 ? row.line : filled.first, filled.count + 1)
  }
}
