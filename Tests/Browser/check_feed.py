"""The list and the events together: nothing that others store is missed between them, and nothing is undone."""

import json
import time

from api import items
from browser import expect

# Answers to the question for the list, and new connections for events, wait while their gate is shut. The hub has given
# an answer before it waits, and knows nothing of a connection that waits. `fails`: so many lists are answered by 500.
GATES = """
(() => {
  const waiting = { list: [], events: [] }, shut = new Set(), asked = {};
  const pass = (name) => shut.has(name) ? new Promise((go) => waiting[name].push(go)) : Promise.resolve();
  const gate = window.gate = {
    fails: 0,
    shut: (name) => { shut.add(name); },
    open: (name) => { shut.delete(name); for (const go of waiting[name].splice(0)) go(); },
    next: (name) => { waiting[name].shift()(); },
    waits: (name) => waiting[name].length,
    asked: (path) => asked[path] ?? 0,
  };
  const ask = window.fetch;
  window.fetch = async (path, options) => {
    asked[path] = gate.asked(path) + 1;
    const isList = path === "/streams" && options?.method === "GET";
    if (isList && gate.fails > 0) {
      gate.fails -= 1;
      return new Response('{"title": "The list is broken"}', { status: 500 });
    }
    const answer = await ask(path, options);
    if (isList) await pass("list");
    return answer;
  };
  const Source = window.EventSource;
  window.EventSource = class {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
    #source; #isClosed = false; #listeners = [];
    constructor(url) {
      pass("events").then(() => {
        if (this.#isClosed) return;
        const source = this.#source = new Source(url);
        source.onopen = (event) => this.onopen?.(event);
        source.onerror = (event) => this.onerror?.(event);
        for (const [name, action] of this.#listeners) source.addEventListener(name, action);
      });
    }
    get readyState() { return this.#isClosed ? 2 : this.#source?.readyState ?? 0; }
    addEventListener(name, action) { this.#listeners.push([name, action]); }
    close() { this.#isClosed = true; this.#source?.close(); }
  };
})();
"""


def with_gates(*shut):
    """A check of a page with gates, of which these are shut when it is opened."""
    def decorate(check):
        def run(page):
            source = GATES + "".join(f"gate.shut({json.dumps(name)});" for name in shut)
            script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
            try:
                check(page)
            finally:
                page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        run.__name__ = check.__name__
        return run
    return decorate


class Others:
    """Streams of a check, and what others do to them: one is edited, one is removed, and one is added."""

    def __init__(self, page):
        self.page, self.hub, self.mark = page, page.hub, time.time_ns()
        self.edited = self.hub.create(name=f"Before {self.mark}", stream=items((1, 1)))
        self.removed = self.hub.create(name=f"Removed {self.mark}", stream=items((1, 1)))

    def act(self):
        self.rename("After")
        self.hub.delete(self.removed)
        self.hub.create(name=f"Added {self.mark}", stream=items((1, 1)))

    def rename(self, name):
        self.hub.put(self.edited, {**self.hub.document(self.edited), "name": f"{name} {self.mark}"})

    def listed(self):
        """The names of the streams of the check in the list, in alphabetical order."""
        end = f" {self.mark}"
        return sorted(name.removesuffix(end) for name in self.page.texts(".rows .name") if name.endswith(end))

    def wait(self, *names):
        self.page.wait(lambda: self.listed() == sorted(names),
            lambda: f"{names} in the list, which has {self.listed()}")

    def wait_for_title(self, name):
        self.page.wait(lambda: self.page.text("h1") == f"{name} {self.mark}",
            lambda: f"the title {name}, not {self.page.text('h1')!r}")


def gate(page, act, name):
    return page.run("return window.gate[arguments[0]](arguments[1])", act, name)


def wait_at(page, name):
    page.wait(lambda: gate(page, "waits", name) > 0, f"the {name} to wait at the gate")


def look_again(page):
    """Lets the page ask for its list as when it is seen again, while its connection is open."""
    page.run("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")


@with_gates("list")
def nothing_is_missed_while_the_page_is_loaded(page):
    others = Others(page)
    page.show(f"#/streams/{others.edited}")
    wait_at(page, "list")
    others.act()
    page.hub.control(others.edited, "start")
    gate(page, "open", "list")
    page.opened()
    others.wait("Added", "After")
    others.wait_for_title("After")
    page.wait(lambda: page.balls() == ["1"], lambda: f"the value of the run: {page.balls()}")
    document = page.hub.document(others.edited)
    page.wait(lambda: json.loads(page.run("return document.querySelector('textarea.text').value")) == document,
        "the document as it was edited")


@with_gates()
def nothing_is_missed_while_another_stream_is_opened(page):
    others = Others(page)
    page.open(page.hub.create(name="Shown first", stream=items((1, 1))))
    others.wait("Before", "Removed")
    gate(page, "shut", "events")
    page.run("location.hash = `#/streams/${arguments[0]}`", others.edited)
    wait_at(page, "events")
    others.wait_for_title("Before")
    page.opened()
    others.act()
    gate(page, "open", "events")
    others.wait("Added", "After")
    others.wait_for_title("After")


