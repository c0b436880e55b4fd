"""Every view at four sizes: nothing is wider than the window, and pictures in light and dark are there to be looked at."""

import os

from api import OwnHub, items
from browser import expect

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "laptop": (1366, 768), "wide": (1920, 1080)}
# The layout is the same in the dark, so that one size says whether it is; with SLUICE_ALL_LOOKS there are pictures of all.
ALL = "SLUICE_ALL_LOOKS" in os.environ
TABS = ("values", "history", "members")
# Colors change at once, and not within a moment in which a picture may be taken.
STILL = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { transition: none !important; }");
    document.adoptedStyleSheets = [sheet];"""
# Elements that reach beyond the window, but for those that scroll within another element.
WIDE = """
    const clips = (one) => { for (let place = one.parentElement; place && place !== document.body; place = place.parentElement) {
      if (getComputedStyle(place).overflowX !== "visible") return true; } return false; };
    return [...document.querySelectorAll("body *")].filter((one) => one.offsetParent !== null && !one.closest("svg svg, .visually-hidden, .skip")
      && one.getBoundingClientRect().right > innerWidth + 1 && !clips(one)).slice(0, 5).map((one) => `${one.tagName}.${one.className}`);"""


def every_view_fits_every_size(page):
    own = OwnHub("--token", "secret-of-the-sizes")
    try:
        with page.at(own, "secret-of-the-sizes"):
            page.show("")
            page.wait(lambda: page.find_all("dialog[open] input"), "the login")
            look(page, "login")
            page.fill("dialog input", page.hub.token)
            page.press("Log in", "dialog")
            page.wait(lambda: page.texts(".rows .name"), "the list")
            views(page)
    finally:
        own.close()


def views(page):
    hub = page.hub
    ticks = hub.create(name="Ticks", source={"interval": {"seconds": 0.2, "count": 10}}, description="Counts to ten.")
    id = hub.create(name="Looked at", stream=items(*[(value, 0.5) for value in (1, 2, 3, 4)]),
                    operators=[{"id": "even", "filter": {"expression": "x % 2 == 0"}}, {"id": "join", "combineLatest": {"sources": [{"ref": ticks}], "expression": "a + b"}}],
                    sinks=[{"id": "log", "outside": {"name": "nowhere"}}])
    hub.put(id, {**hub.document(id), "description": "Looks at every view."})
    hub.create(name="Reads it", source={"subscribe": {"stream": ticks}})
    hub.ask("PUT", "/stacks/patient", {"filters": [{"retry": {"maxAttempts": 5}}, {"timeout": {"seconds": 5}}]}, If_None_Match="*")
    hub.control(ticks, "start")
    page.show("", width=390, height=844)
    page.wait(lambda: page.texts(".rows .name"), "the list")
    look(page, "list")
    page.open(id)
    page.click(".play")
    page.wait(lambda: page.mark() == "completed", "the end of the run")
    look(page, "stream")
    for tab in TABS:
        page.click(f"#tab-{tab}")
        look(page, tab)
    page.item(1).click()
    page.fill("[data-operator='filter'] [data-parameter='expression']", "x % ")
    page.wait(lambda: page.text("[data-operator='filter'] .form-expression .error"), "the error of the draft")
    look(page, "draft")
    page.click("#discard")
    for name in ("graph", "gallery", "operations", "stacks", "tokens", "first"):
        page.go(f"#/{name}")
        page.wait(lambda: page.run("return document.body.dataset.view") == name and page.text("main h1") and not page.find_all("main [aria-busy='true']"), f"the view {name}")
        look(page, name)


def look(page, name):
    page.run(STILL)
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark") if ALL or size == "laptop" else ("light",):
            page.look(width, height, scheme)
            page.frames(3)
            wide, over = page.run("return document.documentElement.scrollWidth"), page.run(WIDE)
            expect(wide <= width and not over, f"{name} at {width} px, {scheme}: {wide} px wide, by {over}")
            if name in TABS:
                page.run("document.querySelector('.panel').scrollIntoView({ block: 'nearest' })")
                page.frames()
            page.picture(f"{name}-{size}-{scheme}")


CHECKS = [every_view_fits_every_size]
