"""The list of streams: search, state, links."""

import time

from selenium.webdriver.common.keys import Keys

from api import items
from browser import expect

STREAM_A, STREAM_B = "Serial Stream A", "Serial Stream B"
# The rows of the streams that the hub came with.
SEED = ".rows [data-section='seed']"


def the_default_streams_are_listed(page):
    page.show()
    page.wait(lambda: {STREAM_A, STREAM_B} <= set(page.texts(".rows .name")),
        f"both default streams, there are {page.texts('.rows .name')}")
    page.wait(lambda: page.text("h1") == page.texts(".rows .name")[0], "the first stream, which a wide page shows")


def a_default_stream_plays_when_it_is_opened(page):
    page.hub.control("serial-stream-a", "reset")
    page.show("#/streams/serial-stream-a")
    page.wait(lambda: "1" in page.balls(), "the ball 1")
    page.wait(lambda: page.run("return document.querySelector('.rows [aria-current] .state').dataset.state") in ("running", "completed"), "its state in the list")


def search_finds_by_name_and_description(page):
    mark = str(time.time_ns())
    name = f"Thermometer {mark}"
    page.hub.create(name=name, description=f"degrees of the kitchen K{mark}", stream=items((20, 1)))
    page.wait(lambda: name in page.texts(".rows .name"), "the new stream, without a reload")
    for text in (f"thermometer {mark}", f"KITCHEN k{mark}"):
        page.fill("#search", text)
        page.wait(lambda: page.texts(".rows .name") == [name], lambda: f"what {text!r} finds: {page.texts('.rows .name')}")
    page.fill("#search", "no such stream")
    page.wait(lambda: page.is_shown(".none"), "that nothing was found")
    page.find("#search").send_keys(Keys.CONTROL, "a")
    page.find("#search").send_keys(Keys.DELETE)
    page.wait(lambda: len(page.texts(".rows .name")) >= 3, "all again")


def the_fragment_is_a_link_and_back_goes_back(page):
    page.show()
    page.wait(lambda: page.text("h1"), "a stream")
    page.run("[...document.querySelectorAll('.rows a')].find((one) => one.querySelector('.name').textContent === arguments[0]).click()", STREAM_B)
    page.wait(lambda: page.text("h1") == STREAM_B, STREAM_B)
    link = page.driver.current_url
    expect("#/streams/" in link, f"the link is {link}")
    page.driver.back()
    page.wait(lambda: page.text("h1") != STREAM_B, "the stream before")
    page.show(link.split("/", 3)[3])
    page.wait(lambda: page.text("h1") == STREAM_B, lambda: f"{STREAM_B} by its link")


def streams_are_put_in_another_order(page):
    page.show()
    page.wait(lambda: page.texts(f"{SEED} .name")[:2] == [STREAM_A, STREAM_B], "the hub's order")
    first = page.find(f"{SEED} a")
    page.run("arguments[0].focus()", first)
    first.send_keys(Keys.ALT, Keys.ARROW_DOWN)
    page.wait(lambda: page.texts(f"{SEED} .name")[:2] == [STREAM_B, STREAM_A], "the other order")
    expect(page.run("return document.activeElement.querySelector('.name').textContent") == STREAM_A,
        "the row has lost the focus")
    page.show()
    page.wait(lambda: page.texts(f"{SEED} .name")[:2] == [STREAM_B, STREAM_A], "the other order, after the page was opened again")
    link = page.wait(lambda: "#/streams/" in page.driver.current_url and page.driver.current_url,
        "the address of the first")
    rows = page.find_all(f"{SEED} li")
    page.hold(rows[1], (0, rows[0].rect["y"] - rows[1].rect["y"] - 10))()
    page.wait(lambda: page.texts(f"{SEED} .name")[:2] == [STREAM_A, STREAM_B], "the order after a drag by the mouse")
    rows = page.find_all(f"{SEED} li")
    up = (0, rows[0].rect["y"] - rows[1].rect["y"] - 10)
    # A finger that moves at once scrolls; one that has rested on a row takes it along.
    page.drag_by_finger(rows[1], up, rest=0)
    page.drag_by_finger(rows[1], up, rest=0.8)
    page.wait(lambda: page.texts(f"{SEED} .name")[:2] == [STREAM_B, STREAM_A], "the order after a drag by a finger")
    expect(not page.find_all(".rows .taken"), "the row is held for ever")
    expect(page.driver.current_url == link, "the drag opened a stream")
    page.run("localStorage.clear()")


def what_is_gone_is_said(page):
    page.show("#/streams/no-such-stream")
    page.wait(lambda: "no such stream" in page.text("main"), "that there is no such stream")


def a_stream_is_made_in_the_page(page):
    page.show()
    page.click("#new")
    page.fill("dialog input", "Made by hand")
    page.press("Create", "dialog")
    page.wait(lambda: page.text("h1") == "Made by hand", "the new stream")
    page.opened()
    expect(page.items() == [], f"it begins with {page.items()}")


