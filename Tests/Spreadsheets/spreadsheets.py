#!/usr/bin/python3
"""Reads and writes xlsx files for the tests, with openpyxl, and by hand where no honest program would.
Reads calendars with khal.

spreadsheets.py cells FILE   prints the rows of the first sheet, each cell as its type, its value, and its format
spreadsheets.py write FOLDER   writes honest files
spreadsheets.py spoil FOLDER   writes hostile ones
spreadsheets.py lists SEEDS   prints what the files that $CUSTOMERS makes of a random list for each of the seeds
                                FIRST-LAST lose
"""
import datetime, json, os, random, sqlite3, struct, subprocess, sys, zipfile

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
ROWS = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>' \
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Ann</t></is></c></row>'


def relations(*pairs):
    return "<Relationships %s>%s</Relationships>" % (PACKAGE, "".join(
        '<Relationship Id="r%d" Type="%s/%s" Target="%s"/>' % (i, OFFICE, kind, target)
        for i, (kind, target) in enumerate(pairs)))


def book(path, rows=ROWS, strings=None, head="", properties="", styles="", sheet=None):
    """Writes a file with one sheet, as small as it can be."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_rels/.rels", relations(("officeDocument", "/xl/workbook.xml")))
        file.writestr("xl/workbook.xml", '<x:workbook xmlns:x="a" xmlns:r="%s">%s<x:sheets>'
                      '<x:sheet name="One" sheetId="7" r:id="r0"/></x:sheets></x:workbook>' % (OFFICE, properties))
        parts = [("worksheet", "worksheets/../worksheets/s.xml"), ("styles", "styles.xml")]
        file.writestr("xl/_rels/workbook.xml.rels", relations(
            *parts + ([("sharedStrings", "strings.xml")] if strings is not None else [])))
        file.writestr("xl/styles.xml", "<styleSheet %s>%s</styleSheet>" % (MAIN, styles))
        if strings is not None:
            file.writestr("xl/strings.xml", "<sst %s>%s</sst>" % (MAIN, strings))
        file.writestr("xl/worksheets/s.xml", sheet or head + "<worksheet %s><sheetData>%s</sheetData></worksheet>" % (MAIN, rows))


def text(place, value):
    return '<c r="%s" t="inlineStr"><is><t>%s</t></is></c>' % (place, value)


def spoil(folder):
    at = lambda name: os.path.join(folder, name + ".xlsx")
    def patched(name, old, new, where="xl/worksheets/s.xml"):
        """A file whose head or list of files says something else."""
        book(at(name))
        data = bytearray(open(at(name), "rb").read())
        start = data.rindex(b"PK\x01\x02", 0, data.rindex(where.encode()))
        assert struct.unpack_from(old[1], data, start + old[0])
        struct.pack_into(old[1], data, start + old[0], new(struct.unpack_from(old[1], data, start + old[0])[0]))
        open(at(name), "wb").write(data)
    book(at("bomb"), ROWS + " " * 60_000_000)
    book(at("bomb-in-strings"), strings="<si><t>" + "a" * 60_000_000 + "</t></si>")
    book(at("bomb-in-cells"), '<row r="1">%s</row>' % text("A1", "name") + "".join('<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (n, n) for n in range(2, 1000)),
         strings="<si><t>" + "a" * 30_000 + "</t></si>")
    book(at("dtd"), head='<!DOCTYPE lolz [<!ENTITY lol "lol">]>')
    book(at("entity"), '<row r="1">%s</row>' % text("A1", "&lol;"))
    book(at("far-cell"), ROWS + '<row r="1048576">%s</row>' % text("XFD1048576", "x"))
    book(at("far-column"), ROWS + '<row r="3">%s</row>' % text("XFD3", "x"))
    book(at("no-column"), '<row r="1">%s</row>' % text("XFE1", "x"))
    book(at("row-order"), '<row r="5">%s</row><row r="4">%s</row>' % (text("A5", "x"), text("A4", "y")))
    book(at("row-beyond"), '<row r="1048577">%s</row>' % text("A1048577", "x"))
    book(at("cell-order"), '<row r="1">%s%s</row>' % (text("B1", "x"), text("A1", "y")))
    book(at("cell-of-other-row"), '<row r="1">%s</row>' % text("A2", "x"))
    book(at("error"), ROWS + '<row r="3"><c r="A3" t="e"><v>#DIV/0!</v></c></row>')
    book(at("leap-bug"), ROWS + '<row r="3"><c r="A3" s="1"><v>60</v></c></row>', styles='<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>')
    book(at("no-number"), ROWS + '<row r="3"><c r="A3"><v>1,5</v></c></row>')
    book(at("no-string"), ROWS + '<row r="3"><c r="A3" t="s"><v>9</v></c></row>', strings="<si><t>x</t></si>")
    book(at("open-tags"), sheet="<worksheet><sheetData>" + ROWS)
    book(at("crossed-tags"), sheet="<worksheet><sheetData>" + ROWS + "</worksheet></sheetData>")
    book(at("deep"), sheet="<worksheet>" + "<a>" * 100_000)
    book(at("long-tag"), sheet="<worksheet " + "a" * 100_000)
    book(at("utf-16"), sheet=("<worksheet>" + ROWS + "</worksheet>").encode("utf-16"))
    patched("encrypted", (8, "<H"), lambda flags: flags | 1)
    patched("checksum", (16, "<L"), lambda crc: crc ^ 1)
    patched("zip64", (24, "<L"), lambda size: 0xffffffff)
    patched("method", (10, "<H"), lambda method: 12)
    patched("overlap", (42, "<L"), lambda offset: offset - 40)
    patched("short", (24, "<L"), lambda size: size - 1)
    data = open(at("zip64"), "rb").read()
    open(at("cut"), "wb").write(data[:-30])
    with zipfile.ZipFile(at("no-book"), "w") as file:
        file.writestr("readme.txt", "hello")


def write(folder):
    import openpyxl
    rows = [
        ["Name", "Phone", "Due", "Call", "Amount", "Paid", "Zip", "At", "Note"],
        ["Ann Lee", "0301234", datetime.date(2026, 12, 24), datetime.datetime(2026, 12, 24, 17, 30), 1.234, True, 10115,
         datetime.time(9, 5), "a\nb\t_x0041_ & <c>"],
        ["Bob", "+49 30", datetime.date(1900, 1, 5), datetime.datetime(1904, 1, 2, 0, 0, 1), 2.345, False, 10117,
         datetime.time(23, 59, 30), "plain"],
        [],
        ["=evil()", None, datetime.date(9999, 12, 31), None, 0.1 + 0.2, True, 10119, None, None],
    ]
    for name, epoch in ("1900", None), ("1904", openpyxl.utils.datetime.CALENDAR_MAC_1904):
        book_ = openpyxl.Workbook()
        if epoch: book_.epoch = epoch
        book_.active.title = "People"
        for row in rows: book_.active.append([] if not row else row)
        book_.active["A5"].data_type = "s"
        if epoch: book_.active["C3"] = datetime.date(1904, 1, 5)
        other = book_.create_sheet("Other One")
        other.append(["name"]); other.append(["Zoe"])
        book_.save(os.path.join(folder, name + ".xlsx"))
    book(os.path.join(folder, "small.xlsx"), ROWS + '<row><c t="s"><v>0</v></c></row>'
         '<row><c t="str"><f>A1&amp;"x"</f><v>Dan &#x44;&#69;</v></c></row><row r="7"><c t="s"><v>1</v></c></row>',
         strings='<si><r><t>Ca</t></r><rPh><t>KA</t></rPh><r><t xml:space="preserve">t </t></r></si>'
         '<si><t><![CDATA[E<e]]></t></si><!-- end -->', head='<?xml version="1.0"?>\n')


    hours = openpyxl.Workbook()
    for row in [["name", "Took"], ["Ann", datetime.timedelta(hours=30)], ["Bob", datetime.timedelta(minutes=5)]]:
        hours.active.append(row)
    other = hours.create_sheet("Two")
    other.append(["name", "Took"]); other.append(["Cid", "=1+1"])
    for cell in hours.active["B"]: cell.number_format = "[h]:mm:ss"
    hours.save(os.path.join(folder, "hours.xlsx"))
    rates = openpyxl.Workbook()
    for row in [["name", "Rate", "Share"], ["Ann", 0.125, 0.07], ["Bob", 3, 0.000005], ["Cid", -0.29, 1e-7]]: rates.active.append(row)
    for cell in rates.active["B"]: cell.number_format = "0%"
    for cell in rates.active["C"]: cell.number_format = '#,##0.0 "x" %;[Red]-0%'
    rates.save(os.path.join(folder, "rates.xlsx"))
    # Of so many texts, cells have the first.
    book(os.path.join(folder, "texts.xlsx"), '<row><c t="s"><v>0</v></c></row><row><c t="s"><v>2</v></c></row>'
         '<row><c t="s"><v>1</v></c></row>',
         strings="".join("<si><t>%s</t></si>" % text for text in ["name", "Ann", "Bob"] + [str(n) * 100 for n in range(9_999)])
         + "<damaged")


def cells(path):
    import openpyxl
    for row in openpyxl.load_workbook(path).active.iter_rows():
        print(json.dumps([[c.data_type, str(c.value), c.number_format] for c in row], ensure_ascii=False))


def lists(seeds):
    """Random lists come from a workbook of openpyxl, and have next dates; openpyxl and khal read what they export."""
    first, last = map(int, seeds.split("-"))
    with open("khal.conf", "w") as config:
        config.write("[calendars]\n[[c]]\npath = c\n[locale]\ndateformat = %Y-%m-%d\n"
                     "longdateformat = %Y-%m-%d\n[sqlite]\npath = khal.db\n")
    os.makedirs("c", exist_ok=True)
    for seed in range(first, last + 1):
        kinds = [{}, {"Phone": text_, "Due": day, "Amount": number, "Paid": mark, "Call": moment, "Note": text_}]
        columns = {"Company": text_, "next": day, "Birthday": day, **random.Random(seed).choice(kinds)}
        rows = rows_of(random.Random(seed), columns)
        problem = lost(columns, rows)
        if problem: print(f"seed {seed}: {problem}")


# The reader of khal takes a backslash before n, a comma, or a semicolon for a part of an escape, which it is not, and
# openpyxl writes `_x0041_` as it is, which means A.
SIGNS = ["a", "Z", "0", "=", "+", "-", "'", '"', ",", ";", ":", "\\x", "<", "&", "]]>", "é", "e\u0301",
         "Ł", "א", "名", "😀", "%", "{title}", "\u00a0", "\u2028", "BEGIN:VEVENT", "x" * 80, "Ö" * 50]


def text_(some):
    return "n" + "".join(some.choice([" ", *SIGNS]) for _ in range(some.randrange(1, 9))).strip()


def day(some): return datetime.date(1901, 1, 1) + datetime.timedelta(some.randrange(70_000))
def moment(some): return datetime.datetime.combine(day(some), datetime.time(some.randrange(24), some.randrange(60), 1))
def number(some): return some.choice([some.randrange(-10**12, 10**12), some.randrange(10**6) / 100, -0.001])
def mark(some): return some.random() < 0.5


def rows_of(some, columns):
    return [[make(some) if name == "Company" or some.random() < 0.7 else None for name, make in columns.items()]
            for _ in range(some.randrange(1, 12))]


def lost(columns, rows):
    """What the files of a list of these rows lack or change; None for nothing."""
    import openpyxl
    for file in os.listdir("."):
        if file.startswith(("list.", "customers.sqlite")): os.remove(file)
    given = openpyxl.Workbook()
    for row in [columns, *rows]:
        given.active.append([value for name, value in zip(columns, row) if name != "next"])
    for cell in next(given.active.columns): cell.data_type = "s"
    given.save("given.xlsx")
    for words in ["import given.xlsx", "export list.xlsx --ids", "export list.ics"]:
        done = subprocess.run([os.environ["CUSTOMERS"], *words.split(), "-q", "-y", "--db", "customers.sqlite"],
                              capture_output=True, text=True)
        if done.returncode: return f"{words}: {rows}: {done.stderr}"
        if words.startswith("import"):
            with sqlite3.connect("customers.sqlite") as list_:
                list_.executemany("UPDATE customers SET next = ? WHERE id = ?",
                                  [(str(row[1] or ""), id) for id, row in enumerate(rows, 1)])
            list_.close()
    heads, *lines = openpyxl.load_workbook("list.xlsx").active.iter_rows(values_only=True)
    # A column without a value is left out.
    taken = [[dict(zip(heads, line)).get(name if name in heads else name.lower()) for name in columns] for line in lines]
    wanted = [[plain(value) for value in row] for row in rows]
    if taken != wanted: return f"openpyxl: {[pair for pair in zip(wanted, taken) if pair[0] != pair[1]]}"
    wanted = [f"{row[i]} {row[0]}" for row in rows for i in (1, 2) if row[i]]
    read = subprocess.run(["khal", "-c", "khal.conf", "printics", "-f", "{start-date} {title}", "list.ics"],
                          capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    events = read.stdout.split("\n")[1:-1]
    if wanted and sorted(events) != sorted(wanted): return f"khal: {wanted} became {read}"


def plain(value):
    """openpyxl gives a day back as its first moment."""
    return datetime.datetime.combine(value, datetime.time()) if type(value) is datetime.date else value


{"cells": cells, "write": write, "spoil": spoil, "lists": lists}[sys.argv[1]](sys.argv[2])
