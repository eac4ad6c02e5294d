-- 0010  The view  sections, read and written like customers.

-- 0 + "order" is no column to SQLite, so that a client's '2' or 2.0 reaches the triggers as it is.
CREATE VIEW sections AS SELECT id, title, footer, 0 + "order" AS "order", count FROM present_section;

CREATE VIEW prove_section_texts AS SELECT NULL AS title, NULL AS footer WHERE 0;
CREATE TRIGGER prove_section_texts INSTEAD OF INSERT ON prove_section_texts BEGIN
    SELECT RAISE(ABORT, 'value: a text column takes text, not a blob')
    WHERE 'blob' IN (typeof(NEW.title), typeof(NEW.footer));
END;

CREATE TRIGGER sections_insert INSTEAD OF INSERT ON sections BEGIN
    SELECT RAISE(ABORT, 'count: the file counts the rows of a section itself') WHERE NEW.count IS NOT NULL;
    INSERT INTO prove_id VALUES (NEW.id, 'section_record');
    INSERT INTO prove_place VALUES (coalesce(NEW."order", 1), (SELECT count(*) FROM present_section) + 1);
    INSERT INTO prove_section_texts VALUES (NEW.title, NEW.footer);
    INSERT INTO prove_sections VALUES (1);
    INSERT INTO section_record (id, title, footer, "order")
    VALUES (NEW.id, coalesce(NEW.title, ''), coalesce(NEW.footer, ''), NULL);
    INSERT INTO insert_section
    SELECT last_insert_rowid(), coalesce(NEW."order", count(*) + 1) FROM present_section;
END;

CREATE TRIGGER sections_update INSTEAD OF UPDATE OF id, title, footer, count ON sections BEGIN
    SELECT RAISE(ABORT, 'id: the id of a section never changes') WHERE NEW.id IS NOT OLD.id;
    SELECT RAISE(ABORT, 'count: the file counts the rows of a section itself') WHERE NEW.count IS NOT OLD.count;
    INSERT INTO prove_section_texts VALUES (NEW.title, NEW.footer);
    INSERT INTO revise_section
    SELECT OLD.id, coalesce(NEW.title, ''), coalesce(NEW.footer, '')
    WHERE (coalesce(NEW.title, ''), coalesce(NEW.footer, '')) IS NOT (OLD.title, OLD.footer);
END;

CREATE TRIGGER sections_move INSTEAD OF UPDATE OF "order" ON sections
WHEN NEW."order" IS NOT OLD."order"
BEGIN
    INSERT INTO prove_place SELECT NEW."order", count(*) FROM present_section;
    INSERT INTO relocate_section
    SELECT id, NEW."order" FROM present_section WHERE id = OLD.id AND "order" <> NEW."order";
END;

CREATE TRIGGER sections_delete INSTEAD OF DELETE ON sections BEGIN
    SELECT RAISE(ABORT, 'occupied: a section that has customers is not deleted; move or delete them first')
    FROM section_record WHERE id = OLD.id AND count > 0;
    INSERT INTO delete_section VALUES (OLD.id);
END;
