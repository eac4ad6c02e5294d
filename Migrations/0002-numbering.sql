-- 0002  How the order is kept. Everything that renumbers customers is in this file.
--
-- SQL has no procedures, so each idea is a view without rows whose INSTEAD OF INSERT trigger is the
-- body and whose columns (NEW.*) are the parameters. A WHEN on such a trigger is its "if". From the
-- top down:
--
--     move_row(customer, section, order)  take_row, then put_row: the place is the one afterwards
--     put_row(customer, section, order)   find the block of that place, open a gap, fill it
--     take_row(customer)                  empty the customer's place, close the gap
--     put_rows(section, order)            put_row for all customers in `staged`, at once
--     take_rows(section, order, count)    take_row for the rows from a place on, at once
--     count_rows(block, by)               the starts of what follows, and the section's count
--     split_…, merge_…, drop_…            keep blocks and chapters within their size
--
-- Two rules for whoever edits this. The conflict clause of the client's statement replaces ours
-- (under INSERT OR IGNORE a failing constraint is skipped and the trigger goes on), so nothing here
-- may rely on a constraint failing: a block is proved before it is touched, so that no constraint can
-- fail, and proved again afterwards, both with RAISE(ABORT), which no clause can change. And no
-- trigger may fire itself: most clients have recursive_triggers off.

-- The sizes, named once: the most rows in a block and blocks in a chapter, and how many of each
-- put_rows fills in, so that there is room for later edits.
CREATE VIEW capacity AS SELECT 64 AS rows, 128 AS blocks, 48 AS rows_filled, 96 AS blocks_filled;

-- Where a block lies.
CREATE VIEW located_block AS
SELECT block.id AS block, block.start, chapter.id AS chapter, chapter.start AS chapter_start, chapter.section
FROM block JOIN chapter ON chapter.id = block.chapter;

-- A customer always knows the block of its place.
CREATE TRIGGER place_inserted AFTER INSERT ON place BEGIN
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
END;
CREATE TRIGGER place_changed_block AFTER UPDATE OF block ON place BEGIN
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
END;

-- A move ------------------------------------------------------------------------------------------

CREATE VIEW move_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER move_row INSTEAD OF INSERT ON move_row BEGIN
    INSERT INTO take_row VALUES (NEW.customer);
    INSERT INTO put_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

-- A row comes in ----------------------------------------------------------------------------------

CREATE VIEW put_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER put_row INSTEAD OF INSERT ON put_row BEGIN
    INSERT INTO begin_section VALUES (NEW.section);
    INSERT INTO put_in_chapter
    SELECT NEW.customer, id, NEW."order" - start
    FROM chapter WHERE section = NEW.section AND start < NEW."order" ORDER BY start DESC LIMIT 1;
    INSERT INTO prove_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

-- With broken starts the row may have found no block, or the wrong one.
CREATE VIEW prove_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER prove_row INSTEAD OF INSERT ON prove_row BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    WHERE NOT EXISTS (
        SELECT 1 FROM customers WHERE id = NEW.customer AND section = NEW.section AND "order" = NEW."order");
END;

-- An empty section has no chapter yet.
CREATE VIEW begin_section AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER begin_section INSTEAD OF INSERT ON begin_section
WHEN NOT EXISTS (SELECT 1 FROM chapter WHERE section = NEW.section)
BEGIN
    INSERT INTO chapter (section, start) VALUES (NEW.section, 0);
    INSERT INTO block (chapter, start) VALUES (last_insert_rowid(), 0);
END;

CREATE VIEW put_in_chapter AS SELECT NULL AS customer, NULL AS chapter, NULL AS "order" WHERE 0;
CREATE TRIGGER put_in_chapter INSTEAD OF INSERT ON put_in_chapter BEGIN
    INSERT INTO put_in_block
    SELECT NEW.customer, id, NEW."order" - start
    FROM block WHERE chapter = NEW.chapter AND start < NEW."order" ORDER BY start DESC LIMIT 1;
END;

