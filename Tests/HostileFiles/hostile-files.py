#!/usr/bin/env python3
"""Writes files that ask a reader of a format for more work than an honest file of their size.

hostile-files.py FOLDER BYTES [NAME or .EXTENSION…]

Each is FOLDER/SHAPE.EXTENSION and has about BYTES bytes. A shape is one idea: what is long, deep, repeated, missing,
or mistaken.
"""
import base64, os, sys


def fill(size, item):
    """Items, by number, until there are so many bytes."""
    pieces, length, number = [], 0, 0
    while length < size:
        number += 1
        piece = item(number)
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces)


def cards(size, item, limit=19_000, head="VERSION:3.0\nN:Lee;Ann;;;\n"):
    """Cards with as many of the lines as one may have."""
    def card(number):
        lines, length = [], 0
        while length < size and len(lines) < limit:
            lines.append(item(len(lines) + 1))
            length += len(lines[-1])
        return "BEGIN:VCARD\n" + head + "".join(lines) + "END:VCARD\n"
    return fill(size, card)


def one(size, start, item, end="END:VCARD\n"):
    """One card with a long line."""
    return "BEGIN:VCARD\n" + start + fill(size, item) + "\n" + end


def entries(size, item, limit=19_000):
    def entry(number):
        lines, length = [], 0
        while length < size and len(lines) < limit:
            lines.append(item(len(lines) + 1))
            length += len(lines[-1])
        return "dn: cn=%d\ncn: Ann\n" % number + "".join(lines) + "\n"
    return fill(size, entry)


def table(size, names, row, delimiter=","):
    return delimiter.join(names) + "\n" + fill(size, row)


def objects(size, members, limit=19_000):
    def one(number):
        items, length = [], 0
        while length < size and len(items) < limit:
            items.append(members(number, len(items) + 1))
            length += len(items[-1])
        return '{"name":"Ann",' + ",".join(items) + "}\n"
    return fill(size, one)


# A card of the oldest version.
OLD = "VERSION:2.1\nN:Lee;Ann\n"


