#!/usr/bin/env python3
"""Random columns of dates, times, numbers, and texts as programs in many languages write them (pip install babel).

    columns.py SEED COUNT [LANGUAGE …] > columns.ndjson

Each line is an object: the language, the kind, the values as written, and how a list keeps them. Python's babel writes them
by the rules of Unicode's CLDR. A line of texts has values that are nearly dates or numbers, and must stay text.
"""
import datetime
import json
import random
import sys

from babel import Locale, dates, numbers

LANGUAGES = "de en_US en_GB fr es it nl pt_BR pl ru sv tr ja zh cs da fi nb uk hu el ro bg hr sk ko id vi he ar".split()
ZONE = datetime.timezone.utc


def date_column(source, language, count):
    style = source.choice(["short", "medium", "long", "full"])
    first = datetime.date(source.choice([1950, 1990, 2020, 2026]), 1, 1)
    days = [first + datetime.timedelta(days=source.randrange(source.choice([30, 365, 5000]))) for _ in range(count)]
    if source.random() < 0.1:
        return [day.isoformat() for day in days], [day.isoformat() for day in days]
    return [dates.format_date(day, style, language) for day in days], [day.isoformat() for day in days]


def time_column(source, language, count):
    style = source.choice(["short", "medium"])
    first = datetime.datetime(source.choice([1990, 2020, 2026]), 1, 1, 0, 0, 0)
    moments = [first + datetime.timedelta(seconds=60 * source.randrange(3_000_000)) for _ in range(count)]
    form = "%Y-%m-%dT%H:%M" if style == "short" else "%Y-%m-%dT%H:%M:%S"
    values = [dates.format_datetime(moment, style, ZONE, language) for moment in moments]
    return values, [moment.strftime(form) for moment in moments]


def number_column(source, language, count):
    digits = source.choice([0, 0, 1, 2, 2, 3, 4])
    size = 10 ** source.randrange(1, 10)
    signs = source.choice([(1,), (1,), (1, -1)])
    found = [source.choice(signs) * round(source.random() * size, digits) for _ in range(count)]
    texts = [f"{number:.{digits}f}" for number in found]
    texts = [text[1:] if text.startswith("-") and float(text) == 0 else text for text in texts]
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    import decimal
    values = [numbers.format_decimal(decimal.Decimal(text), pattern, language) for text in texts]
    return values, texts


def text_column(source, language, count):
    kind = source.randrange(6)
    texts = {
        0: lambda: f"{source.randrange(10000):05}",
        1: lambda: f"+{source.randrange(10, 99)} {source.randrange(100, 999)} {source.randrange(10**6)}",
        2: lambda: source.choice(["soon", "n/a", "2026", "-", dates.format_date(datetime.date.today(), "long", language)]),
        3: lambda: f"{source.randrange(1, 99)}/{source.randrange(1, 99)}",
        4: lambda: f"v{source.randrange(9)}.{source.randrange(30)}",
        5: lambda: source.choice(["yes", "maybe", "no", "1"]),
    }[kind]
    # One that is certainly nothing else.
    found = [texts() for _ in range(count - 1)] + [source.choice(["n/a", "00123", "x 1", "?"])]
    source.shuffle(found)
    return found, found


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    languages = sys.argv[3:] or LANGUAGES
    source = random.Random(seed)
    makers = {"date": date_column, "time": time_column, "number": number_column, "text": text_column}
    for _ in range(count):
        kind = source.choice(["date", "date", "date", "number", "number", "number", "time", "text"])
        language = source.choice(languages)
        values, stored = makers[kind](source, language, source.choice([5, 12, 40, 100]))
        print(json.dumps(
            {"language": language, "kind": kind, "values": values, "stored": stored}, ensure_ascii=False))


main()
