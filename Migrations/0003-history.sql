-- 0003  What was done, so that it can be taken back.
--
-- Every edit, whichever client makes it, goes through one of the recorded edits below: it changes the
-- list and writes one short row into history_edit. Rows that only slide are not written down. What is
-- deleted stays in its record, without a place, until the history forgets it; so a deletion costs no
-- copy, and taking it back is putting a row.
--
-- The log only grows at its end: undo and redo are edits like others, and a step knows whether it is
-- done or undone. So a program that follows the log misses nothing (https://sqlite.org has no triggers
-- for other processes; they read history_edit from where they were).

CREATE TABLE history_step (
    id           INTEGER PRIMARY KEY,
    at           TEXT    NOT NULL,            -- UTC, to the millisecond
    program      TEXT    NOT NULL,            -- who, if it said so
    action       TEXT    NOT NULL,            -- what it was asked, if it said so
    kind         TEXT    NOT NULL CHECK (kind IN ('edit', 'undo', 'redo')),
    state        TEXT    NOT NULL CHECK (state IN ('done', 'undone', 'dropped')),
    last         INTEGER NOT NULL,            -- the step that did it, or took it back, last
    is_open      INTEGER NOT NULL,            -- 1 while a transaction of ours adds edits to it
    first_edit   INTEGER NOT NULL,            -- its edits go up to the next step's first
    bytes_before INTEGER NOT NULL,            -- what all steps before it kept, and what it keeps
    bytes        INTEGER NOT NULL
);
CREATE INDEX undone_step ON history_step (id) WHERE state = 'undone';

CREATE TABLE history_edit (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL,
    row         INTEGER NOT NULL,             -- the customer or section; of several rows the first id
    count       INTEGER NOT NULL,             -- how many rows, with ids that follow each other
    section     INTEGER, "order"  INTEGER,    -- the place before
    to_section  INTEGER, to_order INTEGER,    -- the place after
    -- Of an update: the old values of the columns that changed.
    first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
    title, footer
);

-- Of an arrangement: the rows whose places differ.
CREATE TABLE history_row (
    edit     INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    "order"  INTEGER NOT NULL,
    to_order INTEGER NOT NULL,
    PRIMARY KEY (edit, customer)
) WITHOUT ROWID;

-- How much is kept, whichever is reached first; and who is at work, while a transaction of ours is.
CREATE TABLE history_state (
    steps   INTEGER NOT NULL CHECK (steps >= 1),
    bytes   INTEGER NOT NULL CHECK (bytes >= 0),
    program TEXT,
    action  TEXT
);
INSERT INTO history_state (steps, bytes) VALUES (10000, 64000000);

CREATE VIEW last_step AS SELECT * FROM history_step ORDER BY id DESC LIMIT 1;
-- The numbers go on also when a new step has made the history forget all edits before it.
CREATE VIEW last_edit AS
SELECT max(ifnull((SELECT max(id) FROM history_edit), 0), ifnull((SELECT first_edit - 1 FROM last_step), 0)) AS id;

-- Steps -------------------------------------------------------------------------------------------

-- All edits of a transaction in which a program named itself (history_state) are one step. Another
-- client's statement is a step by itself: its rows have one time, because 'now' is the same in all of a
-- statement. (Two statements within one millisecond count as one: nothing else that SQL can see tells
-- them apart.)
CREATE VIEW begin_step AS SELECT NULL AS kind WHERE 0;
CREATE TRIGGER begin_step INSTEAD OF INSERT ON begin_step
WHEN NOT EXISTS (
    SELECT 1 FROM last_step AS last, history_state AS now
    WHERE is_open OR (
        now.program IS NULL AND last.program = '' AND kind = 'edit' AND at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))
BEGIN
    INSERT INTO open_step
    SELECT ifnull(program, ''), ifnull(action, ''), 'edit', program IS NOT NULL FROM history_state;
END;

CREATE VIEW close_step AS SELECT NULL AS now WHERE 0;
CREATE TRIGGER close_step INSTEAD OF INSERT ON close_step BEGIN
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT id FROM last_step) AND is_open;
END;

