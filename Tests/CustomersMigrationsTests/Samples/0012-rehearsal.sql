-- 0012  A step that no release has, for the rehearsal of the next one: a trigger is replaced by dropping and
-- creating it, a column is added with a default.

DROP TRIGGER check_place;
CREATE TRIGGER check_place INSTEAD OF INSERT ON check_place
WHEN typeof(NEW."order") <> 'integer' OR NEW."order" < 1 OR NEW."order" > NEW.last
BEGIN
    SELECT RAISE(ABORT, 'place (rehearsal): "order" must be a whole number from 1 to the number of rows, or one more if a row is added');
END;

ALTER TABLE customer_record ADD COLUMN website TEXT NOT NULL DEFAULT '';
