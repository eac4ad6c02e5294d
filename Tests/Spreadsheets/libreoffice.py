#!/usr/bin/python3
"""Hands a list out, lets LibreOffice open and save it in four languages, takes it in again, and prints what differs.

    libreoffice.py CUSTOMERS FOLDER     (apt-get install libreoffice-calc python3-uno libreoffice-l10n-de … -fr … -ja)

A csv file is opened with and without its recognition of dates and special numbers, and both kinds of file are saved as both,
with the dates and numbers as LibreOffice has read them, and as people of the country write them. Nothing should differ.
"""
import csv, datetime, io, json, os, random, shutil, subprocess, sys, time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.lang import Locale
from com.sun.star.util import NumberFormat

LANGUAGES = {"de": ("DE", 1031), "fr": ("FR", 1036), "en": ("US", 1033), "ja": ("JP", 1041)}
TEXTS = ["007", "+49 30 123456", "=1+1", "01.02.2026", "1/2", "1e5", "12:30", "TRUE", "3-4", "1,5", "1.200", "50%", "12.5 kg",
         "+1", "@x", "'quoted", "Mai 2026", "March 3", "-5", "2026", "line 1\nline 2", "N/A", "12/24/2026", "1 000", "1.2.3"]
KINDS = {"Due": "date", "Call": "time", "Amount": "number", "Count": "number", "Paid": "yes/no", "Site": "link"}


def customer(some, number):
    day = datetime.date(2020, 1, 1) + datetime.timedelta(some.randrange(4000))
    moment = datetime.datetime(2024, 1, 1) + datetime.timedelta(minutes=some.randrange(2_000_000))
    own = {"Due": day.isoformat(), "Call": moment.strftime("%Y-%m-%dT%H:%M"), "Amount": f"{some.randrange(10**6) / 100:.2f}",
           "Count": str(some.randrange(5000)), "Code": f"{some.randrange(10**5):05}", "Club": TEXTS[number % len(TEXTS)],
           "Paid": some.choice(["yes", "no"]), "Site": f"https://x{number}.example/a"}
    return {"first_name": f"Ann{number}", "last_name": "Müller", "email": f"a{number}@x.example",
            "phone": some.choice(["+49 30 ", "030", "0171/"]) + str(some.randrange(10**6, 10**7)),
            "address": f"Weg {number}\n{some.randrange(10**5):05} Ulm", "note": some.choice(TEXTS),
            "next": f"2026-12-{some.randrange(1, 29):02}", "extra": own}


class Office:
    def __init__(self):
        self.process = subprocess.Popen(
            ["soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{os.getcwd()}/profile",
             "--accept=pipe,name=customers;urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(300):
            try:
                context = resolver.resolve("uno:pipe,name=customers;urp;StarOffice.ComponentContext")
                break
            except Exception: time.sleep(0.2)
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)

    def save(self, source, target, language, detects, rewrites):
        country, number = LANGUAGES[language]
        options = [("Hidden", True)]
        if source.endswith(".csv"): options += text(f"44,34,76,1,,{number},false,{str(detects).lower()}")
        document = self.desktop.loadComponentFromURL("file://" + os.path.abspath(source), "_blank", 0, properties(options))
        if rewrites: self.rewrite(document, Locale(Language=language, Country=country))
        options = text(f"59,34,76,1,,{number},false,true,false") if target.endswith(".csv") else [("FilterName", "Calc MS Excel 2007 XML")]
        document.storeToURL("file://" + os.path.abspath(target), properties(options))
        document.close(True)

    def rewrite(self, document, locale):
        """Gives dates and numbers the usual formats of the country."""
        sheet, formats = document.Sheets.getByIndex(0), document.NumberFormats
        cursor = sheet.createCursor()
        cursor.gotoEndOfUsedArea(False)
        for row in range(1, cursor.RangeAddress.EndRow + 1):
            for column in range(cursor.RangeAddress.EndColumn + 1):
                cell = sheet.getCellByPosition(column, row)
                kind = formats.getByKey(cell.NumberFormat).Type & ~1
                if cell.Type.value == "VALUE" and kind in (NumberFormat.DATE, NumberFormat.DATETIME, NumberFormat.NUMBER):
                    cell.NumberFormat = formats.getStandardFormat(kind, locale)


def properties(pairs): return tuple(PropertyValue(Name=name, Value=value) for name, value in pairs)
def text(options): return [("FilterName", "Text - txt - csv (StarCalc)"), ("FilterOptions", options)]


def main(customers, folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    run = lambda list_, *words: subprocess.run([customers, "--db", list_, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    def cells(list_):
        rows = list(csv.DictReader(io.StringIO(run(list_, "export", "-", "--ids", "-q").stdout)))
        return [{name: value for name, value in row.items() if name != "version"} for row in rows]
    some = random.Random(7)
    json.dump([customer(some, number) for number in range(60)], open("in.json", "w"))
    run("list.db", "import", "in.json", "-y", "-q")
    for name, kind in KINDS.items(): run("list.db", "columns", "kind", name, kind, "-q")
    for name in "out.csv", "out.xlsx": run("list.db", "export", name, "--ids", "-q", "-y")
    before, office = cells("list.db"), Office()
    for language in LANGUAGES:
        for source in "out.csv", "out.xlsx":
            for detects in ([False, True] if source == "out.csv" else [False]):
                for rewrites in False, True:
                    for ending in "csv", "xlsx":
                        office.save(source, "back." + ending, language, detects, rewrites)
                        shutil.copy("list.db", "copy.db")
                        taken = run("copy.db", "take", "back." + ending)
                        lost = [(name, row[name], other[name]) for row, other in zip(before, cells("copy.db"))
                                for name in row if row[name] != other[name]]
                        notes = [line[:80] for line in taken.stderr.splitlines() if "handed out" in line or taken.returncode]
                        print(language, source, detects, rewrites, ending, taken.returncode, len(lost), "differ", lost[:5], *notes)
    office.process.terminate()


main(os.path.abspath(sys.argv[1]), sys.argv[2])
