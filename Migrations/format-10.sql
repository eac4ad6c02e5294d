-- The schema of format 10, version 0.1.0's, and the first rows of an empty list: what its ten steps made, word for
-- word (a test compares them). Never edited: 0011-format-11.sql begins here.

CREATE TABLE section_record (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- ids are never reused
    title    TEXT    NOT NULL,
    footer   TEXT    NOT NULL,
    "order"  INTEGER UNIQUE,                     -- NULL after it is deleted
    count    INTEGER NOT NULL DEFAULT 0,
    deleted_by INTEGER                           -- the edit that deleted it, while the history keeps it
);
INSERT INTO section_record (title, footer, "order") VALUES ('Customers', '', 1);
CREATE TABLE customer_record (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    block       INTEGER,                         -- the block that holds this customer's place
    deleted_by  INTEGER,                         -- the edit that deleted it, while the history keeps it
    first_name  TEXT    NOT NULL,
    last_name   TEXT    NOT NULL,
    company     TEXT    NOT NULL,
    email       TEXT    NOT NULL,
    phone       TEXT    NOT NULL,
    address     TEXT    NOT NULL,
    note        TEXT    NOT NULL,
    is_favorite INTEGER NOT NULL CHECK (is_favorite IN (0, 1)),
    can_edit    INTEGER NOT NULL CHECK (can_edit    IN (0, 1)),
    can_move    INTEGER NOT NULL CHECK (can_move    IN (0, 1)),
    -- Imported columns that match no field: a JSON object. Triggers can't check that it is one: with
    -- trusted_schema off, which careful clients set, SQLite 3.40 rejects its own JSON functions in triggers.
    extra       TEXT    NOT NULL
);
CREATE TABLE node (
    id     INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,                     -- a node; for a part, minus the id of its section
    start  INTEGER NOT NULL                      -- how many rows of the parent come before this node
);
CREATE INDEX node_by_parent ON node (parent);
CREATE TABLE place (
    block    INTEGER NOT NULL,
    "order"  INTEGER NOT NULL CHECK (typeof("order") = 'integer'),
    customer INTEGER NOT NULL,
    PRIMARY KEY (block, "order")
) WITHOUT ROWID;
CREATE VIEW capacity AS SELECT 32 AS rows, 32 AS children, 24 AS rows_filled, 24 AS children_filled;
CREATE VIEW located_block AS
SELECT block.id AS block, chapter.id AS chapter, part.id AS part, -part.parent AS section,
       part.start + chapter.start + block.start AS start
FROM node AS block JOIN node AS chapter ON chapter.id = block.parent JOIN node AS part ON part.id = chapter.parent;
CREATE VIEW placed_row AS
SELECT c.id AS customer, b.section, b.start + p."order" AS "order"
FROM customer_record AS c
JOIN place AS p ON p.block = c.block AND p.customer = c.id
JOIN located_block AS b ON b.block = c.block;
CREATE VIEW refuse_damaged AS SELECT NULL AS found WHERE 0;
CREATE TRIGGER refuse_damaged INSTEAD OF INSERT ON refuse_damaged
WHEN NEW.found
BEGIN
    SELECT RAISE(ABORT, 'damaged: the order in this file is broken; run: customers check --repair');
END;
CREATE VIEW assert_dense_block AS SELECT NULL AS block WHERE 0;
CREATE TRIGGER assert_dense_block INSTEAD OF INSERT ON assert_dense_block BEGIN
    INSERT INTO refuse_damaged VALUES (
        NEW.block IS NULL
        OR (SELECT min("order") FROM place WHERE block = NEW.block) <> 1
        OR (SELECT max("order") FROM place WHERE block = NEW.block)
            <> (SELECT count(*) FROM place WHERE block = NEW.block));
END;
CREATE VIEW assert_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER assert_row INSTEAD OF INSERT ON assert_row BEGIN
    INSERT INTO refuse_damaged VALUES (NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = NEW.customer AND section = NEW.section AND "order" = NEW."order"));
END;
CREATE VIEW siblings AS
SELECT id AS node, (
    SELECT id FROM (
        SELECT earlier.id, max(earlier.start) FROM node AS earlier
        WHERE earlier.parent = node.parent AND earlier.start < node.start)) AS previous, (
    SELECT id FROM (
        SELECT later.id, min(later.start) FROM node AS later
        WHERE later.parent = node.parent AND later.start > node.start)) AS next
FROM node;
CREATE VIEW split_full_block AS SELECT NULL AS block WHERE 0;
CREATE TRIGGER split_full_block INSTEAD OF INSERT ON split_full_block
WHEN (SELECT max("order") FROM place WHERE block = NEW.block) > (SELECT rows FROM capacity)
BEGIN
    INSERT INTO split_block
    SELECT node, CASE WHEN next IS NULL THEN rows ELSE rows / 2 END
    FROM siblings JOIN capacity WHERE node = NEW.block;
    INSERT INTO split_full_node SELECT chapter FROM located_block WHERE block = NEW.block;
    INSERT INTO split_full_node SELECT part FROM located_block WHERE block = NEW.block;
