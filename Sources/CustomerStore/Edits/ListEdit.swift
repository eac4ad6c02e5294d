/// An edit of the list as a value: what a command, a line of a script or a tap on a screen asks for.
///
/// `CustomerList.apply` makes it, and says what it changed. Rows are named by id; a destination is the
/// place afterwards, counted from 1.
public enum ListEdit: Hashable, Sendable {
  /// New customers, in a row.
  case insert([NewCustomer], at: Destination = .last, in: SectionID? = nil)
  /// Fields of customers get these values.
  case update([CustomerID], [CustomerField: FieldValue])
  /// A form is saved: what differs between `from`, as the person saw it, and `to`.
  case save(CustomerID, from: CustomerFields, to: CustomerFields)
  /// The first customer gets what it lacks from the others, which go.
  case merge([CustomerID])
  /// Customers go; with the number of the edit at which the person saw them, only unchanged ones.
  case delete([CustomerID], asSeenAt: Int64? = nil)
  /// Rows go to a place as a block; with the number of the edit at which the person saw them, only
  /// those that nobody else has moved.
  case move([CustomerID], to: Destination, in: SectionID? = nil, asSeenAt: Int64? = nil)
  /// Rows go up (negative) or down by some places as a block.
  case moveBy([CustomerID], Int)
  /// Two rows change places.
  case swap(CustomerID, CustomerID)
  /// Rows may be edited, or moved, or no longer; nil leaves a right as it is.
  case protect([CustomerID], canEdit: Bool? = nil, canMove: Bool? = nil)
  /// The rows of a section, or of each section, get an alphabetical order.
  case sort(SortOrder, in: SectionID? = nil)
  /// Exactly the rows of a section get this order.
  case arrange([CustomerID], in: SectionID)
  /// An edit of the sections.
  case section(SectionEdit)
  /// An edit of an extra column of all customers.
  case column(ColumnEdit)
  /// Updates that are meant all at once.
  case batch(BatchUpdates)
}

/// An edit of an extra column of all customers.
public enum ColumnEdit: Hashable, Sendable {
  /// The column gets another name.
  case rename(String, to: String)
  /// The column goes, with what all customers have in it.
  case drop(String)
}

/// An edit of the sections of the list.
public enum SectionEdit: Hashable, Sendable {
  /// A new section, at a place (from 1) or as the last.
  case add(title: String, footer: String = "", at: Int? = nil)
  /// A section gets another title, or footer, or both.
  case rename(SectionID, title: String? = nil, footer: String? = nil)
  /// A section goes, with its rows, to a place (from 1).
  case move(SectionID, to: Int)
  /// A section goes; one that has customers only if they go with it.
  case delete(SectionID, withCustomers: Bool = false)
}
