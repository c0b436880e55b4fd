"""Groups: who runs which revision."""

import os
import subprocess
import tempfile
import time
from urllib.parse import quote

from api import items
from browser import expect, until


def report(page, group, member, *streams):
    status, answer, _ = page.hub.ask("PUT", f"/groups/{group}/members/{member}", {"name": member, "streams": [
        {"id": id, "revision": revision, "state": "running", "time": 1.5} for id, revision in streams]})
    expect(status == 204, f"the hub answers {status} {answer}")


def a_group_is_made_and_given_a_stream(page):
    page.group = f"kitchen-{time.time_ns()}"
    page.served = page.hub.create(name="For the kitchen", stream=items((1, 1)))
    page.show()
    page.press("New group")
    page.fill("dialog input", page.group)
    page.press("Create", "dialog")
    page.wait(lambda: page.text("h1") == f"Group {page.group}", "the group")
    page.wait(lambda: page.find_all(f".group option[value='{page.served}']"),
        "the stream among those that may be given")
    page.run("""const pick = document.querySelector(".group select"); pick.value = arguments[0]; pick.dispatchEvent(new Event("change"))""", page.served)
    page.wait(lambda: "For the kitchen" in page.text(".assigned"), "the stream in the page")
    until(lambda: page.hub.ask("GET", f"/groups/{page.group}")[1]["streams"][0]["id"] == page.served,
        "the stream in the hub")


def members_say_which_revision_they_run(page):
    report(page, page.group, "worker-1", (page.served, 1))
    page.wait(lambda: "revision 1, running" in page.text("[data-member='worker-1']"),
        f"the member, live: {page.text('.people')!r}")
    page.wait(lambda: "1 member" in page.text("#groups"), "the count in the list of groups")
    page.hub.put(page.served, {**page.hub.document(page.served), "name": "For the kitchen 2"})
    report(page, page.group, "worker-2", (page.served, 2))
    page.wait(lambda: page.text("[data-member='worker-2']"), "the second member")
    page.wait(lambda: "behind, the hub has 2" in page.text("[data-member='worker-1']"),
        f"that it is behind: {page.text('.people')!r}")
    expect("behind" not in page.text("[data-member='worker-2']"),
        f"who runs the newest is behind: {page.text('.people')!r}")
    page.picture("group")


def a_stream_shows_who_runs_it(page):
    page.open(page.served)
    page.click("#tab-members")
    page.wait(lambda: page.text(".members [data-member='worker-1']"), lambda: f"the members: {page.text('.members')!r}")
    report(page, page.group, "worker-1", (page.served, 2))
    page.wait(lambda: "behind" not in page.text(".members"), "that it has caught up, live")
    page.picture("members")


def who_leaves_is_gone(page):
    page.show(f"#/groups/{page.group}")
    page.wait(lambda: page.text("[data-member='worker-2']"), "the members")
    page.hub.ask("DELETE", f"/groups/{page.group}/members/worker-2")
    page.wait(lambda: not page.text("[data-member='worker-2']"), "that it has left")
    page.press("Remove the group")
    page.wait(lambda: page.group not in page.text("#groups"), "the end of the group")


def the_line_that_joins_a_group_is_safe_to_paste(page):
    page.show("#/groups/all")
    for name in ["kitchen", "two words", "x'; touch hurt; echo '", '$(touch hurt)', "`touch hurt`", "a;touch hurt", "-x y",
        'a"b\\c', "~", "*", "# a", "!!", "ü'ö"]:
        page.hub.ask("PUT", f"/groups/{quote(name, safe='')}")
        page.go(f"#/groups/{quote(name, safe='')}")
        page.wait(lambda: page.text("h1") == f"Group {name}" and page.find_all(".people code"), lambda: f"the group {name}")
        line = page.run("return document.querySelector('.people code').textContent")
        with tempfile.TemporaryDirectory() as folder:
            said = subprocess.run(["sh", "-c", "sluice() { for part; do printf '%s\\0' \"$part\"; done; }; " + line], cwd=folder,
                stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")[:-1]
            expect(not os.listdir(folder), f"the name {name!r} is run as a command")
        group = [said[-1].removeprefix("--group=")] if name.startswith("-") else said[-2:]
        expect(said[:2] == ["follow", page.base] and group[-1] == name, f"{line} becomes {said}")
        page.hub.ask("DELETE", f"/groups/{quote(name, safe='')}")


CHECKS = [a_group_is_made_and_given_a_stream, members_say_which_revision_they_run, a_stream_shows_who_runs_it,
    who_leaves_is_gone, the_line_that_joins_a_group_is_safe_to_paste]
