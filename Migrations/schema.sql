-- The schema of a customers file, and the first rows of an empty list. A new list runs this file; one of an older
-- format gets its views and triggers from here (README.md). The README explains the structure: read it first.
--
-- Each CREATE starts a line, and the END; of a trigger is a line of its own: SchemaObjects reads this file.
-- A column that was added later is where ALTER TABLE puts it, so that the schema of a list that was converted is the
-- same, word for word.

-- The tables ======================================================================================
--
-- What people enter is in two tables, section_record and customer_record. Its order in the list is in two
-- narrow ones, so that renumbering never touches a name, a note or an address:
--
--     section_record               "order" 1…m, and the number of rows in the section
--        └─ node: parts            start = rows of the section before this part
--             └─ node: chapters    start = rows of the part before this chapter
--                  └─ node: blocks start = rows of the chapter before this block
--                       └─ place   "order" = 1…k inside the block  ->  which customer
--
-- The number that clients see is the sum  part.start + chapter.start + block.start + place."order".
-- A node has a limited number of children (the view capacity), so an edit changes some places in one or
-- two blocks and some starts on each level: the same work in a list of a million rows as in one of a hundred.
--
-- These tables are private to the triggers below. Clients use the views.

CREATE TABLE section_record (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- ids are never reused
    title    TEXT    NOT NULL,
    footer   TEXT    NOT NULL,
    "order"  INTEGER UNIQUE,                     -- NULL after it is deleted
    count    INTEGER NOT NULL DEFAULT 0,
    deleted_by INTEGER                           -- the edit that deleted it, while the history keeps it
, title_key TEXT, uid INTEGER);

INSERT INTO section_record (title, title_key, footer, "order") VALUES ('Customers', 'customers', '', 1);

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
, other_contacts TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '', next TEXT NOT NULL DEFAULT '', uid INTEGER, address_parts TEXT NOT NULL DEFAULT '');

-- The log of each customer: what was said and done. A line has a random number that it keeps in every copy of the list.
CREATE TABLE line_record (
    uid        INTEGER PRIMARY KEY,              -- negative
    customer   INTEGER NOT NULL,
    at         TEXT    NOT NULL,                 -- UTC, to the millisecond
    author     TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    deleted_by INTEGER                           -- the edit that deleted it, while the history keeps it
);

CREATE INDEX line_by_customer ON line_record (customer, at);

-- Entries say something about the list itself: each declares a column, or is a setting, or a person who uses the list. An
-- entry has a random number that it keeps in every copy of the list; the columns of the fields have the same ones in all
-- lists.
CREATE TABLE entry_record (
    uid        INTEGER PRIMARY KEY,              -- negative; positive for a field
    type       TEXT    NOT NULL,                 -- 'column', 'setting', or 'person'
    name       TEXT    NOT NULL,                 -- of a column: that in `customers`, or of a member of `extra`
    value      TEXT    NOT NULL,                 -- of a setting; the kind of a column
    place      INTEGER NOT NULL,                 -- of a column: it is shown after those with a smaller number
    choices    TEXT    NOT NULL,                 -- the values that a column may have, one per line
    deleted_by INTEGER                           -- the edit that deleted it, while the history keeps it
);

INSERT INTO entry_record (uid, type, name, value, place, choices) VALUES
    (1, 'column', 'first_name', 'text', 1, ''), (2, 'column', 'last_name', 'text', 2, ''),
    (3, 'column', 'company', 'text', 3, ''), (4, 'column', 'email', 'text', 4, ''), (5, 'column', 'phone', 'text', 5, ''),
    (6, 'column', 'address', 'text', 6, ''), (7, 'column', 'note', 'text', 7, ''),
    (8, 'column', 'other_contacts', 'lines', 8, ''), (9, 'column', 'tags', 'lines', 9, ''),
    (10, 'column', 'is_favorite', 'yes/no', 10, ''), (11, 'column', 'next', 'date', 11, '');

-- What a customer is called in every copy of the list, as ids may be given twice in copies: its uid is a negative random
-- number. Rows that were added together have consecutive ones, of which only the first is stored, in uid_run. Runs of rows
-- that are older than format 12 may have their ids for uids.
CREATE TABLE uid_run (
    first INTEGER PRIMARY KEY,                   -- ids
    last  INTEGER NOT NULL,
    uid   INTEGER NOT NULL                       -- of the first
);

