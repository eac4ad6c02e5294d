package import CustomerStore

/// The number of screen lines of each part of a table.
public struct LineHeights: Hashable, Sendable {
  /// The title of a section: 2 with a blank line above it, at most 100.
  public var header: Int
  /// A subtitle below its row, at most 100; 0 if it is shown next to the name.
  public var subtitle: Int

  /// The heights; by default, everything takes one line.
  public init(header: Int = 1, subtitle: Int = 0) { (self.header, self.subtitle) = (header, subtitle) }

  /// The heights within their limits.
  var clamped: LineHeights {
    LineHeights(header: min(max(header, 0), 100), subtitle: min(max(subtitle, 0), 100))
  }
}

/// How many lines of the table fit on the screen.
extension TableState {
  /// The number of screen lines of a table line; one for a row that was not read yet.
  public func height(of item: TableItem) -> Int {
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
