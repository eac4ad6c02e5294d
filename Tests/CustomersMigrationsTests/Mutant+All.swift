/// Comparisons reversed or widened, numbers off by one, conditions dropped, assertions and refusals removed.
extension Mutant {
  static let all: [Mutant] =
    tree + numbering + manyRows + sectionNumbers + history + undo + views + conversion

  private static let tree = [
    Mutant(2, "WHEN NEW.found\n", "WHEN NEW.found IS NULL AND NEW.found\n"),
    Mutant(11, "OR 64 * NEW.block + count(*) <> (", "OR 64 * NEW.block + count(*) > ("),
    Mutant(
      11, "WHERE slot BETWEEN 64 * NEW.block + 1 AND 64 * NEW.block + 63));",
      "WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63));"),
    Mutant(11, "total(customer = NEW.customer) <> (NEW", "total(customer = NEW.customer) > (NEW"),
    Mutant(11, "total(customer = NEW.customer) <> (NEW", "total(customer = NEW.customer) < (NEW"),
    Mutant(2, #"AND section = NEW.section AND "order" = NEW."order"));"#, "AND section = NEW.section));"),
    Mutant(2, "earlier.start < node.start", "earlier.start <= node.start"),
    Mutant(2, "later.start > node.start", "later.start >= node.start"),
    Mutant(2, "min(later.start)", "max(later.start)"),
    Mutant(11, "> 64 * NEW.block + (SELECT rows FROM", ">= 64 * NEW.block + (SELECT rows FROM"),
    Mutant(11, "> 64 * NEW.block + (SELECT rows FROM", "> 64 * NEW.block + 1 + (SELECT rows FROM"),
    Mutant(11, "start + NEW.keep FROM node", "start + NEW.keep + 1 FROM node"),
    Mutant(11, "NEW.keep, -NEW.keep)", "NEW.keep, 1 - NEW.keep)"),
    Mutant(2, "> (SELECT children FROM capacity)", "> 1 + (SELECT children FROM capacity)"),
    Mutant(
      11, "WHERE parent = NEW.node AND start >= NEW.start;", "WHERE parent = NEW.node AND start > NEW.start;"),
    Mutant(11, "start = start - NEW.start\n", "start = start - NEW.start + 1\n"),
    Mutant(
      11,
      "WHERE id = NEW.block AND NOT EXISTS (\n        SELECT 1 FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63);",
      "WHERE id = NEW.block;"),
    Mutant(11, "INSERT INTO tidy_node VALUES (NEW.chapter);", ""),
    Mutant(11, "<= (SELECT rows / 2 FROM capacity)", "<= (SELECT rows * 2 FROM capacity)"),
    Mutant(2, "<= (SELECT children / 2 FROM capacity)", "<= (SELECT children * 2 FROM capacity)"),
    Mutant(
      11, "SELECT customer FROM place WHERE slot BETWEEN 64 * NEW.block + NEW.after + 1",
      "SELECT customer FROM place WHERE slot BETWEEN 64 * NEW.block + NEW.after"),
    Mutant(
      11, "    WHERE slot BETWEEN 64 * NEW.block + NEW.after + 1 AND",
      "    WHERE slot BETWEEN 64 * NEW.block + NEW.after AND"),
    Mutant(
      11, "slot - 64 * NEW.block + 64 * NEW.destination + NEW.by",
      "slot - 64 * NEW.block + 64 * NEW.destination"),
    Mutant(2, "start = start - (SELECT start FROM node WHERE id = NEW.node) +", "start = start +"),
  ]

  private static let numbering = [
    Mutant(11, #"AND NEW."order" < NEW.to_order"#, #"AND NEW."order" > NEW.to_order"#),
    Mutant(
      11, #"parent = -NEW.section AND start < NEW."order")"#,
      #"parent = -NEW.section AND start <= NEW."order")"#
    ),
    Mutant(11, #"chapter.start < NEW."order""#, #"chapter.start <= NEW."order""#),
    Mutant(11, #"block.start < NEW."order""#, #"block.start <= NEW."order""#),
    Mutant(11, #"NEW."order" - part_start - chapter_start - max"#, #"NEW."order" - chapter_start - max"#),
    Mutant(11, " + NEW.is_after);", ");"),
    Mutant(11, "64 * NEW.block) + 1,", "64 * NEW.block) + 2,"),
    Mutant(11, "WHERE slot = (SELECT max(slot)", "WHERE slot = (SELECT min(slot)"),
    Mutant(11, #"WHEN NEW."from" < NEW."to" THEN"#, #"WHEN NEW."from" > NEW."to" THEN"#),
    Mutant(11, "THEN place.slot + 1", "THEN place.slot + 2"),
    Mutant(11, #"BETWEEN min(NEW."from", NEW."to") AND"#, #"BETWEEN min(NEW."from", NEW."to") + 1 AND"#),
    Mutant(11, "count = count - 1", "count = count - 2"),
    Mutant(
      11, "count = count + 1\n    WHERE id = NEW.to_section AND NEW.from_section IS NOT NEW.to_section",
      "count = count + 1\n    WHERE id = NEW.to_section"),
    Mutant(11, "start > NEW.source\n", "start >= NEW.source\n"),
    Mutant(11, "start > NEW.target\n", "start >= NEW.target\n"),
    Mutant(11, "AND NOT (NEW.source_parent IS NEW.target_parent AND start > NEW.target)", ""),
    Mutant(11, "AND NOT (NEW.target_parent IS NEW.source_parent AND start > NEW.source)", ""),
    Mutant(11, "WHEN NEW.source IS NOT NEW.target OR", "WHEN NEW.source IS NOT NEW.target AND"),
    Mutant(
      11, "VALUES (NEW.from_part, NEW.from_chapter_start,", "VALUES (NEW.from_part, NEW.from_block_start,"),
    Mutant(11, "UPDATE customer_record SET block = NULL WHERE id = NEW.customer;", ""),
    Mutant(11, "INSERT INTO split_full_block VALUES (NEW.to_block, NEW.to_chapter, NEW.to_part);", ""),
    Mutant(11, "INSERT INTO assert_row VALUES (NEW.customer, NEW.to_section, NEW.to_order);", ""),
    Mutant(11, #"INSERT INTO assert_row VALUES (NEW.customer, NEW.section, NEW."order");"#, ""),
    Mutant(11, "VALUES (NOT EXISTS (SELECT 1 FROM row_block WHERE customer = NEW.customer));", "VALUES (0);"),
  ]

  private static let manyRows = [
    Mutant(
      11, #"(NEW.section, NEW."order" - 1);"# + "\n    INSERT INTO shift_parts VALUES",
      #"(NEW.section, NEW."order");"# + "\n    INSERT INTO shift_parts VALUES"),
    Mutant(4, "AND start >= NEW.start;", "AND start > NEW.start;"),
    Mutant(4, "count = count + NEW.by", "count = count + NEW.by + 1"),
    Mutant(11, #"NEW."order" - 1 + (parent"#, #"NEW."order" + (parent"#),
    Mutant(11, "WHERE id >= NEW.block AND start = 0;", "WHERE start = 0;"),
    Mutant(11, "WHERE id >= NEW.chapter AND start = 0;", "WHERE id >= NEW.block AND start = 0;"),
    Mutant(11, "AND id = customer AND customer_record.block IS NOT place.block;", "AND 0;"),
    Mutant(11, "(number - 1) % block_rows + 1, customer", "number % block_rows + 1, customer"),
    Mutant(11, #"INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1 + NEW.count);"#, ""),
    Mutant(11, #"NEW."order" - 1, -NEW.count);"#, #"NEW."order" - 1, 1 - NEW.count);"#),
    Mutant(
      11, "DELETE FROM node WHERE parent = -NEW.section AND start BETWEEN",
      "DELETE FROM node WHERE start BETWEEN"),
    Mutant(4, "UPDATE section_record SET count = 0 WHERE id = NEW.section;", ""),
    Mutant(11, "> 64 * NEW.block + NEW.after\n", ">= 64 * NEW.block + NEW.after\n"),
    Mutant(11, "SELECT count(*) <> NEW.count\n", "SELECT 0\n"),
    Mutant(11, "    DELETE FROM staged;\n", ""),
  ]

  private static let sectionNumbers = [
    Mutant(5, #"WHERE "order" >= NEW."order";"#, #"WHERE "order" > NEW."order";"#),
    Mutant(5, #""order" = 1 - "order""#, #""order" = -"order""#),
    Mutant(5, #""order" = NEW."order" WHERE id = NEW.id"#, #""order" = NEW."order" + 1 WHERE id = NEW.id"#),
    Mutant(11, #"(SELECT min("order") FROM section_record) <> NEW.first"#, "0"),
    Mutant(
      11,
      #"OR (SELECT max("order") FROM section_record) - NEW.first + 1 <> (SELECT count FROM section_count)"#,
      ""),
    Mutant(11, #"- (SELECT count(*) FROM section_record WHERE "order" IS NULL)"#, ""),
  ]

  private static let history = [
    Mutant(
      6, "WHEN NEW.kind = 'edit' AND EXISTS (SELECT 1 FROM history_step WHERE state = 'undone')", "WHEN 0"),
    Mutant(11, "last.id - first.id >= most.steps", "last.id - first.id > most.steps"),
    Mutant(11, "id <= (SELECT last.id - steps", "id < (SELECT last.id - steps"),
    Mutant(11, "- steps + steps / 32", "- steps + steps / 2"),
    Mutant(11, "WHERE step.bytes_before >= last.bytes_before - most.bytes", "WHERE 0 >= most.bytes"),
    Mutant(11, "AND at = NEW.at AND NEW.program IS NULL", "AND at = NEW.at"),
    Mutant(11, "SET is_open = 0 WHERE id = NEW.last AND is_open;", "SET is_open = 0 WHERE 0;"),
    Mutant(
      11, "ifnull(NEW.last, 0) + 1, NEW.program IS NOT NULL", "ifnull(NEW.last, 0), NEW.program IS NOT NULL"),
    Mutant(
      11, "    DELETE FROM history_edit;\n    INSERT INTO renew_history VALUES (1);",
      "    DELETE FROM history_edit;"),
    Mutant(
      11, "WHERE id = (SELECT max(id) FROM history_step);\n    INSERT INTO renew_history VALUES (1);",
      "WHERE id = (SELECT max(id) FROM history_step);"),
    Mutant(11, "    UPDATE identity SET history =", "    UPDATE identity SET list = '', history ="),
    Mutant(
      6, "AND id BETWEEN OLD.row AND OLD.row + OLD.count - 1;",
      "AND id BETWEEN OLD.row AND OLD.row + OLD.count - 2;"),
    Mutant(11, "    DELETE FROM history_edit;\n", ""),
    Mutant(6, "AND token = NEW.token", "AND token <> NEW.token"),
    Mutant(
      7, "SET deleted_by = NULL WHERE id = NEW.customer AND deleted_by IS NOT NULL;",
      "SET deleted_by = NULL WHERE 0;"),
    Mutant(
      7, "SET deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;",
      "SET deleted_by = NULL WHERE id = NEW.customer;"),
    Mutant(11, "nullif(note, NEW.note)", "nullif(NEW.note, note)"),
    Mutant(11, "nullif(tags, NEW.tags)", "nullif(NEW.tags, tags)"),
    Mutant(11, "ifnull(e.other_contacts, c.other_contacts)", "c.other_contacts"),
    Mutant(11, "ifnull(e.tags, c.tags)", "c.tags"),
    Mutant(
      7, #"NEW.customer, 1, NEW.section, NEW."order", NEW.to_section, NEW.to_order, 0);"#,
      #"NEW.customer, 1, NEW.section, NEW."order", NEW.to_section, NEW.to_order + 1, 0);"#),
    Mutant(11, "(id - NEW.first) % block_rows + 1, id", "(id - NEW.first) % block_rows, id"),
    Mutant(
      7, "INSERT INTO refuse_damaged SELECT count(*) > 0 FROM customer_record",
      "INSERT INTO refuse_damaged SELECT 0 FROM customer_record"),
    Mutant(7, #"WHERE "order" <> number;"#, #"WHERE "order" = number;"#),
  ]

  private static let undo = [
    Mutant(8, "edit.id < next.first_edit", "edit.id <= next.first_edit"),
    Mutant(8, "edit.id >= made.first_edit", "edit.id > made.first_edit"),
    Mutant(8, "    ORDER BY edit.id DESC;", ";"),
    Mutant(
      8, #"SELECT row, to_section, to_order, section, "order" FROM"#,
      #"SELECT row, to_section, to_order, section, "order" + 1 FROM"#),
    Mutant(8, "SELECT RAISE(ABORT, 'history:", "SELECT ('history:"),
    Mutant(8, "THEN 'undone' ELSE 'done' END", "THEN 'undone' ELSE 'undone' END"),
  ]

  private static let views = [
    Mutant(11, place, place.replacing("< 1", with: "< 0")),
    Mutant(11, place, place.replacing("> NEW.last", with: ">= NEW.last")),
    Mutant(11, place, place.replacing("> NEW.last", with: "> NEW.last + 1")),
    Mutant(11, place, place.replacing(#"typeof(NEW."order") <> 'integer' OR "#, with: "")),
    Mutant(11, sectionPlace, sectionPlace.replacing("< 1", with: "< 0")),
    Mutant(11, sectionPlace, sectionPlace.replacing("> NEW.last", with: "> NEW.last + 1")),
    Mutant(11, sectionPlace, sectionPlace.replacing(#"typeof(NEW."order") <> 'integer' OR "#, with: "")),
    Mutant(11, "OR NEW.id <= last", "OR NEW.id < last"),
    Mutant(11, "SELECT ifnull(max(id), 0) AS last", "SELECT max(id) AS last"),
    Mutant(11, "AND NEW.id > 1 + last", "AND NEW.id > last"),
    Mutant(9, "WHEN NEW.type = 'blob'", "WHEN NEW.type = 'none'"),
    Mutant(
      9, "WHEN NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section)", "WHEN NEW.section IS NULL"),
    Mutant(9, "WHEN NEW.can_edit = 0", "WHEN NEW.can_edit < 0"),
    Mutant(9, "WHEN NEW.can_move = 0", "WHEN NEW.can_move < 0"),
    Mutant(9, "+ (NEW.section IS NOT NEW.to_section));", ");"),
    Mutant(11, #"WHEN NEW."order" IS NOT OLD."order" OR NEW.section IS NOT OLD.section"#, "WHEN 1"),
    Mutant(11, "WHERE NEW.id IS NOT OLD.id;", "WHERE NEW.id IS NULL;"),
    Mutant(11, "INSERT INTO check_can_edit VALUES (OLD.can_edit);", ""),
    Mutant(
      11, "OLD.is_favorite, OLD.extra, OLD.other_contacts, OLD.tags));",
      "OLD.is_favorite, OLD.extra, OLD.other_contacts, coalesce(NEW.tags, '')));"),
    Mutant(
      11, "OLD.extra, OLD.other_contacts, OLD.tags);",
      "OLD.extra, OLD.other_contacts, coalesce(NEW.tags, ''));"),
    Mutant(11, "WHEN typeof(NEW.other_contacts) THEN 'blob' ", ""),
    Mutant(11, "AND id IS NOT NEW.id);", ");"),
    Mutant(11, "title_key = lower(trim(NEW.title)), footer", "title_key = NEW.title, footer"),
    Mutant(
      11, "VALUES (NEW.id, NEW.title, lower(trim(NEW.title)),", "VALUES (NEW.id, NEW.title, trim(NEW.title),"),
    Mutant(10, "WHEN NEW.asked IS NOT NEW.count", "WHEN NEW.asked < NEW.count"),
    Mutant(11, "WHERE trim(NEW.title) = '';", "WHERE NEW.title IS NULL;"),
    Mutant(
      10, "FROM section_record WHERE id = OLD.id AND count > 0;",
      "FROM section_record WHERE id = OLD.id AND count > 1;"),
    Mutant(
      11, #"coalesce(NEW."order", 1), (SELECT count + 1 FROM"#,
      #"coalesce(NEW."order", 1), (SELECT count FROM"#),
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
    Mutant(11, "SELECT parent, id, start FROM converted ORDER", "SELECT parent, id, 0 FROM converted ORDER"),
    Mutant(11, "SELECT 64 * block + row_number()", "SELECT 64 * block + 1 + row_number()"),
    Mutant(
      11, #"OVER (PARTITION BY block ORDER BY "order")"#, #"OVER (PARTITION BY block ORDER BY "order" DESC)"#),
    Mutant(
      11, "UPDATE section_record SET title_key = lower(trim(title));",
      "UPDATE section_record SET title_key = title;"),
  ]
}
