package import CustomerStore

/// One line of a table: the title above a section, a row, the "add" row, or the text below a section.
package enum TableItem: Hashable, Sendable {
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
package struct TableLayout: Hashable, Sendable {
  /// The contents of a section.
  package struct Part: Hashable, Sendable {
    /// The number of its rows; a negative number means none.
    package var rows: Int
    /// Whether it has a title.
    package var hasHeader = false
    /// Whether the "add" row is shown.
    package var hasAddRow = false
    /// Whether it has a string below.
    package var hasFooter = false

    var count: Int { rows.saturatingAdding((hasHeader ? 1 : 0) + (hasAddRow ? 1 : 0) + (hasFooter ? 1 : 0)) }
  }

  private let parts: [Part]
  /// The line at which each part starts.
  private let starts: [Int]
  /// The number of the first row of each part.
  private let firstRows: [Int]
  /// The number of lines.
  package let count: Int
  /// The number of rows with a customer.
  package let rowCount: Int

  /// Lays out sections one below the other. O(sections)
  package init(_ parts: [Part]) {
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
  package var sectionCount: Int { parts.count }

  /// The item on a line; nil for any number outside the table.
  package subscript(line: Int) -> TableItem? {
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
  package func line(of item: TableItem) -> Int? {
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
  package func path(ofRow row: Int) -> (section: Int, row: Int)? {
    guard row >= 0, row < rowCount, let section = Self.last(of: firstRows, upTo: row) else { return nil }
    return (section, row - firstRows[section])
  }

  /// The number of the first row of a section, or of the row that would follow if it has none; before the first
  /// section 0, beyond the last one the number of all rows.
  package func firstRow(ofSection index: Int) -> Int {
    firstRows.indices.contains(index) ? firstRows[index] : index < 0 ? 0 : rowCount
  }

  /// The number of rows of a section; 0 if there is no such section.
  package func rows(inSection index: Int) -> Int { parts.indices.contains(index) ? parts[index].rows : 0 }

  /// The last index with a number that is not greater.
  private static func last(of numbers: [Int], upTo number: Int) -> Int? {
    let next = numbers.partitionIndex { $0 > number }
    return next > 0 ? next - 1 : nil
  }
}

/// The number of screen lines of each part of a table.
package struct LineHeights: Hashable, Sendable {
  /// The title of a section: 2 with a blank line above it, at most 100.
  package var header: Int
  /// A subtitle below its row, at most 100; 0 if it is shown next to the name.
  package var subtitle: Int

  /// The heights; by default, everything takes one line.
  package init(header: Int = 1, subtitle: Int = 0) { (self.header, self.subtitle) = (header, subtitle) }

  /// The heights within their limits.
  var clamped: LineHeights {
    LineHeights(header: min(max(header, 0), 100), subtitle: min(max(subtitle, 0), 100))
  }
}

/// How many lines of the table fit on the screen.
extension TableState {
  /// The number of screen lines of a table line; one for a row that was not read yet.
  package func height(of item: TableItem) -> Int {
    switch item {
    case .header: heights.header
    case .row(let row):
      // Where all rows have one line, their values need not be known.
      heights.subtitle == 0 || customer(inShownRow: row).flatMap(subtitle) == nil ? 1 : 1 + heights.subtitle
    case .add, .footer: 1
    }
  }

  /// The text below or next to the name of a customer; nil for none.
  func subtitle(of customer: Customer) -> String? {
    let chosen = columns.map { columns in
      columns.map { contents.cell($0, of: customer).text }.filter { !$0.isEmpty }.joined(separator: " · ")
    }
    let usual = chosen ?? policy.subtitle(customer)
    let found = found(in: customer, besides: [customer.name, usual])
    // What was found comes first, unless something can be seen of it anyway.
    let isSeen = !found.isEmpty && search.map { !TextSearch($0.field.text).ranges(in: usual).isEmpty } == true
    let text = (isSeen ? [usual, found] : [found, usual]).filter { !$0.isEmpty }.joined(separator: " · ")
    return text.isEmpty ? (isEditing && !policy.emptyNoteHint.isEmpty ? policy.emptyNoteHint : nil) : text
  }

  /// The fields in which the search found something, besides values that are shown anyway, in one line; may be empty.
  package func found(in customer: Customer, besides texts: [String]) -> String {
    guard let search else { return "" }
    let found =
      search.filter?.matchingTexts(of: customer) ?? TextSearch(search.field.text).matchingTexts(of: customer)
    return found.described(besides: texts)
  }

  /// The number of table lines on the screen, with a given line at the top; the last may be cut off.
  func count(from top: Int, in layout: TableLayout) -> Int {
    var (line, used) = (top, 0)
    while used < height, let item = layout[line] {
      used += height(of: item)
      line += 1
    }
    return line - top
  }

  /// The first top line with which another line, further down, is fully on the screen.
  func top(showing line: Int, in layout: TableLayout) -> Int {
    var top = line
    var used = layout[line].map(height) ?? 1
    while let item = layout[top - 1] {
      used += height(of: item)
      if used > height { break }
      top -= 1
    }
    return top
  }
}

/// A row to draw.
package struct ShownRow: Sendable, Equatable {
  /// The control at the left of a row in edit mode.
  package enum Control: Sendable { case delete, insert }

  /// The customer.
  package var customer: Customer
  /// The number in the whole list, from 1; while rows are in hand, the one it would have.
  package var number: Int
  /// The text below or beside the name; nil for none.
  package var subtitle: String?
  /// The control at its left, in edit mode.
  package var control: Control?
  /// Whether it has a handle at its right, in edit mode.
  package var hasHandle = false
  /// The text of its Delete button, while it is visible.
  package var deleteTitle: String?
  /// Its appearance.
  package var isCursor = false, isMarked = false, isCut = false, isInHand = false
  /// Whether another program has just changed it.
  package var isFlashing = false
  /// Whether a button is visible in another row.
  package var isDimmed = false

  /// The name.
  package var title: String { customer.name }
  /// Whether the customer is marked as a favorite.
  package var isFavorite: Bool { customer.fields.isFavorite }
}

/// A line of the screen.
package enum ShownLine: Sendable, Equatable {
  /// The title of a section.
  case header(CustomerSection)
  /// A row.
  case row(ShownRow)
  /// The row that adds a customer to a section.
  case add(CustomerSection, title: String, isCursor: Bool)
  /// The text below a section.
  case footer(CustomerSection)
  /// A row that was not read yet.
  case loading
}

extension TableState {
  /// The lines of the table from the top of the screen; the last one may be cut off, and at the end of the
  /// list there are fewer than fit.
  package var lines: [ShownLine] {
    let layout = layout
    return (top..<top + count(from: top, in: layout)).compactMap { layout[$0].map(line) }
  }

  private func line(_ item: TableItem) -> ShownLine {
    switch item {
    case .header(let index): return .header(contents.sections[index])
    case .footer(let index): return .footer(contents.sections[index])
    case .add(let index):
      let section = contents.sections[index]
      return .add(section, title: policy.addTitle, isCursor: cursor == .end(of: section.id) && drag == nil)
    case .row(let row):
      return customer(inShownRow: row).map { .row(shown($0, row)) } ?? .loading
    }
  }

  private func shown(_ customer: Customer, _ row: Int) -> ShownRow {
    let id = customer.id
    let isConfirming = confirmation?.row == id
    return ShownRow(
      customer: customer, number: (!showsWholeList ? contents.listRow(of: customer) : row) + 1,
      subtitle: subtitle(of: customer),
      control: isEditing && policy.canEdit(customer) ? .delete : nil,
      hasHandle: isEditing && showsWholeList && policy.canMove(customer) && !isConfirming,
      deleteTitle: isConfirming ? policy.deleteTitle(customer) : nil,
      isCursor: cursor == .row(id), isMarked: marked.contains(id), isCut: cut.contains(id),
      isInHand: drag?.ids.contains(id) == true, isFlashing: flashing.contains(id),
      isDimmed: confirmation != nil && !isConfirming)
  }
}
