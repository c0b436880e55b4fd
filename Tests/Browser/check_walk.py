"""From the first page to a stream of one's own that filters and delivers, by nothing but the texts that are in sight."""

import time

from selenium.webdriver.common.keys import Keys

from api import OwnHub
from browser import expect, until
from receiver import Receiver

# Finds the element in view with this text, placeholder, or label, the topmost dialog first.
SEE = """
    const [text, kinds] = arguments, place = [...document.querySelectorAll("dialog")].at(-1) ?? document.body;
    const seen = (one) => one.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && !one.disabled;
    const said = (one) => (one.innerText ?? "").trim() || one.placeholder || "";
    const labeled = [...place.querySelectorAll("label")].filter((label) => seen(label) && label.innerText.trim().startsWith(text)).map((label) => label.control);
    return [...labeled, ...[...place.querySelectorAll(kinds)].filter((one) => said(one) === text || (one.placeholder ?? "").startsWith(text))]
      .filter((one) => one && seen(one)).at(-1);"""


class Reader:
    """Somebody who knows nothing but what the page shows."""

    def __init__(self, page):
        self.page = page
        self.steps = 0

    def see(self, text, kinds):
        self.steps += 1
        return self.page.uncovered(self.page.wait(lambda: self.page.run(SEE, text, kinds), f"{text!r} in sight"))

    def press(self, text):
        element = self.see(text, "button, a")
        self.page.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def write(self, field, text):
        element = self.see(field, "input, textarea")
        self.page.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(text)
        element.send_keys(Keys.ENTER)


def a_stranger_makes_a_stream_that_delivers(page):
    receiver = Receiver()
    own = OwnHub("--allow", f"127.0.0.1:{receiver.port}")
    page.want_first_page()
    try:
        with page.at(own):
            walk(page, receiver)
    finally:
        page.dismiss_first_page()
        own.close()
        receiver.close()


def walk(page, receiver):
    reader, start = Reader(page), time.monotonic()
    page.show("")
    page.wait(lambda: "Streams are data" in page.text("h1"), "the first page")
    reader.press("Show the streams")
    reader.press("New")
    reader.write("Name", "My first stream")
    page.wait(lambda: page.text("h1") == "My first stream", "the new stream")
    for value in "123":
        reader.press(value)
    reader.write("Add an operator", "filter")
    reader.write("expression", "x > 1")
    reader.write("Add a sink", "post")
    reader.write("url", receiver.url("/mine"))
    reader.press("Apply")
    reader.press("Play")
    until(lambda: [body for path, _, body in receiver.requests if path == "/mine"] == ["2", "3"],
        lambda: f"the deliveries: {receiver.requests}")
    took = time.monotonic() - start
    print(f"   {reader.steps} steps from the first page to the first delivery, {took:.0f} s")
    page.picture("walk")
    # A person reads and types for about four seconds a step.
    expect(reader.steps * 4 + 10 < 120, f"it takes {reader.steps} steps")


CHECKS = [a_stranger_makes_a_stream_that_delivers]
