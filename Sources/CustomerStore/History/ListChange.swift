/// One edit of the list, as a table view or the history wants to know it.
///
/// Rows that slide because of it are not named: who applies the changes one after another to a copy of
/// the list has the list.
public enum ListChange: Hashable, Sendable {
  /// A customer came to a place.
  case insert(CustomerID, at: Place)
  /// A customer left a place.
  case delete(CustomerID, from: Place)
  /// A customer went to a place, counted when it had left the old one.
  case move(CustomerID, from: Place, to: Place)
  /// Fields of a customer changed; the place is known to who follows the changes, not to the history.
  case update(CustomerID, at: Place?)
  /// An extra column of all customers has another name, is gone (`to` is nil) or is back (`from` is nil).
  case column(from: String?, to: String?)
  /// Customers with ids that follow each other, from `first` on, came to a place and those behind it.
  case insertMany(first: CustomerID, count: Int, at: Place)
  /// Such customers left a place and those behind it.
  case deleteMany(first: CustomerID, count: Int, from: Place)
  /// Rows of a section changed places among themselves, all at once.
  case arrange(SectionID, [CustomerMove])
  /// A section came to a place among the sections.
  case insertSection(SectionID, at: Int)
  /// A section left its place.
  case deleteSection(SectionID, from: Int)
  /// A section went to a place.
  case moveSection(SectionID, from: Int, to: Int)
  /// Title or footer of a section changed.
  case updateSection(SectionID)
}

extension ListChange {
  /// The section that the change is about, if it is about one as such.
  var section: SectionID? {
    switch self {
    case .insertSection(let id, _), .deleteSection(let id, _), .moveSection(let id, _, _),
      .updateSection(let id):
      id
    case .insert, .delete, .move, .update, .insertMany, .deleteMany, .arrange, .column: nil
    }
  }
}
