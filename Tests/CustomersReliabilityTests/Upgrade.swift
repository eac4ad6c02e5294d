import CustomersMigrations
import CustomersSQLite

/// A migration that is in no release: it replaces a trigger and adds a column.
enum Upgrade {
  static let migrator = Migrator(
    applicationID: Migrations.applicationID,
    steps: Migrations.steps + [
      """
      DROP TRIGGER check_section;
      CREATE TRIGGER check_section INSTEAD OF INSERT ON check_section
      WHEN NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section)
      BEGIN
          SELECT RAISE(ABORT, 'section: there is none with this id');
      END;
      ALTER TABLE customer_record ADD COLUMN website TEXT NOT NULL DEFAULT '';
      """
    ])
}
