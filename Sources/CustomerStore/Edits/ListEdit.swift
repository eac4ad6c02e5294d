/// An edit of the list as a value, for a command, a line of a script or a tap on a screen.
///
/// `CustomerList.apply` makes the edit and returns what it changed. Rows are named by id; a destination is
/// the place after the edit, counted from 1.
public enum ListEdit: Hashable, Sendable {
  /// Insert customers one after another.
  case insert([NewCustomer], at: Destination = .last, in: SectionID? = nil)
  /// Change fields of customers.
  case update([CustomerID], FieldChanges)
  /// Save a form: the difference between `from`, as the user saw it, and `to`.
  case save(CustomerID, from: CustomerFields, to: CustomerFields)
  /// Merge customers: the first gets what it lacks from the others, which are deleted.
  case merge([CustomerID])
  /// Delete customers; with the version in which they were seen, only if they are unchanged.
  case delete([CustomerID], asSeenAt: ListVersion? = nil)
  /// Move rows to a place as a block; with the version in which they were seen, only if no one else has
  /// moved them.
  case move([CustomerID], to: Destination, in: SectionID? = nil, asSeenAt: ListVersion? = nil)
  /// Move rows up (negative) or down by some places, as a block.
  case moveBy([CustomerID], Int)
  /// Swap two rows.
  case swap(CustomerID, CustomerID)
  /// Allow or forbid editing or moving rows; nil leaves a right unchanged.
  case protect([CustomerID], canEdit: Bool? = nil, canMove: Bool? = nil)
  /// Sort the rows of a section or of each section.
  case sort(SortOrder, in: SectionID? = nil)
  /// Put exactly the rows of a section in this order.
  case arrange([CustomerID], in: SectionID)
  /// Edit the sections.
  case section(SectionEdit)
  /// An edit of an extra column for all customers.
  case column(ColumnEdit)
  /// Make updates all at once.
  case batch(BatchUpdates)
}

/// An edit of an extra column for all customers.
public enum ColumnEdit: Hashable, Sendable {
  /// Rename the column.
  case rename(String, to: String)
  /// Drop the column, with all its values.
  case drop(String)
}

/// An edit of the sections of the list.
public enum SectionEdit: Hashable, Sendable {
  /// Add a section, at a place (from 1) or as the last.
  case add(title: String, footer: String = "", at: Int? = nil)
  /// Change a section's title, footer, or both.
  case rename(SectionID, title: String? = nil, footer: String? = nil)
  /// Move a section, with its rows, to a place (from 1).
  case move(SectionID, to: Int)
  /// Delete a section; if it has customers, only together with them.
  case delete(SectionID, withCustomers: Bool = false)
}
