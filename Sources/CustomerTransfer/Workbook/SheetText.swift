internal import CustomerStore
internal import CustomersText

/// The rows of a sheet as lines of TSV, each in the line of its number, so that a sheet is read, and understood, as a table in
/// text is; and what the types of the cells say of each column.
final class SheetText {
  private var reader: XMLReader
  private let strings: SharedStrings?
  private let styles: CellStyles
  private let is1904: Bool

  private let rows = CSVWriter(.tsv)
  /// The lines that wait to be read, and how many there were.
  private var output: [UInt8] = []
  private var lines = 0
  private var columns: [Column] = []
  /// The row, and what it has so far, up to the last cell with a value.
  private var row = 0
  private var line: [UInt8] = []
  private var filled = 0
  /// The cell.
  private var place = CellPlace(column: 0, row: 0)
  private var type = ""
  private var style = 0
  private var value: [UInt8] = []
  private var text = CellText()
  private var isValue = false
  private var isFormula = false

  /// What a column has: the types of its cells, and the last line with a text.
  private struct Column {
    var kinds: Set<ColumnKind> = []
    var lastText = 0
  }

  /// More empty rows or columns before a value are a mistake, or an attack.
  private static let (rowGap, columnGap) = (100_000, 1_000)

  init(_ reader: XMLReader, _ strings: SharedStrings?, _ styles: CellStyles, is1904: Bool) {
    (self.reader, self.strings, self.styles, self.is1904) = (reader, strings, styles, is1904)
  }

  /// The only type, other than text, of the cells in a column, from 0, below a line; nil if there is none.
  func kind(of column: Int, below line: Int) -> CellKind? {
    guard columns.indices.contains(column) else { return nil }
    let kinds = columns[column].kinds
    let kind = kinds == [.date, .time] ? .time : kinds.count == 1 ? kinds.first : nil
    return kind.map { CellKind(kind: $0, isPure: columns[column].lastText <= line) }
  }

  /// The next bytes; none at the end.
  ///
  /// - Throws: `TransferError.spreadsheet`, `ParseError`, or what reading throws.
  func next() throws -> [UInt8] {
    output.removeAll(keepingCapacity: true)
    while output.count < 1 << 16, let event = try reader.next() {
      switch (event, reader.name) {
      case (.start, "row"): try beginRow()
      case (.start, "c"): try beginCell()
      case (.start, "v"): isValue = true
      case (.start, "f"): isFormula = true
      case (.end, "v"): isValue = false
      case (.end, "c"): try endCell()
      case (.end, "row"): endRow()
      case (.text, _) where isValue:
        value += reader.text
        guard value.count <= CellText.limit else { throw reader.problem("a text of it is too long") }
      default: break
      }
      try text.take(event, reader)
    }
    return output
  }

  private func beginRow() throws {
    let number = try reader.attribute("r").map { Int($0) ?? 0 } ?? row + 1
    guard number > row, number <= CellPlace.rows else {
      throw ParseError(
        line: row + 1, message: "row \(number) is out of its place, after row \(row); save the sheet again")
    }
    row = number
    (line, filled, place) = ([], 0, CellPlace(column: 0, row: row))
  }

  private func beginCell() throws {
    let name = try reader.attribute("r")
    let next = name.map { CellPlace($0) } ?? CellPlace(column: place.column + 1, row: row)
    guard let next, next.row == row, next.column > place.column, next.column <= CellPlace.columns else {
      throw ParseError(
        line: row,
        message: "the cell \(printable(name ?? "after \(place)")) is out of its place; save the sheet again")
    }
    place = next
    type = try reader.attribute("t") ?? "n"
    style = try reader.attribute("s").flatMap { Int($0) } ?? 0
    (value, isValue, isFormula) = ([], false, false)
    _ = text.take()
  }