CREATE VIEW put_in_block AS SELECT NULL AS customer, NULL AS block, NULL AS "order" WHERE 0;
CREATE TRIGGER put_in_block INSTEAD OF INSERT ON put_in_block BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    WHERE typeof(NEW."order") <> 'integer'
       OR NEW."order" > 1 + (SELECT count(*) FROM place WHERE block = NEW.block);
    INSERT INTO prove_block VALUES (NEW.block);
    INSERT INTO shift_places VALUES (NEW.block, NEW."order", 1);
    INSERT INTO place (block, "order", customer) VALUES (NEW.block, NEW."order", NEW.customer);
    INSERT INTO count_rows VALUES (NEW.block, 1);
    INSERT INTO prove_block VALUES (NEW.block);
    INSERT INTO split_full_block VALUES (NEW.block, NEW."order");
END;

-- A row goes out ----------------------------------------------------------------------------------

CREATE VIEW take_row AS SELECT NULL AS customer WHERE 0;
CREATE TRIGGER take_row INSTEAD OF INSERT ON take_row BEGIN
    SELECT RAISE(ABORT, 'damaged: this customer has no place, or several; run: customers check --repair')
    WHERE 1 <> (
        SELECT count(*) FROM customer_record AS c JOIN place ON place.block = c.block AND place.customer = c.id
        WHERE c.id = NEW.customer);
    INSERT INTO take_from_block
    SELECT place.block, place."order"
    FROM customer_record AS c JOIN place ON place.block = c.block AND place.customer = c.id
    WHERE c.id = NEW.customer;
END;

CREATE VIEW take_from_block AS SELECT NULL AS block, NULL AS "order" WHERE 0;
CREATE TRIGGER take_from_block INSTEAD OF INSERT ON take_from_block BEGIN
    INSERT INTO prove_block VALUES (NEW.block);
    DELETE FROM place WHERE block = NEW.block AND "order" = NEW."order";
    INSERT INTO shift_places VALUES (NEW.block, NEW."order" + 1, -1);
    INSERT INTO count_rows VALUES (NEW.block, -1);
    INSERT INTO prove_block VALUES (NEW.block);
    INSERT INTO tidy_block VALUES (NEW.block);
END;

-- What follows is renumbered ----------------------------------------------------------------------

-- The places of a block from `first` on; in two steps, see place in 0001.
CREATE VIEW shift_places AS SELECT NULL AS block, NULL AS first, NULL AS by WHERE 0;
CREATE TRIGGER shift_places INSTEAD OF INSERT ON shift_places
WHEN EXISTS (SELECT 1 FROM place WHERE block = NEW.block AND "order" >= NEW.first)
BEGIN
    UPDATE place SET "order" = -("order" + NEW.by) WHERE block = NEW.block AND "order" >= NEW.first;
    UPDATE place SET "order" = -"order" WHERE block = NEW.block AND "order" < 0;
END;

CREATE VIEW count_rows AS SELECT NULL AS block, NULL AS by WHERE 0;
CREATE TRIGGER count_rows INSTEAD OF INSERT ON count_rows BEGIN
    INSERT INTO shift_blocks SELECT chapter, start, NEW.by FROM block WHERE id = NEW.block;
    INSERT INTO shift_chapters SELECT section, chapter_start, NEW.by FROM located_block WHERE block = NEW.block;
END;

CREATE VIEW shift_blocks AS SELECT NULL AS chapter, NULL AS start, NULL AS by WHERE 0;
CREATE TRIGGER shift_blocks INSTEAD OF INSERT ON shift_blocks
WHEN EXISTS (SELECT 1 FROM block WHERE chapter = NEW.chapter AND start > NEW.start)
BEGIN
    UPDATE block SET start = start + NEW.by WHERE chapter = NEW.chapter AND start > NEW.start;
END;

CREATE VIEW shift_chapters AS SELECT NULL AS section, NULL AS start, NULL AS by WHERE 0;
CREATE TRIGGER shift_chapters INSTEAD OF INSERT ON shift_chapters BEGIN
    UPDATE chapter SET start = start + NEW.by WHERE section = NEW.section AND start > NEW.start;
    UPDATE section_record SET count = count + NEW.by WHERE id = NEW.section;
END;

-- The key of place makes numbers whole and distinct; from 1 to their count they leave no gap.
CREATE VIEW prove_block AS SELECT NULL AS block WHERE 0;
CREATE TRIGGER prove_block INSTEAD OF INSERT ON prove_block BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    FROM (SELECT count(*) AS count, min("order") AS first, max("order") AS last FROM place WHERE block = NEW.block)
    WHERE count > 0 AND (first <> 1 OR last <> count);
