internal import CustomersFormats

/// What the start of a table shows: the character between its fields and where its header is.
struct TableShape {
  /// How the rows are read.
  private(set) var dialect: TableDialect
  /// The character between the fields.
  private(set) var delimiter: Character = ","
  /// How many rows come before the one that names the columns.
  private(set) var rowsBefore = 0

  /// Examines the start of a string.
  ///
  /// - Parameters:
  ///   - head: the start of the text in UTF-8.
  ///   - fixed: the dialect, if known.
  ///   - hasHeader: whether a row names the columns.
  init(_ head: [UInt8], _ fixed: TableDialect?, hasHeader: Bool) {
    if let named = TableShape.namedDelimiter(head) {
      (delimiter, dialect, rowsBefore) = (named, fixed ?? .separated(by: named), 1)
      return
    }
    var best: (dialect: TableDialect, header: Header)?
    for candidate in fixed.map({ [$0] }) ?? TableShape.candidates.map(TableDialect.separated) {
      guard let header = Header(head, candidate, mayFollowNotes: hasHeader) else { continue }
      // Texts have commas in them more often than the other characters.
      let isBetter = best.map { header.count > 1 ? !(header < $0.header) : $0.header < header }
      if isBetter ?? true { best = (candidate, header) }
    }
    dialect = best?.dialect ?? fixed ?? .csv
    if case .separated(let character) = dialect { delimiter = character }
    rowsBefore = best?.header.rowsBefore ?? 0
  }

  private static let candidates: [Character] = [",", ";", "\t", "|"]

  /// The character that Excel names in a line before the header, as in `sep=;`.
  private static func namedDelimiter(_ head: [UInt8]) -> Character? {
    let line = String(decoding: head.prefix(16).prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self)
    guard line.count == 5, line.lowercased().hasPrefix("sep="), let last = line.last,
      ImportOptions.isDelimiter(last)
    else { return nil }
    return last
  }

  /// Whether a string starts with the names of columns.
  static func isTable(_ head: [UInt8]) -> Bool {
    candidates.contains { character in
      Header(head, .separated(by: character), mayFollowNotes: true).map {
        $0.rowsBefore == 0 && $0.understood > 1
      } ?? false
    }
  }

  /// Whether the names of columns are rather the values of a customer: one is an e-mail address, or most are
  /// numbers.
  func looksLikeCustomer(_ columns: [String]) -> Bool {
    let values = columns.filter { !$0.isEmpty }
    let numbers = values.count { value in
      value.utf8.count { 0x30...0x39 ~= $0 } >= 5 && !value.contains(where: \.isLetter)
    }
    return values.contains(where: \.isEMail) || numbers > 0 && !columns.contains { ColumnMeaning($0) != nil }
  }
}

/// The row that most likely names the columns.
private struct Header: Comparable {
  /// How many of its names are understood.
  let understood: Int
  let count: Int
  let rowsBefore: Int
  /// How many rows from it on have as many fields; 0 if that is one field.
  private(set) var regular = 0

  /// Finds it among the first rows; nil if there are none.
  ///
  /// It is the first row, unless shorter ones come before a row of which more is understood, such as the notes
  /// of LinkedIn.
  init?(_ head: [UInt8], _ dialect: TableDialect, mayFollowNotes: Bool) {
    var pieces = [head]
    var reader = CSVReader(dialect) { pieces.popLast() ?? [] }
    var best: (understood: Int, count: Int, rowsBefore: Int)?
    var longest = 0
    var counts: [Int] = []
    for index in 0..<20 {
      guard let row = try? reader.next() else { break }
      counts.append(row.fields.count)
      // Notes would not have two names that are understood.
      if let best, !mayFollowNotes || best.rowsBefore == 0 && best.understood > 1 { continue }
      let filled = row.fields.count { !$0.isEmpty }
      let understood = mayFollowNotes ? row.fields.count { ColumnMeaning($0) != nil } : 0
      if best.map({ understood > 1 && understood > $0.understood && filled > longest }) ?? true {
        best = (understood, row.fields.count, index)
      }
      longest = max(longest, filled)
    }
    guard let best else { return nil }
    (understood, count, rowsBefore) = best
    if count > 1 { regular = counts[rowsBefore...].count { [count] in $0 == count } }
  }

  static func < (left: Header, right: Header) -> Bool {
    (left.understood, left.regular, left.count) < (right.understood, right.regular, right.count)
  }
}
