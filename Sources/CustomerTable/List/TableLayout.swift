internal import CustomerStore

/// One line of a table: the title above a section, a row, the "add" row, or the text below a section.
public enum TableItem: Hashable, Sendable {
  /// The title of a section, by its index from 0.
  case header(Int)
  /// A row, by its number among the rows of all sections, from 0.
  case row(Int)
  /// The row that adds a customer to a section, by the section's index from 0.
  case add(Int)
  /// The text below a section, by its index from 0.
  case footer(Int)
}

/// Computes which line of a table is what: a million rows cost as much as ten.
public struct TableLayout: Hashable, Sendable {
  /// The contents of a section.
  public struct Part: Hashable, Sendable {
    /// The number of its rows; a negative number means none.
    public var rows: Int
    /// Whether it has a title.
    public var hasHeader = false
    /// Whether the "add" row is shown.
    public var hasAddRow = false
    /// Whether it has a string below.
    public var hasFooter = false

    var count: Int { rows.saturatingAdding((hasHeader ? 1 : 0) + (hasAddRow ? 1 : 0) + (hasFooter ? 1 : 0)) }
  }

  private let parts: [Part]
  /// The line at which each part starts.
  private let starts: [Int]
  /// The number of the first row of each part.
  private let firstRows: [Int]
  /// The number of lines.
  public let count: Int
  /// The number of rows with a customer.
  public let rowCount: Int

  /// Lays out sections one below the other. O(sections)
  public init(_ parts: [Part]) {
    var parts = parts
    var (starts, firstRows): ([Int], [Int]) = ([], [])
    var (line, row) = (0, 0)
    for index in parts.indices {
      parts[index].rows = max(0, parts[index].rows)
      starts.append(line)
      firstRows.append(row)
      line = line.saturatingAdding(parts[index].count)
      row = row.saturatingAdding(parts[index].rows)
    }
    (self.parts, self.starts, self.firstRows, count, rowCount) = (parts, starts, firstRows, line, row)
  }

  /// The number of sections.
  public var sectionCount: Int { parts.count }

  /// The item on a line; nil for any number outside the table.
  public subscript(line: Int) -> TableItem? {
    guard line >= 0, line < count, let index = Self.last(of: starts, upTo: line) else { return nil }
    let part = parts[index]
    var offset = line - starts[index]
    if part.hasHeader {
      if offset == 0 { return .header(index) }
      offset -= 1
    }
    if offset < part.rows { return .row(firstRows[index] + offset) }
    return part.hasAddRow && offset == part.rows ? .add(index) : .footer(index)
  }

  /// The line of an item; nil if the table does not have it.
  public func line(of item: TableItem) -> Int? {
    switch item {
    case .header(let index):
      return parts.indices.contains(index) && parts[index].hasHeader ? starts[index] : nil
    case .add(let index):
      guard parts.indices.contains(index), parts[index].hasAddRow else { return nil }
      return starts[index].saturatingAdding(parts[index].hasHeader ? 1 : 0).saturatingAdding(
        parts[index].rows)
    case .footer(let index):
      guard parts.indices.contains(index), parts[index].hasFooter else { return nil }
      return starts[index].saturatingAdding(parts[index].count - 1)
    case .row(let row):
      guard let path = path(ofRow: row) else { return nil }
      return starts[path.section].saturatingAdding(path.row).saturatingAdding(
        parts[path.section].hasHeader ? 1 : 0)
    }
  }

  /// The section of a row, and its number there, both from 0; nil if there is no such row.
  public func path(ofRow row: Int) -> (section: Int, row: Int)? {
    guard row >= 0, row < rowCount, let section = Self.last(of: firstRows, upTo: row) else { return nil }
    return (section, row - firstRows[section])
  }

  /// The number of the first row of a section, or of the row that would follow if it has none; before the first
  /// section 0, beyond the last one the number of all rows.
  public func firstRow(ofSection index: Int) -> Int {
    firstRows.indices.contains(index) ? firstRows[index] : index < 0 ? 0 : rowCount
  }

  /// The number of rows of a section; 0 if there is no such section.
  public func rows(inSection index: Int) -> Int { parts.indices.contains(index) ? parts[index].rows : 0 }

  /// The last index with a number that is not greater.
  private static func last(of numbers: [Int], upTo number: Int) -> Int? {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
