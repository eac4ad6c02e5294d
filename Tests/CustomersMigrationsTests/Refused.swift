/// Statements that the triggers must refuse, by the kind they must give.
///
/// The list has 5 rows in section 1 (ids 1…5), 3 in section 2 (6…8) and none in section 3; customer 9
/// and section 4 were deleted. Customers 2 and 7 may not be edited, 3 and 8 not be moved. The log of customer 1 has the
/// line -1, and that of customer 2 the line -2; the line -3 was deleted. The columns Due (-1), a date, and Kind (-2) are
/// declared; -3 was deleted. There are the settings sort and page, and the persons Ann (-4) and Bob (-5). `{or}` is where a
/// conflict clause goes.
enum Refused {
  static let statements: [(sql: String, kind: String)] =
    places + sections + protected + values + ids + lines + entries + sectionRows + laterRows

  /// Wrong as a place anywhere, as SQL writes it.
  private static let noPlace = [
    "0", "-1", "2.5", "3.0", "7.0", "'3'", "'x'", "''", "x'33'", "1e300", "9223372036854775807",
    "-9223372036854775808",
  ]

  private static let places: [(sql: String, kind: String)] =
    (noPlace + ["7", "100"]).map {
      (#"INSERT{or} INTO customers (section, "order") VALUES (1, \#($0))"#, "place")
    }
    + (noPlace + ["6", "7", "NULL"]).flatMap {
      [
        (#"UPDATE{or} customers SET "order" = \#($0) WHERE id = 1"#, "place"),
        (#"UPDATE{or} customers SET section = 2, "order" = \#($0) WHERE id = 1"#, "place"),
        (#"UPDATE{or} customers SET "order" = \#($0), section = 3 WHERE id = 1"#, "place"),
      ]
    }
    + [(#"UPDATE{or} customers SET section = 2, "order" = 5 WHERE id = 1"#, "place")]

  private static let sections: [(sql: String, kind: String)] =
    ["0", "-1", "4", "99", "1.5", "'x'", "x'31'", "9223372036854775807"].flatMap {
      [
        (#"INSERT{or} INTO customers (section) VALUES (\#($0))"#, "section"),
        (#"INSERT{or} INTO customers (section, "order") VALUES (\#($0), 1)"#, "section"),
        (#"UPDATE{or} customers SET section = \#($0) WHERE id = 1"#, "section"),
        (#"UPDATE{or} customers SET section = \#($0), "order" = 1 WHERE id = 1"#, "section"),
      ]
    } + [("UPDATE{or} customers SET section = NULL WHERE id = 1", "section")]

  private static let texts = [
    "first_name", "last_name", "company", "email", "phone", "address", "note", "extra", "other_contacts",
    "tags", "next", "address_parts",
  ]

  private static let lines: [(sql: String, kind: String)] =
    ["NULL", "0", "9", "99", "'x'", "x'31'"].flatMap {
      [
        ("INSERT{or} INTO log_lines (customer, text) VALUES (\($0), 'x')", "customer"),
        ("UPDATE{or} log_lines SET customer = \($0) WHERE uid = -1", "customer"),
      ]
    }
    + ["-1", "-3", "0", "5", "-1.5", "'-9'", "x'31'"].map {
      ("INSERT{or} INTO log_lines (uid, customer, text) VALUES (\($0), 1, 'x')", "uid")
    }
    + ["NULL", "-9", "'-1x'"].map { ("UPDATE{or} log_lines SET uid = \($0) WHERE uid = -1", "uid") }
    + ["5", "''", "'now'", "'12:00'", "'2026-13-01'", "'2026-02-30'", "'2026-01-01x'", "x'31'"].flatMap {
      [
        ("INSERT{or} INTO log_lines (customer, at) VALUES (1, \($0))", "time"),
        ("UPDATE{or} log_lines SET at = \($0) WHERE uid = -1", "time"),
      ]
    }
    + ["author", "text"].flatMap {
      [
        ("INSERT{or} INTO log_lines (customer, \($0)) VALUES (1, x'41')", "value"),
        ("UPDATE{or} log_lines SET \($0) = x'41' WHERE uid = -1", "value"),
      ]
    }
    + [
      "INSERT{or} INTO log_lines (customer, text) VALUES (2, 'x')",
      "INSERT{or} INTO log_lines (customer, text) VALUES (1, 'x'), (2, 'x')",
      "UPDATE{or} log_lines SET customer = 2 WHERE uid = -1",
      "UPDATE{or} log_lines SET customer = 1 WHERE uid = -2", "UPDATE{or} log_lines SET text = 'x'",
      "DELETE FROM log_lines WHERE uid = -2", "DELETE FROM log_lines",
    ].map { ($0, "protected") }

  /// Statements about the declared columns, the settings, and the persons.
  private static let entries: [(sql: String, kind: String)] = [
    ("INSERT{or} INTO columns (name) VALUES (NULL)", "name"),
    ("UPDATE{or} columns SET name = NULL WHERE uid = -1", "name"),
    ("INSERT{or} INTO columns (name) VALUES ('')", "name"),
    ("UPDATE{or} columns SET name = '' WHERE uid = -1", "name"),
    ("INSERT{or} INTO columns (name) VALUES ('Kind')", "name"),
    ("UPDATE{or} columns SET name = 'Kind' WHERE uid = -1", "name"),
    ("INSERT{or} INTO columns (name) VALUES ('Due')", "name"),
    ("INSERT{or} INTO settings VALUES ('sort', 'x')", "name"),
    ("INSERT{or} INTO settings VALUES (NULL, 'x')", "name"),
    ("UPDATE{or} settings SET name = 'page' WHERE name = 'sort'", "name"),
    ("UPDATE{or} settings SET name = '' WHERE name = 'sort'", "name"),
    ("INSERT{or} INTO persons (name) VALUES ('Ann')", "name"),
    ("INSERT{or} INTO persons (name) VALUES ('')", "name"),
    ("UPDATE{or} persons SET name = 'Bob' WHERE uid = -4", "name"),
    ("INSERT{or} INTO columns (name, kind) VALUES ('x', 'day')", "kind"),
    ("INSERT{or} INTO columns (name, kind) VALUES ('x', '')", "kind"),
    ("UPDATE{or} columns SET kind = 'Date' WHERE uid = -2", "kind"),
    ("INSERT{or} INTO columns (name, place) VALUES ('x', 'y')", "place"),
    ("INSERT{or} INTO columns (name, place) VALUES ('x', 1.5)", "place"),
    ("UPDATE{or} columns SET place = NULL WHERE uid = -2", "place"),
    ("UPDATE{or} columns SET name = 'x' WHERE uid = 4", "field"),
    ("DELETE FROM columns WHERE uid = 4", "field"),
    ("UPDATE{or} columns SET kind = 'link' WHERE uid = 4", "field"),
    ("DELETE FROM columns", "field"),
    ("INSERT{or} INTO columns (name) VALUES (x'41')", "value"),
    ("INSERT{or} INTO columns (name, kind) VALUES ('x', x'74657874')", "value"),
    ("INSERT{or} INTO columns (name, choices) VALUES ('x', x'41')", "value"),
    ("INSERT{or} INTO settings VALUES ('x', x'41')", "value"),
    ("UPDATE{or} settings SET value = x'41'", "value"),
    ("UPDATE{or} columns SET choices = x'41' WHERE uid = -2", "value"),
    ("UPDATE{or} columns SET uid = -9 WHERE uid = -2", "uid"),
    ("UPDATE{or} persons SET uid = NULL WHERE uid = -4", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (-1, 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (-3, 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (-4, 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (0, 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (5, 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (-1.5, 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES ('-9', 'x')", "uid"),
    ("INSERT{or} INTO columns (uid, name) VALUES (x'31', 'x')", "uid"),
    ("INSERT{or} INTO persons (uid, name) VALUES (-1, 'x')", "uid"),
  ]

  private static let protected: [(sql: String, kind: String)] =
    texts.map {
      ("UPDATE{or} customers SET \($0) = 'other' WHERE id = 2", "protected")
    }
    + [
      "UPDATE{or} customers SET is_favorite = 1 WHERE id = 2",
      "UPDATE{or} customers SET can_edit = 1, note = 'other' WHERE id = 2",
      "UPDATE{or} customers SET note = 'other'",
      "DELETE FROM customers WHERE id = 2",
      "DELETE FROM customers WHERE id IN (1, 2, 5)",
      "DELETE FROM customers WHERE section = 2",
      "DELETE FROM customers",
      #"UPDATE{or} customers SET "order" = 1 WHERE id = 3"#,
      "UPDATE{or} customers SET section = 2 WHERE id = 3",
      "UPDATE{or} customers SET section = 3 WHERE section = 1",
      #"UPDATE{or} customers SET section = 2, "order" = 1 WHERE id = 3"#,
      #"UPDATE{or} customers SET can_move = 1, "order" = 1 WHERE id = 3"#,
      #"UPDATE{or} customers SET note = 'other', "order" = 1 WHERE id IN (4, 8)"#,
    ].map { ($0, "protected") }

  private static let values: [(sql: String, kind: String)] =
    texts.flatMap {
      [
        ("INSERT{or} INTO customers (\($0)) VALUES (x'41')", "value"),
        ("UPDATE{or} customers SET \($0) = x'41' WHERE id = 1", "value"),
      ]
    }
    + ["is_favorite", "can_edit", "can_move"].flatMap { flag in
      ["2", "-1", "0.5", "'x'", "'yes'", "''", "x'31'"].flatMap {
        [
          ("INSERT{or} INTO customers (\(flag)) VALUES (\($0))", "value"),
          ("UPDATE{or} customers SET \(flag) = \($0) WHERE id = 1", "value"),
        ]
      }
    }

  private static let ids: [(sql: String, kind: String)] =
    [
      "1", "9", "0", "-1", "1.5", "20.0", "'20'", "'x'", "x'31'", "9007199254740992", "9223372036854775807",
      "-9223372036854775808",
    ].flatMap {
      [
        ("INSERT{or} INTO customers (id) VALUES (\($0))", "id"),
        ("INSERT{or} INTO customers (id, section, \"order\") VALUES (\($0), 2, 1)", "id"),
        ("INSERT{or} INTO sections (id) VALUES (\($0 == "9" ? "4" : $0))", "id"),
      ]
    }
    + ["100", "2", "NULL", "'1x'", "id + 1"].flatMap {
      [
        ("UPDATE{or} customers SET id = \($0) WHERE id = 1", "id"),
        ("UPDATE{or} sections SET id = \($0) WHERE id = 1", "id"),
      ]
    }

  private static let sectionRows: [(sql: String, kind: String)] =
    (noPlace + ["5"]).map { (#"INSERT{or} INTO sections ("order") VALUES (\#($0))"#, "place") }
    + (noPlace.filter { $0 != "3.0" } + ["2.0", "4", "NULL"]).map {
      (#"UPDATE{or} sections SET "order" = \#($0) WHERE id = 3"#, "place")
    }
    + [
      ("INSERT{or} INTO sections (count) VALUES (0)", "count"),
      ("INSERT{or} INTO sections (count) VALUES (5)", "count"),
      ("UPDATE{or} sections SET count = count + 1", "count"),
      ("UPDATE{or} sections SET count = NULL WHERE id = 1", "count"),
      ("INSERT{or} INTO sections (title) VALUES (x'41')", "value"),
      ("INSERT{or} INTO sections (footer) VALUES (x'41')", "value"),
      ("UPDATE{or} sections SET title = x'41'", "value"),
      ("INSERT{or} INTO sections (footer) VALUES ('x')", "untitled"),
      ("INSERT{or} INTO sections (title) VALUES (' ')", "untitled"),
      ("UPDATE{or} sections SET title = NULL WHERE id = 1", "untitled"),
      ("UPDATE{or} sections SET title = '' WHERE id = 1", "untitled"),
      ("INSERT{or} INTO sections (title) VALUES ('2')", "title"),
      ("INSERT{or} INTO sections (title) VALUES (' customERS ')", "title"),
      ("UPDATE{or} sections SET title = ' 2' WHERE id = 1", "title"),
      ("UPDATE{or} sections SET title = 'x'", "title"),
      ("UPDATE{or} sections SET footer = x'41' WHERE id = 2", "value"),
      ("DELETE FROM sections WHERE id = 1", "occupied"),
      ("DELETE FROM sections WHERE id IN (3, 2)", "occupied"),
      ("DELETE FROM sections", "occupied"),
    ]

  /// The first row of the statement could be done; then nothing of it is.
  private static let laterRows: [(sql: String, kind: String)] = [
    (#"INSERT{or} INTO customers (section, "order") VALUES (1, 1), (1, 1), (1, 99)"#, "place"),
    ("INSERT{or} INTO customers (id) VALUES (20), (20)", "id"),
    ("INSERT{or} INTO customers (id) VALUES (30), (20)", "id"),
    ("INSERT{or} INTO sections (id, title) VALUES (20, 'x'), (20, 'y')", "id"),
    ("INSERT{or} INTO customers (section) VALUES (2), (99)", "section"),
    ("INSERT{or} INTO customers (is_favorite) VALUES (1), (2)", "value"),
    (#"INSERT{or} INTO sections ("order", title) VALUES (1, 'x'), (9, 'y')"#, "place"),
    (#"UPDATE{or} customers SET "order" = id WHERE id IN (5, 4, 6)"#, "place"),
    ("UPDATE{or} customers SET id = 1 WHERE section = 1 AND id <> 2 AND id <> 3", "id"),
    (#"UPDATE{or} customers SET note = 'x', "order" = 99 WHERE id = 1"#, "place"),
    (#"UPDATE{or} sections SET title = 'x', "order" = 99 WHERE id = 1"#, "place"),
  ]
}
