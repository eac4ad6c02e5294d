/// Comparisons reversed or widened, numbers off by one, conditions dropped, assertions and refusals removed.
extension Mutant {
  static let all: [Mutant] =
    tree + numbering + manyRows + anyRows + values + sectionNumbers + history + undo + lines + entries + views
    + conversion

  private static let tree = [
    Mutant(
      "WHEN NEW.found\nBEGIN\n    SELECT RAISE(ABORT, 'damaged:",
      "WHEN 0\nBEGIN\n    SELECT RAISE(ABORT, 'damaged:"),
    Mutant("NEW.last <> 64 * NEW.block + (", "NEW.last < 64 * NEW.block + ("),
    Mutant(
      "SELECT count(*) FROM place WHERE slot BETWEEN 64 * NEW.block + 1 AND",
      "SELECT count(*) FROM place WHERE slot BETWEEN 64 * NEW.block AND"),
    Mutant("earlier.start < node.start", "earlier.start <= node.start"),
    Mutant("later.start > node.start", "later.start >= node.start"),
    Mutant("min(later.start)", "max(later.start)"),
    Mutant("NEW.rows > (SELECT rows FROM", "NEW.rows >= (SELECT rows FROM"),
    Mutant("NEW.rows > (SELECT rows FROM", "NEW.rows > 1 + (SELECT rows FROM"),
    Mutant("start + NEW.keep FROM node", "start + NEW.keep + 1 FROM node"),
    Mutant("NEW.keep, -NEW.keep)", "NEW.keep, 1 - NEW.keep)"),
    Mutant("NEW.node) > (SELECT children FROM capacity)", "NEW.node) > 1 + (SELECT children FROM capacity)"),
    Mutant(
      "WHERE parent = NEW.node AND start >= NEW.start;", "WHERE parent = NEW.node AND start > NEW.start;"),
    Mutant("start = start - NEW.start\n", "start = start - NEW.start + 1\n"),
    Mutant(
      "WHERE id = NEW.block AND NOT EXISTS (\n        SELECT 1 FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63);",
      "WHERE id = NEW.block;"),
    Mutant("INSERT INTO tidy_node VALUES (NEW.chapter);", ""),
    Mutant("<= (SELECT rows / 2 FROM capacity)", "<= (SELECT rows * 2 FROM capacity)"),
    Mutant("<= (SELECT children / 2 FROM capacity)", "<= (SELECT children * 2 FROM capacity)"),
    Mutant(
      "SELECT customer FROM place WHERE slot BETWEEN 64 * NEW.block + NEW.after + 1",
      "SELECT customer FROM place WHERE slot BETWEEN 64 * NEW.block + NEW.after"),
    Mutant(
      "    WHERE slot BETWEEN 64 * NEW.block + NEW.after + 1 AND",
      "    WHERE slot BETWEEN 64 * NEW.block + NEW.after AND"),
    Mutant(
      "slot - 64 * NEW.block + 64 * NEW.destination + NEW.by",
      "slot - 64 * NEW.block + 64 * NEW.destination"),
    Mutant("start = start - (SELECT start FROM node WHERE id = NEW.node) +", "start = start +"),
  ]

