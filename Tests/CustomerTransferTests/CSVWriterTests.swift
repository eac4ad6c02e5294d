import CustomerTransfer
import CustomersTestSupport
import Testing

/// Fields that a reader would take for something else are quoted.
@Suite(.onThreads) struct CSVWriterTests {
  @Test(arguments: [TableDialect.csv, .tsv])
  func `a field that begins like a byte order mark is quoted, and comes back as it was`(dialect: TableDialect)
    throws
  {
    let rows = [["\u{FEFF}name", "note"], ["\u{FEFF}Ann", "\u{FEFF}"]]
    var bytes: [UInt8] = []
    for row in rows { #expect(CSVWriter(dialect).append(row, to: &bytes)) }
    #expect(bytes.first == UInt8(ascii: "\""))
    var reader = CSVReader(dialect, readChunk: Reading.pieces(bytes, .max))
    var found: [[String]] = []
    while let row = try reader.next() { found.append(row.fields) }
    #expect(found == rows)
  }

  @Test func `a row with one empty field is no empty line`() {
    var bytes: [UInt8] = []
    #expect(CSVWriter().append([""], to: &bytes))
    #expect(bytes == Array("\"\"\n".utf8))
  }
}
