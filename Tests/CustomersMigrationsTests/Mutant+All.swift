/// Comparisons reversed or widened, numbers off by one, conditions dropped, assertions and refusals removed.
extension Mutant {
  static let all: [Mutant] = tree + numbering + manyRows + sectionNumbers + history + undo + views

  private static let tree = [
    Mutant(2, "WHEN NEW.found\n", "WHEN NEW.found IS NULL AND NEW.found\n"),
    Mutant(2, #"OR (SELECT min("order") FROM place WHERE block = NEW.block) <> 1"#, ""),
    Mutant(
      2, #"<> (SELECT count(*) FROM place WHERE block = NEW.block));"#,
      #"< (SELECT count(*) FROM place WHERE block = NEW.block));"#),
    Mutant(2, #"AND section = NEW.section AND "order" = NEW."order"));"#, "AND section = NEW.section));"),
    Mutant(2, "earlier.start < node.start", "earlier.start <= node.start"),
    Mutant(2, "later.start > node.start", "later.start >= node.start"),
    Mutant(2, "min(later.start)", "max(later.start)"),
    Mutant(2, "> (SELECT rows FROM capacity)", ">= (SELECT rows FROM capacity)"),
    Mutant(2, "> (SELECT rows FROM capacity)", "> 1 + (SELECT rows FROM capacity)"),
    Mutant(2, "start + NEW.keep FROM node", "start + NEW.keep + 1 FROM node"),
    Mutant(2, "NEW.keep, -NEW.keep)", "NEW.keep, 1 - NEW.keep)"),
    Mutant(2, "> (SELECT children FROM capacity)", "> 1 + (SELECT children FROM capacity)"),
    Mutant(
      2, "WHERE parent = NEW.node AND start >= NEW.start;", "WHERE parent = NEW.node AND start > NEW.start;"),
    Mutant(2, "start = start - NEW.start\n", "start = start - NEW.start + 1\n"),
    Mutant(
      2, "WHERE id = NEW.block AND NOT EXISTS (SELECT 1 FROM place WHERE block = NEW.block);",
      "WHERE id = NEW.block;"),
    Mutant(2, "INSERT INTO tidy_node VALUES (NEW.chapter);", ""),
    Mutant(2, "<= (SELECT rows / 2 FROM capacity)", "<= (SELECT rows * 2 FROM capacity)"),
    Mutant(2, "<= (SELECT children / 2 FROM capacity)", "<= (SELECT children * 2 FROM capacity)"),
    Mutant(2, #"AND "order" > NEW.after);"#, #"AND "order" >= NEW.after);"#),
    Mutant(
      2, #"WHERE block = NEW.block AND "order" > NEW.after;"#,
      #"WHERE block = NEW.block AND "order" >= NEW.after;"#),
    Mutant(2, "start = start - (SELECT start FROM node WHERE id = NEW.node) +", "start = start +"),
  ]

  private static let numbering = [
    Mutant(3, #"NEW."order" < NEW.to_order);"#, #"NEW."order" > NEW.to_order);"#),
    Mutant(
      3, #"parent = -NEW.section AND start < NEW."order""#, #"parent = -NEW.section AND start <= NEW."order""#
    ),
    Mutant(3, #"parent = NEW.part AND start < NEW."order""#, #"parent = NEW.part AND start <= NEW."order""#),
    Mutant(
      3, #"parent = NEW.chapter AND start < NEW."order""#, #"parent = NEW.chapter AND start <= NEW."order""#),
    Mutant(3, " + NEW.is_after);", ");"),
    Mutant(
      3, "NEW.block AND customer = NEW.customer) <> 1);", "NEW.block AND customer = NEW.customer) > 1);"),
    Mutant(3, ", 0) + 1, NEW.customer);", ", 0) + 2, NEW.customer);"),
    Mutant(3, #"AND "order" = (SELECT max("order")"#, #"AND "order" = (SELECT min("order")"#),
    Mutant(3, #"WHEN NEW."from" < NEW."to" THEN"#, #"WHEN NEW."from" > NEW."to" THEN"#),
    Mutant(3, #"THEN place."order" + 1"#, #"THEN place."order" + 2"#),
    Mutant(3, #"BETWEEN min(NEW."from", NEW."to") AND"#, #"BETWEEN min(NEW."from", NEW."to") + 1 AND"#),
    Mutant(3, "count = count - 1", "count = count - 2"),
    Mutant(3, "count = count + 1 WHERE id = NEW.target", "count = count + 1"),
    Mutant(3, "start > NEW.source\n", "start >= NEW.source\n"),
    Mutant(3, "start > NEW.target\n", "start >= NEW.target\n"),
    Mutant(3, "AND NOT (NEW.source_parent IS NEW.target_parent AND start > NEW.target)", ""),
    Mutant(3, "AND NOT (NEW.target_parent IS NEW.source_parent AND start > NEW.source)", ""),
    Mutant(3, "UPDATE customer_record SET block = NULL WHERE id = NEW.customer;", ""),
    Mutant(3, "INSERT INTO split_full_block VALUES (NEW.target);", ""),
  ]

  private static let manyRows = [
    Mutant(
      4, #"INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1);"# + "\n    INSERT INTO shift_parts",
      #"INSERT INTO cut_section VALUES (NEW.section, NEW."order");"# + "\n    INSERT INTO shift_parts"),
    Mutant(4, "AND start >= NEW.start;", "AND start > NEW.start;"),
    Mutant(4, "count = count + NEW.by", "count = count + NEW.by + 1"),
    Mutant(4, #"NEW."order" - 2 + number"#, #"NEW."order" - 1 + number"#),
    Mutant(4, "(number - 1) % block_rows + 1, customer", "number % block_rows + 1, customer"),
    Mutant(4, #"INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1 + NEW.count);"#, ""),
    Mutant(4, #"NEW."order" - 1, -NEW.count);"#, #"NEW."order" - 1, 1 - NEW.count);"#),
    Mutant(
      4, "DELETE FROM node WHERE parent = -NEW.section AND start BETWEEN",
      "DELETE FROM node WHERE start BETWEEN"),
    Mutant(4, "UPDATE section_record SET count = 0 WHERE id = NEW.section;", ""),
    Mutant(4, #"WHEN NEW.after < (SELECT max("order")"#, #"WHEN NEW.after <= (SELECT max("order")"#),
    Mutant(4, "    DELETE FROM staged;\n", ""),
  ]

  private static let sectionNumbers = [
    Mutant(5, #"WHERE "order" >= NEW."order";"#, #"WHERE "order" > NEW."order";"#),
    Mutant(5, #""order" = 1 - "order""#, #""order" = -"order""#),
    Mutant(5, #""order" = NEW."order" WHERE id = NEW.id"#, #""order" = NEW."order" + 1 WHERE id = NEW.id"#),
    Mutant(5, #"SELECT min("order") <> NEW.first OR max("order")"#, #"SELECT max("order")"#),
    Mutant(5, #"OR max("order") - min("order") + 1 <> count("order")"#, ""),
  ]

  private static let history = [
    Mutant(
      6, "WHEN NEW.kind = 'edit' AND EXISTS (SELECT 1 FROM history_step WHERE state = 'undone')", "WHEN 0"),
    Mutant(6, "last.id - first.id >= most.steps", "last.id - first.id > most.steps"),
    Mutant(6, "id <= (SELECT last.id - steps", "id < (SELECT last.id - steps"),
    Mutant(6, "WHERE step.bytes_before >= last.bytes_before - most.bytes", "WHERE 0"),
    Mutant(
      6, "AND id BETWEEN OLD.row AND OLD.row + OLD.count - 1;",
      "AND id BETWEEN OLD.row AND OLD.row + OLD.count - 2;"),
    Mutant(6, "    DELETE FROM history_edit;\n", ""),
    Mutant(6, "AND token = NEW.token", "AND token <> NEW.token"),
    Mutant(
      7, "SET deleted_by = NULL WHERE id = NEW.customer AND deleted_by IS NOT NULL;",
      "SET deleted_by = NULL WHERE 0;"),
    Mutant(
      7, "SET deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;",
      "SET deleted_by = NULL WHERE id = NEW.customer;"),
    Mutant(7, "nullif(note, NEW.note)", "nullif(NEW.note, note)"),
    Mutant(
      7, #"NEW.customer, 1, NEW.section, NEW."order", NEW.to_section, NEW.to_order, 0);"#,
      #"NEW.customer, 1, NEW.section, NEW."order", NEW.to_section, NEW.to_order + 1, 0);"#),
    Mutant(7, "SELECT id - NEW.first + 1, id", "SELECT id - NEW.first, id"),
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
    Mutant(9, #"OR NEW."order" < 1 OR"#, #"OR NEW."order" < 0 OR"#),
    Mutant(9, #"NEW."order" > NEW.last"#, #"NEW."order" >= NEW.last"#),
    Mutant(9, #"NEW."order" > NEW.last"#, #"NEW."order" > NEW.last + 1"#),
    Mutant(9, #"typeof(NEW."order") <> 'integer' OR "#, ""),
    Mutant(9, "OR NEW.id <= (SELECT max(id)", "OR NEW.id < (SELECT max(id)"),
    Mutant(9, "WHEN NEW.type = 'blob'", "WHEN NEW.type = 'none'"),
    Mutant(
      9, "WHEN NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section)", "WHEN NEW.section IS NULL"),
    Mutant(9, "WHEN NEW.can_edit = 0", "WHEN NEW.can_edit < 0"),
    Mutant(9, "WHEN NEW.can_move = 0", "WHEN NEW.can_move < 0"),
    Mutant(9, "+ (NEW.section IS NOT NEW.to_section));", ");"),
    Mutant(9, #"WHEN NEW."order" IS NOT OLD."order" OR NEW.section IS NOT OLD.section"#, "WHEN 1"),
    Mutant(9, "WHERE NEW.id IS NOT OLD.id;", "WHERE NEW.id IS NULL;"),
    Mutant(9, "INSERT INTO check_can_edit VALUES (OLD.can_edit);", ""),
    Mutant(10, "AND id IS NOT NEW.id);", ");"),
    Mutant(10, "WHEN NEW.asked IS NOT NEW.count", "WHEN NEW.asked < NEW.count"),
    Mutant(10, "WHERE trim(NEW.title) = '';", "WHERE NEW.title IS NULL;"),
    Mutant(
      10, "FROM section_record WHERE id = OLD.id AND count > 0;",
      "FROM section_record WHERE id = OLD.id AND count > 1;"),
    Mutant(
      10, #"(SELECT count(*) FROM present_section) + 1);"#, #"(SELECT count(*) FROM present_section));"#),
  ]
}