END;
CREATE VIEW split_block AS SELECT NULL AS block, NULL AS keep WHERE 0;
CREATE TRIGGER split_block INSTEAD OF INSERT ON split_block BEGIN
    INSERT INTO node (parent, start) SELECT parent, start + NEW.keep FROM node WHERE id = NEW.block;
    INSERT INTO move_places VALUES (NEW.block, last_insert_rowid(), NEW.keep, -NEW.keep);
END;
CREATE VIEW split_full_node AS SELECT NULL AS node WHERE 0;
CREATE TRIGGER split_full_node INSTEAD OF INSERT ON split_full_node
WHEN (SELECT count(*) FROM node WHERE parent = NEW.node) > (SELECT children FROM capacity)
BEGIN
    INSERT INTO split_before
    SELECT parent, start FROM node WHERE parent = NEW.node
    ORDER BY start LIMIT 1 OFFSET (SELECT children / 2 FROM capacity);
END;
CREATE VIEW split_before AS SELECT NULL AS node, NULL AS start WHERE 0;
CREATE TRIGGER split_before INSTEAD OF INSERT ON split_before
WHEN NEW.start > 0 AND EXISTS (SELECT 1 FROM node WHERE parent = NEW.node AND start >= NEW.start)
BEGIN
    INSERT INTO node (parent, start) SELECT parent, start + NEW.start FROM node WHERE id = NEW.node;
    UPDATE node SET parent = last_insert_rowid(), start = start - NEW.start
    WHERE parent = NEW.node AND start >= NEW.start;
END;
CREATE VIEW tidy_block AS SELECT NULL AS block, NULL AS chapter, NULL AS part WHERE 0;
CREATE TRIGGER tidy_block INSTEAD OF INSERT ON tidy_block
WHEN NEW.block IS NOT NULL
    AND ifnull((SELECT max("order") FROM place WHERE block = NEW.block), 0) <= (SELECT rows / 4 FROM capacity)
BEGIN
    DELETE FROM node WHERE id = NEW.block AND NOT EXISTS (SELECT 1 FROM place WHERE block = NEW.block);
    INSERT INTO join_blocks SELECT node, next FROM siblings WHERE node = NEW.block;
    INSERT INTO join_blocks SELECT previous, node FROM siblings WHERE node = NEW.block;
    INSERT INTO tidy_node VALUES (NEW.chapter);
    INSERT INTO tidy_node VALUES (NEW.part);
END;
CREATE VIEW join_blocks AS SELECT NULL AS block, NULL AS next WHERE 0;
CREATE TRIGGER join_blocks INSTEAD OF INSERT ON join_blocks
WHEN (SELECT max("order") FROM place WHERE block = NEW.block)
    + (SELECT max("order") FROM place WHERE block = NEW.next) <= (SELECT rows / 2 FROM capacity)
BEGIN
    INSERT INTO move_places
    VALUES (NEW.next, NEW.block, 0, (SELECT max("order") FROM place WHERE block = NEW.block));
    DELETE FROM node WHERE id = NEW.next;
END;
CREATE VIEW move_places AS SELECT NULL AS block, NULL AS destination, NULL AS after, NULL AS by WHERE 0;
CREATE TRIGGER move_places INSTEAD OF INSERT ON move_places BEGIN
    INSERT INTO assert_dense_block VALUES (NEW.block);
    INSERT INTO refuse_damaged VALUES (
        EXISTS (SELECT 1 FROM place WHERE block = NEW.destination AND "order" > NEW.after + NEW.by));
    UPDATE customer_record SET block = NEW.destination
    WHERE id IN (SELECT customer FROM place WHERE block = NEW.block AND "order" > NEW.after);
    UPDATE place SET block = NEW.destination, "order" = "order" + NEW.by
    WHERE block = NEW.block AND "order" > NEW.after;
    INSERT INTO assert_dense_block VALUES (NEW.destination);
END;
CREATE VIEW tidy_node AS SELECT NULL AS node WHERE 0;
CREATE TRIGGER tidy_node INSTEAD OF INSERT ON tidy_node
WHEN NEW.node IS NOT NULL
    AND (SELECT count(*) FROM node WHERE parent = NEW.node) <= (SELECT children / 4 FROM capacity)
BEGIN
    DELETE FROM node WHERE id = NEW.node AND NOT EXISTS (SELECT 1 FROM node WHERE parent = NEW.node);
    INSERT INTO join_nodes SELECT node, next FROM siblings WHERE node = NEW.node;
    INSERT INTO join_nodes SELECT previous, node FROM siblings WHERE node = NEW.node;
