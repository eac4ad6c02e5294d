-- 0004  Many rows at once, each written once: for an import, a new order of a section, and their undo.
--
--     put_rows(section, order)            give the customers in `staged` places from `order` on
--     take_rows(section, order, count)    remove the rows from a place on
--     clear_section(section)              remove all rows of a section

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

-- The section is cut at the place, and the rows get whole new parts of their own.
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

-- `part`, `chapter` and `block` are the first ids of the new nodes, which are consecutive: blocks first, so
-- that a program that writes new records can write their blocks with them. Writing records again would
-- cost most here.
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

-- Removes rows from a place on, as whole parts; their customers are left without a place.
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

-- Deletes the parts of a section that start between `first` and `last`, and everything in them.
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
WHEN NEW.after < (SELECT max("order") FROM place WHERE block = NEW.block)
BEGIN
    INSERT INTO split_block VALUES (NEW.block, NEW.after);
END;

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
    SELECT block, chapter, part FROM located_block
    WHERE part = NEW.part AND start < NEW."order" ORDER BY start DESC LIMIT 1;
END;
