-- An edit of many rows at once: any rows are deleted, moved, added, and put back, each written once.
--
-- No other client makes such an edit, so these statements are not in the schema, which every command would read. The
-- program runs them one after another in a transaction, part by part (ManyRows.swift), and the procedures and
-- assertions of schema.sql for the tree and the log.
--
-- A program fills in who gets which place in `staged_row`. Then the parts `find` and `log` make that one edit, and `move`
-- or `rearrange` carries it out; or `arrange` does both for rows of one section that get the places of each other.
--
-- Each part begins with a line `-- Part`.

-- Part tables: what these statements share, empty before an edit and after it.

-- The rows of an edit: a program fills in who gets which place, `find` the rest.
CREATE TEMP TABLE IF NOT EXISTS staged_row (
    customer   INTEGER PRIMARY KEY,
    to_section INTEGER, to_order INTEGER,  -- the place after the edit; NULL: it is deleted
    section    INTEGER, "order"  INTEGER,  -- the place before it; NULL: it has none yet
    slot       INTEGER
);

-- The blocks that rows leave or enter.
CREATE TEMP TABLE IF NOT EXISTS touched_block (
    block   INTEGER PRIMARY KEY,
    section INTEGER NOT NULL,
    part    INTEGER NOT NULL,
    chapter INTEGER NOT NULL,
    start   INTEGER NOT NULL,              -- the rows of the section before it,
    rows    INTEGER NOT NULL,              -- and in it, before the edit
    gone    INTEGER NOT NULL DEFAULT 0,    -- how many leave
    come    INTEGER NOT NULL DEFAULT 0,    -- and how many enter
    added   INTEGER                        -- the first new block for those that it can't hold
);

CREATE TEMP VIEW IF NOT EXISTS unread_block AS
SELECT block, section, part, chapter, start, ifnull((
    SELECT max(slot) - 64 * located_block.block FROM place
    WHERE slot BETWEEN 64 * located_block.block AND 64 * located_block.block + 63), 0) AS rows
FROM located_block;

-- The touched blocks that are not 1…k.
CREATE TEMP VIEW IF NOT EXISTS broken_block AS
SELECT block FROM touched_block
WHERE rows <> (
    SELECT count(*) FROM place WHERE slot BETWEEN 64 * touched_block.block + 1 AND 64 * touched_block.block + 63);

-- The slots that rows leave, by themselves or by the place that they have.
CREATE TEMP TABLE IF NOT EXISTS left_slot (
    number INTEGER PRIMARY KEY,
    slot   INTEGER NOT NULL
);

-- The rows that enter, in order, and how many rows of the section, as it was, come before their gap.
CREATE TEMP TABLE IF NOT EXISTS arriving_row (
    number     INTEGER PRIMARY KEY,
    customer   INTEGER NOT NULL,
    from_block INTEGER,
    section    INTEGER NOT NULL,
    "order"    INTEGER NOT NULL,
    after      INTEGER NOT NULL
);

CREATE TEMP TABLE IF NOT EXISTS entered_gap (
    section INTEGER NOT NULL,
    after   INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    block   INTEGER, within INTEGER,       -- the block of the gap and the number of rows before it there
    PRIMARY KEY (section, after)
) WITHOUT ROWID;

-- The rows of the blocks that others enter.
CREATE TEMP TABLE IF NOT EXISTS merged_place (
    slot       INTEGER PRIMARY KEY,
    customer   INTEGER NOT NULL,
    from_block INTEGER,
    "order"    INTEGER                     -- of a row that enters, the number that it must have
);

-- The staged rows, if they are consecutive, stay together, and are enough to be worth cutting the tree.
CREATE TEMP TABLE IF NOT EXISTS moved_run (
    section    INTEGER NOT NULL, "order"  INTEGER NOT NULL, count INTEGER NOT NULL,
    to_section INTEGER NOT NULL, to_order INTEGER NOT NULL,
    is_lower   AS (section = to_section AND to_order > "order")  -- the rows between move up
);

