/// Why words do not name a row or section.
package struct SelectionError: Error, Equatable {
  /// What is wrong.
  package enum Reason: Equatable {
    /// Only whitespace.
    case empty
    /// Not a valid way to name a row in any list.
    case malformed
    /// A range of row numbers whose end is before its start.
    case backward(first: String, last: String)
    /// One row is needed, but this many are named.
    case notOne(Int)
    /// The customer with this name was named before.
    case repeated(name: String, id: CustomerID)
    /// The list has no rows.
    case emptyList
    case noCustomer(CustomerID)
    /// The list, or the section with this title, has no such row, only `count` rows.
    case noRow(Int, count: Int, section: String?)
    /// No name contains the text; `near` is similar.
    case noName(near: Match?)
    /// Several names contain the text; these are the first of them.
    case severalNames([Match], count: Int)
    /// The text is only a part of this name, which is not enough without a confirmation.
    case onlyPart(Match)
    /// The text is only a part of the title of this section, which is not enough here.
    case onlyPartOfTitle(CustomerSection)
    /// No title contains the text; `near` is similar.
    case noTitle(near: String?)
    /// Several titles contain the text.
    case severalTitles([CustomerSection])
  }

  /// A customer whose name contains a string or is similar to it.
  package struct Match: Equatable, Sendable {
    /// The position in the whole list.
    package var position: Int
    package var id: CustomerID
    package var name: String
  }

  package var reason: Reason
  /// The text that names nothing or too much.
  package var text: String
  /// The word at fault, as typed, which contains the text.
  package var word: String

  package init(_ reason: Reason, _ text: String, in word: String? = nil) {
    (self.reason, self.text, self.word) = (reason, text, word ?? text)
  }
}
