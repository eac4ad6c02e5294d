internal import CustomerStore
internal import CustomersText

/// What the own columns of a file are: noted while its rows are read, then settled, so that all values get the form in
/// which a list keeps them.
final class ImportedKinds {
  /// The columns that get a kind, in the order of the file.
  private(set) var found: [ImportedKind] = []
  private let asked: [ColumnKindChoice]
  /// Whether a column that nothing says anything about is recognized by its values.
  private let recognizesAll: Bool
  /// Whether a column that most address books have is of its kind, even if an export wrote it.
  private let recognizesKnown: Bool
  /// Whether a date takes the day of a time; a card keeps it.
  private var leavesOutTimes: Bool { !recognizesKnown }
  private let today = CalendarDay.today
  private var listed: ListedColumns?
  /// What the file itself says of columns.
  private var stated: [(name: String, values: ColumnKinds.Column)] = []
  private var noted: [String: NotedColumn] = [:]
  private var names: [String] = []
  private var forms: [String: Form] = [:]
  private var birthdays: Set<String> = []
  private var isSettled = false
  /// Whether a spreadsheet has written the file of an export again, with the numbers and dates of its language.
  private var isRewritten = false
  /// Whether the rows have ids of the list, whose values may say how theirs are written.
  private let isKeyedByID: Bool
  /// The declared columns whose values can be read in several ways, of such a file.
  private var undecided:
    [(name: String, values: ColumnKinds.Column, readings: [ColumnReading], error: ImportedKindError)] = []
  /// How many values are those of the list if they are read in a way, by its word.
  private var matches: [String: Int] = [:]
  /// What the types of a spreadsheet's cells say so far, by the names of the columns in the file.
  private let cells: () -> [String: CellKind]

  /// - Parameters:
  ///   - asked: the kinds that the caller chose.
  ///   - format: in a table, a column that the list has not declared is recognized by its values, in cards and the like by
  ///     its name.
  ///   - isKeyedByID: whether the rows have ids of the list.
  ///   - cells: what the types of a spreadsheet's cells say so far, by the names of the columns in the file.
  init(
    _ asked: [ColumnKindChoice], _ format: FileFormat, isKeyedByID: Bool,
    cells: @escaping () -> [String: CellKind]
  ) {
    (self.asked, recognizesAll, recognizesKnown, self.isKeyedByID) = (
      asked, format.isTable, format.hasExactColumns, isKeyedByID
    )
    self.cells = cells
  }

  /// Begins again, in a list with these columns.
  func begin(_ listed: ListedColumns) { (self.listed, noted, names) = (listed, [:], []) }

  /// Takes what the file says of columns, before the rows that have them.
  ///
  /// A list may have values of other kinds in them, which then come back as they were.
  func take(_ columns: [(name: String, values: ColumnKinds.Column)]) { stated += columns }