END;
CREATE VIEW join_nodes AS SELECT NULL AS node, NULL AS next WHERE 0;
CREATE TRIGGER join_nodes INSTEAD OF INSERT ON join_nodes
WHEN NEW.node IS NOT NULL AND NEW.next IS NOT NULL
    AND (SELECT count(*) FROM node WHERE parent = NEW.node)
        + (SELECT count(*) FROM node WHERE parent = NEW.next) <= (SELECT children / 2 FROM capacity)
BEGIN
    UPDATE node SET parent = NEW.node,
        start = start - (SELECT start FROM node WHERE id = NEW.node) + (SELECT start FROM node WHERE id = NEW.next)
    WHERE parent = NEW.next;
    DELETE FROM node WHERE id = NEW.next;
END;
CREATE VIEW insert_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER insert_row INSTEAD OF INSERT ON insert_row BEGIN
    INSERT INTO put_row VALUES (NEW.customer, NEW.section, NEW."order", 0);
END;
CREATE VIEW delete_row AS SELECT NULL AS customer WHERE 0;
CREATE TRIGGER delete_row INSTEAD OF INSERT ON delete_row BEGIN
    INSERT INTO refuse_damaged VALUES ((SELECT block FROM customer_record WHERE id = NEW.customer) IS NULL);
    INSERT INTO detach_row VALUES (NEW.customer, (SELECT block FROM customer_record WHERE id = NEW.customer));
    INSERT INTO count_row VALUES ((SELECT block FROM customer_record WHERE id = NEW.customer), NULL);
    UPDATE customer_record SET block = NULL WHERE id = NEW.customer;
END;
CREATE VIEW move_row AS
SELECT NULL AS customer, NULL AS section, NULL AS "order", NULL AS to_section, NULL AS to_order WHERE 0;
CREATE TRIGGER move_row INSTEAD OF INSERT ON move_row BEGIN
    INSERT INTO put_row VALUES (
        NEW.customer, NEW.to_section, NEW.to_order, NEW.section = NEW.to_section AND NEW."order" < NEW.to_order);
END;
CREATE VIEW put_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order", NULL AS is_after WHERE 0;
CREATE TRIGGER put_row INSTEAD OF INSERT ON put_row BEGIN
    INSERT INTO begin_section VALUES (NEW.section);
    INSERT INTO put_in_part VALUES (
        NEW.customer,
        (SELECT id FROM (SELECT id, max(start) FROM node WHERE parent = -NEW.section AND start < NEW."order")),
        NEW."order", NEW.is_after);
    INSERT INTO assert_row VALUES (NEW.customer, NEW.section, NEW."order");
END;
CREATE VIEW begin_section AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER begin_section INSTEAD OF INSERT ON begin_section
WHEN NOT EXISTS (SELECT 1 FROM node WHERE parent = -NEW.section)
BEGIN
    INSERT INTO node (parent, start) VALUES (-NEW.section, 0);
    INSERT INTO node (parent, start) VALUES (last_insert_rowid(), 0);
    INSERT INTO node (parent, start) VALUES (last_insert_rowid(), 0);
END;
CREATE VIEW put_in_part AS SELECT NULL AS customer, NULL AS part, NULL AS "order", NULL AS is_after WHERE 0;
CREATE TRIGGER put_in_part INSTEAD OF INSERT ON put_in_part BEGIN
    INSERT INTO put_in_chapter VALUES (
        NEW.customer,
        (SELECT id FROM (
            SELECT id, max(start) FROM node
            WHERE parent = NEW.part AND start < NEW."order" - (SELECT start FROM node WHERE id = NEW.part))),
        NEW."order" - (SELECT start FROM node WHERE id = NEW.part), NEW.is_after);
END;
CREATE VIEW put_in_chapter AS SELECT NULL AS customer, NULL AS chapter, NULL AS "order", NULL AS is_after WHERE 0;
CREATE TRIGGER put_in_chapter INSTEAD OF INSERT ON put_in_chapter BEGIN
    INSERT INTO put_in_block VALUES (
        NEW.customer, (SELECT block FROM customer_record WHERE id = NEW.customer),
        (SELECT id FROM (
            SELECT id, max(start) FROM node
            WHERE parent = NEW.chapter AND start < NEW."order" - (SELECT start FROM node WHERE id = NEW.chapter))),
        NEW."order" - (SELECT start FROM node WHERE id = NEW.chapter), NEW.is_after);
END;
CREATE VIEW put_in_block AS
SELECT NULL AS customer, NULL AS source, NULL AS block, NULL AS "order", NULL AS is_after WHERE 0;
CREATE TRIGGER put_within_block INSTEAD OF INSERT ON put_in_block
WHEN NEW.block = NEW.source
BEGIN
    INSERT INTO assert_in_block VALUES (NEW.customer, NEW.block);
    INSERT INTO slide_row VALUES (
        NEW.block, (SELECT "order" FROM place WHERE block = NEW.block AND customer = NEW.customer),
        NEW."order" - (SELECT start FROM node WHERE id = NEW.block));
