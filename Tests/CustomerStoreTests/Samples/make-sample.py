"""Fills the sample file of the newest format, a list without customers:

    customers section add Leads --db format-12.sqlite; python3 make-sample.py format-12.sqlite

A program that is not ours fills it, so that it has steps of both kinds: with an author, and without.
"""

import sqlite3
import sys
import time

file = sqlite3.connect(sys.argv[1])
file.isolation_level = None


def edit(*statements):
    """One transaction with an author, as the library makes it."""
    token = "%032x" % edit.count
    edit.count += 1
    file.execute("BEGIN IMMEDIATE")
    file.execute("INSERT INTO begin_transaction VALUES (?, 'customers', 'ann', 'desk', 'edit')", (token,))
    for statement in statements:
        file.execute(statement)
    file.execute("INSERT INTO end_transaction VALUES (?)", (token,))
    file.execute("COMMIT")


edit.count = 1
file.execute("UPDATE history_step SET user = 'ann', host = 'desk'")
for number in range(1, 101):
    file.execute(
        "INSERT INTO customers (first_name, last_name, note, extra) VALUES (?, 'Lee', ?, ?)",
        ("N%d" % number, "note %d" % number, '{"City":"Bonn"}' if number % 10 == 0 else "{}"))
    time.sleep(0.002)
edit("UPDATE sections SET footer = 'to call' WHERE id = 2")
edit(*["UPDATE customers SET section = 2 WHERE id = %d" % number for number in range(5, 100, 5)])
edit('UPDATE customers SET "order" = 1 WHERE id = 77', 'UPDATE customers SET "order" = 3 WHERE id = 100')
edit("UPDATE customers SET note = 'changed', is_favorite = 1 WHERE id = 12")
edit("DELETE FROM customers WHERE id IN (20, 21, 22)")
edit(*['UPDATE customers SET "order" = 1 WHERE id = %d' % number for number in range(5, 100, 5)])
edit("""UPDATE customers SET extra = '{"Town":"Bonn"}' WHERE extra <> '{}'""")
edit("UPDATE sections SET title = 'Prospects', \"order\" = 1 WHERE id = 2")
edit("INSERT INTO columns (name, kind) VALUES ('Due', 'date')",
     "INSERT INTO log_lines (customer, at, text) VALUES (13, '2026-11-24T09:30:00Z', 'left a message')",
     "UPDATE customers SET next = '2027-01-31' WHERE id = 14")
edit("UPDATE customers SET can_move = 0 WHERE id = 1")
file.close()
