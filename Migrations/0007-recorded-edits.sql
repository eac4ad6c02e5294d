-- 0007  The edits that every client's statement ends in: each writes itself into the log and changes the
-- list. What may be asked is checked before, in 0009 and 0010.

-- Recorded edits of one customer ------------------------------------------------------------------

-- A record without a place, new or deleted, gets one.
CREATE VIEW insert_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER insert_row INSTEAD OF INSERT ON insert_row BEGIN
    INSERT INTO record_edit VALUES ('insert', NEW.customer, 1, NULL, NULL, NEW.section, NEW."order", 0);
    UPDATE customer_record SET deleted_by = NULL WHERE id = NEW.customer AND deleted_by IS NOT NULL;
    INSERT INTO put_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

CREATE VIEW delete_row AS SELECT NULL AS customer WHERE 0;
CREATE TRIGGER delete_row INSTEAD OF INSERT ON delete_row BEGIN
    INSERT INTO record_edit
    SELECT 'delete', id, 1, section, "order", NULL, NULL,
           length(first_name) + length(last_name) + length(company) + length(email) + length(phone)
           + length(address) + length(note) + length(extra)
    FROM placed_row JOIN customer_record ON id = customer WHERE customer = NEW.customer;
    INSERT INTO take_row VALUES (NEW.customer);
    UPDATE customer_record SET block = NULL, deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;
END;

CREATE VIEW relocate_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER relocate_row INSTEAD OF INSERT ON relocate_row BEGIN
    INSERT INTO record_edit
    SELECT 'move', customer, 1, section, "order", NEW.section, NEW."order", 0
    FROM placed_row WHERE customer = NEW.customer;
    INSERT INTO move_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

CREATE VIEW revise_row AS
SELECT id, first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra
FROM customer_record WHERE 0;
CREATE TRIGGER revise_row INSTEAD OF INSERT ON revise_row BEGIN
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
        SELECT ifnull(length(first_name), 0) + ifnull(length(last_name), 0) + ifnull(length(company), 0)
               + ifnull(length(email), 0) + ifnull(length(phone), 0) + ifnull(length(address), 0)
               + ifnull(length(note), 0) + ifnull(length(extra), 0)
        FROM history_edit WHERE id = (SELECT id FROM last_edit))
    WHERE id = (SELECT id FROM last_step);
    UPDATE customer_record SET
        first_name = NEW.first_name, last_name = NEW.last_name, company = NEW.company, email = NEW.email,
        phone = NEW.phone, address = NEW.address, note = NEW.note, is_favorite = NEW.is_favorite,
        can_edit = NEW.can_edit, can_move = NEW.can_move, extra = NEW.extra
    WHERE id = NEW.id;
END;

-- Recorded edits of many customers ----------------------------------------------------------------

-- Records with ids that follow each other, without places, get places that follow each other.
CREATE VIEW insert_rows AS
SELECT NULL AS first, NULL AS count, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER insert_rows INSTEAD OF INSERT ON insert_rows
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

-- The same backwards.
CREATE VIEW delete_rows AS
SELECT NULL AS first, NULL AS count, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER delete_rows INSTEAD OF INSERT ON delete_rows BEGIN
    INSERT INTO record_edit
    SELECT 'delete rows', NEW.first, NEW.count, NEW.section, NEW."order", NULL, NULL,
           total(length(first_name) + length(last_name) + length(company) + length(email) + length(phone)
                 + length(address) + length(note) + length(extra))
    FROM customer_record WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
    INSERT INTO take_rows VALUES (NEW.section, NEW."order", NEW.count);
    -- As many rows went as were meant; they are those if none of them is there any more.
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    WHERE EXISTS (SELECT 1 FROM placed_row WHERE customer BETWEEN NEW.first AND NEW.first + NEW.count - 1);
    UPDATE customer_record SET block = NULL, deleted_by = (SELECT id FROM last_edit)
    WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
END;

-- All customers of a section get the places that they have in `staged`.
CREATE VIEW arrange_rows AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER arrange_rows INSTEAD OF INSERT ON arrange_rows BEGIN
    INSERT INTO record_edit SELECT 'arrange', NEW.section, count(*), NEW.section, 1, NEW.section, 1, 0 FROM staged;
    INSERT INTO history_row
    SELECT last_edit.id, staged.customer, "order", number FROM staged JOIN last_edit
    CROSS JOIN placed_row ON placed_row.customer = staged.customer WHERE "order" <> number;
    UPDATE history_step SET bytes = bytes + 12 * (
        SELECT count(*) FROM history_row WHERE edit = (SELECT id FROM last_edit))
    WHERE id = (SELECT id FROM last_step);
    INSERT INTO clear_section VALUES (NEW.section);
    INSERT INTO put_rows VALUES (NEW.section, 1);
END;

-- Recorded edits of sections ----------------------------------------------------------------------

CREATE VIEW insert_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER insert_section INSTEAD OF INSERT ON insert_section BEGIN
    INSERT INTO record_edit VALUES ('section insert', NEW.id, 1, NULL, NULL, NULL, NEW."order", 0);
    UPDATE section_record SET "order" = 0, deleted_by = NULL WHERE id = NEW.id;
    INSERT INTO put_section VALUES (NEW.id, NEW."order");
END;

CREATE VIEW delete_section AS SELECT NULL AS id WHERE 0;
CREATE TRIGGER delete_section INSTEAD OF INSERT ON delete_section BEGIN
    INSERT INTO record_edit
    SELECT 'section delete', id, 1, NULL, "order", NULL, NULL, length(title) + length(footer)
    FROM section_record WHERE id = NEW.id;
    INSERT INTO take_section SELECT id, "order" FROM section_record WHERE id = NEW.id;
    UPDATE section_record SET "order" = NULL, deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.id;
    INSERT INTO prove_sections VALUES (1);
END;

CREATE VIEW relocate_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER relocate_section INSTEAD OF INSERT ON relocate_section BEGIN
    INSERT INTO record_edit
    SELECT 'section move', id, 1, NULL, "order", NULL, NEW."order", 0 FROM section_record WHERE id = NEW.id;
    INSERT INTO take_section SELECT id, "order" FROM section_record WHERE id = NEW.id;
    INSERT INTO put_section VALUES (NEW.id, NEW."order");
END;

CREATE VIEW revise_section AS SELECT id, title, footer FROM section_record WHERE 0;
CREATE TRIGGER revise_section INSTEAD OF INSERT ON revise_section BEGIN
    INSERT INTO record_edit
    SELECT 'section update', id, 1, NULL, NULL, NULL, NULL, length(title) + length(footer)
    FROM section_record WHERE id = NEW.id;
    UPDATE history_edit SET (title, footer) = (
        SELECT nullif(title, NEW.title), nullif(footer, NEW.footer) FROM section_record WHERE id = NEW.id)
    WHERE id = (SELECT id FROM last_edit);
    UPDATE section_record SET title = NEW.title, footer = NEW.footer WHERE id = NEW.id;
END;