END;
CREATE TRIGGER put_from_elsewhere INSTEAD OF INSERT ON put_in_block
WHEN NEW.block IS NOT NEW.source OR NEW.block IS NULL
BEGIN
    INSERT INTO detach_row VALUES (NEW.customer, NEW.source);
    INSERT INTO attach_row VALUES (
        NEW.customer, NEW.block, NEW."order" - (SELECT start FROM node WHERE id = NEW.block) + NEW.is_after);
    INSERT INTO count_row VALUES (NEW.source, NEW.block);
END;
CREATE VIEW assert_in_block AS SELECT NULL AS customer, NULL AS block WHERE 0;
CREATE TRIGGER assert_in_block INSTEAD OF INSERT ON assert_in_block BEGIN
    INSERT INTO assert_dense_block VALUES (NEW.block);
    INSERT INTO refuse_damaged VALUES (
        (SELECT count(*) FROM place WHERE block = NEW.block AND customer = NEW.customer) <> 1);
END;
CREATE VIEW attach_row AS SELECT NULL AS customer, NULL AS block, NULL AS "order" WHERE 0;
CREATE TRIGGER attach_row INSTEAD OF INSERT ON attach_row BEGIN
    INSERT INTO assert_dense_block VALUES (NEW.block);
    INSERT INTO place (block, "order", customer)
    VALUES (NEW.block, ifnull((SELECT max("order") FROM place WHERE block = NEW.block), 0) + 1, NEW.customer);
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
    INSERT INTO slide_row VALUES (
        NEW.block, (SELECT max("order") FROM place WHERE block = NEW.block), NEW."order");
END;
CREATE VIEW detach_row AS SELECT NULL AS customer, NULL AS block WHERE 0;
CREATE TRIGGER detach_row INSTEAD OF INSERT ON detach_row
WHEN NEW.block IS NOT NULL
BEGIN
    INSERT INTO assert_in_block VALUES (NEW.customer, NEW.block);
    INSERT INTO slide_row VALUES (
        NEW.block, (SELECT "order" FROM place WHERE block = NEW.block AND customer = NEW.customer),
        (SELECT max("order") FROM place WHERE block = NEW.block));
    DELETE FROM place
    WHERE block = NEW.block AND "order" = (SELECT max("order") FROM place WHERE block = NEW.block);
END;
CREATE VIEW slide_row AS SELECT NULL AS block, NULL AS "from", NULL AS "to" WHERE 0;
CREATE TRIGGER slide_row INSTEAD OF INSERT ON slide_row BEGIN
    UPDATE place SET customer = coming.customer
    FROM place AS coming
    WHERE NEW."from" <> NEW."to"
      AND place.block = NEW.block
      AND place."order" BETWEEN min(NEW."from", NEW."to") AND max(NEW."from", NEW."to")
      AND coming.block = NEW.block
      AND coming."order" = CASE
          WHEN place."order" = NEW."to" THEN NEW."from"
          WHEN NEW."from" < NEW."to" THEN place."order" + 1
          ELSE place."order" - 1
      END;
END;
CREATE VIEW count_row AS SELECT NULL AS source, NULL AS target WHERE 0;
CREATE TRIGGER count_row INSTEAD OF INSERT ON count_row BEGIN
    INSERT INTO count_in_section VALUES (
        (SELECT section FROM located_block WHERE block = NEW.source),
        (SELECT section FROM located_block WHERE block = NEW.target));
    INSERT INTO count_in_node VALUES (
        (SELECT part FROM located_block WHERE block = NEW.source),
        (SELECT part FROM located_block WHERE block = NEW.target));
    INSERT INTO count_in_node VALUES (
        (SELECT chapter FROM located_block WHERE block = NEW.source),
        (SELECT chapter FROM located_block WHERE block = NEW.target));
    INSERT INTO count_in_node VALUES (NEW.source, NEW.target);
    INSERT INTO split_full_block VALUES (NEW.target);
    INSERT INTO tidy_block VALUES (
        NEW.source, (SELECT chapter FROM located_block WHERE block = NEW.source),
        (SELECT part FROM located_block WHERE block = NEW.source));
END;
CREATE VIEW count_in_section AS SELECT NULL AS source, NULL AS target WHERE 0;
CREATE TRIGGER count_in_section INSTEAD OF INSERT ON count_in_section
WHEN NEW.source IS NOT NEW.target
BEGIN
    UPDATE section_record SET count = count - 1 WHERE id = NEW.source;
    UPDATE section_record SET count = count + 1 WHERE id = NEW.target;
