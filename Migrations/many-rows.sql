-- Edits of many rows at once: any rows are deleted, moved, added, put back, and get other values, each written once.
--
-- No other client makes such an edit, so these statements are not in the schema, which every command would read. The
-- program runs them one after another in a transaction, part by part (ManyRows.swift), and the procedures and
-- assertions of schema.sql for the tree and the log.
--
-- A program fills in who gets which place in `staged_row`. Then the parts `find` and `log` make that one edit, and `move`
-- or `rearrange` carries it out.
--
-- Or it fills in which rows of a section get the places of each other in `arranged_row`, for `places`, `record`, `placed`,
-- and `arrange`. The tree stays as it is. All tables that this joins are read in order; of a million rows looked up here
-- and there, SQLite would read most from a temporary file.
--
-- Or it fills in who gets which values in `staged_value`, for `update`. These are edits of one row each, as other clients
-- make them, and any client can undo them; they are only written together.
--
-- Or it fills in new sections in `staged_section`, and in `staged_row` which section each new row gets, for `append`. These
-- are edits of one section or one row each, too.
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

-- The sections that are added at the end of the list.
CREATE TEMP TABLE IF NOT EXISTS staged_section (
    id    INTEGER PRIMARY KEY,
    title TEXT NOT NULL
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

-- The slots that rows leave.
CREATE TEMP TABLE IF NOT EXISTS left_slot (
    slot INTEGER PRIMARY KEY
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

-- The rows of a section that get the places of each other.
CREATE TEMP TABLE IF NOT EXISTS arranged_row (
    to_order INTEGER PRIMARY KEY,
    customer INTEGER NOT NULL,
    "order"  INTEGER NOT NULL              -- the place before
);

CREATE TEMP TABLE IF NOT EXISTS arranged_section (
    id INTEGER NOT NULL
);

-- What is in the blocks of these places.
CREATE TEMP TABLE IF NOT EXISTS present_row (
    "order"  INTEGER PRIMARY KEY,
    slot     INTEGER NOT NULL,
    customer INTEGER NOT NULL
);

-- Who has these places now, and in which block of the tree a row has its new one.
CREATE TEMP TABLE IF NOT EXISTS arranged_place (
    customer INTEGER PRIMARY KEY,
    "order"  INTEGER NOT NULL
);

CREATE TEMP TABLE IF NOT EXISTS arranged_block (
    customer INTEGER PRIMARY KEY,
    block    INTEGER NOT NULL
);

-- Whether a row is not where it is said to be, or its place is not among those that the others get.
CREATE TEMP VIEW IF NOT EXISTS misplaced AS
SELECT count(*) <> (SELECT count(*) FROM arranged_row) AS found
FROM last_edit CROSS JOIN history_row AS row ON row.edit = last_edit.id
CROSS JOIN arranged_place AS place ON place.customer = row.customer
WHERE place."order" = row."order";

-- Who gets which values; NULL: it keeps its own.
CREATE TEMP TABLE IF NOT EXISTS staged_value (
    customer    INTEGER PRIMARY KEY,
    first_name  TEXT, last_name TEXT, company TEXT, email TEXT, phone TEXT, address TEXT, note TEXT,
    is_favorite INTEGER, can_edit INTEGER, can_move INTEGER,
    extra       TEXT, other_contacts TEXT, tags TEXT, next TEXT, address_parts TEXT
);

-- The edit that is reverted; or updates with consecutive numbers, how many and the first one.
CREATE TEMP TABLE IF NOT EXISTS reverted_edit (
    id INTEGER NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, section INTEGER
);

-- Part clear: after an edit.

DELETE FROM staged_row;
DELETE FROM staged_section;
DELETE FROM touched_block;
DELETE FROM left_slot;
DELETE FROM arriving_row;
DELETE FROM entered_gap;
DELETE FROM merged_place;
DELETE FROM moved_run;
DELETE FROM arranged_row;
DELETE FROM arranged_section;
DELETE FROM present_row;
DELETE FROM arranged_place;
DELETE FROM arranged_block;
DELETE FROM staged_value;
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
INSERT INTO left_slot (slot) SELECT slot FROM staged_row WHERE slot IS NOT NULL ORDER BY slot;

UPDATE place SET customer = coming.customer
FROM (
    SELECT slot, row_number() OVER its_block AS count,
           ifnull(lead(slot) OVER its_block, 64 * (slot / 64) + 64) AS next
    FROM left_slot WINDOW its_block AS (PARTITION BY slot / 64 ORDER BY slot)) AS gone
JOIN touched_block ON touched_block.block = gone.slot / 64 AND come = 0
JOIN place AS coming ON coming.slot BETWEEN gone.slot + 1 AND gone.next - 1
WHERE place.slot = coming.slot - gone.count;

DELETE FROM place WHERE slot IN (
    SELECT slot FROM touched_block CROSS JOIN place
    ON slot BETWEEN 64 * touched_block.block + rows - gone + 1 AND 64 * touched_block.block + 63 WHERE come = 0
    UNION ALL SELECT slot FROM left_slot JOIN touched_block ON touched_block.block = slot / 64 AND come > 0);

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

-- Part split: chapters, then parts, that are too wide become full ones, from their end on, so that each child moves once.

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

-- Part join: nodes with few children left.

INSERT INTO join_block
SELECT block, chapter, part FROM touched_block
WHERE rows - gone + come BETWEEN 1 AND (SELECT capacity.rows / 4 FROM capacity);
INSERT INTO tidy_node
SELECT DISTINCT chapter FROM touched_block UNION ALL SELECT DISTINCT part FROM touched_block;

-- Part append: new sections and rows, which get the last places, so that nothing shifts.

INSERT INTO assert_sections SELECT 1 FROM staged_section LIMIT 1;

INSERT INTO section_record (id, title, title_key, footer, "order", uid)
SELECT id, title, lower(trim(title)), '', count + row_number() OVER (ORDER BY id), random() | (1 << 63)
FROM section_count CROSS JOIN staged_section ORDER BY id;

INSERT INTO check_title
SELECT id, title FROM staged_section
WHERE trim(title) = '' OR EXISTS (
    SELECT 1 FROM present_section AS other WHERE title_key = lower(trim(staged_section.title)) AND other.id <> staged_section.id)
LIMIT 1;

-- An empty section has no part yet; see `add_part`.
INSERT INTO node (parent, id, start)
SELECT CASE level WHEN 0 THEN -section ELSE part + level - 1 END, part + level, 0
FROM (
    SELECT section, block + 3 * (row_number() OVER (ORDER BY section) - 1) AS part
    FROM next_block CROSS JOIN (SELECT DISTINCT to_section AS section FROM staged_row)
    WHERE NOT EXISTS (SELECT 1 FROM node WHERE parent = -section))
CROSS JOIN (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2);

-- The last block of each section. (A bare column next to max is of the same row.)
INSERT INTO touched_block (block, section, part, chapter, start, rows, come)
SELECT unread_block.*, counted.come
FROM (SELECT to_section, count(*) AS come FROM staged_row GROUP BY to_section) AS counted
CROSS JOIN unread_block ON unread_block.block = (
    SELECT id FROM (SELECT id, max(start) FROM node WHERE parent = (
        SELECT id FROM (SELECT id, max(start) FROM node WHERE parent = (
            SELECT id FROM (SELECT id, max(start) FROM node WHERE parent = -to_section))))));

INSERT INTO refuse_damaged SELECT 1 FROM broken_block LIMIT 1;

-- It ends where the section does.
INSERT INTO refuse_damaged
SELECT (SELECT count(DISTINCT to_section) FROM staged_row) <> (
    SELECT count(*) FROM touched_block CROSS JOIN section_record AS s ON s.id = section
    WHERE s."order" IS NOT NULL AND start + rows = s.count);

UPDATE touched_block SET added = numbered.added
FROM (
    SELECT full.block, next_block.block + sum(extra) OVER (
        ORDER BY full.block ROWS UNBOUNDED PRECEDING) - extra AS added
    FROM (
        SELECT block, (touched_block.rows + come - capacity.rows - 1) / rows_filled + 1 AS extra
        FROM touched_block JOIN capacity WHERE touched_block.rows + come > capacity.rows) AS full
    JOIN next_block) AS numbered
WHERE numbered.block = touched_block.block;

-- It is filled before there is a new one.
UPDATE staged_row SET to_order = placed."order", slot = placed.slot
FROM (
    SELECT customer, start + number AS "order",
           CASE
               WHEN added IS NULL OR number <= capacity.rows THEN 64 * block + number
               ELSE 64 * (added + (number - capacity.rows - 1) / rows_filled)
                   + (number - capacity.rows - 1) % rows_filled + 1
           END AS slot
    FROM capacity CROSS JOIN (
        SELECT customer, block, start, added,
               touched_block.rows + row_number() OVER (PARTITION BY to_section ORDER BY customer) AS number
        FROM staged_row JOIN touched_block ON touched_block.section = to_section)) AS placed
WHERE placed.customer = staged_row.customer;

INSERT INTO place (slot, customer) SELECT slot, customer FROM staged_row ORDER BY slot;

INSERT INTO node (parent, id, start)
SELECT chapter, slot / 64, node.start + capacity.rows + (slot / 64 - added) * rows_filled
FROM capacity CROSS JOIN touched_block CROSS JOIN node ON node.id = touched_block.block
CROSS JOIN place ON slot BETWEEN 64 * added AND 64 * (added + (touched_block.rows + come - capacity.rows - 1) / rows_filled) + 63
WHERE added IS NOT NULL AND slot % 64 = 1;

UPDATE customer_record SET block = slot / 64, uid = random() | (1 << 63) FROM staged_row WHERE id = customer;

UPDATE section_record SET count = count + come FROM touched_block WHERE section = id;

-- The number of each row is the one that the log has.
INSERT INTO refuse_damaged
SELECT 1 FROM (
    SELECT slot / 64 AS block, min(to_order - slot % 64) AS first, max(to_order - slot % 64) AS last
    FROM staged_row GROUP BY slot / 64) AS entered
WHERE first <> last OR first IS NOT (SELECT start FROM located_block WHERE located_block.block = entered.block)
LIMIT 1;

INSERT INTO count_edit (bytes) VALUES (0);

-- Rows with consecutive ids and places are one edit.
INSERT INTO edit_record (id, kind, row, count, to_section, to_order)
SELECT last_edit.id - 1 + row_number() OVER (ORDER BY is_row, made.id),
       CASE WHEN NOT is_row THEN 'section insert' WHEN count = 1 THEN 'insert' ELSE 'insert rows' END,
       made.id, count, to_section, to_order
FROM last_edit CROSS JOIN (
    SELECT 0 AS is_row, id, 1 AS count, NULL AS to_section, s."order" AS to_order
    FROM staged_section JOIN section_record AS s USING (id)
    UNION ALL
    SELECT 1, min(customer), count(*), to_section, min(to_order) FROM staged_row
    GROUP BY to_section, to_order - customer) AS made;

UPDATE history_step SET
    edits = last.id - first_edit + 1, bytes = bytes + 32 * (last.id - first_edit + 1 - edits)
FROM (SELECT max(id) AS id FROM edit_record) AS last WHERE history_step.id = (SELECT id FROM last_step);

-- Part places: what is in the blocks of the places that `arranged_row` names.

INSERT INTO touched_block (block, section, part, chapter, start, rows)
SELECT unread_block.*
FROM arranged_section CROSS JOIN part_block ON part_block.parent = -arranged_section.id
CROSS JOIN unread_block ON unread_block.block = part_block.block
WHERE EXISTS (
    SELECT 1 FROM arranged_row WHERE to_order BETWEEN unread_block.start + 1 AND unread_block.start + rows);

INSERT INTO refuse_damaged SELECT 1 FROM broken_block LIMIT 1;

INSERT OR IGNORE INTO present_row ("order", slot, customer)
SELECT start + slot - 64 * touched_block.block, slot, customer
FROM touched_block CROSS JOIN place ON slot BETWEEN 64 * touched_block.block AND 64 * touched_block.block + 63;

-- Part record: one edit of the kind 'arrange'. No row is in it twice.

INSERT INTO record_edit
SELECT 'arrange', id, count, id, 1, id, 1, 12 * (SELECT count(*) FROM arranged_row)
FROM arranged_section JOIN section_record USING (id);

INSERT OR IGNORE INTO history_row (edit, customer, "order", to_order)
SELECT last_edit.id, customer, "order", to_order FROM last_edit CROSS JOIN arranged_row ORDER BY customer;

INSERT INTO refuse_damaged
SELECT count(*) <> (SELECT count(*) FROM arranged_row) FROM last_edit JOIN history_row ON edit = last_edit.id;

INSERT OR IGNORE INTO arranged_place (customer, "order")
SELECT present_row.customer, to_order FROM arranged_row CROSS JOIN present_row ON present_row."order" = to_order
ORDER BY present_row.customer;

-- Part placed: refuses rows that are not there.

INSERT INTO refuse_damaged SELECT found FROM misplaced;

-- Part returned: the same, for the opposite of an edit.

INSERT INTO refuse_revert SELECT found FROM misplaced;

-- Part arrange: gives the rows their new places.

REPLACE INTO place (slot, customer)
SELECT slot, arranged_row.customer FROM arranged_row CROSS JOIN present_row ON present_row."order" = to_order;

INSERT INTO arranged_block (customer, block)
SELECT arranged_row.customer, slot / 64 FROM arranged_row CROSS JOIN present_row ON present_row."order" = to_order
ORDER BY arranged_row.customer;

UPDATE customer_record SET block = (SELECT block FROM arranged_block WHERE customer = customer_record.id)
WHERE id IN (SELECT customer FROM arranged_block);

-- Part update: the staged values, an edit of the kind 'update' for each customer.

INSERT INTO count_edit VALUES (0);

INSERT INTO edit_record (
    id, kind, row, count, first_name, last_name, company, email, phone, address, note, is_favorite, can_edit,
    can_move, extra, other_contacts, tags, next, address_parts)
SELECT last_edit.id - 1 + number, 'update', c.id, 1,
       nullif(c.first_name, ifnull(new.first_name, c.first_name)),
       nullif(c.last_name, ifnull(new.last_name, c.last_name)), nullif(c.company, ifnull(new.company, c.company)),
       nullif(c.email, ifnull(new.email, c.email)), nullif(c.phone, ifnull(new.phone, c.phone)),
       nullif(c.address, ifnull(new.address, c.address)), nullif(c.note, ifnull(new.note, c.note)),
       nullif(c.is_favorite, ifnull(new.is_favorite, c.is_favorite)),
       nullif(c.can_edit, ifnull(new.can_edit, c.can_edit)), nullif(c.can_move, ifnull(new.can_move, c.can_move)),
       nullif(c.extra, ifnull(new.extra, c.extra)),
       nullif(c.other_contacts, ifnull(new.other_contacts, c.other_contacts)),
       nullif(c.tags, ifnull(new.tags, c.tags)), nullif(c.next, ifnull(new.next, c.next)),
       nullif(c.address_parts, ifnull(new.address_parts, c.address_parts))
FROM last_edit
CROSS JOIN (SELECT customer, row_number() OVER (ORDER BY customer) AS number FROM staged_value) AS numbered
CROSS JOIN staged_value AS new USING (customer) CROSS JOIN customer_record AS c ON c.id = new.customer;

UPDATE history_step SET edits = edits + made.number - 1, bytes = bytes + 32 * (made.number - 1) + made.size
FROM (
    SELECT count(*) AS number, sum(length(CAST(
        ifnull(first_name, '') || ifnull(last_name, '') || ifnull(company, '') || ifnull(email, '') || ifnull(phone, '')
        || ifnull(address, '') || ifnull(note, '') || ifnull(extra, '') || ifnull(other_contacts, '')
        || ifnull(tags, '') || ifnull(next, '') || ifnull(address_parts, '') AS BLOB))) AS size
    FROM edit_record WHERE id >= (SELECT id FROM last_edit)) AS made
WHERE id = (SELECT id FROM last_step);

UPDATE customer_record SET (
    first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
    other_contacts, tags, next, address_parts
) = (
    SELECT
        ifnull(new.first_name, customer_record.first_name), ifnull(new.last_name, customer_record.last_name),
        ifnull(new.company, customer_record.company), ifnull(new.email, customer_record.email),
        ifnull(new.phone, customer_record.phone), ifnull(new.address, customer_record.address),
        ifnull(new.note, customer_record.note), ifnull(new.is_favorite, customer_record.is_favorite),
        ifnull(new.can_edit, customer_record.can_edit), ifnull(new.can_move, customer_record.can_move),
        ifnull(new.extra, customer_record.extra), ifnull(new.other_contacts, customer_record.other_contacts),
        ifnull(new.tags, customer_record.tags), ifnull(new.next, customer_record.next),
        ifnull(new.address_parts, customer_record.address_parts)
    FROM staged_value AS new WHERE customer = customer_record.id)
WHERE id IN (SELECT customer FROM staged_value);

-- Part before: stages the values before the updates `reverted_edit`, each of another customer, if they are in the list.

INSERT INTO staged_value (customer,
    first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra,
    other_contacts, tags, next, address_parts)
SELECT row,
       edit.first_name, edit.last_name, edit.company, edit.email, edit.phone, edit.address, edit.note,
       edit.is_favorite, edit.can_edit, edit.can_move, edit.extra, edit.other_contacts, edit.tags,
       edit.next, edit.address_parts
FROM reverted_edit AS first CROSS JOIN edit_record AS edit ON edit.id BETWEEN first.id AND first.id + first.count - 1;

INSERT INTO refuse_revert
SELECT customer FROM staged_value
WHERE NOT EXISTS (SELECT 1 FROM placed_row WHERE placed_row.customer = staged_value.customer) LIMIT 1;

-- Part back: stages the places that rows had before `reverted_edit`, an arrangement.

INSERT INTO arranged_section SELECT section FROM reverted_edit;

INSERT OR IGNORE INTO arranged_row (to_order, customer, "order")
SELECT "order", customer, to_order FROM reverted_edit AS edit CROSS JOIN history_row AS row ON row.edit = edit.id
ORDER BY "order";

INSERT INTO refuse_revert
SELECT count IS NOT (SELECT count FROM present_section WHERE id = section)
    OR (SELECT count(*) FROM history_row WHERE edit = reverted_edit.id) <> (SELECT count(*) FROM arranged_row)
FROM reverted_edit;

-- Part revert: stages the places before `reverted_edit`, if the rows and sections are still known.

INSERT INTO staged_row (customer, to_section, to_order)
SELECT customer, row.section, row."order" FROM reverted_edit AS edit CROSS JOIN history_row AS row ON row.edit = edit.id;

INSERT INTO refuse_revert SELECT count <> (SELECT count(*) FROM staged_row) FROM reverted_edit;

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
WHERE now."order" IS NOT row.to_order OR now.section IS NOT row.to_section
LIMIT 1;
