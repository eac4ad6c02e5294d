-- 0008  Undo and redo.

-- A step that was done is taken back, one that was taken back is done again: in both cases the edits
-- that made it so are taken back, the last one first, as a step of kind NEW.kind.
CREATE VIEW turn_step AS SELECT NULL AS step, NULL AS kind, NULL AS program WHERE 0;
CREATE TRIGGER turn_step INSTEAD OF INSERT ON turn_step BEGIN
    INSERT INTO open_step
    SELECT NEW.program, action, NEW.kind, 1 FROM history_step WHERE id = NEW.step;
    INSERT INTO take_back
    SELECT edit.id, edit.kind FROM history_step AS step
    JOIN history_step AS made ON made.id = step.last
    JOIN history_step AS next ON next.id = made.id + 1
    JOIN history_edit AS edit ON edit.id >= made.first_edit AND edit.id < next.first_edit
    WHERE step.id = NEW.step
    ORDER BY edit.id DESC;
    UPDATE history_step SET state = CASE NEW.kind WHEN 'undo' THEN 'undone' ELSE 'done' END,
        last = (SELECT id FROM last_step)
    WHERE id = NEW.step;
    INSERT INTO close_step VALUES (1);
END;

-- The opposite of one edit. The log knows all that happened, so things are as the edit left them; if
-- they are not, somebody wrote the inner tables, and nothing is guessed.
CREATE VIEW take_back AS SELECT NULL AS edit, NULL AS kind WHERE 0;

CREATE TRIGGER take_back_insert INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'insert' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO delete_row SELECT row FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_delete INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'delete' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM customer_record AS c JOIN present_section AS s ON s.id = edit.section
        WHERE c.id = edit.row AND c.deleted_by = edit.id AND edit."order" <= s.count + 1);
    INSERT INTO insert_row SELECT row, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_move INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'move' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM placed_row
        WHERE customer = edit.row AND section = edit.to_section AND "order" = edit.to_order);
    INSERT INTO relocate_row SELECT row, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_update INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'update' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM placed_row WHERE customer = edit.row);
    INSERT INTO revise_row
    SELECT c.id, ifnull(e.first_name, c.first_name), ifnull(e.last_name, c.last_name),
           ifnull(e.company, c.company), ifnull(e.email, c.email), ifnull(e.phone, c.phone),
           ifnull(e.address, c.address), ifnull(e.note, c.note), ifnull(e.is_favorite, c.is_favorite),
           ifnull(e.can_edit, c.can_edit), ifnull(e.can_move, c.can_move), ifnull(e.extra, c.extra)
    FROM history_edit AS e JOIN customer_record AS c ON c.id = e.row WHERE e.id = NEW.edit;
END;

CREATE TRIGGER take_back_insert_rows INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'insert rows' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM placed_row
        WHERE customer BETWEEN edit.row AND edit.row + edit.count - 1
          AND section = edit.to_section AND "order" = edit.to_order + customer - edit.row);
    INSERT INTO delete_rows SELECT row, count, to_section, to_order FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_delete_rows INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'delete rows' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND count <> (
        SELECT count(*) FROM customer_record
        WHERE id BETWEEN edit.row AND edit.row + edit.count - 1 AND deleted_by = edit.id);
    INSERT INTO insert_rows SELECT row, count, section, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_arrange INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'arrange' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND (
        count IS NOT (SELECT count FROM present_section WHERE id = edit.section)
        OR EXISTS (
            SELECT 1 FROM history_row AS moved
            LEFT JOIN placed_row AS r ON r.customer = moved.customer AND r.section = edit.section
            WHERE moved.edit = edit.id AND r."order" IS NOT moved.to_order));
    INSERT INTO staged (number, customer)
    SELECT ifnull(moved."order", r."order"), r.customer
    FROM placed_row AS r LEFT JOIN history_row AS moved ON moved.edit = NEW.edit AND moved.customer = r.customer
    WHERE section = (SELECT section FROM history_edit WHERE id = NEW.edit);
    INSERT INTO arrange_rows SELECT section FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_insert INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section insert' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = edit.row AND "order" = edit.to_order AND count = 0);
    INSERT INTO delete_section SELECT row FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_delete INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section delete' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM section_record
        WHERE id = edit.row AND deleted_by = edit.id AND edit."order" <= (SELECT count(*) + 1 FROM present_section));
    INSERT INTO insert_section SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_move INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section move' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (
        SELECT 1 FROM present_section WHERE id = edit.row AND "order" = edit.to_order);
    INSERT INTO relocate_section SELECT row, "order" FROM history_edit WHERE id = NEW.edit;
END;

CREATE TRIGGER take_back_section_update INSTEAD OF INSERT ON take_back WHEN NEW.kind = 'section update' BEGIN
    SELECT RAISE(ABORT, 'history: a row is not where the history left it; this step can''t be taken back')
    FROM history_edit AS edit WHERE id = NEW.edit AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = edit.row);
    INSERT INTO revise_section
    SELECT s.id, ifnull(e.title, s.title), ifnull(e.footer, s.footer)
    FROM history_edit AS e JOIN section_record AS s ON s.id = e.row WHERE e.id = NEW.edit;
END;
