#!/usr/bin/env python3
"""Random address cards for a round trip through a list, and the comparison of what comes back.

    cards.py write VERSION SEED COUNT > cards.vcf
    cards.py compare cards.vcf exported.vcf            # with the parser below
    cards.py compare cards.vcf exported.vcf vobject    # with vobject (pip install vobject)

Two cards have the same content if they have the same properties, with the same values, types, preferences, other
parameters and groups. What a version writes in its own way is the same: base 64 and a data URI, the type "pref" and
PREF=1, quoted-printable and UTF-8. An exported card may have more: what vCard 4.0 demands, and what only customers
reads.
"""
import base64
import quopri
import random
import re
import sys

TEXTS = [
    "Ann", "Lee", "Zoë Müller", "O'Brien", "日本語", "a, b; c", 'say "hi"', "1 : 2", "x=y", "tea & cake", "e\u0301",
    "50 %", "Weg 1/2", "line one\nline two", "C:\\temp", "\\n", " padded ", "😀", "ﷺ", "long " * 30, "TYPE", "-", "0",
]


class Writer:
    """Writes random cards of one version."""

    def __init__(self, version, seed):
        self.version, self.random = version, random.Random(f"{version} {seed}")
        self.lines = []

    def one(self, *words):
        return self.random.choice(words)

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def text(self):
        text = self.one(*TEXTS)
        # A backslash has no meaning in 2.1, so programs disagree about it.
        return text.replace("\\", "/") if self.version == "2.1" else text

    def escaped(self, text):
        if self.version == "2.1":
            return text.replace(";", "\\;")
        return re.sub(r"([\\,;])", r"\\\1", text).replace("\n", "\\n")

    def types(self, *known):
        words = self.random.sample(known, self.random.randrange(min(4, len(known) + 1)))
        if self.version == "2.1":
            return "".join(";" + word.upper() for word in words)
        if self.version == "4.0":
            # The preference is a parameter of its own.
            isPreferred, words = "pref" in words, [word for word in words if word != "pref"]
            preference = self.one(";PREF=1", ";PREF=50") if isPreferred else ""
        else:
            preference = ""
        words = [self.one(word, word.upper()) for word in words]
        if not words:
            return preference
        return preference + self.one(";TYPE=" + ",".join(words), "".join(";TYPE=" + word for word in words))

    def add(self, name, value, parameters=""):
        if self.version == "2.1" and (not value.isascii() or "\n" in value or self.chance(5)):
            charset = self.one("UTF-8", "UTF-8", "ISO-8859-1")
            try:
                data = value.replace("\n", "\r\n").encode("latin-1" if charset != "UTF-8" else "utf-8")
            except UnicodeEncodeError:
                charset, data = "UTF-8", value.replace("\n", "\r\n").encode()
            encoded = "".join(chr(b) if 32 < b < 127 and b != 61 else f"={b:02X}" for b in data)
            parameters += f";CHARSET={charset};ENCODING=QUOTED-PRINTABLE"
            start = f"{name}{parameters}:"
            while len(start) + len(encoded) > 70:
                room = max(10, 70 - len(start))
                # No sequence is broken.
                while "=" in encoded[room - 2 : room]:
                    room -= 1
                self.lines.append(start + encoded[:room] + "=")
                start, encoded = "", encoded[room:]
            self.lines.append(start + encoded)
            return
        line = f"{name}{parameters}:{value}"
        if self.version == "2.1":
            self.lines.append(line)
            return
        pieces = []
        while len(line.encode()) > 75:
            end = 60
            while len(line[:end].encode()) > 74:
                end -= 1
            pieces.append(line[:end])
            line = " " + line[end:]
        self.lines += pieces + [line]

    def components(self, count, lists=False):
        parts = [self.text() if self.chance(2) else "" for _ in range(count)]
        if not any(parts):
            parts[self.random.randrange(count)] = "x"
        parts = [self.escaped(part) for part in parts]
        if lists and self.version != "2.1" and self.chance(4):
            parts[self.random.randrange(count)] = "one,two"
        return ";".join(parts)

    def binary(self, name, *kinds):
        data = bytes(self.random.randrange(256) for _ in range(self.random.randrange(1, 90)))
        word, media = self.one(*kinds)
        text = base64.b64encode(data).decode()
        if self.version == "2.1":
            self.lines.append(f"{name};{word};ENCODING=BASE64:")
            self.lines += [" " + text[at : at + 60] for at in range(0, len(text), 60)] + [""]
        elif self.version == "3.0":
            self.add(name, text, self.one(f";ENCODING=b;TYPE={word}", f";TYPE={word};ENCODING=b"))
        else:
            self.add(name, f"data:{media};base64,{text}")

    def uri(self):
        return self.one(
            "https://example.org/a?b=c&d=e,f;g", "ftp://h.example/x.gif", "urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
            "mailto:a@x.example", "tel:+1-555-0100;ext=5")

    def once(self, name, value):
        """Adds a property that a card may have only once (RFC 6350, 6.2.5 and 6.2.6)."""
        if not any(line.split(":")[0].split(";")[0].split(".")[-1] == name for line in self.lines):
            self.add(name, value)

    def card(self, number):
        self.lines = ["BEGIN:VCARD", f"VERSION:{self.version}"]
        isOld, isNew = self.version == "2.1", self.version == "4.0"
        # The first name is that of one card only.
        first = f"N{number}"
        family = self.escaped(self.text()).strip() or "x"
        rest = ["", "", ""]
        for index in range(3):
            if self.chance(3):
                rest[index] = self.one("Dr.", "M.", "van") if isOld else self.one("Dr.", "a,b", "M.\\, D.")
        self.add("N", ";".join([family, first] + rest))
        if not isOld or self.chance(2):
            self.add("FN", self.escaped(self.one(f"{first} {self.text()}", self.text().strip() or "x")))
        makers = [
            lambda: self.once("BDAY", self.one("1996-04-15", "19960415", "1953-10-15T23:10:00Z")),
            lambda: self.add("ADR", self.components(7, True), self.types("dom", "intl", "postal", "parcel", "home", "work", "pref")),
            lambda: self.add("TEL", self.one("+1-555-0100", "030 12 34", "+49 (30) 99;5", self.text().strip() or "1").replace(";", "\\;").replace("\n", " "),
                             self.types("home", "work", "pref", "voice", "fax", "msg", "cell", "pager", "bbs", "modem", "car", "isdn", "video", "pcs")),
            lambda: self.add("EMAIL", self.one("a@x.example", "b@y.example", "Ann.Lee+tag@z.example"), self.types("internet", "x400", "pref", "home", "work")),
            lambda: self.add("TZ", self.one("-05:00", "+01:00")),
            lambda: self.add("GEO", "geo:37.386013,-122.082932" if isNew else "37.386013;-122.082932"),
            lambda: self.add("TITLE", self.escaped(self.text())),
            lambda: self.add("ROLE", self.escaped(self.text())),
            lambda: self.add("ORG", self.components(self.one(1, 2, 3))),
            lambda: self.add("NOTE", self.escaped(self.text())),
            lambda: self.add("REV", "1995-10-31T22:27:10Z"),
            lambda: self.add("UID", "19950401-080045-40000F192713-0052"),
            lambda: self.add("URL", self.uri()),
            lambda: self.add("X-" + self.one("SKYPE", "Phonetic-First-Name", "ABDATE"), self.escaped(self.text()), self.types("home", "work")),
            lambda: self.binary("PHOTO", ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("PNG", "image/png")),
            lambda: self.binary("LOGO", ("JPEG", "image/jpeg"), ("PNG", "image/png")),
            lambda: self.binary("SOUND", ("BASIC", "audio/basic"), ("WAVE", "audio/wave")),
        ]
        if isOld:
            makers += [
                lambda: self.lines.extend(["AGENT:", "BEGIN:VCARD", "VERSION:2.1", "N:Agent;An", "TEL;WORK:1", "END:VCARD"]),
                lambda: self.add("MAILER", self.text()),
                lambda: self.add("LABEL", self.text(), self.types("home", "work", "dom")),
                lambda: self.add("URL", self.uri(), ";VALUE=URL"),
            ]
        else:
            makers += [
                lambda: self.add("NICKNAME", self.one("a,b", self.escaped(self.text()))),
                lambda: self.add("CATEGORIES", ",".join(self.escaped(self.text()) for _ in range(self.one(1, 2, 3)))),
                lambda: self.add("PHOTO", self.uri(), "" if isNew else ";VALUE=uri"),
                lambda: self.add("KEY", self.uri(), "" if isNew else ";VALUE=uri"),
                lambda: self.add("NOTE", self.escaped(self.text()), ";LANGUAGE=" + self.one("en", "de-AT")),
                lambda: self.labeled(self.one("TEL", "EMAIL", "URL")),
                lambda: self.add("PRODID", "-//ONLINE DIRECTORY//NONSGML Version 1//EN"),
            ]
        if self.version == "3.0":
            makers += [
                lambda: self.add("MAILER", self.escaped(self.text())),
                lambda: self.add("LABEL", self.escaped(self.text()), self.types("home", "work", "dom")),
                lambda: self.add("AGENT", "BEGIN:VCARD\\nFN:Joe Friday\\nTEL:+1\\nEND:VCARD\\n"),
                lambda: self.add("AGENT", self.uri(), ";VALUE=uri"),
                lambda: self.add("SORT-STRING", self.escaped(self.text())),
                lambda: self.add("CLASS", self.one("PUBLIC", "PRIVATE")),
            ]
        if isNew:
            makers += [
                lambda: self.add("TEL", self.one("tel:+1-555-0100", "tel:+49-30;ext=5"), ";VALUE=uri" + self.types("home", "cell", "pref")),
                lambda: self.add("IMPP", "xmpp:a@x.example", self.types("home", "pref")),
                lambda: self.add("LANG", self.one("fr", "en"), self.types("work", "pref")),
                lambda: self.add("RELATED", self.uri(), ";TYPE=" + self.one("friend", "agent,spouse")),
                lambda: self.add("GENDER", self.one("F", "M;grrrl", "O")),
                lambda: self.add("KIND", self.one("individual", "org")),
                lambda: self.once("ANNIVERSARY", "20090808T1430-0500"),
                lambda: self.add("ADR", self.components(7, True), self.one(';GEO="geo:12.3,-4.5"', ';LABEL="A, B\\nC"', ";ALTID=1;LANGUAGE=de", ";PID=1.1")),
                lambda: self.add("ORG", self.components(2), ';SORT-AS="x,y"'),
                lambda: self.add("FN", self.escaped(self.text().strip() or "x"), ";LANGUAGE=fr"),
                lambda: self.add("EMAIL", "c@z.example", self.one(";PID=1.1,2.1", ';TYPE="home,work"', ";PREF=7;TYPE=home")),
                lambda: self.add("CATEGORIES", "x,y", ";PREF=2"),
                lambda: self.add("XML", self.escaped('<a xmlns="http://a.example">b</a>')),
            ]
        for _ in range(self.random.randrange(14)):
            self.random.choice(makers)()
        return "".join(line + "\r\n" for line in self.lines + ["END:VCARD"])

    def labeled(self, name):
        """A value with a label of its own, as Apple writes it."""
        group = f"item{len(self.lines)}"
        value = {"TEL": "+1-555-0199", "EMAIL": "l@x.example", "URL": "https://l.example"}[name]
        self.add(f"{group}.{name}", value, self.types("pref"))
        self.add(f"{group}.X-ABLabel", self.one("_$!<HomePage>!$_", "Ski Hut", self.escaped(self.text().strip() or "x")))


