#!/usr/bin/env python3
"""Drives the hub's page in headless Chromium.

    SLUICE_HUB=http://127.0.0.1:8080 [SLUICE_SCREENSHOTS=FOLDER] python3 test_page.py

Needs the packages of requirements.txt, and Debian's chromium and chromium-driver (or their paths in
SLUICE_CHROMIUM and SLUICE_CHROMEDRIVER). The hub holds its default streams. Prints a line for each
check, then "N passed, N failed", and exits with 1 if a check failed, with 64 if it cannot begin.
"""

import os
import shutil
import sys
import traceback
from json import loads
from pathlib import Path
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

STREAM_A, STREAM_B = "Serial Stream A", "Serial Stream B"

# Notes what enters a tunnel, and when on the page's clock.
RECORD = """
const tunnel = arguments[0], seen = window.seen ??= {};
const list = seen[tunnel.dataset.stream] = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) {
    if (node.dataset?.ball === undefined && node.dataset?.mark === undefined) continue;
    list.push({ at: performance.now(), time: Number(node.dataset.time),
                what: node.dataset.mark ?? "ball", text: node.textContent });
  }
}).observe(tunnel, { childList: true, subtree: true });
"""

# Reads the places of all that travels in a tunnel, twice, each time as a frame shows it.
READ_TWICE = """
const [tunnel, pause, done] = arguments;
const read = (at) => {
  const places = {};
  for (const node of tunnel.querySelectorAll("[data-ball], [data-mark], [data-tick]")) {
    const box = node.getBoundingClientRect();
    const what = node.dataset.mark ?? (node.dataset.tick === undefined ? "ball" : "tick");
    places[`${what} ${node.textContent} ${node.dataset.time}`] = box.left + box.width / 2;
  }
  const mouth = tunnel.querySelector("[data-axis]").getBoundingClientRect().left;
  return { at, places, mouth, scale: Number(tunnel.dataset.scale) };
};
requestAnimationFrame((start) => {
  const first = read(start);
  requestAnimationFrame(function later(now) {
    if (now - start < pause) requestAnimationFrame(later); else done([first, read(now)]);
  });
});
"""


class Failure(Exception):
    """A check that does not hold."""


def expect(condition, reason):
    if not condition:
        raise Failure(reason)