def wide(size):
    """The names of as many columns as a file of this size may have in its first line."""
    return ["name"] + ["c%d" % number for number in range(1, min(10_000, size // 20))]


def nothing(size, mark=","):
    return mark * (len(wide(size)) - 1) + "\n"


SHAPES = {
    # Tables
    "quotes.csv": lambda n: "name,note\n" + fill(n, lambda i: 'Ann,"' + '""' * (n // 2) + '"\n'),
    "huge-field.csv": lambda n: 'name,note\nAnn,"' + "x," * (n // 2) + '"\n',
    "huge-lines.csv": lambda n: 'name,note\nAnn,"' + "\n" * n + '"\n',
    "unclosed.csv": lambda n: 'name,note\nAnn,"' + "x\n" * (n // 2),
    "after-quote.csv": lambda n: "name,note\n" + fill(n, lambda i: 'Ann,"a"b' + "\n"),
    "many-columns.csv": lambda n: table(n, wide(n), lambda i: "Ann" + nothing(n)),
    "many-short.csv": lambda n: table(n, wide(n), lambda i: "Ann,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t\n"),
    "many-long.csv": lambda n: table(n, ["name", "note"], lambda i: "Ann" + nothing(n, ",x")),
    "many-phones.csv": lambda n: table(n, ["name"] + ["Phone " + name for name in wide(n)[1:]],
                                       lambda i: "Ann" + nothing(n, ",1")),
    "many-ids.csv": lambda n: table(n, ["i" + "-" * i + "d" for i in range(1, min(500, n // 200))], lambda i: "1\n"),
    "same-columns.csv": lambda n: table(n, ["name"] * len(wide(n)), lambda i: "A" + nothing(n, ",A")),
    "long-name.csv": lambda n: "name,%s\nAnn,1\n" % fill(n, lambda i: "home phone "),
    "many-values.csv": lambda n: "name,phone,email,tags\n" + fill(
        n, lambda i: "Ann,%s,%s,%s\n" % (*[":::".join(s % j for j in range(n // 40)) for s in ("1%d", "%d@x", "t%d")],)),
    "prefixes.csv": lambda n: "name,%sx\nAnn,1\n" % ("extra." * (n // 6)),
    "marks.csv": lambda n: "name,note\nAnn,x\n" + "\x1a" * n,
    "empty-rows.csv": lambda n: "name,note\nAnn,x\n" + ",\n" * (n // 2),
    "blank-lines.csv": lambda n: "name,note\nAnn,x\n" + "\n" * n,
    "headers.csv": lambda n: "name,note\nAnn,x\n" + "name,note\n" * (n // 10),
    "not-utf8.csv": lambda n: b"name,note\n" + b"Ann,\xff\xc3\xa4\xc3\xa4\xc3\xa4\n" * (n // 12),
    "latin1.csv": lambda n: b"name,note\nAnn," + b"\xe4" * n + b"\n",
    "utf16.csv": lambda n: ("name,note\nAnn," + "\xe4" * (n // 2) + "\n").encode("utf-16"),
    "emoji.csv": lambda n: ("name,note\n" + "\U0001f1e9" * (n // 12) + ",x\nAnn," + "e\u0301\u0323" * (n // 8) + "\n").encode(),
    "commas.csv": lambda n: 'name,company\n"%s",x\n' % ("a, " * (n // 3)),
    "escapes.tsv": lambda n: "name\tnote\nAnn\t" + "\\n" * (n // 2) + "\n",
    "bad-escapes.tsv": lambda n: "name\tnote\n" + "Ann\t\\x\n" * (n // 7),
    "many-columns.tsv": lambda n: table(n, wide(n), lambda i: "Ann" + nothing(n, "\t"), "\t"),
    "unclosed.tsv": lambda n: 'name\tnote\nAnn\t"' + "x\n" * (n // 2),
    "many-long.tsv": lambda n: table(n, ["name", "note"], lambda i: "Ann" + nothing(n, "\tx"), "\t"),
    # JSON
    "deep.json": lambda n: '[{"name":"Ann","x":[' + ("[" * 60 + "]" * 60 + ",") * (n // 121) + "0]}]",
    "too-deep.json": lambda n: '[{"name":"Ann","x":' + "[" * n,
    "many-keys.json": lambda n: "[" + objects(n, lambda i, j: '"k%d":"v"' % j).replace("\n{", ",{") + "]",
    "same-key.json": lambda n: "[" + objects(n, lambda i, j: '"k%d":"v"' % (j % 18_000)).replace("\n{", ",{") + "]",
    "escapes.json": lambda n: '[{"name":"Ann","note":"%s"}]' % ("\\u0041" * (n // 6)),
    "pairs.json": lambda n: '[{"name":"Ann","note":"%s"}]' % ("\\ud83d\\ude00" * (n // 12)),
    "number.json": lambda n: '[{"name":"Ann","age":1%s}]' % ("0" * n),
    "spaces.json": lambda n: '[{"name":"Ann"}%s]' % (" " * n),
    "unclosed.json": lambda n: '[{"name":"' + "x" * n,
    "objects.json": lambda n: "[" + objects(n, lambda i, j: '"extra":{%s"z":1}' % "".join(
        '"k%d":1,' % k for k in range(min(19_000, n // 10))), 1).replace("\n{", ",{") + "]",
    "distinct-keys.ndjson": lambda n: fill(n, lambda i: '{"name":"Ann","k%d":1}\n' % i),
    "last-key.ndjson": lambda n: fill(n, lambda i: '{"name":"Ann",%s"z%d":1}\n' % (
        "".join('"k%d":1,' % j for j in range(min(1_000, n // 100))), i)),
    "phones.ndjson": lambda n: objects(n, lambda i, j: '"Phone %d":"1"' % j),
    "tags.ndjson": lambda n: objects(n, lambda i, j: '"tag %d - label":"t"' % j),
    "lists.ndjson": lambda n: fill(n, lambda i: '{"name":"Ann","tags":[%s"z"],"other_contacts":[%s"phone: 1"]}\n' % (
        "".join('"t%d",' % j for j in range(min(9_000, n // 60))), "".join('"phone work: %d",' % j for j in range(min(9_000, n // 60))))),
    # Cards
    "soft-breaks.vcf": lambda n: one(n, OLD + "NOTE;ENCODING=QUOTED-PRINTABLE:", lambda i: "=41=\r\n"),
    "soft-parameters.vcf": lambda n: one(
        n // 2, OLD + "NOTE;X=%s;ENCODING=QUOTED-PRINTABLE:" % ("a" * (n // 2)), lambda i: "a=\n"),
    "soft-folds.vcf": lambda n: one(n, OLD + "NOTE;QUOTED-PRINTABLE", lambda i: "=\n ", "x:1\nEND:VCARD\n"),
    "groups.vcf": lambda n: cards(n, lambda i: "g%d.TEL:%d\ng%d.X-ABLABEL:l%d\n" % (i, i, i, i), 9_500),
    "same-groups.vcf": lambda n: cards(n, lambda i: "g.TEL:1\ng.X-ABLABEL:l\n", 9_500),
    "phones.vcf": lambda n: cards(n, lambda i: "TEL:%d\n" % i),
    "same-phones.vcf": lambda n: cards(n, lambda i: "TEL;TYPE=w%d:1\n" % i),
    "mails.vcf": lambda n: cards(n, lambda i: "EMAIL;TYPE=HOME;PREF=%d:a%d@x\n" % (i % 100 + 1, i)),
    "addresses.vcf": lambda n: cards(n, lambda i: "ADR;TYPE=HOME:;;Way %d;Town;;;\n" % i),
    "address-parts.vcf": lambda n: one(n, "VERSION:3.0\nN:Lee;Ann\nADR:", lambda i: "a;"),
    "names.vcf": lambda n: cards(n, lambda i: "N:Lee%d;Ann\n" % i),
    "full-names.vcf": lambda n: cards(n, lambda i: "FN:Ann Lee %d\n" % i),
    "notes.vcf": lambda n: cards(n, lambda i: "NOTE:%d\n" % i),
    "titles.vcf": lambda n: cards(n, lambda i: "TITLE:%d\n" % i),
    "same-lines.vcf": lambda n: cards(n, lambda i: "X-A:1\n"),
    "tags.vcf": lambda n: cards(n, lambda i: "CATEGORIES:a%d,b%d\n" % (i, i)),
    "many-tags.vcf": lambda n: one(n, "VERSION:3.0\nN:Lee;Ann\nCATEGORIES:", lambda i: "t%d," % i),
    "extras.vcf": lambda n: cards(n, lambda i: 'X-CUSTOMERS-EXTRA:{"X-A%d":"1"}\nX-A%d:1\n' % (i, i), 9_500),
    "parameters.vcf": lambda n: one(n, "VERSION:3.0\nN:Lee;Ann\nTEL", lambda i: ";TYPE=t%d" % i, ":1\nEND:VCARD\n").replace("\n:1", ":1"),
    "quoted.vcf": lambda n: one(n, 'VERSION:4.0\nN:Lee;Ann\nTEL;TYPE="', lambda i: "a,", '":1\nEND:VCARD\n').replace('\n":1', '":1'),
    "folds.vcf": lambda n: one(n, "VERSION:3.0\nN:Lee;Ann\nNOTE:", lambda i: "\n x"),
    "photo.vcf": lambda n: one(n, "VERSION:2.1\nN:Lee;Ann\nPHOTO;ENCODING=BASE64;TYPE=JPEG:", lambda i: "\nAAAA"),
    "photos.vcf": lambda n: cards(n, lambda i: "PHOTO;ENCODING=b;TYPE=JPEG:" + "AAAA" * 100 + "\n"),
    "agents.vcf": lambda n: cards(n, lambda i: "AGENT:\nBEGIN:VCARD\nFN:%d\nEND:VCARD\n" % i, 9_500, OLD),
    "escapes.vcf": lambda n: one(n, "VERSION:3.0\nN:Lee;Ann\nNOTE:", lambda i: "\\n\\,"),
    "unclosed.vcf": lambda n: "BEGIN:VCARD\nVERSION:3.0\n" + fill(n, lambda i: "X-A:1\n") if n < 100_000 else
        "BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann\nNOTE:" + "x" * n,
    "begins.vcf": lambda n: "BEGIN:VCARD\n" * (n // 12),
    "empty.vcf": lambda n: "BEGIN:VCARD\nEND:VCARD\n" * (n // 22),
    "latin1.vcf": lambda n: ("BEGIN:VCARD\n" + OLD + "NOTE;CHARSET=ISO-8859-1:" + "\xe4" * n + "\nEND:VCARD\n").encode("latin1"),
    "not-utf8.vcf": lambda n: b"BEGIN:VCARD\nVERSION:3.0\nN:\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4;Ann\n" + b"NOTE:\xff\n" * (n // 7) + b"END:VCARD\n",
    "colons.vcf": lambda n: one(n, "VERSION:3.0\nN:Lee;Ann\nNOTE:", lambda i: ":;,."),
    # LDIF
    "phones.ldif": lambda n: entries(n, lambda i: "mobile: %d\n" % i),
    "streets.ldif": lambda n: entries(n, lambda i: "street: a%d\n" % i),
    "mails.ldif": lambda n: entries(n, lambda i: "mail: a%d@x\n" % i),
    "others.ldif": lambda n: entries(n, lambda i: "x%d: 1\n" % i),
    "same.ldif": lambda n: entries(n, lambda i: "x: 1\n"),
    "tags.ldif": lambda n: entries(n, lambda i: "category: t%d\n" % i),
    "folds.ldif": lambda n: "dn: cn=1\ncn: Ann\ndescription: x" + "\n x" * (n // 3) + "\n",
    "base64.ldif": lambda n: "dn: cn=1\ncn: Ann\ndescription:: " + base64.b64encode(b"a" * (n * 3 // 4)).decode() + "\n",
    "photo.ldif": lambda n: "dn: cn=1\ncn: Ann\njpegPhoto:: " + "\n ".join(["/9j/"] * (n // 6)) + "\n",
    "comments.ldif": lambda n: "version: 1\ndn: cn=1\ncn: Ann\n" + "#\n" * (n // 2),
    "options.ldif": lambda n: "dn: cn=1\ncn: Ann\nmail" + ";x-a" * (n // 4) + ": a@x\n",
    "dollars.ldif": lambda n: "dn: cn=1\ncn: Ann\npostalAddress: " + "a$" * (n // 2) + "\n",
    "mistakes.ldif": lambda n: "dn: cn=1\ncn: Ann\n\n" + "dn: cn=1\nx\n\n" * (n // 12),
}


def main():
    folder, size = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    for name, shape in SHAPES.items():
        if sys.argv[3:] and not name.endswith(tuple(sys.argv[3:])):
            continue
        content = shape(size)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    main()