  /// Notes a value of a column; once the kinds are settled, returns its stored form.
  ///
  /// - Parameters:
  ///   - text: the value.
  ///   - column: the name of the column in the list.
  ///   - header: its name in the file.
  ///   - isOwn: whether an export wrote the value, which is exact.
  ///   - isNumber: whether it is a number of JSON, which is exact, too, and says how other numbers of the column are written.
  ///   - line: the line of the file.
  /// - Returns: the value.
  /// - Throws: `KindError` if the list, or the caller, says what the column is, and the value is not of its kind.
  func value(
    _ text: String, of column: String, header: String, isOwn: Bool, isNumber: Bool, line: Int
  ) throws(KindError) -> String {
    // A column without a name can't be declared, and the lines of a card are always text.
    guard !column.isEmpty, column != ExtraColumns.card else { return text }
    guard !isSettled else { return stored(text, of: column) ?? text }
    if noted[column] == nil {
      noted[column] = note(column, header, isOwn: isOwn)
      names.append(column)
    }
    if isNumber { noted[column]?.hasNumbers = true }
    guard !text.isDayOfZeros else { return text }
    if let known = noted[column], known.mayLackYears, let day = CalendarDay.withoutYear(text),
      day == text || known.expected != nil
    {
      noted[column]?.countWithoutYear += 1
      return text
    }
    guard let expected = noted[column]?.expected, !text.allSatisfy(\.isWhitespace) else {
      noted[column]?.take(text)
      return text
    }
    guard !isMisfit(text, of: column) else { return text }
    if noted[column]?.isStored == true {
      if expected.isValue(text) { noted[column]?.recognize(text) } else { noted[column]?.others.append(text) }
      return text
    }
    let number = noted[column]?.withoutUnit(text)
    var forms = number.map { self.forms(of: $0, expected, noted[column]?.choice) } ?? []
    if expected.kind == .number, let way = noted[column]?.choice?.reading, noted[column]?.isStrict == true {
      // A number of JSON or of a cell is what it is in plain digits, and a way that is named has to make the same of it.
      if isNumber, let form = forms.first, !expected.isSame(form, as: text) { forms = [] }
      if forms.isEmpty, expected.isValue(text), cells()[header]?.kind == .number { forms = [text] }
      guard !forms.isEmpty else { throw expected.error(.meant("write it as in \(way)"), text, column) }
    }
    if forms.isEmpty {
      guard noted[column]?.isStrict == false else {
        // Who says how dates are written says nothing of times.
        let isOfDates = expected.kind == .time && noted[column]?.choice?.kind == nil && !hasForm(column)
        throw (isOfDates ? ColumnKinds.Column(.date) : expected).error(
          unit(of: text, expected, noted[column]?.choice).map { unit in
            .meant("write it without \(unit) or, if all have it, add --kind \"\(column)=number\"")
          } ?? .unlike, text, column)
      }
      noted[column]?.others.append(text)
    } else {
      if forms.count > 1, noted[column]?.openLine == nil { noted[column]?.openLine = line }
      if !expected.isValue(text) { noted[column]?.isExact = false }
      noted[column]?.recognize(text)
    }
    return text
  }

  /// Whether the list has a text in a declared column that is not of its kind, and that comes back as it was.
  private func isMisfit(_ text: String, of column: String) -> Bool {
    listed?.misfits[column]?.contains(text) ?? false
  }

  /// Whether the list has declared a column whose values have a form.
  func hasForm(_ column: String) -> Bool { listed?.kinds.declared(column)?.kind.takesAnyText == false }

  private func forms(
    of text: String, _ expected: ColumnKinds.Column, _ choice: ColumnKindChoice? = nil
  ) -> Set<String> {
    expected.forms(of: text, today, only: choice?.reading, leavingOutTimes: leavesOutTimes)
  }

  /// The unit of a number in a declared column, which is left out only if the caller says that the values are numbers.
  private func unit(
    of text: String, _ expected: ColumnKinds.Column, _ choice: ColumnKindChoice?
  ) -> String? {
    guard expected.kind == .number, choice == nil, let amount = MeasuredNumber(text),
      !forms(of: amount.number, expected).isEmpty
    else { return nil }
    return amount.unit
  }

  /// Notes whether a customer can be edited, which an export writes in one of these ways, and a spreadsheet as WAHR.
  func note(flag text: String) {
    isRewritten = isRewritten || !Self.writtenFlags.contains(text)
  }

  private static let writtenFlags: Set = ["1", "0", "yes", "no", "true", "false", ""]