-- Clustered by parent: an edit shifts the starts of siblings, and they are on one page wherever they were
-- created.
CREATE TABLE node (
    parent INTEGER NOT NULL,                     -- a node; for a part, minus the id of its section
    id     INTEGER NOT NULL,                     -- of all nodes, the next one
    start  INTEGER NOT NULL,                     -- how many rows of the parent come before this node
    PRIMARY KEY (parent, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX node_by_id ON node (id);

-- Clustered by place, so that the rows an edit shifts are next to each other whatever their ids. The key
-- makes it impossible for two customers to have the same number. An edit never changes a key: customers
-- move from slot to slot, so nothing can collide halfway through. The slots of a block are
-- 64 * block + 1 … 64 * block + 63; search by slot, because the other two columns are computed.
CREATE TABLE place (
    slot     INTEGER PRIMARY KEY,                -- 64 * block + "order"
    customer INTEGER NOT NULL,
    block    INTEGER AS (slot / 64),
    "order"  INTEGER AS (slot % 64)              -- 1…k inside the block
);

-- title_key is the title in the form in which titles are compared, to look it up. (An index of the expression would
-- be corrupted by a client that replaces lower().)
CREATE INDEX section_by_title ON section_record (title_key);

-- Random ids. All copies of a list have that of the list. That of the history is new after a restore or a repair, and
-- when the history is forgotten; copies are recognized by the marks of steps. In a list of format 11, edits up to
-- `counted` may be known by the id of the history and their number.
CREATE TABLE identity (
    list    TEXT NOT NULL,
    history TEXT NOT NULL
, counted INTEGER NOT NULL DEFAULT 0);

INSERT INTO identity (list, history) VALUES (lower(hex(randomblob(16))), lower(hex(randomblob(16))));

CREATE VIEW list_identity AS SELECT list AS list_id, history AS history_id FROM identity;

CREATE VIEW renew_history AS SELECT NULL AS now WHERE 0;

CREATE TRIGGER renew_history INSTEAD OF INSERT ON renew_history BEGIN
    UPDATE identity SET history = lower(hex(randomblob(16)));
END;

-- The tree: blocks, chapters, and parts, kept within their sizes ==================================
--
-- SQL has no procedures, so each procedure is a view without rows: its INSTEAD OF INSERT trigger is the
-- body, its columns (NEW.*) are the parameters, and a WHEN on the trigger is its "if".
--
-- Three rules for maintainers of this file. The conflict clause of the client's statement
-- replaces ours (under INSERT OR IGNORE a failing constraint is skipped and the trigger goes on; under
-- OR FAIL what was done before it stays), so no constraint may fail here: every condition is asserted
-- before a block is touched, with RAISE(ABORT), which no clause can change. No trigger may fire itself:
-- most clients have recursive_triggers off. And what every edit calls is called with VALUES, not with
-- SELECT, which builds a temporary table for each call. A trigger that is called often and does something rarely only
-- passes it on: SQLite clears the memory for all of its statements before it looks at its WHEN.

-- The sizes, defined once: the maximum number of rows in a block and of children of a node, and how many of
-- each put_rows fills, which leaves room for later edits.
CREATE VIEW capacity AS SELECT 32 AS rows, 32 AS children, 24 AS rows_filled, 24 AS children_filled;

-- Where a block is: its ancestors, where each of them starts, and how many rows of the section come before it.
CREATE VIEW located_block AS
SELECT block.id AS block, chapter.id AS chapter, part.id AS part, -part.parent AS section,
       part.start AS part_start, chapter.start AS chapter_start, block.start AS block_start,
       part.start + chapter.start + block.start AS start
FROM node AS block JOIN node AS chapter ON chapter.id = block.parent JOIN node AS part ON part.id = chapter.parent;

-- Where a customer is.
CREATE VIEW placed_row AS
SELECT c.id AS customer, b.section, b.start + p.slot - 64 * c.block AS "order",
       p.slot, b.part, b.part_start, b.chapter, b.chapter_start, b.block, b.block_start
FROM customer_record AS c
JOIN place AS p ON p.slot BETWEEN 64 * c.block AND 64 * c.block + 63 AND p.customer = c.id
JOIN located_block AS b ON b.block = c.block;

-- Slots make numbers whole and distinct; if there are as many from 1 on as the last slot says, there is no gap. An
-- empty block, whose last slot is NULL, is dense.
CREATE VIEW assert_block AS SELECT NULL AS block, NULL AS last WHERE 0;

CREATE TRIGGER assert_block INSTEAD OF INSERT ON assert_block
WHEN NEW.last <> 64 * NEW.block + (
    SELECT count(*) FROM place WHERE slot BETWEEN 64 * NEW.block + 1 AND 64 * NEW.block + 63)
BEGIN
    INSERT INTO refuse_damaged VALUES (1);
END;

-- Assertions --------------------------------------------------------------------------------------

CREATE VIEW refuse_damaged AS SELECT NULL AS found WHERE 0;

CREATE TRIGGER refuse_damaged INSTEAD OF INSERT ON refuse_damaged
WHEN NEW.found
BEGIN
    SELECT RAISE(ABORT, 'damaged: the order in this file is broken; run: customers check --repair');
END;

-- Neighbors ---------------------------------------------------------------------------------------

-- A node and the siblings just before and after it. (A bare column next to min or max comes from the row
-- with that value: https://sqlite.org/lang_select.html#bareagg.)
CREATE VIEW siblings AS
SELECT id AS node, (
    SELECT id FROM (
        SELECT earlier.id, max(earlier.start) FROM node AS earlier
        WHERE earlier.parent = node.parent AND earlier.start < node.start)) AS previous, (
    SELECT id FROM (
        SELECT later.id, min(later.start) FROM node AS later
        WHERE later.parent = node.parent AND later.start > node.start)) AS next
FROM node;

-- Too many: split ---------------------------------------------------------------------------------

-- A block that is too full is split in half; the last one of a chapter, where lists grow, stays full.
CREATE VIEW split_full_block AS SELECT NULL AS block, NULL AS chapter, NULL AS part, NULL AS rows WHERE 0;

CREATE TRIGGER split_full_block INSTEAD OF INSERT ON split_full_block
WHEN NEW.rows > (SELECT rows FROM capacity)
BEGIN
    INSERT INTO halve_block VALUES (NEW.block, NEW.chapter, NEW.part);
END;

CREATE VIEW halve_block AS SELECT NULL AS block, NULL AS chapter, NULL AS part WHERE 0;

CREATE TRIGGER halve_block INSTEAD OF INSERT ON halve_block BEGIN
    INSERT INTO split_block
    SELECT node, CASE WHEN next IS NULL THEN rows ELSE rows / 2 END
    FROM siblings JOIN capacity WHERE node = NEW.block;
    INSERT INTO split_full_node VALUES (NEW.chapter);
    INSERT INTO split_full_node VALUES (NEW.part);
END;

-- Moves the places after the first `keep` to a new block.
CREATE VIEW split_block AS SELECT NULL AS block, NULL AS keep WHERE 0;

CREATE TRIGGER split_block INSTEAD OF INSERT ON split_block BEGIN
    INSERT INTO node (parent, id, start)
    SELECT parent, (SELECT max(id) + 1 FROM node), start + NEW.keep FROM node WHERE id = NEW.block;
    INSERT INTO move_places VALUES (NEW.block, (SELECT max(id) FROM node), NEW.keep, -NEW.keep);
END;

-- A chapter or part that is too full is split in half.
CREATE VIEW split_full_node AS SELECT NULL AS node WHERE 0;

CREATE TRIGGER split_full_node INSTEAD OF INSERT ON split_full_node
WHEN (SELECT count(*) FROM node WHERE parent = NEW.node) > (SELECT children FROM capacity)
BEGIN
    INSERT INTO split_before
    SELECT parent, start FROM node WHERE parent = NEW.node
    ORDER BY start LIMIT 1 OFFSET (SELECT children / 2 FROM capacity);
END;

-- Moves the children of a node from `start` on to a new node after it.
CREATE VIEW split_before AS SELECT NULL AS node, NULL AS start WHERE 0;

CREATE TRIGGER split_before INSTEAD OF INSERT ON split_before
WHEN NEW.start > 0 AND EXISTS (SELECT 1 FROM node WHERE parent = NEW.node AND start >= NEW.start)
BEGIN
    INSERT INTO node (parent, id, start)
    SELECT parent, (SELECT max(id) + 1 FROM node), start + NEW.start FROM node WHERE id = NEW.node;
    UPDATE node SET parent = (SELECT max(id) FROM node), start = start - NEW.start
    WHERE parent = NEW.node AND start >= NEW.start;
END;

-- Too few: join -----------------------------------------------------------------------------------

-- A block with few rows left is joined to a neighbor if the two fill at most half a block; an empty one is
-- removed. Then the same for its chapter and its part.
CREATE VIEW tidy_block AS SELECT NULL AS block, NULL AS chapter, NULL AS part, NULL AS rows WHERE 0;

CREATE TRIGGER tidy_block INSTEAD OF INSERT ON tidy_block
WHEN NEW.rows <= (SELECT rows / 4 FROM capacity)
BEGIN
    INSERT INTO join_block VALUES (NEW.block, NEW.chapter, NEW.part);
END;

CREATE VIEW join_block AS SELECT NULL AS block, NULL AS chapter, NULL AS part WHERE 0;

CREATE TRIGGER join_block INSTEAD OF INSERT ON join_block BEGIN
    DELETE FROM node WHERE id = NEW.block AND NOT EXISTS (
        SELECT 1 FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63);
    INSERT INTO join_blocks SELECT node, next FROM siblings WHERE node = NEW.block;
    INSERT INTO join_blocks SELECT previous, node FROM siblings WHERE node = NEW.block;
    INSERT INTO tidy_node VALUES (NEW.chapter);
    INSERT INTO tidy_node VALUES (NEW.part);
END;

CREATE VIEW join_blocks AS SELECT NULL AS block, NULL AS next WHERE 0;

CREATE TRIGGER join_blocks INSTEAD OF INSERT ON join_blocks
WHEN (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63) - 64 * NEW.block
    + (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * NEW.next AND 64 * NEW.next + 63) - 64 * NEW.next
    <= (SELECT rows / 2 FROM capacity)
BEGIN
    INSERT INTO move_places VALUES (
        NEW.next, NEW.block, 0,
        (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63) - 64 * NEW.block);
    DELETE FROM node WHERE id = NEW.next;
END;

-- Moves the places after the first `after` to another block; `by` is added to their numbers, which must be
-- greater than those already there.
CREATE VIEW move_places AS SELECT NULL AS block, NULL AS destination, NULL AS after, NULL AS by WHERE 0;

CREATE TRIGGER move_places INSTEAD OF INSERT ON move_places BEGIN
    INSERT INTO assert_block VALUES (
        NEW.block, (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63));
    INSERT INTO refuse_damaged VALUES (EXISTS (
        SELECT 1 FROM place
        WHERE slot BETWEEN 64 * NEW.destination + NEW.after + NEW.by + 1 AND 64 * NEW.destination + 63));
    UPDATE customer_record SET block = NEW.destination WHERE id IN (
        SELECT customer FROM place WHERE slot BETWEEN 64 * NEW.block + NEW.after + 1 AND 64 * NEW.block + 63);
    UPDATE place SET slot = slot - 64 * NEW.block + 64 * NEW.destination + NEW.by
    WHERE slot BETWEEN 64 * NEW.block + NEW.after + 1 AND 64 * NEW.block + 63;
    INSERT INTO assert_block VALUES (
        NEW.destination,
        (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * NEW.destination AND 64 * NEW.destination + 63));
END;

-- The same for a chapter or part with few children.
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

-- The number of the next new block.
CREATE VIEW next_block AS SELECT ifnull(max(id), 0) + 1 AS block FROM node;

-- Many rows at once ===============================================================================
--
-- Each row is written once. (An edit of other rows together, such as a block that moves, is in many-rows.sql, which only
-- our program runs.)
--
--     put_rows(section, order)            give the customers in `staged` places from `order` on, in a repair
--     put_run(first, count, …)            give consecutive new ids consecutive places, for an import
--     take_rows(section, order, count)    remove the rows from a place on, to undo one

-- The customers to place, in order; empty except while a transaction fills it and calls put_rows.
CREATE TABLE staged (
    number   INTEGER PRIMARY KEY,  -- 1…k
    customer INTEGER NOT NULL
);

-- How many rows a full node of each level gets.
CREATE VIEW filled AS
SELECT rows_filled AS block_rows, rows_filled * children_filled AS chapter_rows,
       rows_filled * children_filled * children_filled AS part_rows
FROM capacity;

-- The section has no rows yet, so `order` is 1.
CREATE VIEW put_rows AS SELECT NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER put_rows INSTEAD OF INSERT ON put_rows BEGIN
    INSERT INTO shift_parts SELECT NEW.section, NEW."order" - 1, count(*) FROM staged;
    INSERT INTO place (slot, customer)
    SELECT 64 * (next_block.block + (number - 1) / block_rows) + (number - 1) % block_rows + 1, customer
    FROM next_block JOIN filled CROSS JOIN staged;
    INSERT INTO build_tree SELECT NEW.section, NEW."order", count(*) FROM staged;
    DELETE FROM staged;
END;

-- The same for customers with consecutive ids, in any section: it is cut at the place, and they get whole new parts
-- of their own.
CREATE VIEW put_run AS SELECT NULL AS first, NULL AS count, NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER put_run INSTEAD OF INSERT ON put_run BEGIN
    INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1);
    INSERT INTO shift_parts VALUES (NEW.section, NEW."order" - 1, NEW.count);
    INSERT INTO place (slot, customer)
    SELECT 64 * (next_block.block + (id - NEW.first) / block_rows) + (id - NEW.first) % block_rows + 1, id
    FROM next_block JOIN filled CROSS JOIN customer_record WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1;
    INSERT INTO build_tree VALUES (NEW.section, NEW."order", NEW.count);
END;

-- Builds the tree above new places, and lets the records know their blocks.
CREATE VIEW build_tree AS SELECT NULL AS section, NULL AS "order", NULL AS count WHERE 0;

CREATE TRIGGER build_tree INSTEAD OF INSERT ON build_tree BEGIN
    INSERT INTO build_nodes
    SELECT NEW.section, NEW."order", block + blocks + chapters, block + blocks, block FROM (
        SELECT block, (NEW.count - 1) / block_rows + 1 AS blocks, (NEW.count - 1) / chapter_rows + 1 AS chapters
        FROM next_block JOIN filled);
    INSERT INTO tidy_seam VALUES (NEW.section, NEW."order" + NEW.count);
    INSERT INTO tidy_seam VALUES (NEW.section, NEW."order");
END;

-- `part`, `chapter` and `block` are the first ids of the new nodes, which are consecutive: blocks first, so
-- that a program that writes new records can write their blocks with them. Writing records again would
-- cost most here. A node is new where the first of its children is.
CREATE VIEW build_nodes AS
SELECT NULL AS section, NULL AS "order", NULL AS part, NULL AS chapter, NULL AS block WHERE 0;

CREATE TRIGGER build_nodes INSTEAD OF INSERT ON build_nodes BEGIN
    INSERT INTO node (parent, id, start)
    SELECT NEW.chapter + (block - NEW.block) * block_rows / chapter_rows, block,
           (block - NEW.block) * block_rows % chapter_rows
    FROM place JOIN filled WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.chapter - 1 AND "order" = 1;
    INSERT INTO node (parent, id, start)
    SELECT NEW.part + (parent - NEW.chapter) * chapter_rows / part_rows, parent,
           (parent - NEW.chapter) * chapter_rows % part_rows
    FROM node JOIN filled WHERE id >= NEW.block AND start = 0;
    INSERT INTO node (parent, id, start)
    SELECT -NEW.section, parent, NEW."order" - 1 + (parent - NEW.part) * part_rows
    FROM node JOIN filled WHERE id >= NEW.chapter AND start = 0;
    UPDATE customer_record SET block = place.block FROM place
    WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.chapter - 1
      AND id = customer AND customer_record.block IS NOT place.block;
END;

-- The blocks of each part, with its section.
CREATE VIEW part_block AS
SELECT part.parent AS parent, part.start, part.id AS part, chapter.id AS chapter, block.id AS block
FROM node AS part JOIN node AS chapter ON chapter.parent = part.id JOIN node AS block ON block.parent = chapter.id;

-- Removes rows from a place on, as whole parts; their customers are left without a place.
CREATE VIEW take_rows AS SELECT NULL AS section, NULL AS "order", NULL AS count WHERE 0;

CREATE TRIGGER take_rows INSTEAD OF INSERT ON take_rows BEGIN
    INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1);
    INSERT INTO cut_section VALUES (NEW.section, NEW."order" - 1 + NEW.count);
    -- If the starts are damaged, rows of another place may be among them.
    INSERT INTO refuse_damaged
    SELECT count(*) <> NEW.count
    FROM part_block CROSS JOIN place ON slot BETWEEN 64 * part_block.block AND 64 * part_block.block + 63
    WHERE parent = -NEW.section AND start BETWEEN NEW."order" - 1 AND NEW."order" + NEW.count - 2;
    INSERT INTO drop_parts VALUES (NEW.section, NEW."order" - 1, NEW."order" + NEW.count - 2);
    INSERT INTO shift_parts VALUES (NEW.section, NEW."order" - 1, -NEW.count);
    INSERT INTO tidy_seam VALUES (NEW.section, NEW."order");
END;

-- Deletes the parts of a section that start between `first` and `last`, and everything in them.
CREATE VIEW drop_parts AS SELECT NULL AS section, NULL AS first, NULL AS last WHERE 0;

CREATE TRIGGER drop_parts INSTEAD OF INSERT ON drop_parts BEGIN
    UPDATE customer_record SET block = NULL WHERE id IN (
        SELECT customer
        FROM part_block CROSS JOIN place ON slot BETWEEN 64 * part_block.block AND 64 * part_block.block + 63
        WHERE parent = -NEW.section AND start BETWEEN NEW.first AND NEW.last);
    DELETE FROM place WHERE slot IN (
        SELECT slot
        FROM part_block CROSS JOIN place ON slot BETWEEN 64 * part_block.block AND 64 * part_block.block + 63
        WHERE parent = -NEW.section AND start BETWEEN NEW.first AND NEW.last);
    DELETE FROM node WHERE parent IN (
        SELECT chapter.id FROM node AS part JOIN node AS chapter ON chapter.parent = part.id
        WHERE part.parent = -NEW.section AND part.start BETWEEN NEW.first AND NEW.last);
    DELETE FROM node WHERE parent IN (
        SELECT id FROM node WHERE parent = -NEW.section AND start BETWEEN NEW.first AND NEW.last);
    DELETE FROM node WHERE parent = -NEW.section AND start BETWEEN NEW.first AND NEW.last;
END;

-- Shifts the parts of a section from `start` on, and counts the rows of the section.
CREATE VIEW shift_parts AS SELECT NULL AS section, NULL AS start, NULL AS by WHERE 0;

CREATE TRIGGER shift_parts INSTEAD OF INSERT ON shift_parts BEGIN
    UPDATE node SET start = start + NEW.by WHERE parent = -NEW.section AND start >= NEW.start;
    UPDATE section_record SET count = count + NEW.by WHERE id = NEW.section;
END;

-- Cuts --------------------------------------------------------------------------------------------

-- Makes a part start after the first `after` rows of a section, if any come after them. From the top down
-- to the block; `after` becomes the number of rows within the part, the chapter and the block.
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
WHEN (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * NEW.block AND 64 * NEW.block + 63)
    > 64 * NEW.block + NEW.after
BEGIN
    INSERT INTO split_block VALUES (NEW.block, NEW.after);
END;

-- How many sections there are, without looking at each: SQLite counts the entries of an index by the page,
-- and deleted sections are few.
CREATE VIEW section_count AS
SELECT (SELECT count(*) FROM section_record)
    - (SELECT count(*) FROM section_record WHERE "order" IS NULL) AS count;

-- Joins small neighbors where a cut was: the parts next to the row at a place, then its chapter and block.
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
    SELECT block, chapter, part, (
        SELECT count(*) FROM place WHERE slot BETWEEN 64 * located_block.block AND 64 * located_block.block + 63)
    FROM located_block
    WHERE part = NEW.part AND start < NEW."order" ORDER BY start DESC LIMIT 1;
END;

-- Section numbers =================================================================================
--
-- Sections are few, so their numbers are in their records. A range of numbers shifts in two steps, negated
-- and back: SQLite checks a key row by row, and "+ 1" would collide halfway through
-- (https://sqlite.org/lang_update.html). A section that is taken out has the number 0 until it is put back.

-- A deleted section keeps its record while the history keeps the deletion.
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

-- The numbers are distinct (by their index) and consecutive from `first`: 1, or 0 while a section is out.
CREATE VIEW assert_sections AS SELECT NULL AS first WHERE 0;

CREATE TRIGGER assert_sections INSTEAD OF INSERT ON assert_sections BEGIN
    INSERT INTO refuse_damaged VALUES (
        (SELECT min("order") FROM section_record) <> NEW.first
        OR (SELECT max("order") FROM section_record) - NEW.first + 1 <> (SELECT count FROM section_count));
END;

-- History =========================================================================================
--
-- What was done, so that it can be undone.
--
-- Every edit, whichever client makes it, goes through one of the logged edits: it changes the
-- list and adds one edit to the log. Rows that only shift are not recorded. A deleted customer keeps its
-- record, without a place, until the history forgets the deletion; so a deletion copies nothing, and undoing
-- it is placing a row.
--
-- The view history_edit is the log: the edits, by step. An edit is in edit_record, but most steps are one edit about
-- places, and are one row of history_step: it has the first edit, too, unless that keeps values.
--
-- The log only grows at its end: undo and redo are edits like any other, and a step knows whether it is
-- done or undone. So a program that follows the log misses nothing. (SQLite has no triggers for other
-- processes; they read history_edit from where they left off.)

-- `edits` is how many edits it has. After it is the first one, or NULL if that is in edit_record. The mark is random, and
-- negative: it is the name of the list as the step left it, by which copies know what they have in common. `user` is the
-- account that ran the program, and `person` who was known to use it, by a key.
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
, edits INTEGER NOT NULL DEFAULT 0, first_kind TEXT, row INTEGER, count INTEGER, section INTEGER, "order" INTEGER, to_section INTEGER, to_order INTEGER, mark INTEGER, person TEXT);

CREATE INDEX undone_step ON history_step (id) WHERE state = 'undone';

-- The marks of the latest 10,000 steps that the history has forgotten.
CREATE TABLE old_mark (
    step      INTEGER PRIMARY KEY,
    last_edit INTEGER NOT NULL,
    mark      INTEGER
);

CREATE TRIGGER keep_mark BEFORE DELETE ON history_step BEGIN
    INSERT INTO old_mark SELECT OLD.id, OLD.first_edit + OLD.edits - 1, OLD.mark
    WHERE OLD.id > (SELECT ifnull(max(step), 0) FROM old_mark);
    DELETE FROM old_mark WHERE step <= OLD.id - 10000;
    DELETE FROM known_state WHERE step <= OLD.id - 10000;
    DELETE FROM undone_pull WHERE next <= OLD.id - 10000;
END;

-- The edits that keep values, and those after the first of a step.
CREATE TABLE edit_record (
    id          INTEGER PRIMARY KEY,          -- numbers all edits, also those that are in history_step
    kind        TEXT    NOT NULL,
    row         INTEGER NOT NULL,             -- the customer, section, line, or entry; for several rows the first id
    count       INTEGER NOT NULL,             -- how many rows, with consecutive ids
    section     INTEGER, "order"  INTEGER,    -- the place before
    to_section  INTEGER, to_order INTEGER,    -- the place after
    -- For an update: the old values of the columns that changed.
    first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
    other_contacts, tags, next, address_parts,
    title, footer,
    name, to_name,                            -- for a column of `extra`: its name before and after
    customer, line_at, author, text,          -- of a line
    value, place, choices                     -- of an entry, as is its name
);

-- The log. Ask for the step, too: edits are found by it. (Only if both halves have the same types does SQLite look up
-- steps and edits for a query of this view; otherwise it makes a table of all.)
CREATE VIEW history_edit AS
SELECT id AS step, first_edit AS id, first_kind AS kind, row, count, section, "order", to_section, to_order,
       CAST(NULL AS BLOB) AS first_name, CAST(NULL AS BLOB) AS last_name, CAST(NULL AS BLOB) AS company,
       CAST(NULL AS BLOB) AS email, CAST(NULL AS BLOB) AS phone, CAST(NULL AS BLOB) AS address,
       CAST(NULL AS BLOB) AS note, CAST(NULL AS BLOB) AS is_favorite, CAST(NULL AS BLOB) AS can_edit,
       CAST(NULL AS BLOB) AS can_move, CAST(NULL AS BLOB) AS extra, CAST(NULL AS BLOB) AS other_contacts,
       CAST(NULL AS BLOB) AS tags, CAST(NULL AS BLOB) AS next, CAST(NULL AS BLOB) AS address_parts,
       CAST(NULL AS BLOB) AS title, CAST(NULL AS BLOB) AS footer, CAST(NULL AS BLOB) AS name,
       CAST(NULL AS BLOB) AS to_name, CAST(NULL AS BLOB) AS customer, CAST(NULL AS BLOB) AS line_at,
       CAST(NULL AS BLOB) AS author, CAST(NULL AS BLOB) AS text, CAST(NULL AS BLOB) AS value,
       CAST(NULL AS BLOB) AS place, CAST(NULL AS BLOB) AS choices
FROM history_step WHERE first_kind IS NOT NULL
UNION ALL
SELECT step.id, edit.* FROM history_step AS step
CROSS JOIN edit_record AS edit ON edit.id BETWEEN first_edit AND first_edit + edits - 1;

-- For rows and an arrangement: the places before and after, with their sections for rows; NULL for none. For a column:
-- the old `extra` of the rows where it differs.
CREATE TABLE history_row (
    edit     INTEGER NOT NULL,
    customer INTEGER NOT NULL,
    "order"  INTEGER,
    to_order INTEGER,
    extra    TEXT, section INTEGER, to_section INTEGER,
    PRIMARY KEY (edit, customer)
) WITHOUT ROWID;

-- How much is kept; whichever limit is reached first applies.
CREATE TABLE history_limit (
    steps INTEGER NOT NULL CHECK (steps >= 1),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
);

INSERT INTO history_limit VALUES (10000, 64000000);

CREATE VIEW last_step AS SELECT * FROM history_step ORDER BY id DESC LIMIT 1;

CREATE VIEW last_edit AS SELECT ifnull((SELECT first_edit + edits - 1 FROM last_step), 0) AS id;

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
CREATE VIEW continued_step AS
SELECT id FROM history_step
WHERE id = (SELECT max(id) FROM history_step) AND (
    is_open OR program = '' AND kind = 'edit' AND at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    AND NOT EXISTS (SELECT 1 FROM open_receipt));

-- The program at work, while a transaction with a receipt is open.
CREATE VIEW open_receipt AS
SELECT * FROM receipt WHERE id = (SELECT max(id) FROM receipt) AND program IS NOT NULL;

-- Counts an edit in a step, a new one if `step` is NULL, and writes it, if it keeps no values; `edits` is 0 for a step
-- that is to have some, and `bytes` is what the file keeps. `last` is the last step, and `receipt` the open receipt.
CREATE VIEW add_edit AS
SELECT id AS step, last, NULL AS receipt, edits, bytes, first_kind AS kind, row, count, section, "order", to_section,
       to_order, at, kind AS step_kind, action
FROM history_step WHERE 0;

CREATE TRIGGER begin_step INSTEAD OF INSERT ON add_edit
WHEN NEW.step IS NULL
BEGIN
    INSERT INTO drop_undone VALUES (NEW.step_kind);
    INSERT INTO history_step (
        id, at, program, user, host, action, kind, state, last, is_open, first_edit, bytes_before, bytes,
        edits, first_kind, row, count, section, "order", to_section, to_order, mark)
    VALUES (
        NEW.last + 1, ifnull(NEW.at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
        CASE WHEN NEW.receipt IS NULL THEN '' ELSE (SELECT program FROM receipt WHERE id = NEW.receipt) END,
        CASE WHEN NEW.receipt IS NULL THEN '' ELSE (SELECT user FROM receipt WHERE id = NEW.receipt) END,
        CASE WHEN NEW.receipt IS NULL THEN '' ELSE (SELECT host FROM receipt WHERE id = NEW.receipt) END,
        CASE
            WHEN NEW.action IS NOT NULL THEN NEW.action
            WHEN NEW.receipt IS NULL THEN '' ELSE (SELECT action FROM receipt WHERE id = NEW.receipt)
        END,
        NEW.step_kind, 'done', NEW.last + 1, NEW.receipt IS NOT NULL,
        ifnull((SELECT first_edit + edits FROM history_step WHERE id = NEW.last), 1),
        ifnull((SELECT bytes_before + bytes FROM history_step WHERE id = NEW.last), 0), NEW.bytes,
        NEW.edits, NEW.kind, NEW.row, NEW.count, NEW.section, NEW."order", NEW.to_section, NEW.to_order,
        random() | (1 << 63));
    INSERT INTO trim_history VALUES (NEW.step_kind, NEW.last + 1);
END;

CREATE TRIGGER continue_step INSTEAD OF INSERT ON add_edit
WHEN NEW.step IS NOT NULL
BEGIN
    INSERT INTO add_further_edit VALUES (
        NEW.step, NEW.bytes, NEW.kind, NEW.row, NEW.count, NEW.section, NEW."order", NEW.to_section, NEW.to_order);
END;

CREATE VIEW add_further_edit AS
SELECT step, bytes, kind, row, count, section, "order", to_section, to_order FROM add_edit;

CREATE TRIGGER add_further_edit INSTEAD OF INSERT ON add_further_edit BEGIN
    UPDATE history_step SET edits = edits + 1, bytes = bytes + NEW.bytes WHERE id = NEW.step;
    INSERT INTO edit_record (id, kind, row, count, section, "order", to_section, to_order)
    SELECT id, NEW.kind, NEW.row, NEW.count, NEW.section, NEW."order", NEW.to_section, NEW.to_order
    FROM last_edit WHERE NEW.kind IS NOT NULL;
END;

-- Begins a step that will have edits.
CREATE VIEW open_step AS SELECT NULL AS at, NULL AS kind, NULL AS action WHERE 0;

CREATE TRIGGER open_step INSTEAD OF INSERT ON open_step BEGIN
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step) AND is_open;
    INSERT INTO add_edit (last, receipt, edits, bytes, at, step_kind, action)
    VALUES (
        (SELECT ifnull(max(id), 0) FROM history_step), (SELECT id FROM open_receipt), 0, 0, NEW.at, NEW.kind, NEW.action);
END;

-- A new edit makes it impossible to redo what was undone.
CREATE VIEW drop_undone AS SELECT kind FROM history_step WHERE 0;

CREATE TRIGGER drop_undone INSTEAD OF INSERT ON drop_undone
WHEN NEW.kind = 'edit' AND EXISTS (SELECT 1 FROM history_step WHERE state = 'undone')
BEGIN
    UPDATE history_step SET state = 'dropped' WHERE state = 'undone';
END;

-- Forgets the oldest steps and what was kept for them: one in 32 of them at once, so that most edits do not
-- touch the oldest pages. Undo and redo do not trim: they could lose the step that they are reverting, or one
-- between those that can be redone. A program that reverts a step alone lifts the limits while it does so.
CREATE VIEW trim_history AS SELECT NULL AS kind, NULL AS last WHERE 0;

CREATE TRIGGER trim_history INSTEAD OF INSERT ON trim_history
WHEN NEW.kind = 'edit' AND EXISTS (
    SELECT 1 FROM history_limit AS most CROSS JOIN history_step AS last CROSS JOIN history_step AS first
    WHERE last.id = NEW.last AND first.id = (SELECT min(id) FROM history_step)
      AND (last.id - first.id >= most.steps OR last.bytes_before - first.bytes_before > most.bytes))
BEGIN
    INSERT INTO forget_oldest VALUES (1);
END;

CREATE VIEW forget_oldest AS SELECT NULL AS now WHERE 0;

CREATE TRIGGER forget_oldest INSTEAD OF INSERT ON forget_oldest BEGIN
    INSERT INTO forget_steps
    SELECT max(last.id - steps + steps / 32, (
        SELECT min(id) - 1 FROM history_step
        WHERE bytes_before >= last.bytes_before - most.bytes + most.bytes / 32))
    FROM last_step AS last, history_limit AS most;
END;

CREATE VIEW forget_steps AS SELECT NULL AS last WHERE 0;

CREATE TRIGGER forget_steps INSTEAD OF INSERT ON forget_steps BEGIN
    INSERT INTO forget_edits VALUES (NEW.last);
    DELETE FROM history_step WHERE id <= NEW.last;
END;

-- Forgets all steps up to the last one, which stays so that numbering continues.
CREATE VIEW forget_history AS SELECT NULL AS last WHERE 0;

CREATE TRIGGER forget_history INSTEAD OF INSERT ON forget_history BEGIN
    INSERT INTO forget_edits VALUES (NEW.last);
    DELETE FROM history_step WHERE id < NEW.last;
    UPDATE history_step
    SET state = 'dropped', digest = NULL, first_edit = first_edit + edits, edits = 0, bytes_before = 0, bytes = 0,
        first_kind = NULL, row = NULL, count = NULL, section = NULL, "order" = NULL, to_section = NULL, to_order = NULL
    WHERE id = NEW.last;
    INSERT INTO renew_history VALUES (1);
END;

-- What is kept for the edits of all steps up to one. (Each edit compiles this, and the view history_edit would take most of
-- the time. Edits that are in history_step keep no values.)
CREATE VIEW forget_edits AS SELECT NULL AS last WHERE 0;

CREATE TRIGGER forget_edits INSTEAD OF INSERT ON forget_edits BEGIN
    INSERT INTO forget_edit
    SELECT first_edit, first_kind, row, count FROM history_step WHERE id <= NEW.last AND first_kind IN (
        'delete', 'delete rows', 'rows', 'arrange', 'section delete');
    INSERT INTO forget_edit
    SELECT id, kind, row, count FROM edit_record
    WHERE id < (SELECT max(first_edit + edits) FROM history_step WHERE id <= NEW.last) AND kind IN (
        'delete', 'delete rows', 'rows', 'arrange', 'column', 'section delete', 'line delete', 'entry delete');
    DELETE FROM edit_record WHERE id < (SELECT max(first_edit + edits) FROM history_step WHERE id <= NEW.last);
    DELETE FROM pulled_time WHERE edit < (SELECT max(first_edit + edits) FROM history_step WHERE id <= NEW.last);
END;

-- The record of a deleted customer goes with the last edit that deleted it.
CREATE VIEW forget_edit AS SELECT NULL AS edit, NULL AS kind, NULL AS row, NULL AS count WHERE 0;

CREATE TRIGGER forget_edit INSTEAD OF INSERT ON forget_edit BEGIN
    DELETE FROM customer_record
    WHERE (NEW.kind = 'delete' OR NEW.kind = 'delete rows') AND deleted_by = NEW.edit
      AND id BETWEEN NEW.row AND NEW.row + NEW.count - 1;
    DELETE FROM customer_record
    WHERE NEW.kind = 'rows' AND deleted_by = NEW.edit
      AND id IN (SELECT customer FROM history_row WHERE edit = NEW.edit AND to_section IS NULL);
    DELETE FROM section_record WHERE NEW.kind = 'section delete' AND deleted_by = NEW.edit AND id = NEW.row;
    DELETE FROM line_record WHERE NEW.kind = 'line delete' AND deleted_by = NEW.edit AND uid = NEW.row;
    DELETE FROM entry_record WHERE NEW.kind = 'entry delete' AND deleted_by = NEW.edit AND uid = NEW.row;
    DELETE FROM history_row WHERE edit = NEW.edit;
END;

-- Its log goes with a record.
CREATE TRIGGER forget_lines AFTER DELETE ON customer_record BEGIN
    DELETE FROM line_record WHERE customer = OLD.id;
END;

-- A repair can't be undone. It is a step without edits and skips an edit number, so that a program that
-- follows the log notices it and reads the list again.
CREATE VIEW break_history AS SELECT NULL AS at WHERE 0;

CREATE TRIGGER break_history INSTEAD OF INSERT ON break_history BEGIN
    INSERT INTO open_step VALUES (NEW.at, 'edit', 'repair');
    UPDATE history_step SET state = 'dropped', first_edit = first_edit + 1, is_open = 0
    WHERE id = (SELECT max(id) FROM history_step);
    INSERT INTO renew_history VALUES (1);
END;

-- Logs an edit that keeps no values; `bytes` is what the file keeps for it besides its row.
CREATE VIEW record_edit AS
SELECT NULL AS kind, NULL AS row, NULL AS count, NULL AS section, NULL AS "order", NULL AS to_section,
       NULL AS to_order, NULL AS bytes WHERE 0;

CREATE TRIGGER record_edit INSTEAD OF INSERT ON record_edit BEGIN
    INSERT INTO add_edit (
        step, last, receipt, step_kind, edits, bytes, kind, row, count, section, "order", to_section, to_order)
    VALUES (
        (SELECT id FROM continued_step), (SELECT ifnull(max(id), 0) FROM history_step), (SELECT id FROM open_receipt),
        'edit', 1, 32 + NEW.bytes, NEW.kind, NEW.row, NEW.count, NEW.section, NEW."order",
        NEW.to_section, NEW.to_order);
END;

-- Counts an edit that then writes its row of edit_record itself.
CREATE VIEW count_edit AS SELECT NULL AS bytes WHERE 0;

CREATE TRIGGER count_edit INSTEAD OF INSERT ON count_edit BEGIN
    INSERT INTO add_edit (step, last, receipt, step_kind, edits, bytes)
    VALUES (
        (SELECT id FROM continued_step), (SELECT ifnull(max(id), 0) FROM history_step), (SELECT id FROM open_receipt),
        'edit', 1, 32 + NEW.bytes);
END;

-- Copies that come together =======================================================================
--
-- A pull makes two copies of a list one again. It is a step that writes what the other copy has, and notes the marks of the
-- states that it took in. So what two copies have in common is known without their having met: the latest state of one
-- that the other had or took in. What was pulled and undone is as if it had never been.

-- The states of other copies that a step took in: all of a pulled copy, or of a list that a restored backup replaced.
CREATE TABLE known_state (
    step    INTEGER NOT NULL,
    mark    INTEGER NOT NULL,
    is_head INTEGER NOT NULL,                    -- whether it is the one that the list was merged with
    PRIMARY KEY (step, mark)
) WITHOUT ROWID;

-- The pulls that are undone, and the step that undid each.
CREATE TABLE undone_pull (
    step INTEGER PRIMARY KEY,
    next INTEGER NOT NULL
);

-- When what a pull wrote was changed in the other copy: for an edit of the pull, and the uid of a row, section, or line.
CREATE TABLE pulled_time (
    edit INTEGER NOT NULL,
    row  INTEGER NOT NULL,
    at   TEXT    NOT NULL,
    PRIMARY KEY (edit, row)
) WITHOUT ROWID;

-- The steps that count: not those from a pull up to its undo. A step of a client that does not identify itself may have got
-- more edits after the file was copied, so how many it has is part of its name.
CREATE VIEW own_state AS
SELECT step, mark, last_edit, edits FROM (
    SELECT step, mark, last_edit, NULL AS edits FROM old_mark
    UNION ALL
    SELECT id, mark, first_edit + edits - 1, CASE program WHEN '' THEN edits END FROM history_step) AS state
WHERE NOT EXISTS (SELECT 1 FROM undone_pull AS pull WHERE state.step >= pull.step AND state.step < pull.next);

-- The states of other copies that the list has in it.
CREATE VIEW taken_state AS
SELECT step, mark, is_head FROM known_state AS state
WHERE NOT EXISTS (SELECT 1 FROM undone_pull AS pull WHERE state.step >= pull.step AND state.step < pull.next);

-- After a step was undone or redone: notes whether a pull counts. The list is then what it was before the pull, and has the
-- same name.
CREATE VIEW note_revert AS SELECT id AS step, kind FROM history_step WHERE 0;

CREATE TRIGGER note_revert INSTEAD OF INSERT ON note_revert
WHEN EXISTS (SELECT 1 FROM known_state WHERE step = NEW.step)
BEGIN
    DELETE FROM undone_pull WHERE step = NEW.step;
    INSERT INTO undone_pull SELECT NEW.step, id FROM last_step WHERE NEW.kind = 'undo';
    UPDATE history_step
    SET mark = ifnull((SELECT mark FROM own_state WHERE step < NEW.step ORDER BY step DESC LIMIT 1), mark)
    WHERE NEW.kind = 'undo' AND id = (SELECT max(id) FROM history_step);
END;

-- How the order is kept ===========================================================================
--
-- What happens when a row is inserted, deleted or moved, and how that is logged. From the top down:
--
--     put_row(kind, customer, section, order)   find where the row is and where it goes to
--     put_in_block                              log_put, asserts, then: slide, shift_between
--     log_put                                   check the place, log the edit
--     slide(customer, slot, …)                  write the row, and move those beside it by one slot
--     shift_between(source, target)             adjust the starts between two siblings
--
-- The columns from_… say where a row comes from: the section, the number, the part, the chapter and the block, the start
-- of each, the slot, and the last slot of the block. The same names without from_ say where it goes to. They are looked
-- up once and passed down. For a new row the former are NULL, for a deleted one the latter.
--
-- It is asserted that the slots of a block are those from 1 on, for there is none after as many as it has, and that a
-- customer that has a slot has no other one after it.

-- `kind` is 'insert', 'move', or 'delete'; `is_request` is 1 if there is nothing to do for a row that is in its place.
--
-- The place is looked up in the list as it is, with the row still in it. If the row comes from above in the same
-- section (`is_after`), everything between moves up by one, so the row goes after the one that is there now.
--
-- On each level the place is in the last child that starts before it. (A bare column next to max comes from
-- the row with that value; CROSS JOIN keeps the order of the levels.)
CREATE VIEW put_row AS
SELECT NULL AS kind, NULL AS customer, NULL AS section, NULL AS "order", NULL AS is_request WHERE 0;

CREATE TRIGGER put_row INSTEAD OF INSERT ON put_row BEGIN
    INSERT INTO begin_section VALUES (NEW.section);
    INSERT INTO put_in_block
    SELECT NEW.kind, NEW.customer, -here.parent, here.start + above.start + own.start + p.slot - 64 * own.id,
           here.id, here.start, above.id, above.start, own.id, own.start, p.slot, 64 * own.id + (
               SELECT count(*) FROM place WHERE slot BETWEEN 64 * own.id + 1 AND 64 * own.id + 63),
           NEW.section, NEW."order", part, part_start, chapter, chapter_start, there.block, block_start,
           64 * there.block + NEW."order" - part_start - chapter_start - block_start, 64 * there.block + (
               SELECT count(*) FROM place WHERE slot BETWEEN 64 * there.block + 1 AND 64 * there.block + 63),
           NEW.section IS -here.parent
               AND here.start + above.start + own.start + p.slot - 64 * own.id < NEW."order"
    FROM (
        SELECT part, part_start, chapter, chapter_start, block.id AS block, max(block.start) AS block_start
        FROM (
            SELECT part, part_start, chapter.id AS chapter, max(chapter.start) AS chapter_start
            FROM (
                SELECT id AS part, max(start) AS part_start FROM node
                WHERE parent = -NEW.section AND start < NEW."order")
            CROSS JOIN node AS chapter ON chapter.parent = part
            WHERE chapter.start < NEW."order" - part_start)
        CROSS JOIN node AS block ON block.parent = chapter
        WHERE block.start < NEW."order" - part_start - chapter_start) AS there
    LEFT JOIN customer_record AS c ON c.id = NEW.customer
    LEFT JOIN place AS p ON p.slot BETWEEN 64 * c.block AND 64 * c.block + 63 AND p.customer = c.id
    LEFT JOIN node AS own ON own.id = c.block
    LEFT JOIN node AS above ON above.id = own.parent
    LEFT JOIN node AS here ON here.id = above.parent
    WHERE NOT (NEW.is_request AND NEW.section IS -here.parent
        AND NEW."order" IS here.start + above.start + own.start + p.slot - 64 * own.id);
END;

-- Logs that a row goes from a place to another one.
CREATE VIEW log_put AS
SELECT NULL AS kind, NULL AS customer, NULL AS from_section, NULL AS from_order, NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER log_put INSTEAD OF INSERT ON log_put BEGIN
    INSERT INTO check_place VALUES (
        CASE NEW.kind WHEN 'delete' THEN 1 ELSE NEW."order" END,
        (SELECT count FROM section_record WHERE id = NEW.section) + (NEW.section IS NOT NEW.from_section));
    INSERT INTO add_edit (
        step, last, receipt, step_kind, edits, bytes, kind, row, count, section, "order", to_section, to_order)
    VALUES (
        (SELECT id FROM continued_step), (SELECT ifnull(max(id), 0) FROM history_step), (SELECT id FROM open_receipt),
        'edit', 1, 32, NEW.kind, NEW.customer, 1, NEW.from_section, NEW.from_order, NEW.section, NEW."order");
END;

-- An empty section has no part yet.
CREATE VIEW begin_section AS SELECT NULL AS section WHERE 0;

CREATE TRIGGER begin_section INSTEAD OF INSERT ON begin_section
WHEN NEW.section IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node WHERE parent = -NEW.section)
BEGIN
    INSERT INTO add_part VALUES (NEW.section, (SELECT ifnull(max(id), 0) + 1 FROM node));