END;

-- Blocks keep their size --------------------------------------------------------------------------

CREATE VIEW block_pair AS
SELECT chapter, id AS block, (
    SELECT id FROM block AS later
    WHERE later.chapter = block.chapter AND later.start > block.start ORDER BY start LIMIT 1) AS next
FROM block;

-- A block that is too full splits in half; at the end of a chapter, where lists grow, a new one begins.
CREATE VIEW split_full_block AS SELECT NULL AS block, NULL AS "order" WHERE 0;
CREATE TRIGGER split_full_block INSTEAD OF INSERT ON split_full_block
WHEN (SELECT count(*) FROM place WHERE block = NEW.block) > (SELECT rows FROM capacity)
BEGIN
    INSERT INTO split_block
    SELECT block, CASE WHEN next IS NULL AND NEW."order" > rows THEN rows ELSE rows / 2 END
    FROM block_pair JOIN capacity WHERE block = NEW.block;
END;

-- The places after the first `keep` go to a new block.
CREATE VIEW split_block AS SELECT NULL AS block, NULL AS keep WHERE 0;
CREATE TRIGGER split_block INSTEAD OF INSERT ON split_block BEGIN
    INSERT INTO block (chapter, start) SELECT chapter, start + NEW.keep FROM block WHERE id = NEW.block;
    INSERT INTO move_places SELECT NEW.block, next, NEW.keep, -NEW.keep FROM block_pair WHERE block = NEW.block;
    INSERT INTO split_full_chapter SELECT chapter FROM block WHERE id = NEW.block;
END;

-- A block with few rows left joins a neighbour when both together fill at most half a block; one with
-- none goes.
CREATE VIEW tidy_block AS SELECT NULL AS block WHERE 0;
CREATE TRIGGER tidy_block INSTEAD OF INSERT ON tidy_block
WHEN (SELECT count(*) FROM place WHERE block = NEW.block) <= (SELECT rows / 4 FROM capacity)
BEGIN
    INSERT INTO drop_block
    SELECT id, chapter FROM block
    WHERE id = NEW.block AND NOT EXISTS (SELECT 1 FROM place WHERE block = NEW.block);
    INSERT INTO merge_blocks
    SELECT pair.block, pair.next, pair.chapter FROM block_pair AS pair JOIN capacity
    WHERE pair.chapter = (SELECT chapter FROM block WHERE id = NEW.block)
      AND NEW.block IN (pair.block, pair.next)
      AND (SELECT count(*) FROM place WHERE block IN (pair.block, pair.next)) <= rows / 2
    LIMIT 1;
END;

CREATE VIEW merge_blocks AS SELECT NULL AS block, NULL AS next, NULL AS chapter WHERE 0;
CREATE TRIGGER merge_blocks INSTEAD OF INSERT ON merge_blocks BEGIN
    INSERT INTO move_places
    SELECT NEW.next, NEW.block, 0, later.start - block.start
    FROM block JOIN block AS later ON later.id = NEW.next WHERE block.id = NEW.block;
    INSERT INTO drop_block VALUES (NEW.next, NEW.chapter);
END;

-- The places after the first `after` change their block; `by` is added to their number, and must lead
-- them behind those that are there.
CREATE VIEW move_places AS SELECT NULL AS block, NULL AS destination, NULL AS after, NULL AS by WHERE 0;
CREATE TRIGGER move_places INSTEAD OF INSERT ON move_places BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    WHERE typeof(NEW.by) <> 'integer'
       OR EXISTS (SELECT 1 FROM place WHERE block = NEW.destination AND "order" > NEW.after + NEW.by);
    UPDATE place SET block = NEW.destination, "order" = "order" + NEW.by
    WHERE block = NEW.block AND "order" > NEW.after;
    INSERT INTO prove_block VALUES (NEW.block);
    INSERT INTO prove_block VALUES (NEW.destination);
END;

CREATE VIEW drop_block AS SELECT NULL AS block, NULL AS chapter WHERE 0;
CREATE TRIGGER drop_block INSTEAD OF INSERT ON drop_block BEGIN
    DELETE FROM block WHERE id = NEW.block;
    INSERT INTO tidy_chapter VALUES (NEW.chapter);