END;
CREATE VIEW count_in_node AS SELECT NULL AS source, NULL AS target WHERE 0;
CREATE TRIGGER count_in_node INSTEAD OF INSERT ON count_in_node
WHEN NEW.source IS NOT NEW.target
BEGIN
    INSERT INTO shift_starts VALUES (
        (SELECT parent FROM node WHERE id = NEW.source), (SELECT start FROM node WHERE id = NEW.source),
        (SELECT parent FROM node WHERE id = NEW.target), (SELECT start FROM node WHERE id = NEW.target));
END;
CREATE VIEW shift_starts AS
SELECT NULL AS source_parent, NULL AS source, NULL AS target_parent, NULL AS target WHERE 0;
CREATE TRIGGER shift_starts INSTEAD OF INSERT ON shift_starts BEGIN
    UPDATE node SET start = start - 1
    WHERE parent = NEW.source_parent AND start > NEW.source
      AND NOT (NEW.source_parent IS NEW.target_parent AND start > NEW.target);
    UPDATE node SET start = start + 1
    WHERE parent = NEW.target_parent AND start > NEW.target
      AND NOT (NEW.target_parent IS NEW.source_parent AND start > NEW.source);
END;
CREATE TABLE staged (
    number   INTEGER PRIMARY KEY,  -- 1…k
    customer INTEGER NOT NULL
);
CREATE VIEW filled AS
SELECT rows_filled AS block_rows, rows_filled * children_filled AS chapter_rows,
       rows_filled * children_filled * children_filled AS part_rows
FROM capacity;
CREATE VIEW put_rows AS SELECT NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER put_rows INSTEAD OF INSERT ON put_rows BEGIN
    INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1);
    INSERT INTO shift_parts SELECT NEW.section, NEW."order" - 1, count(*) FROM staged;
    INSERT INTO build_tree
    SELECT NEW.section, NEW."order", first + blocks + chapters, first + blocks, first FROM (
        SELECT (count(*) - 1) / block_rows + 1 AS blocks, (count(*) - 1) / chapter_rows + 1 AS chapters,
               (SELECT ifnull(max(id), 0) + 1 FROM node) AS first
        FROM staged JOIN filled);
    INSERT INTO tidy_seam SELECT NEW.section, NEW."order" + count(*) FROM staged;
    INSERT INTO tidy_seam VALUES (NEW.section, NEW."order");
    DELETE FROM staged;
END;
CREATE VIEW build_tree AS
SELECT NULL AS section, NULL AS "order", NULL AS part, NULL AS chapter, NULL AS block WHERE 0;
CREATE TRIGGER build_tree INSTEAD OF INSERT ON build_tree BEGIN
    INSERT INTO node (id, parent, start)
    SELECT NEW.part + (number - 1) / part_rows, -NEW.section, NEW."order" - 2 + number
    FROM staged JOIN filled WHERE (number - 1) % part_rows = 0;
    INSERT INTO node (id, parent, start)
    SELECT NEW.chapter + (number - 1) / chapter_rows, NEW.part + (number - 1) / part_rows, (number - 1) % part_rows
    FROM staged JOIN filled WHERE (number - 1) % chapter_rows = 0;
    INSERT INTO node (id, parent, start)
    SELECT NEW.block + (number - 1) / block_rows, NEW.chapter + (number - 1) / chapter_rows, (number - 1) % chapter_rows
    FROM staged JOIN filled WHERE (number - 1) % block_rows = 0;
    INSERT INTO place (block, "order", customer)
    SELECT NEW.block + (number - 1) / block_rows, (number - 1) % block_rows + 1, customer FROM staged JOIN filled;
    UPDATE customer_record SET block = NEW.block + (number - 1) / block_rows
    FROM staged JOIN filled
    WHERE id = customer AND customer_record.block IS NOT NEW.block + (number - 1) / block_rows;
END;
CREATE VIEW take_rows AS SELECT NULL AS section, NULL AS "order", NULL AS count WHERE 0;
CREATE TRIGGER take_rows INSTEAD OF INSERT ON take_rows BEGIN
    INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1);
    INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1 + NEW.count);
    -- If the starts are damaged, rows of another place may be among them.
    INSERT INTO refuse_damaged
    SELECT count(*) <> NEW.count FROM located_block JOIN place USING (block)
    WHERE part IN (
        SELECT id FROM node
        WHERE parent = -NEW.section AND start BETWEEN NEW."order" - 1 AND NEW."order" + NEW.count - 2);
    INSERT INTO drop_parts VALUES (NEW.section, NEW."order" - 1, NEW."order" + NEW.count - 2);
    INSERT INTO shift_parts VALUES (NEW.section, NEW."order" - 1, -NEW.count);
    INSERT INTO tidy_seam VALUES (NEW.section, NEW."order");
