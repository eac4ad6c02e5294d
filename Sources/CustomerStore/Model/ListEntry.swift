/// What the list says about itself: a declared column, a setting, or a person who uses it.
package struct ListEntry: Identifiable, Hashable, Sendable {
  /// What an entry is about.
  package enum Kind: String, Sendable {
    case column, setting, person
  }

  /// The number in the column `uid`.
  package var id: Int64
  package var kind: Kind
  package var name: String
  /// The value of a setting; the kind of a column.
  package var value: String
  package var place: Int
  /// The values that a column may have, one per line.
  package var choices: String
}

/// A column of the list that is declared, so that its values are of a kind.
///
/// Each field that every customer has is one. An extra column may be; if not, it is a column of text.
package struct DeclaredColumn: Hashable, Identifiable, Codable, Sendable {
  /// The permanent id.
  package var id: DeclaredColumnID
  /// The name: that in the view `customers` of a field, that in `CustomerFields.extra` of an extra column.
  package var name: String
  /// What the values are.
  package var kind: ColumnKind
  /// Where it is shown: after the columns with smaller numbers.
  package var place: Int
  /// The values that a choice may have, in their order.
  package var choices: [String]

  /// Creates a column for a preview or a test; to get those of a list, read `CustomerList.declaredColumns()`.
  package init(
    id: DeclaredColumnID, name: String, kind: ColumnKind = .text, place: Int = 0, choices: [String] = []
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.place = place
    self.choices = choices
  }

  /// Whether every customer has it.
  package var isField: Bool { id.rawValue > 0 }
}

/// The permanent id of a declared column: a random number, which it has in every copy of the list; a field has the same
/// one in all lists.
package struct DeclaredColumnID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number in the column `uid`.
  package var rawValue: Int64

  /// Creates an id from a number; no column needs to have it.
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A person who uses the list, such as the owner of a key to the page.
package struct Person: Hashable, Identifiable, Codable, Sendable {
  /// The permanent id.
  package var id: PersonID
  /// The name, which nobody else in the list has.
  package var name: String

  /// Creates a person for a preview or a test; to get those of a list, read `CustomerList.persons()`.
  package init(id: PersonID, name: String) { (self.id, self.name) = (id, name) }
}

/// The permanent id of a person: a random number, which is the same in every copy of the list.
package struct PersonID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number in the column `uid`.
  package var rawValue: Int64

  /// Creates an id from a number; no person needs to have it.
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

extension DeclaredColumn {
  /// The column that an entry declares.
  ///
  /// A kind that another version wrote is read as text.
  init(_ entry: ListEntry) {
    self.init(
      id: DeclaredColumnID(rawValue: entry.id), name: entry.name,
      kind: ColumnKind(rawValue: entry.value) ?? .text,
      place: entry.place, choices: entry.choices.split(whereSeparator: \.isNewline).map(String.init))
  }
}