-- The edit that is reverted.
CREATE TEMP TABLE IF NOT EXISTS reverted_edit (
    id INTEGER NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, section INTEGER
);

-- Part clear: after an edit.

DELETE FROM staged_row;
DELETE FROM touched_block;
DELETE FROM left_slot;
DELETE FROM arriving_row;
DELETE FROM entered_gap;
DELETE FROM merged_place;
DELETE FROM moved_run;
DELETE FROM reverted_edit;

-- Part find: where the staged rows are.
--
-- What is asked is in the order of a key, and nothing is looked up twice. (SQLite plans a subquery with a LIMIT by
-- itself: the staged rows are looked up for the places, and not the places for each of them.)

INSERT INTO touched_block (block, section, part, chapter, start, rows)
SELECT * FROM unread_block
WHERE block IN (SELECT c.block FROM staged_row CROSS JOIN customer_record AS c ON c.id = customer);

UPDATE staged_row SET section = found.section, "order" = found."order", slot = found.slot
FROM (
    SELECT touched_block.section, touched_block.start + slot - 64 * touched_block.block AS "order", slot, customer
    FROM touched_block
    CROSS JOIN place ON slot BETWEEN 64 * touched_block.block AND 64 * touched_block.block + 63
    WHERE customer IN (SELECT customer FROM staged_row) LIMIT -1) AS found
WHERE staged_row.customer = found.customer;

-- Each has a record and is in the block that it names.
INSERT INTO refuse_damaged
SELECT count(*) <> (SELECT count(*) FROM staged_row)
FROM staged_row CROSS JOIN customer_record AS c ON c.id = customer WHERE slot / 64 IS c.block;

INSERT INTO refuse_damaged SELECT 1 FROM broken_block LIMIT 1;

-- Part log: one edit of the kind 'rows', with the places of each before and after.

INSERT INTO record_edit
SELECT 'rows', min(customer), count(*), NULL, NULL, NULL, NULL, 24 * count(*) + (
    SELECT ifnull(sum(bytes), 0) FROM staged_row CROSS JOIN record_size ON id = customer WHERE to_section IS NULL)
FROM staged_row;

INSERT INTO history_row (edit, customer, "order", to_order, section, to_section)
SELECT last_edit.id, customer, "order", to_order, section, to_section FROM last_edit CROSS JOIN staged_row;

UPDATE customer_record SET deleted_by = NULL
WHERE id IN (SELECT customer FROM staged_row WHERE section IS NULL) AND deleted_by IS NOT NULL;

INSERT INTO moved_run (section, "order", count, to_section, to_order)
SELECT min(section), min("order"), count(*), min(to_section), min(to_order)
FROM staged_row
HAVING count(*) >= 2 * (SELECT rows FROM capacity) AND count("order") = count(*) AND count(to_order) = count(*)
   AND min(section) = max(section) AND min(to_section) = max(to_section)
   AND max("order") - min("order") + 1 = count(*) AND min(to_order - "order") = max(to_order - "order");

-- Part move: whole parts, for a run; while they are out, their parent is 0.
--
-- The section is cut around the run and at the target, before anything moves, and tidied there when all is done. (What a
-- statement calls is prepared for each statement.)

INSERT INTO cut_section
SELECT section, "order" - 1 FROM moved_run
UNION ALL SELECT section, "order" - 1 + count FROM moved_run
UNION ALL SELECT to_section, to_order - 1 + CASE WHEN is_lower THEN count ELSE 0 END FROM moved_run;

UPDATE node SET parent = 0, start = start - "order" + 1
FROM moved_run WHERE parent = -section AND start BETWEEN "order" - 1 AND "order" + count - 2;

INSERT INTO shift_parts
SELECT section, "order" - 1, -count FROM moved_run
UNION ALL SELECT to_section, to_order - 1, count FROM moved_run;

