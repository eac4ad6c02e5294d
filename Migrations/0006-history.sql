-- 0006  What was done, so that it can be taken back.
--
-- Every edit, whichever client makes it, goes through one of the recorded edits of 0007: it changes
-- the list and writes one short row into history_edit. Rows that only slide are not written down. What is
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

-- All steps at once. The last one stays as a number to go on from.
CREATE VIEW forget_history AS SELECT NULL AS now WHERE 0;
CREATE TRIGGER forget_history INSTEAD OF INSERT ON forget_history BEGIN
    UPDATE history_step SET state = 'dropped', first_edit = (SELECT id + 1 FROM last_edit), bytes_before = 0, bytes = 0
    WHERE id = (SELECT id FROM last_step);
    DELETE FROM history_step WHERE id < (SELECT id FROM last_step);
    DELETE FROM history_edit;
END;

-- A repair can't be taken back. It is a step without edits, and leaves a number out, so that who follows
-- the log notices and reads the list anew.
CREATE VIEW break_history AS SELECT NULL AS program WHERE 0;
CREATE TRIGGER break_history INSTEAD OF INSERT ON break_history BEGIN
    INSERT INTO open_step VALUES (NEW.program, 'repair', 'edit', 0);
    UPDATE history_step SET state = 'dropped', first_edit = first_edit + 1 WHERE id = (SELECT id FROM last_step);
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
