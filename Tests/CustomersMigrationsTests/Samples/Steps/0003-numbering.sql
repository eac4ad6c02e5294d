-- 0003  How the order is kept when a row is inserted, deleted or moved. From the top down:
--
--     insert_row(customer, section, order)      put_row
--     delete_row(customer)                      detach_row
--     move_row(customer, …, section, order)     put_row: detach_row there, attach_row here
--     put_row                                   find the part, the chapter and the block of the place
--     attach_row, detach_row                    add a row to a block or remove it, by slide_row
--     slide_row(block, from, to)                shift the customers of a block by one place
--     count_row(source, target)                 adjust the starts between the two blocks

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

-- The place is looked up in the list as it is, with the row still in it. If the row comes from above in the
-- same section, everything between moves up by one, so the row goes after the one that is there now.
CREATE VIEW move_row AS
SELECT NULL AS customer, NULL AS section, NULL AS "order", NULL AS to_section, NULL AS to_order WHERE 0;
CREATE TRIGGER move_row INSTEAD OF INSERT ON move_row BEGIN
    INSERT INTO put_row VALUES (
        NEW.customer, NEW.to_section, NEW.to_order, NEW.section = NEW.to_section AND NEW."order" < NEW.to_order);
END;

-- The block of a place -----------------------------------------------------------------------------
--
-- On each level it is in the last child that starts before it. On the way down "order" becomes the number
-- within the part, the chapter and the block. `is_after`: 1 if the row goes after the one that has this
-- number now, 0 if it goes before it.

CREATE VIEW put_row AS SELECT NULL AS customer, NULL AS section, NULL AS "order", NULL AS is_after WHERE 0;
CREATE TRIGGER put_row INSTEAD OF INSERT ON put_row BEGIN
    INSERT INTO begin_section VALUES (NEW.section);
    INSERT INTO put_in_part VALUES (
        NEW.customer,
        (SELECT id FROM (SELECT id, max(start) FROM node WHERE parent = -NEW.section AND start < NEW."order")),
        NEW."order", NEW.is_after);
    INSERT INTO assert_row VALUES (NEW.customer, NEW.section, NEW."order");
END;

-- An empty section has no part yet.
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

-- Within a block only its places change; between blocks (or for a new row) the starts between them do too.
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

-- The rows of a block -----------------------------------------------------------------------------

-- The block is dense and has the row exactly once.
CREATE VIEW assert_in_block AS SELECT NULL AS customer, NULL AS block WHERE 0;
CREATE TRIGGER assert_in_block INSTEAD OF INSERT ON assert_in_block BEGIN
    INSERT INTO assert_dense_block VALUES (NEW.block);
    INSERT INTO refuse_damaged VALUES (
        (SELECT count(*) FROM place WHERE block = NEW.block AND customer = NEW.customer) <> 1);
END;

-- The row is added at the end of the block and slides to its place.
CREATE VIEW attach_row AS SELECT NULL AS customer, NULL AS block, NULL AS "order" WHERE 0;
CREATE TRIGGER attach_row INSTEAD OF INSERT ON attach_row BEGIN
    INSERT INTO assert_dense_block VALUES (NEW.block);
    INSERT INTO place (block, "order", customer)
    VALUES (NEW.block, ifnull((SELECT max("order") FROM place WHERE block = NEW.block), 0) + 1, NEW.customer);
    UPDATE customer_record SET block = NEW.block WHERE id = NEW.customer;
    INSERT INTO slide_row VALUES (
        NEW.block, (SELECT max("order") FROM place WHERE block = NEW.block), NEW."order");
END;

-- The row slides to the end of the block and is removed.
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

-- A customer moves from one place of the block to another, and those between move one place toward where
-- it was. UPDATE … FROM reads all rows before it writes the first.
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

-- The starts --------------------------------------------------------------------------------------

-- Block `source` has one row less and block `target` one more; either may be NULL. On each level the starts
-- of the nodes between them change; then the blocks are brought back within their sizes.
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

-- The nodes after the source start one row earlier, those after the target one row later; if both have the
-- same parent, those after both start where they did.
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