END;

CREATE VIEW add_part AS SELECT NULL AS section, NULL AS part WHERE 0;

CREATE TRIGGER add_part INSTEAD OF INSERT ON add_part BEGIN
    INSERT INTO node (parent, id, start) VALUES (-NEW.section, NEW.part, 0);
    INSERT INTO node (parent, id, start) VALUES (NEW.part, NEW.part + 1, 0);
    INSERT INTO node (parent, id, start) VALUES (NEW.part + 1, NEW.part + 2, 0);
END;

-- Within a block only its places change; between blocks (or for a new row) the starts between them do too.
CREATE VIEW put_in_block AS
SELECT NULL AS kind, NULL AS customer,
       NULL AS from_section, NULL AS from_order, NULL AS from_part, NULL AS from_part_start, NULL AS from_chapter,
       NULL AS from_chapter_start, NULL AS from_block, NULL AS from_block_start, NULL AS from_slot, NULL AS from_last,
       NULL AS section, NULL AS "order", NULL AS part, NULL AS part_start, NULL AS chapter,
       NULL AS chapter_start, NULL AS block, NULL AS block_start, NULL AS slot, NULL AS last, NULL AS is_after WHERE 0;

CREATE TRIGGER put_within_block INSTEAD OF INSERT ON put_in_block
WHEN NEW.block = NEW.from_block
BEGIN
    INSERT INTO log_put VALUES (
        NEW.kind, NEW.customer, NEW.from_section, NEW.from_order, NEW.section, NEW."order");
    INSERT INTO refuse_damaged VALUES (
        NEW.kind = 'insert' OR NEW.from_order IS NULL OR NEW.slot > NEW.last
        OR EXISTS (SELECT 1 FROM place WHERE slot BETWEEN NEW.last + 1 AND 64 * NEW.block + 63)
        OR EXISTS (
            SELECT 1 FROM place WHERE slot BETWEEN NEW.from_slot + 1 AND NEW.last AND customer = NEW.customer));
    INSERT INTO slide VALUES (
        NEW.customer, NEW.slot, NEW.from_slot + 1, NEW.slot, NEW.slot, NEW.from_slot - 1);
