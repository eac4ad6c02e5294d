internal import CustomerStore

/// Writes customers as the rows of a sheet of an xlsx file (ECMA-376): dates, numbers, and yes or no as such, and all else
/// as text, so that nothing is a formula, and no phone number loses its first 0.
struct WorkbookWriter: CustomerWriter {
  private let layout: ExportLayout
  private let hasHeader: Bool
  private var zip = ZipWriter()
  /// What waits to be compressed.
  private var sheet: [UInt8] = []
  private var row = 0

  /// The most rows, columns, and letters of a value that Excel opens.
  private static let (rowLimit, columnLimit, textLimit) = (1_048_576, 16_384, 32_767)

  init(_ layout: ExportLayout, hasHeader: Bool) { (self.layout, self.hasHeader) = (layout, hasHeader) }

  mutating func begin(_ bytes: inout [UInt8]) -> Bool {
    for (name, content) in WorkbookWriter.parts { zip.add(name, content, to: &bytes) }
    zip.begin("xl/worksheets/sheet1.xml", to: &bytes)
    sheet += WorkbookWriter.sheetStart.utf8
    let pane = #"<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>"#
    sheet += "<sheetView workbookViewId=\"0\">\(hasHeader ? pane : "")</sheetView></sheetViews><cols>".utf8
    for index in layout.columns.indices {
      let style = Style(layout.kind(index)).rawValue
      let column =
        "<col min=\"\(index + 1)\" max=\"\(index + 1)\" width=\"16\" style=\"\(style)\" customWidth=\"1\"/>"
      sheet += column.utf8
    }
    sheet += "</cols><sheetData>".utf8
    guard layout.columns.count <= WorkbookWriter.columnLimit else { return false }
    return !hasHeader || append(layout.columns, areNames: true, to: &bytes)
  }

  var hasLog: Bool { layout.hasLog }

  mutating func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    append(layout.row(customer, in: section, log), areNames: false, to: &bytes)
  }

  mutating func end(_ bytes: inout [UInt8]) {
    sheet += "</sheetData></worksheet>".utf8
    zip.append(sheet, to: &bytes)
    zip.end(&bytes)
    zip.finish(&bytes)
  }

  private mutating func append(_ values: [String], areNames: Bool, to bytes: inout [UInt8]) -> Bool {
    row += 1
    var isCarried = row <= WorkbookWriter.rowLimit && zip.isInLimits
    sheet += "<row r=\"\(row)\">".utf8
    for (index, value) in values.enumerated() where !value.isEmpty {
      let place = CellPlace(column: index + 1, row: row)
      if !append(value, areNames ? .text : layout.kind(index), at: place) { isCarried = false }
    }
    sheet += "</row>".utf8
    if sheet.count >= 1 << 16 {
      zip.append(sheet, to: &bytes)
      sheet.removeAll(keepingCapacity: true)
    }
    return isCarried
  }

  /// - Returns: whether the format can hold the value.
  private mutating func append(_ value: String, _ kind: ColumnKind, at place: CellPlace) -> Bool {
    let number: (text: String, style: Style)? =
      switch kind {
      case .number: value.isCellNumber ? (value, .general) : nil
      case .date: CalendarDay(value).flatMap { Serial.days(of: $0) }.map { (String($0), .date) }
      case .time: Serial.time(value)
      case .text, .lines, .yesNo, .choice, .link: nil
      }
    if let number {
      sheet += "<c r=\"\(place)\" s=\"\(number.style.rawValue)\"><v>\(number.text)</v></c>".utf8
      return true
    }
    if kind == .yesNo, let flag = WorkbookWriter.flags[value] {
      sheet += "<c r=\"\(place)\" t=\"b\"><v>\(flag)</v></c>".utf8
      return true
    }
    let style = Style.text.rawValue
    sheet += "<c r=\"\(place)\" s=\"\(style)\" t=\"inlineStr\"><is><t xml:space=\"preserve\">".utf8
    let isCarried =
      value.utf8.count <= WorkbookWriter.textLimit || value.utf16.count <= WorkbookWriter.textLimit
    sheet.append(xml: value)
    sheet += "</t></is></c>".utf8
    return isCarried && !value.utf8.contains(0)
  }

  private static let flags = ["1": 1, "yes": 1, "true": 1, "0": 0, "no": 0, "false": 0]

  /// The looks of cells, by their numbers in the part `styles.xml`.
  fileprivate enum Style: Int {
    case general, text, date, time, exactTime

    init(_ kind: ColumnKind) {
      self =
        switch kind {
        case .number, .yesNo: .general
        case .date: .date
        case .time: .time
        case .text, .lines, .choice, .link: .text
        }
    }
  }
}

