-- 0009  The view that every client reads and writes:  customers.
--
-- The triggers check each request and translate it into the logged edits of 0007. A refusal is
-- RAISE(ABORT, 'kind: …'): the statement is rolled back, whatever its conflict clause, and programs can
-- rely on the kind.
--
-- When one statement touches many rows, the triggers run row by row, and OLD.* is what the view showed
-- before the statement. So OLD."order" is never used as a place, only to see whether the statement
-- asks for another one; a client that writes every column back unchanged moves nothing.

CREATE VIEW customers AS
SELECT c.id, r.section, r."order",
       c.first_name, c.last_name, c.company, c.email, c.phone, c.address, c.note,
       c.is_favorite, c.can_edit, c.can_move, c.extra
FROM customer_record AS c JOIN placed_row AS r ON r.customer = c.id;

-- Checks, shared with sections --------------------------------------------------------------------

-- `last` is the greatest place allowed.
CREATE VIEW check_place AS SELECT NULL AS "order", NULL AS last WHERE 0;
CREATE TRIGGER check_place INSTEAD OF INSERT ON check_place
WHEN typeof(NEW."order") <> 'integer' OR NEW."order" < 1 OR NEW."order" > NEW.last
BEGIN
    SELECT RAISE(ABORT, 'place: "order" must be a whole number from 1 to the number of rows, or one more if a row is added');
END;

-- SQLite updates sqlite_sequence at the end of a statement, which may have inserted rows already.
CREATE VIEW used_id AS
SELECT name AS "table", seq AS id FROM sqlite_sequence
UNION ALL SELECT 'customer_record', (SELECT max(id) FROM customer_record)
UNION ALL SELECT 'section_record', (SELECT max(id) FROM section_record);

CREATE VIEW check_new_id AS SELECT NULL AS id, NULL AS "table" WHERE 0;
CREATE TRIGGER check_new_id INSTEAD OF INSERT ON check_new_id
WHEN NEW.id IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'id: omit it, or choose a whole number greater than every id used so far')
    WHERE typeof(NEW.id) <> 'integer' OR NEW.id < 1
       OR NEW.id <= (SELECT max(id) FROM used_id WHERE "table" = NEW."table")
       -- Too large: the ids after it would soon exceed what JSON can hold. Only counting may lead there.
       OR NEW.id > 4503599627370496 AND NEW.id > 1 + (SELECT max(id) FROM used_id WHERE "table" = NEW."table");
END;

CREATE VIEW check_text AS SELECT NULL AS type WHERE 0;
CREATE TRIGGER check_text INSTEAD OF INSERT ON check_text
WHEN NEW.type = 'blob'
BEGIN
    SELECT RAISE(ABORT, 'value: a text column needs text, not a blob');
END;

-- Checks for customers only -----------------------------------------------------------------------

CREATE VIEW check_section AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER check_section INSTEAD OF INSERT ON check_section
WHEN NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section)
BEGIN
    SELECT RAISE(ABORT, 'section: no section has this id');
END;

CREATE VIEW check_can_edit AS SELECT NULL AS can_edit WHERE 0;
CREATE TRIGGER check_can_edit INSTEAD OF INSERT ON check_can_edit
WHEN NEW.can_edit = 0
BEGIN
    SELECT RAISE(ABORT, 'protected: can_edit is 0, so this customer can''t be edited or deleted; set can_edit to 1 first');
END;

CREATE VIEW check_can_move AS SELECT NULL AS can_move WHERE 0;
CREATE TRIGGER check_can_move INSTEAD OF INSERT ON check_can_move
WHEN NEW.can_move = 0
BEGIN
    SELECT RAISE(ABORT, 'protected: can_move is 0, so this customer can''t be moved; set can_move to 1 first');
END;