  private func endCell() throws {
    let (bytes, kind) = try meaning()
    guard !bytes.isEmpty else { return }
    guard row - lines <= SheetText.rowGap, place.column - filled <= SheetText.columnGap else {
      throw problem("is far away from the others", "delete it, or move it to them")
    }
    while columns.count < place.column { columns.append(Column()) }
    if let kind {
      columns[place.column - 1].kinds.insert(kind)
    } else {
      columns[place.column - 1].lastText = row
    }
    line += [UInt8](repeating: 0x09, count: place.column - max(filled, 1))
    filled = place.column
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("is not UTF-8", "save the sheet again")
    }
    _ = rows.append(text, to: &line)
    guard line.count <= customerByteLimit else { throw ParseError(line: row, message: "the row is too long") }
  }

  private func endRow() {
    guard filled > 0 else { return }
    output += [UInt8](repeating: 0x0a, count: row - lines - 1)
    output += line
    output.append(0x0a)
    lines = row
  }

  /// The value of a cell as text, and its kind; nil for text.
  private func meaning() throws -> ([UInt8], ColumnKind?) {
    switch type {
    case "inlineStr": return (text.take(), nil)
    case "s":
      guard !value.isEmpty else { return ([], nil) }
      guard let number = Int(String(decoding: value, as: UTF8.self)), let text = try strings?.text(number)
      else {
        throw problem("has a text that is missing", "save the sheet again")
      }
      guard strings?.isBomb == false else { throw reader.problem("its cells have too much text") }
      return (text, nil)
    case "b": return (value.isEmpty ? [] : Array((value == [0x31] ? "yes" : "no").utf8), .yesNo)
    case "e":
      let name = printable(String(decoding: value.prefix(20), as: UTF8.self))
      throw problem("has the error \(name)", "correct or empty it")
    case "d":
      let moment = Moment(String(decoding: value, as: UTF8.self))
      guard let moment, moment.seconds ?? 0 == 0 else { return (value, moment == nil ? nil : .time) }
      return (Array(moment.day.description.utf8), .date)
    case "n" where value.isEmpty:
      // Programs that only write files leave the results to a spreadsheet.
      guard !isFormula else {
        throw problem("has a formula without its result", "save the sheet in a spreadsheet")
      }
      return ([], nil)
    case "n": return try number()
    default:
      var formula = CellText(bytes: value)
      return (formula.take(), nil)
    }
  }

  private func number() throws -> ([UInt8], ColumnKind?) {
    let written = String(decoding: value, as: UTF8.self)
    guard let number = Double(written), number.isFinite else {
      throw problem("has no number", "correct or empty it")
    }
    switch styles[style] {
    case .date:
      let moment = try moment(number, isExact: false)
      return (Array("\(moment)".utf8), moment.seconds == nil ? .date : .time)
    case .time(let isExact):
      let moment = try moment(number, isExact: isExact, hasTime: true)
      return (Array("\(moment)".utf8), moment.seconds == 0 ? .date : .time)
    case .clock(let isExact) where (0..<1).contains(number):
      // The time of any day.
      let clock = Moment(
        day: CalendarDay.today, seconds: min(86_399, SheetText.seconds(number)), isExact: isExact)
      return (Array("\(clock)".utf8.dropFirst(11)), nil)
    case .clock, .duration:
      let seconds = SheetText.seconds(abs(number))
      let parts = [seconds / 60 % 60, seconds % 60].map { ($0 < 10 ? ":0" : ":") + String($0) }
      return (Array("\(number < 0 ? "-" : "")\(seconds / 3600)\(parts.joined())".utf8), nil)
    case .code(let digits):
      let plain = written.plainNumber(number).utf8
      guard plain.allSatisfy({ (0x30...0x39).contains($0) }) else { return (Array(plain), .number) }
      return ([UInt8](repeating: 0x30, count: max(0, digits - plain.count)) + plain, nil)
    case .number: return (Array(written.plainNumber(number).utf8), .number)
    case .percent:
      // What people see and type: 0.125 is shown as 12.5%.
      let shown = written.plainNumber(number) + "e2"
      return (Array(shown.plainNumber(Double(shown) ?? number).utf8), .number)
    }
  }

  private static func seconds(_ days: Double) -> Int { Int((min(days, 1e9) * 86_400).rounded()) }

  /// The moment that a number means: the days since the end of 1899, in which 1900 has a 29 February that never was, or
  /// since 1 January 1904.
  private func moment(_ number: Double, isExact: Bool, hasTime: Bool = false) throws -> Moment {
    guard (0..<3_000_000).contains(number) else {
      throw problem("has a date that no calendar has", "correct it")
    }
    var (days, seconds) = (Int(number), SheetText.seconds(number - Double(Int(number))))
    if seconds == 86_400 { (days, seconds) = (days + 1, 0) }
    guard is1904 || days != 60 else {
      throw problem("has the date 1900-02-29, which never was", "correct it")
    }
    guard let day = CalendarDay(number: days - (is1904 ? 24_107 : days < 60 ? 25_568 : 25_569)) else {
      throw problem("has a date that no calendar has", "correct it")
    }
    guard hasTime || seconds > 0 else { return Moment(day: day) }
    return Moment(day: day, seconds: seconds, isExact: isExact || seconds % 60 != 0)
  }

  private func problem(_ what: String, _ remedy: String) -> ParseError {
    ParseError(line: row, message: "cell \(place) \(what); \(remedy)")
  }
}

/// The type of the cells in a column, and whether all of them have it; moments that are all at midnight are dates.
struct CellKind {
  var kind: ColumnKind
  var isPure: Bool
}

extension String {
  /// The digits of a number as people write it: as they are, unless a program wrote more than it knows, or an exponent.
  fileprivate func plainNumber(_ number: Double) -> String {
    let isPlain = utf8.allSatisfy {
      (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
    }
    if isPlain, utf8.count <= 16 { return self }
    let parts = "\(number)".split(separator: "e")
    let pieces = parts[0].split(separator: ".")
    let sign = number < 0 ? "-" : ""
    let whole = pieces[0].drop { $0 == "-" }
    let fraction = pieces.count > 1 && pieces[1] != "0" ? pieces[1] : ""
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
    let digits = String(whole) + fraction
    let point = whole.count + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}
