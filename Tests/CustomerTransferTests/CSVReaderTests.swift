import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Rows of CSV, one by one, and the errors for malformed ones.
@Suite(.onThreads) struct CSVReaderTests {
  /// All rows, with the places of bad ones, from pieces of a size.
  private func read(_ text: String, pieces size: Int) -> [String] {
    var rest = Array(text.utf8)[...]
    var reader = CSVReader {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
    var found: [String] = []
    while true {
      do {
        guard let row = try reader.next() else { return found }
        found.append("\(row.line) " + row.fields.map { "<\($0)>" }.joined() + " \(reader.rowBytes.count)")
      } catch let row as MalformedRow {
        found.append("bad \(row.problem.line):\(row.problem.column ?? 0) \(row.bytes.count)")
      } catch let problem as ParseError {
        return found + ["end \(problem.line):\(problem.column ?? 0)"]
      } catch {
        return found + ["\(error)"]
      }
    }
  }

  @Test(arguments: [
    ("a,b\nc,d\n", ["1 <a><b> 4", "2 <c><d> 4"]),
    ("a,b\r\nc,d", ["1 <a><b> 5", "2 <c><d> 3"]),
    ("a\rb\r", ["1 <a> 2", "2 <b> 2"]),
    ("\n\r\n\"\"\n,\n", ["3 <> 3", "4 <><> 2"]),
    ("\"a\nb\",\"\"\"c\"\"\"\nd", ["1 <a\nb><\"c\"> 14", "3 <d> 1"]),
    ("a\"b,c\n", ["1 <a\"b><c> 6"]),
    ("a,", ["1 <a><> 2"]),
    ("a,\"", ["end 1:3"]),
    ("a\n\"b\"c,d\ne\n", ["1 <a> 2", "bad 2:4 7", "3 <e> 2"]),
    ("\"a\n\"x\nb\n", ["bad 2:2 6", "3 <b> 2"]),
    ("a\u{0}\nb\n", ["bad 1:2 3", "2 <b> 2"]),
    ("é,\u{0}", ["bad 1:4 4"]),
    ("", []), ("\n\n", []),
  ])
  func `rows are the same in pieces of any size`(text: String, rows: [String]) {
    for size in 1...(text.utf8.count + 1) { #expect(read(text, pieces: size) == rows, "pieces of \(size)") }
  }

  @Test func `a field can be as long as a customer, but no longer`() {
    let most = customerByteLimit
    for length in [most - 1, most] {
      for quote in ["", "\""] {
        let field = String(repeating: "x", count: length - 2 * quote.utf8.count)
        let isRight =
          read(quote + field + quote + "\n", pieces: 1 << 16).first
          == (length < most ? "1 <\(field)> \(most)" : "end 1:1")
        #expect(isRight, "\(length)")
      }
    }
  }
}
