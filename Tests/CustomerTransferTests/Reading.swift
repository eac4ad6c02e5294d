import CustomersText
import CustomerTransfer

/// All records that a reader gives, and the problem that ends it.
struct Reading: Equatable {
  var records: [Record] = []
  var problem: ParseError?

  init(_ reader: some RecordReader) throws {
    var reader = reader
    do {
      while let record = try reader.next() { records.append(record) }
    } catch let problem as ParseError {
      self.problem = problem
    } catch let row as MalformedRow {
      problem = row.problem
    }
  }

  /// Reads JSON that comes in pieces of a size.
  static func json(_ text: String, piece: Int = .max) throws -> Reading {
    try Reading(JSONReader(readChunk: pieces(Array(text.utf8), piece)))
  }

  /// Reads vCards that come in pieces of a size.
  static func vcard(_ text: String, piece: Int = .max) throws -> Reading {
    try vcard(Array(text.utf8), piece: piece)
  }

  static func vcard(_ bytes: [UInt8], piece: Int = .max) throws -> Reading {
    try Reading(VCardReader(readChunk: pieces(bytes, piece)))
  }

  /// Gives bytes in pieces of a size, and at the end none once.
  static func pieces(_ bytes: [UInt8], _ size: Int) -> () -> [UInt8] {
    var rest = bytes[...]
    return {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      return Array(piece)
    }
  }

  /// The customers, each in a line: `name=text` or `name:json`, separated by `|`.
  var lines: [String] {
    records.map { record in
      zip(record.columns, record.values).map { name, value in
        switch value {
        case .text(let text): "\(name)=\(text)"
        case .json(let text): "\(name):\(text)"
        }
      }.joined(separator: "|")
    }
  }
}
