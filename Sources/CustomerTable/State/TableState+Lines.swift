public import CustomerStore

/// A row to draw.
public struct ShownRow: Sendable, Equatable {
  /// The control at the left of a row in edit mode.
  public enum Control: Sendable { case delete, insert }

  /// The customer.
  public var customer: Customer
  /// The number in the whole list, from 1; while rows are in hand, the one it would have.
  public var number: Int
  /// The text below or beside the name; nil for none.
  public var subtitle: String?
  /// The control at its left, in edit mode.
  public var control: Control?
  /// Whether it has a handle at its right, in edit mode.
  public var hasHandle = false
  /// The text of its Delete button, while it is visible.
  public var deleteTitle: String?
  /// Its appearance.
  public var isCursor = false, isMarked = false, isCut = false, isInHand = false
  /// Whether another program has just changed it.
  public var isFlashing = false
  /// Whether a button is visible in another row.
  public var isDimmed = false

  /// The name.
  public var title: String { customer.name }
  /// Whether the customer is marked as a favorite.
  public var isFavorite: Bool { customer.fields.isFavorite }
}

/// A line of the screen.
public enum ShownLine: Sendable, Equatable {
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
  public var lines: [ShownLine] {
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
