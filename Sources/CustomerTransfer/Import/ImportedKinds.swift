internal import CustomersText
package import CustomerStore

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
  private let today = CalendarDay.today
  private var listed: ListedColumns?
  private var noted: [String: NotedColumn] = [:]
  private var names: [String] = []
  private var forms: [String: Form] = [:]
  private var isSettled = false

  /// - Parameters:
  ///   - asked: the kinds that the caller chose.
  ///   - format: in a table, a column that the list has not declared is recognized by its values, in cards and the like by
  ///     its name.
  init(_ asked: [ColumnKindChoice], _ format: FileFormat) {
    (self.asked, recognizesAll, recognizesKnown) = (
      asked, format.isTable, format.hasExactColumns
    )
  }

  /// Begins again, in a list with these columns.
  func begin(_ listed: ListedColumns) { (self.listed, noted, names) = (listed, [:], []) }

  /// Notes a value of a column; once the kinds are settled, returns its stored form.
  ///
  /// - Parameters:
  ///   - text: the value.
  ///   - column: the name of the column in the list.
  ///   - header: its name in the file.
  ///   - isOwn: whether an export wrote the value, which is exact.
  /// - Returns: the value.
  /// - Throws: `KindError` if the list has declared the column, and the value is not of its kind.
  func value(
    _ text: String, of column: String, header: String, isOwn: Bool
  ) throws(KindError) -> String {
    // A column without a name can't be declared.
    guard !column.isEmpty else { return text }
    guard !isSettled else { return forms[column]?.stored(text, today) ?? text }
    if noted[column] == nil {
      noted[column] = note(column, header, isOwn: isOwn)
      names.append(column)
    }
    guard let expected = noted[column]?.expected, !text.allSatisfy(\.isWhitespace),
      !expected.mayBeWritten(as: text, today)
    else {
      noted[column]?.recognition.take(text)
      return text
    }
    guard noted[column]?.isStrict == false else { throw expected.error(.unlike, text, column) }
    noted[column]?.others.append(text)
    return text
  }

  /// Notes a next date of a table; once the kinds are settled, returns its stored form.
  ///
  /// - Throws: `KindError` if it is none.
  func next(_ text: String, header: String) throws(KindError) -> String {
    let (name, column) = (VCardFields.nextProperty, ColumnKinds()[.next])
    guard !isSettled, recognizesAll else {
      return try ColumnKinds.stored(next: forms[name]?.stored(text, today) ?? text, today: today)
    }
    // A word such as friday is a day, too, and says nothing about the others.
    guard !text.isEmpty, column.mayBeWritten(as: text, today) else {
      return try ColumnKinds.stored(next: text, today: today)
    }
    if noted[name] == nil {
      var next = note(name, header, isOwn: true)
      (next.expected, next.isDeclared) = (column, true)
      noted[name] = next
      names.append(name)
    }
    noted[name]?.recognition.take(text)
    return text
  }

  /// What is known of a column before its values.
  private func note(_ column: String, _ header: String, isOwn: Bool) -> NotedColumn {
    let choice = asked.first { choice in
      [header, column].contains { Name($0).key == Name(choice.column).key }
    }
    let declared = listed?.kinds.declared(column)
    let isListed = listed?.has(column) ?? false
    var noted = NotedColumn(header: header, choice: choice, recognition: ColumnRecognition(today: today))
    noted.isDeclared = declared != nil
    noted.isUnlisted = recognizesAll && !isListed
    noted.mayBeNew = choice != nil || recognizesAll && !isOwn && !isListed
    guard choice == nil else { return noted }
    let isNamed = recognizesAll && !isOwn || recognizesKnown
    let known = isNamed && !isListed ? KnownColumn(column)?.values : nil
    noted.expected = declared ?? known
    noted.isStrict = declared != nil && KnownColumn(column) == nil
    return noted
  }

  /// Decides what each column is.
  ///
  /// A column that the list has, and has not declared, stays text.
  ///
  /// - Parameter cells: what the types of a spreadsheet's cells say, by the names in the file.
  /// - Throws: `ImportedKindError` if values are not of the kind that the caller chose, or may be read in several ways as
  ///   of the kind that the list has declared.
  func settle(cells: [String: CellKind]) throws {
    isSettled = true
    for name in names {
      guard let column = noted[name] else { continue }
      try settle(name, column, cells[column.header])
    }
    for choice in asked
    where !names.contains(where: { name in
      [name, noted[name]?.header ?? name].contains { Name($0).key == Name(choice.column).key }
    }) {
      throw ImportedKindError(choice: choice, near: nearest(to: choice.column, among: names, areNames: true))
    }
    noted = [:]
  }

  private func settle(_ name: String, _ column: NotedColumn, _ cells: CellKind?) throws {
    var kind = ImportedKind(column: name, header: column.header, kind: .text, isNew: !column.isDeclared)
    (kind.others, kind.otherCount) = (Array(column.others.prefix(3)), column.others.count)
    var readings = column.recognition.readings
    // A number of a spreadsheet is one, whatever its digits are.
    if let cells, cells.isPure {
      if cells.kind == .number { readings = [.number(.point)] }
      if cells.kind == .yesNo { readings = [.yesNo] }
    }
    if let choice = column.choice {
      let fitting = readings.filter(choice.takes)
      guard choice.kind != .text else { return }
      guard fitting.count == 1 else {
        throw ImportedKindError(choice: choice, readings: fitting.map(\.word))
      }
      (forms[name], kind.kind) = (.reading(fitting[0]), fitting[0].kind)
    } else if let expected = column.expected {
      let fitting = readings.filter { $0.fits(expected.kind) }
      guard fitting.count < 2 || !column.isDeclared else {
        throw ImportedKindError(
          choice: ColumnKindChoice(column.header, expected.kind), readings: fitting.map(\.word))
      }
      forms[name] = fitting.count == 1 ? .reading(fitting[0]) : .alone(expected)
      kind.kind = expected.kind == .date && fitting.first?.kind == .time ? .time : expected.kind
      kind.open = fitting.count > 1 ? fitting.map(\.word) : []
      guard column.recognition.hasValues || kind.otherCount > 0, name != VCardFields.nextProperty else {
        return
      }
    } else {
      guard column.mayBeNew || cells != nil && column.isUnlisted, let reading = readings.first else { return }
      if readings.count == 1 { forms[name] = .reading(reading) }
      (kind.kind, kind.open) = (reading.kind, readings.count == 1 ? [] : readings.map(\.word))
    }
    found.append(kind)
  }

  /// Gives the values of a customer that was read before the form in which a list keeps them.
  func convert(_ fields: inout CustomerFields) {
    if let next = forms[VCardFields.nextProperty]?.stored(fields.next, today) { fields.next = next }
    guard !forms.isEmpty, fields.extra != "{}" else { return }
    var columns = fields.extraColumns
    var isChanged = false
    for (name, form) in forms {
      guard case .text(let text)? = columns[name], let stored = form.stored(text, today), stored != text
      else { continue }
      (columns[name], isChanged) = (.text(stored), true)
    }
    if isChanged { fields.extraColumns = columns }
  }

  /// How values get their stored form.
  private enum Form {
    case reading(ColumnReading)
    /// Each for itself.
    case alone(ColumnKinds.Column)

    /// The stored form; nil for a value that stays as it is.
    func stored(_ text: String, _ today: CalendarDay) -> String? {
      switch self {
      case .reading(let reading): reading.stored(text, today: today)
      case .alone(let column): column.stored(writtenAlone: text, today)
      }
    }
  }

  /// A column of the file.
  private struct NotedColumn {
    var header: String
    var choice: ColumnKindChoice?
    var recognition: ColumnRecognition
    /// What the list, or the name, says that the values are.
    var expected: ColumnKinds.Column?
    var isDeclared = false
    /// Whether a value that is not of the kind keeps its row from being imported.
    var isStrict = false
    /// Whether the values may say what a new column is.
    var mayBeNew = false
    /// Whether neither a list nor a name says anything of the column.
    var isUnlisted = false
    /// The values that are not of the kind.
    var others: [String] = []
  }
}

