internal import CustomerStore

/// How many lines of the screen the parts of a table take.
public struct LineHeights: Hashable, Sendable {
  /// The title of a section: 2 with a blank line above it.
  public var header: Int
  /// A subtitle below its row; 0 if it is shown beside the name.
  public var subtitle: Int

  /// The heights; by default, everything takes one line.
  public init(header: Int = 1, subtitle: Int = 0) { (self.header, self.subtitle) = (header, subtitle) }
}

/// How many lines of the table fit on the screen.
extension TableState {
  /// How many lines of the screen a line of the table takes; of a row that was not read yet, one.
  public func height(of item: TableItem) -> Int {
    switch item {
    case .header: heights.header
    case .row(let row):
      1 + (customer(inShownRow: row).flatMap(subtitle) == nil ? 0 : heights.subtitle)
    case .add, .footer: 1
    }
  }

  /// What is shown below or beside the name of a customer; nil for nothing.
  func subtitle(of customer: Customer) -> String? {
    let text = policy.subtitle(customer)
    return text.isEmpty ? (isEditing && !policy.emptyNoteHint.isEmpty ? policy.emptyNoteHint : nil) : text
  }

  /// How many lines of the table are on the screen, if a line of it is at the top; the last may be cut off.
  func count(from top: Int, in layout: TableLayout) -> Int {
    var (line, used) = (top, 0)
    while used < height, let item = layout[line] {
      used += height(of: item)
      line += 1
    }
    return line - top
  }

  /// The first line at the top of the screen with which another one, further down, is whole on it.
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
