-- 0002  The structure: blocks and chapters, kept within their sizes.
--
-- SQL has no procedures, so each idea is a view without rows whose INSTEAD OF INSERT trigger is the
-- body and whose columns (NEW.*) are the parameters. A WHEN on such a trigger is its "if".
--
-- Two rules for whoever edits this and the next files. The conflict clause of the client's statement
-- replaces ours (under INSERT OR IGNORE a failing constraint is skipped and the trigger goes on), so
-- nothing here may rely on a constraint failing: a block is proved before it is touched, so that no
-- constraint can fail, and proved again afterwards, both with RAISE(ABORT), which no clause can change.
-- And no trigger may fire itself: most clients have recursive_triggers off.

-- The sizes, named once: the most rows in a block and blocks in a chapter, and how many of each
-- put_rows fills in, so that there is room for later edits.
CREATE VIEW capacity AS SELECT 64 AS rows, 128 AS blocks, 48 AS rows_filled, 96 AS blocks_filled;

-- Where a block lies.
CREATE VIEW located_block AS
SELECT block.id AS block, block.start, chapter.id AS chapter, chapter.start AS chapter_start, chapter.section
FROM block JOIN chapter ON chapter.id = block.chapter;

-- Where a customer is.
CREATE VIEW placed_row AS
SELECT c.id AS customer, b.section, b.chapter_start + b.start + p."order" AS "order"
FROM customer_record AS c
JOIN located_block AS b ON b.block = c.block
JOIN place AS p ON p.block = c.block AND p.customer = c.id;

-- A customer always knows the block of its place.
CREATE TRIGGER place_inserted AFTER INSERT ON place BEGIN
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
END;
CREATE TRIGGER place_changed_block AFTER UPDATE OF block ON place BEGIN
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
END;

-- The key of place makes numbers whole and distinct; from 1 to their count they leave no gap.
CREATE VIEW prove_block AS SELECT NULL AS block WHERE 0;
CREATE TRIGGER prove_block INSTEAD OF INSERT ON prove_block BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    FROM (SELECT count(*) AS count, min("order") AS first, max("order") AS last FROM place WHERE block = NEW.block)
    WHERE count > 0 AND (first <> 1 OR last <> count);
END;

-- Blocks keep their size --------------------------------------------------------------------------

-- A block and its neighbours. (A column beside min or max is that of the row which has it:
-- https://sqlite.org/lang_select.html#bareagg.)
CREATE VIEW block_pair AS
SELECT chapter, id AS block, (
    SELECT id FROM (
        SELECT later.id, min(later.start) FROM block AS later
        WHERE later.chapter = block.chapter AND later.start > block.start)) AS next, (
    SELECT id FROM (
        SELECT earlier.id, max(earlier.start) FROM block AS earlier
        WHERE earlier.chapter = block.chapter AND earlier.start < block.start)) AS previous
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
    SELECT pair.block, pair.next, pair.chapter
    FROM block_pair AS here JOIN block_pair AS pair ON pair.block IN (here.previous, here.block) JOIN capacity
    WHERE here.block = NEW.block AND pair.next IS NOT NULL
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
    SELECT id FROM (
        SELECT later.id, min(later.start) FROM chapter AS later
        WHERE later.section = chapter.section AND later.start > chapter.start)) AS next, (
    SELECT id FROM (
        SELECT earlier.id, max(earlier.start) FROM chapter AS earlier
        WHERE earlier.section = chapter.section AND earlier.start < chapter.start)) AS previous
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
    SELECT pair.chapter, pair.next
    FROM chapter_pair AS here JOIN chapter_pair AS pair ON pair.chapter IN (here.previous, here.chapter)
    JOIN capacity
    WHERE here.chapter = NEW.chapter AND pair.next IS NOT NULL
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