def unescaped(text, isOld):
    if isOld:
        return text.replace("\\;", ";").replace("\r\n", "\n")
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1] if found[1] in ",;:\\" else found[0], text)


def parts(text, separator, isOld):
    pieces = re.findall(rf"((?:[^{separator}\\]|\\.|\\$)*)(?:{separator}|$)", text, re.S)
    return [unescaped(piece, isOld) for piece in pieces[:-1] or pieces]


def outside_quotes(text, separator):
    pieces, isQuoted = [""], False
    for letter in text:
        isQuoted ^= letter == '"'
        if letter == separator and not isQuoted:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


MEDIA = {"jpeg": "image/jpeg", "gif": "image/gif", "png": "image/png", "basic": "audio/basic", "wave": "audio/wave"}


def content(name, group, parameters, value, isOld):
    """A property in a form that does not depend on the version."""
    pairs, types, preference, encoding, charset = [], [], "", "", "utf-8"
    for key, words in parameters:
        key = key.upper()
        if key == "TYPE":
            types += [word.lower() for word in words]
        elif key == "ENCODING":
            encoding = words[0].upper()
        elif key == "CHARSET":
            charset = words[0]
        elif key == "PREF":
            preference = words[0]
        else:
            pairs.append((key, tuple(words)))
    for word in list(types):
        if word in ("quoted-printable", "base64"):
            encoding = word.upper()
            types.remove(word)
        elif word == "pref":
            preference = preference or "1"
            types.remove(word)
    if encoding == "QUOTED-PRINTABLE":
        value = quopri.decodestring(value.encode()).decode(charset)
    if encoding in ("B", "BASE64"):
        kind = [word for word in types if word in MEDIA]
        types = [word for word in types if word not in MEDIA]
        value = (MEDIA[kind[0]] if kind else "", base64.b64decode(value))
    elif name in ("PHOTO", "LOGO", "SOUND", "KEY") and value.startswith("data:"):
        media, text = value[5:].split(";base64,")
        value = (media, base64.b64decode(text))
    elif name in ("N", "ADR", "ORG"):
        # Only since 3.0, and not in ORG, a component is a list.
        isList = name != "ORG" and not isOld
        value = [parts(piece, ",", isOld) if isList else [unescaped(piece, isOld)] for piece in split_raw(value, ";")]
        while value and value[-1] == [""]:
            value.pop()
    elif name in ("CATEGORIES", "NICKNAME"):
        value = [unescaped(value, True)] if isOld else parts(value, ",", isOld)
    elif name in ("BDAY", "ANNIVERSARY"):
        # A day has dashes in 3.0 only, and a time colons.
        value = re.sub(r"^(\d{4})-(\d\d)-(\d\d)(?:(T\d\d):(\d\d):(\d\d.*))?$", r"\1\2\3\4\5\6", unescaped(value, isOld))
    else:
        value = unescaped(value, isOld)
    return repr((name, group, sorted(set(types)), preference, sorted(pairs), value))