END;

CREATE TRIGGER put_from_elsewhere INSTEAD OF INSERT ON put_in_block
WHEN NEW.block IS NOT NEW.from_block OR NEW.block IS NULL
BEGIN
    INSERT INTO log_put VALUES (
        NEW.kind, NEW.customer, NEW.from_section, NEW.from_order, NEW.section, NEW."order");
    -- If the starts are damaged, the row would come to no block or get the number before or after the one that was asked
    -- for: blocks do not start in the order in which their rows are numbered.
    INSERT INTO refuse_damaged VALUES (
        NEW.block IS NULL AND NEW.section IS NOT NULL OR (NEW.kind = 'insert') = (NEW.from_order IS NOT NULL)
        OR EXISTS (SELECT 1 FROM place WHERE slot BETWEEN NEW.from_last + 1 AND 64 * NEW.from_block + 63)
        OR EXISTS (SELECT 1 FROM place WHERE slot BETWEEN NEW.last + 1 AND 64 * NEW.block + 63)
        OR EXISTS (
            SELECT 1 FROM place WHERE slot BETWEEN NEW.from_slot + 1 AND NEW.from_last AND customer = NEW.customer)
        OR NEW.section = NEW.from_section AND NEW.is_after <> (
            (NEW.part_start, NEW.chapter_start, NEW.block_start)
            > (NEW.from_part_start, NEW.from_chapter_start, NEW.from_block_start))
        OR NEW.slot + NEW.is_after > NEW.last + 1);
    INSERT INTO slide VALUES (
        NEW.customer, NEW.slot + NEW.is_after, NEW.from_slot + 1, NEW.from_last, NEW.slot + NEW.is_after, NEW.last);
    DELETE FROM place WHERE slot = NEW.from_last;
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
    UPDATE section_record SET count = count - 1 WHERE id = NEW.from_section AND NEW.from_section IS NOT NEW.section;
    UPDATE section_record SET count = count + 1 WHERE id = NEW.section AND NEW.from_section IS NOT NEW.section;
    INSERT INTO shift_between VALUES (-NEW.from_section, NEW.from_part_start, -NEW.section, NEW.part_start);
    INSERT INTO shift_between VALUES (NEW.from_part, NEW.from_chapter_start, NEW.part, NEW.chapter_start);
    INSERT INTO shift_between VALUES (NEW.from_chapter, NEW.from_block_start, NEW.chapter, NEW.block_start);
    INSERT INTO tidy_block VALUES (
        NEW.from_block, NEW.from_chapter, NEW.from_part, NEW.from_last - 1 - 64 * NEW.from_block);
    INSERT INTO split_full_block VALUES (NEW.block, NEW.chapter, NEW.part, NEW.last + 1 - 64 * NEW.block);
