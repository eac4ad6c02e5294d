-- 0001  The tables.
--
-- What people enter is in two tables, section_record and customer_record. Its order in the list is in two
-- narrow ones, so that renumbering never touches a name, a note or an address:
--
--     section_record               "order" 1…m, and the number of rows in the section
--        └─ node: parts            start = rows of the section before this part
--             └─ node: chapters    start = rows of the part before this chapter
--                  └─ node: blocks start = rows of the chapter before this block
--                       └─ place   "order" = 1…k inside the block  ->  which customer
--
-- The number that clients see is the sum  part.start + chapter.start + block.start + place."order".
-- A node has a limited number of children (the view capacity), so an edit changes some places in one or
-- two blocks and some starts on each level: the same work in a list of a million rows as in one of a hundred.
--
-- These tables are private to the triggers of the next files. Clients use the views.

PRAGMA application_id = 0x436C7374;  -- 'Clst'

CREATE TABLE section_record (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- ids are never reused
    title    TEXT    NOT NULL,
    footer   TEXT    NOT NULL,
    "order"  INTEGER UNIQUE,                     -- NULL after it is deleted
    count    INTEGER NOT NULL DEFAULT 0,
    deleted_by INTEGER                           -- the edit that deleted it, while the history keeps it
);

CREATE TABLE customer_record (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    block       INTEGER,                         -- the block that holds this customer's place
    deleted_by  INTEGER,                         -- the edit that deleted it, while the history keeps it
    first_name  TEXT    NOT NULL,
    last_name   TEXT    NOT NULL,
    company     TEXT    NOT NULL,
    email       TEXT    NOT NULL,
    phone       TEXT    NOT NULL,
    address     TEXT    NOT NULL,
    note        TEXT    NOT NULL,
    is_favorite INTEGER NOT NULL CHECK (is_favorite IN (0, 1)),
    can_edit    INTEGER NOT NULL CHECK (can_edit    IN (0, 1)),
    can_move    INTEGER NOT NULL CHECK (can_move    IN (0, 1)),
    -- Imported columns that match no field: a JSON object. Triggers can't check that it is one: with
    -- trusted_schema off, which careful clients set, SQLite 3.40 rejects its own JSON functions in triggers.
    extra       TEXT    NOT NULL
);

CREATE TABLE node (
    id     INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,                     -- a node; for a part, minus the id of its section
    start  INTEGER NOT NULL                      -- how many rows of the parent come before this node
);
-- The index leaves out the start, which shifts: scanning a few dozen children is cheaper than keeping an
-- index of their order up to date.
CREATE INDEX node_by_parent ON node (parent);

-- Clustered by place, so that the rows an edit shifts are next to each other whatever their ids. The key
-- makes it impossible for two customers to have the same number. An edit never changes a key: customers
-- move from place to place, so nothing can collide halfway through.
CREATE TABLE place (
    block    INTEGER NOT NULL,
    "order"  INTEGER NOT NULL CHECK (typeof("order") = 'integer'),
    customer INTEGER NOT NULL,
    PRIMARY KEY (block, "order")
) WITHOUT ROWID;

INSERT INTO section_record (title, footer, "order") VALUES ('Customers', '', 1);
