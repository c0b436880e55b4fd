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

# The rules that depend on the colors: in the dark, all others find what they find in the light.
COLORS = ["color-contrast", "link-in-text-block"]

RUN = """
    const [tags, rules, colors, done] = arguments;
    const named = axe.getRules(tags).filter((rule) => !rule.tags.some((tag) => ["experimental", "deprecated"].includes(tag))).map(({ ruleId }) => ruleId);
    const only = colors ?? [...named, ...rules];
    axe.run(document, { runOnly: { type: "rule", values: only }, resultTypes: ["violations"] }).then(({ passes, violations }) =>
      done({ passes: passes.length, violations: violations.map(({ id, impact, nodes }) =>
        [id, impact, nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`)]) }));"""


def axe():
    found = find_spec("axe_playwright_python")
    if not found:
        raise Failure("axe-core is not there: pip install --no-deps -r Tests/Browser/axe.txt")
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text()


def look(page, where):
    """Looks at a view in all sizes and colors, at last in a wide window."""
    page.wait(lambda: not page.find_all("[aria-busy='true']"), "the end of what is loading")
    if not page.run("return Boolean(window.axe)"):
        page.run(axe())
    for width, height in ((390, 844), (1400, 900)):
        for scheme in ("dark", "light"):
            page.look(width=width, height=height, scheme=scheme, motion="reduce")
            page.frames(3)
            found = page.run_async(RUN, TAGS, RULES, COLORS if scheme == "dark" else None)
            expect(found["passes"] > (0 if scheme == "dark" else 15), f"{where}, {scheme} {width}: only {found['passes']} rules found anything to look at")
            expect(not found["violations"], f"{where}, {scheme} {width}: {found['violations']}")


def a_stream_and_its_drafts(page):
    id = page.hub.create(name="Axe", description="For all.", stream=items((1, 0.1), ("B", 0.1), ([1, {"c": 2}], 0.1)), operators=[
        {"id": "f", "filter": {"expression": "true"}}, {"id": "m", "map": {"expression": "x"}}])
    page.open(id, motion="reduce")
    page.click(".play")
    page.wait(lambda: page.mark(2) == "completed", "the end")
    look(page, "a stream")
    page.item(0).click()
    field = page.fill("[data-operator='map'] [data-parameter='expression']", "x + y")
    page.wait(lambda: page.find_all(".broken") and "1 error" in page.text(".draft"), "the error")
    look(page, "a draft with an error")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("x + 1")
    page.wait(lambda: page.find_all(".fault:not([hidden])"), "the failure")
    look(page, "a draft that fails")
    page.click("#discard")
    for tab in ("values", "history", "members"):
        page.click(f"#tab-{tab}")
        look(page, tab)


def the_other_views(page):
    page.hub.ask("PUT", "/stacks/axe", '{"filters": [{"retry": {}}, {"timeout": {"seconds": 1}}]}', If_None_Match="*")
    page.show("#/first", motion="reduce")
    for fragment, there in (("#/first", "#drag"), ("#/groups/all", ".people li"), ("#/tokens", "main h1"), ("#/stacks", "[data-stack='axe']"),
            ("#/gallery", ".template-picture svg"), ("#/graph", ".graph .box, .alone li"), ("#/operations", ".costs tbody tr")):
        page.go(fragment)
        page.wait(lambda: page.find_all(there), there)
        look(page, fragment)
    page.click("#new")
    page.wait(lambda: page.find_all("dialog"), "the dialog")
    look(page, "a new stream")
    page.press("Cancel", "dialog")
    page.show("", width=390, height=844, motion="reduce")
    page.wait(lambda: page.texts(".rows .name"), "the list")
    look(page, "the list")
    status, _, fields = page.hub.ask("GET", "/stacks/axe")
    page.hub.ask("DELETE", "/stacks/axe", If_Match=fields["ETag"])


CHECKS = [a_stream_and_its_drafts, the_other_views]
