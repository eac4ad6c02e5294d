package import CustomerTransfer
package import CustomersFormats
internal import CustomersTerminalText

/// The rejected rows so far: the number and the first ones.
package struct RejectedRows: Sendable {
  /// How many rows are reported one by one.
  private static let reportLimit = 1000

  /// How many they are.
  package private(set) var count = 0
  private var reported: [(row: RejectedRow, text: String)] = []
  /// How many only have fewer values than there are columns.
  private var shortCount = 0
  /// The encoding that the file rather has, if a row is not UTF-8.
  package private(set) var encoding: FileEncoding?

  /// The first row, if all only have fewer values than there are columns.
  package var firstShort: (row: RejectedRow, text: String)? { shortCount == count ? reported.first : nil }

  package init() {}

  /// Takes the next one.
  package mutating func add(_ row: RejectedRow) {
    count += 1
    if row.isShort { shortCount += 1 }
    encoding = encoding ?? row.encoding
    guard reported.count < RejectedRows.reportLimit else { return }
    let start = row.text.prefix(240).prefix { $0 != 0x0a && $0 != 0x0d }
    reported.append((row, cut(printable(String(decoding: start, as: UTF8.self)), to: 60)))
  }

  /// The bad rows for people, with the start of their text.
  package var details: [String] {
    reported.map { "     line \($0.row.place.inMessage): \($0.row.reason): \($0.text)" }
      + (count > reported.count ? ["     … and \(count - reported.count) more"] : [])
  }

  /// The bad rows for a program, up to the reported number.
  package var json: JSON {
    .array(
      reported.map { row, text in
        let column = row.place.column.map { [("column", JSON.int($0))] } ?? []
        return .object(
          [("line", .int(row.place.line))] + column
            + [("message", .string(row.reason)), ("text", .string(text))])
      })
  }
}

extension FilePlace {
  /// `12` or `12:3` with the byte.
  package var inMessage: String { "\(line)" + (column.map { ":\($0)" } ?? "") }
}