UPDATE node SET parent = -to_section, start = start + to_order - 1 FROM moved_run WHERE parent = 0;

INSERT INTO tidy_seam
SELECT section, "order" + CASE WHEN section = to_section AND NOT is_lower THEN count ELSE 0 END FROM moved_run
UNION ALL SELECT to_section, to_order + count FROM moved_run
UNION ALL SELECT to_section, to_order FROM moved_run;

INSERT INTO refuse_damaged
SELECT 1 FROM moved_run AS run CROSS JOIN staged_row
WHERE (staged_row.to_order = run.to_order OR staged_row.to_order = run.to_order + run.count - 1) AND NOT EXISTS (
    SELECT 1 FROM placed_row
    WHERE customer = staged_row.customer AND section = staged_row.to_section AND "order" = staged_row.to_order);

-- Part rearrange: any rows leave, and any arrive.

UPDATE touched_block SET gone = counted.count
FROM (
    SELECT slot / 64 AS block, count(*) AS count FROM staged_row WHERE slot IS NOT NULL
    GROUP BY slot / 64) AS counted
WHERE counted.block = touched_block.block;

-- A row that arrives goes into a gap between two that stay. If u of them are above it, and l rows leave above the u-th
-- of these, the gap is after row u + l of the section as it is.
INSERT INTO refuse_damaged
SELECT 1 FROM (SELECT DISTINCT to_section FROM staged_row WHERE to_section IS NOT NULL)
WHERE NOT EXISTS (SELECT 1 FROM section_record WHERE id = to_section AND "order" IS NOT NULL);

INSERT INTO begin_section SELECT DISTINCT to_section FROM staged_row WHERE to_section IS NOT NULL;

INSERT INTO arriving_row (customer, from_block, section, "order", after)
SELECT customer, slot / 64, section, "order", after FROM (
    SELECT customer, slot, section, "order", is_leaving, staying,
           staying + sum(is_leaving) OVER (
               PARTITION BY section ORDER BY staying, is_leaving ROWS UNBOUNDED PRECEDING) AS after
    FROM (
        SELECT customer, slot, to_section AS section, to_order AS "order", 0 AS is_leaving,
               to_order - row_number() OVER (PARTITION BY to_section ORDER BY to_order) AS staying
        FROM staged_row WHERE to_section IS NOT NULL
        UNION ALL
        SELECT NULL, NULL, section, NULL, 1,
               "order" - row_number() OVER (PARTITION BY section ORDER BY "order")
        FROM staged_row
        WHERE section IS NOT NULL AND EXISTS (SELECT 1 FROM staged_row WHERE to_section IS NOT NULL)))
WHERE NOT is_leaving ORDER BY section, staying, "order";

INSERT INTO entered_gap (section, after, count)
SELECT section, after, count(*) FROM arriving_row GROUP BY section, after;

UPDATE entered_gap SET (block, within) = (
    SELECT block.id, entered_gap.after - part_start - chapter_start - max(block.start)
    FROM (
        SELECT part, part_start, chapter.id AS chapter, max(chapter.start) AS chapter_start
        FROM (
            SELECT id AS part, max(start) AS part_start FROM node
            WHERE parent = -entered_gap.section AND start < max(entered_gap.after, 1))
        CROSS JOIN node AS chapter ON chapter.parent = part
        WHERE chapter.start < max(entered_gap.after, 1) - part_start)
    CROSS JOIN node AS block ON block.parent = chapter
    WHERE block.start < max(entered_gap.after, 1) - part_start - chapter_start);

INSERT INTO touched_block (block, section, part, chapter, start, rows)
SELECT * FROM unread_block WHERE block IN (
    SELECT block FROM entered_gap WHERE block NOT IN (SELECT block FROM touched_block));

INSERT INTO refuse_damaged SELECT 1 FROM broken_block LIMIT 1;

