#!/usr/bin/env python3
"""Random requests of a hostile program to `customers serve`: nothing but what it offers is touched.

    hostile-caller.py PROGRAM FOLDER SEED SECONDS [COUNT]

Each request goes to a program of its own, with a pipe or on a terminal, under strace. It ends with 1 as soon as one
opens, creates, replaces or removes a file outside the offer, starts a program, connects to anything, crashes or
hangs; then it prints the seed of that request. It ends after the seconds, or after so many requests, and with 1 if
the program has refused most of them unread.
"""
import base64
import hashlib
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

REQUEST, REPLY, FAILURE, DATA, END = range(1, 6)
OUTPUT, ERRORS, OPEN, READ_LINE, EDIT, MAY_WRITE, CREATE, WRITE, SYNC, FINISH, WILL_CHANGE, EXIT, PAGE = range(32, 45)
PROGRAM, FOLDER = os.path.abspath(sys.argv[1]), os.path.realpath(sys.argv[2])
OFFERED, SECRET, HOME, TEMPORARY = (f"{FOLDER}/{name}" for name in ("offered", "secret", "home", "temporary"))
USUAL = HOME + "/.local/share/customers/customers.sqlite"
LISTS = [OFFERED + "/a.sqlite", OFFERED + "/sub/b.sqlite"]
LOG = FOLDER + "/log"

# What every program of the system opens to start, to know the time, and to see who holds a lock.
SYSTEM = re.compile(
    r"/(usr/)?lib(64|exec)?/|/etc/(ld\.so|localtime|nsswitch)|/usr/share/(zoneinfo|locale)/|/proc/(?!.*environ)|/sys/|/dev/"
    r"(null|tty|pts/|urandom|random)|" + re.escape(os.path.realpath(PROGRAM)) + r"|.*/libswift[^/]*\.so$|.*/lib[^/]*\.so(\.[0-9]+)*$")
CALLS = re.compile(r"^\d+ +(\w+)\((.*)\) += (\S+)")
CHANGES = {"rename", "renameat", "renameat2", "unlink", "unlinkat", "link", "linkat", "symlink", "symlinkat", "mkdir",
           "mkdirat", "rmdir", "truncate", "chmod", "fchmodat", "chown", "lchown", "fchownat", "creat", "mknod",
           "mknodat", "utimensat", "setxattr", "removexattr", "mount", "chroot", "pivot_root"}
OPENS = {"open", "openat", "openat2"}


def environment():
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    # As from sshd: without a name, the program looks it up in /etc/passwd.
    return kept | {"HOME": HOME, "LOGNAME": "ann", "TMPDIR": TEMPORARY, "TERM": "xterm", "LC_ALL": "C"}


