-- 0006  What was done, so that it can be taken back.
--
-- Every edit, whichever client makes it, goes through one of the logged edits of 0007: it changes the
-- list and writes one short row into history_edit. Rows that only slide are not written down. What is
-- deleted stays in its record, without a place, until the history forgets it; so a deletion costs no
-- copy, and taking it back is putting a row.
--
-- The log only grows at its end: undo and redo are edits like others, and a step knows whether it is
-- done or undone. So a program that follows the log misses nothing (SQLite has no triggers for other
-- processes; they read history_edit from where they were).

CREATE TABLE history_step (
    id           INTEGER PRIMARY KEY,
    at           TEXT    NOT NULL,            -- UTC, to the millisecond
    program      TEXT    NOT NULL,            -- who made it, where that is known: which program,
    user         TEXT    NOT NULL,            -- run by whom,
    host         TEXT    NOT NULL,            -- on which machine,
    action       TEXT    NOT NULL,            -- to do what
    digest       TEXT,                        -- of an import: of the file it read
    kind         TEXT    NOT NULL CHECK (kind = 'edit' OR kind = 'undo' OR kind = 'redo'),
    state        TEXT    NOT NULL CHECK (state = 'done' OR state = 'undone' OR state = 'dropped'),
    last         INTEGER NOT NULL,            -- the step that did it, or took it back, last
    is_open      INTEGER NOT NULL,            -- 1 while its transaction adds edits to it
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
    title, footer,
    name, to_name                             -- of a column of `extra`: its names before and after
);

-- Of an arrangement: the rows whose places differ. Of a column: the rows whose `extra` differs, as it was.
CREATE TABLE history_row (
    edit     INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    "order"  INTEGER,
    to_order INTEGER,
    extra    TEXT,
    PRIMARY KEY (edit, customer)
) WITHOUT ROWID;

-- How much is kept, whichever is reached first.
CREATE TABLE history_limit (
    steps INTEGER NOT NULL CHECK (steps >= 1),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
);
INSERT INTO history_limit VALUES (10000, 64000000);

CREATE VIEW last_step AS SELECT * FROM history_step WHERE id = (SELECT max(id) FROM history_step);
-- The numbers go on also when a new step has made the history forget all edits before it.
CREATE VIEW last_edit AS
SELECT max(ifnull((SELECT max(id) FROM history_edit), 0), ifnull((SELECT first_edit - 1 FROM last_step), 0)) AS id;

-- Transactions ------------------------------------------------------------------------------------

-- A program that uses begin_transaction says who it is and leaves a receipt, a token of its own. After a
-- COMMIT whose outcome it could not see, the token says whether the transaction was committed: until
-- 10,000 more receipts have come, whatever the history forgets.
CREATE TABLE receipt (
    id      INTEGER PRIMARY KEY,
    token   TEXT NOT NULL,
    at      TEXT NOT NULL,
    program TEXT, user TEXT, host TEXT, action TEXT  -- while the transaction is open
);

CREATE VIEW begin_transaction AS SELECT token, program, user, host, action FROM receipt WHERE 0;
CREATE TRIGGER begin_transaction INSTEAD OF INSERT ON begin_transaction BEGIN
    INSERT INTO receipt (token, at, program, user, host, action)
    VALUES (NEW.token, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NEW.program, NEW.user, NEW.host, NEW.action);
    -- Some at a time, so that most transactions leave the oldest page alone.
    DELETE FROM receipt WHERE id <= (SELECT max(id) / 256 * 256 - 10000 FROM receipt);
END;

CREATE VIEW end_transaction AS SELECT token FROM receipt WHERE 0;
CREATE TRIGGER end_transaction INSTEAD OF INSERT ON end_transaction BEGIN
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step) AND is_open;
    UPDATE receipt SET program = NULL, user = NULL, host = NULL, action = NULL
    WHERE id = (SELECT max(id) FROM receipt) AND token = NEW.token;
END;

-- Steps -------------------------------------------------------------------------------------------

-- All edits of a transaction in which a program said who it is are one step. Another client's statement is
-- a step by itself: its rows have one time, because 'now' is the same in all of a statement. (Two
-- statements within one millisecond count as one: nothing else that SQL can see tells them apart.)
CREATE VIEW begin_step AS SELECT at FROM history_step WHERE 0;
CREATE TRIGGER begin_step INSTEAD OF INSERT ON begin_step
WHEN NOT EXISTS (
    SELECT 1 FROM history_step
    WHERE id = (SELECT max(id) FROM history_step)
      AND (is_open OR (program = '' AND kind = 'edit' AND at = NEW.at
                       AND NOT EXISTS (SELECT 1 FROM open_receipt))))
BEGIN
    INSERT INTO open_step VALUES (NEW.at, 'edit', (SELECT action FROM open_receipt));
END;

-- Who is at work, while a transaction with a receipt is.
CREATE VIEW open_receipt AS
SELECT * FROM receipt WHERE id = (SELECT max(id) FROM receipt) AND program IS NOT NULL;