END;

-- Chapters keep their size, likewise --------------------------------------------------------------

CREATE VIEW chapter_pair AS
SELECT section, id AS chapter, (
    SELECT id FROM chapter AS later
    WHERE later.section = chapter.section AND later.start > chapter.start ORDER BY start LIMIT 1) AS next
FROM chapter;

CREATE VIEW split_full_chapter AS SELECT NULL AS chapter WHERE 0;
CREATE TRIGGER split_full_chapter INSTEAD OF INSERT ON split_full_chapter
WHEN (SELECT count(*) FROM block WHERE chapter = NEW.chapter) > (SELECT blocks FROM capacity)
BEGIN
    INSERT INTO split_chapter
    SELECT NEW.chapter, start FROM block WHERE chapter = NEW.chapter
    ORDER BY start LIMIT 1 OFFSET (SELECT blocks / 2 FROM capacity);
END;

-- The blocks from `start` on go to a new chapter.
CREATE VIEW split_chapter AS SELECT NULL AS chapter, NULL AS start WHERE 0;
CREATE TRIGGER split_chapter INSTEAD OF INSERT ON split_chapter BEGIN
    INSERT INTO chapter (section, start) SELECT section, start + NEW.start FROM chapter WHERE id = NEW.chapter;
    INSERT INTO move_blocks SELECT NEW.chapter, next, NEW.start, -NEW.start FROM chapter_pair WHERE chapter = NEW.chapter;
END;

CREATE VIEW tidy_chapter AS SELECT NULL AS chapter WHERE 0;
CREATE TRIGGER tidy_chapter INSTEAD OF INSERT ON tidy_chapter
WHEN (SELECT count(*) FROM block WHERE chapter = NEW.chapter) <= (SELECT blocks / 4 FROM capacity)
BEGIN
    DELETE FROM chapter
    WHERE id = NEW.chapter AND NOT EXISTS (SELECT 1 FROM block WHERE chapter = NEW.chapter);
    INSERT INTO merge_chapters
    SELECT pair.chapter, pair.next FROM chapter_pair AS pair JOIN capacity
    WHERE pair.section = (SELECT section FROM chapter WHERE id = NEW.chapter)
      AND NEW.chapter IN (pair.chapter, pair.next)
      AND (SELECT count(*) FROM block WHERE chapter IN (pair.chapter, pair.next)) <= blocks / 2
    LIMIT 1;
END;

CREATE VIEW merge_chapters AS SELECT NULL AS chapter, NULL AS next WHERE 0;
CREATE TRIGGER merge_chapters INSTEAD OF INSERT ON merge_chapters BEGIN
    INSERT INTO move_blocks
    SELECT NEW.next, NEW.chapter, 0, later.start - chapter.start
    FROM chapter JOIN chapter AS later ON later.id = NEW.next WHERE chapter.id = NEW.chapter;
    DELETE FROM chapter WHERE id = NEW.next;
END;

-- The blocks from `first` on change their chapter; `by` is added to their start.
CREATE VIEW move_blocks AS SELECT NULL AS chapter, NULL AS destination, NULL AS first, NULL AS by WHERE 0;
CREATE TRIGGER move_blocks INSTEAD OF INSERT ON move_blocks BEGIN
    UPDATE block SET chapter = NEW.destination, start = start + NEW.by
    WHERE chapter = NEW.chapter AND start >= NEW.first;
END;

-- Many rows at once -------------------------------------------------------------------------------

-- The customers to be placed, in order; empty but while a transaction fills it and calls put_rows.
CREATE TABLE staged (
    number   INTEGER PRIMARY KEY,  -- 1…k
    customer INTEGER NOT NULL
);

-- Where each of them goes, counted from the place of the first.
CREATE VIEW staged_place AS
SELECT customer, at - at % (rows_filled * blocks_filled) AS chapter_start,
       at % (rows_filled * blocks_filled) - at % rows_filled AS block_start, at % rows_filled + 1 AS "order"
FROM (SELECT number - 1 AS at, customer FROM staged) JOIN capacity;