-- (SQLite would build a temporary table for each row if IN had three or more values.)
CREATE VIEW check_fields AS
SELECT first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra
FROM customers WHERE 0;
CREATE TRIGGER check_fields INSTEAD OF INSERT ON check_fields BEGIN
    INSERT INTO check_text VALUES (CASE 'blob'
        WHEN typeof(NEW.first_name) THEN 'blob' WHEN typeof(NEW.last_name) THEN 'blob'
        WHEN typeof(NEW.company) THEN 'blob' WHEN typeof(NEW.email) THEN 'blob'
        WHEN typeof(NEW.phone) THEN 'blob' WHEN typeof(NEW.address) THEN 'blob'
        WHEN typeof(NEW.note) THEN 'blob' WHEN typeof(NEW.extra) THEN 'blob' END);
    SELECT RAISE(ABORT, 'value: is_favorite, can_edit and can_move must be 0 or 1')
    WHERE NOT (ifnull(NEW.is_favorite, 0) IN (0, 1) OR NEW.is_favorite IN ('0', '1'))
       OR NOT (ifnull(NEW.can_edit, 1) IN (0, 1) OR NEW.can_edit IN ('0', '1'))
       OR NOT (ifnull(NEW.can_move, 1) IN (0, 1) OR NEW.can_move IN ('0', '1'));
END;

-- Insert ------------------------------------------------------------------------------------------

CREATE TRIGGER customers_insert INSTEAD OF INSERT ON customers BEGIN
    SELECT RAISE(ABORT, 'section: the list has no section; insert one into sections first')
    WHERE NOT EXISTS (SELECT 1 FROM present_section);
    INSERT INTO check_new_id VALUES (NEW.id, 'customer_record');
    INSERT INTO check_fields VALUES (
        NEW.first_name, NEW.last_name, NEW.company, NEW.email, NEW.phone, NEW.address, NEW.note,
        NEW.is_favorite, NEW.can_edit, NEW.can_move, NEW.extra);
    INSERT INTO customer_record (
        id, first_name, last_name, company, email, phone, address, note,
        is_favorite, can_edit, can_move, extra)
    VALUES (
        NEW.id, coalesce(NEW.first_name, ''), coalesce(NEW.last_name, ''), coalesce(NEW.company, ''),
        coalesce(NEW.email, ''), coalesce(NEW.phone, ''), coalesce(NEW.address, ''), coalesce(NEW.note, ''),
        coalesce(NEW.is_favorite, 0), coalesce(NEW.can_edit, 1), coalesce(NEW.can_move, 1),
        coalesce(NEW.extra, '{}'));
    INSERT INTO request_insert VALUES (
        last_insert_rowid(), coalesce(NEW.section, (SELECT id FROM section_record WHERE "order" = 1)), NEW."order");
END;

-- Gives the new record a place: at the end if "order" is NULL.
CREATE VIEW request_insert AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER request_insert INSTEAD OF INSERT ON request_insert BEGIN
    INSERT INTO check_section VALUES (NEW.section);
    INSERT INTO check_place VALUES (
        coalesce(NEW."order", 1), (SELECT count + 1 FROM section_record WHERE id = NEW.section));
    INSERT INTO logged_insert VALUES (
        NEW.customer, NEW.section,
        coalesce(NEW."order", (SELECT count + 1 FROM section_record WHERE id = NEW.section)));
END;

-- Move --------------------------------------------------------------------------------------------

-- An update of both section and "order" fires both of the next two triggers, in an order that SQLite does
-- not guarantee. Either order ends at the place asked for.

CREATE TRIGGER customers_section INSTEAD OF UPDATE OF section ON customers
WHEN NEW.section IS NOT OLD.section
BEGIN
    INSERT INTO check_can_move VALUES (OLD.can_move);
    INSERT INTO check_section VALUES (NEW.section);
    INSERT INTO request_move
    SELECT here.customer, here.section, here."order", there.id, there.count + 1
    FROM placed_row AS here JOIN section_record AS there ON there.id = NEW.section
    WHERE here.customer = OLD.id AND here.section <> there.id;