END;
CREATE VIEW clear_section AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER clear_section INSTEAD OF INSERT ON clear_section BEGIN
    INSERT INTO drop_parts SELECT NEW.section, min(start), max(start) FROM node WHERE parent = -NEW.section;
    UPDATE section_record SET count = 0 WHERE id = NEW.section;
END;
CREATE VIEW drop_parts AS SELECT NULL AS section, NULL AS first, NULL AS last WHERE 0;
CREATE TRIGGER drop_parts INSTEAD OF INSERT ON drop_parts BEGIN
    UPDATE customer_record SET block = NULL WHERE id IN (
        SELECT customer FROM node AS part JOIN node AS chapter ON chapter.parent = part.id
        JOIN node AS block ON block.parent = chapter.id JOIN place ON place.block = block.id
        WHERE part.parent = -NEW.section AND part.start BETWEEN NEW.first AND NEW.last);
    DELETE FROM place WHERE block IN (
        SELECT block.id FROM node AS part JOIN node AS chapter ON chapter.parent = part.id
        JOIN node AS block ON block.parent = chapter.id
        WHERE part.parent = -NEW.section AND part.start BETWEEN NEW.first AND NEW.last);
    DELETE FROM node WHERE parent IN (
        SELECT chapter.id FROM node AS part JOIN node AS chapter ON chapter.parent = part.id
        WHERE part.parent = -NEW.section AND part.start BETWEEN NEW.first AND NEW.last);
    DELETE FROM node WHERE parent IN (
        SELECT id FROM node WHERE parent = -NEW.section AND start BETWEEN NEW.first AND NEW.last);
    DELETE FROM node WHERE parent = -NEW.section AND start BETWEEN NEW.first AND NEW.last;
END;
CREATE VIEW shift_parts AS SELECT NULL AS section, NULL AS start, NULL AS by WHERE 0;
CREATE TRIGGER shift_parts INSTEAD OF INSERT ON shift_parts BEGIN
    UPDATE node SET start = start + NEW.by WHERE parent = -NEW.section AND start >= NEW.start;
    UPDATE section_record SET count = count + NEW.by WHERE id = NEW.section;
END;
CREATE VIEW cut_section AS SELECT NULL AS section, NULL AS after WHERE 0;
CREATE TRIGGER cut_section INSTEAD OF INSERT ON cut_section
WHEN NEW.after > 0
BEGIN
    INSERT INTO cut_part
    SELECT id, NEW.after - max(start) FROM node WHERE parent = -NEW.section AND start < NEW.after;
END;
CREATE VIEW cut_part AS SELECT NULL AS part, NULL AS after WHERE 0;
CREATE TRIGGER cut_part INSTEAD OF INSERT ON cut_part BEGIN
    INSERT INTO cut_chapter
    SELECT id, NEW.after - max(start) FROM node WHERE parent = NEW.part AND start < NEW.after;
    INSERT INTO split_before VALUES (NEW.part, NEW.after);
END;
CREATE VIEW cut_chapter AS SELECT NULL AS chapter, NULL AS after WHERE 0;
CREATE TRIGGER cut_chapter INSTEAD OF INSERT ON cut_chapter BEGIN
    INSERT INTO cut_block
    SELECT id, NEW.after - max(start) FROM node WHERE parent = NEW.chapter AND start < NEW.after;
    INSERT INTO split_before VALUES (NEW.chapter, NEW.after);
END;
CREATE VIEW cut_block AS SELECT NULL AS block, NULL AS after WHERE 0;
CREATE TRIGGER cut_block INSTEAD OF INSERT ON cut_block
WHEN NEW.after < (SELECT max("order") FROM place WHERE block = NEW.block)
BEGIN
    INSERT INTO split_block VALUES (NEW.block, NEW.after);
END;
CREATE VIEW tidy_seam AS SELECT NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER tidy_seam INSTEAD OF INSERT ON tidy_seam BEGIN
    INSERT INTO tidy_node
    SELECT id FROM (SELECT id, max(start) FROM node WHERE parent = -NEW.section AND start < NEW."order");
    INSERT INTO tidy_part
    SELECT id, NEW."order" FROM (SELECT id, max(start) FROM node WHERE parent = -NEW.section AND start < NEW."order");
END;
CREATE VIEW tidy_part AS SELECT NULL AS part, NULL AS "order" WHERE 0;
CREATE TRIGGER tidy_part INSTEAD OF INSERT ON tidy_part BEGIN
    INSERT INTO tidy_node
    SELECT chapter FROM located_block WHERE part = NEW.part AND start < NEW."order" ORDER BY start DESC LIMIT 1;
    INSERT INTO tidy_block
    SELECT block, chapter, part FROM located_block
    WHERE part = NEW.part AND start < NEW."order" ORDER BY start DESC LIMIT 1;
