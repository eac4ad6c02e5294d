-- 0010  The view that clients read and write like customers:  sections.

-- 0 + "order" is not a column to SQLite, so a client's '2' or 2.0 reaches the triggers unchanged.
CREATE VIEW sections AS SELECT id, title, footer, 0 + "order" AS "order", count FROM present_section;

-- Titles that differ only in case (of the letters a to z) or in surrounding spaces are the same.
CREATE VIEW check_title AS SELECT id, title FROM section_record WHERE 0;
CREATE TRIGGER check_title INSTEAD OF INSERT ON check_title BEGIN
    SELECT RAISE(ABORT, 'untitled: a section must have a title') WHERE trim(NEW.title) = '';
    SELECT RAISE(ABORT, 'title: another section already has this title')
    WHERE EXISTS (
        SELECT 1 FROM present_section
        WHERE lower(trim(title)) = lower(trim(NEW.title)) AND id IS NOT NEW.id);
END;

CREATE VIEW check_count AS SELECT NULL AS asked, NULL AS count WHERE 0;
CREATE TRIGGER check_count INSTEAD OF INSERT ON check_count
WHEN NEW.asked IS NOT NEW.count
BEGIN
    SELECT RAISE(ABORT, 'count: this column can''t be set; the file counts the rows of each section');
END;

CREATE TRIGGER sections_insert INSTEAD OF INSERT ON sections BEGIN
    INSERT INTO check_count VALUES (NEW.count, NULL);
    INSERT INTO check_new_id VALUES (NEW.id, 'section_record');
    INSERT INTO check_place VALUES (coalesce(NEW."order", 1), (SELECT count(*) FROM present_section) + 1);
    INSERT INTO check_text VALUES (typeof(NEW.title));
    INSERT INTO check_text VALUES (typeof(NEW.footer));
    INSERT INTO check_title VALUES (NULL, coalesce(NEW.title, ''));
    INSERT INTO assert_sections VALUES (1);
    INSERT INTO section_record (id, title, footer, "order")
    VALUES (NEW.id, NEW.title, coalesce(NEW.footer, ''), NULL);
    INSERT INTO logged_section_insert
    SELECT last_insert_rowid(), coalesce(NEW."order", count(*) + 1) FROM present_section;
END;

CREATE TRIGGER sections_update INSTEAD OF UPDATE OF id, title, footer, count ON sections BEGIN
    SELECT RAISE(ABORT, 'id: the id of a section never changes') WHERE NEW.id IS NOT OLD.id;
    INSERT INTO check_count VALUES (NEW.count, OLD.count);
    INSERT INTO check_text VALUES (typeof(NEW.title));
    INSERT INTO check_text VALUES (typeof(NEW.footer));
    INSERT INTO check_title VALUES (OLD.id, coalesce(NEW.title, ''));
    INSERT INTO logged_section_update
    SELECT OLD.id, NEW.title, coalesce(NEW.footer, '')
    WHERE (NEW.title, coalesce(NEW.footer, '')) IS NOT (OLD.title, OLD.footer);
END;

CREATE TRIGGER sections_move INSTEAD OF UPDATE OF "order" ON sections
WHEN NEW."order" IS NOT OLD."order"
BEGIN
    INSERT INTO check_place SELECT NEW."order", count(*) FROM present_section;
    INSERT INTO logged_section_move
    SELECT id, NEW."order" FROM present_section WHERE id = OLD.id AND "order" <> NEW."order";
END;

CREATE TRIGGER sections_delete INSTEAD OF DELETE ON sections BEGIN
    SELECT RAISE(ABORT, 'occupied: this section has customers, so it can''t be deleted; move or delete them first')
    FROM section_record WHERE id = OLD.id AND count > 0;
    INSERT INTO logged_section_delete VALUES (OLD.id);
END;