def protocol_number():
    """The number in the greeting: requests with another one are refused unread."""
    serving = subprocess.run([PROGRAM, "serve"], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return serving.stdout.split()[2].decode()


def customers(*words):
    subprocess.run([PROGRAM, *words], env=environment(), check=True, stdout=subprocess.DEVNULL)


def make_world():
    """Lists that are offered, hidden or secret, and links from the offered folder to the secret one."""
    for folder in (OFFERED, SECRET, HOME, TEMPORARY):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in (OFFERED + "/sub", OFFERED + "/.hidden", SECRET + "/.ssh", HOME + "/.ssh", TEMPORARY):
        os.makedirs(folder)
    for path in (*LISTS, OFFERED + "/.hidden/c.sqlite", OFFERED + "/.d.sqlite", SECRET + "/list.sqlite"):
        customers("--db", path, "demo")
    customers("demo")
    os.symlink(SECRET + "/list.sqlite", OFFERED + "/link.sqlite")
    os.symlink(SECRET, OFFERED + "/linked")
    os.symlink(OFFERED + "/a.sqlite", OFFERED + "/sub/inner.sqlite")
    for path in (SECRET + "/people.csv", HOME + "/.profile", HOME + "/.ssh/authorized_keys", OFFERED + "/notes.txt"):
        with open(path, "w") as file: file.write("root:x:0:0,secret\nname,note\n")
    os.mkfifo(SECRET + "/pipe")


def state(folder):
    """Everything in a folder, by its path."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(base, name)
            status = os.lstat(path)
            regular = os.path.isfile(path) and not os.path.islink(path)
            content = hashlib.sha256(open(path, "rb").read()).hexdigest() if regular else ""
            found[path] = (status.st_mode, status.st_size, status.st_nlink, content)
    return found


class Limit:
    """What a server was started with."""
    def __init__(self, words, lists, folder=None, read_only=False):
        self.words, self.lists, self.folder, self.read_only = words, lists, folder, read_only
        if read_only: self.words = words + ["--read-only"]

    def may_read(self, path):
        return path == TEMPORARY or self.is_list(path) or self.may_change(path)

    def is_list(self, path):
        return any(path in (list, list + "-journal", list + "-wal", list + "-shm", os.path.dirname(list))
                   for list in self.lists) or self.is_in_folder(path)

    def is_in_folder(self, path):
        if not self.folder: return False
        rest = os.path.relpath(path, self.folder)
        return rest == "." or not any(part.startswith(".") for part in rest.split("/"))

    def may_change(self, path):
        if path.startswith(TEMPORARY + "/"): return True
        if self.read_only: return False
        if self.is_in_folder(path): return True
        # The old list that a restore keeps, and files under another name until they are complete.
        return any(re.fullmatch(re.escape(list) + r"(\.before-restore(-\d+)?)?(\.~\w{5})?(-journal|-wal|-shm)?", path)
                   for list in self.lists)


LIMITS = [
    Limit([], [USUAL]), Limit(["--list", LISTS[0]], LISTS[:1]), Limit(["--list", LISTS[0]], LISTS[:1], read_only=True),
    Limit(["--list", LISTS[0], "--list", LISTS[1]], LISTS), Limit(["--folder", OFFERED], [], OFFERED),
    Limit(["--folder", OFFERED], [], OFFERED, read_only=True),
]


class Caller:
    """One hostile caller, which a seed determines."""
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.limit = self.random.choice(LIMITS)
        # Whether the program has read the request.
        self.is_read = False

    def pick(self, *choices): return self.random.choice(choices)

    def path(self):
        r = self.random
        path = self.pick(
            *LISTS, *LISTS, *LISTS, USUAL, "/~/.local/share/customers/customers.sqlite", OFFERED + "/new.sqlite",
            OFFERED + "/sub/new.sqlite", OFFERED + "/none/new.sqlite", OFFERED + "/.new", OFFERED + "/.hidden/c.sqlite",
            OFFERED + "/.d.sqlite", OFFERED + "/link.sqlite", OFFERED + "/linked/list.sqlite", OFFERED + "/linked/new",
            OFFERED + "/sub/inner.sqlite", OFFERED + "/notes.txt", OFFERED + "/a.sqlite-journal", OFFERED, "/",
            OFFERED + "/sub/../a.sqlite", OFFERED + "/../secret/list.sqlite", OFFERED + "//sub/./b.sqlite",
            SECRET + "/list.sqlite", SECRET + "/people.csv", SECRET + "/new.sqlite", SECRET + "/pipe",
            HOME + "/.ssh/authorized_keys", HOME + "/.ssh/authorized_keys2", HOME + "/.profile", "/etc/passwd",
            "/proc/self/environ", "/dev/stdin", "", "-", ".", "list", "~/.profile", ":memory:",
            "file:" + SECRET + "/list.sqlite?mode=rwc", OFFERED + "/a.sqlite\0/x", OFFERED + "/new-" + str(r.randrange(9)))
        if r.random() < 0.05: path += self.pick("/", "/.", "/..", "-journal", "\n", "%2e", ".before-restore")
        return path

    def address(self):
        path = self.path()
        if not path.startswith("/") or self.random.random() < 0.2: return path
        return self.pick("ssh://far", "ssh://far", "ssh://far", "ssh://far/~/..", "dqlite://127.0.0.1:1") + path

    def program(self):
        return self.pick(f"touch {SECRET}/owned #", f"cat {SECRET}/people.csv #", "id", SECRET + "/pipe", "/bin/sh")

    def word(self):
        return self.pick(
            "1", "2", "1-3", "@1", "-", "first", "last", "leads", "Leads", "Anna", "name=x", "@99", "", "--", "yes",
            "company", "City", "add", "list", self.path(), self.address(), str(self.random.randrange(-3, 99)), "a\nb",
            "section", "drop", "rename", "count", "bash", "zsh", "fish")

    def option(self):
        if self.random.random() < 0.8:
            return self.pick(
                ["--db", self.address()], ["--db=" + self.address()], ["--db", self.path()], ["-y"], ["-n"], ["--json"],
                ["--quiet"], ["--no-input"])
        return self.pick(
            ["--format", self.pick("json", "csv", "vcard", "ids", "x")], ["--help"], ["--version"], ["--editor"], ["--rejects", self.path()], ["--map", self.word()], ["--every", "1s"], ["--keep", "1"],
            ["--series"], ["--section", self.word()], ["--at", self.word()], ["--to", self.word()], ["--first"],
            ["--repair"], ["--digest"], ["--forget"], ["--limit", "1"], ["--note", "\nssh-ed25519 AAAA evil\n"],
            ["--list", self.path()], ["--folder", "/"], ["--any"], ["--man"], ["--no-pager"], ["--color", "always"],
            ["--where", self.word()], ["--on-duplicate", "update"], ["--with-customers"], ["--check"], ["--ids"])

    COMMANDS = ("table list find show watch add edit delete move swap sort arrange section columns protect undo redo "
                "history import export duplicates merge apply expect demo check backup restore info completions help "
                "__complete serve __settle __revision __keep __page __copies __standing __stand __had").split()

    def words(self, on_terminal=False):
        r, path, address = self.random, self.path(), self.address()
        if on_terminal and r.random() < 0.6: return r.choice((["table"], [], ["edit", "1", "--editor"], ["list"], ["history"]))
        usual = [
            ["list"], ["add", "Eve", "--note", "\nssh-ed25519 AAAA evil\n"], ["edit", "1", "--editor"], ["edit", "1"],
            ["arrange"], ["delete", "1", "-y"], ["import", path, "-y"], ["import", "-", "--rejects", path, "-y"],
            ["export", path, "-y"], ["backup", path, "-y"], ["backup", address, "-y"], ["backup", path, "--every", "1s"],
            ["restore", path, "-y"], ["restore", address, "-y"], ["check", "--repair", "-y"], ["history", "--forget", "-y"],
            ["apply", path], ["apply", "-"], ["__keep", address, "-", "--yes"], ["__keep", address, "-", "--series", "--keep", "1"],
            ["__complete", "fish", "--", "import", path, "--map", ""], ["__complete", "zsh", "--", "show", "--db", address, ""],
            ["__complete", "bash", "customers export " + path], ["serve", "--any"], ["help"], ["watch"], ["table"],
            ["watch", "--exec", "true", "--cursor", path],
            ["info", "--db", address], ["demo", "--db", address], ["completions", "bash"], ["sort", "--by", "name", "-y"],
            ["delete", "-", "-y"], ["__page"], ["__page"], ["undo"], ["find", "a"], ["merge", "1", "2", "-y"], []]
        if r.random() < 0.85: words = list(r.choice(usual))
        else: words = [r.choice(self.COMMANDS)] + [self.word() for _ in range(r.randrange(4))]
        for _ in range(r.choice((0, 0, 0, 0, 1, 1, 2))):
            place = r.randrange(len(words) + 1)
            words[place:place] = self.option()
        return words

    def request(self, on_terminal=False):
        r = self.random
        names = ("CUSTOMERS_SSH EDITOR VISUAL PAGER CUSTOMERS_PAGER LESSOPEN LD_PRELOAD PATH HOME TMPDIR XDG_DATA_HOME "
                 "CUSTOMERS_DB TZ TERM COLUMNS NO_COLOR SHELL ENV BASH_ENV").split()
        variables = []
        for _ in range(r.choice((0, 3, 8))):
            variables += [r.choice(names), r.choice((self.program(), self.path(), "", "1", "dumb"))]
        zone = self.pick("UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "", ":" + self.path(), self.path(), "A/../../.." + SECRET + "/pipe")
        number = PROTOCOL if r.random() < 0.97 else self.pick("1", "99", "x")
        texts = [number, "%032x" % r.getrandbits(128), zone, self.pick("", "t"), self.pick("", "t"), self.pick("", "e"),
                 self.pick("", "80x24"), self.pick("", "80x24", "-1x9"), self.address(), str(len(variables) // 2)]
        texts += variables + self.words(on_terminal)
        content = b"".join(struct.pack(">I", len(text)) + text for text in (text.encode() for text in texts))
        return self.mutated(content) if r.random() < 0.05 else content

    def mutated(self, content):
        content = bytearray(content)
        for _ in range(self.random.randrange(1, 4)):
            place = self.random.randrange(len(content)) if content else 0
            match self.random.randrange(4):
                case 0: content[place:place + 1] = bytes([self.random.randrange(256)])
                case 1: content[place:] = b""
                case 2: content[place:place] = bytes(self.random.randrange(256) for _ in range(self.random.randrange(9)))
                case 3: content[place:place + 4] = struct.pack(">I", self.random.getrandbits(32))
        return bytes(content)

    def file(self):
        """What the caller sends for a file that the server asks for."""
        match self.random.randrange(7):
            case 0: return b"name,note\nEve,x\nFay\n"
            case 1: return b"add Eve\nmove 1 2\ndelete 3\n"
            case 2: return b"@1\n@2\n"
            case 3: return b""
            case 4: return self.random.randbytes(self.random.randrange(9000))
            case _:
                content = open(SECRET + "/copy.sqlite", "rb").read()
                return content if self.random.random() < 0.7 else self.mutated(content)

    def answers(self, kind, content):
        """What the caller sends for a message of the server."""
        r = self.random
        if r.random() < 0.03: return [(r.randrange(64), r.randbytes(r.randrange(30)))]
        reply = lambda text: [(REPLY, struct.pack(">I", len(text)) + text)]
        if kind == OPEN:
            if r.random() < 0.1: return [(FAILURE, content)]
            bytes = self.file()
            pieces = [(DATA, bytes[at:at + 60_000]) for at in range(0, len(bytes), 60_000)]
            return [*pieces, (END, b"")]
        if kind == READ_LINE: return reply(self.pick(b"y", b"y", b"n", b"", b"@1"))
        if kind == EDIT:
            lines = content.split(b"\n")
            r.shuffle(lines)
            return [(REPLY, content if r.random() < 0.3 else b"\n".join(lines[r.randrange(3):]))]
        if kind == MAY_WRITE: return reply(self.pick(b"toCreate", b"toReplace", b"declined", b"x"))
        if kind == CREATE: return reply(self.pick(b"regular", b""))
        if kind in (SYNC, FINISH, WILL_CHANGE): return [(REPLY, b"")]
        if kind == PAGE:
            path = self.pick(b"/v1/rows", b"/v1/export", b"/v1/history", b"/v1/backup", b"/v1/files", b"events", b"")
            texts = [b"7", self.pick(b"GET", b"POST"), path, b"format", self.pick(b"csv", b"vcard"), self.file()]
            return [(PAGE, b"".join(struct.pack(">I", len(text)) + text for text in texts))]
        return []

    def start(self, more, **streams):
        traced = ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file,%process,connect,bind", "-o", LOG]
        return subprocess.Popen(traced + [PROGRAM, "serve", *self.limit.words], env=environment() | more, cwd=HOME,
                                start_new_session=True, **streams)

    def call(self):
        """Makes the request, and returns what the server has sent."""
        if self.random.random() < 0.25: return self.call_on_terminal()
        server = self.start({}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        try: return server, self.talk(server)
        finally:
            for stream in (server.stdin, server.stdout): stream.close()

    def talk(self, server):
        received, end, waitPolicy = b"", time.monotonic() + 20, 20 if self.random.random() < 0.9 else 0.05
        messages = [(REQUEST, self.request())]
        if self.random.random() < 0.05: messages.insert(self.random.randrange(2), (self.random.randrange(64), b"x"))
        sent, seen = 0, b""
        try:
            while time.monotonic() < end:
                for kind, content in messages:
                    server.stdin.write(struct.pack(">BI", kind, len(content)) + content)
                messages = []
                if not select.select([server.stdout], [], [], 1 if sent else waitPolicy)[0]: return seen
                piece = os.read(server.stdout.fileno(), 1 << 16)
                if not piece: return seen
                received, seen = received + piece, (seen + piece)[-100_000:]
                if not sent and b"\n" in received: received, sent = received.split(b"\n", 1)[1], 1
                while len(received) >= 5 and sent:
                    kind, count = struct.unpack(">BI", received[:5])
                    self.is_read = True
                    if len(received) < 5 + count: break
                    messages += self.answers(kind, received[5:5 + count])
                    received = received[5 + count:]
                    # A program that prints forever.
                    sent += 1
                    if kind == EXIT or sent > 300: return seen
        except BrokenPipeError:
            pass
        return seen

    def keys(self):
        r, command = self.random, " ".join(self.words()).replace("\n", " ")
        return self.pick(":" + command + "\r", ":" + command + "\r", "e", "?", "jjk", "J", "a", "\x1b", "q", "y", "\x03",
                         "dd", "u", ":edit --editor\r", ":list --db " + self.address() + "\r", "!sh\r", "\r", "R", "E").encode()

    def call_on_terminal(self):
        terminal, end = pty.openpty()
        word = base64.b64encode(self.request(on_terminal=True)).decode()
        original = "sh -c x " + word if self.random.random() < 0.95 else self.pick("id", f"touch {SECRET}/owned")
        server = self.start({"SSH_ORIGINAL_COMMAND": original}, stdin=end, stdout=end, stderr=end, preexec_fn=lambda: __import__("fcntl").ioctl(0, 0x540E, 0))
        os.close(end)
        seen, last = b"", time.monotonic() + 1.5
        try:
            while time.monotonic() < last:
                if select.select([terminal], [], [], 0.15)[0]: seen += os.read(terminal, 1 << 16)
                elif server.poll() is not None: break
                else: os.write(terminal, self.keys())
        except OSError:
            pass
        finally: os.close(terminal)
        return server, seen


def arguments(text):
    """The texts in quotes and the rest of the arguments of a system call."""
    texts = [bytes(text, "utf-8").decode("unicode_escape").encode("latin-1").decode(errors="replace")
             for text in re.findall(r'"((?:[^"\\]|\\.)*)"', text)]
    return texts, re.sub(r'"(?:[^"\\]|\\.)*"', "", text)


def trespasses(limit):
    """The system calls of the last server that were not allowed."""
    with open(LOG, errors="replace") as file: lines = file.read().splitlines()
    programs = 0
    for line in lines:
        match = CALLS.match(line)
        if not match: continue
        call, text, result = match.groups()
        texts, rest = arguments(text)
        if call in ("execve", "execveat"):
            programs += 1
            if programs > 1: yield line
        elif call in ("fork", "vfork") or call in ("connect", "bind"): yield line
        elif result.startswith("-"): continue
        elif call in OPENS or call in CHANGES:
            changes = call in CHANGES or re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", rest)
            for path in texts:
                path = os.path.join(HOME, path)
                # Not through links; what was removed since has a folder that is there.
                real = os.path.realpath(path) if os.path.exists(path) else os.path.join(
                    os.path.realpath(os.path.dirname(path)), os.path.basename(path))
                if SYSTEM.match(path) and (not changes or path.startswith(("/dev/", "/proc/self/"))): continue
                if not all(limit.may_change(path) if changes else limit.may_read(path) for path in {path, real}):
                    yield line


def try_one(caller):
    """Returns what is wrong with the answer to the request of a caller."""
    before = {path: facts for path, facts in (state(SECRET) | state(HOME)).items() if not caller.limit.may_change(path)}
    server, seen = caller.call()
    try: code = server.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        return ["it hangs"]
    found = list(trespasses(caller.limit))
    if -code in (signal.SIGSEGV, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGBUS, signal.SIGFPE):
        found.append(f"it crashed: {signal.Signals(-code).name}")
    after = {path: facts for path, facts in (state(SECRET) | state(HOME)).items() if not caller.limit.may_change(path)}
    found += [f"{path}: {before.get(path)} → {after.get(path)}" for path in before.keys() | after.keys()
              if before.get(path) != after.get(path) and not caller.limit.may_change(path)]
    if b"root:x:0:0" in seen: found.append("it has sent a secret")
    return found


def main():
    seed, seconds = int(sys.argv[3]), float(sys.argv[4])
    count = int(sys.argv[5]) if len(sys.argv) > 5 else sys.maxsize
    end, done, read = time.monotonic() + seconds, 0, 0
    while done < count and time.monotonic() < end:
        if done % 200 == 0:
            make_world()
            customers("--db", SECRET + "/list.sqlite", "backup", "-y", SECRET + "/copy.sqlite")
        caller = Caller(seed + done)
        found = try_one(caller)
        if found:
            print(f"seed {seed + done}, serve {' '.join(caller.limit.words)}:", *found[:9], sep="\n  ")
            sys.exit(1)
        done += 1
        read += caller.is_read
    if read * 2 < done: sys.exit(f"only {read} of {done} requests were read")
    print(f"{done} requests to customers serve, {read} of them answered: nothing was touched that it does not offer")


PROTOCOL = protocol_number()
main()
