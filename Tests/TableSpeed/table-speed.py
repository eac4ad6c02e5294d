#!/usr/bin/env python3
"""table-speed.py PROGRAM LIST...: how fast the table is, on lists that are there.

For each list: the time to the first frame beside that of `show 1`, from key press to bytes, the bytes per key, and
the memory before and after 10,000 keys. Each program runs on a terminal of 80 x 24.
"""
import fcntl, os, pty, select, statistics, struct, sys, termios, time

FRAME_END = b"\x1b[?2026l"


def start(program, words, path):
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(CUSTOMERS_DB=path, TERM="xterm-256color")
        os.execv(program, [program] + words)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    return pid, terminal


def read_until(terminal, end, limit=30.0):
    """The bytes up to a frame's end, or None at the end of the program."""
    found = b""
    while end not in found:
        if not select.select([terminal], [], [], limit)[0]:
            raise SystemExit("nothing came")
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            return found
        if not piece:
            return found
        found += piece
    return found


def drain(terminal, seconds):
    count = 0
    while select.select([terminal], [], [], seconds)[0]:
        count += len(os.read(terminal, 1 << 16))
    return count


def timed(program, words, path, end):
    began = time.perf_counter()
    pid, terminal = start(program, words, path)
    found = read_until(terminal, end)
    spent = (time.perf_counter() - began) * 1000
    if FRAME_END == end:
        os.write(terminal, b"q")
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    assert found, words
    return spent


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def measure(program, path):
    first, show = [], []
    for _ in range(31):
        show.append(timed(program, ["show", "1"], path, b"First name"))
        first.append(timed(program, ["table"], path, FRAME_END))
    first, show = statistics.median(first), statistics.median(show)
    print(f"{path}: first frame {first:.2f} ms, show 1 {show:.2f} ms, ratio {first / show:.2f}")
    pid, terminal = start(program, ["table"], path)
    read_until(terminal, FRAME_END)
    drain(terminal, 0.1)
    keys = [("down", b"j"), ("end", b"G"), ("scrolling up", b"k"), ("page up", b"\x1b[5~"), ("top", b"g"),
            ("move down", b"J"), ("undo", b"u"), ("page down", b"\x1b[6~"), ("half page", b"\x04")]
    for name, key in keys:
        times, sizes = [], []
        for _ in range(20):
            began = time.perf_counter()
            os.write(terminal, key)
            if not select.select([terminal], [], [], 0.3)[0]:
                continue
            found = read_until(terminal, FRAME_END)
            times.append((time.perf_counter() - began) * 1000)
            sizes.append(len(found))
        if times:
            print(f"  {name:12} {statistics.median(times):6.2f} ms (most {max(times):.2f}), {int(statistics.median(sizes))} bytes")
    before = memory(pid)
    for number in range(10_000):
        os.write(terminal, [b"j", b"k", b"\x1b[6~", b"\x1b[5~", b"G", b"g"][number % 6])
        if number % 20 == 0:
            drain(terminal, 0.0)
    drain(terminal, 0.2)
    print(f"  memory {before} KiB, after 10,000 keys {memory(pid)} KiB")
    os.write(terminal, b"q")
    drain_end(terminal)
    os.waitpid(pid, 0)


def drain_end(terminal):
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:
        pass


for path in sys.argv[2:]:
    measure(sys.argv[1], path)
