/// One edit of the list, as a table view or the history needs it.
///
/// Rows that shift because of it are not named: applying the changes to a copy of the list, one after
/// another, gives the list.
public enum ListChange: Hashable, Sendable {
  /// A customer was added at a place.
  case insert(CustomerID, at: CustomerPlace)
  /// A customer was deleted from a place.
  case delete(CustomerID, from: CustomerPlace)
  /// A customer was moved to a place, counted without it.
  case move(CustomerID, from: CustomerPlace, to: CustomerPlace)
  /// Fields of a customer changed; the feed of changes knows the place, the history does not.
  case update(CustomerID, at: CustomerPlace?)
  /// An extra column was renamed, dropped (`to` is nil) or restored (`from` is nil).
  case column(from: String?, to: String?)
  /// Customers with consecutive ids, from `first` on, were added at a place and those after it.
  case insertMany(first: CustomerID, count: Int, at: CustomerPlace)
  /// Such customers were deleted from a place and those after it.
  case deleteMany(first: CustomerID, count: Int, from: CustomerPlace)
  /// Rows of a section were rearranged, all at once.
  case arrange(SectionID, [CustomerMove])
  /// A section was added at a place among the sections.
  case insertSection(SectionID, at: Int)
  /// A section was deleted.
  case deleteSection(SectionID, from: Int)
  /// A section was moved to a place.
  case moveSection(SectionID, from: Int, to: Int)
  /// The title or the footer of a section changed.
  case updateSection(SectionID)
}

extension ListChange {
  /// The section that the change is about, if it is about a section itself.
  var section: SectionID? {
    switch self {
    case .insertSection(let id, _), .deleteSection(let id, _), .moveSection(let id, _, _),
      .updateSection(let id):
      id
    case .insert, .delete, .move, .update, .insertMany, .deleteMany, .arrange, .column: nil
    }
  }

  /// Whether it gives rows other places in their sections.
  var movesRows: Bool {
    switch self {
    case .insert, .delete, .move, .insertMany, .deleteMany, .arrange: true
    case .update, .column, .insertSection, .deleteSection, .moveSection, .updateSection: false
    }
  }
}
