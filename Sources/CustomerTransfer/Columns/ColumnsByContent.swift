internal import CustomerStore
package import CustomersText

/// Names the columns of a table without a header by what is in them.
enum ColumnsByContent {
  /// The names that the values leave no doubt about: `email`, `phone`, `company`, and `name`, or `first_name` and
  /// `last_name`; nil for the others.
  static func names(_ head: [UInt8], _ dialect: TableDialect) -> [Int: String] {
    let rows = firstRows(head, dialect)
    let width = rows.map(\.count).max() ?? 0
    let columns = (0..<width).map { index in
      rows.compactMap { $0.count > index && !$0[index].isEmpty ? $0[index] : nil }
    }
    var names: [Int: String] = [:]
    func first(_ fits: ([String]) -> Bool) -> Int? {
      columns.indices.first { names[$0] == nil && !columns[$0].isEmpty && fits(columns[$0]) }
    }
    if let index = first({ $0.allSatisfy(\.isEMail) }) { names[index] = "email" }
    if let index = first({ $0.allSatisfy(\.isPhone) }) { names[index] = "phone" }
    if let index = first({ $0.isMostly(\.isCompany) }) { names[index] = "company" }
    let isOfNames = columns.indices.map { index in
      names[index] == nil && !columns[index].isEmpty && columns[index].allSatisfy(\.isName)
    }
    func isText(_ index: Int) -> Bool {
      index < width && names[index] == nil && columns[index].isMostly { $0.contains(where: \.isLetter) }
    }
    // Full names, or a column of first names with one of last names beside it, whichever come first.
    let found = columns.indices.first { index in
      isOfNames[index]
        && (columns[index].isMostly { $0.contains(" ") } || index + 1 < width && isOfNames[index + 1])
    }
    // Names are written first, whatever signs are in them; without one, a customer has no use.
    let isFirst = found == nil && !isOfNames.contains(true) && !names.values.contains("company") && isText(0)
    if let found, !columns[found].isMostly({ $0.contains(" ") }) {
      let isReversed = haveFirstNames(columns[found + 1], in: rows, besides: found)
      (names[found], names[found + 1]) =
        isReversed ? ("last_name", "first_name") : ("first_name", "last_name")
    } else if isFirst {
      let hasLastNames = isText(1) && !columns[0].isMostly { $0.contains(" ") }
      (names[0], names[1]) = hasLastNames ? ("first_name", "last_name") : ("name", names[1])
    } else if let index = found ?? (names.values.contains("company") ? nil : isOfNames.firstIndex(of: true)) {
      names[index] = "name"
    }
    return names
  }

  /// Whether the second of two columns of names has the first names: those with which the e-mail addresses begin.
  private static func haveFirstNames(_ names: [String], in rows: [[String]], besides column: Int) -> Bool {
    func count(_ index: Int) -> Int {
      rows.count { row in
        guard row.count > index, !row[index].isEmpty else { return false }
        return row.contains { $0.isEMail && $0.lowercased().hasPrefix(row[index].lowercased()) }
      }
    }
    return count(column + 1) > count(column)
  }

  private static func firstRows(_ head: [UInt8], _ dialect: TableDialect) -> [[String]] {
    var reader = CSVReader(dialect, readChunk: onePiece(head))
    var rows: [[String]] = []
    while rows.count < 20, let row = try? reader.next() { rows.append(row.fields) }
    return rows
  }
}

extension [String] {
  fileprivate func isMostly(_ fits: (String) -> Bool) -> Bool { count(where: fits) * 2 > count }
}

extension String {
  /// Whether it has the form of an e-mail address.
  var isEMail: Bool {
    guard utf8.contains(UInt8(ascii: "@")) else { return false }
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].dropFirst().contains(".")
      && !contains(where: \.isWhitespace)
  }

  /// Whether it has the form of a phone number, and not of a date such as 1985-03-04.
  fileprivate var isPhone: Bool {
    guard count(where: \.isNumber) >= 6, allSatisfy({ $0.isNumber || " +-()/".contains($0) }) else {
      return false
    }
    let parts = split { $0 == "-" || $0 == "/" }
    let isDate = parts.count == 3 && parts.count { $0.count == 4 } == 1 && parts.count { $0.count <= 2 } == 2
    return !isDate || !allSatisfy { $0.isNumber || $0 == "-" || $0 == "/" }
  }

  /// Whether it may be a name.
  fileprivate var isName: Bool {
    contains(where: \.isLetter) && allSatisfy { $0.isLetter || " .'’-".contains($0) }
  }
}

