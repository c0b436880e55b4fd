#!/usr/bin/env python3
"""Takes the pictures of docs/page.md, of a hub of its own, as the page looks now.

    python3 take_pictures.py [FOLDER]

FOLDER is docs by default. The pictures of the first automation are taken by check_tutorial.py.
"""

import sys
from pathlib import Path

from api import ROOT, OwnHub, items
from browser import Page, until
from check_sinks import gate, state
from pictures import window
from receiver import Receiver

# The most bytes of a picture.
LARGEST = 130_000


def whole(page, path):
    """Saves what is in the window."""
    window(page, path)
    size = path.stat().st_size
    print(f"{path.name}: {size / 1000:.0f} KB")
    if size > LARGEST:
        sys.exit(f"{path.name} is larger than {LARGEST / 1000:.0f} KB")


def a_stream_that_plays(page, folder):
    id = page.hub.create(name="Even totals", description="Keeps the even ones and adds them up.",
        stream=items(*[(value, 0.8) for value in (1, 2, 4, 5, 6, 8)]),
        operators=[{"id": "even", "filter": {"expression": "x % 2 == 0"}}, {"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}])
    page.hub.ask("PUT", f"/groups/all/streams/{id}")
    page.open(id, width=1400, height=1150)
    page.click(".play")
    page.wait(lambda: len(page.balls(2)) == 3, "three totals")
    page.press("Pause")
    page.wait(lambda: page.state() == "paused", "the pause")
    page.frames(30)
    whole(page, folder / "page.png")


def a_sink_that_is_blocked(page, folder, receiver):
    id = page.hub.create(name="Price alerts", description="Large prices go to a hook and to a file.",
        source={"webhook": {"name": "prices", "auth": "none"}}, operators=[{"id": "big", "filter": {"expression": "x > 10"}}],
        sinks=[{"id": "hook", "post": {"url": receiver.url("/hook"), "headers": {"Authorization": "Bearer ${secret:hook}"},
                                       "body": "{'text': 'price is ' + string(x)}"}},
               {"id": "log", "lines": {"path": "alerts.log"}}])
    page.hub.control(id, "start")
    page.open(id, width=1400, height=1500)
    post = lambda value: until(lambda: page.hub.ask("POST", f"/streams/{id}/webhook/prices", value)[0] == 204, f"{value} to be taken")
    for value in (12, 15, 20):
        post(value)
    page.wait(lambda: page.text(f"{gate()} [data-count='delivered']") == "3", "three deliveries")
    receiver.fails(422, "the channel #alerts is archived")
    post(18)
    page.wait(lambda: state(page) == "blocked", "the blocked sink")
    page.press("Skip: hook")
    post(31)
    page.wait(lambda: state(page) == "blocked" and "(1)" in page.text(f"{gate()} .letters-open"), "the sink to be blocked again")
    page.click(f"{gate()} .letters-open")
    page.press("Inspect dead letter 1")
    page.wait(lambda: "${secret:hook}" in page.text(".letter-detail"), "the letter")
    page.run("document.querySelector('.sinks').scrollIntoView(); scrollBy(0, -80)")
    page.rest(800)                              # the plate of a gate moves
    whole(page, folder / "page-sinks.png")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    receiver = Receiver()
    files = folder / ".pictures"
    files.mkdir(exist_ok=True)
    secrets = files / "secrets.json"
    secrets.write_text('{"hook": {"value": "a-secret-of-the-pictures", "origins": ["%s"]}}' % receiver.url()[:-1])
    secrets.chmod(0o600)
    own = OwnHub("--allow", f"127.0.0.1:{receiver.port}", "--files", str(files), "--secrets", str(secrets))
    page = Page(own.base)
    try:
        a_stream_that_plays(page, folder)
        a_sink_that_is_blocked(page, folder, receiver)
    finally:
        page.close()
        own.close()
        receiver.close()
        for file in files.iterdir():
            file.unlink()
        files.rmdir()


if __name__ == "__main__":
    main()