  private static let numbering = [
    Mutant(#"p.slot - 64 * own.id < NEW."order""#, #"p.slot - 64 * own.id > NEW."order""#),
    Mutant(
      #"max(start) AS part_start FROM node\#n                WHERE parent = -NEW.section AND start < NEW."order")"#,
      #"max(start) AS part_start FROM node\#n                WHERE parent = -NEW.section AND start <= NEW."order")"#
    ),
    Mutant(#"chapter.start < NEW."order""#, #"chapter.start <= NEW."order""#),
    Mutant(#"block.start < NEW."order""#, #"block.start <= NEW."order""#),
    Mutant(
      #"NEW."order" - part_start - chapter_start - block_start"#,
      #"NEW."order" - chapter_start - block_start"#),
    Mutant(
      "BETWEEN 64 * own.id + 1 AND 64 * own.id + 63),", "BETWEEN 64 * own.id + 2 AND 64 * own.id + 63),"),
    Mutant("NEW.customer, NEW.slot + NEW.is_after,", "NEW.customer, NEW.slot,"),
    Mutant("DELETE FROM place WHERE slot = NEW.from_last;", "DELETE FROM place WHERE slot = NEW.from_slot;"),
    Mutant("NEW.from_slot + 1, NEW.from_last,", "NEW.from_slot + 2, NEW.from_last,"),
    Mutant("NEW.slot + NEW.is_after, NEW.last);", "NEW.slot + NEW.is_after, NEW.last - 1);"),
    Mutant("NEW.from_slot + 1, NEW.slot, NEW.slot,", "NEW.from_slot + 2, NEW.slot, NEW.slot,"),
    Mutant("NEW.slot, NEW.from_slot - 1);", "NEW.slot, NEW.from_slot - 2);"),
    Mutant("SELECT slot + 1, customer FROM place", "SELECT slot, customer FROM place"),
    Mutant(
      "SELECT 1 FROM place WHERE slot BETWEEN NEW.from_slot + 1 AND NEW.from_last AND customer",
      "SELECT 1 FROM place WHERE slot BETWEEN NEW.from_slot + 2 AND NEW.from_last AND customer"),
    Mutant(
      "        OR EXISTS (SELECT 1 FROM place WHERE slot BETWEEN NEW.from_last + 1 AND 64 * NEW.from_block + 63)\n",
      ""),
    Mutant("        OR NEW.slot + NEW.is_after > NEW.last + 1);", "        );"),
    Mutant("NEW.block IS NULL AND NEW.section IS NOT NULL OR", "0 OR"),
    Mutant(" OR (NEW.kind = 'insert') = (NEW.from_order IS NOT NULL)", ""),
    Mutant("NEW.kind = 'insert' OR NEW.from_order IS NULL", "NEW.from_order IS NULL"),
    Mutant("OR NEW.from_order IS NULL OR NEW.slot > NEW.last", "OR NEW.slot > NEW.last"),
    Mutant("AND NEW.is_after <> (", "AND NEW.is_after > ("),
    Mutant("count = count - 1", "count = count - 2"),
    Mutant(
      "count = count + 1 WHERE id = NEW.section AND NEW.from_section IS NOT NEW.section",
      "count = count + 1 WHERE id = NEW.section"),
    Mutant("AND start > NEW.source\n", "AND start >= NEW.source\n"),
    Mutant("AND start > NEW.target\n", "AND start >= NEW.target\n"),
    Mutant("OR start <= NEW.target)", "OR 1)"),
    Mutant("OR start <= NEW.source)", "OR 1)"),
    Mutant("WHEN NEW.source IS NOT NEW.target OR", "WHEN NEW.source IS NOT NEW.target AND"),
    Mutant(
      "VALUES (NEW.from_part, NEW.from_chapter_start,", "VALUES (NEW.from_part, NEW.from_block_start,"),
    Mutant("UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;", ""),
    Mutant(
      "INSERT INTO split_full_block VALUES (NEW.block, NEW.chapter, NEW.part, NEW.last + 1 - 64 * NEW.block);",
      ""),
  ]

  private static let manyRows = [
    Mutant(
      #"(NEW.section, NEW."order" - 1);"# + "\n    INSERT INTO shift_parts VALUES",
      #"(NEW.section, NEW."order");"# + "\n    INSERT INTO shift_parts VALUES"),
    Mutant("parent = -NEW.section AND start >= NEW.start;", "parent = -NEW.section AND start > NEW.start;"),
    Mutant("count = count + NEW.by", "count = count + NEW.by + 1"),
    Mutant(#"NEW."order" - 1 + (parent"#, #"NEW."order" + (parent"#),
    Mutant("WHERE id >= NEW.block AND start = 0;", "WHERE start = 0;"),
    Mutant("WHERE id >= NEW.chapter AND start = 0;", "WHERE id >= NEW.block AND start = 0;"),
    Mutant("AND id = customer AND customer_record.block IS NOT place.block;", "AND 0;"),
    Mutant("(number - 1) % block_rows + 1, customer", "number % block_rows + 1, customer"),
    Mutant(#"INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1 + NEW.count);"#, ""),
    Mutant(#"NEW."order" - 1, -NEW.count);"#, #"NEW."order" - 1, 1 - NEW.count);"#),
    Mutant(
      "DELETE FROM node WHERE parent = -NEW.section AND start BETWEEN",
      "DELETE FROM node WHERE start BETWEEN"),
    Mutant("> 64 * NEW.block + NEW.after\n", ">= 64 * NEW.block + NEW.after\n"),
    Mutant("SELECT count(*) <> NEW.count\n", "SELECT 0\n"),
    Mutant("    DELETE FROM staged;\n", ""),
  ]

  private static let anyRows =
    ([
      ("DELETE FROM staged_row;", ""),
      ("DELETE FROM touched_block;", ""),
      ("DELETE FROM left_slot;", ""),
      ("DELETE FROM arriving_row;", ""),
      ("DELETE FROM entered_gap;", ""),
      ("DELETE FROM merged_place;", ""),
      ("DELETE FROM moved_run;", ""),
      ("DELETE FROM reverted_edit;", ""),
      (
        "touched_block.start + slot - 64 * touched_block.block AS",
        "touched_block.start + slot - 64 * touched_block.block + 1 AS"
      ),
      (
        "customer_record AS c ON c.id = customer WHERE slot / 64 IS c.block;",
        "customer_record AS c ON c.id = customer;"
      ),
      (
        "SELECT block FROM touched_block\nWHERE rows <> (",
        "SELECT block FROM touched_block\nWHERE 0 AND rows <> ("
      ),
      (
        "(SELECT customer FROM staged_row WHERE section IS NULL) AND deleted_by IS NOT NULL;",
        "(SELECT customer FROM staged_row WHERE 0) AND deleted_by IS NOT NULL;"
      ),
      (#"AND max("order") - min("order") + 1 = count(*) AND"#, "AND"),
      (#"AND min(to_order - "order") = max(to_order - "order")"#, ""),
      (#"SET parent = 0, start = start - "order" + 1"#, #"SET parent = 0, start = start - "order""#),
      ("start = start + to_order - 1 FROM moved_run", "start = start + to_order FROM moved_run"),
      (#"SELECT section, "order" - 1 FROM moved_run\#nUNION ALL SELECT section,"#, "SELECT section,"),
      (#"UNION ALL SELECT section, "order" - 1 + count FROM moved_run"#, ""),
      ("THEN count ELSE 0 END FROM moved_run;", "THEN 0 ELSE 0 END FROM moved_run;"),
      ("UNION ALL SELECT to_section, to_order - 1, count FROM moved_run;", ";"),
      (
        "to_order - row_number() OVER (PARTITION BY to_section ORDER BY to_order) AS staying",
        "to_order - 1 AS staying"
      ),
      (#"ORDER BY section, staying, "order";"#, #"ORDER BY section, staying, "order" DESC;"#),
      (
        "WHERE touched_block.rows - gone + come > capacity.rows) AS full",
        "WHERE touched_block.rows - gone + come >= 0) AS full"
      ),
      ("next_block.block - extra + sum(extra)", "next_block.block + sum(extra)"),
      ("WHERE place.slot = coming.slot - gone.count;", "WHERE place.slot = coming.slot - 1;"),
      ("gone.slot + 1 AND gone.next - 1", "gone.slot + 1 AND gone.next - 2"),
      ("+ rows - gone + 1 AND", "+ rows - gone + 2 AND"),
      ("UNION ALL SELECT slot FROM left_slot JOIN", "UNION ALL SELECT 0 FROM left_slot JOIN"),
      ("SET block = NULL, deleted_by = (SELECT id FROM last_edit)", "SET block = NULL, deleted_by = NULL"),
      ("ORDER BY within, number) AS number", "ORDER BY number, within) AS number"),
      (
        "WHERE from_block IS NOT slot / 64 AND id = customer;",
        "WHERE from_block <> slot / 64 AND id = customer;"
      ),
      ("SET count = section_record.count + counted.by", "SET count = section_record.count + counted.by + 1"),
      (
        "node.start + (merged_place.slot / 64 - added + 1) * rows_filled",
        "node.start + (merged_place.slot / 64 - added) * rows_filled"
      ),
      ("DELETE FROM node WHERE id IN (SELECT block FROM touched_block WHERE rows - gone + come = 0);", ""),
      ("SELECT chapter FROM touched_block WHERE come > 0", "SELECT chapter FROM touched_block WHERE 0"),
      ("SELECT part FROM touched_block WHERE come > 0", "SELECT part FROM touched_block WHERE 0"),
      ("DELETE FROM arranged_row;", ""),
      ("DELETE FROM arranged_section;", ""),
      ("DELETE FROM present_row;", ""),
      ("DELETE FROM arranged_place;", ""),
      ("DELETE FROM arranged_block;", ""),
      ("\nWHERE place.\"order\" = row.\"order\";", ";"),
      (
        "SELECT present_row.customer, to_order FROM arranged_row CROSS JOIN present_row ON present_row.\"order\" = to_order",
        "SELECT present_row.customer, present_row.\"order\" FROM present_row"
      ),
      ("BETWEEN unread_block.start + 1 AND", "BETWEEN unread_block.start + 2 AND"),
      ("AND unread_block.start + rows);", "AND unread_block.start + rows - 1);"),
      ("INSERT INTO refuse_damaged SELECT found FROM misplaced;", ""),
      ("INSERT INTO refuse_revert SELECT found FROM misplaced;", ""),
      ("FROM last_edit JOIN history_row ON edit = last_edit.id;", "FROM arranged_row;"),
      ("SELECT slot, arranged_row.customer FROM", "SELECT slot, present_row.customer FROM"),
      ("WHERE id IN (SELECT customer FROM arranged_block);", "WHERE 0;"),
      ("count IS NOT (SELECT count FROM present_section WHERE id = section)\n    OR", ""),
      (
        "WHERE edit = reverted_edit.id) <> (SELECT count(*) FROM arranged_row)",
        "WHERE edit = reverted_edit.id) < (SELECT count(*) FROM arranged_row)"
      ),
      (
        "SELECT customer, row.section, row.\"order\" FROM reverted_edit",
        "SELECT customer, row.section, row.to_order FROM reverted_edit"
      ),
      ("SELECT count <> (SELECT count(*) FROM staged_row) FROM reverted_edit;", "SELECT 0;"),
      ("WHERE block IS NULL AND deleted_by IS NULL LIMIT 1;", "WHERE 0 LIMIT 1;"),
      (#"WHERE now."order" IS NOT row.to_order OR"#, "WHERE"),
      ("DELETE FROM staged_section;", ""),
      ("INSERT INTO assert_sections SELECT 1 FROM staged_section LIMIT 1;", ""),
      ("count + row_number() OVER (ORDER BY id), random()", "count + id, random()"),
      ("WHERE trim(title) = '' OR EXISTS", "WHERE 0 AND EXISTS"),
      (
        "block + 3 * (row_number() OVER (ORDER BY section) - 1)",
        "block + 2 * (row_number() OVER (ORDER BY section) - 1)"
      ),
      (#"WHERE s."order" IS NOT NULL AND start + rows = s.count"#, #"WHERE s."order" IS NOT NULL"#),
      ("(touched_block.rows + come - capacity.rows - 1) / rows_filled + 1 AS extra", "1 AS extra"),
      ("WHEN added IS NULL OR number <= capacity.rows", "WHEN added IS NULL"),
      ("node.start + capacity.rows + (slot / 64 - added)", "node.start + (slot / 64 - added)"),
      ("SET block = slot / 64, uid = random() | (1 << 63)", "SET block = slot / 64"),
      ("UPDATE section_record SET count = count + come FROM touched_block WHERE section = id;", ""),
      (
        "CASE WHEN NOT is_row THEN 'section insert' WHEN count = 1",
        "CASE WHEN NOT is_row THEN 'section insert' WHEN count > 0"
      ),
      ("GROUP BY to_section, to_order - customer", "GROUP BY to_section"),
      ("edits = last.id - first_edit + 1,", "edits = last.id - first_edit,"),
      ("bytes + 32 * (last.id - first_edit + 1 - edits)", "bytes + 32 * (last.id - first_edit + 1)"),
      ("DELETE FROM staged_value;", ""),
      ("INSERT INTO count_edit VALUES (0);", "INSERT INTO count_edit VALUES (1);"),
      ("last_edit.id - 1 + number", "last_edit.id + number"),
      ("edits = edits + made.number - 1", "edits = edits + made.number"),
      ("32 * (made.number - 1) + made.size", "32 * made.number + made.size"),
      ("WHERE id >= (SELECT id FROM last_edit)) AS made", "WHERE id > (SELECT id FROM last_edit)) AS made"),
      ("WHERE id IN (SELECT customer FROM staged_value);", ";"),
      (
        "edit.id BETWEEN first.id AND first.id + first.count - 1;",
        "edit.id BETWEEN first.id AND first.id + first.count;"
      ),
      (
        "WHERE NOT EXISTS (SELECT 1 FROM placed_row WHERE placed_row.customer = staged_value.customer) LIMIT 1;",
        "WHERE 0 LIMIT 1;"
      ),
    ] as [(String, String)]).map { Mutant(in: .manyRows, $0, $1) }

  /// A column that is left out where all of them are listed.
  private static let values = [
    "first_name", "last_name", "company", "email", "phone", "address", "note", "is_favorite", "can_edit",
    "can_move", "extra", "other_contacts", "tags", "next", "address_parts",
  ].flatMap { column in
    [
      ("nullif(c.\(column), ifnull(new.\(column), c.\(column)))", "c.\(column)"),
      ("ifnull(new.\(column), customer_record.\(column))", "customer_record.\(column)"),
      (
        "edit.\(column)\(column == "address_parts" ? "\n" : ",")",
        column == "address_parts" ? "NULL\n" : "NULL,"
      ),
    ].map { Mutant(in: .manyRows, $0, $1) }
  }

  private static let sectionNumbers = [
    Mutant(#"WHERE "order" >= NEW."order";"#, #"WHERE "order" > NEW."order";"#),
    Mutant(#""order" = 1 - "order""#, #""order" = -"order""#),
    Mutant(#""order" = NEW."order" WHERE id = NEW.id"#, #""order" = NEW."order" + 1 WHERE id = NEW.id"#),
    Mutant(#"(SELECT min("order") FROM section_record) <> NEW.first"#, "0"),
    Mutant(
      #"OR (SELECT max("order") FROM section_record) - NEW.first + 1 <> (SELECT count FROM section_count)"#,
      ""),
    Mutant(#"- (SELECT count(*) FROM section_record WHERE "order" IS NULL)"#, ""),
  ]

  private static let history = [
    Mutant(
      "WHEN NEW.kind = 'edit' AND EXISTS (SELECT 1 FROM history_step WHERE state = 'undone')", "WHEN 0"),
    Mutant("last.id - first.id >= most.steps", "last.id - first.id > most.steps"),
    Mutant("SELECT max(last.id - steps", "SELECT max(last.id - 1 - steps"),
    Mutant("- steps + steps / 32", "- steps + steps / 2"),
    Mutant("WHERE bytes_before >= last.bytes_before - most.bytes", "WHERE 0 >= most.bytes"),
    Mutant("edits = edits + 1", "edits = edits"),
    Mutant(
      "AND at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')\n    AND NOT EXISTS (SELECT 1 FROM open_receipt)",
      "AND at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"),
    Mutant(
      "WHERE id = (SELECT max(id) FROM history_step) AND is_open;\n    INSERT INTO add_edit",
      "WHERE 0;\n    INSERT INTO add_edit"),
    Mutant("NEW.last + 1, NEW.receipt IS NOT NULL,", "NEW.last, NEW.receipt IS NOT NULL,"),
    Mutant(
      "    WHERE id = NEW.last;\n    INSERT INTO renew_history VALUES (1);", "    WHERE id = NEW.last;"),
    Mutant(
      "WHERE id = (SELECT max(id) FROM history_step);\n    INSERT INTO renew_history VALUES (1);",
      "WHERE id = (SELECT max(id) FROM history_step);"),
    Mutant("        random() | (1 << 63));\n    INSERT INTO trim", "        1);\n    INSERT INTO trim"),
    Mutant("OLD.first_edit + OLD.edits - 1, OLD.mark", "OLD.first_edit + OLD.edits, OLD.mark"),
    Mutant("WHERE OLD.id > (SELECT ifnull(max(step), 0) FROM old_mark);", "WHERE 0;"),
    Mutant("DELETE FROM old_mark WHERE step <= OLD.id - 10000;", ""),
    Mutant(
      "DELETE FROM old_mark WHERE step <= OLD.id - 10000;", "DELETE FROM old_mark WHERE step <= OLD.id - 9;"),
    Mutant("coalesce(NEW.next, ''),\n        random() | (1 << 63), ", "coalesce(NEW.next, ''), 1 << 63, "),
    Mutant("coalesce(NEW.next, ''),\n        random() | (1 << 63), ", "coalesce(NEW.next, ''), NULL, "),
    Mutant("NULL, random() | (1 << 63));", "NULL, NULL);"),
    Mutant(
      "NEW.first + NEW.count - 1, (random() | (1 << 63)) / 2", "NEW.first + NEW.count - 1, (1 << 63) / 2"),
    Mutant("NEW.first + NEW.count - 1, (random()", "NEW.first + NEW.count - 2, (random()"),
    Mutant("AND uid IS NULL AND deleted_by IS NULL;", "AND uid IS NULL;"),
    Mutant("uid + c.id - first END FROM", "uid + c.id END FROM"),
    Mutant("CASE WHEN last >= c.id THEN uid", "CASE WHEN last >= 0 THEN uid"),
    Mutant(
      "SELECT id, ifnull(uid, id) AS uid FROM section_record", "SELECT id, id AS uid FROM section_record"),
    Mutant("    UPDATE identity SET history =", "    UPDATE identity SET list = '', history ="),
    Mutant(
      "AND id BETWEEN NEW.row AND NEW.row + NEW.count - 1;",
      "AND id BETWEEN NEW.row AND NEW.row + NEW.count - 2;"),
    Mutant(
      "    INSERT INTO forget_edits VALUES (NEW.last);\n    DELETE FROM history_step WHERE id < NEW.last;",
      "    DELETE FROM history_step WHERE id < NEW.last;"),
    Mutant(
      "DELETE FROM edit_record WHERE id < (SELECT max(first_edit + edits)",
      "DELETE FROM edit_record WHERE id < (SELECT max(first_edit)"),
    Mutant("WHERE id <= NEW.last AND first_kind IN (", "WHERE 0 AND first_kind IN ("),
    Mutant(
      "+ edits) FROM history_step WHERE id <= NEW.last) AND kind IN (",
      "+ edits) FROM history_step WHERE 0) AND kind IN ("),
    Mutant("AND token = NEW.token", "AND token <> NEW.token"),
    Mutant(
      "SET deleted_by = NULL WHERE id = NEW.customer AND deleted_by IS NOT NULL;",
      "SET deleted_by = NULL WHERE 0;"),
    Mutant(
      "SET deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;",
      "SET deleted_by = NULL WHERE id = NEW.customer;"),
    Mutant("nullif(note, NEW.note)", "nullif(NEW.note, note)"),
    Mutant("nullif(tags, NEW.tags)", "nullif(NEW.tags, tags)"),
    Mutant("ifnull(NEW.other_contacts, other_contacts)", "other_contacts"),
    Mutant("ifnull(NEW.tags, tags)", "tags"),
    Mutant(
      #"NEW.customer, 1, NEW.from_section, NEW.from_order, NEW.section, NEW."order");"#,
      #"NEW.customer, 1, NEW.from_section, NEW.from_order, NEW.section, NEW."order" + 1);"#),
    Mutant("(id - NEW.first) % block_rows + 1, id", "(id - NEW.first) % block_rows, id"),
    Mutant(
      "INSERT INTO refuse_damaged SELECT count(*) > 0 FROM customer_record",
      "INSERT INTO refuse_damaged SELECT 0 FROM customer_record"),
  ]

  private static let undo = [
    Mutant(
      "AND id IN (SELECT customer FROM history_row WHERE edit = NEW.edit AND to_section IS NULL);", "AND 0;"),
    Mutant("WHEN NEW.kind = 'rows' OR NEW.kind = 'arrange' BEGIN", "WHEN 0 BEGIN"),
    Mutant(
      "BETWEEN first_edit AND first_edit + edits - 1;", "BETWEEN first_edit AND first_edit + edits - 2;"),
    Mutant("WHERE edits <> (first_kind IS NOT NULL)", "WHERE edits < (first_kind IS NOT NULL)"),
    Mutant("WHERE id = NEW.step) ORDER BY id DESC;", "WHERE id = NEW.step) ORDER BY id;"),
    Mutant(#"(NEW.row, NEW.section, NEW."order");"#, #"(NEW.row, NEW.section, NEW."order" + 1);"#),
    Mutant("SELECT RAISE(ABORT, 'history:", "SELECT ('history:"),
    Mutant("WHERE deleted_by IS NOT NULL AND block IS NULL;", "WHERE block IS NULL OR 1;"),
    Mutant("AND deleted_by IS NOT NULL AND \"order\" IS NULL\n", "AND deleted_by = NEW.id\n"),
    Mutant("NEW.\"order\" WHERE NEW.count = 1;", "NEW.\"order\" WHERE NEW.count > 0;"),
    Mutant("NEW.\"order\" BETWEEN 1 AND count + 1)\n", "NEW.\"order\" BETWEEN 1 AND count)\n"),
    Mutant("THEN 'undone' ELSE 'done' END", "THEN 'undone' ELSE 'undone' END"),
  ]

  private static let lines =
    [
      ("nullif(next, NEW.next)", "nullif(NEW.next, next)"), ("ifnull(NEW.next, next)", "next"),
      ("nullif(customer, NEW.customer)", "nullif(NEW.customer, customer)"),
      ("nullif(at, NEW.at)", "nullif(NEW.at, at)"),
      ("nullif(author, NEW.author)", "nullif(NEW.author, author)"),
      ("nullif(text, NEW.text)", "nullif(NEW.text, text)"),
      (
        "INSERT INTO count_edit SELECT 32 + length(CAST(author || text AS BLOB))",
        "INSERT INTO count_edit SELECT 32"
      ),
      ("CASE NEW.kind WHEN 'line delete' THEN (SELECT id FROM last_edit) END", "NULL"),
      ("CASE NEW.kind WHEN 'line delete' THEN (SELECT id FROM last_edit) END", "ifnull(deleted_by, 1)"),
      (
        "    SELECT ifnull(sum(32 + length(CAST(author || text AS BLOB))), 0) FROM line_record WHERE customer = id)",
        "0)"
      ),
      (" OR NEW.kind = 'line update'", ""),
      ("(deleted_by IS NULL) = (NEW.kind <> 'line delete')", "1"),
      ("CROSS JOIN placed_row AS has ON has.customer = line.customer\n", ""),
      ("had.customer = ifnull(NEW.customer, line.customer)", "had.customer = line.customer"),
      ("ifnull(NEW.customer, customer)", "customer"), ("ifnull(NEW.line_at, at)", "at"),
      ("ifnull(NEW.author, author)", "author"), ("ifnull(NEW.text, text)", "text"),
      ("WHERE line.deleted_by IS NULL AND c.deleted_by IS NULL", "WHERE c.deleted_by IS NULL"),
      ("WHERE line.deleted_by IS NULL AND c.deleted_by IS NULL", "WHERE line.deleted_by IS NULL"),
      ("WHERE id = NEW.customer AND deleted_by IS NULL);", "WHERE id = NEW.customer);"),
      ("INSERT INTO check_can_edit SELECT can_edit FROM customer_record WHERE id = NEW.customer;", ""),
      ("INSERT INTO check_can_edit SELECT can_edit FROM customer_record WHERE id = OLD.customer;", ""),
      ("strftime('%Y', NEW.at) IS NULL OR ", ""),
      (" OR date(substr(NEW.at, 1, 10), '+0 days') IS NOT substr(NEW.at, 1, 10)", ""),
      ("INSERT INTO check_text VALUES (typeof(NEW.author));", ""),
      ("INSERT INTO check_text VALUES (typeof(NEW.text));", ""),
      (
        "typeof(NEW.uid) <> 'integer' OR NEW.uid >= 0 OR EXISTS (SELECT 1 FROM line_record",
        "NEW.uid >= 0 OR EXISTS (SELECT 1 FROM line_record"
      ),
      ("NEW.uid >= 0 OR EXISTS (SELECT 1 FROM line_record", "EXISTS (SELECT 1 FROM line_record"),
      (
        "typeof(NEW.uid) <> 'integer' OR NEW.uid >= 0 OR EXISTS (SELECT 1 FROM entry_record",
        "NEW.uid >= 0 OR EXISTS (SELECT 1 FROM entry_record"
      ),
      (" OR EXISTS (SELECT 1 FROM line_record WHERE uid = NEW.uid)", ""),
      (
        "ifnull(NEW.uid, random() | (1 << 63)), NEW.customer",
        "ifnull(NEW.uid, random() & ~(1 << 63)), NEW.customer"
      ),
      ("max(at), '+0.001 seconds')", "max(at), '+0 seconds')"),
      (
        "AND at BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now')\n                  AND strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 second')",
        "AND at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
      ),
      ("(SELECT user FROM open_receipt), ''), coalesce(NEW.text, '')", "''), coalesce(NEW.text, '')"),
      (
        "uid of a line never changes') WHERE NEW.uid IS NOT OLD.uid;",
        "uid of a line never changes') WHERE NEW.uid IS NULL;"
      ),
      ("INSERT INTO check_line VALUES (OLD.customer, OLD.at, OLD.author, OLD.text);", ""),
      (
        "INSERT INTO check_line VALUES (NEW.customer, NEW.at, NEW.author, NEW.text);\n    INSERT INTO logged",
        "INSERT INTO logged"
      ),
      ("INSERT INTO check_line VALUES (NEW.customer, NEW.at, NEW.author, NEW.text);\n    SELECT", "SELECT"),
      ("ifnull(NEW.at, OLD.at)", "ifnull(NEW.at, 'now')"),
      ("IS NOT (OLD.customer, OLD.at, OLD.author, OLD.text)", "IS NOT (NULL, OLD.at, OLD.author, OLD.text)"),
      ("DELETE FROM line_record WHERE customer = OLD.id;", "DELETE FROM line_record WHERE 0;"),
      ("'section delete', 'line delete', 'entry delete');", "'section delete', 'entry delete');"),
      (
        "'line delete' AND deleted_by = NEW.edit AND uid = NEW.row;",
        "'line delete' AND deleted_by = NEW.edit AND uid = 0;"
      ),
    ].map { Mutant($0.0, $0.1) }

  private static let entries =
    ["name", "value", "place", "choices"].map { column in
      Mutant("nullif(\(column), NEW.\(column))", "nullif(NEW.\(column), \(column))")
    }
    + ["name", "value", "place", "choices"].map { Mutant("ifnull(NEW.\($0), \($0))", $0) } + otherEntries

  private static let otherEntries: [Mutant] =
    ([
      ("SELECT 32 + length(CAST(name || value || choices AS BLOB))", "SELECT 32"),
      ("CASE NEW.kind WHEN 'entry delete' THEN (SELECT id FROM last_edit) END", "NULL"),
      (" OR NEW.kind = 'entry update'", ""), ("(deleted_by IS NULL) = (NEW.kind <> 'entry delete')", "1"),
      ("other.type = own.type AND other.name", "other.name"), (" AND other.uid <> own.uid", ""),
      ("other.name = ifnull(NEW.name, own.name)", "other.name = own.name"),
      ("choices FROM entry_record WHERE deleted_by IS NULL;", "choices FROM entry_record;"),
      ("INSERT INTO check_text VALUES (typeof(NEW.name));", ""),
      ("INSERT INTO check_text VALUES (typeof(NEW.value));", ""),
      ("INSERT INTO check_text VALUES (typeof(NEW.choices));", ""),
      ("ifnull(NEW.name, '') = '' OR EXISTS", "EXISTS"),
      ("WHERE type = NEW.type AND name = NEW.name", "WHERE name = NEW.name"),
      ("AND name = NEW.name AND uid <> NEW.uid", "AND name = NEW.name"),
      (" AND (uid < 0) = (NEW.uid < 0));", ");"), ("WHERE NEW.type = 'column'\n", "WHERE 0\n"),
      (" WHERE typeof(NEW.place) <> 'integer';", " WHERE NEW.place IS NULL;"),
      (
        "'integer' OR NEW.uid >= 0 OR EXISTS (SELECT 1 FROM entry_record",
        "'integer' OR EXISTS (SELECT 1 FROM entry_record"
      ),
      (" OR EXISTS (SELECT 1 FROM entry_record WHERE uid = NEW.uid)", ""),
      ("ifnull(NEW.uid, -0.5)", "NEW.uid"),
      ("(SELECT max(place) + 1 FROM present_entry)", "1"),
      (
        "ifnull(NEW.uid, random() | (1 << 63)), NEW.type",
        "ifnull(NEW.uid, 1 + random() & ~(1 << 63)), NEW.type"
      ),
      (
        "INSERT INTO check_entry VALUES (NEW.uid, NEW.type, NEW.name, NEW.value, NEW.place, NEW.choices);", ""
      ),
      ("WHERE uid = NEW.uid AND (NEW.name, ifnull", "WHERE uid = NEW.uid OR (NEW.name, ifnull"),
      ("IS NOT (name, value, place, choices);", "IS NOT (name, value, place, NULL);"),
      (
        "the uid of a column never changes') WHERE NEW.uid IS NOT OLD.uid;",
        "the uid of a column never changes') WHERE NEW.uid IS NULL;"
      ),
      (
        "the uid of a person never changes') WHERE NEW.uid IS NOT OLD.uid;",
        "the uid of a person never changes') WHERE 0;"
      ),
      ("WHERE OLD.uid > 0 AND (NEW.name, NEW.kind)", "WHERE OLD.uid > 9 AND (NEW.name, NEW.kind)"),
      ("(NEW.name, NEW.kind) IS NOT (OLD.name, OLD.kind);", "NEW.name IS NOT OLD.name;"),
      ("every list has the fields') WHERE OLD.uid > 0;", "every list has the fields') WHERE OLD.uid > 9;"),
      (
        "choices FROM present_entry WHERE type = 'setting' AND name = OLD.name;",
        "choices FROM present_entry WHERE name = OLD.name;"
      ),
      (
        "INSERT INTO delete_entry SELECT uid FROM present_entry WHERE type = 'setting' AND name = OLD.name;",
        "INSERT INTO delete_entry SELECT uid FROM present_entry WHERE name = OLD.name;"
      ),
      ("'line delete', 'entry delete');", "'line delete');"),
      (
        "'entry delete' AND deleted_by = NEW.edit AND uid = NEW.row;",
        "'entry delete' AND deleted_by = NEW.edit AND uid = 0;"
      ),
      ("WHEN NEW.address IS OLD.address OR NEW.address_parts IS NOT OLD.address_parts", "WHEN 1"),
      (
        "WHEN NEW.address IS OLD.address OR NEW.address_parts IS NOT OLD.address_parts",
        "WHEN NEW.address IS OLD.address"
      ),
      (
        "WHEN NEW.address IS OLD.address OR NEW.address_parts IS NOT OLD.address_parts",
        "WHEN NEW.address_parts IS NOT OLD.address_parts"
      ),
      ("nullif(address_parts, NEW.address_parts)", "nullif(NEW.address_parts, address_parts)"),
      ("ifnull(NEW.address_parts, address_parts)", "address_parts"),
    ] as [(String, String)]).map { Mutant($0.0, $0.1) }

  private static let views = [
    Mutant(place, place.replacing("< 1", with: "< 0")),
    Mutant(place, place.replacing("> NEW.last", with: ">= NEW.last")),
    Mutant(place, place.replacing("> NEW.last", with: "> NEW.last + 1")),
    Mutant(place, place.replacing(#"typeof(NEW."order") <> 'integer' OR "#, with: "")),
    Mutant(sectionPlace, sectionPlace.replacing("< 1", with: "< 0")),
    Mutant(sectionPlace, sectionPlace.replacing("> NEW.last", with: "> NEW.last + 1")),
    Mutant(sectionPlace, sectionPlace.replacing(#"typeof(NEW."order") <> 'integer' OR "#, with: "")),
    Mutant("OR NEW.id <= last", "OR NEW.id < last"),
    Mutant("SELECT ifnull(max(id), 0) AS last", "SELECT max(id) AS last"),
    Mutant("AND NEW.id > 1 + last", "AND NEW.id > last"),
    Mutant("WHEN NEW.type = 'blob'", "WHEN NEW.type = 'none'"),
    Mutant(
      "    AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section)\nBEGIN", "    AND 0\nBEGIN"),
    Mutant("WHEN (NEW.section IS NULL OR NEW.section IS NOT NEW.own)", "WHEN (NEW.section IS NOT NEW.own)"),
    Mutant("WHEN NEW.can_edit = 0", "WHEN NEW.can_edit < 0"),
    Mutant("WHEN NEW.can_move = 0", "WHEN NEW.can_move < 0"),
    Mutant("+ (NEW.section IS NOT NEW.from_section));", ");"),
    Mutant(#"WHEN NEW."order" IS NOT OLD."order" OR NEW.section IS NOT OLD.section"#, "WHEN 1"),
    Mutant(
      "customer never changes') WHERE NEW.id IS NOT OLD.id;", "customer never changes') WHERE NEW.id IS NULL;"
    ),
    Mutant("INSERT INTO check_can_edit VALUES (OLD.can_edit);", ""),
    Mutant(
      "OLD.is_favorite, OLD.extra, OLD.other_contacts, OLD.tags, OLD.next, OLD.address_parts));",
      "OLD.is_favorite, OLD.extra, OLD.other_contacts, OLD.tags, coalesce(NEW.next, ''), OLD.address_parts));"
    ),
    Mutant(
      "OLD.extra, OLD.other_contacts, OLD.tags, OLD.next,\n",
      "OLD.extra, OLD.other_contacts, coalesce(NEW.tags, ''), OLD.next,\n"),
    Mutant(
      "OLD.extra, OLD.other_contacts, OLD.tags, OLD.next,\n",
      "OLD.extra, OLD.other_contacts, OLD.tags, coalesce(NEW.next, ''),\n"),
    Mutant("\n        WHEN typeof(NEW.next) THEN 'blob'", ""),
    Mutant("WHEN typeof(NEW.other_contacts) THEN 'blob' ", ""),
    Mutant("AND id IS NOT NEW.id);", ");"),
    Mutant("title_key = lower(trim(NEW.title)), footer", "title_key = NEW.title, footer"),
    Mutant(
      "VALUES (NEW.id, NEW.title, lower(trim(NEW.title)),", "VALUES (NEW.id, NEW.title, trim(NEW.title),"),
    Mutant("WHEN NEW.asked IS NOT NEW.count", "WHEN NEW.asked < NEW.count"),
    Mutant("WHERE trim(NEW.title) = '';", "WHERE NEW.title IS NULL;"),
    Mutant(
      "FROM section_record WHERE id = OLD.id AND count > 0;",
      "FROM section_record WHERE id = OLD.id AND count > 1;"),
    Mutant(
      #"check_section_place VALUES (coalesce(NEW."order", 1), (SELECT count + 1 FROM"#,
      #"check_section_place VALUES (coalesce(NEW."order", 1), (SELECT count FROM"#),
  ]

  private static let place = check("check_place")
  private static let sectionPlace = check("check_section_place")

  private static func check(_ name: String) -> String {
    """
    CREATE TRIGGER \(name) INSTEAD OF INSERT ON \(name)
    WHEN typeof(NEW."order") <> 'integer' OR NEW."order" < 1 OR NEW."order" > NEW.last
    """
  }

  /// Mistakes in what is done once, to the lists of format 10.
  private static let conversion = [
    Mutant(
      in: .step11, "SELECT parent, id, start FROM converted ORDER",
      "SELECT parent, id, 0 FROM converted ORDER"),
    Mutant(in: .step11, "SELECT 64 * block + row_number()", "SELECT 64 * block + 1 + row_number()"),
    Mutant(
      in: .step11, #"OVER (PARTITION BY block ORDER BY "order")"#,
      #"OVER (PARTITION BY block ORDER BY "order" DESC)"#),
    Mutant(
      in: .step11, "UPDATE section_record SET title_key = lower(trim(title));",
      "UPDATE section_record SET title_key = title;"),
  ]
}