def split_raw(text, separator):
    pieces, isEscaped = [""], False
    for letter in text:
        if letter == separator and not isEscaped:
            pieces.append("")
        else:
            pieces[-1] += letter
        isEscaped = letter == "\\" and not isEscaped
    return pieces


def parsed(text):
    """The cards of a file, each a list of contents, by a parser that has nothing in common with the program's."""
    lines = []
    for line in text.split("\r\n"):
        isSoft = lines and lines[-1].endswith("=") and "QUOTED-PRINTABLE" in lines[-1].split(":")[0]
        if isSoft:
            lines[-1] = lines[-1][:-1] + line
        elif line[:1] in (" ", "\t") and lines:
            lines[-1] += line[1:]
        elif line:
            lines.append(line)
    cards, depth, isOld, agent = [], 0, False, []
    for line in lines:
        head, value = [piece for piece in outside_quotes(line, ":")][0], None
        value = line[len(head) + 1 :]
        words = outside_quotes(head, ";")
        group, _, name = words[0].rpartition(".")
        name = name.upper()
        if name == "BEGIN":
            depth += 1
            if depth == 1:
                cards.append([])
                continue
        if depth == 2:
            agent.append(line)
            if name == "END":
                depth -= 1
                cards[-1].append(repr(("AGENT", "", [], "", [], "\n".join(agent) + "\n")))
                agent = []
            continue
        if name == "END":
            depth -= 1
        elif name == "VERSION":
            isOld = value == "2.1"
        elif not (name == "AGENT" and isOld):
            parameters = []
            for word in words[1:]:
                key, sign, text = word.partition("=")
                values = outside_quotes(text if sign else key, ",")
                values = [piece for text in values for piece in text.strip('"').split(",")]
                parameters.append((key if sign else "TYPE", values))
            cards[-1].append(content(name, group.lower(), parameters, value, isOld))
    return cards


