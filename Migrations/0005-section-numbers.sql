-- 0005  The numbers of the sections.
--
-- Sections are few, so their numbers stand in their records and a range is shifted in the two steps
-- explained in 0001. A section that is taken out waits at 0 until it is put in.

-- A deleted section keeps its record while the history does.
CREATE VIEW present_section AS SELECT * FROM section_record WHERE "order" IS NOT NULL;

CREATE VIEW put_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER put_section INSTEAD OF INSERT ON put_section BEGIN
    UPDATE section_record SET "order" = -1 - "order" WHERE "order" >= NEW."order";
    UPDATE section_record SET "order" = -"order" WHERE "order" < 0;
    UPDATE section_record SET "order" = NEW."order" WHERE id = NEW.id;
    INSERT INTO prove_sections VALUES (1);
END;

CREATE VIEW take_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER take_section INSTEAD OF INSERT ON take_section BEGIN
    INSERT INTO prove_sections VALUES (1);
    UPDATE section_record SET "order" = 0 WHERE id = NEW.id;
    UPDATE section_record SET "order" = 1 - "order" WHERE "order" > NEW."order";
    UPDATE section_record SET "order" = -"order" WHERE "order" < 0;
END;

-- `first` is 1, or 0 while a section is out.
CREATE VIEW prove_sections AS SELECT NULL AS first WHERE 0;
CREATE TRIGGER prove_sections INSTEAD OF INSERT ON prove_sections BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of the sections are broken; run: customers check --repair')
    FROM (SELECT count("order") AS count, min("order") AS first, max("order") AS last FROM section_record)
    WHERE count > 0 AND (first <> NEW.first OR last - first + 1 <> count);
END;
