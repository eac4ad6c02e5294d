internal import CCustomersMigrations
package import CustomersSQLite

/// The schema of a customers file, now and in the formats before.
package enum Migrations {
  /// The format that this version writes: `PRAGMA user_version`.
  package static let format = 12

  /// The oldest format that it can convert, version 0.1.0's.
  package static let oldestFormat = 10

  /// The `PRAGMA application_id` of a file in a format that was released: `Clst`.
  package static let releasedApplicationID: Int64 = 0x436C_7374
  /// The `application_id` of a file in a format that was not released, which no release reads: `Cust`.
  package static let unreleasedApplicationID: Int64 = 0x4375_7374
  /// The `application_id` of the files that this version writes.
  ///
  /// While a format may still change, it is `unreleasedApplicationID`: a file that a checkout wrote must not be taken for one
  /// of that format later, so no release opens it.
  package static let applicationID = releasedApplicationID

  /// Makes new lists and converts those of older formats.
  package static let migrator = Migrator(
    formats: oldestFormat...format, applicationID: applicationID, olderApplicationID: releasedApplicationID,
    base: { base(ofFormat: $0) }, wholeSteps: [11: { text(unsafe bytes(customers_step_11())) + identity }],
    moves: [12: { step12 }])

  /// A number for a step, made of its time and its own number, in a query of `history_step`.
  ///
  /// 41 bits of the milliseconds since 1970, until 2039, and 20 of the number.
  private static let stepName = "((\(milliseconds) << 20) | (id & 0xfffff))"

  /// The milliseconds from 1970 to a step, in a query of `history_step`.
  private static let milliseconds = "CAST((julianday(at) - 2440587.5) * 86400000 + 0.5 AS INTEGER)"

  /// A table with a number of 41 bits for each program, user, machine, and action that made steps together.
  ///
  /// It is a hash of their texts, up to 64 characters of each, and 0 for what identified itself by none.
  private static let makers = """
    CREATE TEMP TABLE maker AS
      WITH RECURSIVE known AS (
        SELECT DISTINCT program, user, host, action,
            CASE WHEN program = '' AND user = '' AND host = '' AND action = '' THEN ''
              ELSE substr(program, 1, 64) || char(10) || substr(user, 1, 64) || char(10) || substr(host, 1, 64) || char(10)
                || substr(action, 1, 64)
            END AS text
        FROM history_step
      ), hashed AS (
        SELECT *, 0 AS count, 0 AS number FROM known
        UNION ALL
        SELECT program, user, host, action, text, count + 1,
            (number * 1000003 + unicode(substr(text, count + 1, 1))) & 0x1ffffffffff
        FROM hashed WHERE count < length(text)
      )
      SELECT program, user, host, action, number FROM hashed WHERE count = length(text);
    """

  /// Gives a list of format 10 ids that are the same each time the file is converted, instead of random ones.
  ///
  /// They are made from its oldest step; those of a list without a history are empty.
  private static let identity = """
    UPDATE identity SET (list, history) = (
      SELECT ifnull(max(printf('%016x%016x', name, first_edit)), ''), ifnull(max(printf('%016x%016x', ~name, first_edit)), '')
      FROM (SELECT \(stepName) AS name, first_edit FROM history_step ORDER BY id LIMIT 1));
    """

  /// The columns of an edit in format 11.
  private static let edit11 = """
    id, kind, row, count, section, "order", to_section, to_order, first_name, last_name, company, email, phone, address,
    note, is_favorite, can_edit, can_move, extra, title, footer, name, to_name, other_contacts, tags
    """

  /// Adds the next date and the log of a customer and the entries of the list, puts all edits of before into `edit_record`,
  /// and counts those of each step.
  ///
  /// A step has the numbers from its first edit to that of the next step, but for the one that a repair skips.
  private static var step12: String {
    """
    ALTER TABLE customer_record ADD COLUMN next TEXT NOT NULL DEFAULT '';
    CREATE INDEX line_by_customer ON line_record (customer, at);
    INSERT INTO edit_record (\(edit11)) SELECT \(edit11) FROM history_edit;
    DROP TABLE history_edit;
    ALTER TABLE history_step ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE history_step ADD COLUMN first_kind TEXT;
    ALTER TABLE history_step ADD COLUMN row INTEGER;
    ALTER TABLE history_step ADD COLUMN count INTEGER;
    ALTER TABLE history_step ADD COLUMN section INTEGER;
    ALTER TABLE history_step ADD COLUMN "order" INTEGER;
    ALTER TABLE history_step ADD COLUMN to_section INTEGER;
    ALTER TABLE history_step ADD COLUMN to_order INTEGER;
    UPDATE history_step SET edits = made.edits FROM (
      SELECT id, ifnull(
          lead(first_edit - (action = 'repair' AND state = 'dropped')) OVER (ORDER BY id),
          (SELECT max(id) + 1 FROM edit_record)) - first_edit AS edits
      FROM history_step) AS made
    WHERE made.id = history_step.id AND made.edits > 0;
    ALTER TABLE history_row ADD COLUMN section INTEGER;
    ALTER TABLE history_row ADD COLUMN to_section INTEGER;
    \(step12Identities)
    ALTER TABLE customer_record ADD COLUMN address_parts TEXT NOT NULL DEFAULT '';
    \(fields)
    """
  }

  /// A statement that declares the columns of the fields, as in a new list.
  package static var fields: String {
    let schema = text(unsafe bytes(customers_schema()))
    guard let start = schema.firstRange(of: "INSERT INTO entry_record "),
      let end = schema[start.lowerBound...].firstRange(of: ";\n")
    else { preconditionFailure("schema.sql declares no fields") }
    return String(schema[start.lowerBound..<end.upperBound])
  }

  /// Gives the steps marks, and the rows and sections uids, from the log alone, so that copies that are converted apart
  /// have the same.
  ///
  /// The mark is made as `stepName` is, but to the time of a step, `makers` adds who made it: two people may each edit a copy
  /// in the same millisecond, and as the same step. The sum keeps its lowest 41 bits. Clients that do not identify themselves
  /// add nothing. The first edit of a step is no part of its mark: when the history is forgotten, that of the last step changes.
  /// The uid of what a step added is made of the same sum and 21 bits of the id. What was added after 2039, or would not be
  /// unique, keeps its id for a uid; and so does a row whose insertion the log has no more, or has only as its return.
  private static let step12Identities = """
    ALTER TABLE history_step ADD COLUMN mark INTEGER;
    ALTER TABLE history_step ADD COLUMN person TEXT;
    ALTER TABLE customer_record ADD COLUMN uid INTEGER;
    ALTER TABLE section_record ADD COLUMN uid INTEGER;
    ALTER TABLE identity ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
    UPDATE identity SET counted = (
      SELECT ifnull(max(id), 0) FROM (
        SELECT max(id) AS id FROM edit_record UNION ALL SELECT max(first_edit + edits - 1) FROM history_step));
    \(makers)
    UPDATE history_step AS step
      SET mark = ((\(milliseconds) + number & 0x1ffffffffff) << 20) | (id & 0xfffff) FROM maker
      WHERE (step.program, step.user, step.host, step.action) = (maker.program, maker.user, maker.host, maker.action);
    DROP TABLE maker;
    CREATE TEMP TABLE insertion AS
      SELECT *, -((sum << 22) | (1 << 21)) + (row & 0x1fffff) AS uid FROM (
        SELECT edit.kind, edit.row, edit.count, mark >> 20 AS sum, \(milliseconds) AS ms,
            max(edit.row + edit.count - 1) OVER (
              PARTITION BY edit.kind = 'section insert' ORDER BY edit.id
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS known
        FROM history_step AS step JOIN edit_record AS edit ON edit.id BETWEEN first_edit AND first_edit + edits - 1
        WHERE step.kind = 'edit' AND step.action <> 'revert' AND edit.kind IN ('insert', 'insert rows', 'section insert'))
      WHERE row > ifnull(known, 0) AND count BETWEEN 1 AND (1 << 20) AND ms BETWEEN 1 AND (1 << 41) - 1;
    CREATE TEMP TABLE clash AS
      SELECT kind, row FROM (
        SELECT kind, row, uid, uid + count - 1 AS last,
            max(uid + count - 1) OVER (
              PARTITION BY kind = 'section insert' ORDER BY uid, row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS before,
            lead(uid) OVER (PARTITION BY kind = 'section insert' ORDER BY uid, row) AS after
        FROM insertion)
      WHERE uid <= before OR last >= after;
    DELETE FROM insertion WHERE (kind, row) IN (SELECT kind, row FROM clash);
    INSERT INTO uid_run SELECT row, row + count - 1, uid FROM insertion WHERE kind <> 'section insert';
    INSERT INTO uid_run
      SELECT first, last, first FROM (
        SELECT 1 + lag(last, 1, 0) OVER (ORDER BY first) AS first, first - 1 AS last FROM (
          SELECT first, last FROM uid_run
          UNION ALL SELECT 1 + max(id), NULL FROM (
            SELECT max(id) AS id FROM customer_record UNION ALL SELECT max(last) FROM uid_run)))
      WHERE first <= last;
    UPDATE section_record SET uid = insertion.uid FROM insertion WHERE kind = 'section insert' AND row = id;
    DROP TABLE clash;
    DROP TABLE insertion;
    """

  /// Returns the statements that make an empty list of a format, with its first rows.
  ///
  /// A file also needs `PRAGMA application_id` and `user_version`.
  ///
  /// - Parameter format: from `oldestFormat` to `format`.
  /// - Returns: SQL, in which each object starts a line.
  package static func base(ofFormat format: Int) -> String {
    switch format {
    case 10: text(unsafe bytes(customers_format_10()))
    case 11: base(ofFormat: 10) + text(unsafe bytes(customers_step_11()))
    default: text(unsafe bytes(customers_schema()))
    }
  }

  /// The statements of `many-rows.sql`.
  package static var manyRowsSQL: String { text(unsafe bytes(customers_many_rows())) }

  /// Edits of many rows at once.
  package static let manyRows = ManyRows()

  /// The schema of a list, in the order in which it is created.
  package static let schema = objects.all

  /// The names of the tables and views of a list, in lowercase.
  package static let tables = objects.tables

  /// The text of each trigger, as `sqlite_schema` keeps it, to its `END` without the semicolon, and in the same order.
  package static let triggers = objects.triggers

  private static let objects = SchemaObjects(unsafe bytes(customers_schema()))

  @unsafe private static func bytes(_ file: customers_sql) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