def read_by_vobject(text):
    """The cards as vobject reads them."""
    import vobject

    # It takes a comma in a name of version 2.1 for the end of the name, and knows no data URIs.
    if text.startswith("BEGIN:VCARD\r\nVERSION:2.1"):
        text = re.sub(r"(?m)^FN[^:]*:.*$", lambda line: line[0].replace(",", "\\,"), text)
    text = text.replace("\r\n ", "") if "VERSION:4.0" in text else text
    text = re.sub(r"(PHOTO|LOGO|SOUND):data:\w+/(\w+);base64,", r"\1;ENCODING=b;TYPE=\2:", text)
    cards = []
    for card in vobject.readComponents(text, allowQP=True):
        # It reads a comma of version 2.1 as that of 3.0.
        isOld = card.version.value == "2.1"
        found = []
        for line in card.lines():
            name = line.name.upper()
            # It does not read the card inside a card of version 2.1; the parser above does.
            if name == "VERSION" or name == "AGENT" and (not line.value or "VERSION:2.1" in line.value):
                continue
            types = sorted({word.lower() for word in line.params.get("TYPE", []) + line.singletonparams})
            preference = "".join(line.params.get("PREF", []))
            if "pref" in types:
                types.remove("pref")
                preference = preference or "1"
            value = line.value
            encoding = "".join(line.params.get("ENCODING", [])).upper()
            if name in ("N", "ADR"):
                value = {key: [part] if isinstance(part, str) else part for key, part in vars(value).items()}
                value = {key: [",".join(part)] if isOld else part for key, part in value.items()}
                value = {key: [text.replace("\r\n", "\n") for text in part] for key, part in value.items()}
                value = sorted((key, part) for key, part in value.items() if part not in ([""], []))
            elif name == "ORG":
                value = [text.replace("\r\n", "\n") if isinstance(text, str) else text for text in value]
                while value and value[-1] == "":
                    value.pop()
            elif encoding in ("B", "BASE64") or isinstance(value, bytes):
                data = value if isinstance(value, bytes) else base64.b64decode(value)
                kind = [word for word in types if word in MEDIA]
                types = [word for word in types if word not in MEDIA and word != "base64"]
                value = (MEDIA[kind[0]] if kind else "", data)
            elif isinstance(value, str):
                value = value.replace("\r\n", "\n")
            skipped = ("TYPE", "PREF", "ENCODING", "CHARSET")
            pairs = sorted((key, tuple(words)) for key, words in line.params.items() if key not in skipped)
            found.append(repr((name, (line.group or "").lower(), types, preference, pairs, value)))
        cards.append(found)
    return cards


