#!/usr/bin/env python3
"""Reads the text of a PDF that Chromium has printed, as JSON: of each page its size, and each piece of text with where it begins.

pdf-text.py FILE    points are counted from the upper left corner of the page
"""
import json
import re
import sys
import zlib

data = open(sys.argv[1], "rb").read()
objects = {int(m[1]): m[2] for m in re.finditer(rb"(\d+) 0 obj\s*(.*?)\s*endobj", data, re.S)}


def stream(number):
    head, body = objects[number].split(b"stream", 1)
    body = body.lstrip(b"\r").lstrip(b"\n")[:int(re.search(rb"/Length (\d+)", head)[1])]
    return zlib.decompress(body) if b"FlateDecode" in head else body


def characters(font):
    """The texts of the glyphs of a font, by its map to Unicode."""
    texts = {}
    code = lambda digits: int(digits, 16)
    text = lambda digits: bytes.fromhex(digits.decode()).decode("utf-16-be")
    cmap = stream(int(re.search(rb"/ToUnicode (\d+)", objects[font])[1]))
    for part in re.findall(rb"beginbfchar(.*?)endbfchar", cmap, re.S):
        texts |= {code(a): text(b) for a, b in re.findall(rb"<(\w+)> <(\w+)>", part)}
    for part in re.findall(rb"beginbfrange(.*?)endbfrange", cmap, re.S):
        for first, last, start in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", part):
            texts |= {code(first) + i: chr(ord(text(start)) + i) for i in range(code(last) - code(first) + 1)}
    return texts


def times(a, b):
    return [a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
            a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5]]


def pieces(page, height):
    """Each piece of text with where it begins."""
    fonts = {name: characters(int(number)) for part in re.findall(rb"/Font <<(.*?)>>", page, re.S)
             for name, number in re.findall(rb"/(\w+) (\d+) 0 R", part)}
    space, kept, words = [1, 0, 0, 1, 0, 0], [], []
    font, place = {}, space
    content = stream(int(re.search(rb"/Contents (\d+)", page)[1]))
    for word in re.findall(rb"<[\da-fA-F]*>|\((?:\\.|[^\\()])*\)|\[|\]|/\w+|[^\s\[\]<>()/]+", content):
        words.append(word)
        if not re.fullmatch(rb"[A-Za-z'*\"]+\d?", word):
            continue
        numbers = [float(n) for n in words[:-1] if re.fullmatch(rb"[-+.\d]+", n)]
        if word == b"q":
            kept.append(space)
        elif word == b"Q":
            space = kept.pop()
        elif word == b"cm":
            space = times(numbers, space)
        elif word == b"Tf":
            font = fonts[words[-3][1:]]
        elif word == b"Tm":
            place = numbers
        elif word in (b"Td", b"TD"):
            place = times([1, 0, 0, 1, *numbers], place)
        elif word in (b"Tj", b"TJ"):
            digits = b"".join(n[1:-1] for n in words if n[:1] == b"<").decode()
            shown = "".join(font.get(int(digits[i:i + 4], 16), "") for i in range(0, len(digits), 4))
            at = times(place, space)
            yield at[4], height - at[5], shown
        words = []


pages = []
for page in (body for body in objects.values() if re.search(rb"/Type /Page\b(?!s)", body)):
    left, bottom, width, height = map(float, re.search(rb"/MediaBox \[([^]]*)\]", page)[1].split())
    pages.append({"width": round(width), "height": round(height),
                  "pieces": [{"x": x, "y": round(y), "text": text} for x, y, text in pieces(page, height)]})
print(json.dumps(pages))