def a_stream_is_renamed_and_deleted(page):
    id = page.hub.create(name="Old name", stream=items((1, 1)), **{"x-team": {"big": 12345678901234567890}})
    page.open(id)
    page.choose("More", "Rename and describe")
    page.fill("dialog input", "New name")
    page.fill("dialog textarea", "What it is for")
    page.press("Save", "dialog")
    page.wait(lambda: page.text("h1") == "New name" and page.text(".stream-title .about") == "What it is for",
        "the new name")
    document = page.hub.document(id)
    expect(document["name"] == "New name" and document["x-team"] == {"big": 12345678901234567890},
        f"the hub has {document}")
    page.choose("More", "Delete")
    page.press("Delete", "dialog")
    page.wait(lambda: page.hub.head(id) is None, "its end")
    page.wait(lambda: "New name" not in page.texts(".rows .name"), "that it leaves the list")
    page.press("Undo", "#notes")
    page.wait(lambda: page.text("h1") == "New name", "it again")
    expect(page.hub.document(id)["x-team"] == {"big": 12345678901234567890}, "something of it was lost")
    page.hub.delete(id)


def a_rename_rewrites_references(page):
    """A stream that others name is renamed: the page offers to have them name its id."""
    base = page.hub.create(name="Named base", stream=items((1, 1)))
    other = page.hub.create(name="Refers to it", source={"ref": "Named base"})
    page.open(base)
    page.choose("More", "Rename and describe")
    page.fill("dialog input", "Another name")
    page.press("Save", "dialog")
    page.press("Apply, and rewrite their references")
    page.wait(lambda: page.hub.document(base)["name"] == "Another name", "the new name")
    page.wait(lambda: page.hub.document(other)["source"] == {"ref": base}, lambda: f"the reference: {page.hub.document(other)['source']}")
    expect(not page.hub.head(other).get("errors"), "the other stream is broken")
    page.hub.delete(other)
    page.hub.delete(base)


def a_default_stream_is_not_deleted(page):
    head = next(head for head in page.hub.heads() if head["name"] == STREAM_A)
    page.open(head["id"])
    page.choose("More", "Delete")
    page.wait(lambda: "Default streams cannot be deleted" in page.text("dialog"), "the kind refusal")
    page.press("OK", "dialog")
    expect(page.hub.head(head["id"]), "it was deleted all the same")


def a_copy_stands_beside_its_original(page):
    head = next(head for head in page.hub.heads() if head["name"] == STREAM_A)
    page.open(head["id"])
    page.choose("More", "Duplicate")
    page.wait(lambda: page.text("h1") == f"{STREAM_A} copy", "the copy")
    copy = next(head for head in page.hub.heads() if head["name"] == f"{STREAM_A} copy")
    expect(not copy["isDefault"] and copy["id"] != head["id"], f"the copy is {copy}")
    page.hub.delete(copy["id"])


def rows_have_sections_stars_and_figures(page):
    title = f"Starred {time.time_ns()}"
    id = page.hub.create(name=title, source={"interval": {"seconds": 0.1}}, operators=[{"id": "m", "map": {"expression": "'value ' + string(x)"}}])
    name = f"kitchen-{time.time_ns()}"
    page.hub.ask("PUT", f"/groups/{name}")
    page.hub.ask("PUT", f"/groups/{name}/streams/{id}")
    row = f".rows [data-stream='{id}']"
    section = lambda: page.run("return document.querySelector(arguments[0])?.parentElement.dataset.section", row)
    choose = lambda label, value: page.run("""const [label, value] = arguments, pick = document.querySelector(`select[aria-label="${label}"]`);
        pick.value = value; pick.dispatchEvent(new Event("change"))""", label, value)
    page.show(f"#/streams/{id}")
    try:
        page.wait(lambda: section() == "joined", lambda: f"the section of a stream of a group: {section()}")
        page.click(".play")
        page.wait(lambda: page.text(f"{row} .figures").startswith("value "), lambda: f"the last value: {page.text(f'{row} .figures')!r}")
        page.wait(lambda: page.text(f"{row} .rate-text").endswith("/s"), "the rate")
        page.press(f"Star {title}")
        page.wait(lambda: section() == "starred", "the section of the stars")
        page.picture("sections")
        choose("Only streams of a group", name)
        page.wait(lambda: page.texts(".rows .name") == [title], lambda: f"the streams of the group: {page.texts('.rows .name')}")
        choose("Only streams in a state", "completed")
        page.wait(lambda: page.texts(".rows .name") == [] and "No stream matches" in page.text(".none"), "that none is completed")
        page.hub.control(id, "stop")
        choose("Only streams in a state", "idle")
        figures = lambda: page.run("return [...document.querySelectorAll(arguments[0])].map((row) => [row.querySelector('.state').dataset.state, row.querySelector('.rate-text').textContent])", row)
        page.wait(lambda: figures() and figures()[0][0] == "idle", "the stopped stream")
        expect(page.texts(".rows .name") == [title] and figures()[0][1] == "", f"a stream that has stopped has a rate: {figures()}")
    finally:
        page.hub.control(id, "stop")
        page.hub.ask("DELETE", f"/groups/{name}")
        page.run("localStorage.clear()")


CHECKS = [
    the_default_streams_are_listed, a_default_stream_plays_when_it_is_opened, search_finds_by_name_and_description,
    the_fragment_is_a_link_and_back_goes_back, streams_are_put_in_another_order,
    what_is_gone_is_said, a_stream_is_made_in_the_page,
    a_stream_is_renamed_and_deleted, a_rename_rewrites_references, a_default_stream_is_not_deleted, a_copy_stands_beside_its_original,
          rows_have_sections_stars_and_figures]
