-- 0007  The edits that every client's statement comes down to: each logs itself and changes the list. 0009
-- and 0010 check beforehand what a client may do.

-- How many bytes the texts of a record take up.
CREATE VIEW record_size AS
SELECT id, length(CAST(
    first_name || last_name || company || email || phone || address || note || extra AS BLOB)) AS bytes
FROM customer_record;

-- Logged edits of one customer --------------------------------------------------------------------

-- Gives a place to a record without one, new or deleted.
CREATE VIEW logged_insert AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER logged_insert INSTEAD OF INSERT ON logged_insert BEGIN
    INSERT INTO record_edit VALUES ('insert', NEW.customer, 1, NULL, NULL, NEW.section, NEW."order", 0);
    UPDATE customer_record SET deleted_by = NULL WHERE id = NEW.customer AND deleted_by IS NOT NULL;
    INSERT INTO insert_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

CREATE VIEW logged_delete AS SELECT NULL AS customer WHERE 0;
CREATE TRIGGER logged_delete INSTEAD OF INSERT ON logged_delete BEGIN
    INSERT INTO record_edit VALUES (
        'delete', NEW.customer, 1,
        (SELECT section FROM placed_row WHERE customer = NEW.customer),
        (SELECT "order" FROM placed_row WHERE customer = NEW.customer), NULL, NULL,
        (SELECT bytes FROM record_size WHERE id = NEW.customer));
    INSERT INTO delete_row VALUES (NEW.customer);
    UPDATE customer_record SET deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;
END;

CREATE VIEW logged_move AS
SELECT NULL AS customer, NULL AS section, NULL AS "order", NULL AS to_section, NULL AS to_order WHERE 0;
CREATE TRIGGER logged_move INSTEAD OF INSERT ON logged_move BEGIN
    INSERT INTO record_edit VALUES (
        'move', NEW.customer, 1, NEW.section, NEW."order", NEW.to_section, NEW.to_order, 0);
    INSERT INTO move_row VALUES (NEW.customer, NEW.section, NEW."order", NEW.to_section, NEW.to_order);
END;

CREATE VIEW logged_update AS
SELECT id, first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra
FROM customer_record WHERE 0;
CREATE TRIGGER logged_update INSTEAD OF INSERT ON logged_update BEGIN
    INSERT INTO record_edit VALUES ('update', NEW.id, 1, NULL, NULL, NULL, NULL, 0);
    UPDATE history_edit SET
        (first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra) = (
            SELECT nullif(first_name, NEW.first_name), nullif(last_name, NEW.last_name),
                   nullif(company, NEW.company), nullif(email, NEW.email), nullif(phone, NEW.phone),
                   nullif(address, NEW.address), nullif(note, NEW.note), nullif(is_favorite, NEW.is_favorite),
                   nullif(can_edit, NEW.can_edit), nullif(can_move, NEW.can_move), nullif(extra, NEW.extra)
            FROM customer_record WHERE id = NEW.id)
    WHERE id = (SELECT id FROM last_edit);
    UPDATE history_step SET bytes = bytes + (
        SELECT length(CAST(
            ifnull(first_name, '') || ifnull(last_name, '') || ifnull(company, '') || ifnull(email, '')
            || ifnull(phone, '') || ifnull(address, '') || ifnull(note, '') || ifnull(extra, '') AS BLOB))
        FROM history_edit WHERE id = (SELECT id FROM last_edit))
    WHERE id = (SELECT max(id) FROM history_step);
    UPDATE customer_record SET
        first_name = NEW.first_name, last_name = NEW.last_name, company = NEW.company, email = NEW.email,
        phone = NEW.phone, address = NEW.address, note = NEW.note, is_favorite = NEW.is_favorite,
        can_edit = NEW.can_edit, can_move = NEW.can_move, extra = NEW.extra
    WHERE id = NEW.id;
END;

-- Logged edits of many customers ------------------------------------------------------------------

-- Gives consecutive places to records with consecutive ids that have none.
CREATE VIEW logged_insert_rows AS
SELECT NULL AS first, NULL AS count, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER logged_insert_rows INSTEAD OF INSERT ON logged_insert_rows
WHEN NEW.count > 0
BEGIN
    INSERT INTO record_edit
    VALUES ('insert rows', NEW.first, NEW.count, NULL, NULL, NEW.section, NEW."order", 0);
    UPDATE customer_record SET deleted_by = NULL
    WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1 AND deleted_by IS NOT NULL;
    INSERT INTO staged (number, customer)
    SELECT id - NEW.first + 1, id FROM customer_record WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
    INSERT INTO put_rows VALUES (NEW.section, NEW."order");
END;

-- The reverse.
CREATE VIEW logged_delete_rows AS
SELECT NULL AS first, NULL AS count, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER logged_delete_rows INSTEAD OF INSERT ON logged_delete_rows BEGIN
    INSERT INTO record_edit
    SELECT 'delete rows', NEW.first, NEW.count, NEW.section, NEW."order", NULL, NULL, total(bytes)
    FROM record_size WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
    INSERT INTO take_rows VALUES (NEW.section, NEW."order", NEW.count);
    -- The right number of rows was removed; they are the right ones if none of them has a place now.
    INSERT INTO refuse_damaged SELECT count(*) > 0 FROM customer_record
    WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1 AND block IS NOT NULL;
    UPDATE customer_record SET deleted_by = (SELECT id FROM last_edit)
    WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
