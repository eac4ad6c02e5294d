internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// An xlsx file (ECMA-376): its sheets, and what the cells of all of them share.
struct Workbook {
  /// The names of the sheets and of their parts, in order.
  private var sheets: [(name: String, part: String)] = []
  private let zip: ZipFile
  private var styles = CellStyles()
  private var strings: String?
  /// Whether day 0 is 1 January 1904.
  private var is1904 = false

  /// - Throws: `TransferError.spreadsheet`, or what reading throws.
  init(size: Int, _ read: @escaping ZipFile.Read) throws {
    zip = try ZipFile(size: size, read)
    let root = try related(to: "", in: "_rels/.rels")
    guard let main = root.values.first(where: { $0.type == "officeDocument" })?.part else {
      throw TransferError.spreadsheet("it is a zip file, but no spreadsheet")
    }
    let folder = main.split(separator: "/").dropLast().joined(separator: "/")
    let name = main.split(separator: "/").last ?? ""
    let parts = try related(to: folder, in: "\(folder)/_rels/\(name).rels")
    try forEachStart(in: main) { reader in
      switch reader.name {
      case "workbookPr": is1904 = try ["1", "true"].contains(reader.attribute("date1904"))
      case "sheet":
        guard let id = try reader.attribute("id"), let related = parts[id] else {
          throw reader.problem("a sheet has no part")
        }
        // Others are charts and dialogs.
        if related.type == "worksheet" { sheets.append((try reader.attribute("name") ?? "", related.part)) }
      default: break
      }
    }
    strings = parts.values.first { $0.type == "sharedStrings" }?.part
    if let part = parts.values.first(where: { $0.type == "styles" })?.part {
      var isOfCells = false
      try forEachStart(in: part) { reader in
        switch reader.name {
        case "cellXfs": isOfCells = true
        case "cellStyles", "dxfs": isOfCells = false
        case "numFmt":
          styles.name(try reader.attribute("numFmtId") ?? "", try reader.attribute("formatCode") ?? "")
        case "xf" where isOfCells: styles.append(try reader.attribute("numFmtId") ?? "")
        default: break
        }
      }
    }
  }

  /// The rows of a sheet as lines of TSV.
  ///
  /// - Parameter wanted: its name, or its number from 1; nil for the first.
  /// - Returns: the rows.
  /// - Throws: `TransferError.noSuchSheet`, `.spreadsheet`, or what reading throws.
  func sheet(_ wanted: String?) throws -> SheetText {
    let named =
      sheets.first { $0.name == wanted } ?? sheets.first { $0.name.lowercased() == wanted?.lowercased() }
    let number = wanted.map { Int($0) ?? 0 } ?? 1
    guard let found = named ?? (sheets.indices.contains(number - 1) ? sheets[number - 1] : nil) else {
      guard let wanted else { throw TransferError.spreadsheet("it has no sheet with cells") }
      throw TransferError.noSuchSheet(wanted, sheets: sheets.map(\.name))
    }
    guard let content = try zip.content(of: found.part) else {
      throw TransferError.spreadsheet("it is missing", in: found.part)
    }
    let shared = try strings.flatMap { try zip.content(of: $0) }.map { try SharedStrings($0) }
    return SheetText(XMLReader(content), shared, styles, is1904: is1904)
  }

  /// The parts that a part names, by their ids.
  private func related(to folder: String, in part: String) throws -> [String: (type: Substring, part: String)]
  {
    var found: [String: (Substring, String)] = [:]
    try forEachStart(in: part) { reader in
      guard reader.name == "Relationship", let id = try reader.attribute("Id"),
        let type = try reader.attribute("Type"), let target = try reader.attribute("Target")
      else { return }
      var path = target.hasPrefix("/") ? [] : folder.split(separator: "/")
      for step in target.split(separator: "/") where step != "." {
        if step == ".." { _ = path.popLast() } else { path.append(step) }
      }
      found[id] = (type.split(separator: "/").last ?? "", path.joined(separator: "/"))
    }
    return found
  }

  /// Passes each tag of a part to `body`, without the last of an element.
  private func forEachStart(in part: String, _ body: (XMLReader) throws -> Void) throws {
    guard let content = try zip.content(of: part) else {
      throw TransferError.spreadsheet("it is a zip file, but no spreadsheet: it has no \(part)")
    }
    // They are read at once, and small in every spreadsheet.
    guard content.entry.size <= 16_000_000 else {
      throw TransferError.spreadsheet("it is too large", in: part)
    }
    var reader = XMLReader(content)
    while let event = try reader.next() { if event == .start { try body(reader) } }
  }
}

/// How the numbers in cells are shown, by the number of the style.
struct CellStyles {
  enum Look {
    case number, percent, date
    /// A day and a time, or only a time; with or without seconds.
    case time(isExact: Bool), clock(isExact: Bool)
    /// Hours beyond a day, too.
    case duration
    /// With this many digits at least, as postal codes are.
    case code(digits: Int)
  }

  private var codes: [String: String] = [:]
  private var looks: [Look] = []

  subscript(style: Int) -> Look { looks.indices.contains(style) ? looks[style] : .number }

  mutating func name(_ id: String, _ code: String) { codes[id] = code }

  /// Adds the next style of cells.
  mutating func append(_ format: String) {
    looks.append(CellStyles.known(Int(format) ?? 0) ?? codes[format].map(CellStyles.look) ?? .number)
  }

