"""WCAG 2.2 AA by axe-core, in each view, with a draft and its errors, light and dark, wide and narrow."""

from importlib.util import find_spec
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from api import items
from browser import Failure, expect

# axe's own tags; the rules of its best practices that are asked for by name: headings in order, landmarks.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RULES = ["heading-order", "page-has-heading-one", "region", "landmark-one-main", "landmark-unique", "landmark-no-duplicate-main",
    "landmark-main-is-top-level", "landmark-complementary-is-top-level", "landmark-banner-is-top-level", "empty-heading"]

RUN = """
    const [tags, rules, done] = arguments;
    (async () => {
      const found = [await axe.run(document, { runOnly: { type: "tag", values: tags } }), await axe.run(document, { runOnly: { type: "rule", values: rules } })];
      done({ passes: found.reduce((sum, { passes }) => sum + passes.length, 0),
        violations: found.flatMap(({ violations }) => violations).map(({ id, impact, nodes }) => [id, impact, nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`)]) });
    })();"""


def axe():
    found = find_spec("axe_playwright_python")
    if not found:
        raise Failure("axe-core is not there: pip install --no-deps -r Tests/Browser/axe.txt")
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text()


def look(page, where):
    page.wait(lambda: not page.find_all("[aria-busy='true']"), "the end of what is loading")
    page.frames(3)
    if not page.run("return Boolean(window.axe)"):
        page.run(axe())
    found = page.run_async(RUN, TAGS, RULES)
    expect(found["passes"] > 15, f"{where}: only {found['passes']} rules found anything to look at")
    expect(not found["violations"], f"{where}: {found['violations']}")


def sizes():
    for scheme in ("light", "dark"):
        for width, height in ((1400, 900), (390, 844)):
            yield {"width": width, "height": height, "scheme": scheme}


def a_stream_and_its_drafts(page):
    id = page.hub.create(name="Axe", description="For all.", stream=items((1, 0.1), ("B", 0.1), ([1, {"c": 2}], 0.1)), operators=[
        {"id": "f", "filter": {"expression": "true"}}, {"id": "m", "map": {"expression": "x"}}])
    for size in sizes():
        where = f"{size['scheme']} {size['width']}"
        page.hub.control(id, "reset")
        page.open(id, **size)
        page.click(".play")
        page.wait(lambda: page.mark(2) == "completed", "the end")
        look(page, f"a stream, {where}")
        page.item(0).click()
        field = page.fill("[data-operator='map'] [data-parameter='expression']", "x + y")
        page.wait(lambda: page.find_all(".broken") and "1 error" in page.text(".draft"), "the error")
        page.rest(500)     # the draft's bar appears gradually
        look(page, f"a draft with an error, {where}")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("x + 1")
        page.wait(lambda: page.find_all(".fault:not([hidden])"), "the failure")
        look(page, f"a draft that fails, {where}")
        page.click("#discard")
        for tab in ("values", "history", "members"):
            page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", f"#tab-{tab}")
            page.click(f"#tab-{tab}")
            look(page, f"{tab}, {where}")


def the_other_views(page):
    page.hub.ask("PUT", "/stacks/axe", '{"filters": [{"retry": {}}, {"timeout": {"seconds": 1}}]}', If_None_Match="*")
    for size in sizes():
        where = f"{size['scheme']} {size['width']}"
        for fragment, there in (("#/first", "#drag"), ("#/groups/all", ".people li"), ("#/tokens", "main h1"), ("#/stacks", "[data-stack='axe']"),
                ("#/gallery", ".template-picture svg"), ("#/graph", ".graph .box, .alone li"), ("#/operations", ".costs tbody tr")):
            page.show(fragment, **size)
            page.wait(lambda: page.find_all(there), there)
            look(page, f"{fragment}, {where}")
        page.show("", **size)
        page.wait(lambda: page.texts(".rows .name"), "the list")
        look(page, f"the list, {where}")
        page.click("#new")
        page.wait(lambda: page.find_all("dialog"), "the dialog")
        look(page, f"a new stream, {where}")
    status, _, fields = page.hub.ask("GET", "/stacks/axe")
    page.hub.ask("DELETE", "/stacks/axe", If_Match=fields["ETag"])


CHECKS = [a_stream_and_its_drafts, the_other_views]
