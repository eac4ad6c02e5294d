-- 0009  The view that every client reads and writes:  customers.
--
-- The triggers check what was asked and translate it into the recorded edits of 0007. A refusal is
-- RAISE(ABORT, 'kind: …'): the statement is undone, whatever its conflict clause, and the kind is
-- what a program may look at.
--
-- When one statement touches many rows, the triggers run row by row, and OLD.* is what the view said
-- before the statement. So OLD."order" is never used as a place, only to see whether the statement
-- asks for another one; a client that writes every column back unchanged moves nothing.

CREATE VIEW customers AS
SELECT c.id, r.section, r."order",
       c.first_name, c.last_name, c.company, c.email, c.phone, c.address, c.note,
       c.is_favorite, c.can_edit, c.can_move, c.extra
FROM customer_record AS c JOIN placed_row AS r ON r.customer = c.id;

-- Checks that more than one trigger makes. `last` is the greatest place allowed.

CREATE VIEW prove_place AS SELECT NULL AS "order", NULL AS last WHERE 0;
CREATE TRIGGER prove_place INSTEAD OF INSERT ON prove_place BEGIN
    SELECT RAISE(ABORT, 'place: "order" must be a whole number from 1 to the number of rows there, one more for a row that comes in')
    WHERE typeof(NEW."order") <> 'integer' OR NEW."order" NOT BETWEEN 1 AND NEW.last;
END;

CREATE VIEW prove_move AS SELECT NULL AS can_move, NULL AS section WHERE 0;
CREATE TRIGGER prove_move INSTEAD OF INSERT ON prove_move BEGIN
    SELECT RAISE(ABORT, 'protected: a customer whose can_move is 0 is not moved; set it to 1 first')
    WHERE NEW.can_move = 0;
    SELECT RAISE(ABORT, 'section: there is no section with this id')
    WHERE NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section);
END;

-- SQLite writes sqlite_sequence at the end of a statement, which may have inserted rows before.
CREATE VIEW used_id AS
SELECT name AS "table", seq AS id FROM sqlite_sequence
UNION ALL SELECT 'customer_record', (SELECT max(id) FROM customer_record)
UNION ALL SELECT 'section_record', (SELECT max(id) FROM section_record);

CREATE VIEW prove_id AS SELECT NULL AS id, NULL AS name WHERE 0;
CREATE TRIGGER prove_id INSTEAD OF INSERT ON prove_id
WHEN NEW.id IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'id: an id is given by the file; one of your own must be a whole number greater than every id ever used')
    WHERE typeof(NEW.id) <> 'integer' OR NEW.id < 1
       OR NEW.id <= (SELECT max(id) FROM used_id WHERE "table" = NEW.name)
       -- So large that the ids after it would soon be no numbers to JSON; only counting leads there.
       OR NEW.id > 4503599627370496 AND NEW.id > 1 + (SELECT max(id) FROM used_id WHERE "table" = NEW.name);
END;

CREATE VIEW prove_fields AS
SELECT first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra
FROM customers WHERE 0;
CREATE TRIGGER prove_fields INSTEAD OF INSERT ON prove_fields BEGIN
    SELECT RAISE(ABORT, 'value: a text column takes text, not a blob')
    WHERE 'blob' IN (
        typeof(NEW.first_name), typeof(NEW.last_name), typeof(NEW.company), typeof(NEW.email),
        typeof(NEW.phone), typeof(NEW.address), typeof(NEW.note), typeof(NEW.extra));
    SELECT RAISE(ABORT, 'value: is_favorite, can_edit and can_move take 0 or 1')
    WHERE NEW.is_favorite NOT IN (0, 1, '0', '1') OR NEW.can_edit NOT IN (0, 1, '0', '1')
       OR NEW.can_move NOT IN (0, 1, '0', '1');
END;

-- Insert ------------------------------------------------------------------------------------------

