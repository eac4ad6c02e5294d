package import CustomersSQLite
internal import CustomersMigrations

/// A format that no release has, to rehearse the next change of the schema: a trigger is another one, and a table
/// gets a column.
package enum NextFormat {
  /// The number of the format.
  package static let number = Migrations.format + 1

  /// Converts a list from every format.
  package static var migrator: Migrator {
    var migrator = Migrations.migrator
    migrator.formats = Migrations.oldestFormat...number
    migrator.olderApplicationID = Migrations.applicationID
    migrator.base = { $0 == number ? schema : Migrations.base(ofFormat: $0) }
    migrator.moves[number] = { "ALTER TABLE customer_record ADD COLUMN website TEXT NOT NULL DEFAULT '';" }
    return migrator
  }

  private static let schema = Migrations.base(ofFormat: Migrations.format)
    .replacing("RAISE(ABORT, 'place: ", with: "RAISE(ABORT, 'place (rehearsal): ")
    .replacing(
      "address_parts TEXT NOT NULL DEFAULT '');",
      with: "address_parts TEXT NOT NULL DEFAULT '', website TEXT NOT NULL DEFAULT '');")
}