CREATE VIEW open_step AS SELECT NULL AS program, NULL AS action, NULL AS kind, NULL AS is_open WHERE 0;
CREATE TRIGGER open_step INSTEAD OF INSERT ON open_step BEGIN
    INSERT INTO close_step VALUES (1);
    -- A new edit makes it impossible to redo what was undone.
    UPDATE history_step SET state = 'dropped' WHERE state = 'undone' AND NEW.kind = 'edit';
    INSERT INTO history_step (at, program, action, kind, state, last, is_open, first_edit, bytes_before, bytes)
    VALUES (
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NEW.program, NEW.action, NEW.kind, 'done',
        coalesce((SELECT id FROM last_step), 0) + 1, NEW.is_open,
        (SELECT id + 1 FROM last_edit),
        coalesce((SELECT bytes_before + bytes FROM last_step), 0), 0);
    INSERT INTO trim_history SELECT 1 WHERE NEW.kind = 'edit';
END;

-- The oldest steps are forgotten, and with them what was kept for them. Not by undo and redo, which could
-- so lose the step they are at, or one between those that can be redone.
CREATE VIEW trim_history AS SELECT NULL AS now WHERE 0;
CREATE TRIGGER trim_history INSTEAD OF INSERT ON trim_history
WHEN EXISTS (
    SELECT 1 FROM last_step AS last, history_step AS first, history_state AS most
    WHERE first.id = (SELECT min(id) FROM history_step)
      AND (last.id - first.id >= most.steps OR last.bytes_before - first.bytes_before > most.bytes))
BEGIN
    DELETE FROM history_step WHERE id <= (SELECT last.id - steps FROM last_step AS last, history_state);
    DELETE FROM history_step WHERE id < (
        SELECT min(step.id) FROM history_step AS step, last_step AS last, history_state AS most
        WHERE step.bytes_before >= last.bytes_before - most.bytes);
    DELETE FROM history_edit WHERE id < (SELECT first_edit FROM history_step ORDER BY id LIMIT 1);
END;

CREATE TRIGGER history_edit_forgotten AFTER DELETE ON history_edit
WHEN OLD.kind IN ('delete', 'delete rows', 'arrange', 'section delete')
BEGIN
    DELETE FROM customer_record
    WHERE OLD.kind IN ('delete', 'delete rows') AND deleted_by = OLD.id
      AND id BETWEEN OLD.row AND OLD.row + OLD.count - 1;
    DELETE FROM section_record WHERE OLD.kind = 'section delete' AND deleted_by = OLD.id AND id = OLD.row;
    DELETE FROM history_row WHERE edit = OLD.id;
END;

-- Writes one row of the log; `bytes` is what it makes the file keep beside itself.
CREATE VIEW record_edit AS
SELECT kind, row, count, section, "order", to_section, to_order, 0 AS bytes FROM history_edit WHERE 0;
CREATE TRIGGER record_edit INSTEAD OF INSERT ON record_edit BEGIN
    INSERT INTO begin_step VALUES (NEW.kind);
    INSERT INTO history_edit (id, kind, row, count, section, "order", to_section, to_order)
    SELECT id + 1, NEW.kind, NEW.row, NEW.count, NEW.section, NEW."order", NEW.to_section, NEW.to_order
    FROM last_edit;
    UPDATE history_step SET bytes = bytes + 32 + NEW.bytes WHERE id = (SELECT id FROM last_step);
END;

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
    FROM customers WHERE id = NEW.customer;
    INSERT INTO take_row VALUES (NEW.customer);
    UPDATE customer_record SET block = NULL, deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;
END;

CREATE VIEW relocate_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER relocate_row INSTEAD OF INSERT ON relocate_row BEGIN
    INSERT INTO record_edit
    SELECT 'move', id, 1, section, "order", NEW.section, NEW."order", 0 FROM customers WHERE id = NEW.customer;
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
    WHERE EXISTS (SELECT 1 FROM customers WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1);
    UPDATE customer_record SET block = NULL, deleted_by = (SELECT id FROM last_edit)
    WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
END;

-- All customers of a section get the places that they have in `staged`.
CREATE VIEW arrange_rows AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER arrange_rows INSTEAD OF INSERT ON arrange_rows BEGIN
    INSERT INTO record_edit SELECT 'arrange', NEW.section, count(*), NEW.section, 1, NEW.section, 1, 0 FROM staged;
    INSERT INTO history_row
    SELECT last_edit.id, customers.id, "order", number FROM staged JOIN last_edit
    CROSS JOIN customers ON customers.id = customer WHERE "order" <> number;
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

-- Undo and redo -----------------------------------------------------------------------------------

