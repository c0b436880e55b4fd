"""What a stream was: its revisions, looked at and rolled back to; and the defaults again."""

from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect, until


def revisions_are_listed_with_their_authors(page):
    page.past = page.hub.create(name="History", stream=items((1, 1), (2, 1)))
    page.hub.put(page.past, {**page.hub.document(page.past), "name": "Second"})
    page.open(page.past)
    page.item(1).send_keys(Keys.CONTROL, Keys.ARROW_RIGHT)
    until(lambda: page.hub.revision(page.past) == 3, "the edit of this page")
    page.click("#tab-history")
    page.wait(lambda: page.run("return [...document.querySelectorAll('.revisions li')].map((one) => one.dataset.revision)") == ["3", "2", "1"], "three revisions")
    rows = page.texts(".revisions li")
    expect("page-" in rows[0] and "somebody" in rows[1] and "test" in rows[2], f"the authors: {rows}")


def each_revision_says_what_it_changed(page):
    change = lambda revision: page.text(f".revisions li[data-revision='{revision}'] .change")
    page.wait(lambda: change(1) == "the first one", lambda: f"the first one: {change(1)!r}")
    expect("item 2 delay 1 s → 2 s" in change(3), f"revision 3 says {change(3)!r}")
    expect(change(2) == 'name "History" → "Second"', f"revision 2 says {change(2)!r}")
    page.press("Difference of revision 3")
    page.wait(lambda: page.find_all("li[data-revision='3'] .line.new"), "the difference in the list")
    lines = page.texts("li[data-revision='3'] .line")
    expect(any(line.startswith("− ") and '"seconds": 1}' in line for line in lines) and any(line.startswith("+ ") and '"seconds": 2}' in line
        for line in lines), f"it shows {lines}")
    page.picture("history-changes")
    page.press("Difference of revision 3")
    page.wait(lambda: not page.is_shown("li[data-revision='3'] .row-diff"), "the end of the difference")


def a_name_is_asked_for_once(page):
    page.fill(".signature input", "Ada Ångström 李").send_keys(Keys.ENTER)
    page.wait(lambda: "Ada Ångström 李" in page.text(".signature p"), "the name")
    page.run("arguments[0].focus()", page.item(1))
    page.item(1).send_keys(Keys.CONTROL, Keys.ARROW_LEFT)
    until(lambda: page.hub.revision(page.past) == 4, "the edit of somebody with a name")
    expect(page.hub.history(page.past)[0]["author"] == "Ada Ångström 李", f"the author is {page.hub.history(page.past)[0]}")
    page.open(page.past)
    page.click("#tab-history")
    page.wait(lambda: "Ada Ångström 李" in page.text(".revisions li"), "the author in the list")
    expect(not page.find_all(".signature input"), "it is asked for again")
    page.run("localStorage.removeItem('sluice author')")
    page.hub.put(page.past, {**page.hub.document(page.past), "stream": items((1, 1), (2, 2))})
    page.open(page.past)
    page.click("#tab-history")
    page.wait(lambda: len(page.find_all(".revisions li")) == 5, "five revisions")


def a_revision_is_looked_at(page):
    page.press("Look at revision 1")
    page.wait(lambda: page.is_shown(".look") and page.texts(".look .line.old"), "the revision")
    old, new = page.texts(".look .line.old"), page.texts(".look .line.new")
    expect(any("History" in line for line in old) and any("Second" in line for line in new),
        f"it shows {old} and {new}")
    page.wait(lambda: "on the run" in page.text(".look"), "the plan of rolling back")
    cut_off = page.run("return [...document.querySelectorAll('.look .line')].filter((one) => one.scrollWidth > one.clientWidth).length")
    expect(cut_off == 0, f"{cut_off} lines of the difference are cut off")
    page.picture("history")


def a_revision_is_put_in_place_again(page):
    page.click("#rollback")
    until(lambda: page.hub.revision(page.past) == 6, "the rollback in the hub")
    expect(page.hub.document(page.past)["name"] == "History", f"the hub has {page.hub.document(page.past)}")
    page.wait(lambda: page.text("h1") == "History" and page.items() == [["1", 1], ["2", 2]],
        "the old document in the page")
    page.wait(lambda: len(page.find_all(".revisions li")) == 6, "six revisions")


def the_defaults_come_back(page):
    head = next(head for head in page.hub.heads() if head["name"] == "Serial Stream B")
    before = page.hub.document(head["id"])
    page.hub.put(head["id"], {**before, "description": "edited"})
    page.open(head["id"])
    page.wait(lambda: page.text(".stream-title .about") == "edited", "the edited default")
    page.click("#reset-all")
    page.press("Reset", "dialog")
    until(lambda: page.hub.document(head["id"]) == before, "the default in the hub")
    page.wait(lambda: not page.is_shown(".stream-title .about"), "the default in the page")


CHECKS = [revisions_are_listed_with_their_authors, each_revision_says_what_it_changed, a_name_is_asked_for_once, a_revision_is_looked_at, a_revision_is_put_in_place_again,
    the_defaults_come_back]
