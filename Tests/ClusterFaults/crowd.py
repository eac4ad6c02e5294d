"""Two writers, two watchers and a table on a list, and what must be true of them and of the nodes."""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

from cluster import wait_until


class Crowd:
    def __init__(self, program, cluster, work):
        self.program, self.cluster, self.work = program, cluster, work
        self.made, self.not_made, self.unknown = [], {}, []
        self.edits, self.times = 0, []
        self.problems, self.reported = [], set()
        self.lock, self.may_write = threading.Lock(), threading.Event()
        self.writing = 0
        self.run("add", "First", check=True)
        self.watches = [self.start_watch(number) for number in range(2)]
        self.open_table()
        self.may_write.set()
        for writer in range(2):
            threading.Thread(target=self.write, args=[writer], daemon=True).start()

    def run(self, *words, input="", check=False):
        return subprocess.run([self.program, "--db", self.cluster.url, *words], input=input, capture_output=True,
                              text=True, timeout=300, check=check)

    # Writers

    def write(self, writer):
        number = 0
        while True:
            self.may_write.wait()
            with self.lock:
                self.writing += 1
            number += 1
            name = f"w{writer}x{number}"
            if number % 3 == 0:
                # Both or none.
                self.edit([name + "a", name + "b"], "apply", "-", input=f"add {name}a --at 1\nadd {name}b\n")
            else:
                self.edit([name], "add", name, *([] if number % 2 else ["--first"]))
            with self.lock:
                self.writing -= 1

    def edit(self, names, *words, input=""):
        try:
            result = self.run(*words, input=input)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{words} did not end")
            return
        with self.lock:
            self.edits += 1
            if result.returncode in [0, 7]:
                self.made.append(names)
                self.times.append(time.monotonic())
            elif result.returncode == 6:
                self.unknown.append(names)
            else:
                self.not_made[tuple(names)] = result.stderr.strip()
            if re.search(r"SQLiteError|disk I/O|no more rows", result.stderr):
                self.problems.append("unclear: " + result.stderr.strip())

    def wait_for(self, count):
        """Waits until so many more edits are acknowledged."""
        wanted = len(self.made) + count
        wait_until("edits are acknowledged", lambda: len(self.made) >= wanted)

    def longest_pause(self, start):
        times = [start] + [each for each in self.times if each > start]
        return max(after - before for before, after in zip(times, times[1:]))

    # Watchers and the table

    def start_watch(self, number):
        path = f"{self.work}/watch{number}"
        process = subprocess.Popen([self.program, "--db", self.cluster.url, "watch", "--json"],
                                   stdout=open(path, "w"), stderr=open(path + ".errors", "w"))
        wait_until("the list is shown", lambda: "\n" in open(path).read())
        return process, path

    def open_table(self):
        process, self.terminal = pty.fork()
        if process == 0:
            os.environ["TERM"] = "xterm"
            os.execv(self.program, [self.program, "--db", self.cluster.url, "table"])
        self.drawn = bytearray()
        threading.Thread(target=self.read_table, daemon=True).start()
        self.table, self.columns = process, 100

    def read_table(self):
        while True:
            try:
                self.drawn += os.read(self.terminal, 65536)
            except OSError:
                self.problems.append("the table has ended")
                return

    def table_shows(self, text):
        """Whether the table shows a text; it draws everything, because its window gets another size."""
        del self.drawn[:]
        self.columns = 201 - self.columns
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, self.columns, 0, 0))
        time.sleep(1)
        return re.search(rf"(?<!\d){text}", self.drawn.decode(errors="replace")) is not None

    # The truth

    def check(self):
        """Compares what was acknowledged and shown with the list, while no one writes; returns the problems."""
        self.may_write.clear()
        wait_until("the writers have paused", lambda: self.writing == 0)
        self.cluster.wait_until_whole()
        checked = self.run("check", "--digest", "--json")
        problems, self.problems = self.problems, []
        try:
            nodes = json.loads(checked.stdout)["nodes"]
            if checked.returncode != 0 or len(nodes) != 3 or len({node["digest"] for node in nodes}) != 1:
                problems.append(f"the nodes differ: {checked.stdout}")
        except (ValueError, KeyError):
            problems.append(f"check: {checked.stdout}{checked.stderr}")
        listed = json.loads(self.run("list", "--json", check=True).stdout)
        names = [customer["first_name"] for customer in listed]
        there = set(names)
        problems += [f"lost: {name}" for edit in self.made for name in edit if name not in there]
        problems += [f"twice: {name}" for name in there if names.count(name) > 1]
        problems += [f"untrue, is there: {edit}: {said}" for edit, said in self.not_made.items() if there & set(edit)]
        problems += [f"half: {edit}" for edit in self.unknown if len(there & set(edit)) not in [0, len(edit)]]
        for process, path in self.watches:
            problems += self.check_watch(process, path, there)
        try:
            wait_until("the table is right", lambda: self.table_shows(f"{len(names)} customers"), 60)
        except TimeoutError:
            problems.append(f"the table does not show {len(names)} customers: {bytes(self.drawn)!r}")
        self.may_write.set()
        new = [problem for problem in problems if problem not in self.reported]
        self.reported |= set(new)
        return new

    def check_watch(self, process, path, names):
        def shown():
            return re.findall(r'"first_name":"([^"]+)"', open(path).read())

        try:
            wait_until("a watch shows everything", lambda: set(shown()) == names, 120)
        except TimeoutError:
            return [f"a watch did not show {sorted(names - set(shown()))}"]
        seen = shown()
        return [f"a watch showed {name} twice" for name in names if seen.count(name) > 1]

    def end(self):
        self.may_write.clear()
        for process, _ in self.watches:
            process.send_signal(signal.SIGKILL)
        os.kill(self.table, signal.SIGKILL)
