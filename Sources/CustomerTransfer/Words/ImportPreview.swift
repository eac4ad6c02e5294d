internal import CustomerStore
package import CustomersText

/// What a dry run of an import shows before its result: the columns, the first customer as it would be, and who
/// would be added, changed, and skipped.
package struct ImportPreview {
  private let summary: ImportSummary
  private let options: ImportOptions

  package init(_ summary: ImportSummary, _ options: ImportOptions) {
    (self.summary, self.options) = (summary, options)
  }

  /// All of it, a line each.
  package var lines: [String] { columns + linesBelowColumns }

  /// The same, where the columns are shown in another way.
  package var linesBelowColumns: [String] { firstCustomer + outcome }

  /// A line for each column that becomes a field, and one for all others.
  private var columns: [String] {
    let kept = summary.keptColumns(in: options.format).filter {
      $0.isPlainExtra && $0.name != ExtraColumns.card
    }
    let parts = summary.columns.filter(\.target.isPart).map { printable($0.name) }.joined(separator: ", ")
    let others = summary.columns.filter {
      !$0.isPlainExtra && !$0.target.isPart && ![.program, .uid].contains($0.target)
        && $0.name != $0.target.description
    }
    let names = kept.map { printable($0.name + kind(of: $0)) }.joined(separator: ", ")
    let dropped = summary.programColumns.map(printable).joined(separator: ", ")
    return others.map { printable("\($0.name) → \($0.target)\(kind(of: $0))") }
      + (parts.isEmpty ? [] : ["\(parts) → \(CustomerField.address.column)"])
      + (names.isEmpty ? [] : ["Extra columns: \(names)"])
      + (dropped.isEmpty ? [] : ["Left out, because only a program needs them: \(dropped)"])
  }

  /// The kind of an extra column in parentheses, unless it is text.
  private func kind(of column: ImportedColumn) -> String {
    summary.kind(of: column).map { $0 == .text ? "" : " (\($0.rawValue))" } ?? ""
  }

  /// One line per field that has a value, with further lines of a string below its first; at most 40.
  private var firstCustomer: [String] {
    guard let fields = summary.first?.fields else { return [] }
    let contacts = fields.contacts
    let main = ContactLine.Kind.allCases.compactMap { kind in
      contacts.first { $0.kind == kind && kind.field.map { fields[$0].text } == $0.value }
    }
    let texts = CustomerField.texts.map { field in
      guard field != .otherContacts else { return (field.title, fields.linesBeside(main).flatMap(lines)) }
      let label = main.first { $0.kind == field.contactKind }?.label ?? ""
      return (field.title + (label.isEmpty ? "" : " (\(label))"), lines(fields[field].text))
    }
    let marks = fields.isFavorite ? [(CustomerField.isFavorite.title, ["yes"])] : []
    let extra = fields.extraColumns.shown.map { ($0.name, lines($0.value.text)) }
    let shown = (texts + marks + extra).filter { !$0.1.isEmpty }
    let width = min(24, shown.map { displayWidth(printable($0.0)) + 1 }.max() ?? 0)
    let all = shown.flatMap { title, lines in
      lines.enumerated().map { (title: $0 == 0 ? printable(title) + ":" : "", line: $1) }
    }
    let rows = all.prefix(40).map { "  \(padded($0.title, to: width)) \(cut(printable($0.line), to: 60))" }
    let rest = all.count - rows.count
    let more = rest == 0 ? [] : ["  … and \(counted(rest, "more line"))"]
    return rows.isEmpty ? [] : ["The first customer:"] + rows + more
  }

  /// The lines of a value; none if it is empty.
  private func lines(_ text: String) -> [String] {
    text.isEmpty
      ? [] : text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
  }

  private var outcome: [String] {
    named(.add, summary.addedNames, of: summary.added)
      + summary.changes.map { change in
        let fields =
          change.fields.flatMap { field in
            field.changes.map { old, new in
              "\(printable(field.field.nameInSentence)) \(shown(old, beside: new)) → \(shown(new, beside: old))"
            }
          } + change.rightsInWords
        return Sentence(.change, "\(quoted(change.name)): \(fields.joined(separator: ", "))").text(
          isDryRun: true)
      } + more(.change, summary.updated - summary.changes.count)
      + named(.skip, summary.skippedNames, of: summary.skipped)
      + (options.takesOrder ? named(.move, summary.moved.names, of: summary.moved.count) : [])
      + (options.deletesMissing ? named(.delete, summary.missing.names, of: summary.missing.count) : [])
  }

  private func named(_ verb: Verb, _ names: [String], of count: Int) -> [String] {
    guard !names.isEmpty else { return [] }
    let words = names.map(quoted) + (count > names.count ? ["\(count - names.count) more"] : [])
    return [Sentence(verb, listed(words, "and")).text(isDryRun: true)]
  }

  private func more(_ verb: Verb, _ count: Int) -> [String] {
    count > 0 ? [Sentence(verb, "\(count) more").text(isDryRun: true)] : []
  }

  /// A string, from near its first difference to another one on, if both are long.
  private func shown(_ text: String, beside other: String) -> String {
    guard !text.isEmpty else { return "(empty)" }
    let same = zip(text, other).prefix { $0 == $1 }.count
    return quoted(cut(same < 30 ? text : "…" + text.dropFirst(same - 10), to: 40))
  }
}