END;

-- Writes a customer into a slot. Those from up_first to up_last move to the slot before, those from down_first to
-- down_last to the next one, which may be new. (All rows are read before the first is written, because they are of the
-- table that is written.)
CREATE VIEW slide AS
SELECT NULL AS customer, NULL AS slot, NULL AS up_first, NULL AS up_last, NULL AS down_first, NULL AS down_last WHERE 0;

CREATE TRIGGER slide INSTEAD OF INSERT ON slide BEGIN
    INSERT INTO place (slot, customer)
    SELECT slot - 1, customer FROM place WHERE slot BETWEEN NEW.up_first AND NEW.up_last
    UNION ALL SELECT slot + 1, customer FROM place WHERE slot BETWEEN NEW.down_first AND NEW.down_last
    UNION ALL SELECT NEW.slot, NEW.customer WHERE NEW.slot IS NOT NULL
    ON CONFLICT (slot) DO UPDATE SET customer = excluded.customer;
END;

-- The siblings after the one that starts at `source` start one row earlier, those after `target` one row
-- later; if both have the same parent, those after both start where they did.
CREATE VIEW shift_between AS
SELECT NULL AS source_parent, NULL AS source, NULL AS target_parent, NULL AS target WHERE 0;

CREATE TRIGGER shift_between INSTEAD OF INSERT ON shift_between
WHEN NEW.source IS NOT NEW.target OR NEW.source_parent IS NOT NEW.target_parent
BEGIN
    UPDATE node SET start = start - 1
    WHERE parent = NEW.source_parent AND start > NEW.source
      AND (NEW.source_parent IS NOT NEW.target_parent OR start <= NEW.target)
      AND (NEW.source_parent IS NOT NEW.target_parent OR NEW.source < NEW.target);
    UPDATE node SET start = start + 1
    WHERE parent = NEW.target_parent AND start > NEW.target
      AND (NEW.source_parent IS NOT NEW.target_parent OR start <= NEW.source)
      AND (NEW.source_parent IS NOT NEW.target_parent OR NEW.target < NEW.source);
END;

-- Logged edits ====================================================================================
--
-- The edits that every client's statement comes down to: each logs itself and changes the list. The views
-- `customers` and `sections` check beforehand what a client may do.

-- How many bytes the texts of a record and its log take up.
CREATE VIEW record_size AS
SELECT id, length(CAST(
    first_name || last_name || company || email || phone || address || note || extra || other_contacts || tags || next
    || address_parts AS BLOB)) + (
    SELECT ifnull(sum(32 + length(CAST(author || text AS BLOB))), 0) FROM line_record WHERE customer = id) AS bytes
FROM customer_record;

-- Logged edits of one customer --------------------------------------------------------------------

-- Gives a place to a record without one, new or deleted.
CREATE VIEW logged_insert AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER logged_insert INSTEAD OF INSERT ON logged_insert BEGIN
    INSERT INTO put_row VALUES ('insert', NEW.customer, NEW.section, NEW."order", 0);
    UPDATE customer_record SET deleted_by = NULL WHERE id = NEW.customer AND deleted_by IS NOT NULL;
END;

CREATE VIEW logged_delete AS SELECT NULL AS customer WHERE 0;

CREATE TRIGGER logged_delete INSTEAD OF INSERT ON logged_delete BEGIN
    INSERT INTO put_row VALUES ('delete', NEW.customer, NULL, NULL, 0);
    UPDATE history_step SET bytes = bytes + (SELECT bytes FROM record_size WHERE id = NEW.customer)
    WHERE id = (SELECT max(id) FROM history_step);
    UPDATE customer_record SET deleted_by = (SELECT id FROM last_edit) WHERE id = NEW.customer;
END;

CREATE VIEW logged_move AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER logged_move INSTEAD OF INSERT ON logged_move BEGIN
    INSERT INTO put_row VALUES ('move', NEW.customer, NEW.section, NEW."order", 0);
END;

CREATE VIEW logged_update AS
SELECT id, first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
       other_contacts, tags, next, address_parts
FROM customer_record WHERE 0;

CREATE TRIGGER logged_update INSTEAD OF INSERT ON logged_update BEGIN
    INSERT INTO count_edit VALUES (0);
    INSERT INTO edit_record (
        id, kind, row, count, first_name, last_name, company, email, phone, address, note, is_favorite, can_edit,
        can_move, extra, other_contacts, tags, next, address_parts)
    SELECT (SELECT id FROM last_edit), 'update', id, 1,
           nullif(first_name, NEW.first_name), nullif(last_name, NEW.last_name),
           nullif(company, NEW.company), nullif(email, NEW.email), nullif(phone, NEW.phone),
           nullif(address, NEW.address), nullif(note, NEW.note), nullif(is_favorite, NEW.is_favorite),
           nullif(can_edit, NEW.can_edit), nullif(can_move, NEW.can_move), nullif(extra, NEW.extra),
           nullif(other_contacts, NEW.other_contacts), nullif(tags, NEW.tags), nullif(next, NEW.next),
           nullif(address_parts, NEW.address_parts)
    FROM customer_record WHERE id = NEW.id;
    UPDATE history_step SET bytes = bytes + (
        SELECT length(CAST(
            ifnull(first_name, '') || ifnull(last_name, '') || ifnull(company, '') || ifnull(email, '')
            || ifnull(phone, '') || ifnull(address, '') || ifnull(note, '') || ifnull(extra, '')
            || ifnull(other_contacts, '') || ifnull(tags, '') || ifnull(next, '') || ifnull(address_parts, '') AS BLOB))
        FROM edit_record WHERE id = (SELECT id FROM last_edit))
    WHERE id = (SELECT max(id) FROM history_step);
    UPDATE customer_record SET
        first_name = NEW.first_name, last_name = NEW.last_name, company = NEW.company, email = NEW.email,
        phone = NEW.phone, address = NEW.address, note = NEW.note, is_favorite = NEW.is_favorite,
        can_edit = NEW.can_edit, can_move = NEW.can_move, extra = NEW.extra,
        other_contacts = NEW.other_contacts, tags = NEW.tags, next = NEW.next, address_parts = NEW.address_parts
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
    -- Unless they have been in the list before.
    INSERT INTO uid_run
    SELECT NEW.first, NEW.first + NEW.count - 1, (random() | (1 << 63)) / 2 FROM customer_record
    WHERE id = NEW.first AND uid IS NULL AND deleted_by IS NULL;
    UPDATE customer_record SET deleted_by = NULL
    WHERE id BETWEEN NEW.first AND NEW.first + NEW.count - 1 AND deleted_by IS NOT NULL;
    INSERT INTO put_run VALUES (NEW.first, NEW.count, NEW.section, NEW."order");
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

-- Renames a column of `extra`, drops it (to_name NULL) or restores it (name NULL): the customers in
-- `staged_extra` get the texts that they have there. Reading and writing JSON is up to the program.
CREATE TABLE staged_extra (
    customer INTEGER PRIMARY KEY,
    extra    TEXT NOT NULL
);