END;
CREATE VIEW present_section AS SELECT * FROM section_record WHERE "order" IS NOT NULL;
CREATE VIEW put_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER put_section INSTEAD OF INSERT ON put_section BEGIN
    UPDATE section_record SET "order" = -1 - "order" WHERE "order" >= NEW."order";
    UPDATE section_record SET "order" = -"order" WHERE "order" < 0;
    UPDATE section_record SET "order" = NEW."order" WHERE id = NEW.id;
    INSERT INTO assert_sections VALUES (1);
END;
CREATE VIEW take_section AS SELECT NULL AS id, NULL AS "order" WHERE 0;
CREATE TRIGGER take_section INSTEAD OF INSERT ON take_section BEGIN
    INSERT INTO assert_sections VALUES (1);
    UPDATE section_record SET "order" = 0 WHERE id = NEW.id;
    UPDATE section_record SET "order" = 1 - "order" WHERE "order" > NEW."order";
    UPDATE section_record SET "order" = -"order" WHERE "order" < 0;
END;
CREATE VIEW assert_sections AS SELECT NULL AS first WHERE 0;
CREATE TRIGGER assert_sections INSTEAD OF INSERT ON assert_sections BEGIN
    INSERT INTO refuse_damaged
    SELECT min("order") <> NEW.first OR max("order") - min("order") + 1 <> count("order") FROM section_record;
END;
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
CREATE TABLE history_row (
    edit     INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    "order"  INTEGER,
    to_order INTEGER,
    extra    TEXT,
    PRIMARY KEY (edit, customer)
) WITHOUT ROWID;
CREATE TABLE history_limit (
    steps INTEGER NOT NULL CHECK (steps >= 1),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
);
INSERT INTO history_limit VALUES (10000, 64000000);
CREATE VIEW last_step AS SELECT * FROM history_step WHERE id = (SELECT max(id) FROM history_step);
CREATE VIEW last_edit AS
SELECT max(ifnull((SELECT max(id) FROM history_edit), 0), ifnull((SELECT first_edit - 1 FROM last_step), 0)) AS id;
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
CREATE VIEW drop_undone AS SELECT kind FROM history_step WHERE 0;
CREATE TRIGGER drop_undone INSTEAD OF INSERT ON drop_undone
WHEN NEW.kind = 'edit' AND EXISTS (SELECT 1 FROM history_step WHERE state = 'undone')
BEGIN
    UPDATE history_step SET state = 'dropped' WHERE state = 'undone';
END;
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
CREATE VIEW forget_history AS SELECT id AS last FROM history_step WHERE 0;
CREATE TRIGGER forget_history INSTEAD OF INSERT ON forget_history BEGIN
    UPDATE history_step
    SET state = 'dropped', digest = NULL, first_edit = (SELECT id + 1 FROM last_edit), bytes_before = 0, bytes = 0
    WHERE id = NEW.last;
    DELETE FROM history_step WHERE id < NEW.last;
    DELETE FROM history_edit;
END;
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
CREATE VIEW record_size AS
SELECT id, length(CAST(
    first_name || last_name || company || email || phone || address || note || extra AS BLOB)) AS bytes
FROM customer_record;
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
CREATE VIEW revert_step AS SELECT id AS step, kind FROM history_step WHERE 0;
CREATE TRIGGER revert_step INSTEAD OF INSERT ON revert_step BEGIN
    INSERT INTO open_step
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NEW.kind, action FROM history_step WHERE id = NEW.step;
    UPDATE history_step SET is_open = 1 WHERE id = (SELECT max(id) FROM history_step);
    INSERT INTO revert_edit
    SELECT edit.id, edit.kind FROM history_step AS step
    JOIN history_step AS made ON made.id = step.last
    JOIN history_step AS next ON next.id = made.id + 1
    JOIN history_edit AS edit ON edit.id >= made.first_edit AND edit.id < next.first_edit
    WHERE step.id = NEW.step
    ORDER BY edit.id DESC;
    UPDATE history_step SET state = CASE NEW.kind WHEN 'undo' THEN 'undone' ELSE 'done' END,
        last = (SELECT max(id) FROM history_step)
    WHERE id = NEW.step;
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step);
END;
CREATE VIEW refuse_revert AS SELECT NULL AS edit WHERE 0;
CREATE TRIGGER refuse_revert INSTEAD OF INSERT ON refuse_revert BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it, so this step can''t be undone');
END;
CREATE VIEW revert_edit AS SELECT id AS edit, kind FROM history_edit WHERE 0;
CREATE TRIGGER revert_insert INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'insert' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO logged_delete SELECT row FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_delete INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'delete' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM customer_record AS c JOIN present_section AS s ON s.id = edit.section
        WHERE c.id = edit.row AND c.deleted_by = edit.id AND edit."order" <= s.count + 1);
    INSERT INTO logged_insert SELECT row, section, "order" FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_move INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'move' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO logged_move
    SELECT row, to_section, to_order, section, "order" FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_update INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'update' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM placed_row WHERE customer = edit.row);
    INSERT INTO logged_update
    SELECT c.id, ifnull(e.first_name, c.first_name), ifnull(e.last_name, c.last_name),
           ifnull(e.company, c.company), ifnull(e.email, c.email), ifnull(e.phone, c.phone),
           ifnull(e.address, c.address), ifnull(e.note, c.note), ifnull(e.is_favorite, c.is_favorite),
           ifnull(e.can_edit, c.can_edit), ifnull(e.can_move, c.can_move), ifnull(e.extra, c.extra)
    FROM history_edit AS e JOIN customer_record AS c ON c.id = e.row WHERE e.id = NEW.edit;