  /// The formats that every program knows, some of them only in East Asia.
  private static func known(_ format: Int) -> Look? {
    switch format {
    case 9, 10: .percent
    case 14...17, 27...31, 36, 50...54, 57, 58: .date
    case 18, 20, 32, 34, 55: .clock(isExact: false)
    case 19, 21, 33, 35, 45, 47, 56: .clock(isExact: true)
    case 46: .duration
    case 22: .time(isExact: false)
    default: nil
    }
  }

  /// What a format such as `dd/mm/yyyy;@` shows.
  private static func look(_ code: String) -> Look {
    if (2...20).contains(code.utf8.count), code.utf8.allSatisfy({ $0 == 0x30 }) {
      return .code(digits: code.utf8.count)
    }
    var letters: Set<Character> = []
    var isDuration = false
    var rest = Substring(code.lowercased().prefix(1000))
    while let letter = rest.popFirst(), letter != ";" {
      switch letter {
      case "\"": rest = rest.drop { $0 != "\"" }.dropFirst()
      case "\\", "_", "*": rest = rest.dropFirst()
      case "[":
        let word = rest.prefix { $0 != "]" }
        rest = rest.dropFirst(word.count + 1)
        // Hours beyond a day; others are colors and languages.
        if let first = word.first, "hms".contains(first), word.allSatisfy({ $0 == first }) {
          isDuration = true
        }
      default: letters.insert(letter)
      }
    }
    if isDuration { return .duration }
    let hasDay =
      !letters.isDisjoint(with: ["y", "d"]) || letters.contains("m") && letters.isDisjoint(with: ["h", "s"])
    let hasTime = !letters.isDisjoint(with: ["h", "s"])
    guard hasDay || hasTime, letters.isDisjoint(with: ["0", "#", "?"]) || hasTime else {
      return letters.contains("%") ? .percent : .number
    }
    let isExact = letters.contains("s")
    return !hasTime ? .date : hasDay ? .time(isExact: isExact) : .clock(isExact: isExact)
  }
}

/// The texts that cells share, each read when a cell first needs it or one after it; they are in a file without a name,
/// because there may be more than fit into memory.
final class SharedStrings {
  private let file: TemporaryFile
  private var reader: XMLReader
  private var text = CellText()
  /// More texts than this are none of an honest list.
  private static let limit = 10_000_000
  /// Where each text ends.
  private var ends: [UInt32] = []
  /// The last texts, which are not in the file yet.
  private var last: [UInt8] = []
  /// The bytes in the file, and of the texts that cells had so far, with their number.
  private var (size, used, uses) = (0, 0, 0)

  init(_ content: ZipContent) throws { (file, reader) = (try TemporaryFile(), XMLReader(content)) }

  /// Reads on until a text is known, if there is one.
  private func read(to number: Int) throws {
    while ends.count <= number, let event = try reader.next() {
      try text.take(event, reader)
      guard event == .end, reader.name == "si" else { continue }
      last += text.take()
      guard let end = UInt32(exactly: size + last.count), ends.count < SharedStrings.limit else {
        throw reader.problem("it has too many texts")
      }
      ends.append(end)
      if last.count >= 1 << 16 {
        try file.write(last, at: size)
        size += last.count
        last.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Whether cells have had so much more than there is that this is a bomb: long texts, each in thousands of cells.
  var isBomb: Bool { used > 16_000_000 && used / 100 > size + last.count && used / 1000 > uses }

  /// A text by its number; nil if there is none.
  func text(_ number: Int) throws -> [UInt8]? {
    guard number >= 0 else { return nil }
    try read(to: number)
    guard number < ends.count else { return nil }
    let (start, end) = (number == 0 ? 0 : Int(ends[number - 1]), Int(ends[number]))
    (used, uses) = (used + end - start, uses + 1)
    if start >= size { return Array(last[start - size..<end - size]) }
    return start == end ? [] : try file.read(at: start, upTo: end - start)
  }
}

/// The text of a cell, perhaps in several looks; how it is pronounced is left out.
struct CellText {
  private var bytes: [UInt8]
  private var isText = false
  private var isSound = false

  init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// The most bytes of a text in a cell: 32,767 units of UTF-16.
  static let limit = 98_301

  /// - Throws: `TransferError.spreadsheet` if it is longer than a spreadsheet can have.
  mutating func take(_ event: XMLReader.Event, _ reader: XMLReader) throws {
    switch event {
    case .start:
      if reader.name == "rPh" { isSound = true }
      if reader.name == "t" { isText = !isSound }
    case .end:
      if reader.name == "rPh" { isSound = false }
      if reader.name == "t" { isText = false }
    case .text:
      if isText { bytes += reader.text }
      guard bytes.count <= CellText.limit else { throw reader.problem("a text of it is too long") }
    }
  }

  /// The text, and begins another one.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    guard contains(UInt8(ascii: "_"), bytes[...]) else { return bytes }
    var (rest, plain) = (bytes[...], [UInt8]())
    while let byte = rest.first {
      if byte == UInt8(ascii: "_"), let escape = CellEscape(rest) {
        plain += String(Character(escape.scalar)).utf8
        rest = rest.dropFirst(CellEscape.length)
      } else {
        plain.append(rest.removeFirst())
      }
    }
    return plain
  }
}