CREATE VIEW logged_column AS SELECT name, to_name FROM edit_record WHERE 0;

CREATE TRIGGER logged_column INSTEAD OF INSERT ON logged_column BEGIN
    INSERT INTO count_edit VALUES (0);
    INSERT INTO edit_record (id, kind, row, count, name, to_name)
    SELECT (SELECT id FROM last_edit), 'column', 0, count(*), NEW.name, NEW.to_name FROM staged_extra;
    INSERT INTO history_row (edit, customer, extra)
    SELECT last_edit.id, customer, c.extra FROM staged_extra JOIN last_edit
    CROSS JOIN customer_record AS c ON c.id = customer;
    UPDATE history_step SET bytes = bytes + (
        SELECT total(length(CAST(extra AS BLOB))) FROM history_row WHERE edit = (SELECT id FROM last_edit))
    WHERE id = (SELECT max(id) FROM history_step);
    UPDATE customer_record SET extra = staged_extra.extra FROM staged_extra WHERE id = customer;
    DELETE FROM staged_extra;
END;

-- Logged edits of lines of the log ----------------------------------------------------------------

-- `kind` is 'line insert', 'line delete', or 'line update'. Only the last one changes values; a new line has its record.
CREATE VIEW logged_line AS SELECT NULL AS kind, uid, customer, at, author, text FROM line_record WHERE 0;

CREATE TRIGGER logged_line INSTEAD OF INSERT ON logged_line BEGIN
    INSERT INTO count_edit SELECT 32 + length(CAST(author || text AS BLOB)) FROM line_record WHERE uid = NEW.uid;
    INSERT INTO edit_record (id, kind, row, count, customer, line_at, author, text)
    SELECT (SELECT id FROM last_edit), NEW.kind, uid, 1, nullif(customer, NEW.customer), nullif(at, NEW.at),
           nullif(author, NEW.author), nullif(text, NEW.text)
    FROM line_record WHERE uid = NEW.uid;
    UPDATE line_record SET
        customer = NEW.customer, at = NEW.at, author = NEW.author, text = NEW.text,
        deleted_by = CASE NEW.kind WHEN 'line delete' THEN (SELECT id FROM last_edit) END
    WHERE uid = NEW.uid;
END;

-- Logged edits of entries -------------------------------------------------------------------------

-- `kind` is 'entry insert', 'entry delete', or 'entry update', as for lines.
CREATE VIEW logged_entry AS SELECT NULL AS kind, uid, name, value, place, choices FROM entry_record WHERE 0;

CREATE TRIGGER logged_entry INSTEAD OF INSERT ON logged_entry BEGIN
    INSERT INTO count_edit SELECT 32 + length(CAST(name || value || choices AS BLOB)) FROM entry_record WHERE uid = NEW.uid;
    INSERT INTO edit_record (id, kind, row, count, name, value, place, choices)
    SELECT (SELECT id FROM last_edit), NEW.kind, uid, 1, nullif(name, NEW.name), nullif(value, NEW.value),
           nullif(place, NEW.place), nullif(choices, NEW.choices)
    FROM entry_record WHERE uid = NEW.uid;
    UPDATE entry_record SET
        name = NEW.name, value = NEW.value, place = NEW.place, choices = NEW.choices,
        deleted_by = CASE NEW.kind WHEN 'entry delete' THEN (SELECT id FROM last_edit) END
    WHERE uid = NEW.uid;
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
    INSERT INTO count_edit SELECT length(CAST(title || footer AS BLOB)) FROM section_record WHERE id = NEW.id;
    INSERT INTO edit_record (id, kind, row, count, title, footer)
    SELECT (SELECT id FROM last_edit), 'section update', id, 1, nullif(title, NEW.title), nullif(footer, NEW.footer)
    FROM section_record WHERE id = NEW.id;
    UPDATE section_record SET title = NEW.title, title_key = lower(trim(NEW.title)), footer = NEW.footer
    WHERE id = NEW.id;
END;

-- Undo and redo ===================================================================================

-- The steps of which an edit is missing.
CREATE VIEW incomplete_step AS
SELECT id FROM history_step
WHERE edits <> (first_kind IS NOT NULL) + (
    SELECT count(*) FROM edit_record WHERE edit_record.id BETWEEN first_edit AND first_edit + edits - 1);

-- Undoes a step that is done, or redoes one that is undone: in both cases the edits that left it so are
-- reverted, the last one first, as a step of kind NEW.kind.
CREATE VIEW revert_step AS SELECT id AS step, kind FROM history_step WHERE 0;

CREATE TRIGGER revert_step INSTEAD OF INSERT ON revert_step BEGIN
    INSERT INTO begin_revert VALUES (NEW.step, NEW.kind);
    INSERT INTO revert_edit
    SELECT * FROM history_edit WHERE step = (SELECT last FROM history_step WHERE id = NEW.step) ORDER BY id DESC;
    INSERT INTO end_revert VALUES (NEW.step, NEW.kind);
END;

CREATE VIEW begin_revert AS SELECT id AS step, kind FROM history_step WHERE 0;

CREATE TRIGGER begin_revert INSTEAD OF INSERT ON begin_revert BEGIN
    INSERT INTO open_step
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NEW.kind, action FROM history_step WHERE id = NEW.step;
    UPDATE history_step SET is_open = 1 WHERE id = (SELECT max(id) FROM history_step);
    -- Reverting what is left of a step would lose the rest.
    INSERT INTO refuse_damaged VALUES (NOT EXISTS (
        SELECT 1 FROM history_step AS step JOIN history_step AS made ON made.id = step.last
        WHERE step.id = NEW.step AND made.id NOT IN (SELECT id FROM incomplete_step WHERE id = made.id)));
END;

CREATE VIEW end_revert AS SELECT id AS step, kind FROM history_step WHERE 0;

CREATE TRIGGER end_revert INSTEAD OF INSERT ON end_revert BEGIN
    UPDATE history_step SET state = CASE NEW.kind WHEN 'undo' THEN 'undone' ELSE 'done' END,
        last = (SELECT max(id) FROM history_step)
    WHERE id = NEW.step;
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step);
    INSERT INTO note_revert VALUES (NEW.step, NEW.kind);
END;

-- The log has everything that happened, so the list is as an edit left it. If it is not, some program wrote
-- to the internal tables, and nothing is guessed.
--
-- What is asked is where a row is now, not which edit brought it there. If a deletion was reverted and the revert
-- undone, the row is deleted, but by another edit.
CREATE VIEW refuse_revert AS SELECT NULL AS found WHERE 0;

CREATE TRIGGER refuse_revert INSTEAD OF INSERT ON refuse_revert
WHEN NEW.found
BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it, so this step can''t be undone');
END;

-- Deleted customers, whose records are kept.
CREATE VIEW deleted_row AS
SELECT id AS customer FROM customer_record WHERE deleted_by IS NOT NULL AND block IS NULL;

-- Gives deleted customers with consecutive ids a place again.
CREATE VIEW restore_rows AS SELECT NULL AS first, NULL AS count, NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER restore_rows INSTEAD OF INSERT ON restore_rows BEGIN
    INSERT INTO refuse_revert VALUES (
        NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section AND NEW."order" BETWEEN 1 AND count + 1)
        OR NEW.count < 1 OR NEW.count IS NOT (
            SELECT count(*) FROM deleted_row WHERE customer BETWEEN NEW.first AND NEW.first + NEW.count - 1));
    INSERT INTO logged_insert SELECT NEW.first, NEW.section, NEW."order" WHERE NEW.count = 1;
    INSERT INTO logged_insert_rows SELECT NEW.first, NEW.count, NEW.section, NEW."order" WHERE NEW.count > 1;
END;

-- The opposite of one edit.
CREATE VIEW revert_edit AS SELECT * FROM history_edit WHERE 0;

CREATE TRIGGER revert_insert INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'insert' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = NEW.row AND section = NEW.to_section AND "order" = NEW.to_order));
    INSERT INTO logged_delete VALUES (NEW.row);
END;

CREATE TRIGGER revert_delete INSTEAD OF INSERT ON revert_edit
WHEN NEW.kind = 'delete' OR NEW.kind = 'delete rows'
BEGIN
    INSERT INTO restore_rows VALUES (NEW.row, NEW.count, NEW.section, NEW."order");
END;

CREATE TRIGGER revert_move INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'move' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = NEW.row AND section = NEW.to_section AND "order" = NEW.to_order));
    INSERT INTO logged_move VALUES (NEW.row, NEW.section, NEW."order");
END;

CREATE TRIGGER revert_update INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'update' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (SELECT 1 FROM placed_row WHERE customer = NEW.row));
    INSERT INTO logged_update
    SELECT id, ifnull(NEW.first_name, first_name), ifnull(NEW.last_name, last_name), ifnull(NEW.company, company),
           ifnull(NEW.email, email), ifnull(NEW.phone, phone), ifnull(NEW.address, address), ifnull(NEW.note, note),
           ifnull(NEW.is_favorite, is_favorite), ifnull(NEW.can_edit, can_edit), ifnull(NEW.can_move, can_move),
           ifnull(NEW.extra, extra), ifnull(NEW.other_contacts, other_contacts), ifnull(NEW.tags, tags),
           ifnull(NEW.next, next), ifnull(NEW.address_parts, address_parts)
    FROM customer_record WHERE id = NEW.row;
END;

CREATE TRIGGER revert_insert_rows INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'insert rows' BEGIN
    INSERT INTO refuse_revert VALUES (NEW.count <> (
        SELECT count(*) FROM placed_row
        WHERE customer BETWEEN NEW.row AND NEW.row + NEW.count - 1
          AND section = NEW.to_section AND "order" = NEW.to_order + customer - NEW.row));
    INSERT INTO logged_delete_rows VALUES (NEW.row, NEW.count, NEW.to_section, NEW.to_order);
END;

-- Only many-rows.sql reverts what it did.
CREATE TRIGGER revert_rows INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'rows' OR NEW.kind = 'arrange' BEGIN
    SELECT RAISE(ABORT, 'rows: only the program customers reverts an edit of many rows; run: customers undo');
END;

CREATE TRIGGER revert_column INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'column' BEGIN
    INSERT INTO refuse_revert VALUES (NEW.count <> (
        SELECT count(*) FROM history_row JOIN placed_row USING (customer) WHERE edit = NEW.id));
    INSERT INTO staged_extra SELECT customer, extra FROM history_row WHERE edit = NEW.id;
    INSERT INTO logged_column VALUES (NEW.to_name, NEW.name);
END;

CREATE TRIGGER revert_section_insert INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section insert' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = NEW.row AND "order" = NEW.to_order AND count = 0));
    INSERT INTO logged_section_delete VALUES (NEW.row);
END;

CREATE TRIGGER revert_section_delete INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section delete' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM section_record
        WHERE id = NEW.row AND deleted_by IS NOT NULL AND "order" IS NULL
          AND NEW."order" <= (SELECT count + 1 FROM section_count)));
    INSERT INTO logged_section_insert VALUES (NEW.row, NEW."order");
END;

CREATE TRIGGER revert_section_move INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section move' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = NEW.row AND "order" = NEW.to_order));
    INSERT INTO logged_section_move VALUES (NEW.row, NEW."order");
END;

CREATE TRIGGER revert_section_update INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section update' BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.row));
    INSERT INTO logged_section_update
    SELECT id, ifnull(NEW.title, title), ifnull(NEW.footer, footer) FROM section_record WHERE id = NEW.row;
END;

-- The line is there, or is not, as the edit left it, and so are the customers that it has and had.
CREATE TRIGGER revert_line INSTEAD OF INSERT ON revert_edit
WHEN NEW.kind = 'line insert' OR NEW.kind = 'line delete' OR NEW.kind = 'line update'
BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM line_record AS line
        CROSS JOIN placed_row AS has ON has.customer = line.customer
        CROSS JOIN placed_row AS had ON had.customer = ifnull(NEW.customer, line.customer)
        WHERE uid = NEW.row AND (deleted_by IS NULL) = (NEW.kind <> 'line delete')));
    INSERT INTO logged_line
    SELECT CASE NEW.kind WHEN 'line insert' THEN 'line delete' WHEN 'line delete' THEN 'line insert' ELSE NEW.kind END,
           uid, ifnull(NEW.customer, customer), ifnull(NEW.line_at, at), ifnull(NEW.author, author),
           ifnull(NEW.text, text)
    FROM line_record WHERE uid = NEW.row;
