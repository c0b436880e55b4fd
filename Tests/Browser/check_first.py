"""The first page: one sentence, one drag, and an app that follows, which is a member of the group like any other."""

import json
import os
import subprocess
import tempfile
import threading

from api import ROOT
from browser import expect, until
from check_looks import NAMELESS, PALE
from check_sinks import fits


def lines(page):
    return [json.loads(text) for text in page.texts(".lines p")]


def opened(page, **options):
    page.want_first_page()
    page.show("", **options)
    page.wait(lambda: lines(page), "a line of the app")


def member(page):
    name = page.text(".member-line strong")
    return next((one for one in page.hub.ask("GET", "/groups/all")[1]["members"] if one["name"] == name), None)


def a_stranger_drags_a_ball_and_an_app_changes(page):
    before = page.hub.text("serial-stream-a")[0]
    page.original = before
    opened(page)
    expect("Streams are data" in page.text("h1") and "changes at once" in page.text("h1"), f"the sentence is {page.text('h1')!r}")
    expect("#/first" in page.driver.current_url, f"the address is {page.driver.current_url}")
    place = page.item(1).rect["x"]
    page.press("Drag ball 2")
    page.wait(lambda: page.item(1).rect["x"] > place, "the ball under way")
    until(lambda: page.hub.text("serial-stream-a")[0] != before, "the edit in the hub")
    revision = page.hub.revision("serial-stream-a")
    page.wait(lambda: any(line["revision"] == revision and line.get("taken") for line in lines(page)), lambda: f"that the app takes revision {revision}: {lines(page)}")
    page.wait(lambda: "ms later" in page.text(".said"), "how long it took")
    until(lambda: member(page), "the member in the group")
    page.wait(lambda: lines(page)[-1].get("completed"), "the end of the run")
    until(lambda: member(page)["streams"] == [{"id": "serial-stream-a", "revision": revision, "state": "completed",
        "time": member(page)["streams"][0]["time"]}], lambda: f"its report: {member(page)}")
    page.picture("first")


def it_prints_what_sluice_follow_prints(page):
    """Somebody else edits, and both begin a new run: since their runs had ended."""
    program = os.environ.get("SLUICE_PROGRAM") or str(ROOT / ".build/debug/sluice")
    with tempfile.TemporaryDirectory() as folder:
        command = page.text(".copy-line code").split()
        expect(command == ["sluice", "follow", page.base], f"the line to copy is {command}")
        follower = subprocess.Popen([program, *command[1:], "--store", f"{folder}/member.sqlite"], stdout=subprocess.PIPE, text=True)
        printed = []
        reader = threading.Thread(target=lambda: [printed.append(line) for line in (json.loads(text) for text in follower.stdout)
            if line["stream"] == "serial-stream-a"], daemon=True)
        reader.start()
        try:
            until(lambda: any(line.get("completed") for line in printed), "the end of the follower's run")
            document = json.loads(page.original)
            document["stream"] = [{"value": value, "operators": [{"delay": {"seconds": delay}}]} for value, delay in ((1, 0.2), ("B", 0.3), ({"c": 3}, 0.25))]
            revision = page.hub.put("serial-stream-a", document)
            ended = lambda all: any(line["revision"] == revision and line.get("completed") for line in all)
            until(lambda: ended(printed), "the follower's run of the revision")
            page.wait(lambda: ended(lines(page)), lambda: f"the page's run of the revision: {lines(page)}")
            newest = lambda all: [{key: value for key, value in line.items() if key != "run"} for line in all if line["revision"] == revision]
            expect(newest(lines(page)) == newest(printed), f"the page printed {newest(lines(page))}, sluice follow {newest(printed)}")
        finally:
            follower.terminate()
            follower.wait(timeout=300)
            reader.join(timeout=300)
            follower.stdout.close()
    page.hub.put("serial-stream-a", json.loads(page.original))


def a_running_app_takes_an_edit_between_two_items(page):
    document = json.loads(page.original)
    item = lambda value, delay: {"value": value, "operators": [{"delay": {"seconds": delay}}]}
    page.hub.put("serial-stream-a", {**document, "stream": [item(1, 0.1), item(2, 6000), item(3, 1)]})
    opened(page)
    page.wait(lambda: lines(page)[-1].get("value") == 1, "the first value")
    revision = page.hub.put("serial-stream-a", {**document, "stream": [item(7, 0.1), item(8, 0.2), item(9, 0.3)]})
    page.wait(lambda: lines(page)[-1].get("completed"), "the end of the run")
    found = [line for line in lines(page) if line["revision"] == revision]
    expect([line.get("taken", line.get("value")) for line in found] == ["edited", 8, 9, None], f"it printed {found}")
    times = [line["time"] for line in found[1:]]
    expect(times[0] >= 0.3 and abs(times[1] - times[0] - 0.3) < 0.001 and times[2] == times[1], f"the times are {times}")
    page.hub.put("serial-stream-a", document)


def it_is_shown_until_it_is_dismissed(page):
    opened(page)
    name = page.text(".member-line strong")
    until(lambda: member(page), "the member in the group")
    page.run("""document.querySelector(".member-line a").click()""")
    page.wait(lambda: name in page.texts(".member strong"), "the member in the view of the group, while one looks at it")
    page.run("location.hash = '#/'")
    page.wait(lambda: page.find_all("#drag"), "the first page again")
    page.click("#dismiss")
    page.wait(lambda: "#/streams/" in page.driver.current_url, "the first stream")
    until(lambda: all(one["name"] != name for one in page.hub.ask("GET", "/groups/all")[1]["members"]), "that the app has left the group")
    page.show("")
    page.wait(lambda: "#/streams/" in page.driver.current_url, "the first stream at once")
    page.press("First steps")
    page.wait(lambda: page.find_all("#drag") and lines(page), "the first page, one click away")
    page.dismiss_first_page()
    page.show("")
    page.wait(lambda: "#/streams/" in page.driver.current_url, "the first stream")


def it_looks_right(page):
    opened(page)
    page.click("#drag")
    page.wait(lambda: "ms later" in page.text(".said"), "the drag")
    for scheme in ("light", "dark"):
        for width, height in ((1400, 900), (390, 844), (700, 450)):
            page.look(width, height, scheme, motion="reduce")
            page.frames(3)
            found = page.run(NAMELESS)
            expect(not found["nameless"] and not found["twice"] and not found["lost"] and found["headings"] == 1, f"for screen readers: {found}")
            pale = page.run(PALE)
            expect(not pale, f"{scheme}: too little contrast: {pale[:5]}")
            fits(page, width)
            page.run("scrollTo(0, 0)")
            bottom = page.run("return document.querySelector(\".item[data-item='0']\").getBoundingClientRect().bottom")
            expect(bottom <= height, f"at {width} x {height} the first ball is at {bottom} px")
            page.picture(f"first-{scheme}-{width}")
    page.dismiss_first_page()
    page.hub.put("serial-stream-a", json.loads(page.original))


CHECKS = [a_stranger_drags_a_ball_and_an_app_changes, it_prints_what_sluice_follow_prints, a_running_app_takes_an_edit_between_two_items,
    it_is_shown_until_it_is_dismissed, it_looks_right]
