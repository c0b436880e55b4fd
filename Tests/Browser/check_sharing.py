"""Two pages on one hub: each sees what the other edits, and a conflict shows both."""

import json

from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect, until


def put_text(page, text):
    page.run("""
        const field = document.querySelector("textarea.text"); field.focus(); field.value = arguments[0];
        field.dispatchEvent(new Event("input", { bubbles: true }));""", text)


def with_two(check):
    """A check with two pages of one stream."""
    def run(page):
        check(page, page.other)
    run.__name__ = check.__name__
    return run


@with_two
def an_edit_in_one_page_shows_in_the_other(page, other):
    id = page.hub.create(name="Shared", stream=items((1, 1), (2, 1)))
    page.open(id)
    other.open(id)
    page.item(1).send_keys(Keys.CONTROL, Keys.ARROW_RIGHT)
    other.wait(lambda: other.items() == [["1", 1], ["2", 3]], lambda: f"the ball at 3 s in the other page: {other.items()}")
    other.find("[data-chip='H']").send_keys(Keys.ENTER)
    page.wait(lambda: [text for text, _ in page.items()] == ["1", "2", "H"], "the H of the other page")
    expect(not page.is_shown(".draft") and not other.is_shown(".conflict"), "an edit that was seen is a conflict")
    other.choose("More", "Rename and describe")
    other.fill("dialog input", "Shared by two")
    other.press("Save", "dialog")
    page.wait(lambda: page.text("h1") == "Shared by two" and "Shared by two" in page.texts(".rows .name"),
        "the name in this page")
    other.click(".play")
    page.wait(lambda: page.state() == "running" and "1" in page.balls(), "the run of the other page")


@with_two
def a_conflict_shows_both_and_takes_theirs(page, other):
    id = conflict(page, other)
    both = page.texts(".both .line.old") + page.texts(".both .line.new")
    expect(any("theirs" in line for line in both) and any("mine" in line for line in both), f"it shows {both}")
    page.picture("conflict")
    page.click("#take-theirs")
    page.wait(lambda: not page.is_shown(".conflict") and page.text("h1") == "theirs", "theirs")
    expect(page.hub.revision(id) == 2 and page.hub.document(id)["name"] == "theirs",
        f"the hub has {page.hub.document(id)}")


@with_two
def a_conflict_shows_its_plan_and_keeps_mine(page, other):
    id = conflict(page, other)
    page.wait(lambda: "on the run" in page.text(".conflict") and "is removed" in page.text(".conflict"),
        f"the plan: {page.text('.conflict')!r}")
    page.click("#keep-mine")
    until(lambda: page.hub.revision(id) == 3, "mine in the hub, on top of theirs")
    expect(page.hub.document(id)["name"] == "mine", f"the hub has {page.hub.document(id)}")
    page.wait(lambda: not page.is_shown(".conflict"), "the end of the conflict")
    other.wait(lambda: other.text("h1") == "mine", "mine in the other page")


def conflict(page, other):
    """Both edit the document of revision 1, the other stores first."""
    id = page.hub.create(name="Both", stream=items((1, 1)), operators=[{"id": "kept", "map": {"expression": "x"}}])
    page.open(id)
    document = page.hub.document(id)
    put_text(page, json.dumps({**document, "name": "mine", "operators": []}, indent=2))
    page.wait(lambda: page.is_shown(".draft"), "the draft")
    other.open(id)
    put_text(other, json.dumps({**document, "name": "theirs"}, indent=2))
    other.find("textarea.text").send_keys(Keys.CONTROL, Keys.ENTER)
    page.wait(lambda: page.is_shown(".conflict") and page.texts(".both .line"), "the conflict")
    return id


def an_edit_that_was_not_seen_is_not_overwritten(page):
    """The hub's own no: the page has not heard of the other edit when it stores."""
    id = page.hub.create(name="Unseen", stream=items((1, 1), (2, 1)))
    page.open(id)
    page.run("""
        const ask = window.fetch;
        window.fetch = (path, options) => options?.method === "PUT" && !window.raced
          ? (window.raced = true, ask(path, { ...options, headers: { ...options.headers, "If-Match": '"1"', "X-Sluice-Author": "race" }, body: options.body.replace("Unseen", "First") }).then(() => ask(path, options)))
          : ask(path, options);""")
    page.item(1).send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: page.is_shown(".conflict"), "the conflict")
    expect(page.hub.document(id)["name"] == "First" and page.hub.revision(id) == 2,
        f"the hub has {page.hub.document(id)}")


def a_deleted_stream_can_be_stored_again(page):
    id = page.hub.create(name="Deleted", stream=items((1, 1)))
    page.open(id)
    page.hub.delete(id)
    page.wait(lambda: "was deleted" in page.text(".conflict"), "that it was deleted")
    page.press("Store it again", ".conflict")
    until(lambda: page.hub.head(id), "the stream in the hub again")
    page.wait(lambda: not page.is_shown(".conflict"), "the stream in the page")


CHECKS = [an_edit_in_one_page_shows_in_the_other, a_conflict_shows_both_and_takes_theirs,
    a_conflict_shows_its_plan_and_keeps_mine,
          an_edit_that_was_not_seen_is_not_overwritten, a_deleted_stream_can_be_stored_again]
