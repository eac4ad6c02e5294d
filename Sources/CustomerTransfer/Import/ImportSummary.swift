package import CustomerStore

/// A column of a file, and what it is imported as.
package struct ImportedColumn: Hashable, Sendable {
  /// The name in the file.
  package var name: String
  /// What it is imported as.
  package var target: ColumnTarget

  /// Creates a column.
  package init(name: String, target: ColumnTarget) {
    self.name = name
    self.target = target
  }

  /// Whether the column has no name in the file; the second one without a name is called `:2`, and that of a file without
  /// a header `2`.
  package var isWithoutName: Bool {
    name.allSatisfy(\.isWhitespace) || name.first == ":" && Int(name.dropFirst()) != nil
      || target == .field(.extra(ImportedColumn.newName(Int(name) ?? 0)))
  }

  /// What a column without a name becomes as an extra column, given its number.
  static func newName(_ number: Int) -> String { "Column \(number)" }
}

/// What an import did, or as a preview what it would do.
package struct ImportSummary: Hashable, Sendable {
  /// The columns of the file.
  package var columns: [ImportedColumn] = []
  /// Extra columns that are the same but for case, accents, spaces, `-`, and `_`, if the file has one of them
  /// that is new to the list: both are kept, and each is reached by its exact name.
  package var similarColumns: [[String]] = []
  /// The kinds of the own columns of a table.
  package var kinds: [ImportedKind] = []
  /// The names of the columns that the list had declared before; of a file that was handed out, of all that it had.
  package var declaredColumns: Set<String> = []

  /// Those of a file that was handed out which the list has renamed since.
  var renamedColumns: Set<String> = []

  /// What the values of a column are; nil for text, and if that is not certain.
  package func kind(of column: ImportedColumn) -> ColumnKind? {
    kinds.first { $0.header == column.name && $0.open.isEmpty }?.kind
  }
  /// The character between the fields, if it was detected.
  package var delimiter: Character?
  /// The encoding, if it was recognized and is not UTF-8.
  package var encoding: FileEncoding?
  /// The rows before the one that names the columns, which are skipped.
  package var notes: [String] = []
  /// The values of the first customers that many programs write for "no value", such as NULL.
  package var nullTexts: [String] = []
  /// How many rows have fewer values than there are columns and the line of the first one.
  package var filledRows = 0
  /// The line of the first row with fewer values than columns; nil if there is none.
  package var firstFilledLine: Int?
  /// How many rows of a table were skipped because all their values are empty.
  package var emptyRows = 0
  /// How many rows of a table were skipped because they name the columns again.
  package var repeatedHeaders = 0
  /// How many groups were skipped: cards or entries that only name other ones.
  package var groups = 0
  /// The first customer of the file, as it is imported; nil if no row can be imported.
  package var first: NewCustomer?
  /// The names of the first customers that were added.
  package var addedNames: [String] = []
  /// The first customers that were changed.
  package var changes: [ImportChange] = []
  /// The names of the first customers that changed nothing.
  package var skippedNames: [String] = []
  /// How many customers were added to the list.
  package var added = 0
  /// How many customers in the list were changed.
  package var updated = 0
  /// How many customers in the file were in the list already and changed nothing.
  package var skipped = 0
  /// How many rows can't be imported.
  package var rejected = 0
  /// How many customers were added although the list has them already, by name and e-mail address or phone; if
  /// `ImportOptions.refusesKnown`.
  package var known = 0
  /// The name of the first of them.
  package var firstKnownName = ""
  /// The rows that have another place in a returned file; see `ImportOptions.takesOrder`.
  package var moved = NamedCount()
  /// The customers that are missing in a returned file; see `ImportOptions.deletesMissing`.
  package var missing = NamedCount()
  /// The first values of a returned file that a spreadsheet has written in another form, and how many there are: those of the
  /// list stay.
  package var reformed: [CustomerFields.Reformed] = []
  package var reformedCount = 0

  /// Some customers, of whom the first are named.
  package struct NamedCount: Hashable, Sendable {
    /// How many they are.
    package var count = 0
    /// The names of the first.
    package var names: [String] = []
  }
}

extension ImportSummary {
  /// How many customers are named.
  static let named = 10
  /// How many changes are described.
  static let described = 1000
}

/// What an import changed in a customer of the list.
package struct ImportChange: Hashable, Sendable {
  /// The name before the import.
  package var name: String
  /// The fields that were changed and their values before and after.
  package var fields: [Field]
  /// Whether the customer may be edited and moved since; nil for what was not changed.
  package var rights: (canEdit: Bool?, canMove: Bool?) { (canEdit, canMove) }
  private var canEdit: Bool?
  private var canMove: Bool?

  /// A field that was changed.
  package struct Field: Hashable, Sendable {
    /// The field.
    package var field: CustomerField
    /// The text before the import.
    package var old: String
    /// The text after it.
    package var new: String
  }

  init(_ before: NewCustomer, _ after: NewCustomer) {
    name = before.fields.name
    fields = after.fields.differences(from: before.fields).map {
      Field(field: $0, old: before.fields[$0].text, new: after.fields[$0].text)
    }
    canEdit = before.canEdit == after.canEdit ? nil : after.canEdit
    canMove = before.canMove == after.canMove ? nil : after.canMove
  }
}

/// A row of a table that can't be imported.
package struct RejectedRow: Hashable, Sendable {
  /// Where the row is, or what is wrong in it.
  package var place: FilePlace
  /// What is wrong, without a value of the file.
  package var reason: String
  /// The row as it is in the file, with its line end.
  package var bytes: [UInt8]
  /// The bytes of the file before its rows: a byte order mark and the names of the columns, if there are any.
  package var header: [UInt8]
  /// Whether it only has fewer values than there are columns; see `ImportOptions.fillsShortRows`.
  package var isShort: Bool
  /// The encoding that the file rather has, if the row is not in UTF-8.
  package var encoding: FileEncoding?
  /// The row in UTF-8, of a card or entry from the line that can't be read.
  package var text: [UInt8]
}
