#!/usr/bin/env python3
"""Random statements of a foreign client on a customers file, against plain lists.

    foreign-client.py FILE SEED COUNT [sqlite3 | apsw]

By Python's own sqlite3, or by apsw, which brings a newer SQLite (pip install apsw). After each statement the
whole list is read back; at the first difference the program ends with 1.
"""
import random
import sys

CLAUSES = ["", " OR IGNORE", " OR REPLACE", " OR FAIL", " OR ABORT", " OR ROLLBACK"]
NO_PLACES = [0, -1, 2**31, 2**53, 2**63 - 1, -(2**63), 1.5, "x", b"1"]


def connect(path, module):
    """A function that runs a statement, the errors of a refusal, and the version of SQLite."""
    if module == "apsw":
        import apsw
        connection = apsw.Connection(path)
        connection.set_busy_timeout(60_000)
        run = lambda sql, values=(): list(connection.execute(sql, values))
        return run, (apsw.ConstraintError, apsw.SQLError), apsw.sqlite_lib_version()
    import sqlite3
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    run = lambda sql, values=(): connection.execute(sql, values).fetchall()
    return run, (sqlite3.IntegrityError,), sqlite3.sqlite_version


class Client:
    def __init__(self, path, seed, module):
        self.random = random.Random(seed)
        self.run, self.refusals, self.version = connect(path, module)
        self.run("PRAGMA synchronous = OFF")
        self.run("PRAGMA recursive_triggers = %d" % (seed % 2))
        self.run("PRAGMA foreign_keys = %d" % (seed // 2 % 2))
        self.grows = True
        self.model = self.read()

    def read(self):
        """The sections in order, each with its id and the ids of its rows; all numbers must be 1…n."""
        sections = self.run('SELECT id, "order", count FROM sections ORDER BY "order"')
        assert [order for _, order, _ in sections] == list(range(1, len(sections) + 1)), sections
        rows = {id: [] for id, _, _ in sections}
        for section, order, id in self.run(
                'SELECT section, "order", id FROM customers ORDER BY section, "order"'):
            rows[section].append(id)
            assert order == len(rows[section]), (section, order, id)
        assert all(len(rows[id]) == count for id, _, count in sections), sections
        return [(id, rows[id]) for id, _, _ in sections]

    def step(self):
        """A statement and what it must lead to; None where it must be refused."""
        pick, model = self.random, [(id, list(rows)) for id, rows in self.model]
        count = sum(len(rows) for _, rows in model)
        self.grows = count < 8 or self.grows and count < 70
        index = pick.randrange(len(model))
        section, rows = model[index]
        verb = lambda word: word + pick.choice(CLAUSES)
        kind = pick.choice(("insert " * (6 if self.grows else 2) + "delete " * (2 if self.grows else 6)
                            + "move move across end many note bad sections").split())
        if kind == "insert":
            place = pick.randrange(len(rows) + 1)
            id = self.run("SELECT seq + 1 FROM sqlite_sequence WHERE name = 'customer_record'")
            rows.insert(place, id[0][0] if id else 1)
            return verb("INSERT") + ' INTO customers (section, "order", note) VALUES (?, ?, ?)', (
                section, None if place == len(rows) - 1 and pick.random() < 0.5 else place + 1, "n"), model
        if kind == "sections":
            if len(model) < 4 and pick.random() < 0.5:
                place, title = pick.randrange(len(model) + 1), "t%d" % pick.randrange(10**12)
                new = self.run("SELECT seq + 1 FROM sqlite_sequence WHERE name = 'section_record'")[0][0]
                model.insert(place, (new, []))
                return verb("INSERT") + ' INTO sections (title, "order") VALUES (?, ?)', (title, place + 1), model
            if pick.random() < 0.3:
                if not rows and len(model) > 1:
                    del model[index]
                elif rows:
                    model = None
                else:
                    return 'UPDATE sections SET footer = ?', ("f",), model
                return "DELETE FROM sections WHERE id = ?", (section,), model
            place = pick.randrange(len(model))
            model.insert(place, model.pop(index))
            return verb("UPDATE") + ' sections SET "order" = ? WHERE id = ?', (place + 1, section), model
        if not rows:
            return verb("UPDATE") + ' sections SET "order" = ? WHERE id = ?', (len(model) + 1, section), None
        id = pick.choice(rows)
        if kind == "delete":
            gone = set(pick.sample(rows, pick.randint(1, min(3, len(rows)))))
            model[index] = (section, [row for row in rows if row not in gone])
            marks = ", ".join("?" * len(gone))
            return "DELETE FROM customers WHERE id IN (%s)" % marks, tuple(gone), model
        if kind == "many":
            gone = rows[: len(rows) // 2]
            del rows[: len(rows) // 2]
            return 'DELETE FROM customers WHERE section = ? AND "order" <= ?', (section, len(gone)), model
        if kind == "note":
            return verb("UPDATE") + " customers SET note = ?, \"order\" = \"order\" WHERE id = ?", ("x", id), model
        if kind == "bad":
            place = pick.choice(NO_PLACES + [len(rows) + 1, None])
            return verb("UPDATE") + ' customers SET "order" = ? WHERE id = ?', (place, id), None
        rows.remove(id)
        if kind == "move":
            place = pick.randrange(len(rows) + 1)
            rows.insert(place, id)
            return verb("UPDATE") + ' customers SET "order" = ? WHERE id = ?', (place + 1, id), model
        other, others = pick.choice(model)
        if kind == "end" and other != section:
            others.append(id)
            return verb("UPDATE") + " customers SET section = ? WHERE id = ?", (other, id), model
        place = pick.randrange(len(others) + 1)
        others.insert(place, id)
        return verb("UPDATE") + ' customers SET section = ?, "order" = ? WHERE id = ?', (other, place + 1, id), model


def main(path, seed, count, module="sqlite3"):
    client = Client(path, int(seed), module)
    for number in range(int(count)):
        sql, values, expected = client.step()
        try:
            client.run(sql, values)
            refusal = None
        except client.refusals as error:
            refusal = str(error)
        found = client.read()
        if found != (client.model if expected is None else expected) or (refusal is None) != (expected is not None):
            print("statement %d: %s %r: %s\nwas %r\nis  %r\nnot %r"
                  % (number, sql, values, refusal, client.model, found, expected))
            return 1
        client.model = found
    print("SQLite %s: %s statements" % (client.version, count))
    return 0


sys.exit(main(*sys.argv[1:]))
