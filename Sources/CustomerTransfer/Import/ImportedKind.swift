package import CustomerStore

/// The kind of an own column of a file.
package struct ImportedKind: Hashable, Sendable {
  /// Its name in the list.
  package var column: String
  /// Its name in the file.
  package var header: String
  /// What the values are.
  package var kind: ColumnKind
  /// The ways in which all values can be read, if there are several; then they stay text.
  package var open: [String] = []
  /// What each of these ways makes of the first value.
  package var examples: [String] = []
  /// The first value.
  package var example = ""
  /// Whether the list has not declared the column.
  package var isNew: Bool
  /// The first values that are not of the kind of the column, and stay as they are, and how many there are.
  package var others: [String] = []
  package var otherCount = 0
  /// How many birthdays have no year.
  package var countWithoutYear = 0
  /// The column whose dates decide in which order these are written.
  package var follows: String?
  /// Whether some values have a time of day, which a date has not.
  package var leavesOutTimes = false
  /// Whether years of two digits may all be past ones; unless someone says that these are dates, they stay text.
  package var mayBePast = false
  /// Whether the name of a month is that of another one in another language.
  package var isOfTwoMonths = false
  /// Whether the values may be versions such as 1.10.20, or dates; then they stay text.
  package var mayBeVersions = false
  /// What nearly all values are, if the others keep the column text.
  package var nearly: ColumnProposal?

  /// What a person may not expect of the values.
  package var notes: [String] {
    [
      follows.map { "the dates of \"\(column)\" are read in the order of those of \"\($0)\"" },
      mayBePast
        ? "the years of two digits of \"\(column)\" "
          + (kind == .text
            ? "may be past ones or to come, so it stays text: \(example)"
            : "are at most 20 years from now, though some may be past ones")
        : nil,
      countWithoutYear > 0 ? "\"\(column)\" has \(counted(countWithoutYear, "day")) without a year" : nil,
      leavesOutTimes ? "\"\(column)\" has dates, so the times of day are left out" : nil,
      isOfTwoMonths
        ? "a month of \"\(column)\" is another one in another language, so it stays text: \(example)" : nil,
      mayBeVersions ? "\"\(column)\" may be versions or dates, so it stays text: \(example)" : nil,
      nearly.map { "\($0.sentence), so it stays text" },
    ].compactMap(\.self)
  }
}

/// What is wrong with what the values of a column of a file are to be.
package struct ImportedKindError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// The file has no such own column; perhaps another one was meant.
    case missing(near: String?)
    /// The list has declared the column, as another kind than the one that was chosen.
    case declared(ColumnKind, asked: String)
    /// Values can be read in several ways, first in a line.
    case open([String], line: Int?)
    /// A month is another one in another language, first in a line.
    case months(line: Int?)
  }

  /// The name of the column.
  package var column: String
  /// What is wrong.
  package var problem: Problem
}

extension ImportedKindError: ExplainedError {
  package var explanation: Explanation {
    var explanation: Explanation
    switch problem {
    case .missing(let near):
      explanation = .usage("the file has no extra column \"\(column)\"")
      if let near { explanation.remedies = [.advice("did you mean \"\(near)\"?")] }
    case .declared(let kind, let asked):
      explanation = .usage("the values of \"\(column)\" in the list are declared as \(kind.rawValue)")
      let change = "customers columns kind \"\(column)\" \(asked)"
      explanation.remedies = [.advice("to change that first: \(change)")]
    case .open(let ways, let line):
      let first = line.map { ", first in line \($0)," } ?? ""
      explanation = .usage("values of \"\(column)\"\(first) can be read in \(ways.count) ways")
      explanation.remedies = [.advice("say how they are written: \(choices)")]
    case .months(let line):
      let first = line.map { ", first in line \($0)," } ?? ""
      explanation = .usage("a month in \"\(column)\"\(first) is another one in another language")
      explanation.remedies = [
        .advice("write its number in the file, or keep the values as text: --kind \"\(column)=text\"")
      ]
    }
    return explanation
  }

  /// The ways in which the values can be read; empty if that is not what is wrong.
  package var ways: [String] { if case .open(let ways, _) = problem { ways } else { [] } }

  /// Whether the values are numbers.
  package var isOfNumbers: Bool {
    ways.contains { ColumnKindChoice(column: column, word: $0)?.expected == .number }
  }

  /// The options that say how values are written, of which one is needed; empty if that is not what is wrong.
  package var choices: String {
    listed(ways.map { "--kind \"\(column)=\($0.replacing(" ", with: "-"))\"" })
  }
}
