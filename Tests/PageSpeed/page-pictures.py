#!/usr/bin/env python3
"""Takes the pictures of the page of `customers web` in `Documentation/images`, with the sample list, in Chromium.

page-pictures.py PROGRAM FOLDER    for the Japanese name, a font such as fonts-ipafont-gothic must be installed
"""
import base64
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

spec = importlib.util.spec_from_file_location("speed", pathlib.Path(__file__).with_name("page-speed.py"))
speed = importlib.util.module_from_spec(spec)
spec.loader.exec_module(speed)

FONTS = "document.fonts.ready.then(() => new Promise((go) => setTimeout(go, 400))).then(() => 1)"


def main():
    program, folder = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "CUSTOMERS_DB": home + "/customers.sqlite", "TZ": "UTC"}

        def customers(*words):
            subprocess.run([program, *words, "-q"], env=environment, check=True, stdout=subprocess.DEVNULL)

        customers("demo")
        customers("edit", "2", "--favorite")
        customers("edit", "5", "--phone", "+49 30 555 0100")
        customers("move", "5", "2")
        server = subprocess.Popen([program, "web"], env=environment, stdout=subprocess.PIPE, text=True)
        browser = speed.Browser(home + "/profile")
        try:
            browser.call("Page.enable")
            browser.call("Page.bringToFront")

            def show(name, width, height, scheme, act):
                browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                             mobile=width < 700)
                browser.call("Emulation.setEmulatedMedia",
                             features=[{"name": "prefers-color-scheme", "value": scheme},
                                       {"name": "prefers-reduced-motion", "value": "reduce"}])
                browser.call("Page.reload")
                browser.until("!!document.querySelector('.row b') && document.title === 'customers.sqlite'")
                browser.value(act + ", 1")
                browser.value(FONTS)
                picture = browser.call("Page.captureScreenshot", format="png", optimizeForSpeed=False)["data"]
                pathlib.Path(folder, name + ".png").write_bytes(base64.b64decode(picture))

            browser.call("Page.navigate", url=server.stdout.readline().strip())
            browser.until("!!document.querySelector('.row b')")
            for name, scheme in [("page-desk", "light"), ("page-desk-dark", "dark")]:
                show(name, 1000, 640, scheme, "document.querySelector('#edit').click()")
            show("page-phone", 390, 700, "light", "1")
            show("page-phone-dark", 390, 700, "dark", "document.querySelector('.row .name').click()")
        finally:
            server.terminate()
            browser.process.terminate()
            browser.process.wait()


if __name__ == "__main__":
    main()
