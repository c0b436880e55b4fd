"""The page shows hostile text as text, and runs no code of others."""

from api import items
from browser import expect

HOSTILE = '<img src=x onerror="window.hurt=1">\u202etxt.exe\u2066<script>window.hurt=1</script>'


def hostile_names_and_values_are_text(page):
    values = [HOSTILE, "<svg onload=window.hurt=1>", "\u202eright to left", "x" * 100_000, {HOSTILE: [HOSTILE]},
        [[[[1]]]], None, True,
              9007199254740993, 1e300, "\u0000\u001b[31m", "", "😀" * 50, "a\nb"]
    id = page.hub.create(name=HOSTILE, description=HOSTILE, stream=items(*[(value, 0.1) for value in values]),
                         operators=[{"id": HOSTILE, "note": HOSTILE,
                             "map": {"expression": "x"}}], **{"x-" + HOSTILE: HOSTILE})
    page.open(id)
    page.click(".play")
    page.wait(lambda: page.mark(1) in ("completed", "failed"), "the end")
    page.picture("hostile")
    expect(page.mark(1) == "completed", f"it ends with {page.mark(1)}")
    for tab in ("history", "members", "json"):
        page.click(f"#tab-{tab}")
    page.item(0).click()
    page.item(4).click()
    page.press("Close the item")
    page.choose("More", "Delete")
    page.press("Cancel", "dialog")
    page.hub.ask("PUT", "/groups/hostile")
    page.hub.ask("PUT", "/groups/hostile/members/m",
        {"name": HOSTILE, "streams": [{"id": id, "revision": 1, "state": "failed", "time": 0, "error": HOSTILE}]})
    page.show("#/groups/hostile")
    page.wait(lambda: page.text("[data-member='m']"), "the member")
    page.hub.ask("DELETE", "/groups/hostile")
    expect(not page.run("return window.hurt"), "what was said by the document was done")
    expect(page.run("return document.querySelectorAll('main img, main script, .side script, main svg[onload]').length") == 0, "a part of the document is a part of the page")
    page.hub.delete(id)


def a_very_long_document_stays_usable(page):
    id = page.hub.create(name="Long document", stream=items(*[(value, 0.01) for value in range(900)]))
    page.open(id)
    expect(len(page.find_all(".item")) <= 300 and "more items" in page.text(".items"), "all 900 items are drawn")
    took = page.run("""const start = performance.now(); document.querySelector("[data-chip='A']").click(); return performance.now() - start""")
    expect(took < 2000, f"an edit takes {took:.0f} ms")
    page.wait(lambda: page.hub.revision(id) == 2, "the edit in the hub")
    page.hub.delete(id)


def the_policy_allows_no_code_of_others(page):
    page.show()
    page.wait(lambda: page.text("h1"), "a stream")
    page.read_logs()
    before = len(page.console)
    page.run("""
        const script = document.createElement("script"); script.textContent = "window.hurt = 1"; document.body.append(script);
        const place = document.createElement("p"); place.innerHTML = '<b onclick="window.hurt = 1">x</b>'; document.body.append(place); place.firstChild.click();""")
    expect(not page.run("return window.hurt"), "a script within the page was run")
    inline = page.run("""return fetch("/").then((answer) => answer.text()).then((text) => {
        const page = new DOMParser().parseFromString(text, "text/html");
        return [...page.querySelectorAll("*")].filter((one) => one.hasAttribute("style") || [...one.attributes].some(({ name }) => name.startsWith("on")) || (one.localName === "script" && !one.src)).length; })""")
    expect(inline == 0, f"{inline} elements of the page have code or a look within them")
    page.read_logs()
    del page.console[before:]       # what was refused just now is in the console, as it should be


def a_stream_that_cannot_run_is_quiet(page):
    """What the page knows to be wrong it does not ask the hub to draw. One without a name goes by its id."""
    id = page.hub.create(name=" ", source={"ref": "nobody"})
    page.read_logs()
    before = len(page.console)
    page.open(id)
    page.wait(lambda: page.state() == "blocked" and "there is no stream" in page.text(".pipeline"), "the error")
    expect(page.text("h1") == id, f"it is called {page.text('h1')!r}")
    page.run("""const slider = document.getElementById("scrub"); slider.value = 3; slider.dispatchEvent(new Event("input"));""")
    page.wait(lambda: "cannot be drawn" in page.text(".note"), "why there is no picture")
    page.read_logs()
    expect(len(page.console) == before, f"the console says {page.console[before:]}")
    page.hub.delete(id)


CHECKS = [hostile_names_and_values_are_text, a_very_long_document_stays_usable, the_policy_allows_no_code_of_others,
    a_stream_that_cannot_run_is_quiet]