END;

-- The entry is there, or is not, as the edit left it, and no other one has its name.
CREATE TRIGGER revert_entry INSTEAD OF INSERT ON revert_edit
WHEN NEW.kind = 'entry insert' OR NEW.kind = 'entry delete' OR NEW.kind = 'entry update'
BEGIN
    INSERT INTO refuse_revert VALUES (NOT EXISTS (
        SELECT 1 FROM entry_record AS own
        WHERE uid = NEW.row AND (deleted_by IS NULL) = (NEW.kind <> 'entry delete') AND NOT EXISTS (
            SELECT 1 FROM present_entry AS other
            WHERE other.type = own.type AND other.name = ifnull(NEW.name, own.name) AND other.uid <> own.uid
              AND (other.uid < 0) = (own.uid < 0))));
    INSERT INTO logged_entry
    SELECT CASE NEW.kind
               WHEN 'entry insert' THEN 'entry delete' WHEN 'entry delete' THEN 'entry insert' ELSE NEW.kind
           END,
           uid, ifnull(NEW.name, name), ifnull(NEW.value, value), ifnull(NEW.place, place), ifnull(NEW.choices, choices)
    FROM entry_record WHERE uid = NEW.row;
END;

-- Customers =======================================================================================
--
-- The view that every client reads and writes.
--
-- The triggers check each request and translate it into a logged edit. A refusal is
-- RAISE(ABORT, 'kind: …'): the statement is rolled back, whatever its conflict clause, and programs can
-- rely on the kind.
--
-- When one statement touches many rows, the triggers run row by row, and OLD.* is what the view showed
-- before the statement. So OLD."order" is never used as a place, only to see whether the statement
-- asks for another one; a client that writes every column back unchanged moves nothing.

CREATE VIEW customers AS
SELECT c.id, r.section, r."order",
       c.first_name, c.last_name, c.company, c.email, c.phone, c.address, c.note,
       c.is_favorite, c.can_edit, c.can_move, c.extra, c.other_contacts, c.tags, c.next,
       c.address_parts
FROM customer_record AS c JOIN placed_row AS r ON r.customer = c.id;

-- The uid of each customer and section, in every copy of the list; also of those that are deleted.
CREATE VIEW customer_uid AS
SELECT c.id, coalesce(c.uid, (
    SELECT CASE WHEN last >= c.id THEN uid + c.id - first END FROM uid_run
    WHERE first <= c.id ORDER BY first DESC LIMIT 1), c.id) AS uid
FROM customer_record AS c;

CREATE VIEW section_uid AS SELECT id, ifnull(uid, id) AS uid FROM section_record;

-- Checks, shared with sections --------------------------------------------------------------------

-- `last` is the greatest place allowed.
CREATE VIEW check_place AS SELECT NULL AS "order", NULL AS last WHERE 0;

CREATE TRIGGER check_place INSTEAD OF INSERT ON check_place
WHEN typeof(NEW."order") <> 'integer' OR NEW."order" < 1 OR NEW."order" > NEW.last
BEGIN
    SELECT RAISE(ABORT, 'place: "order" must be a whole number from 1 to the number of rows in the section, or one more if a row is added');
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
    SELECT RAISE(ABORT, 'id: omit it, or choose a whole number greater than every id used so far, and at most 4503599627370496')
    FROM (SELECT ifnull(max(id), 0) AS last FROM used_id WHERE "table" = NEW."table")
    WHERE typeof(NEW.id) <> 'integer' OR NEW.id <= last
       -- Too large: the ids after it would soon exceed what JSON can hold. Only counting may lead there.
       OR NEW.id > 4503599627370496 AND NEW.id > 1 + last;
END;

CREATE VIEW check_text AS SELECT NULL AS type WHERE 0;

CREATE TRIGGER check_text INSTEAD OF INSERT ON check_text
WHEN NEW.type = 'blob'
BEGIN
    SELECT RAISE(ABORT, 'value: a text column needs text, not a blob');
END;

-- Checks for customers only -----------------------------------------------------------------------

-- `own` is the section that the customer is in, if it is known.
CREATE VIEW check_section AS SELECT NULL AS section, NULL AS own WHERE 0;

CREATE TRIGGER check_section INSTEAD OF INSERT ON check_section
WHEN (NEW.section IS NULL OR NEW.section IS NOT NEW.own)
    AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = NEW.section)
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
SELECT first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
       other_contacts, tags, next, address_parts
FROM customers WHERE 0;

CREATE TRIGGER check_fields INSTEAD OF INSERT ON check_fields BEGIN
    INSERT INTO check_text VALUES (CASE 'blob'
        WHEN typeof(NEW.first_name) THEN 'blob' WHEN typeof(NEW.last_name) THEN 'blob'
        WHEN typeof(NEW.company) THEN 'blob' WHEN typeof(NEW.email) THEN 'blob'
        WHEN typeof(NEW.phone) THEN 'blob' WHEN typeof(NEW.address) THEN 'blob'
        WHEN typeof(NEW.note) THEN 'blob' WHEN typeof(NEW.extra) THEN 'blob'
        WHEN typeof(NEW.other_contacts) THEN 'blob' WHEN typeof(NEW.tags) THEN 'blob'
        WHEN typeof(NEW.next) THEN 'blob' WHEN typeof(NEW.address_parts) THEN 'blob' END);
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
        NEW.is_favorite, NEW.can_edit, NEW.can_move, NEW.extra, NEW.other_contacts, NEW.tags, NEW.next,
        NEW.address_parts);
    INSERT INTO customer_record (
        id, first_name, last_name, company, email, phone, address, note,
        is_favorite, can_edit, can_move, extra, other_contacts, tags, next, uid, address_parts)
    VALUES (
        NEW.id, coalesce(NEW.first_name, ''), coalesce(NEW.last_name, ''), coalesce(NEW.company, ''),
        coalesce(NEW.email, ''), coalesce(NEW.phone, ''), coalesce(NEW.address, ''), coalesce(NEW.note, ''),
        coalesce(NEW.is_favorite, 0), coalesce(NEW.can_edit, 1), coalesce(NEW.can_move, 1),
        coalesce(NEW.extra, '{}'), coalesce(NEW.other_contacts, ''), coalesce(NEW.tags, ''), coalesce(NEW.next, ''),
        random() | (1 << 63), coalesce(NEW.address_parts, ''));
    INSERT INTO request_insert VALUES (
        last_insert_rowid(), coalesce(NEW.section, (SELECT id FROM section_record WHERE "order" = 1)), NEW."order");
END;

-- Gives the new record a place: at the end if "order" is NULL.
CREATE VIEW request_insert AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;

CREATE TRIGGER request_insert INSTEAD OF INSERT ON request_insert BEGIN
    INSERT INTO check_section VALUES (NEW.section, NULL);
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
    INSERT INTO request_section VALUES (OLD.id, OLD.can_move, NEW.section);
END;

CREATE TRIGGER customers_move INSTEAD OF UPDATE OF "order" ON customers
WHEN NEW."order" IS NOT OLD."order" OR NEW.section IS NOT OLD.section
BEGIN
    INSERT INTO check_can_move VALUES (OLD.can_move);
    INSERT INTO check_section VALUES (NEW.section, OLD.section);
    INSERT INTO put_row VALUES ('move', OLD.id, NEW.section, NEW."order", 1);
END;

-- Moves the row to the end of a section, unless it is in it already.
CREATE VIEW request_section AS SELECT NULL AS customer, NULL AS can_move, NULL AS section WHERE 0;

CREATE TRIGGER request_section INSTEAD OF INSERT ON request_section BEGIN
    INSERT INTO check_can_move VALUES (NEW.can_move);
    INSERT INTO check_section VALUES (NEW.section, NULL);
    INSERT INTO put_row
    SELECT 'move', here.customer, there.id, there.count + 1, 1
    FROM placed_row AS here JOIN section_record AS there ON there.id = NEW.section
    WHERE here.customer = NEW.customer AND here.section <> there.id;
END;

CREATE TRIGGER customers_update
INSTEAD OF UPDATE OF id, first_name, last_name, company, email, phone, address, note,
    is_favorite, can_edit, can_move, extra, other_contacts, tags, next, address_parts ON customers
BEGIN
    SELECT RAISE(ABORT, 'id: the id of a customer never changes') WHERE NEW.id IS NOT OLD.id;
    INSERT INTO check_can_edit VALUES (OLD.can_edit OR (
        coalesce(NEW.first_name, ''), coalesce(NEW.last_name, ''), coalesce(NEW.company, ''),
        coalesce(NEW.email, ''), coalesce(NEW.phone, ''), coalesce(NEW.address, ''), coalesce(NEW.note, ''),
        coalesce(NEW.is_favorite, 0), coalesce(NEW.extra, '{}'), coalesce(NEW.other_contacts, ''),
        coalesce(NEW.tags, ''), coalesce(NEW.next, ''), coalesce(NEW.address_parts, '')
    ) IS (
        OLD.first_name, OLD.last_name, OLD.company, OLD.email, OLD.phone, OLD.address, OLD.note,
        OLD.is_favorite, OLD.extra, OLD.other_contacts, OLD.tags, OLD.next, OLD.address_parts));
    INSERT INTO check_fields VALUES (
        NEW.first_name, NEW.last_name, NEW.company, NEW.email, NEW.phone, NEW.address, NEW.note,
        NEW.is_favorite, NEW.can_edit, NEW.can_move, NEW.extra, NEW.other_contacts, NEW.tags, NEW.next,
        NEW.address_parts);
    INSERT INTO logged_update
    SELECT OLD.id, revised.* FROM (
        SELECT coalesce(NEW.first_name, '') AS first_name, coalesce(NEW.last_name, '') AS last_name,
               coalesce(NEW.company, '') AS company, coalesce(NEW.email, '') AS email,
               coalesce(NEW.phone, '') AS phone, coalesce(NEW.address, '') AS address,
               coalesce(NEW.note, '') AS note, coalesce(NEW.is_favorite, 0) AS is_favorite,
               coalesce(NEW.can_edit, 1) AS can_edit, coalesce(NEW.can_move, 1) AS can_move,
               coalesce(NEW.extra, '{}') AS extra, coalesce(NEW.other_contacts, '') AS other_contacts,
               coalesce(NEW.tags, '') AS tags, coalesce(NEW.next, '') AS next,
               -- Those of another address, unless the client knows of them.
               CASE
                   WHEN NEW.address IS OLD.address OR NEW.address_parts IS NOT OLD.address_parts
                       THEN coalesce(NEW.address_parts, '')
                   ELSE ''
               END AS address_parts) AS revised
    WHERE (first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
           other_contacts, tags, next, address_parts)
        IS NOT (
            OLD.first_name, OLD.last_name, OLD.company, OLD.email, OLD.phone, OLD.address, OLD.note,
            OLD.is_favorite, OLD.can_edit, OLD.can_move, OLD.extra, OLD.other_contacts, OLD.tags, OLD.next,
            OLD.address_parts);
END;

CREATE TRIGGER customers_delete INSTEAD OF DELETE ON customers BEGIN
    INSERT INTO check_can_edit VALUES (OLD.can_edit);
    INSERT INTO logged_delete VALUES (OLD.id);
END;

-- The log ==========================================================================================
--
-- The lines of the customers in the list, which clients read and write. A line needs a customer and a text; its time is
-- now, and its author the user of the program that identified itself, unless they are given. The lines of a deleted
-- customer come back with it.

CREATE VIEW log_lines AS
SELECT line.uid, customer, at, author, text
FROM line_record AS line CROSS JOIN customer_record AS c ON c.id = customer
WHERE line.deleted_by IS NULL AND c.deleted_by IS NULL;

CREATE VIEW check_line AS SELECT customer, at, author, text FROM log_lines WHERE 0;

-- (What SQLite takes for a time may also be a number of days, a time of no day, or February 30.)
CREATE TRIGGER check_line INSTEAD OF INSERT ON check_line BEGIN
    SELECT RAISE(ABORT, 'customer: no customer in the list has this id')
    WHERE NOT EXISTS (SELECT 1 FROM customer_record WHERE id = NEW.customer AND deleted_by IS NULL);
    INSERT INTO check_can_edit SELECT can_edit FROM customer_record WHERE id = NEW.customer;
    SELECT RAISE(ABORT, 'time: at must be a time such as 2026-11-21T09:30:00Z')
    WHERE NEW.at IS NOT NULL AND (strftime('%Y', NEW.at) IS NULL OR date(substr(NEW.at, 1, 10), '+0 days') IS NOT substr(NEW.at, 1, 10));
    INSERT INTO check_text VALUES (typeof(NEW.author));
    INSERT INTO check_text VALUES (typeof(NEW.text));
