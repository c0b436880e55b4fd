"""Narrow and wide, light and dark, keys and screen readers, motion."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect

# What a screen reader needs: a name for all that one can use, one h1, no id twice, labels that lead somewhere.
NAMELESS = """
const name = (one) => one.getAttribute("aria-label") || one.labels?.[0]?.textContent || one.getAttribute("title")
  || (one.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("") || (["BUTTON", "A"].includes(one.tagName) ? one.textContent : "");
const seen = [...document.querySelectorAll("button, a[href], input, select, textarea, [role='group'], [role='listbox'], dialog, [role='img']")].filter((one) => one.offsetParent !== null);
const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
const lost = [...document.querySelectorAll("[aria-controls], [aria-describedby], [aria-labelledby]")].flatMap((one) => ["aria-controls", "aria-describedby", "aria-labelledby"]
  .flatMap((key) => (one.getAttribute(key) ?? "").split(" ").filter(Boolean))).filter((id) => !document.getElementById(id));
return { nameless: seen.filter((one) => !name(one).trim()).map((one) => one.outerHTML.slice(0, 120)), twice: ids.filter((id, index) => ids.indexOf(id) !== index),
  lost, headings: [...document.querySelectorAll("h1")].length, count: seen.length };
"""

# The contrast of each text with its background, if that is a plain color.
PALE = """
const parse = (color) => { const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const found = [];
for (const one of document.querySelectorAll("p, span, a, button, label, h1, h2, h3, li, time, input, select, textarea, strong")) {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || "value" in one && one.value;
  if (!own || one.offsetParent === null || one.closest(".ball, .off, .tunnel, :disabled, .visually-hidden, .skip, [aria-hidden='true']") || one.matches("[type='range'], [type='checkbox'], option")) continue;
  let ground, place = one;
  for (; place; place = place.parentElement) { const color = parse(getComputedStyle(place).backgroundColor); if (color[3] > 250) { ground = color; break; } }
  const ink = parse(getComputedStyle(one).color), [above, below] = [light(ink), light(ground ?? parse(getComputedStyle(document.body).backgroundColor))].sort((x, y) => y - x);
  const contrast = (above + 0.05) / (below + 0.05);
  if (contrast < 4.5) found.push([one.textContent.trim().slice(0, 40) || one.value, Math.round(contrast * 100) / 100]);
}
return found;
"""


def stream(page):
    if not getattr(page, "looks", None):
        page.looks = page.hub.create(name="Looks", description="For every screen.",
            stream=items(*[(value, 0.5) for value in (1, 2, 3, 4)]), operators=[
            {"id": "even", "filter": {"expression": "x % 2 == 0"}}, {"id": "sum",
                "scan": {"initialValue": 0, "expression": "acc + x"}}])
    return page.looks


def played(page, **options):
    """The stream, opened without a run of before and played to its end."""
    page.hub.control(stream(page), "reset")
    page.open(stream(page), **options)
    page.click(".play")
    page.wait(lambda: page.mark(2) == "completed", "the completion")


def it_fits_a_narrow_screen(page):
    for scheme in ("light", "dark"):
        page.show("", 360, 740, scheme)
        page.wait(lambda: page.texts(".rows .name") and not page.is_shown("main"), "the list alone")
        page.picture(f"narrow-list-{scheme}")
        fits(page)
        played(page, width=360, height=740, scheme=scheme)
        expect(not page.is_shown("#side"), "the list is shown beside the stream")
        fits(page)
        page.picture(f"narrow-{scheme}")
        heights = page.run("return [...document.querySelectorAll('button, select, input:not([type=checkbox], [type=range])')].filter((one) => one.offsetParent !== null && !one.closest('.items, .panel')).map((one) => [one.textContent || one.getAttribute('aria-label'), one.getBoundingClientRect().height])")
        low = [entry for entry in heights if entry[1] < 40 and not entry[0].startswith(("Scrub as", "Live"))]
        expect(not low, f"too low for a finger: {low}")
    page.press("‹ All streams")
    page.wait(lambda: page.is_shown("#side") and not page.is_shown("main"), "the list again")
    page.driver.back()
    page.wait(lambda: page.is_shown("main") and page.text("h1") == "Looks", "the stream again")


def fits(page, width=360):
    wide = page.run("return document.documentElement.scrollWidth")
    expect(wide <= width, f"the page is {wide} px wide")
    cut_off = page.run("return [...document.querySelectorAll('.operator .about, .text')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value ?? one.textContent)")
    expect(not cut_off, f"cut off are {cut_off}")


def the_first_ball_is_in_sight(page):
    """At the sizes of a phone, and of a wide screen at 200 %; the transport is one row at the bottom, which hides nothing."""
    for id, ball in ((stream(page), ".item[data-item='0']"), ("scan-stream", "[data-stage='0'] [data-ball]")):
        page.hub.control(id, "reset")
        page.open(id, width=390, height=844)
        if id != "scan-stream":      # a stream that came with the hub plays when it is opened
            page.click(".play")
        page.wait(lambda: page.find_all(ball), "the first ball")
        for scheme, width, height in (("light", 390, 844), ("dark", 390, 844), ("light", 700, 450), ("dark", 960, 540), ("light", 360, 740)):
            page.look(width, height, scheme)
            page.run("scrollTo(0, 0)")
            page.frames(3)
            box, bar = page.run("return [arguments[0], '.transport'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())", ball)
            bottom = bar["top"] if width < 800 else height
            expect(box["bottom"] <= bottom, f"{id} at {width} x {height}: the first ball ends at {box['bottom']}, the window at {bottom}")
            page.picture(f"fold-{scheme}-{width}-{'items' if id != 'scan-stream' else 'ref'}")
            if width >= 800:
                continue
            expect(bar["height"] <= 70 and bar["bottom"] == height, f"the transport is not one row at the bottom: {bar}")
            page.run("scrollTo(0, 1e6)")
            expect(page.run("return document.querySelector('.transport').getBoundingClientRect().bottom") == height, "it leaves the bottom")
            field = page.find(".adder")
            page.run("arguments[0].scrollIntoView({ block: 'nearest' }); arguments[0].focus()", field)
            expect(field.rect["y"] + field.rect["height"] - page.run("return scrollY") <= bar["top"], "what has the focus is behind it")
            page.run("arguments[0].blur()", field)
            page.press("More of the run")
            page.wait(lambda: page.is_shown("#speed"), "the speed")
            fits(page, width)
            page.press("More of the run")


def it_fills_a_wide_screen(page):
    played(page)
    for scheme in ("light", "dark"):
        page.look(scheme=scheme)
        page.frames(30)
        page.picture(f"wide-{scheme}")
        beside = page.run("const [one, other] = ['.stream-main', '.panel'].map((name) => document.querySelector(name).getBoundingClientRect()); return other.left >= one.right")
        expect(beside, "the JSON does not stand beside the stream")


def texts_have_contrast(page):
    page.open(stream(page), motion="reduce")
    page.fill("[data-operator='filter'] [data-parameter='expression']", "x % ")
    page.wait(lambda: page.text("[data-operator='filter'] .form-expression .error"), "an error")
    page.wait(lambda: "1 error" in page.text(".draft"), "the draft")
    for scheme in ("light", "dark"):
        page.look(scheme=scheme, motion="reduce")
        page.frames(3)
        pale = page.run(PALE)
        expect(not pale, f"{scheme}: too pale are {pale}")


def everything_has_a_name(page):
    played(page)
    page.wait(lambda: page.state() == "completed", "the state")
    page.item(0).click()
    found = page.run(NAMELESS)
    expect(found["count"] > 40, f"only {found['count']} things were looked at")
    expect(not found["nameless"], f"without a name: {found['nameless']}")
    expect(not found["twice"] and not found["lost"] and found["headings"] == 1, f"{found}")
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {(node.get("role", {}).get("value"),
        node.get("name", {}).get("value")) for node in tree if not node.get("ignored")}
    wanted = [("heading", "Looks"), ("navigation", "Streams"), ("button", "Play again"),
              ("slider", "Scrub: the time that is shown"), ("combobox", "Add an operator"), ("tab", "History"),
              ("textbox", "The stream as JSON"), ("switch", "filter is on")]
    for role, name in wanted:
        expect((role, name) in roles,
            f"a screen reader finds no {role} {name!r}")


def the_keys_reach_everything(page):
    page.open(stream(page))
    page.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    wanted = {"search", "new", "play", "scrub", "item", "chip", "parameter", "grip", "adder", "tab-json", "text",
        "undo-or-share"}
    reached = set()
    for _ in range(150):
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
        about = page.run("""const one = document.activeElement;
            return [one.id, ...one.classList, one.dataset.parameter ? "parameter" : "", one.textContent.trim() === "Share" ? "undo-or-share" : ""]""")
        reached |= wanted & set(about)
        if reached == wanted:
            break
    expect(reached == wanted, f"the tab key does not reach {sorted(wanted - reached)}")
    page.show(f"#/streams/{stream(page)}")
    page.opened()
    page.run("document.querySelector('.skip').focus()")
    page.find(".skip").send_keys(Keys.ENTER)
    expect(page.run("return document.activeElement.id") == "view" and "#/streams/" in page.driver.current_url,
        "the skip link leads elsewhere")


def menus_and_dialogs_work_by_keys(page):
    page.open(stream(page))
    share = page.wait(lambda: page.run("return [...document.querySelectorAll('button')].find((one) => one.textContent === 'More')"), "the menu")
    share.send_keys(Keys.ENTER)
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    expect(page.run("return document.activeElement.textContent") == "Duplicate",
        "the arrow key does not go on in the menu")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    expect(page.run("return document.activeElement.textContent") == "More", "escape does not go back to the button")
    page.click("#new")
    expect(page.run("return document.activeElement.closest('dialog') !== null"), "the dialog has not the focus")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.wait(lambda: not page.find_all("dialog"), "the end of the dialog")


def it_does_not_glide_where_motion_is_unwanted(page):
    id = page.hub.create(name="Calm", source={"interval": {"seconds": 1, "count": 4}})
    page.open(id, motion="reduce")
    page.click(".play")
    page.wait(lambda: page.balls(), "a ball")
    places = page.run_async("""
        const done = arguments[0], places = new Set(), start = performance.now();
        requestAnimationFrame(function read(now) {
          const ball = document.querySelector("[data-ball]");
          if (ball) places.add(Math.round(ball.getBoundingClientRect().left));
          if (now - start < 1500) requestAnimationFrame(read); else done([...places]);
        });""")
    expect(1 <= len(places) <= 4, f"a ball stood at {len(places)} places within 1.5 s")
    page.wait(lambda: page.mark() == "completed", "the completion")


CHECKS = [it_fits_a_narrow_screen, the_first_ball_is_in_sight, it_fills_a_wide_screen, texts_have_contrast, everything_has_a_name,
    the_keys_reach_everything,
          menus_and_dialogs_work_by_keys, it_does_not_glide_where_motion_is_unwanted]
