-- 0006  The history: what was done, so that it can be undone.
--
-- Every edit, whichever client makes it, goes through one of the logged edits of 0007: it changes the
-- list and writes one short row into history_edit. Rows that only shift are not recorded. A deleted
-- customer keeps its record, without a place, until the history forgets the deletion; so a deletion copies
-- nothing, and undoing it is placing a row.
--
-- The log only grows at its end: undo and redo are edits like any other, and a step knows whether it is
-- done or undone. So a program that follows the log misses nothing. (SQLite has no triggers for other
-- processes; they read history_edit from where they left off.)

CREATE TABLE history_step (
    id           INTEGER PRIMARY KEY,
    at           TEXT    NOT NULL,            -- UTC, to the millisecond
    program      TEXT    NOT NULL,            -- the program that made it, if known,
    user         TEXT    NOT NULL,            -- the user who ran it,
    host         TEXT    NOT NULL,            -- the machine it ran on,
    action       TEXT    NOT NULL,            -- and what it did
    digest       TEXT,                        -- for an import: the digest of the file it read
    kind         TEXT    NOT NULL CHECK (kind = 'edit' OR kind = 'undo' OR kind = 'redo'),
    state        TEXT    NOT NULL CHECK (state = 'done' OR state = 'undone' OR state = 'dropped'),
    last         INTEGER NOT NULL,            -- the step that last did, undid or redid it
    is_open      INTEGER NOT NULL,            -- 1 while its transaction adds edits to it
    first_edit   INTEGER NOT NULL,            -- its edits end before the next step's first
    bytes_before INTEGER NOT NULL,            -- bytes kept by all steps before it, and by it
    bytes        INTEGER NOT NULL
);
CREATE INDEX undone_step ON history_step (id) WHERE state = 'undone';

CREATE TABLE history_edit (
    id          INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL,
    row         INTEGER NOT NULL,             -- the customer or section; for several rows the first id
    count       INTEGER NOT NULL,             -- how many rows, with consecutive ids
    section     INTEGER, "order"  INTEGER,    -- the place before
    to_section  INTEGER, to_order INTEGER,    -- the place after
    -- For an update: the old values of the columns that changed.
    first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
    title, footer,
    name, to_name                             -- for a column of `extra`: its name before and after
);

-- For an arrangement: the rows whose places differ. For a column: the old `extra` of the rows where it differs.
CREATE TABLE history_row (
    edit     INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    "order"  INTEGER,
    to_order INTEGER,
    extra    TEXT,
    PRIMARY KEY (edit, customer)
) WITHOUT ROWID;

-- How much is kept; whichever limit is reached first applies.
CREATE TABLE history_limit (
    steps INTEGER NOT NULL CHECK (steps >= 1),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
);
INSERT INTO history_limit VALUES (10000, 64000000);

CREATE VIEW last_step AS SELECT * FROM history_step WHERE id = (SELECT max(id) FROM history_step);
-- Numbering continues even if a new step has made the history forget all edits before it.
CREATE VIEW last_edit AS
SELECT max(ifnull((SELECT max(id) FROM history_edit), 0), ifnull((SELECT first_edit - 1 FROM last_step), 0)) AS id;

-- Transactions ------------------------------------------------------------------------------------

-- A program that uses begin_transaction identifies itself and leaves a receipt: a token that it chose. After
-- a COMMIT whose outcome it could not see, the token shows whether the transaction was committed. The latest
-- 10,000 receipts are kept, whatever the history forgets.
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
    -- In groups, so that most transactions do not touch the oldest page.
    DELETE FROM receipt WHERE id <= (SELECT max(id) / 256 * 256 - 10000 FROM receipt);
END;

CREATE VIEW end_transaction AS SELECT token FROM receipt WHERE 0;
CREATE TRIGGER end_transaction INSTEAD OF INSERT ON end_transaction BEGIN
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step) AND is_open;
    UPDATE receipt SET program = NULL, user = NULL, host = NULL, action = NULL
    WHERE id = (SELECT max(id) FROM receipt) AND token = NEW.token;
END;

-- Steps -------------------------------------------------------------------------------------------

-- All edits of a transaction in which a program identified itself are one step. Any other client's statement
-- is a step by itself: its rows have the same time, because 'now' does not change within a statement. (Two
-- statements within one millisecond count as one step: SQL can see nothing else that distinguishes them.)
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

-- The program at work, while a transaction with a receipt is open.
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

-- Forgets the oldest steps and what was kept for them. Undo and redo do not trim: they could lose the step
-- that they are reverting, or one between those that can be redone.
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

-- Forgets all steps up to the last one, which stays so that numbering continues.
CREATE VIEW forget_history AS SELECT id AS last FROM history_step WHERE 0;
CREATE TRIGGER forget_history INSTEAD OF INSERT ON forget_history BEGIN
    UPDATE history_step
    SET state = 'dropped', digest = NULL, first_edit = (SELECT id + 1 FROM last_edit), bytes_before = 0, bytes = 0
    WHERE id = NEW.last;
    DELETE FROM history_step WHERE id < NEW.last;
    DELETE FROM history_edit;
END;

-- A repair can't be undone. It is a step without edits and skips an edit number, so that a program that
-- follows the log notices it and reads the list again.
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

-- Writes one row of the log; `bytes` is what the file keeps for it besides this row.
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