@with_gates()
def nothing_is_missed_while_a_connection_is_awaited(page):
    """The list is there long before the events, as when a hub has too many subscribers."""
    others = Others(page)
    page.open(others.edited)
    others.wait("Before", "Removed")
    gate(page, "shut", "events")
    look_again(page)
    wait_at(page, "events")
    others.act()
    gate(page, "open", "events")
    others.wait("Added", "After")
    others.wait_for_title("After")


@with_gates()
def a_stream_that_is_deleted_on_the_way_back_from_scrubbing_is_gone(page):
    others = Others(page)
    page.open(others.removed)
    page.click(".play")
    page.wait(lambda: page.mark() == "completed", "the end of the run")
    page.run("""
        const slider = document.getElementById("scrub");
        slider.value = 0.5;
        slider.dispatchEvent(new Event("input"));""")
    page.wait(lambda: page.state() == "scrub" and page.balls() == [], "the picture of another time")
    # The run was kept meanwhile: there is no need for a connection of its own.
    page.press("Live")
    page.wait(lambda: page.mark() == "completed", "the hub's run again")
    others.hub.delete(others.removed)
    page.wait(lambda: "was deleted" in page.text(".conflict"), "that it was deleted")


@with_gates()
def a_stream_that_is_deleted_before_it_is_opened_is_not_there(page):
    others = Others(page)
    page.open(others.edited)
    others.wait("Before", "Removed")
    gate(page, "shut", "events")
    look_again(page)
    wait_at(page, "events")
    others.hub.delete(others.removed)
    page.run("location.hash = `#/streams/${arguments[0]}`", others.removed)
    others.wait_for_title("Removed")
    gate(page, "open", "events")
    page.wait(lambda: "no such stream" in page.text("main"),
        lambda: f"that there is no such stream: {page.text('main')!r}")
    others.wait("Before")


@with_gates()
def an_older_list_undoes_nothing(page):
    others = Others(page)
    id = page.hub.create(name="Drafted", source={"values": [1]},
        operators=[{"id": "kept", "map": {"expression": "x"}}])
    page.open(id)
    others.wait("Before", "Removed")
    draft = json.dumps({**page.hub.document(id), "operators": []}, indent=2)
    page.run("""
        const field = document.querySelector("textarea.text"); field.focus(); field.value = arguments[0];
        field.dispatchEvent(new Event("input", { bubbles: true }));""", draft)
    page.wait(lambda: "is removed" in page.text(".draft"), "the plan of the draft")
    gate(page, "shut", "list")
    look_again(page)
    wait_at(page, "list")
    others.act()
    others.wait("Added", "After")
    gate(page, "next", "list")
    # All events are sent again after that, and the list is asked for once more.
    wait_at(page, "list")
    expect(others.listed() == ["Added", "After"], f"an older list took its place: {others.listed()}")
    others.rename("Later")
    others.wait("Added", "Later")
    groups = gate(page, "asked", "/groups")
    gate(page, "next", "list")
    page.wait(lambda: gate(page, "asked", "/groups") > groups, "that the list is there")
    expect(others.listed() == ["Added", "Later"], f"an older list took its place: {others.listed()}")
    gate(page, "open", "list")
    expect(page.run("return document.activeElement.value") == draft, "the draft has lost its text, or the focus")
    expect(page.is_shown(".draft") and not page.is_shown(".conflict"), "the draft is gone, or in a conflict")
    page.click("#discard")


@with_gates()
def a_list_that_fails_is_asked_for_again(page):
    others = Others(page)
    page.open(others.edited)
    others.wait("Before", "Removed")
    gate(page, "shut", "events")
    look_again(page)
    wait_at(page, "events")
    others.act()
    page.run("gate.fails = 1")
    gate(page, "open", "events")
    others.wait("Added", "After")
    others.wait_for_title("After")
    expect(page.run("return gate.fails") == 0, "no list has failed")


def a_stream_that_comes_later_is_shown(page):
    id = f"later-{time.time_ns()}"
    page.show(f"#/streams/{id}")
    page.wait(lambda: "no such stream" in page.text("main"), "that there is no such stream")
    document = {"name": "Later", "stream": items((1, 1))}
    status, head, _ = page.hub.ask("PUT", f"/streams/{id}", document, If_None_Match="*")
    expect(status == 201, f"the hub answers {status}: {head}")
    page.wait(lambda: page.text("h1") == "Later", "the stream")


CHECKS = [nothing_is_missed_while_the_page_is_loaded, nothing_is_missed_while_another_stream_is_opened,
    nothing_is_missed_while_a_connection_is_awaited, a_stream_that_is_deleted_on_the_way_back_from_scrubbing_is_gone,
    a_stream_that_is_deleted_before_it_is_opened_is_not_there, an_older_list_undoes_nothing,
    a_list_that_fails_is_asked_for_again, a_stream_that_comes_later_is_shown]
