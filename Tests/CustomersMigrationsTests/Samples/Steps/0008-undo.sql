-- 0008  Undo and redo.

-- Undoes a step that is done, or redoes one that is undone: in both cases the edits that left it so are
-- reverted, the last one first, as a step of kind NEW.kind.
CREATE VIEW revert_step AS SELECT id AS step, kind FROM history_step WHERE 0;
CREATE TRIGGER revert_step INSTEAD OF INSERT ON revert_step BEGIN
    INSERT INTO open_step
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NEW.kind, action FROM history_step WHERE id = NEW.step;
    UPDATE history_step SET is_open = 1 WHERE id = (SELECT max(id) FROM history_step);
    INSERT INTO revert_edit
    SELECT edit.id, edit.kind FROM history_step AS step
    JOIN history_step AS made ON made.id = step.last
    JOIN history_step AS next ON next.id = made.id + 1
    JOIN history_edit AS edit ON edit.id >= made.first_edit AND edit.id < next.first_edit
    WHERE step.id = NEW.step
    ORDER BY edit.id DESC;
    UPDATE history_step SET state = CASE NEW.kind WHEN 'undo' THEN 'undone' ELSE 'done' END,
        last = (SELECT max(id) FROM history_step)
    WHERE id = NEW.step;
    UPDATE history_step SET is_open = 0 WHERE id = (SELECT max(id) FROM history_step);
END;

-- The log has everything that happened, so the list is as an edit left it. If it is not, some program wrote
-- to the internal tables, and nothing is guessed.
CREATE VIEW refuse_revert AS SELECT NULL AS edit WHERE 0;
CREATE TRIGGER refuse_revert INSTEAD OF INSERT ON refuse_revert BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it, so this step can''t be undone');
END;

-- The opposite of one edit.
CREATE VIEW revert_edit AS SELECT id AS edit, kind FROM history_edit WHERE 0;

CREATE TRIGGER revert_insert INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'insert' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO logged_delete SELECT row FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_delete INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'delete' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM customer_record AS c JOIN present_section AS s ON s.id = edit.section
        WHERE c.id = edit.row AND c.deleted_by = edit.id AND edit."order" <= s.count + 1);
    INSERT INTO logged_insert SELECT row, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_move INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'move' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO logged_move
    SELECT row, to_section, to_order, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_update INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'update' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM placed_row WHERE customer = edit.row);
    INSERT INTO logged_update
    SELECT c.id, ifnull(e.first_name, c.first_name), ifnull(e.last_name, c.last_name),
           ifnull(e.company, c.company), ifnull(e.email, c.email), ifnull(e.phone, c.phone),
           ifnull(e.address, c.address), ifnull(e.note, c.note), ifnull(e.is_favorite, c.is_favorite),
           ifnull(e.can_edit, c.can_edit), ifnull(e.can_move, c.can_move), ifnull(e.extra, c.extra)
    FROM history_edit AS e JOIN customer_record AS c ON c.id = e.row WHERE e.id = NEW.edit;
END;

CREATE TRIGGER revert_insert_rows INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'insert rows' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM placed_row
        WHERE customer BETWEEN edit.row AND edit.row + edit.count - 1
          AND section = edit.to_section AND "order" = edit.to_order + customer - edit.row);
    INSERT INTO logged_delete_rows SELECT row, count, to_section, to_order FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_delete_rows INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'delete rows' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM customer_record
        WHERE id BETWEEN edit.row AND edit.row + edit.count - 1 AND deleted_by = edit.id);
    INSERT INTO logged_insert_rows SELECT row, count, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_arrange INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'arrange' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND (
        count IS NOT (SELECT count FROM present_section WHERE id = edit.section)
        OR EXISTS (
            SELECT 1 FROM history_row AS moved
            LEFT JOIN placed_row AS r ON r.customer = moved.customer AND r.section = edit.section
            WHERE moved.edit = edit.id AND r."order" IS NOT moved.to_order));
    INSERT INTO staged (number, customer)
    SELECT ifnull(moved."order", r."order"), r.customer
    FROM placed_row AS r LEFT JOIN history_row AS moved ON moved.edit = NEW.edit AND moved.customer = r.customer
    WHERE section = (SELECT section FROM history_edit WHERE id = NEW.edit);
    INSERT INTO logged_arrange SELECT section FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_column INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'column' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM history_row JOIN placed_row USING (customer) WHERE edit = NEW.edit);
    INSERT INTO staged_extra SELECT customer, extra FROM history_row WHERE edit = NEW.edit;
    INSERT INTO logged_column SELECT to_name, name FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_section_insert INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section insert' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = edit.row AND "order" = edit.to_order AND count = 0);
    INSERT INTO logged_section_delete SELECT row FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_section_delete INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section delete' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM section_record
        WHERE id = edit.row AND deleted_by = edit.id AND edit."order" <= (SELECT count(*) + 1 FROM present_section));
    INSERT INTO logged_section_insert SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_section_move INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section move' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = edit.row AND "order" = edit.to_order);
    INSERT INTO logged_section_move SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER revert_section_update INSTEAD OF INSERT ON revert_edit WHEN NEW.kind = 'section update' BEGIN
    INSERT INTO refuse_revert
    SELECT id FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = edit.row);
    INSERT INTO logged_section_update
    SELECT s.id, ifnull(e.title, s.title), ifnull(e.footer, s.footer)
    FROM history_edit AS e JOIN section_record AS s ON s.id = e.row WHERE e.id = NEW.edit;
END;
