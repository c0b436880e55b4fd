#!/usr/bin/env python3
"""Drives the hub's page in headless Chromium.

    SLUICE_HUB=http://127.0.0.1:8080 [SLUICE_SCREENSHOTS=FOLDER] python3 test_page.py [THEME…]

Needs the packages of requirements.txt and axe.txt (without its dependencies), and Debian's chromium and chromium-driver (or their paths in
SLUICE_CHROMIUM and SLUICE_CHROMEDRIVER). The hub holds its default streams; checks that end a hub, or need a token
or a follower, start programs of their own (SLUICE_PROGRAM, else .build/debug/sluice). With the addresses of two hubs, two
browsers share the themes. Checks that measure time run alone afterwards. Prints a line for each check with its seconds,
then "N passed, N failed", and exits with 1 if a check failed, with 64 if it cannot begin.
"""

import importlib
import os
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path

from browser import Failure, Page

# The themes that take longest come first, so that two browsers end at about the same time; each is a file with a list CHECKS.
THEMES = ["axe", "sinks", "looks", "hour", "sizes", "tunnels", "dragging", "translation", "gallery", "floods", "first"]
THEMES += sorted({path.stem.removeprefix("check_") for path in Path(__file__).parent.glob("check_*.py")} - set(THEMES) - {"traffic"})


class Results:
    """The checks that passed and failed, in all browsers."""

    def __init__(self):
        self.lock = threading.Lock()
        self.passed = self.failed = 0

    def add(self, name, error, seconds):
        with self.lock:
            if error is None:
                self.passed += 1
                print(f"ok {name} ({seconds:.1f} s)", flush=True)
            else:
                self.failed += 1
                reason = str(error) if isinstance(error, Failure) else described(error)
                print(f"FAILED {name} ({seconds:.1f} s): {reason}", flush=True)


def run(page, theme, checks, results):
    for check in checks:
        name = page.check = f"{theme}: {check.__name__.replace('_', ' ')}"
        start, error = time.monotonic(), None
        try:
            check(page)
        except Exception as one:  # a browser that gives up is a failure too, and the others still run
            error = one
            picture_of_failure(page)
        results.add(name, error, time.monotonic() - start)


def browse(base, themes, results, isAlone):
    """Runs the checks of the themes that are left in a browser, and at its end those of what went over the wire."""
    page = None
    try:
        while themes:
            theme = themes.popleft()
            mine = [check for check in checks(theme) if getattr(check, "measures", False) == isAlone]
            page = page or (Page(base) if mine else None)
            run(page, theme, mine, results)
        if page:
            run(page, "traffic", checks("traffic"), results)
    except Exception as error:                  # of a browser that does not start, or of a theme that can't be read
        results.add("the browser", error, 0)
    finally:
        if page:
            page.close()


def checks(theme):
    return importlib.import_module(f"check_{theme}").CHECKS


def main():
    bases = os.environ.get("SLUICE_HUB", "").split()
    if not bases:
        print("SLUICE_HUB is not set: the base URL of a running hub", file=sys.stderr)
        return 64
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"     # chromedriver is asked directly
    themes, results = sys.argv[1:] or THEMES, Results()
    left = deque(themes)
    browsers = [threading.Thread(target=browse, args=(base, left, results, False)) for base in bases]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()
    browse(bases[0], deque(themes), results, True)
    print(f"{results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


def described(error):
    """Says what failed, and which lines of the checks led there: those of a library say little."""
    here = str(Path(__file__).parent)
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(here)]
    places = "".join(f"\n  {Path(one.filename).name}:{one.lineno}: {one.line}" for one in lines)
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}{places}"


def picture_of_failure(page):
    try:
        if page.driver.current_url != "about:blank":        # else there is a picture, of another hub
            page.picture(page.failure)
    except Exception:
        pass


if __name__ == "__main__":
    sys.exit(main())