-- Customers without a place get whole new chapters of their own.
-- CROSS JOIN makes SQLite go through `staged` once and seek the rest; left to itself it scans `staged`
-- for every block (https://sqlite.org/optoverview.html#crossjoin).
CREATE VIEW put_rows AS SELECT NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER put_rows INSTEAD OF INSERT ON put_rows BEGIN
    INSERT INTO cut VALUES (NEW.section, NEW."order");
    INSERT INTO shift_chapters SELECT NEW.section, NEW."order" - 2, count(*) FROM staged;

    INSERT INTO chapter (section, start)
    SELECT NEW.section, NEW."order" - 1 + chapter_start FROM staged_place WHERE block_start = 0 AND "order" = 1;
    INSERT INTO block (chapter, start)
    SELECT chapter.id, block_start FROM staged_place
    CROSS JOIN chapter ON section = NEW.section AND start = NEW."order" - 1 + chapter_start
    WHERE "order" = 1;
    INSERT INTO place (block, "order", customer)
    SELECT block.id, "order", customer FROM staged_place
    CROSS JOIN chapter ON section = NEW.section AND chapter.start = NEW."order" - 1 + chapter_start
    CROSS JOIN block ON block.chapter = chapter.id AND block.start = block_start;
    DELETE FROM staged;
END;

-- The rows from a place on go, whole chapters of them; their customers wait without a place.
CREATE VIEW take_rows AS SELECT NULL AS section, NULL AS "order", NULL AS count WHERE 0;
CREATE TRIGGER take_rows INSTEAD OF INSERT ON take_rows BEGIN
    INSERT INTO cut VALUES (NEW.section, NEW."order");
    INSERT INTO cut VALUES (NEW.section, NEW."order" + NEW.count);
    -- Broken starts may have led here rows of another place.
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    WHERE NEW.count <> (
        SELECT count(*) FROM located_block JOIN place USING (block)
        WHERE section = NEW.section AND chapter_start BETWEEN NEW."order" - 1 AND NEW."order" + NEW.count - 2);
    DELETE FROM place WHERE block IN (
        SELECT block FROM located_block
        WHERE section = NEW.section AND chapter_start BETWEEN NEW."order" - 1 AND NEW."order" + NEW.count - 2);
    DELETE FROM block WHERE chapter IN (
        SELECT id FROM chapter
        WHERE section = NEW.section AND start BETWEEN NEW."order" - 1 AND NEW."order" + NEW.count - 2);
    DELETE FROM chapter
    WHERE section = NEW.section AND start BETWEEN NEW."order" - 1 AND NEW."order" + NEW.count - 2;
    INSERT INTO shift_chapters VALUES (NEW.section, NEW."order" - 2, -NEW.count);
END;

-- A chapter begins at a place, unless the section ends before it.
CREATE VIEW cut AS SELECT NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER cut INSTEAD OF INSERT ON cut BEGIN
    INSERT INTO cut_block
    SELECT block, NEW."order" - 1 - chapter_start - start FROM located_block
    WHERE section = NEW.section AND chapter_start + start < NEW."order"
    ORDER BY chapter_start + start DESC LIMIT 1;
    INSERT INTO split_chapter
    SELECT chapter, start FROM located_block
    WHERE section = NEW.section AND start > 0 AND chapter_start + start = NEW."order" - 1;
END;

-- A new block begins after the first `keep` rows, if that is inside this one.
CREATE VIEW cut_block AS SELECT NULL AS block, NULL AS keep WHERE 0;
CREATE TRIGGER cut_block INSTEAD OF INSERT ON cut_block
WHEN NEW.keep > 0 AND NEW.keep < (SELECT count(*) FROM place WHERE block = NEW.block)
BEGIN
    INSERT INTO split_block VALUES (NEW.block, NEW.keep);
END;

-- All places of a section go; its customers wait without one until they are put again or deleted.
CREATE VIEW clear_section AS SELECT NULL AS section WHERE 0;
CREATE TRIGGER clear_section INSTEAD OF INSERT ON clear_section BEGIN
    DELETE FROM place WHERE block IN (SELECT block FROM located_block WHERE section = NEW.section);
    DELETE FROM block WHERE chapter IN (SELECT id FROM chapter WHERE section = NEW.section);
    DELETE FROM chapter WHERE section = NEW.section;
    UPDATE section_record SET count = 0 WHERE id = NEW.section;
END;
