import CustomersMigrations
import CustomersSQLite
import Testing

/// A small mistake in the SQL of a new list or of a conversion, such as a maintainer could make.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// The file of `Migrations` with the mistake.
  enum File: Sendable {
    /// `schema.sql`.
    case schema
    /// `many-rows.sql`.
    case manyRows
    /// `0011-format-11.sql`.
    case step11
  }

  var file: File
  /// A string that occurs once in the file.
  var text: String
  /// Its replacement.
  var replacement: String

  init(in file: File = .schema, _ text: String, _ replacement: String) {
    (self.file, self.text, self.replacement) = (file, text, replacement)
  }

  var testDescription: String {
    "\(file): \(text.replacing("\n", with: " ")) → \(replacement.replacing("\n", with: " "))"
  }

  /// Migrations and edits of many rows with the mistake; nil if the text is not there just once.
  var made: (migrator: Migrator, manyRows: ManyRows)? {
    var migrator = Migrations.migrator
    switch file {
    case .manyRows:
      return mutated(Migrations.manyRowsSQL).map { (migrator, ManyRows($0)) }
    case .schema:
      guard let mutated = mutated(Migrations.base(ofFormat: Migrations.format)) else { return nil }
      migrator.base = { $0 == Migrations.format ? mutated : Migrations.base(ofFormat: $0) }
    case .step11:
      guard let mutated = migrator.wholeSteps[11].flatMap({ mutated($0()) }) else { return nil }
      migrator.wholeSteps[11] = { mutated }
    }
    return (migrator, Migrations.manyRows)
  }

  private func mutated(_ sql: String) -> String? {
    sql.ranges(of: text).count == 1 ? sql.replacing(text, with: replacement) : nil
  }
}