  /// Notes a next date of a table; once the kinds are settled, returns its stored form.
  ///
  /// - Throws: `KindError` if it is none.
  func next(_ text: String, header: String, line: Int) throws(KindError) -> String {
    let (name, column) = (VCardFields.nextProperty, ColumnKinds()[.next])
    guard !isSettled, recognizesAll else {
      return try ColumnKinds.stored(next: forms[name]?.stored(text, today) ?? text, today: today)
    }
    // A word such as friday is a day, too, and says nothing about the others.
    let forms = text.isEmpty ? [] : forms(of: text, column)
    guard !forms.isEmpty else {
      return try ColumnKinds.stored(next: text, today: today)
    }
    if noted[name] == nil {
      var next = note(name, header, isOwn: true)
      (next.expected, next.isDeclared) = (column, true)
      noted[name] = next
      names.append(name)
    }
    if forms.count > 1, noted[name]?.openLine == nil { noted[name]?.openLine = line }
    noted[name]?.recognition.take(text)
    return text
  }

  /// What is known of a column before its values.
  private func note(_ column: String, _ header: String, isOwn: Bool) -> NotedColumn {
    let choice = asked.first { choice in
      [header, column].contains { Name($0).key == Name(choice.column).key }
    }
    let declared = listed?.kinds.declared(column)
    let stated = stated.first { $0.name.utf8.elementsEqual(column.utf8) }?.values
    let isListed = listed?.has(column) ?? false
    var noted = NotedColumn(
      header: header, choice: choice,
      recognition: ColumnRecognition(
        today: today, only: choice?.reading, takesUnit: choice?.expected == .number))
    noted.isDeclared = declared != nil || stated != nil && !isListed
    noted.isUnlisted = recognizesAll && !isListed
    noted.mayBeNew = choice != nil || recognizesAll && !isListed
    if isOwn { noted.storedKinds = [.date, .time, .number, .yesNo, .link] }
    noted.isExact = isOwn && choice == nil
    noted.isStored = noted.isExact && stated != nil && !isListed
    noted.hasBirthdays = KnownColumn(meantBy: column) == .birthday
    noted.mayLackYears = isOwn && noted.mayBeNew && KnownColumn(column)?.values.kind == .date
    if let choice {
      guard declared != nil || choice.kind?.takesAnyText != true else { return noted }
      if let declared, !choice.fits(declared.kind) { noted.declared = declared.kind }
      noted.expected = declared ?? ColumnKinds.Column(choice.expected)
      // The first row is read again, once it is known what the list has.
      noted.isStrict = noted.declared == nil && listed != nil
      return noted
    }
    let isNamed = recognizesAll && !isOwn || recognizesKnown
    let known = isNamed && !isListed ? KnownColumn(column)?.values : nil
    noted.expected = declared ?? (isListed ? nil : stated) ?? known
    noted.isStrict = declared != nil && KnownColumn(column) == nil
    if noted.expected?.kind == .date, noted.hasBirthdays { noted.mayLackYears = true }
    return noted
  }

  /// Decides what each column is.
  ///
  /// A column that the list has, and has not declared, stays text.
  ///
  /// - Parameter isEmpty: whether no row was read to its end, so that not all columns are known.
  /// - Throws: `ImportedKindError` if values are not of the kind that the caller chose, or may be read in several ways as
  ///   of the kind that the list has declared.
  func settle(isEmpty: Bool) throws {
    isSettled = true
    let cells = cells()
    // A program writes all dates of a file in one order.
    let orders = names.compactMap { name in
      noted[name].flatMap { column in column.recognition.order.map { (order: $0, header: column.header) } }
    }
    let order = Set(orders.map(\.order)).count == 1 ? orders.first : nil
    for name in names {
      guard let column = noted[name] else { continue }
      if column.hasBirthdays { birthdays.insert(name) }
      try settle(name, column, cells[column.header], order)
      // Programs give all days a format with a time.
      if cells[column.header]?.kind == .date, forms[name]?.isOfText ?? true { forms[name] = .days }
    }
    for choice in asked
    where !isEmpty
      && !names.contains(where: { name in
        [name, noted[name]?.header ?? name].contains { Name($0).key == Name(choice.column).key }
      })
    {
      throw ImportedKindError(
        column: choice.column,
        problem: .missing(near: nearest(to: choice.column, among: names, areNames: true)))
    }
    noted = [:]
  }