CREATE VIEW open_step AS SELECT at, kind, action FROM history_step WHERE 0;
CREATE TRIGGER open_step INSTEAD OF INSERT ON open_step BEGIN
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step) AND is_open;
    INSERT INTO drop_undone VALUES (NEW.kind);
    INSERT INTO history_step (
        id, at, program, user, host, action, kind, state, last, is_open, first_edit, bytes_before, bytes)
    VALUES (
        (SELECT ifnull(max(id), 0) + 1 FROM history_step), NEW.at,
        ifnull((SELECT program FROM open_receipt), ''), ifnull((SELECT user FROM open_receipt), ''),
        ifnull((SELECT host FROM open_receipt), ''), ifnull(NEW.action, ''), NEW.kind, 'done',
        (SELECT ifnull(max(id), 0) + 1 FROM history_step), EXISTS (SELECT 1 FROM open_receipt),
        (SELECT id + 1 FROM last_edit),
        ifnull((SELECT bytes_before + bytes FROM last_step), 0), 0);
    INSERT INTO trim_history VALUES (NEW.kind);
END;

-- A new edit makes it impossible to redo what was undone.
CREATE VIEW drop_undone AS SELECT kind FROM history_step WHERE 0;
CREATE TRIGGER drop_undone INSTEAD OF INSERT ON drop_undone
WHEN NEW.kind = 'edit' AND EXISTS (SELECT 1 FROM history_step WHERE state = 'undone')
BEGIN
    UPDATE history_step SET state = 'dropped' WHERE state = 'undone';
END;

-- The oldest steps are forgotten, and with them what was kept for them. Not by undo and redo, which could
-- so lose the step they are at, or one between those that can be redone.
CREATE VIEW trim_history AS SELECT kind FROM history_step WHERE 0;
CREATE TRIGGER trim_history INSTEAD OF INSERT ON trim_history
WHEN NEW.kind = 'edit' AND EXISTS (
    SELECT 1 FROM history_limit AS most CROSS JOIN last_step AS last CROSS JOIN history_step AS first
    WHERE first.id = (SELECT min(id) FROM history_step)
      AND (last.id - first.id >= most.steps OR last.bytes_before - first.bytes_before > most.bytes))
BEGIN
    DELETE FROM history_step WHERE id <= (SELECT last.id - steps FROM last_step AS last, history_limit);
    DELETE FROM history_step WHERE id < (
        SELECT min(step.id) FROM history_step AS step, last_step AS last, history_limit AS most
        WHERE step.bytes_before >= last.bytes_before - most.bytes);
    DELETE FROM history_edit WHERE id < (SELECT first_edit FROM history_step ORDER BY id LIMIT 1);
END;

-- All steps up to the last one, which stays as a number to go on from.
CREATE VIEW forget_history AS SELECT id AS last FROM history_step WHERE 0;
CREATE TRIGGER forget_history INSTEAD OF INSERT ON forget_history BEGIN
    UPDATE history_step
    SET state = 'dropped', digest = NULL, first_edit = (SELECT id + 1 FROM last_edit), bytes_before = 0, bytes = 0
    WHERE id = NEW.last;
    DELETE FROM history_step WHERE id < NEW.last;
    DELETE FROM history_edit;
END;

-- A repair can't be taken back. It is a step without edits, and leaves a number out, so that a program
-- that follows the log notices and reads the list again.
CREATE VIEW break_history AS SELECT at FROM history_step WHERE 0;
CREATE TRIGGER break_history INSTEAD OF INSERT ON break_history BEGIN
    INSERT INTO open_step VALUES (NEW.at, 'edit', 'repair');
    UPDATE history_step SET state = 'dropped', first_edit = first_edit + 1, is_open = 0
    WHERE id = (SELECT max(id) FROM history_step);
END;

CREATE TRIGGER history_edit_forgotten AFTER DELETE ON history_edit
WHEN OLD.kind = 'delete' OR OLD.kind = 'delete rows' OR OLD.kind = 'arrange' OR OLD.kind = 'column'
    OR OLD.kind = 'section delete'
BEGIN
    DELETE FROM customer_record
    WHERE (OLD.kind = 'delete' OR OLD.kind = 'delete rows') AND deleted_by = OLD.id
      AND id BETWEEN OLD.row AND OLD.row + OLD.count - 1;
    DELETE FROM section_record WHERE OLD.kind = 'section delete' AND deleted_by = OLD.id AND id = OLD.row;
    DELETE FROM history_row WHERE edit = OLD.id;
END;

-- Writes one row of the log; `bytes` is what it makes the file keep beside itself.
CREATE VIEW record_edit AS
SELECT kind, row, count, section, "order", to_section, to_order, 0 AS bytes FROM history_edit WHERE 0;
CREATE TRIGGER record_edit INSTEAD OF INSERT ON record_edit BEGIN
    INSERT INTO begin_step VALUES (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
    INSERT INTO history_edit (id, kind, row, count, section, "order", to_section, to_order)
    VALUES (
        (SELECT id + 1 FROM last_edit), NEW.kind, NEW.row, NEW.count, NEW.section, NEW."order",
        NEW.to_section, NEW.to_order);
    UPDATE history_step SET bytes = bytes + 32 + NEW.bytes WHERE id = (SELECT max(id) FROM history_step);
END;