CREATE TRIGGER customers_insert INSTEAD OF INSERT ON customers BEGIN
    SELECT RAISE(ABORT, 'section: there is no section yet; insert one into sections first')
    WHERE NOT EXISTS (SELECT 1 FROM present_section);
    INSERT INTO prove_move VALUES (1, coalesce(NEW.section, (SELECT id FROM section_record WHERE "order" = 1)));
    INSERT INTO prove_id VALUES (NEW.id, 'customer_record');
    INSERT INTO prove_place VALUES (coalesce(NEW."order", 1), (
        SELECT count + 1 FROM section_record
        WHERE id = coalesce(NEW.section, (SELECT id FROM section_record WHERE "order" = 1))));
    INSERT INTO prove_fields VALUES (
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
    INSERT INTO insert_row
    SELECT last_insert_rowid(), id, coalesce(NEW."order", count + 1) FROM section_record
    WHERE id = coalesce(NEW.section, (SELECT id FROM section_record WHERE "order" = 1));
END;

-- Update ------------------------------------------------------------------------------------------

-- An update that names section and "order" fires both of the next two triggers, in an order that
-- SQLite does not promise. Either order ends at the place asked for.

CREATE TRIGGER customers_section INSTEAD OF UPDATE OF section ON customers
WHEN NEW.section IS NOT OLD.section
BEGIN
    INSERT INTO prove_move VALUES (OLD.can_move, NEW.section);
    INSERT INTO relocate_row
    SELECT OLD.id, id, count + 1 FROM section_record
    WHERE id = NEW.section AND id <> (SELECT section FROM customers WHERE id = OLD.id);
END;

CREATE TRIGGER customers_move INSTEAD OF UPDATE OF "order" ON customers
WHEN NEW."order" IS NOT OLD."order" OR NEW.section IS NOT OLD.section
BEGIN
    INSERT INTO prove_move VALUES (OLD.can_move, NEW.section);
    INSERT INTO prove_place
    SELECT NEW."order", there.count + (here.section <> there.id)
    FROM section_record AS there JOIN customers AS here ON here.id = OLD.id WHERE there.id = NEW.section;
    INSERT INTO relocate_row
    SELECT OLD.id, there.id, NEW."order" FROM section_record AS there JOIN customers AS here ON here.id = OLD.id
    WHERE there.id = NEW.section AND (here.section <> there.id OR here."order" <> NEW."order");
END;

CREATE TRIGGER customers_update
INSTEAD OF UPDATE OF id, first_name, last_name, company, email, phone, address, note,
    is_favorite, can_edit, can_move, extra ON customers
BEGIN
    SELECT RAISE(ABORT, 'id: the id of a customer never changes') WHERE NEW.id IS NOT OLD.id;
    SELECT RAISE(ABORT, 'protected: a customer whose can_edit is 0 is not edited or deleted; set it to 1 first')
    WHERE OLD.can_edit = 0 AND (
        coalesce(NEW.first_name, ''), coalesce(NEW.last_name, ''), coalesce(NEW.company, ''),
        coalesce(NEW.email, ''), coalesce(NEW.phone, ''), coalesce(NEW.address, ''), coalesce(NEW.note, ''),
        coalesce(NEW.is_favorite, 0), coalesce(NEW.extra, '{}')
    ) IS NOT (
        OLD.first_name, OLD.last_name, OLD.company, OLD.email, OLD.phone, OLD.address, OLD.note,
        OLD.is_favorite, OLD.extra);
    INSERT INTO prove_fields VALUES (
        NEW.first_name, NEW.last_name, NEW.company, NEW.email, NEW.phone, NEW.address, NEW.note,
        NEW.is_favorite, NEW.can_edit, NEW.can_move, NEW.extra);
    INSERT INTO revise_row
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
    SELECT RAISE(ABORT, 'protected: a customer whose can_edit is 0 is not edited or deleted; set it to 1 first')
    WHERE OLD.can_edit = 0;
    INSERT INTO delete_row VALUES (OLD.id);
END;
