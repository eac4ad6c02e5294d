-- 0005  The numbers of the sections.
--
-- Sections are few, so their numbers are in their records. A range of numbers shifts in two steps, negated
-- and back: SQLite checks a key row by row, and "+ 1" would collide halfway through
-- (https://sqlite.org/lang_update.html). A section that is taken out has the number 0 until it is put back.

-- A deleted section keeps its record while the history keeps the deletion.
CREATE VIEW present_section AS SELECT * FROM section_record WHERE "order" IS NOT NULL;

CREATE VIEW put_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER put_section INSTEAD OF INSERT ON put_section BEGIN
    UPDATE section_record SET "order" = -1 - "order" WHERE "order" >= NEW."order";
    UPDATE section_record SET "order" = -"order" WHERE "order" < 0;
    UPDATE section_record SET "order" = NEW."order" WHERE id = NEW.id;
    INSERT INTO assert_sections VALUES (1);
END;

CREATE VIEW take_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER take_section INSTEAD OF INSERT ON take_section BEGIN
    INSERT INTO assert_sections VALUES (1);
    UPDATE section_record SET "order" = 0 WHERE id = NEW.id;
    UPDATE section_record SET "order" = 1 - "order" WHERE "order" > NEW."order";
    UPDATE section_record SET "order" = -"order" WHERE "order" < 0;
END;

-- The numbers are distinct (by their index) and consecutive from `first`: 1, or 0 while a section is out.
CREATE VIEW assert_sections AS SELECT NULL AS first WHERE 0;
CREATE TRIGGER assert_sections INSTEAD OF INSERT ON assert_sections BEGIN
    INSERT INTO refuse_damaged
    SELECT min("order") <> NEW.first OR max("order") - min("order") + 1 <> count("order") FROM section_record;
END;