  private func settle(
    _ name: String, _ column: NotedColumn, _ cells: CellKind?, _ order: (order: String, header: String)?
  ) throws {
    if let declared = column.declared {
      throw ImportedKindError(
        column: name, problem: .declared(declared, asked: column.choice?.word ?? ""))
    }
    var kind = ImportedKind(column: name, header: column.header, kind: .text, isNew: !column.isDeclared)
    (kind.others, kind.otherCount) = (Array(column.others.prefix(3)), column.others.count)
    if !column.isExact { kind.countWithoutYear = column.countWithoutYear }
    var readings = column.recognition.readings
    // A number of a spreadsheet is one, whatever its digits are.
    if let cells, cells.isPure {
      if cells.kind == .number { readings = [.number(.point)] }
      if cells.kind == .yesNo { readings = [.yesNo] }
    }
    if column.hasNumbers { readings = readings.filter { $0 == .number(.point) } }
    let isText = column.choice?.kind?.takesAnyText == true && !column.isDeclared
    if let expected = column.expected { readings = readings.compactMap { $0.reading(as: expected.kind) } }
    if readings.count > 1, let order {
      let same = readings.filter { $0.word == order.order }
      if same.count == 1 { (readings, kind.follows) = (same, order.header) }
    }
    // An export writes plain digits. A spreadsheet may have written those of a table again; with ids, the list knows.
    let mayBeRewritten = isKeyedByID && recognizesAll && readings.count > 1
    if column.isExact, column.expected?.kind == .number, !mayBeRewritten, !isRewritten {
      readings = [.number(.point)]
    }
    // No one can say in which language a month is meant.
    let words = readings.ways
    if readings.count > 1, words.isEmpty {
      (readings, kind.isOfTwoMonths, kind.example) = ([], true, column.example)
    }
    kind.mayBePast =
      readings.count == 1 && column.recognition.mayBePast && !column.hasBirthdays
    if let expected = column.expected {
      let isOpen = readings.count > 1 || readings.isEmpty && column.openLine != nil
      kind.open = words
      if isOpen, column.isDeclared || column.choice != nil {
        let error = ImportedKindError(
          column: column.header,
          problem: kind.isOfTwoMonths
            ? .months(line: column.openLine)
            : .open(words.isEmpty ? column.possibleWays : words, line: column.openLine))
        guard isKeyedByID, readings.count > 1 else { throw error }
        undecided.append((name, expected, readings, error))
        kind.open = []
      }
      if !column.isStored {
        forms[name] =
          readings.count == 1
          ? .reading(readings[0])
          : .alone(expected, only: column.choice?.reading, leavingOutTimes: leavesOutTimes)
      }
      let isReading = column.choice?.reading != nil && !column.isDeclared
      kind.kind = isReading ? readings.first?.kind ?? expected.kind : expected.kind
      kind.leavesOutTimes = kind.kind == .date && column.recognition.hasTimes
      let hasValues =
        column.recognition.hasValues || column.countWithoutYear > 0 || kind.otherCount > 0
        || column.choice != nil
      guard hasValues, name != VCardFields.nextProperty else { return }
    } else {
      guard !isText, column.mayBeNew || cells != nil && column.isUnlisted else { return }
      if let stored = column.storedKinds, !isRewritten {
        // An export wrote the values in the form of their kind; any other ones are text.
        let found =
          readings.isEmpty && !column.recognition.hasValues && column.countWithoutYear > 0
          ? .date : readings.first?.kind
        guard readings.count < 2, let found, stored.contains(found) else { return }
        kind.kind = found
      } else if column.mayBeVersions {
        (kind.mayBeVersions, kind.example) = (true, column.example)
      } else if kind.mayBePast {
        kind.example = column.example
      } else if let reading = readings.first {
        if readings.count == 1 { forms[name] = .reading(reading) }
        (kind.kind, kind.open) = (reading.kind, words)
      } else if let nearly = column.counts.proposal(for: column.header) {
        kind.nearly = nearly
      } else if !kind.isOfTwoMonths {
        return
      }
    }
    if !kind.open.isEmpty {
      kind.example = column.example
      kind.examples = words.map { word in
        readings.first { $0.word == word }?.stored(column.example, today: today) ?? ""
      }
    }
    found.append(kind)
  }

