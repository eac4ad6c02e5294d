package import CustomerStore

/// What the own columns of a table are: noted while its rows are read, then settled, so that all values get the form in
/// which a list keeps them.
final class ImportedKinds {
  /// The columns that get a kind, in the order of the file.
  private(set) var found: [ImportedKind] = []
  private let asked: [ColumnKindChoice]
  private let today = CalendarDay.today
  private var recognitions: [String: ColumnRecognition] = [:]
  private var names: [String] = []
  private var readings: [String: ColumnReading] = [:]
  private var isSettled = false

  /// - Parameter asked: the kinds that the caller chose.
  init(_ asked: [ColumnKindChoice]) { self.asked = asked }

  /// Notes a value of a column; once the kinds are settled, returns its stored form.
  func value(_ text: String, of column: String) -> String {
    // A column without a name can't be declared.
    guard !column.isEmpty else { return text }
    guard !isSettled else { return readings[column]?.stored(text, today: today) ?? text }
    if recognitions[column] == nil {
      recognitions[column] = ColumnRecognition(today: today)
      names.append(column)
    }
    recognitions[column]?.take(text)
    return text
  }

  /// Decides what each column is, in a list with other columns.
  ///
  /// A column that the list has, and has not declared, stays text.
  ///
  /// - Parameters:
  ///   - listed: the columns of the list; nil if none of the file may be one of them.
  ///   - isOwn: whether an export wrote the values, which are exact.
  /// - Throws: `ImportedKindError` if values are not of the kind that the caller chose.
  func settle(_ listed: ListedColumns?, isOwn: Bool) throws {
    isSettled = true
    for name in names {
      guard let recognition = recognitions[name] else { continue }
      let choice = asked.first { Name($0.column).key == Name(name).key }
      let known = listed?.name(like: name)
      let declared = listed?.kinds.declared(known ?? name)
      guard choice != nil || declared != nil || !isOwn && known == nil else { continue }
      let fitting = recognition.readings.filter { reading in
        choice.map { $0.takes(reading) } ?? declared.map { $0.kind == reading.kind } ?? true
      }
      let isCertain = fitting.count == 1
      if let choice, choice.kind != .text, !isCertain {
        throw ImportedKindError(choice: choice, readings: fitting.map(\.word))
      }
      guard let reading = fitting.first else { continue }
      if isCertain { (readings[name], readings[known ?? name]) = (reading, reading) }
      found.append(
        ImportedKind(
          column: known ?? name, header: name, kind: reading.kind, open: isCertain ? [] : fitting.map(\.word),
          isNew: declared == nil))
    }
    for choice in asked where !names.contains(where: { Name($0).key == Name(choice.column).key }) {
      throw ImportedKindError(choice: choice, near: nearest(to: choice.column, among: names, areNames: true))
    }
    recognitions = [:]
  }

  /// Gives the values of a customer that was read before the form in which a list keeps them.
  func convert(_ fields: inout CustomerFields) {
    guard !readings.isEmpty, fields.extra != "{}" else { return }
    var columns = fields.extraColumns
    for (name, reading) in readings {
      guard case .text(let text)? = columns[name], let stored = reading.stored(text, today: today),
        stored != text
      else { continue }
      columns[name] = .text(stored)
    }
    fields.extraColumns = columns
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