INSERT INTO refuse_damaged
SELECT 1 FROM entered_gap LEFT JOIN touched_block USING (block)
WHERE touched_block.section IS NOT entered_gap.section OR within NOT BETWEEN 0 AND rows OR after <> start + within
LIMIT 1;

UPDATE touched_block SET come = counted.count
FROM (SELECT block, sum(count) AS count FROM entered_gap GROUP BY block) AS counted
WHERE counted.block = touched_block.block;

-- A block that gets too full keeps what a new one would get.
UPDATE touched_block SET added = numbered.added
FROM (
    SELECT full.block, next_block.block - extra + sum(extra) OVER (
        ORDER BY full.block ROWS UNBOUNDED PRECEDING) AS added
    FROM (
        SELECT block, (touched_block.rows - gone + come - 1) / rows_filled AS extra
        FROM touched_block JOIN capacity WHERE touched_block.rows - gone + come > capacity.rows) AS full
    JOIN next_block) AS numbered
WHERE numbered.block = touched_block.block;

-- Rows leave; in blocks that none enters, the customers after them slide up, and the last slots are deleted.
INSERT INTO left_slot (number, slot) SELECT slot, slot FROM staged_row WHERE slot IS NOT NULL ORDER BY slot;

UPDATE place SET customer = coming.customer
FROM (
    SELECT number AS slot, row_number() OVER its_block AS count,
           ifnull(lead(number) OVER its_block, 64 * (number / 64) + 64) AS next
    FROM left_slot WINDOW its_block AS (PARTITION BY number / 64 ORDER BY number)) AS gone
JOIN touched_block ON touched_block.block = gone.slot / 64 AND come = 0
JOIN place AS coming ON coming.slot BETWEEN gone.slot + 1 AND gone.next - 1
WHERE place.slot = coming.slot - gone.count;

DELETE FROM place WHERE slot IN (
    SELECT slot FROM touched_block CROSS JOIN place
    ON slot BETWEEN 64 * touched_block.block + rows - gone + 1 AND 64 * touched_block.block + 63 WHERE come = 0
    UNION ALL SELECT number FROM left_slot JOIN touched_block ON touched_block.block = number / 64 AND come > 0);

UPDATE customer_record SET block = NULL, deleted_by = (SELECT id FROM last_edit)
WHERE id IN (SELECT customer FROM staged_row WHERE to_section IS NULL);

-- The blocks that rows enter are written again, together with the new ones for what they can't hold.
INSERT INTO merged_place (slot, customer, from_block, "order")
SELECT CASE
           WHEN added IS NULL OR number <= rows_filled THEN 64 * block + number
           ELSE 64 * (added - 1 + (number - 1) / rows_filled) + (number - 1) % rows_filled + 1
       END, customer, from_block, "order"
FROM capacity JOIN (
    SELECT block, customer, from_block, "order", added,
           row_number() OVER (PARTITION BY block ORDER BY within, number) AS number
    FROM (
        SELECT touched_block.block, slot - 64 * touched_block.block AS within, 0 AS number, customer,
               touched_block.block AS from_block, NULL AS "order", added
        FROM touched_block CROSS JOIN place
        ON slot BETWEEN 64 * touched_block.block AND 64 * touched_block.block + 63 WHERE come > 0
        UNION ALL
        SELECT gap.block, gap.within, number, customer, from_block, "order", added
        FROM arriving_row CROSS JOIN entered_gap AS gap USING (section, after)
        CROSS JOIN touched_block ON touched_block.block = gap.block));

INSERT INTO refuse_damaged
SELECT sum(rows - gone + come) <> (SELECT count(*) FROM merged_place) FROM touched_block WHERE come > 0;

DELETE FROM place WHERE slot IN (
    SELECT slot FROM touched_block CROSS JOIN place
    ON slot BETWEEN 64 * touched_block.block AND 64 * touched_block.block + 63 WHERE come > 0);

INSERT INTO place (slot, customer) SELECT slot, customer FROM merged_place;

