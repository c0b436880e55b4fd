#!/usr/bin/env python3
"""Drives the hub's page in headless Chromium.

    SLUICE_HUB=http://127.0.0.1:8080 [SLUICE_SCREENSHOTS=FOLDER] python3 test_page.py [THEME…]

Needs the packages of requirements.txt and axe.txt (without its dependencies), and Debian's chromium and chromium-driver (or their paths in
SLUICE_CHROMIUM and SLUICE_CHROMEDRIVER). The hub holds its default streams; checks that end a hub, or need a token
or a follower, start programs of their own (SLUICE_PROGRAM, else .build/debug/sluice). With the addresses of two hubs, two
browsers share the themes, and those that measure time run alone afterwards. Prints a line for each check,
then "N passed, N failed", and exits with 1 if a check failed, with 64 if it cannot begin.
"""

import importlib
import os
import re
import subprocess
import sys
import threading
import traceback
from pathlib import Path

from browser import Failure, Page

# The themes in the order in which they run; each is a file with a list CHECKS. Others that the folder has run last.
THEMES = ["listing", "feed", "tunnels", "transport", "dragging", "operators", "sinks", "webhooks", "text", "sharing",
          "history", "inspector", "graph", "gallery", "operations", "groups", "looks", "safety", "away"]
THEMES += sorted({path.stem.removeprefix("check_") for path in Path(__file__).parent.glob("check_*.py")} - set(THEMES))
# Those that measure time.
TIMED = ["drafts", "inspector", "dragging", "light"]


def at_once(themes, bases):
    """Runs themes in a browser for each hub; answers the numbers of checks that passed and failed."""
    results = []

    def run(part, base):
        process = subprocess.Popen([sys.executable, __file__, *part], stdout=subprocess.PIPE, text=True, env={**os.environ, "SLUICE_HUB": base})
        last = ""
        for last in process.stdout:
            if not re.match(r"\d+ passed, ", last):
                print(last, end="", flush=True)
        process.wait()
        found = re.match(r"(\d+) passed, (\d+) failed", last)
        results.append((int(found[1]), int(found[2])) if found else (0, 1))

    parts = [(themes[index::len(bases)], base) for index, base in enumerate(bases)]
    # Without a theme, a process would run all of them.
    threads = [threading.Thread(target=run, args=part) for part in parts if part[0]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(one for one, _ in results), sum(other for _, other in results)


def main():
    bases = os.environ.get("SLUICE_HUB", "").split()
    base = bases[0] if bases else None
    if not base:
        print("SLUICE_HUB is not set: the base URL of a running hub", file=sys.stderr)
        return 64
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"     # chromedriver is asked directly
    passed = failed = 0
    themes = sys.argv[1:] or THEMES
    if len(bases) > 1:
        passed, failed = at_once([theme for theme in themes if theme not in TIMED], bases)
        themes = [theme for theme in themes if theme in TIMED]
    page = Page(base)
    try:
        for theme in themes:
            for check in importlib.import_module(f"check_{theme}").CHECKS:
                name = f"{theme}: {check.__name__.replace('_', ' ')}"
                try:
                    check(page)
                    passed += 1
                    print(f"ok {name}", flush=True)
                except Exception as error:  # a browser that gives up is a failure too, and the others still run
                    failed += 1
                    reason = str(error) if isinstance(error, Failure) else described(error)
                    print(f"FAILED {name}: {reason}", flush=True)
                    picture_of_failure(page, name)
    finally:
        page.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def described(error):
    """Says what failed, and which lines of the checks led there: those of a library say little."""
    here = str(Path(__file__).parent)
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(here)]
    places = "".join(f"\n  {Path(one.filename).name}:{one.lineno}: {one.line}" for one in lines)
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}{places}"


def picture_of_failure(page, name):
    try:
        page.picture("failed-" + name.replace(": ", "-").replace(" ", "-"))
    except Exception:
        pass


if __name__ == "__main__":
    sys.exit(main())