-- A step that was done is taken back, one that was taken back is done again: in both cases the edits
-- that made it so are taken back, the last one first, as a step of kind NEW.kind.
CREATE VIEW turn_step AS SELECT NULL AS step, NULL AS kind, NULL AS program WHERE 0;
CREATE TRIGGER turn_step INSTEAD OF INSERT ON turn_step BEGIN
    INSERT INTO open_step
    SELECT NEW.program, action, NEW.kind, 1 FROM history_step WHERE id = NEW.step;
    INSERT INTO take_back
    SELECT edit.id, edit.kind FROM history_step AS step
    JOIN history_step AS made ON made.id = step.last
    JOIN history_step AS next ON next.id = made.id + 1
    JOIN history_edit AS edit ON edit.id >= made.first_edit AND edit.id < next.first_edit
    WHERE step.id = NEW.step
    ORDER BY edit.id DESC;
    UPDATE history_step SET state = CASE NEW.kind WHEN 'undo' THEN 'undone' ELSE 'done' END,
        last = (SELECT id FROM last_step)
    WHERE id = NEW.step;
    INSERT INTO close_step VALUES (1);
END;

-- The opposite of one edit. The log knows all that happened, so things are as the edit left them; if
-- they are not, somebody wrote the inner tables, and nothing is guessed.
CREATE VIEW take_back AS SELECT NULL AS edit, NULL AS kind WHERE 0;

CREATE TRIGGER take_back_insert INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'insert' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM customers WHERE id = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO delete_row SELECT row FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_delete INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'delete' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM customer_record JOIN sections ON sections.id = edit.section
        WHERE customer_record.id = edit.row AND deleted_by = edit.id AND edit."order" <= count + 1);
    INSERT INTO insert_row SELECT row, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_move INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'move' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM customers WHERE id = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO relocate_row SELECT row, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_update INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'update' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM customers WHERE id = edit.row);
    INSERT INTO revise_row
    SELECT c.id, ifnull(e.first_name, c.first_name), ifnull(e.last_name, c.last_name),
           ifnull(e.company, c.company), ifnull(e.email, c.email), ifnull(e.phone, c.phone),
           ifnull(e.address, c.address), ifnull(e.note, c.note), ifnull(e.is_favorite, c.is_favorite),
           ifnull(e.can_edit, c.can_edit), ifnull(e.can_move, c.can_move), ifnull(e.extra, c.extra)
    FROM history_edit AS e JOIN customer_record AS c ON c.id = e.row WHERE e.id = NEW.edit;
END;

CREATE TRIGGER take_back_insert_rows INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'insert rows' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM customers
        WHERE id BETWEEN edit.row AND edit.row + edit.count - 1
          AND section = edit.to_section AND "order" = edit.to_order + id - edit.row);
    INSERT INTO delete_rows SELECT row, count, to_section, to_order FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_delete_rows INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'delete rows' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM customer_record
        WHERE id BETWEEN edit.row AND edit.row + edit.count - 1 AND deleted_by = edit.id);
    INSERT INTO insert_rows SELECT row, count, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_arrange INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'arrange' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND (
        count IS NOT (SELECT count FROM sections WHERE id = edit.section)
        OR EXISTS (
            SELECT 1 FROM history_row AS moved
            LEFT JOIN customers ON customers.id = moved.customer AND customers.section = edit.section
            WHERE moved.edit = edit.id AND customers."order" IS NOT moved.to_order));
    INSERT INTO staged (number, customer)
    SELECT ifnull(moved."order", customers."order"), customers.id
    FROM customers LEFT JOIN history_row AS moved ON moved.edit = NEW.edit AND moved.customer = customers.id
    WHERE section = (SELECT section FROM history_edit WHERE id = NEW.edit);
    INSERT INTO arrange_rows SELECT section FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_insert INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section insert' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM sections WHERE id = edit.row AND "order" = edit.to_order AND count = 0);
    INSERT INTO delete_section SELECT row FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_delete INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section delete' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM section_record
        WHERE id = edit.row AND deleted_by = edit.id AND edit."order" <= (SELECT count(*) + 1 FROM sections));
    INSERT INTO insert_section SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_move INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section move' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM sections WHERE id = edit.row AND "order" = edit.to_order);
    INSERT INTO relocate_section SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_update INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section update' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM sections WHERE id = edit.row);
    INSERT INTO revise_section
    SELECT s.id, ifnull(e.title, s.title), ifnull(e.footer, s.footer)
    FROM history_edit AS e JOIN section_record AS s ON s.id = e.row WHERE e.id = NEW.edit;
END;