# What an exported card may have besides the content of the imported one.
ADDED = re.compile(
    r"\('((FN|X-CUSTOMERS-EXTRA|X-CUSTOMERS-FAVORITE|N)', ''|PRODID'.*-//customers//|UID'.*'urn:uuid:)")


def compare(before, after, read):
    texts = [open(path, encoding="utf-8", newline="").read() for path in (before, after)]
    cards, exported = map(read, texts)
    faults = [] if len(cards) == len(exported) else [f"{len(cards)} cards became {len(exported)}"]
    for number, (card, back) in enumerate(zip(cards, exported)):
        rest = list(back)
        missing = []
        for line in card:
            if line in rest:
                rest.remove(line)
            else:
                missing.append(line)
        added = [line for line in rest if not ADDED.match(line)]
        if missing or added:
            faults.append(f"card {number}: lost {missing}, added {added}, beside {rest}")
    properties = sum(map(len, cards))
    print(f"{len(cards)} cards with {properties} properties: {len(faults)} differ")
    for fault in faults[:10]:
        print(fault)
    return 1 if faults else 0


def main():
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    if sys.argv[1] == "write":
        writer = Writer(sys.argv[2], int(sys.argv[3]))
        for number in range(int(sys.argv[4])):
            sys.stdout.write(writer.card(number))
        return 0
    read = read_by_vobject if sys.argv[4:] == ["vobject"] else parsed
    return compare(sys.argv[2], sys.argv[3], read)


sys.exit(main())