END;

-- Lines are in the order of their times: one of the same millisecond gets the next one.
CREATE TRIGGER log_lines_insert INSTEAD OF INSERT ON log_lines BEGIN
    INSERT INTO check_line VALUES (NEW.customer, NEW.at, NEW.author, NEW.text);
    SELECT RAISE(ABORT, 'uid: omit it, or choose a negative whole number that no line had')
    WHERE NEW.uid IS NOT NULL AND (
        typeof(NEW.uid) <> 'integer' OR NEW.uid >= 0 OR EXISTS (SELECT 1 FROM line_record WHERE uid = NEW.uid));
    INSERT INTO line_record (uid, customer, at, author, text)
    VALUES (
        ifnull(NEW.uid, random() | (1 << 63)), NEW.customer,
        coalesce(
            strftime('%Y-%m-%dT%H:%M:%fZ', NEW.at), (
                SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(at), '+0.001 seconds') FROM line_record
                WHERE customer = NEW.customer AND at BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                  AND strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 second')),
            strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
        coalesce(NEW.author, (SELECT user FROM open_receipt), ''), coalesce(NEW.text, ''));
    INSERT INTO logged_line
    SELECT 'line insert', uid, customer, at, author, text FROM line_record WHERE uid = last_insert_rowid();
END;

CREATE TRIGGER log_lines_update INSTEAD OF UPDATE ON log_lines BEGIN
    SELECT RAISE(ABORT, 'uid: the uid of a line never changes') WHERE NEW.uid IS NOT OLD.uid;
    INSERT INTO check_line VALUES (OLD.customer, OLD.at, OLD.author, OLD.text);
    INSERT INTO check_line VALUES (NEW.customer, NEW.at, NEW.author, NEW.text);
    INSERT INTO logged_line
    SELECT 'line update', OLD.uid, revised.* FROM (
        SELECT NEW.customer AS customer, strftime('%Y-%m-%dT%H:%M:%fZ', ifnull(NEW.at, OLD.at)) AS at,
               coalesce(NEW.author, '') AS author, coalesce(NEW.text, '') AS text) AS revised
    WHERE (customer, at, author, text) IS NOT (OLD.customer, OLD.at, OLD.author, OLD.text);
END;

CREATE TRIGGER log_lines_delete INSTEAD OF DELETE ON log_lines BEGIN
    INSERT INTO check_can_edit SELECT can_edit FROM customer_record WHERE id = OLD.customer;
    INSERT INTO logged_line VALUES ('line delete', OLD.uid, OLD.customer, OLD.at, OLD.author, OLD.text);
END;

-- Entries =========================================================================================
--
-- The declared columns, the settings of the list, and the persons who use it, which clients read and write.
--
-- The names and kinds of columns say what the values in `customers` mean; no value is changed. A member of `extra` that
-- is not declared is a column of text.

CREATE VIEW present_entry AS SELECT uid, type, name, value, place, choices FROM entry_record WHERE deleted_by IS NULL;

CREATE VIEW columns AS SELECT uid, name, value AS kind, place, choices FROM present_entry WHERE type = 'column';

CREATE VIEW settings AS SELECT name, value FROM present_entry WHERE type = 'setting';

CREATE VIEW persons AS SELECT uid, name FROM present_entry WHERE type = 'person';

-- A member of `extra` may have the name of a field.
CREATE VIEW check_entry AS SELECT uid, type, name, value, place, choices FROM entry_record WHERE 0;

CREATE TRIGGER check_entry INSTEAD OF INSERT ON check_entry BEGIN
    INSERT INTO check_text VALUES (typeof(NEW.name));
    INSERT INTO check_text VALUES (typeof(NEW.value));
    INSERT INTO check_text VALUES (typeof(NEW.choices));
    SELECT RAISE(ABORT, 'name: a name is needed, and one that no other column, setting, or person has')
    WHERE ifnull(NEW.name, '') = '' OR EXISTS (
        SELECT 1 FROM present_entry
        WHERE type = NEW.type AND name = NEW.name AND uid <> NEW.uid AND (uid < 0) = (NEW.uid < 0));
    SELECT RAISE(ABORT, 'kind: must be text, lines, number, date, time, yes/no, choice, or link')
    WHERE NEW.type = 'column'
      AND NEW.value NOT IN ('text', 'lines', 'number', 'date', 'time', 'yes/no', 'choice', 'link');
    SELECT RAISE(ABORT, 'place: the place of a column must be a whole number') WHERE typeof(NEW.place) <> 'integer';
END;

CREATE VIEW put_entry AS SELECT uid, type, name, value, place, choices FROM entry_record WHERE 0;

-- Adds one. (None has the number -0.5, which stands for the new one.)
CREATE TRIGGER add_entry INSTEAD OF INSERT ON put_entry BEGIN
    SELECT RAISE(ABORT, 'uid: omit it, or choose a negative whole number that none had')
    WHERE NEW.uid IS NOT NULL AND (
        typeof(NEW.uid) <> 'integer' OR NEW.uid >= 0 OR EXISTS (SELECT 1 FROM entry_record WHERE uid = NEW.uid));
    INSERT INTO check_entry VALUES (
        ifnull(NEW.uid, -0.5), NEW.type, NEW.name, NEW.value, ifnull(NEW.place, 0), NEW.choices);
    INSERT INTO entry_record (uid, type, name, value, place, choices)
    VALUES (
        ifnull(NEW.uid, random() | (1 << 63)), NEW.type, NEW.name, ifnull(NEW.value, ''),
        ifnull(NEW.place, (SELECT max(place) + 1 FROM present_entry)), ifnull(NEW.choices, ''));
    INSERT INTO logged_entry
    SELECT 'entry insert', uid, name, value, place, choices FROM entry_record WHERE uid = last_insert_rowid();
END;

-- Changes the one with this number.
CREATE VIEW change_entry AS SELECT uid, type, name, value, place, choices FROM entry_record WHERE 0;

CREATE TRIGGER change_entry INSTEAD OF INSERT ON change_entry BEGIN
    INSERT INTO check_entry VALUES (NEW.uid, NEW.type, NEW.name, NEW.value, NEW.place, NEW.choices);
    INSERT INTO logged_entry
    SELECT 'entry update', uid, NEW.name, ifnull(NEW.value, ''), NEW.place, ifnull(NEW.choices, '') FROM present_entry
    WHERE uid = NEW.uid AND (NEW.name, ifnull(NEW.value, ''), NEW.place, ifnull(NEW.choices, ''))
        IS NOT (name, value, place, choices);
END;

CREATE VIEW delete_entry AS SELECT uid FROM entry_record WHERE 0;

CREATE TRIGGER delete_entry INSTEAD OF INSERT ON delete_entry BEGIN
    INSERT INTO logged_entry
    SELECT 'entry delete', uid, name, value, place, choices FROM present_entry WHERE uid = NEW.uid;
END;

CREATE TRIGGER columns_insert INSTEAD OF INSERT ON columns BEGIN
    INSERT INTO put_entry VALUES (NEW.uid, 'column', NEW.name, ifnull(NEW.kind, 'text'), NEW.place, NEW.choices);
END;

CREATE TRIGGER columns_update INSTEAD OF UPDATE ON columns BEGIN
    SELECT RAISE(ABORT, 'uid: the uid of a column never changes') WHERE NEW.uid IS NOT OLD.uid;
    SELECT RAISE(ABORT, 'field: the name and the kind of a field never change')
    WHERE OLD.uid > 0 AND (NEW.name, NEW.kind) IS NOT (OLD.name, OLD.kind);
    INSERT INTO change_entry VALUES (
        OLD.uid, 'column', NEW.name, ifnull(NEW.kind, 'text'), NEW.place, NEW.choices);
END;

CREATE TRIGGER columns_delete INSTEAD OF DELETE ON columns BEGIN
    SELECT RAISE(ABORT, 'field: every list has the fields') WHERE OLD.uid > 0;
    INSERT INTO delete_entry VALUES (OLD.uid);
END;

CREATE TRIGGER settings_insert INSTEAD OF INSERT ON settings BEGIN
    INSERT INTO put_entry VALUES (NULL, 'setting', NEW.name, NEW.value, 0, '');
END;

CREATE TRIGGER settings_update INSTEAD OF UPDATE ON settings BEGIN
    INSERT INTO change_entry
    SELECT uid, type, NEW.name, NEW.value, place, choices FROM present_entry WHERE type = 'setting' AND name = OLD.name;
END;

CREATE TRIGGER settings_delete INSTEAD OF DELETE ON settings BEGIN
    INSERT INTO delete_entry SELECT uid FROM present_entry WHERE type = 'setting' AND name = OLD.name;
END;

CREATE TRIGGER persons_insert INSTEAD OF INSERT ON persons BEGIN
    INSERT INTO put_entry VALUES (NEW.uid, 'person', NEW.name, '', 0, '');
END;

CREATE TRIGGER persons_update INSTEAD OF UPDATE ON persons BEGIN
    SELECT RAISE(ABORT, 'uid: the uid of a person never changes') WHERE NEW.uid IS NOT OLD.uid;
    INSERT INTO change_entry VALUES (OLD.uid, 'person', NEW.name, '', 0, '');
END;

CREATE TRIGGER persons_delete INSTEAD OF DELETE ON persons BEGIN
    INSERT INTO delete_entry VALUES (OLD.uid);
END;

-- Sections ========================================================================================
--
-- The view that clients read and write like `customers`.

-- `last` is the greatest number allowed.
CREATE VIEW check_section_place AS SELECT NULL AS "order", NULL AS last WHERE 0;

CREATE TRIGGER check_section_place INSTEAD OF INSERT ON check_section_place
WHEN typeof(NEW."order") <> 'integer' OR NEW."order" < 1 OR NEW."order" > NEW.last
BEGIN
    SELECT RAISE(ABORT, 'place: "order" must be a whole number from 1 to the number of sections, or one more if a section is added');
END;

-- 0 + "order" is not a column to SQLite, so a client's '2' or 2.0 reaches the triggers unchanged.
CREATE VIEW sections AS SELECT id, title, footer, 0 + "order" AS "order", count FROM present_section;

-- Titles that differ only in case (of the letters a to z) or in surrounding spaces are the same.
CREATE VIEW check_title AS SELECT id, title FROM section_record WHERE 0;

CREATE TRIGGER check_title INSTEAD OF INSERT ON check_title BEGIN
    SELECT RAISE(ABORT, 'untitled: a section must have a title') WHERE trim(NEW.title) = '';
    SELECT RAISE(ABORT, 'title: another section already has this title')
    WHERE EXISTS (
        SELECT 1 FROM present_section WHERE title_key = lower(trim(NEW.title)) AND id IS NOT NEW.id);
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
    INSERT INTO check_section_place VALUES (coalesce(NEW."order", 1), (SELECT count + 1 FROM section_count));
    INSERT INTO check_text VALUES (typeof(NEW.title));
    INSERT INTO check_text VALUES (typeof(NEW.footer));
    INSERT INTO check_title VALUES (NULL, coalesce(NEW.title, ''));
    INSERT INTO assert_sections VALUES (1);
    INSERT INTO section_record (id, title, title_key, footer, "order", uid)
    VALUES (NEW.id, NEW.title, lower(trim(NEW.title)), coalesce(NEW.footer, ''), NULL, random() | (1 << 63));
    INSERT INTO logged_section_insert VALUES (
        last_insert_rowid(), coalesce(NEW."order", (SELECT count + 1 FROM section_count)));
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
    INSERT INTO check_section_place VALUES (NEW."order", (SELECT count FROM section_count));
    INSERT INTO logged_section_move
    SELECT id, NEW."order" FROM present_section WHERE id = OLD.id AND "order" <> NEW."order";
END;

CREATE TRIGGER sections_delete INSTEAD OF DELETE ON sections BEGIN
    SELECT RAISE(ABORT, 'occupied: this section has customers, so it can''t be deleted; move or delete them first')
    FROM section_record WHERE id = OLD.id AND count > 0;
    INSERT INTO logged_section_delete VALUES (OLD.id);
END;