  /// Whether the list has to say how the values of a column are written.
  var isUndecided: Bool { !undecided.isEmpty }

  /// Compares the values of a row with those that the list has.
  func compare(_ fields: CustomerFields, with own: CustomerFields) {
    for (name, values, readings, _) in undecided {
      let forms = readings.map { $0.stored(fields.text(ofColumn: name), today: today) }
      guard Set(forms).count > 1 else { continue }
      for (reading, form) in zip(readings, forms)
      where values.isSame(form ?? "", as: own.text(ofColumn: name)) {
        matches[reading.word, default: 0] += 1
      }
    }
  }

  /// Reads values in the way in which most of them are those of the list.
  ///
  /// - Throws: `ImportedKindError` if none is, or there are several such ways.
  func decide() throws {
    for (name, _, readings, error) in undecided {
      let counts = readings.map { matches[$0.word, default: 0] }
      guard let most = counts.max(), counts.count(where: { $0 == most }) == 1,
        let best = counts.firstIndex(of: most)
      else { throw error }
      forms[name] = .reading(readings[best])
    }
    undecided = []
  }

  /// Gives the values of a customer that was read before the form in which a list keeps them.
  func convert(_ fields: inout CustomerFields) {
    if let next = forms[VCardFields.nextProperty]?.stored(fields.next, today) { fields.next = next }
    guard !forms.isEmpty, fields.extra != "{}" else { return }
    var columns = fields.extraColumns
    var isChanged = false
    for name in forms.keys {
      guard let value = columns[name], value != .json("null"),
        let stored = stored(value.text, of: name).map(FieldValue.text), stored != value
      else { continue }
      // JSON of another type is as it was, unless the list has said what it must be.
      if case .json = value, !hasForm(name) { continue }
      (columns[name], isChanged) = (stored, true)
    }
    if isChanged { fields.extraColumns = columns }
  }

  /// The stored form of a value; nil if it stays as it is.
  ///
  /// A day of zeros, by which Outlook and databases say that there is none, is none.
  private func stored(_ text: String, of column: String) -> String? {
    guard let form = forms[column], !isMisfit(text, of: column) else { return nil }
    if form.isOfDays, text.isDayOfZeros { return "" }
    guard form.isOfDays, birthdays.contains(column) else { return form.stored(text, today) }
    // A year may be unknown.
    return CalendarDay.withoutYear(text)
      ?? form.stored(text, today).map { CalendarDay.past($0, writtenAs: text, today) }
  }

  /// How values get their stored form.
  private enum Form {
    case reading(ColumnReading)
    /// Each for itself, perhaps in only one way, by its word.
    case alone(ColumnKinds.Column, only: String?, leavingOutTimes: Bool)
    /// Texts, of which a moment at midnight is a day.
    case days

    var isOfText: Bool {
      switch self {
      case .reading: false
      case .alone(let column, _, _): column.kind.takesAnyText
      case .days: true
      }
    }

    var isOfDays: Bool {
      switch self {
      case .reading(let reading): [.date, .time].contains(reading.kind)
      case .alone(let column, _, _): [.date, .time].contains(column.kind)
      case .days: false
      }
    }

    /// The stored form; nil for a value that stays as it is.
    func stored(_ text: String, _ today: CalendarDay) -> String? {
      switch self {
      case .reading(let reading): reading.stored(text, today: today)
      case .alone(let column, let word, let leavesOutTimes):
        column.stored(writtenAlone: text, today, only: word, leavingOutTimes: leavesOutTimes)
      case .days:
        Moment(text).flatMap { $0.seconds == 0 && $0.offset == nil ? $0.day.description : nil }
      }
    }
  }