extension CustomerFields {
  /// The lines of other contacts as people see them, without the main ones and their labels.
  fileprivate func linesBeside(_ main: [ContactLine]) -> [String] {
    let lines = otherContacts.split(separator: "\n").map(String.init).filter { text in
      guard let line = ContactLine(text) else { return true }
      return !main.contains { line.isLabel ? $0.kind == line.kind : $0 == line }
    }
    return lines.map { CustomerField.otherContacts.typed(line: $0) }
  }
}

extension ImportChange.Field {
  /// The strings before and after; of a field with several lines, of each line that differs.
  fileprivate var changes: [(old: String, new: String)] {
    guard field.kind == .lines else { return [(old, new)] }
    func lines(_ text: String, besides other: String) -> [String] {
      let known = Set(other.split(separator: "\n"))
      return text.split(separator: "\n").filter { !known.contains($0) }.map(String.init)
    }
    let (removed, added) = (lines(old, besides: new), lines(new, besides: old))
    // The lines are the same in another order.
    guard !removed.isEmpty || !added.isEmpty else { return [(old, new)] }
    return (0..<max(removed.count, added.count)).map { index in
      (index < removed.count ? removed[index] : "", index < added.count ? added[index] : "")
    }
  }
}

extension ImportChange {
  /// The protection that were changed.
  fileprivate var rightsInWords: [String] {
    [("can edit", rights.canEdit), ("can move", rights.canMove)].compactMap { name, right in
      right.map { "\(name) \($0 ? "no → yes" : "yes → no")" }
    }
  }
}

extension ImportedColumn {
  /// Whether the column is only an extra column, with the name that it has in the file.
  fileprivate var isPlainExtra: Bool {
    if case .field(let field) = target { return field == .extra(name) }
    return target.isExtra
  }
}

extension ImportSummary {
  /// What was done, or in a dry run would be done, in a sentence.
  ///
  /// - Parameters:
  ///   - options: how the file was read.
  ///   - count: how many rows the list has afterward.
  ///   - isDryRun: whether nothing was changed.
  /// - Returns: the sentence.
  package func sentence(_ options: ImportOptions, count: Int, isDryRun: Bool) -> String {
    let others = [
      (Verb.update, updated), (.skip, skipped), (.move, options.takesOrder ? moved.count : 0),
      (.delete, options.deletesMissing ? missing.count : 0),
    ].filter { $0.1 > 0 }
    let more = others.map { ", " + Sentence($0.0, "\($0.1)").clause(isDryRun: isDryRun) }.joined()
    let list = "the list \(isDryRun ? "would have" : "has") \(counted(count, "row"))"
    return Sentence(.import, "\(counted(added, "customer"))\(more); \(list)").text(isDryRun: isDryRun)
  }

  /// That people of the file are already in the list.
  package static func known(count: Int, first: String) -> String {
    "\(quoted(first)) \(count == 1 ? "is" : "and \(count - 1) more are") already in the list"
  }

  /// The names of the columns that are left out because only a program needs them.
  package var programColumns: [String] { columns.filter { $0.target == .program }.map(\.name) }

  /// The columns that are kept as extra columns; the member `extra` of an object holds some and is none.
  package func keptColumns(in format: FileFormat) -> [ImportedColumn] {
    columns.filter { $0.target.isExtra && (format.isTable || $0.target != .members) }
  }
}

/// The rejected rows so far: the number and the first ones.
package struct RejectedRows: Sendable {
  /// How many rows are reported one by one.
  private static let reportLimit = 1000

  /// How many they are.
  package private(set) var count = 0
  private var reported: [(row: RejectedRow, text: String)] = []
  /// How many only have fewer values than there are columns.
  private var shortCount = 0
  /// The encoding that the file rather has, if a row is not UTF-8.
  package private(set) var encoding: FileEncoding?

  /// The first row, if all only have fewer values than there are columns.
  package var firstShort: (row: RejectedRow, text: String)? { shortCount == count ? reported.first : nil }

  package init() {}

  /// Takes the next one.
  package mutating func add(_ row: RejectedRow) {
    count += 1
    if row.isShort { shortCount += 1 }
    encoding = encoding ?? row.encoding
    guard reported.count < RejectedRows.reportLimit else { return }
    let start = row.text.prefix(240).prefix { $0 != 0x0a && $0 != 0x0d }
    reported.append((row, cut(printable(String(decoding: start, as: UTF8.self)), to: 60)))
  }

  /// The bad rows for people, with the start of their text.
  package var details: [String] {
    reported.map { "     line \($0.row.place.inMessage): \($0.row.reason): \($0.text)" }
      + (count > reported.count ? ["     … and \(count - reported.count) more"] : [])
  }

  /// The bad rows for a program, up to the reported number.
  package var json: JSON {
    .array(
      reported.map { row, text in
        let column = row.place.column.map { [("column", JSON.int($0))] } ?? []
        return .object(
          [("line", .int(row.place.line))] + column
            + [("message", .string(row.reason)), ("text", .string(text))])
      })
  }
}

extension FilePlace {
  /// `12` or `12:3` with the byte.
  package var inMessage: String { "\(line)" + (column.map { ":\($0)" } ?? "") }
}