END;
CREATE TRIGGER revert_insert_rows INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'insert rows' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM placed_row
        WHERE customer BETWEEN edit.row AND edit.row + edit.count - 1
          AND section = edit.to_section AND "order" = edit.to_order + customer - edit.row);
    INSERT INTO logged_delete_rows SELECT row, count, to_section, to_order FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_delete_rows INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'delete rows' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM customer_record
        WHERE id BETWEEN edit.row AND edit.row + edit.count - 1 AND deleted_by = edit.id);
    INSERT INTO logged_insert_rows SELECT row, count, section, "order" FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_arrange INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'arrange' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND (
        count IS NOT (SELECT count FROM present_section WHERE id = edit.section)
        OR EXISTS (
            SELECT 1 FROM history_row AS moved
            LEFT JOIN placed_row AS r ON r.customer = moved.customer AND r.section = edit.section
            WHERE moved.edit = edit.id AND r."order" IS NOT moved.to_order));
    INSERT INTO staged (number, customer)
    SELECT ifnull(moved."order", r."order"), r.customer
    FROM placed_row AS r LEFT JOIN history_row AS moved ON moved.edit = NEW.edit AND moved.customer = r.customer
    WHERE section = (SELECT section FROM history_edit WHERE id = NEW.edit);
    INSERT INTO logged_arrange SELECT section FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_column INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'column' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM history_row JOIN placed_row USING (customer) WHERE edit = NEW.edit);
    INSERT INTO staged_extra SELECT customer, extra FROM history_row WHERE edit = NEW.edit;
    INSERT INTO logged_column SELECT to_name, name FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_section_insert INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section insert' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = edit.row AND "order" = edit.to_order AND count = 0);
    INSERT INTO logged_section_delete SELECT row FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_section_delete INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section delete' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM section_record
        WHERE id = edit.row AND deleted_by = edit.id AND edit."order" <= (SELECT count(*) + 1 FROM present_section));
    INSERT INTO logged_section_insert SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_section_move INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section move' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = edit.row AND "order" = edit.to_order);
    INSERT INTO logged_section_move SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;
CREATE TRIGGER revert_section_update INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section update' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = edit.row);
    INSERT INTO logged_section_update
    SELECT s.id, ifnull(e.title, s.title), ifnull(e.footer, s.footer)
    FROM history_edit AS e JOIN section_record AS s ON s.id = e.row WHERE e.id = NEW.edit;
END;
CREATE VIEW customers AS
SELECT c.id, r.section, r."order",
       c.first_name, c.last_name, c.company, c.email, c.phone, c.address, c.note,
       c.is_favorite, c.can_edit, c.can_move, c.extra
FROM customer_record AS c JOIN placed_row AS r ON r.customer = c.id;
CREATE VIEW check_place AS SELECT NULL AS "order", NULL AS last WHERE 0;
CREATE TRIGGER check_place INSTEAD OF INSERT ON check_place
WHEN typeof(NEW."order") <> 'integer' OR NEW."order" < 1 OR NEW."order" > NEW.last
BEGIN
    SELECT RAISE(ABORT, 'place: "order" must be a whole number from 1 to the number of rows, or one more if a row is added');
END;
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
CREATE VIEW request_insert AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER request_insert INSTEAD OF INSERT ON request_insert BEGIN
    INSERT INTO check_section VALUES (NEW.section);
    INSERT INTO check_place VALUES (
        coalesce(NEW."order", 1), (SELECT count + 1 FROM section_record WHERE id = NEW.section));
    INSERT INTO logged_insert VALUES (
        NEW.customer, NEW.section,
        coalesce(NEW."order", (SELECT count + 1 FROM section_record WHERE id = NEW.section)));
END;
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
CREATE TRIGGER customers_delete INSTEAD OF DELETE ON customers BEGIN
    INSERT INTO check_can_edit VALUES (OLD.can_edit);
    INSERT INTO logged_delete VALUES (OLD.id);
END;
CREATE VIEW sections AS SELECT id, title, footer, 0 + "order" AS "order", count FROM present_section;
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