  /// A column of the file.
  private struct NotedColumn {
    var header: String
    var choice: ColumnKindChoice?
    var recognition: ColumnRecognition
    /// What the list, the caller, or the name says that the values are.
    var expected: ColumnKinds.Column?
    /// The kind that the list has declared, if the caller wants another one.
    var declared: ColumnKind?
    var isDeclared = false
    /// Whether a value that is not of the kind keeps its row from being imported.
    var isStrict = false
    /// Whether the values may say what a new column is.
    var mayBeNew = false
    /// Whether neither a list nor a name says anything of the column.
    var isUnlisted = false
    /// Whether an export wrote the values, which still have their stored form, and the caller says nothing of them.
    var isExact = false
    /// Whether an export wrote the values, and says what they are, of which some may be of another kind.
    var isStored = false
    /// The kinds of whose stored form all values are; nil unless an export wrote them.
    var storedKinds: Set<ColumnKind>?
    /// Whether its name, in any language, is that of birthdays.
    var hasBirthdays = false
    /// Whether it has birthdays, or is of an export and has the like, which may have no year.
    var mayLackYears = false
    /// How many of them have none.
    var countWithoutYear = 0
    /// Whether it has a number of JSON.
    var hasNumbers = false
    /// What all numbers so far have as their unit; nil for none, and before the first one.
    var unit: String??
    /// The values that are not of the kind.
    var others: [String] = []
    /// The first value.
    var example = ""
    /// The line of the first value that can be read in several ways.
    var openLine: Int?
    /// What the values are one by one, once they are only text together.
    var counts = KindCounts()

    /// Notes a value of a column of which nothing is known.
    mutating func take(_ text: String) {
      if !text.isEmpty { storedKinds = storedKinds?.filter { ColumnKinds.Column($0).isValue(text) } }
      if recognition.isOpen {
        recognize(text)
        guard !recognition.isOpen else { return }
        counts = KindCounts(recognition.before.count, of: recognition.before.kinds)
      }
      // What nearly all values are is said of the file of another program only.
      if mayBeNew, storedKinds == nil { counts.take(text) }
    }

    /// A value without the unit that all have, if someone says that the column is of numbers; nil if it has another one.
    mutating func withoutUnit(_ text: String) -> String? {
      guard choice?.expected == .number else { return text }
      let amount = MeasuredNumber(text)
      guard unit ?? amount?.unit == amount?.unit else { return nil }
      unit = .some(amount?.unit)
      return amount?.number ?? text
    }

    mutating func recognize(_ text: String) {
      if example.isEmpty { example = text }
      recognition.take(text)
    }

    /// Whether nothing but the values says that these are dates, and they may be versions.
    var mayBeVersions: Bool { expected == nil && recognition.mayBeVersions(in: header) }

    /// The ways in which a value of the kind can be read.
    var possibleWays: [String] {
      expected?.kind == .number ? ["1,234.5", "1.234,5"] : ["day first", "month first"]
    }
  }
}

extension CustomerFields {
  /// A value by the name of its column in ``ImportedKinds``.
  fileprivate func text(ofColumn name: String) -> String {
    name == VCardFields.nextProperty ? next : extraColumns[name]?.text ?? ""
  }
}

extension String {
  /// Whether it is written like a day, with nothing but zeros: `0.0.00`, `0000-00-00`.
  fileprivate var isDayOfZeros: Bool {
    guard utf8.count <= 10, let sign = utf8.first(where: { $0 != 0x30 }), ".-/".utf8.contains(sign) else {
      return false
    }
    let parts = utf8.split(separator: sign, omittingEmptySubsequences: false)
    return [[1, 1, 2], [1, 1, 4], [2, 2, 2], [2, 2, 4], [4, 2, 2]].contains(parts.map(\.count))
      && parts.allSatisfy { $0.allSatisfy { $0 == 0x30 } }
  }
}
