import CustomersText
import CustomerTransfer
import CustomersHTTP
import CustomersTerminal

/// A format of files that is read and written.
enum FuzzedFormat: String, CaseIterable {
  case csv, json, vcard
  /// Entries of a directory; what is written of them is less than what was read.
  case ldif
  /// The keys and the mouse of a terminal.
  case input
  /// Heads of HTTP requests.
  case http

  /// Whether what was read is written, to be read once more.
  var isWritten: Bool { ![.ldif, .input, .http].contains(self) }

  /// Everything that a reader returned before it ended.
  struct Reading: Equatable {
    var records: [Record] = []
    var problem: String?
  }

  /// Reads bytes that come in pieces.
  func read(_ pieces: [[UInt8]]) -> Reading {
    var rest = pieces[...]
    let readChunk = { rest.popFirst() ?? [] }
    switch self {
    case .csv: return FuzzedFormat.read(CSVRows(reader: CSVReader(readChunk: readChunk)))
    case .json: return FuzzedFormat.read(JSONReader(readChunk: readChunk))
    case .vcard: return FuzzedFormat.read(VCardReader(readChunk: readChunk))
    case .ldif: return FuzzedFormat.read(LDIFReader(readChunk: readChunk))
    case .input: return FuzzedFormat.read(keys: pieces)
    case .http: return FuzzedFormat.read(heads: pieces)
    }
  }

  /// Writes one customer.
  func write(_ record: Record) -> String {
    switch self {
    case .csv: FuzzedFormat.csv(record.members.map { $0.value.text })
    case .json: JSON.object(record.members.map { ($0.name, $0.value.json) }).text + "\n"
    case .vcard: vCard(record.members)
    case .ldif, .input, .http: ""
    }
  }

  /// Events as records of one column.
  private static func read(keys pieces: [[UInt8]]) -> Reading {
    var parser = InputParser()
    let events = pieces.flatMap { parser.parse($0) } + parser.flush()
    return Reading(
      records: events.map { Record(columns: ["event"], values: [.text("\($0)")], line: 1) })
  }

  private static func csv(_ fields: [String]) -> String {
    var bytes: [UInt8] = []
    _ = CSVWriter().append(fields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func read(_ reader: some RecordReader) -> Reading {
    var reader = reader
    var reading = Reading()
    do {
      while let record = try reader.next() { reading.records.append(record) }
    } catch {
      reading.problem = String(describing: error)
    }
    return reading
  }
}

/// Rows of CSV, their columns named by numbers.
private struct CSVRows: RecordReader {
  var reader: CSVReader

  mutating func next() throws -> Record? {
    guard let row = try reader.next() else { return nil }
    let columns = row.fields.indices.map(String.init)
    return Record(columns: columns, values: row.fields.map(Record.Value.text), line: row.line)
  }
}

extension Record {
  /// The names with their values.
  var members: [(name: String, value: Value)] { Array(zip(columns, values)).map { ($0, $1) } }

  /// The bytes of names and values; strings that only look alike differ in them.
  var bytes: [UInt8] { Array(JSON.object(members.map { ($0.name, $0.value.json) }).text.utf8) }
}

extension Record.Value {
  /// The text or the JSON.
  var text: String {
    switch self {
    case .text(let text), .json(let text): text
    }
  }
}