/// The kind of an own column of a file.
package struct ImportedKind: Hashable, Sendable {
  package var column: String
  /// Its name in the file.
  package var header: String
  package var kind: ColumnKind
  /// The ways in which all values can be read, if there are several; then they stay text.
  package var open: [String] = []
  /// Whether the list has not declared the column.
  package var isNew: Bool
  /// The first values that are not of the kind of the column, and stay as they are, and how many there are.
  package var others: [String] = []
  package var otherCount = 0
}

/// The kind that a person chose for a column of a file, perhaps with the way in which its values are read.
package struct ColumnKindChoice: Hashable, Sendable {
  package var column: String
  /// The kind; nil for that of the reading.
  package var kind: ColumnKind?
  /// The word of the reading; nil for the only one.
  package var reading: String?

  /// The choice with a word: a kind, or a way to read values such as `day first`; nil for any other.
  package init?(column: String, word: String) {
    self.column = column
    kind = ColumnKind(rawValue: word)
    guard kind == nil else { return }
    guard let found = ColumnReading.words.first(where: { $0 == word.replacing("-", with: " ") }) else {
      return nil
    }
    reading = found
  }

  fileprivate init(_ column: String, _ kind: ColumnKind) { (self.column, self.kind) = (column, kind) }

  fileprivate func takes(_ found: ColumnReading) -> Bool {
    kind ?? found.kind == found.kind && reading ?? found.word == found.word
  }
}

/// A kind that was chosen for a column of a file which it does not fit.
package struct ImportedKindError: Error, Hashable, Sendable {
  package var choice: ColumnKindChoice
  /// The ways in which all values can be read, if there are several.
  package var readings: [String] = []
  /// The column that may be meant, if the file has no such own column.
  package var near: String?
}

extension ImportedKindError: ExplainedError {
  package var description: String { explanation.reason }

  package var explanation: Explanation {
    let (column, word) = (choice.column, choice.kind?.rawValue ?? choice.reading ?? "")
    var explanation = Explanation.usage(
      readings.isEmpty
        ? "the file has no extra column \"\(column)\" whose values are all of the kind \(word)"
        : "all values of \"\(column)\" can be read in \(readings.count) ways")
    if !readings.isEmpty {
      let ways = readings.map { "\"\(column)=\($0.replacing(" ", with: "-"))\"" }.joined(separator: " or ")
      explanation.remedies = [.advice("say how they are written: --kind \(ways)")]
    } else if let near {
      explanation.remedies = [.advice("did you mean \"\(near)\"?")]
    }
    return explanation
  }
}
