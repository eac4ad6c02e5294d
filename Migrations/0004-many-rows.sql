-- 0004  Many rows at once, written once: for an import, a new order of a section, and their undo.
--
--     put_rows(section, order)            put_row for all customers in `staged`
--     take_rows(section, order, count)    take_row for the rows from a place on

-- The customers to be placed, in order; empty but while a transaction fills it and calls put_rows.
CREATE TABLE staged (
    number   INTEGER PRIMARY KEY,  -- 1…k
    customer INTEGER NOT NULL
);

-- Customers without a place get whole new chapters of their own.
--
-- CROSS JOIN makes SQLite go through the new chapters and blocks and seek in `staged`; left to itself it
-- scans `staged` for every block (https://sqlite.org/optoverview.html#crossjoin).
CREATE VIEW put_rows AS SELECT NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER put_rows INSTEAD OF INSERT ON put_rows BEGIN
    INSERT INTO cut VALUES (NEW.section, NEW."order");
    INSERT INTO shift_chapters SELECT NEW.section, NEW."order" - 2, count(*) FROM staged;

    -- A row goes where NEW."order" - 2 + number rows stand before it.
    INSERT INTO chapter (section, start)
    SELECT NEW.section, NEW."order" - 2 + number FROM staged JOIN capacity
    WHERE (number - 1) % (rows_filled * blocks_filled) = 0;
    INSERT INTO block (chapter, start)
    SELECT chapter.id, NEW."order" - 2 + number - start FROM capacity CROSS JOIN chapter CROSS JOIN staged
    ON number > start - NEW."order" + 1 AND number <= start - NEW."order" + 1 + rows_filled * blocks_filled
    WHERE section = NEW.section AND (number - 1) % rows_filled = 0
      AND start BETWEEN NEW."order" - 1 AND NEW."order" - 2 + (SELECT count(*) FROM staged);
    INSERT INTO place (block, "order", customer)
    SELECT block, NEW."order" - 1 + number - chapter_start - start, customer
    FROM capacity CROSS JOIN located_block CROSS JOIN staged
    ON number > chapter_start + start - NEW."order" + 1
      AND number <= chapter_start + start - NEW."order" + 1 + rows_filled
    WHERE section = NEW.section
      AND chapter_start BETWEEN NEW."order" - 1 AND NEW."order" - 2 + (SELECT count(*) FROM staged);
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