/// Days as the numbers of a spreadsheet, of which 61 is 1 March 1900.
private enum Serial {
  /// The number of a day; nil before March 1900, where programs differ by a day.
  static func days(of day: CalendarDay) -> Int? {
    let number = day.number + 25_569
    return number > 60 ? number : nil
  }

  /// The number of a moment without a zone and fractions of seconds, which a cell shows as another second.
  static func time(_ text: String) -> (text: String, style: WorkbookWriter.Style)? {
    guard let moment = Moment(text), moment.offset == nil, moment.fraction.isEmpty,
      moment.description == text,
      let days = days(of: moment.day)
    else { return nil }
    guard let seconds = moment.seconds else { return (String(days), .date) }
    return (String(Double(days) + Double(seconds) / 86_400), moment.isExact ? .exactTime : .time)
  }
}

extension String {
  /// Whether it is a number that a spreadsheet keeps with all its digits: at most fifteen, and no 0 before others.
  fileprivate var isCellNumber: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = parts.first, whole.count == 1 || whole.first != 0x30
    else {
      return false
    }
    return parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
      && parts.reduce(0) { $0 + $1.count } <= 15
  }
}

extension [UInt8] {
  /// Appends text of a cell, in which what XML can't hold is `_x001B_`, as in any xlsx file.
  fileprivate mutating func append(xml text: String) {
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "&"): self += "&amp;".utf8
      case UInt8(ascii: "<"): self += "&lt;".utf8
      case UInt8(ascii: ">"): self += "&gt;".utf8
      case 0x09, 0x0a: append(byte)
      case 0..<0x20: self += "_x00\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))_".utf8
      // The text is no such escape itself.
      case UInt8(ascii: "_") where CellEscape(bytes[index...]) != nil: self += "_x005F_".utf8
      // U+FFFE and U+FFFF.
      case 0xef where index + 2 < bytes.count && bytes[index + 1] == 0xbf && bytes[index + 2] >= 0xbe:
        continue
      case 0xbf
      where index > 0 && index + 1 < bytes.count && bytes[index - 1] == 0xef && bytes[index + 1] >= 0xbe:
        continue
      case 0xbe, 0xbf:
        guard index > 1, bytes[index - 2] == 0xef, bytes[index - 1] == 0xbf else {
          append(byte)
          continue
        }
        self += (byte == 0xbe ? "_xFFFE_" : "_xFFFF_").utf8
      default: append(byte)
      }
    }
  }
}

extension WorkbookWriter {
  private static let xml = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
  private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let type = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  fileprivate static let sheetStart = xml + "<worksheet xmlns=\"\(main)\"><sheetViews>"

  /// All parts but the sheet.
  fileprivate static let parts = [
    (
      "[Content_Types].xml",
      xml + """
        <Types xmlns="\(package)/content-types">\
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
        <Default Extension="xml" ContentType="application/xml"/>\
        <Override PartName="/xl/workbook.xml" ContentType="\(type).sheet.main+xml"/>\
        <Override PartName="/xl/styles.xml" ContentType="\(type).styles+xml"/>\
        <Override PartName="/xl/worksheets/sheet1.xml" ContentType="\(type).worksheet+xml"/></Types>
        """
    ),
    (
      "_rels/.rels",
      xml + """
        <Relationships xmlns="\(package)/relationships">\
        <Relationship Id="rId1" Type="\(office)/officeDocument" Target="xl/workbook.xml"/></Relationships>
        """
    ),
    (
      "xl/workbook.xml",
      xml + """
        <workbook xmlns="\(main)" xmlns:r="\(office)"><bookViews><workbookView/></bookViews>\
        <sheets><sheet name="Customers" sheetId="1" r:id="rId1"/></sheets></workbook>
        """
    ),
    (
      "xl/_rels/workbook.xml.rels",
      xml + """
        <Relationships xmlns="\(package)/relationships">\
        <Relationship Id="rId1" Type="\(office)/worksheet" Target="worksheets/sheet1.xml"/>\
        <Relationship Id="rId2" Type="\(office)/styles" Target="styles.xml"/></Relationships>
        """
    ),
    // The looks of `Style`; 0 and 49 are known to every program.
    (
      "xl/styles.xml",
      xml + """
        <styleSheet xmlns="\(main)"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>\
        <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/>\
        <numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>\
        <fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>\
        <fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>\
        </fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
        <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">\
        \([0, 49, 164, 165, 166].map(look).joined())</cellXfs>\
        <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>
        """
    ),
  ]

  private static func look(_ format: Int) -> String {
    "<xf numFmtId=\"\(format)\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>"
  }
}