END;

CREATE TRIGGER customers_move INSTEAD OF UPDATE OF "order" ON customers
WHEN NEW."order" IS NOT OLD."order" OR NEW.section IS NOT OLD.section
BEGIN
    INSERT INTO check_can_move VALUES (OLD.can_move);
    INSERT INTO check_section VALUES (NEW.section);
    INSERT INTO request_move VALUES (
        OLD.id, (SELECT section FROM placed_row WHERE customer = OLD.id),
        (SELECT "order" FROM placed_row WHERE customer = OLD.id),
        (SELECT id FROM section_record WHERE id = NEW.section), NEW."order");
END;

-- Moves the row from where it is now; it may be in its place already.
CREATE VIEW request_move AS
SELECT NULL AS customer, NULL AS section, NULL AS "order", NULL AS to_section, NULL AS to_order WHERE 0;
CREATE TRIGGER request_move INSTEAD OF INSERT ON request_move
WHEN NEW.section IS NOT NEW.to_section OR NEW."order" IS NOT NEW.to_order
BEGIN
    INSERT INTO check_place VALUES (
        NEW.to_order,
        (SELECT count FROM section_record WHERE id = NEW.to_section) + (NEW.section IS NOT NEW.to_section));
    INSERT INTO logged_move VALUES (NEW.customer, NEW.section, NEW."order", NEW.to_section, NEW.to_order);
END;

-- Update ------------------------------------------------------------------------------------------

CREATE TRIGGER customers_update
INSTEAD OF UPDATE OF id, first_name, last_name, company, email, phone, address, note,
    is_favorite, can_edit, can_move, extra ON customers
BEGIN
    SELECT RAISE(ABORT, 'id: the id of a customer never changes') WHERE NEW.id IS NOT OLD.id;
    INSERT INTO check_can_edit VALUES (OLD.can_edit OR (
        coalesce(NEW.first_name, ''), coalesce(NEW.last_name, ''), coalesce(NEW.company, ''),
        coalesce(NEW.email, ''), coalesce(NEW.phone, ''), coalesce(NEW.address, ''), coalesce(NEW.note, ''),
        coalesce(NEW.is_favorite, 0), coalesce(NEW.extra, '{}')
    ) IS (
        OLD.first_name, OLD.last_name, OLD.company, OLD.email, OLD.phone, OLD.address, OLD.note,
        OLD.is_favorite, OLD.extra));
    INSERT INTO check_fields VALUES (
        NEW.first_name, NEW.last_name, NEW.company, NEW.email, NEW.phone, NEW.address, NEW.note,
        NEW.is_favorite, NEW.can_edit, NEW.can_move, NEW.extra);
    INSERT INTO logged_update
    SELECT OLD.id, revised.* FROM (
        SELECT coalesce(NEW.first_name, '') AS first_name, coalesce(NEW.last_name, '') AS last_name,
               coalesce(NEW.company, '') AS company, coalesce(NEW.email, '') AS email,
               coalesce(NEW.phone, '') AS phone, coalesce(NEW.address, '') AS address,
               coalesce(NEW.note, '') AS note, coalesce(NEW.is_favorite, 0) AS is_favorite,
               coalesce(NEW.can_edit, 1) AS can_edit, coalesce(NEW.can_move, 1) AS can_move,
               coalesce(NEW.extra, '{}') AS extra) AS revised
    WHERE (first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra)
        IS NOT (
            OLD.first_name, OLD.last_name, OLD.company, OLD.email, OLD.phone, OLD.address, OLD.note,
            OLD.is_favorite, OLD.can_edit, OLD.can_move, OLD.extra);
END;

-- Delete ------------------------------------------------------------------------------------------

CREATE TRIGGER customers_delete INSTEAD OF DELETE ON customers BEGIN
    INSERT INTO check_can_edit VALUES (OLD.can_edit);
    INSERT INTO logged_delete VALUES (OLD.id);
END;
