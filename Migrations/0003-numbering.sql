-- 0003  How the order is kept: a row comes in, goes out, moves. From the top down:
--
--     move_row(customer, section, order)  take_row, then put_row: the place is the one afterwards
--     put_row(customer, section, order)   find the block of that place, open a gap, fill it
--     take_row(customer)                  empty the customer's place, close the gap
--     count_rows(block, by)               the starts of what follows, and the section's count

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
    SELECT NEW.customer, id, NEW."order" - max(start)
    FROM chapter WHERE section = NEW.section AND start < NEW."order";
    INSERT INTO prove_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

-- With broken starts the row may have found no block, or the wrong one.
CREATE VIEW prove_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order" WHERE 0;
CREATE TRIGGER prove_row INSTEAD OF INSERT ON prove_row BEGIN
    SELECT RAISE(ABORT, 'damaged: the numbers of this section are broken; run: customers check --repair')
    WHERE NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = NEW.customer AND section = NEW.section AND "order" = NEW."order");
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
    SELECT NEW.customer, id, NEW."order" - max(start)
    FROM block WHERE chapter = NEW.chapter AND start < NEW."order";
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
