#!/usr/bin/env python3
"""Measures the page of `customers web` in Chromium; the list is edited, so use a copy.

page-speed.py PROGRAM LIST    the list needs at least 100 customers; $CHROMIUM names the browser
"""
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


class Browser:
    """A tab of Chromium, driven over its debugging pipe: JSON ended by NUL."""

    def __init__(self, folder):
        (down, self.write), (self.read, up) = os.pipe(), os.pipe()
        os.dup2(down, 60)
        os.dup2(up, 61)

        def connect():
            os.dup2(60, 3)
            os.dup2(61, 4)

        self.process = subprocess.Popen(
            [os.environ.get("CHROMIUM", "chromium"), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--user-data-dir=" + folder, "--remote-debugging-pipe"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.buffer, self.number, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=1100, height=760, deviceScaleFactor=1, mobile=False)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                self.buffer += os.read(self.read, 1 << 16)
            answer, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                return answer["result"]

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, script):
        while not self.value(script):
            time.sleep(0.02)

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def key(self, name):
        # Those that type a text.
        text = {"text": name} if len(name) == 1 else {}
        code = {"Backspace": 8, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowDown": 40}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code.get(name, 0), **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)


FIRST_ROWS = """new MutationObserver((_, observer) => { if (document.querySelector('.row b')) { observer.disconnect()
  requestAnimationFrame(() => requestAnimationFrame(() => { self.painted = performance.now() })) } })
  .observe(document, { subtree: true, childList: true })"""
JUMPS = """(async () => { const list = document.getElementById('list'), frame = () => new Promise(requestAnimationFrame)
  const times = []
  for (let i = 0; i < 30; i++) { const start = performance.now()
    list.scrollTop = Math.random() * (list.scrollHeight - list.clientHeight)
    do await frame(); while ([...document.querySelectorAll('.row')].some((e) => !e.customer))
    times.push(performance.now() - start)
    await new Promise((go) => setTimeout(go, 300)) }
  return times })()"""
FRAMES = """self.frames = [];(function next(last) { requestAnimationFrame((now) => {
  if (document.querySelector('.held')) frames.push(now - last)
  next(now) }) })(performance.now()); 1"""
SEARCH = """(async (text) => { const found = document.getElementById('found'), field = document.getElementById('text')
  const frame = () => new Promise(requestAnimationFrame), before = found.textContent, start = performance.now()
  field.value = text
  field.dispatchEvent(new Event('input'))
  while (found.textContent === before || !found.textContent) await frame()
  const time = performance.now() - start
  while (!found.textContent.endsWith(' found')) await frame()
  return [time, parseInt(found.textContent.replaceAll(',', ''))] })('%s')"""
NAME = """self.drawn = new Promise((go) => new MutationObserver((_, observer) => {
  if ([...document.querySelectorAll('.row b')].some((e) => e.textContent.includes('%s'))) { observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(() => go(Date.now()))) } })
  .observe(document.getElementById('rows'), { subtree: true, childList: true, characterData: true })); 1"""


# From the start of a handler to the frame after it. What is asked of the server comes later.
INPUTS = """self.inputs = []; for (const kind of ['keydown', 'pointermove', 'click', 'wheel', 'input'])
  addEventListener(kind, () => { const start = performance.now(), {port1, port2} = new MessageChannel()
    port1.onmessage = () => inputs.push(performance.now() - start)
    requestAnimationFrame(() => port2.postMessage(0)) }, {capture: true, passive: true}); 1"""


def say(what, times):
    times = sorted(times)
    print(f"{what}: median {statistics.median(times):.1f} ms, p95 {times[int(len(times) * 0.95)]:.1f}, "
          f"longest {times[-1]:.1f}, of {len(times)}")


def place(browser, selector):
    """Where one of the elements is seen. The order of the rows in the document is not that on the screen."""
    return browser.value(f"(() => {{ const r = [...document.querySelectorAll('{selector}')].map((e) => e.getBoundingClientRect())"
                         ".find(({top}) => top > 200); return [r.x + r.width / 2, r.y + r.height / 2] })()")


def say_inputs(browser):
    """500 inputs of each kind, each after the frame that the one before led to."""
    def each(what, count, act):
        browser.value("inputs = []; 1")
        for number in range(count):
            seen = browser.value("inputs.length")
            act(number)
            browser.until(f"inputs.length > {seen}")
        say(f"from input to frame, {what}", browser.value("inputs"))

    browser.value(INPUTS)
    browser.value("document.getElementById('list').focus()")
    each("cursor", 500, lambda _: browser.key("ArrowDown"))
    each("screens", 500, lambda _: browser.key("PageDown"))
    each("ends", 500, lambda number: browser.key(["End", "Home"][number % 2]))
    each("marks", 500, lambda _: browser.key(" "))
    browser.key("Escape")
    browser.key("m")
    each("in the hand", 500, lambda number: browser.key(["ArrowDown", "PageDown", "End", "PageUp"][number % 4]))
    browser.key("Escape")
    browser.key("Home")
    time.sleep(1)
    x, y = place(browser, ".row .number")

    def click(_):
        browser.mouse("mousePressed", x, y)
        browser.mouse("mouseReleased", x, y)
    each("clicks", 500, click)
    browser.key("Escape")
    each("wheel", 500, lambda number: browser.call(
        "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=120 if number % 100 < 60 else -120))
    browser.key("Home")
    time.sleep(1)
    x, y = place(browser, ".row .handle button")
    browser.mouse("mousePressed", x, y)
    each("drags", 500, lambda number: browser.mouse("mouseMoved", x, y + 8 + number % 100))
    browser.key("Escape")
    browser.mouse("mouseReleased", x, y)
    browser.key("/")
    each("typing", 500, lambda number: browser.key("n" if number % 10 < 5 else "Backspace"))
    browser.key("Escape")


def main():
    program, path = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [program, "--db", path, "web", "--quiet"], stdout=subprocess.PIPE, env=dict(os.environ, HOME=folder))
        browser = Browser(folder + "/profile")
        try:
            measure(browser, server, path)
        finally:
            browser.process.kill()
            browser.process.wait()
            server.kill()


def measure(browser, server, path):
    browser.call("Page.enable")
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=FIRST_ROWS)
    browser.call("Page.navigate", url=server.stdout.readline().decode().strip())
    painted = []
    for _ in range(10):
        browser.until("self.painted")
        painted.append(browser.value("self.painted"))
        browser.call("Page.reload")
        time.sleep(0.3)
    say("first rows painted", painted)
    browser.until("self.painted")
    say("jump anywhere", browser.value(JUMPS))
    browser.value("document.getElementById('find').click()")
    for text in ["a", "an", "ann", "ann 7", "ann 77"]:
        time_of_key, found = browser.value(SEARCH % text)
        print(f'first matches of "{text}": {time_of_key:.1f} ms; then {found} found')
    browser.value("document.getElementById('find').click()")
    time.sleep(0.5)
    # Until the rows around the cursor, which come when the search ends, are there, too.
    browser.until("(document.getElementById('list').scrollTop = 0, document.querySelector('.row')?.row === 0)")
    browser.value("document.getElementById('edit').click()")
    time.sleep(0.5)
    x, y = place(browser, ".row .handle button")
    browser.value(FRAMES)
    browser.mouse("mousePressed", x, y)
    for step in [*range(150), *reversed(range(150))]:
        browser.mouse("mouseMoved", x, y + 2 * step)
        time.sleep(0.012)
    browser.mouse("mouseReleased", x, y)
    say("frames while dragging", browser.value("frames"))
    first = browser.value("document.querySelector('.row').customer.id")
    other, times = sqlite3.connect(path, isolation_level=None), []
    for number in range(20):
        browser.value(NAME % f"News {number}")
        other.execute("UPDATE customers SET last_name = ? WHERE id = ?", [f"News {number}", first])
        committed = time.time() * 1000
        times.append(browser.value("drawn") - committed)
        time.sleep(0.2)
    say("foreign edit to pixels", times)
    browser.value("document.getElementById('edit').click()")
    say_inputs(browser)
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        print(*(line.strip() for line in status if line.startswith("VmRSS")))


if __name__ == "__main__":
    main()
