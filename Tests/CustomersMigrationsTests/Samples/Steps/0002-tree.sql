-- 0002  The tree of blocks, chapters and parts, kept within its sizes.
--
-- SQL has no procedures, so each procedure is a view without rows: its INSTEAD OF INSERT trigger is the
-- body, its columns (NEW.*) are the parameters, and a WHEN on the trigger is its "if".
--
-- Three rules for maintainers of this file and the next ones. The conflict clause of the client's statement
-- replaces ours (under INSERT OR IGNORE a failing constraint is skipped and the trigger goes on; under
-- OR FAIL what was done before it stays), so no constraint may fail here: every condition is asserted
-- before a block is touched, with RAISE(ABORT), which no clause can change. No trigger may fire itself:
-- most clients have recursive_triggers off. And what every edit calls is called with VALUES, not with
-- SELECT, which builds a temporary table for each call.

-- The sizes, defined once: the maximum number of rows in a block and of children of a node, and how many of
-- each put_rows fills, which leaves room for later edits.
CREATE VIEW capacity AS SELECT 32 AS rows, 32 AS children, 24 AS rows_filled, 24 AS children_filled;

-- Where a block is: its ancestors, and how many rows of the section come before it.
CREATE VIEW located_block AS
SELECT block.id AS block, chapter.id AS chapter, part.id AS part, -part.parent AS section,
       part.start + chapter.start + block.start AS start
FROM node AS block JOIN node AS chapter ON chapter.id = block.parent JOIN node AS part ON part.id = chapter.parent;

-- Where a customer is.
CREATE VIEW placed_row AS
SELECT c.id AS customer, b.section, b.start + p."order" AS "order"
FROM customer_record AS c
JOIN place AS p ON p.block = c.block AND p.customer = c.id
JOIN located_block AS b ON b.block = c.block;

-- Assertions --------------------------------------------------------------------------------------

CREATE VIEW refuse_damaged AS SELECT NULL AS found WHERE 0;
CREATE TRIGGER refuse_damaged INSTEAD OF INSERT ON refuse_damaged
WHEN NEW.found
BEGIN
    SELECT RAISE(ABORT, 'damaged: the order in this file is broken; run: customers check --repair');
END;

-- The table place makes numbers whole and distinct; if they also go from 1 to their count, there is no gap.
-- An empty block is dense; a missing block is not.
CREATE VIEW assert_dense_block AS SELECT NULL AS block WHERE 0;
CREATE TRIGGER assert_dense_block INSTEAD OF INSERT ON assert_dense_block BEGIN
    INSERT INTO refuse_damaged VALUES (
        NEW.block IS NULL
        OR (SELECT min("order") FROM place WHERE block = NEW.block) <> 1
        OR (SELECT max("order") FROM place WHERE block = NEW.block)
            <> (SELECT count(*) FROM place WHERE block = NEW.block));
END;

-- If the starts are damaged, a row may have ended up in no block or in the wrong one.
CREATE VIEW assert_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER assert_row INSTEAD OF INSERT ON assert_row BEGIN
    INSERT INTO refuse_damaged VALUES (NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = NEW.customer AND section = NEW.section AND "order" = NEW."order"));
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

-- Moves the places after the first `keep` to a new block.
CREATE VIEW split_block AS SELECT NULL AS block, NULL AS keep WHERE 0;
CREATE TRIGGER split_block INSTEAD OF INSERT ON split_block BEGIN
    INSERT INTO node (parent, start) SELECT parent, start + NEW.keep FROM node WHERE id = NEW.block;
    INSERT INTO move_places VALUES (NEW.block, last_insert_rowid(), NEW.keep, -NEW.keep);
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
    INSERT INTO node (parent, start) SELECT parent, start + NEW.start FROM node WHERE id = NEW.node;
    UPDATE node SET parent = last_insert_rowid(), start = start - NEW.start
    WHERE parent = NEW.node AND start >= NEW.start;
END;

-- Too few: join -----------------------------------------------------------------------------------

-- A block with few rows left is joined to a neighbor if the two fill at most half a block; an empty one is
-- removed. Then the same for its chapter and its part.
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

-- Moves the places after the first `after` to another block; `by` is added to their numbers, which must be
-- greater than those already there.
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
