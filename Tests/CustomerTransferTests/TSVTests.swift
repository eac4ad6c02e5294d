import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Tab-separated values: they survive a round trip, with one line per row.
@Suite(.onThreads) struct TSVTests {
  private func rows(_ text: String) throws -> [[String]] {
    var pieces = [Array(text.utf8)]
    var reader = CSVReader(.tsv) { pieces.popLast() ?? [] }
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row.fields) }
    return rows
  }

  @Test func `any field without NUL survives a round trip, and each row is one line`() throws {
    let letters = ["\t", "\n", "\r", "\\", "\"", "t", "n", "é", ","]
    var fields = [""]
    for one in letters {
      fields.append(one)
      for two in letters {
        fields.append(one + two)
        for three in letters { fields.append(one + two + three) }
      }
    }
    var bytes: [UInt8] = []
    #expect(CSVWriter(.tsv).append(fields, to: &bytes))
    #expect(bytes.count { $0 == 0x0a } == 1 && !bytes.contains(0x0d))
    #expect(bytes.count { $0 == 0x09 } == fields.count - 1)
    #expect(try rows(String(decoding: bytes, as: UTF8.self)) == [fields])
    #expect(!CSVWriter(.tsv).append(["a\u{0}"], to: &bytes))
  }

  @Test func `quotes as spreadsheets write them are read`() throws {
    #expect(
      try rows("\"a, \"\"b\"\"\"\tc\r\n\"d\ne\"\tf\\tg\r\n") == [["a, \"b\"", "c"], ["d\ne", "f\tg"]])
  }

  @Test(arguments: [("a\tC:\\dir\n", 5), ("\\\n", 1), ("a\\", 2), ("\"x\\y\"\n", 3)])
  func `an invalid escape makes a row invalid, with its position`(text: String, column: Int) {
    let row = #expect(throws: MalformedRow.self) { try rows(text) }
    #expect(row?.problem.column == column && row?.problem.line == 1)
  }

  @Test func `csv ends lines with LF, or with CR LF where that is asked for`() {
    for (usesCRLF, end) in [(false, "\n"), (true, "\r\n")] {
      var bytes: [UInt8] = []
      _ = CSVWriter(usesCRLF: usesCRLF).append(["a", "b\r", "c,"], to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == "a,\"b\r\",\"c,\"\(end)")
    }
  }
}