/// The name of an extra column in a file: one that would be taken for a field has the prefix `extra.`.
enum ExtraName {
  static let prefix = "extra."

  /// The columns that say which row it is or where it is.
  private static let placing = ColumnPlan.listedColumns + ["section_title", "version", "uid", "next", "log"]

  /// The name without the prefix, if it needs one.
  static func unescaped(_ column: String) -> String {
    guard column.hasPrefix(prefix) else { return column }
    // A name with several prefixes needs one if the name without any does.
    var name = column.utf8[...]
    while name.starts(with: prefix.utf8) { name = name.dropFirst(prefix.utf8.count) }
    return isAmbiguous(String(Substring(name))) ? String(column.dropFirst(prefix.count)) : column
  }

  /// Whether a column with this name, which has no prefix, could be taken for a field.
  private static func isAmbiguous(_ name: String) -> Bool {
    ColumnTarget(exactly: name) != .extra || isUnderstood(name) || placing.contains(name)
      || ColumnPlan.isNext(name) || SpreadsheetMark.isMarked(name)
  }

  /// Whether the name would be a field in a file of another program.
  private static func isUnderstood(_ name: String) -> Bool {
    ColumnMeaning(name).map { $0.part == nil } ?? false
  }

  /// The names of the extra columns in a file, next to other columns.
  ///
  /// - Parameters:
  ///   - names: the names in the list.
  ///   - columns: the other columns.
  /// - Returns: the names in the file.
  static func escaping(_ names: [String], beside columns: [String]) -> [String] {
    let areListed =
      columns.starts(with: ExportLayout.identifying)
      || ColumnPlan.listedColumns.allSatisfy { names.contains($0) || columns.contains($0) }
    return names.map { name in
      let isTaken =
        ColumnTarget(exactly: name) != .extra || columns.contains(name) || SpreadsheetMark.isMarked(name)
        || unescaped(name) != name || ColumnPlan.isNext(name)
      return isTaken || areListed && placing.contains(name) ? prefix + name : name
    }
  }
}

/// A section in a file, without its customers.
package struct SectionHeading: Equatable, Sendable {
  package let title: String
  package let footer: String

  private static let columns = ["section", "footer"]

  package init(title: String, footer: String) { (self.title, self.footer) = (title, footer) }

  /// The section that a record describes; nil if it describes a customer.
  init?(_ record: Record) {
    guard record.columns == SectionHeading.columns else { return nil }
    self.init(title: record.values[0].plain, footer: record.values[1].plain)
  }

  package var json: JSON { .object([("section", .string(title)), ("footer", .string(footer))]) }
}

/// What a list says about its extra columns, in a file without rows for it.
struct ColumnsHeading {
  private static let name = "columns"

  let columns: [(name: String, values: ColumnKinds.Column)]

  init(_ declared: [DeclaredColumn]) {
    columns = declared.map { ($0.name, ColumnKinds.Column($0.kind, choices: $0.choices)) }
  }

  /// The declarations that a record has; nil if it describes a customer.
  ///
  /// - Throws: `ParseError` if a column has a kind that is not known here.
  init?(_ record: Record) throws {
    guard record.columns == [ColumnsHeading.name], case .json(let text) = record.values[0],
      case .array(let values)? = try? JSON(reading: Array(text.utf8)), !values.isEmpty
    else { return nil }
    var columns: [(String, ColumnKinds.Column)] = []
    for value in values {
      guard let members = try? JSONMembers(value), let name = try? members.text("name"), !name.isEmpty,
        let kind = try? members.text("kind")
      else { return nil }
      guard let kind = ColumnKind(rawValue: kind) else {
        throw ParseError(
          line: record.line, message: "the kind of a column is none of \(ColumnKind.words)")
      }
      columns.append((name, ColumnKinds.Column(kind, choices: (try? members.texts("choices")) ?? [])))
    }
    self.columns = columns
  }

  var json: JSON {
    .object([
      (
        ColumnsHeading.name,
        .array(
          columns.map { name, values in
            .object(
              [("name", .string(name)), ("kind", .string(values.kind.rawValue))]
                + (values.choices.isEmpty ? [] : [("choices", .array(values.choices.map(JSON.string)))]))
          })
      )
    ])
  }
}