UPDATE customer_record SET block = slot / 64 FROM merged_place
WHERE from_block IS NOT slot / 64 AND id = customer;

-- The starts after the touched blocks are adjusted, level by level; then the new blocks are added.
UPDATE node SET start = node.start + shifted.by FROM (
    SELECT node.parent, node.id, sum(ifnull(come - gone, 0)) OVER (
        PARTITION BY node.parent ORDER BY node.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS by
    FROM node LEFT JOIN touched_block ON block = node.id
    WHERE node.parent IN (SELECT chapter FROM touched_block)) AS shifted
WHERE node.parent = shifted.parent AND node.id = shifted.id AND shifted.by <> 0;

UPDATE node SET start = node.start + shifted.by FROM (
    SELECT node.parent, node.id, sum(ifnull(counted.by, 0)) OVER (
        PARTITION BY node.parent ORDER BY node.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS by
    FROM node LEFT JOIN (
        SELECT chapter, sum(come - gone) AS by FROM touched_block GROUP BY chapter) AS counted
    ON chapter = node.id
    WHERE node.parent IN (SELECT part FROM touched_block)) AS shifted
WHERE node.parent = shifted.parent AND node.id = shifted.id AND shifted.by <> 0;

UPDATE node SET start = node.start + shifted.by FROM (
    SELECT node.parent, node.id, sum(ifnull(counted.by, 0)) OVER (
        PARTITION BY node.parent ORDER BY node.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS by
    FROM node LEFT JOIN (SELECT part, sum(come - gone) AS by FROM touched_block GROUP BY part) AS counted
    ON part = node.id
    WHERE node.parent IN (SELECT -section FROM touched_block)) AS shifted
WHERE node.parent = shifted.parent AND node.id = shifted.id AND shifted.by <> 0;

UPDATE section_record SET count = section_record.count + counted.by
FROM (SELECT section, sum(come - gone) AS by FROM touched_block GROUP BY section) AS counted
WHERE counted.section = section_record.id;

INSERT INTO node (parent, id, start)
SELECT chapter, merged_place.slot / 64, node.start + (merged_place.slot / 64 - added + 1) * rows_filled
FROM capacity JOIN touched_block CROSS JOIN node ON node.id = touched_block.block
CROSS JOIN merged_place ON merged_place.slot BETWEEN 64 * added
    AND 64 * (added + (touched_block.rows - gone + come - 1) / rows_filled) - 1
WHERE added IS NOT NULL AND merged_place.slot % 64 = 1;

-- The number of each row that arrived is the one asked for.
INSERT INTO refuse_damaged
SELECT 1 FROM (
    SELECT slot / 64 AS block, min("order" - slot % 64) AS first, max("order" - slot % 64) AS last
    FROM merged_place WHERE "order" IS NOT NULL GROUP BY slot / 64) AS entered
WHERE first <> last OR first IS NOT (SELECT start FROM located_block WHERE located_block.block = entered.block)
LIMIT 1;

-- Empty nodes have the same start as the next ones, so they go before neighbors are looked for.
DELETE FROM node WHERE id IN (SELECT block FROM touched_block WHERE rows - gone + come = 0);

DELETE FROM node WHERE id IN (
    SELECT chapter FROM touched_block WHERE NOT EXISTS (SELECT 1 FROM node WHERE parent = chapter));

DELETE FROM node WHERE id IN (
    SELECT part FROM touched_block WHERE NOT EXISTS (SELECT 1 FROM node WHERE parent = part));

-- Chapters, then parts, that are too wide are split into full ones, from their end on, so that each child moves once.
INSERT INTO split_before
SELECT parent, start FROM capacity JOIN (
    SELECT parent, start, row_number() OVER (PARTITION BY parent ORDER BY start) - 1 AS number
    FROM node WHERE parent IN (
        SELECT chapter FROM touched_block WHERE come > 0
            AND (SELECT count(*) FROM node WHERE parent = chapter) > (SELECT children FROM capacity)))
WHERE number > 0 AND number % children_filled = 0 ORDER BY parent, start DESC;

INSERT INTO split_before
SELECT parent, start FROM capacity JOIN (
    SELECT parent, start, row_number() OVER (PARTITION BY parent ORDER BY start) - 1 AS number
    FROM node WHERE parent IN (
        SELECT part FROM touched_block WHERE come > 0
            AND (SELECT count(*) FROM node WHERE parent = part) > (SELECT children FROM capacity)))
WHERE number > 0 AND number % children_filled = 0 ORDER BY parent, start DESC;

INSERT INTO join_block
SELECT block, chapter, part FROM touched_block
WHERE rows - gone + come BETWEEN 1 AND (SELECT capacity.rows / 4 FROM capacity);
INSERT INTO tidy_node
SELECT DISTINCT chapter FROM touched_block UNION ALL SELECT DISTINCT part FROM touched_block;

-- Part arrange: one edit of the kind 'arrange'; the tree stays as it is.

INSERT INTO refuse_damaged
SELECT 1 FROM staged_row
WHERE section IS NOT to_section OR section IS NOT (SELECT max(section) FROM staged_row) LIMIT 1;

INSERT INTO record_edit
SELECT 'arrange', id, count, id, 1, id, 1, 12 * (SELECT count(*) FROM staged_row)
FROM section_record WHERE id = (SELECT section FROM staged_row LIMIT 1);

INSERT INTO history_row (edit, customer, "order", to_order)
SELECT last_edit.id, customer, "order", to_order FROM last_edit CROSS JOIN staged_row;

INSERT INTO left_slot (number, slot) SELECT "order", slot FROM staged_row;

UPDATE place SET customer = staged_row.customer
FROM staged_row JOIN left_slot ON left_slot.number = staged_row.to_order WHERE place.slot = left_slot.slot;

UPDATE customer_record SET block = left_slot.slot / 64
FROM staged_row JOIN left_slot ON left_slot.number = staged_row.to_order
WHERE id = staged_row.customer AND block IS NOT left_slot.slot / 64;

INSERT INTO refuse_damaged
SELECT count(*) <> (SELECT count(*) FROM staged_row)
FROM left_slot CROSS JOIN place ON place.slot = left_slot.slot
CROSS JOIN staged_row ON staged_row.customer = place.customer WHERE to_order = number;

-- Part revert: stages the places before `reverted_edit`, if the rows and sections are still known.

INSERT INTO staged_row (customer, to_section, to_order)
SELECT customer, CASE kind WHEN 'arrange' THEN edit.section ELSE row.section END, row."order"
FROM reverted_edit AS edit CROSS JOIN history_row AS row ON row.edit = edit.id;

INSERT INTO refuse_revert
SELECT id FROM reverted_edit
WHERE count IS NOT CASE kind
    WHEN 'arrange' THEN (SELECT count FROM present_section WHERE id = reverted_edit.section)
    ELSE (SELECT count(*) FROM staged_row) END;

INSERT INTO refuse_revert
SELECT customer FROM staged_row LEFT JOIN customer_record ON id = customer
WHERE block IS NULL AND deleted_by IS NULL LIMIT 1;

INSERT INTO refuse_revert
SELECT to_section FROM (SELECT DISTINCT to_section FROM staged_row WHERE to_section IS NOT NULL)
WHERE NOT EXISTS (SELECT 1 FROM present_section WHERE id = to_section);

-- Part unchanged: after `find`, refuses to revert an edit if a row is not where it left it.

INSERT INTO refuse_revert
SELECT customer
FROM reverted_edit AS edit CROSS JOIN history_row AS row ON row.edit = edit.id CROSS JOIN staged_row AS now USING (customer)
WHERE now."order" IS NOT row.to_order
   OR now.section IS NOT CASE kind WHEN 'arrange' THEN edit.section ELSE row.to_section END
LIMIT 1;
