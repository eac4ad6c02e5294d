-- 0001  The tables.
--
-- What people own is in two tables, section_record and customer_record. Where it stands is in three
-- narrow ones, so that renumbering never touches a name, a note or an address:
--
--     section_record            "order" 1…m, and how many rows the section has
--        └─ chapter             start = rows of the section before this chapter
--             └─ block          start = rows of the chapter before this block
--                  └─ place     "order" = 1…k inside the block  ->  which customer
--
-- The number everybody sees is  chapter.start + block.start + place."order".  A block has at most
-- 64 places and a chapter at most 128 blocks (see capacity), so an edit renumbers a part of one
-- block, then the starts of the later blocks of one chapter, then the starts of the later chapters:
-- the same work in a list of a hundred rows and of a hundred thousand.
--
-- These tables are private to the triggers of the next files. Clients use the views.

PRAGMA application_id = 0x43757374;  -- 'Cust'

CREATE TABLE section_record (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- an id is never used twice
    title    TEXT    NOT NULL,
    footer   TEXT    NOT NULL,
    "order"  INTEGER UNIQUE,                     -- NULL once it is deleted
    count    INTEGER NOT NULL DEFAULT 0,
    deleted_by INTEGER                           -- the edit that deleted it, while history keeps it
);

CREATE TABLE customer_record (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    block       INTEGER,                         -- the block that has this customer's place
    deleted_by  INTEGER,                         -- the edit that deleted it, while history keeps it
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
    -- Columns of an import that fit no field: a JSON object. Triggers can't prove that it is one: with
    -- trusted_schema off, as careful clients have it, SQLite 3.40 refuses its own json functions there.
    extra       TEXT    NOT NULL
);

CREATE TABLE chapter (
    id      INTEGER PRIMARY KEY,
    section INTEGER NOT NULL REFERENCES section_record,
    start   INTEGER NOT NULL
);
-- Without the start, which shifts: to look through some dozens of chapters is cheaper than to keep their
-- order in an index up to date. Likewise for blocks.
CREATE INDEX chapter_by_section ON chapter (section);

CREATE TABLE block (
    id      INTEGER PRIMARY KEY,
    chapter INTEGER NOT NULL REFERENCES chapter,
    start   INTEGER NOT NULL
);
CREATE INDEX block_by_chapter ON block (chapter);

-- Clustered by place, so that the rows an edit shifts lie side by side whatever their ids are. The
-- key is what makes it impossible for two customers to have one number. It also means that "+ 1" on
-- a range would collide half-way (https://sqlite.org/lang_update.html: rows are checked one by one),
-- so a range is shifted in two steps: to the negative, then back.
CREATE TABLE place (
    block    INTEGER NOT NULL REFERENCES block,
    "order"  INTEGER NOT NULL CHECK (typeof("order") = 'integer'),
    customer INTEGER NOT NULL,
    PRIMARY KEY (block, "order")
) WITHOUT ROWID;

INSERT INTO section_record (title, footer, "order") VALUES ('Customers', '', 1);