END;

-- Gives all customers of a section the places that they have in `staged`.
CREATE VIEW logged_arrange AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER logged_arrange INSTEAD OF INSERT ON logged_arrange BEGIN
    INSERT INTO record_edit SELECT 'arrange', NEW.section, count(*), NEW.section, 1, NEW.section, 1, 0 FROM staged;
    INSERT INTO history_row (edit, customer, "order", to_order)
    SELECT last_edit.id, staged.customer, "order", number FROM staged JOIN last_edit
    CROSS JOIN placed_row ON placed_row.customer = staged.customer WHERE "order" <> number;
    UPDATE history_step SET bytes = bytes + 12 * (
        SELECT count(*) FROM history_row WHERE edit = (SELECT id FROM last_edit))
    WHERE id = (SELECT max(id) FROM history_step);
    INSERT INTO clear_section VALUES (NEW.section);
    INSERT INTO put_rows VALUES (NEW.section, 1);
END;

-- Renames a column of `extra`, drops it (to_name NULL) or restores it (name NULL): the customers in
-- `staged_extra` get the texts that they have there. Reading and writing JSON is up to the program.
CREATE TABLE staged_extra (
    customer INTEGER PRIMARY KEY,
    extra    TEXT NOT NULL
);
CREATE VIEW logged_column AS SELECT name, to_name FROM history_edit WHERE 0;
CREATE TRIGGER logged_column INSTEAD OF INSERT ON logged_column BEGIN
    INSERT INTO record_edit SELECT 'column', 0, count(*), NULL, NULL, NULL, NULL, 0 FROM staged_extra;
    UPDATE history_edit SET name = NEW.name, to_name = NEW.to_name WHERE id = (SELECT id FROM last_edit);
    INSERT INTO history_row (edit, customer, extra)
    SELECT last_edit.id, customer, c.extra FROM staged_extra JOIN last_edit
    CROSS JOIN customer_record AS c ON c.id = customer;
    UPDATE history_step SET bytes = bytes + (
        SELECT total(length(CAST(extra AS BLOB))) FROM history_row WHERE edit = (SELECT id FROM last_edit))
    WHERE id = (SELECT max(id) FROM history_step);
    UPDATE customer_record SET extra = staged_extra.extra FROM staged_extra WHERE id = customer;
    DELETE FROM staged_extra;
END;

-- Logged edits of sections ------------------------------------------------------------------------

CREATE VIEW logged_section_insert AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER logged_section_insert INSTEAD OF INSERT ON logged_section_insert BEGIN
    INSERT INTO record_edit VALUES ('section insert', NEW.id, 1, NULL, NULL, NULL, NEW."order", 0);
    UPDATE section_record SET "order" = 0, deleted_by = NULL WHERE id = NEW.id;
    INSERT INTO put_section VALUES (NEW.id, NEW."order");
END;

CREATE VIEW logged_section_delete AS SELECT NULL AS id WHERE 0;
CREATE TRIGGER logged_section_delete INSTEAD OF INSERT ON logged_section_delete BEGIN
    INSERT INTO record_edit
    SELECT 'section delete', id, 1, NULL, "order", NULL, NULL, length(CAST(title || footer AS BLOB))
    FROM section_record WHERE id = NEW.id;
    INSERT INTO take_section SELECT id, "order" FROM section_record WHERE id = NEW.id;
    UPDATE section_record SET "order" = NULL, deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.id;
    INSERT INTO assert_sections VALUES (1);
END;

CREATE VIEW logged_section_move AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER logged_section_move INSTEAD OF INSERT ON logged_section_move BEGIN
    INSERT INTO record_edit
    SELECT 'section move', id, 1, NULL, "order", NULL, NEW."order", 0 FROM section_record WHERE id = NEW.id;
    INSERT INTO take_section SELECT id, "order" FROM section_record WHERE id = NEW.id;
    INSERT INTO put_section VALUES (NEW.id, NEW."order");
END;

CREATE VIEW logged_section_update AS SELECT id, title, footer FROM section_record WHERE 0;
CREATE TRIGGER logged_section_update INSTEAD OF INSERT ON logged_section_update BEGIN
    INSERT INTO record_edit
    SELECT 'section update', id, 1, NULL, NULL, NULL, NULL, length(CAST(title || footer AS BLOB))
    FROM section_record WHERE id = NEW.id;
    UPDATE history_edit SET (title, footer) = (
        SELECT nullif(title, NEW.title), nullif(footer, NEW.footer) FROM section_record WHERE id = NEW.id)
    WHERE id = (SELECT id FROM last_edit);
    UPDATE section_record SET title = NEW.title, footer = NEW.footer WHERE id = NEW.id;
END;
