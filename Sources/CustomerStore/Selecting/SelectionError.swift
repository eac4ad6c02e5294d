/// Why words of a person name no row, or no section.
package struct SelectionError: Error, Equatable {
  /// What is wrong.
  package enum Reason: Equatable {
    /// Nothing but blanks.
    case empty
    /// No row can be named like that in any list.
    case malformed
    /// One row is wanted, and so many are named.
    case notOne(Int)
    /// The customer with this name was named before.
    case repeated(name: String)
    /// The list has no rows.
    case emptyList
    case noCustomer(CustomerID)
    /// The list, or the section with this title, has no such row, but `count`.
    case noRow(Int, count: Int, section: String?)
    /// No name has the text; `near` almost does.
    case noName(near: Match?)
    /// Several names have the text; these are the first of them.
    case severalNames([Match], count: Int)
    /// The text is a mere part of this name, which is not enough where nobody is asked.
    case onlyPart(Match)
    /// No title has the text; `near` almost does.
    case noTitle(near: String?)
    /// Several titles have the text.
    case severalTitles([CustomerSection])
  }

  /// A customer whose name has a text, or nearly so.
  package struct Match: Equatable, Sendable {
    /// The position in the whole list.
    package var position: Int
    package var id: CustomerID
    package var name: String
  }

  package var reason: Reason
  /// The text that names nothing, or too much.
  package var text: String
  /// The word at fault as it was typed, which has the text in it.
  package var word: String

  init(_ reason: Reason, _ text: String, in word: String? = nil) {
    (self.reason, self.text, self.word) = (reason, text, word ?? text)
  }
}