class Page:
    """The page under test in one browser."""

    def __init__(self, base):
        self.base = base
        self.console = []
        self.requests = []
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("SLUICE_CHROMIUM") or shutil.which("chromium") or ""
        for argument in ("--headless=new", "--disable-dev-shm-usage", "--disable-background-networking",
                         "--no-proxy-server", "--no-first-run", "--hide-scrollbars"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # Chromium's sandbox does not work for root
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = os.environ.get("SLUICE_CHROMEDRIVER") or shutil.which("chromedriver")
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(20)

    def show(self, width, height, scheme="light", motion="no-preference"):
        """Sets the window and what the person prefers, and opens the page anew."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}]})
        self.driver.get(self.base)
        self.read_logs()

    def wait(self, condition, what, seconds=15):
        try:
            return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: condition())
        except TimeoutException:
            raise Failure(f"waited {seconds} s for {what}") from None

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def names(self):
        return self.run("return [...document.querySelectorAll('article h2')].map((name) => name.textContent)")

    def card(self, name):
        return self.wait(lambda: self.run(
            "return [...document.querySelectorAll('article')]"
            ".find((card) => card.querySelector('h2').textContent === arguments[0])", name), f"the card of {name}")

    def tunnel(self, name):
        return self.card(name).find_element(By.CSS_SELECTOR, "[data-stream]")

    def button(self, name):
        return self.card(name).find_element(By.CSS_SELECTOR, "button")

    def balls(self, name):
        return self.run("return [...arguments[0].querySelectorAll('[data-ball]')].map((ball) => ball.textContent)",
                        self.tunnel(name))

    def completed(self, name):
        return self.run("return arguments[0].querySelectorAll('[data-mark=\"completed\"]').length", self.tunnel(name)) == 1

    def twice(self, name, milliseconds):
        return self.driver.execute_async_script(READ_TWICE, self.tunnel(name), milliseconds)

    def play_recorded(self, name):
        """Starts the stream from the keyboard; what enters its tunnel is noted from then on."""
        tunnel = self.tunnel(name)
        self.run(RECORD, tunnel)
        self.button(name).send_keys(Keys.ENTER)
        return tunnel.get_attribute("data-stream")

    def recorded(self, stream):
        return self.run("return window.seen[arguments[0]]", stream)

    def wait_recorded(self, stream, count, seconds=20):
        self.wait(lambda: len(self.recorded(stream)) >= count, f"{count} entries in the tunnel", seconds)
        return self.recorded(stream)

    def read_logs(self):
        self.console += self.driver.get_log("browser")
        for entry in self.driver.get_log("performance"):
            message = loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                self.requests.append(message["params"]["url"])

    def picture(self, name):
        folder = os.environ.get("SLUICE_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(str(Path(folder) / f"{name}.png"))


# The checks, in the order in which they run on one page.

def streams_are_listed(page):
    page.show(1200, 720)
    page.wait(lambda: {STREAM_A, STREAM_B} <= set(page.names()), f"both default streams, there are {page.names()}")
    for name in (STREAM_A, STREAM_B):
        expect(name in page.button(name).get_attribute("aria-label"), f"the button of {name} does not say its name")


def streams_play_when_the_page_opens(page):
    for name, first in ((STREAM_A, "1"), (STREAM_B, "A")):
        page.wait(lambda: first in page.balls(name), f"the ball {first} of {name}")


def a_ball_moves_with_the_clock(page):
    page.stream_a = page.play_recorded(STREAM_A)
    for count in (1, 2):                       # once with one ball under way, once with two
        page.wait_recorded(page.stream_a, count)
        (start, before), (end, after), scale = unpack(page.twice(STREAM_A, 600))
        travelled = (end - start) / 1000 * scale
        balls = [ball for ball in before if ball.startswith("ball") and ball in after]
        expect(len(balls) >= count, f"{len(balls)} balls under way, expected {count}")
        for thing in (thing for thing in before if thing in after):
            moved = after[thing] - before[thing]
            expect(abs(moved - travelled) <= 1 + travelled * 0.01,
                   f"{thing} moved {moved:.1f} px in {end - start:.0f} ms, at {scale} px/s that is {travelled:.1f}")


def balls_lie_where_their_time_is(page):
    seen = page.wait_recorded(page.stream_a, 3)
    _, (now, places), scale = unpack(page.twice(STREAM_A, 0))
    since = (now - seen[0]["at"]) / 1000                    # the first ball came to the mouth so long ago
    expect(abs(places["ball 1 1"] / scale - since) <= 0.25,
           f"the ball 1 is {places['ball 1 1']:.1f} px from the mouth {since:.2f} s after it came, a second is {scale} px")
    for first, second in (("1", "2"), ("2", "3")):
        distance = places[f"ball {first} {first}"] - places[f"ball {second} {second}"]
        expect(abs(distance - scale) <= 1, f"{first} and {second} are {distance:.1f} px apart, a second is {scale} px")
    for second in ("1", "2", "3"):
        away = places[f"ball {second} {second}"] - places[f"tick {second} s {second}"]
        expect(abs(away) <= 1, f"the ball {second} is {away:.1f} px from its place on the axis")


def stream_a_comes_in_order_and_completes(page):
    seen = page.wait_recorded(page.stream_a, 5)
    check_order(seen, ["1", "2", "3", "4"], 1)


def stream_b_comes_in_order_and_completes(page):
    stream = page.play_recorded(STREAM_B)
    page.wait_recorded(stream, 1)
    page.button(STREAM_A).send_keys(Keys.ENTER)             # for the picture: one completed, one under way
    page.wait(lambda: page.balls(STREAM_A) == [], "the new start")
    page.wait(lambda: page.completed(STREAM_A), f"the completion of {STREAM_A}")
    page.wait(lambda: same_places(page.twice(STREAM_A, 100)), f"rest in the tunnel of {STREAM_A}")
    page.run("document.activeElement.blur()")
    page.picture("page")
    check_order(page.wait_recorded(stream, 5), ["A", "B", "C", "D"], 2)


def the_picture_comes_to_rest(page):
    for name, count in ((STREAM_A, 4), (STREAM_B, 4)):
        page.wait(lambda: page.completed(name), f"the completion of {name}")
        page.wait(lambda: same_places(page.twice(name, 150)), f"rest in the tunnel of {name}")
        expect(len(page.balls(name)) == count, f"{page.balls(name)} lie in the tunnel of {name}")
        expect(all_inside(page, name), f"not all of {name} is in sight at rest")
        state = page.card(name).find_element(By.CSS_SELECTOR, "[data-state]").text
        expect("completed" in state, f"the state of {name} reads {state!r}")
    page.picture("rest")


def what_comes_is_said(page):
    said = page.run("return document.querySelector('[aria-live=\"polite\"]').textContent")
    expect("completed" in said and STREAM_B in said, f"those who listen hear {said!r}")


def the_tab_key_reaches_every_play_button(page):
    page.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    reached, body = set(), page.driver.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    for _ in range(60):
        active = page.driver.switch_to.active_element
        label = active.get_attribute("aria-label") or ""
        reached |= {name for name in (STREAM_A, STREAM_B) if active.tag_name == "button" and name in label}
        if len(reached) == 2:
            return
        active.send_keys(Keys.TAB)
    raise Failure(f"reached only {sorted(reached)}")


def the_document_is_shown(page):
    card = page.card(STREAM_A)
    card.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    text = page.wait(lambda: card.find_element(By.TAG_NAME, "pre").text, "the stream as data")
    document = loads(text)
    expect(document["name"] == STREAM_A and len(document["stream"]) == 4, f"it reads {text}")


def it_fits_a_narrow_screen(page):
    for scheme in ("light", "dark"):
        page.show(360, 740, scheme)
        page.wait(lambda: {STREAM_A, STREAM_B} <= set(page.names()), "the streams")
        page.wait(lambda: "2" in page.balls(STREAM_A), "the ball 2")
        page.picture(f"narrow-{scheme}")
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= 360, f"the page is {wide} px wide")
        for name in (STREAM_A, STREAM_B):
            box = page.tunnel(name).rect
            expect(box["x"] >= 0 and box["x"] + box["width"] <= 360, f"the tunnel of {name} is at {box}")
            height = page.button(name).rect["height"]
            expect(height >= 40, f"the button of {name} is {height} px high, too low for a finger")
    for name, count in ((STREAM_A, 4), (STREAM_B, 4)):
        page.wait(lambda: page.completed(name), f"the completion of {name}")
        page.wait(lambda: same_places(page.twice(name, 150)), f"rest in the tunnel of {name}")
        expect(len(page.balls(name)) == count and all_inside(page, name), f"not all of {name} is in sight at rest")
    page.picture("narrow-rest")


def it_does_not_glide_where_motion_is_unwanted(page):
    page.show(1200, 720, "dark", motion="reduce")
    stream = page.play_recorded(STREAM_A)
    page.wait_recorded(stream, 2)
    places = page.driver.execute_async_script("""
        const [tunnel, done] = arguments, places = new Set(), start = performance.now();
        requestAnimationFrame(function read(now) {
          const ball = tunnel.querySelector("[data-ball]");
          if (ball) places.add(ball.getBoundingClientRect().left);
          if (now - start < 1500) requestAnimationFrame(read); else done([...places]);
        });""", page.tunnel(STREAM_A))
    expect(2 <= len(places) <= 4, f"a ball stood at {len(places)} places within 1.5 s")
    page.picture("dark")
    seen = page.wait_recorded(stream, 5)
    check_order(seen, ["1", "2", "3", "4"], 1, tolerance=1.1)


def the_console_is_clean(page):
    page.read_logs()
    errors = [entry["message"] for entry in page.console if entry["level"] in ("SEVERE", "WARNING")]
    expect(not errors, "; ".join(errors[:5]))


def nothing_is_asked_of_another_host(page):
    page.read_logs()
    home = urlsplit(page.base)
    asked = [urlsplit(url) for url in page.requests]
    strangers = [url.geturl() for url in asked if url.scheme in ("http", "https", "ws", "wss")
                 and (url.scheme, url.netloc) != (home.scheme, home.netloc)]
    expect(not strangers, f"asked: {strangers[:5]}")
    for path in ("/page/page.js", "/page/page.css", "/streams"):
        expect(path in {url.path for url in asked}, f"the log of requests lacks {path}, so it proves nothing")


def a_hub_that_is_away_is_noticed(page):
    """Last, since a browser without network fills its console."""
    page.show(1200, 720)
    page.wait(lambda: "2" in page.balls(STREAM_A), "the ball 2")
    notice = page.driver.find_element(By.ID, "notice")
    page.driver.execute_cdp_cmd("Network.enable", {})
    network = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", network)
    page.button(STREAM_B).send_keys(Keys.ENTER)
    page.wait(lambda: "trying again" in notice.text, "the notice")
    page.wait(lambda: same_places(page.twice(STREAM_A, 100)), "the picture to stand still")
    page.picture("away")
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", network | {"offline": False})
    page.wait(lambda: notice.text == "", "the notice to go")
    page.wait(lambda: page.completed(STREAM_A), f"the completion of {STREAM_A}")


def unpack(reading):
    first, second = reading
    expect(first["scale"] == second["scale"] and first["scale"] > 0, "the tunnel's data-scale is not steady")
    for reading in (first, second):     # from here on a place is counted from the mouth of the tunnel
        reading["places"] = {thing: place - reading["mouth"] for thing, place in reading["places"].items()}
    return (first["at"], first["places"]), (second["at"], second["places"]), first["scale"]


def same_places(reading):
    return reading[0]["places"] == reading[1]["places"]


def all_inside(page, name):
    """Every ball and mark at rest is wholly within its tunnel."""
    return page.run("""
        const edge = arguments[0].getBoundingClientRect();
        return [...arguments[0].querySelectorAll("[data-ball], [data-mark]")].every((node) => {
          const box = node.getBoundingClientRect();
          return box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom;
        });""", page.tunnel(name))


def check_order(seen, texts, apart, tolerance=0.4):
    """The values came in order, `apart` seconds after one another, and then the completion."""
    expect([entry["text"] for entry in seen[:-1]] == texts and seen[-1]["what"] == "completed",
           f"there came {[entry['text'] or entry['what'] for entry in seen]}")
    times = [apart * (index + 1) for index in range(len(texts))]
    expect([entry["time"] for entry in seen] == times + times[-1:], f"their times are {[entry['time'] for entry in seen]}")
    for before, after in zip(seen, seen[1:-1]):
        gap = (after["at"] - before["at"]) / 1000
        expect(abs(gap - apart) <= tolerance, f"{after['text']} came {gap:.2f} s after {before['text']}")


CHECKS = [
    streams_are_listed,
    streams_play_when_the_page_opens,
    a_ball_moves_with_the_clock,
    balls_lie_where_their_time_is,
    stream_a_comes_in_order_and_completes,
    stream_b_comes_in_order_and_completes,
    the_picture_comes_to_rest,
    what_comes_is_said,
    the_tab_key_reaches_every_play_button,
    the_document_is_shown,
    it_fits_a_narrow_screen,
    it_does_not_glide_where_motion_is_unwanted,
    the_console_is_clean,
    nothing_is_asked_of_another_host,
    a_hub_that_is_away_is_noticed,
]


def main():
    base = os.environ.get("SLUICE_HUB")
    if not base:
        print("SLUICE_HUB is not set: the base URL of a running hub", file=sys.stderr)
        return 64
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"     # chromedriver is asked directly
    failed = 0
    page = Page(base)
    try:
        for check in CHECKS:
            name = check.__name__.replace("_", " ")
            try:
                check(page)
                print(f"ok {name}", flush=True)
            except Exception as error:  # a browser that gives up is a failure too, and the others still run
                failed += 1
                reason = str(error) if isinstance(error, Failure) else traceback.format_exception_only(error)[0].strip()
                print(f"FAILED {name}: {reason}", flush=True)
                picture_of_failure(page, name)
    finally:
        page.driver.quit()
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


def picture_of_failure(page, name):
    try:
        page.picture("failed-" + name.replace(" ", "-"))
    except Exception:
        pass


if __name__ == "__main__":
    sys.exit(main())
